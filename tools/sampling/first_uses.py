"""Misses of lines that nothing has used before: each happens once in a whole capture, whoever uses a line first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.pipeline.fused.texel_marks import BLOCK_BYTES
from tilegpu.timing.results.first_fills import BUFFERS, CODE, COMMANDS, TEXELS
from tilegpu.timing.results.results import Results
from tilegpu.timing.runs.table import Json, fills_of

from .plan import Plan

ByFrame = Mapping[int, float]
READ = TEXELS, BUFFERS, COMMANDS, CODE
"""Kinds whose lines are read from DRAM when they are first used; those of the Parameter Buffer are written."""


@dataclass(frozen=True)
class Fills:
    """L2 misses that filled empty lines, of all frames that were replayed, those that warm up included.

    Attributes
    ----------
    by_kind
        By kind (`first_fills.KINDS`) and frame.
    line_bytes
        Of a line.
    """

    by_kind: Mapping[str, ByFrame]
    line_bytes: int

    @classmethod
    def of(cls, results: Results) -> Fills:
        """Those of a run."""
        return cls(results.first_fills, results.configuration.memory.line_bytes)

    @classmethod
    def written(cls, results: Json) -> Fills:
        """Those of a run that was written."""
        return cls(fills_of(results), int(results["configuration"]["memory"]["line_bytes"]))


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
    twice
        Part of what is missing that replayed frames may have had, too.
    """

    of_frame: ByFrame
    missing: float = 0.0
    variance: float = 0.0
    freedom: float = 1.0
    twice: float = 0.0

    @property
    def value(self) -> float:
        """All that counts once."""
        return sum(self.of_frame.values()) + self.missing

    def beyond(self, frames: Collection[int]) -> float:
        """The part that some frames do not have."""
        return self.missing + sum(count for frame, count in self.of_frame.items() if frame not in frames)

    def times(self, factor: float) -> Once:
        """The same in another unit."""
        of_frame = {frame: factor * count for frame, count in self.of_frame.items()}
        return Once(of_frame, factor * self.missing, factor**2 * self.variance, self.freedom, factor * self.twice)


def once(plan: Plan, fills: Fills) -> dict[str, tuple[Once, ...]]:
    """Parts that count once, by measure, of those that have such.

    The plan knows how much the whole capture uses of most kinds, and which replayed frame is the first of them to use
    how much. What these came to in fills is taken for the rest, too. Of buffers of which that is not known, nothing
    counts once. docs/sampling.md says why.
    """
    missed, read = [], []
    for kind, filled in fills.by_kind.items():
        warm_up = plan.warm_up_of(sorted(filled))
        uses = plan.first_uses.get(kind)
        if uses is not None and warm_up is not None:
            part = _of_uses(uses.all_frames, uses.by_warm_up[warm_up], filled)
            if kind == TEXELS:
                part = _marked(part, BLOCK_BYTES / fills.line_bytes * sum(uses.by_warm_up[warm_up]))
            missed.append(part)
            if kind in READ:
                read.append(missed[-1].times(fills.line_bytes))
        elif kind != BUFFERS:
            missed.append(Once(filled))
    return {"l2_misses": tuple(missed), "dram_bytes": tuple(read)}


def _of_uses(all_frames: int, first_used: Sequence[int], fills: ByFrame) -> Once:
    """Fills of a kind, from how much of it all frames use and how much each replayed frame uses first, in order."""
    used, filled = np.array(first_used, float), np.array([fills[frame] for frame in sorted(fills)], float)
    if not used.sum():
        return Once(fills)
    missing = all_frames - used.sum()
    variance, freedom = variance_of_ratio(filled, used)
    return Once(fills, missing * filled.sum() / used.sum(), missing**2 * variance, freedom)


def _marked(part: Once, most: float) -> Once:
    """Fills of texels, of which counts mark a sample: those beyond the `most` that marked blocks can come to are of
    blocks without a mark, which other frames may mark."""
    return replace(part, twice=min(part.missing, max(0.0, sum(part.of_frame.values()) - most)))


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
