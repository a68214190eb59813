"""Misses of lines that nothing has used before: each happens once in a whole capture, whoever uses a line first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilegpu.timing.registry import find_machine
from tilegpu.timing.results.results import Results
from tilegpu.timing.runs.table import Json, fills_of

from .plan import Plan


@dataclass(frozen=True)
class Fills:
    """L2 misses that filled empty lines, by frame, of all frames that were replayed, those that warm up included.

    Attributes
    ----------
    every, texels
        All of them, and those for texels.
    line_bytes
        Of a line, which each of those for texels reads from DRAM.
    sorts
        Whether geometry is sorted into tiles, so that nearly all others are lines of the Parameter Buffer.
    """

    every: Mapping[int, float]
    texels: Mapping[int, float]
    line_bytes: int
    sorts: bool = False

    @classmethod
    def of(cls, results: Results) -> Fills:
        """Those of a run."""
        own = results.configuration
        return cls(results.first_fills, results.texel_fills, own.memory.line_bytes, _sorts(own.machine))

    @classmethod
    def written(cls, results: Json) -> Fills:
        """Those of a run that was written."""
        own = results["configuration"]
        line_bytes = int(own["memory"]["line_bytes"])
        every, texels = (fills_of(results, name) for name in ("first_fills", "texel_fills"))
        return cls(every, texels, line_bytes, _sorts(own["machine"]))


def _sorts(machine: str) -> bool:
    return bool(find_machine(machine).sorts)


@dataclass(frozen=True)
class Once:
    """What counts once of a measure.

    Attributes
    ----------
    of_frame
        By frame: part of its measure.
    missing
        What only frames that were not replayed have.
    variance, freedom
        Of what is missing, and its degrees of freedom.
    """

    of_frame: Mapping[int, float]
    missing: float = 0.0
    variance: float = 0.0
    freedom: float = 1.0

    @property
    def value(self) -> float:
        """All that counts once."""
        return sum(self.of_frame.values()) + self.missing


NEVER = Once({})


def once(plan: Plan, fills: Fills) -> dict[str, Once]:
    """What counts once, by measure, of those that have such.

    The plan knows how many blocks of texels the whole capture reads, and which replayed frame is the first of them to
    read how many. What these came to in fills is taken for the other blocks, too. The Parameter Buffer grows with the
    largest frame. docs/sampling.md says why.
    """
    frames = sorted(fills.every)
    warm_up = plan.warm_up_of(frames)
    if warm_up is None or not sum(plan.first_read[warm_up]) or set(fills.texels) != set(frames):
        return {"l2_misses": Once(fills.every)}
    first_read = plan.first_read[warm_up]
    blocks, filled = (np.array(some, float) for some in (first_read, [fills.texels[frame] for frame in frames]))
    left = plan.texel_blocks - blocks.sum()
    missing = left * filled.sum() / blocks.sum()
    variance, freedom = variance_of_ratio(filled, blocks)
    variance *= left**2
    others = sum(fills.every.values()) - filled.sum() if fills.sorts else 0.0
    of_geometry = others * (plan.most_primitives.get(warm_up, 1.0) - 1)
    lines = Once(fills.every, missing + of_geometry, variance, freedom)
    line_bytes = fills.line_bytes
    of_frame = {frame: line_bytes * count for frame, count in fills.texels.items()}
    return {
        "l2_misses": lines,
        "dram_bytes": Once(of_frame, line_bytes * missing, line_bytes**2 * variance, freedom),
    }


def variance_of_ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> tuple[float, float]:
    """Variance of the ratio of two sums over units, and its degrees of freedom (1 without a variance); units without
    either say nothing."""
    some = (above > 0) | (below > 0)
    above, below = above[some], below[some]
    count = len(above)
    if count < 2:
        return 0.0, 1.0
    apart = above - above.sum() / below.sum() * below
    return float((apart**2).sum() * count / (count - 1) / below.sum() ** 2), count - 1.0
