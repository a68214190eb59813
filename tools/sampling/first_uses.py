"""Misses of lines that nothing has used before: each happens once in a whole capture, whoever uses a line first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilegpu.timing.registry import find_machine
from tilegpu.timing.results.results import Results
from tilegpu.timing.runs.table import Json, fills_of

from .plan import Plan

ByFrame = Mapping[int, float]


@dataclass(frozen=True)
class Fills:
    """L2 misses that filled empty lines, by frame, of all frames that were replayed, those that warm up included.

    Attributes
    ----------
    others
        Of lines that belong neither to textures nor to buffers.
    texels, buffers
        Of these two.
    line_bytes
        Of a line, which each of those for texels or of buffers reads from DRAM.
    sorts
        Whether geometry is sorted into tiles, so that nearly all others are lines of the Parameter Buffer.
    """

    others: ByFrame
    texels: ByFrame
    buffers: ByFrame
    line_bytes: int
    sorts: bool = False

    @classmethod
    def of(cls, results: Results) -> Fills:
        """Those of a run."""
        own = results.configuration
        fills = results.first_fills, results.texel_fills, results.buffer_fills
        return cls._of(fills, own.memory.line_bytes, own.machine)

    @classmethod
    def written(cls, results: Json) -> Fills:
        """Those of a run that was written."""
        own = results["configuration"]
        every, texels, buffers = (fills_of(results, name) for name in ("first_fills", "texel_fills", "buffer_fills"))
        return cls._of((every, texels, buffers), int(own["memory"]["line_bytes"]), own["machine"])

    @classmethod
    def _of(cls, fills: tuple[ByFrame, ByFrame, ByFrame], line_bytes: int, machine: str) -> Fills:
        every, texels, buffers = fills
        others = {frame: count - texels.get(frame, 0) for frame, count in every.items()}
        return cls(others, texels, buffers, line_bytes, bool(find_machine(machine).sorts))


@dataclass(frozen=True)
class Once:
    """Part of a measure that counts once.

    Attributes
    ----------
    of_frame
        By frame: part of its measure.
    missing
        What only frames that were not replayed have.
    variance, freedom
        Of what is missing, and its degrees of freedom.
    """

    of_frame: ByFrame
    missing: float = 0.0
    variance: float = 0.0
    freedom: float = 1.0

    @property
    def value(self) -> float:
        """All that counts once."""
        return sum(self.of_frame.values()) + self.missing

    def times(self, factor: float) -> Once:
        """The same in another unit."""
        of_frame = {frame: factor * count for frame, count in self.of_frame.items()}
        return Once(of_frame, factor * self.missing, factor**2 * self.variance, self.freedom)


def once(plan: Plan, fills: Fills) -> dict[str, tuple[Once, ...]]:
    """Parts that count once, by measure, of those that have such.

    The plan knows how many blocks of texels and of buffers the whole capture uses, and which replayed frame is the
    first of them to use how many. What these came to in fills is taken for the other blocks, too. Of buffers whose
    blocks are not known, nothing counts once. The plan also knows how many lines of the Parameter Buffer all frames
    take for each that replayed frames take. docs/sampling.md says why.
    """
    frames = sorted(fills.others)
    warm_up = plan.warm_up_of(frames)
    if warm_up is None:
        every = {frame: count + fills.texels.get(frame, 0) for frame, count in fills.others.items()}
        return {"l2_misses": (Once(every),)}
    of_blocks = []
    for kind, filled in (("texels", fills.texels), ("buffers", fills.buffers)):
        uses = plan.first_uses.get(kind)
        if uses is not None and set(filled) == set(frames):
            of_blocks.append(_of_blocks(uses.blocks, uses.by_warm_up[warm_up], filled))
    others = sum(fills.others.values()) if fills.sorts else 0.0
    of_geometry = Once(fills.others, others * (plan.parameter_buffer[warm_up] - 1))
    return {
        "l2_misses": (of_geometry, *of_blocks),
        "dram_bytes": tuple(one.times(fills.line_bytes) for one in of_blocks),
    }


def _of_blocks(blocks: int, first_used: Sequence[int], fills: ByFrame) -> Once:
    """Fills of the blocks of a kind, of which replayed frames in order are the first to use some."""
    used, filled = np.array(first_used, float), np.array([fills[frame] for frame in sorted(fills)], float)
    if not used.sum():
        return Once(fills)
    left = blocks - used.sum()
    variance, freedom = variance_of_ratio(filled, used)
    return Once(fills, left * filled.sum() / used.sum(), left**2 * variance, freedom)


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
