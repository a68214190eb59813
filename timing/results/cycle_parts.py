"""Parts of a run's time that follow one another and add up to it, and which of them bounds a speed-up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

AS_BEFORE = 0.98
"""A part that takes this share of what it took, or more, did not shrink."""
TOLERANCE = 0.1
"""Of the logarithm of how many times as fast a part became: 2.1 times is told as twice."""
SEEN = 5e-4
"""Share of a run below which a part is not shown."""
SERIAL = {
    "transfers": "gpu.transfer_cycles",
    "compute": "gpu.compute_cycles",
    "switches": "gpu.switch_cycles",
}
"""Statistics of what neither the geometry nor the raster stage is at work in."""
PARTS = ("geometry", "raster", *SERIAL, "chain ends", "other")
"""Names of all parts, in order."""
CHAIN_ENDS = "gpu.chain_end.busy_cycles"


def cycle_parts(totals: Mapping[str, float]) -> dict[str, float]:
    """Cycles of each part by name, only those that take any.

    `raster` is all of the raster stage, `geometry` what does not lie behind it. `chain ends` are in neither: caches are
    cleaned after the geometry and after the tiles of each pass, which takes about as long, as all lines are looked
    through. `other` is what no stage accounts for, such as the frame's start.

    Parameters
    ----------
    totals
        Statistics of a frame or of a whole run, by name.

    Raises
    ------
    KeyError
        If they lack a stage.
    """
    serial = {name: totals.get(stat, 0.0) for name, stat in SERIAL.items()}
    remaining = max(0.0, totals["gpu.cycles"] - sum(serial.values()))
    raster = min(totals["gpu.raster_cycles"], remaining)
    geometry = min(totals["gpu.geometry_cycles"], remaining - raster)
    other, each = remaining - raster - geometry, totals.get(CHAIN_ENDS, 0.0) / 2
    ends = min(each, raster), min(each, geometry)
    parts = {"geometry": geometry - ends[1], "raster": raster - ends[0], **serial, "chain ends": sum(ends)}
    return {name: value for name, value in (parts | {"other": other}).items() if value > 0}


def seen_parts(runs: Sequence[Mapping[str, float]]) -> list[str]:
    """Names of the parts that can be seen beside the others in some run, in order."""
    totals = [sum(of_run.values()) for of_run in runs]
    every = [name for name in PARTS if any(name in of_run for of_run in runs)]
    return [
        name
        for name in every
        if any(of_run.get(name, 0.0) >= SEEN * total for of_run, total in zip(runs, totals, strict=True) if total)
    ]


@dataclass(frozen=True)
class Unchanged:
    """The largest part of a run that takes as long as in the run that it is compared with.

    Parameters
    ----------
    part
        Its name.
    share
        Of the run's cycles.
    bound
        Speed-up if all else took no time.
    factor
        How many times as fast the part became that shrank most, rounded up to a power of two; 2 at least.
    bound_at_factor
        Speed-up if all else were so many times as fast.
    """

    part: str
    share: float
    bound: float
    factor: int
    bound_at_factor: float


def unchanged(totals: Mapping[str, float], baseline: Mapping[str, float]) -> Unchanged | None:
    """Bound of the speed-up of a run over another; None where every part shrank.

    Parameters
    ----------
    totals, baseline
        Statistics of both, of as many frames.
    """
    own, before, cycles = cycle_parts(totals), cycle_parts(baseline), baseline["gpu.cycles"]
    same = {name: value for name, value in own.items() if name in before and value >= AS_BEFORE * before[name]}
    if not same:
        return None
    part = max(same, key=lambda name: same[name])
    value = same[part]
    shrunk = max(before[name] / own[name] for name in own if name in before)
    factor = 1 << max(1, math.ceil(math.log2(shrunk) - TOLERANCE))
    others = max(0.0, cycles - before[part])
    return Unchanged(part, value / totals["gpu.cycles"], cycles / value, factor, cycles / (value + others / factor))
