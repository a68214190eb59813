"""Rows of a batch of quads, and what the summary counts of them, in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..activity.compiled import helper, kernel
from .columns import Columns
from .counts import Count

_C = Count


def quad_columns() -> Columns:
    """Columns of the table of quads, but for lists and the masks that not all have."""
    return Columns(
        numbers=(np.int32, ("primitive", "path_0", "path_1", "path_2", "path_3")),
        masks=(np.uint16, ("x", "y", "coverage", "depth_pass")),
        lanes=(np.uint8, ("discarded",)),
    )


@kernel
def record_quads(summary: Any, blocks: Any, where: Any, quads: Any, shaded: Any) -> None:
    """Record a batch.

    Parameters
    ----------
    summary
        As for `record_geometry`, with the paths of the fragment shader.
    blocks
        Of `quad_columns`, to fill.
    where
        Row of the first quad, -1 to write none; number of the instance's first primitive in the frame; whether tests
        come before shading.
    quads
        Arrays of the quads: primitive, x, y, coverage, samples that passed, lanes discarded.
    shaded
        int64, (n,): those that were shaded, ascending; and int32, (4 * n,): paths of their lanes.
    """
    counts, work = summary
    first, first_primitive, early = where
    primitive, x, y, coverage, passed, discarded = quads
    which, paths = shaded
    numbers, masks, lanes = blocks
    living_quads = living_lanes = covered = killed = written = instructions = lookups = following = 0
    for q in range(len(coverage)):
        alive = lanes_of(np.int64(passed[q] if early else coverage[q]))
        is_shaded = following < len(which) and which[following] == q
        living_quads += alive != 0
        living_lanes += lane_count(alive)
        covered += lane_count(lanes_of(np.int64(coverage[q])))
        killed += lane_count(np.int64(discarded[q]))
        written += lane_count(lanes_of(np.int64(passed[q])))
        if is_shaded:
            for lane in range(4):
                if alive >> lane & 1:
                    path = paths[4 * following + lane]
                    instructions += work[path, 0]
                    lookups += work[path, 1]
        if first >= 0:
            row = first + q
            numbers[0, row] = primitive[q] + first_primitive
            for lane in range(4):
                numbers[1 + lane, row] = paths[4 * following + lane] if is_shaded else -1
            masks[0, row], masks[1, row], masks[2, row], masks[3, row] = x[q], y[q], coverage[q], passed[q]
            lanes[0, row] = discarded[q]
        following += is_shaded
    counts[_C.QUADS] += len(coverage)
    counts[_C.QUADS_SHADED] += living_quads
    counts[_C.FRAGMENTS] += covered
    counts[_C.FRAGMENTS_SHADED] += living_lanes
    counts[_C.FRAGMENTS_DISCARDED] += killed
    counts[_C.FRAGMENTS_WRITTEN] += written
    counts[_C.FRAGMENT_INSTRUCTIONS] += instructions
    counts[_C.TEXTURE_LOOKUPS] += lookups


@helper
def lanes_of(mask: Any) -> Any:
    """Lanes with a sample set in the mask of a quad, int64."""
    return (mask | mask >> 4 | mask >> 8 | mask >> 12) & 15


@helper
def lane_count(lanes: Any) -> Any:
    """Number of lanes in a mask of them."""
    return (lanes & 1) + (lanes >> 1 & 1) + (lanes >> 2 & 1) + (lanes >> 3 & 1)
