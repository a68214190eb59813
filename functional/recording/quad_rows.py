"""Writes rows of a batch of quads, and counts them for the summary, in one call."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ..jit import helper, inlined, kernel
from ..jit.blocks import Address, Bytes, Halves, IntegerRows, Integers, WordRows, Words, load
from .columns import Columns
from .summary import Count

_C = Count


class QuadColumns(NamedTuple):
    """Columns of the table of quads, except for lists and optional masks."""

    primitive: Integers
    paths: IntegerRows
    x: Halves
    y: Halves
    coverage: Halves
    depth_pass: Halves
    discarded: Bytes


def quad_columns() -> Columns:
    """The table of quads."""
    return Columns(QuadColumns, paths=("path_0", "path_1", "path_2", "path_3"))


class BatchPlace(NamedTuple):
    """Where a batch is recorded.

    Attributes
    ----------
    row
        Of the first quad, -1 to write none.
    first_primitive
        Number of the instance's first primitive in the frame.
    early
        Whether tests come before shading.
    """

    row: int
    first_primitive: int
    early: bool


class BatchQuads(NamedTuple):
    """Quads of a batch: `Quads`, samples that passed, discarded lanes."""

    primitive: Integers
    x: Halves
    y: Halves
    coverage: Halves
    passed: Halves
    discarded: Bytes


@kernel
def record_quads(
    summary: tuple[Words, WordRows],
    columns: Address,
    where: Annotated[tuple[Any, ...], BatchPlace],
    quads: Annotated[tuple[Any, ...], BatchQuads],
    shaded: tuple[Words, Integers],
) -> None:
    """Record a batch.

    Parameters
    ----------
    summary
        As for `record_geometry`, with the paths of the fragment shader.
    columns
        Address of `QuadColumns`, to fill.
    where
        A `BatchPlace`.
    quads
        A `BatchQuads`.
    shaded
        int64, (n,): shaded quads, ascending; and int32, (4 * n,): paths of their lanes.
    """
    place, batch = BatchPlace(*where), BatchQuads(*quads)
    (counts, _), (which, paths) = summary, shaded
    _count_quads(counts, place.early, batch.coverage, batch.passed, batch.discarded)
    _count_work(summary, batch.passed if place.early else batch.coverage, which, paths)
    if place.row < 0:
        return
    table, end = load(columns, QuadColumns), place.row + len(batch.coverage)
    for q in range(len(batch.coverage)):
        row = place.row + q
        table.primitive[row] = batch.primitive[q] + place.first_primitive
        table.x[row], table.y[row] = batch.x[q], batch.y[q]
        table.coverage[row], table.depth_pass[row] = batch.coverage[q], batch.passed[q]
        table.discarded[row] = batch.discarded[q]
    _write_paths(table.paths[:, place.row : end], which, paths)


@inlined
def _count_quads(counts: Any, early: Any, coverage: Any, passed: Any, discarded: Any) -> None:
    """Count without branches, so that the loop is vectorized."""
    living_quads = living_lanes = covered = killed = written = 0
    for q in range(len(coverage)):
        all_lanes, passing = lanes_of(np.int64(coverage[q])), lanes_of(np.int64(passed[q]))
        alive = passing if early else all_lanes
        living_quads += alive != 0
        living_lanes += lane_count(alive)
        covered += lane_count(all_lanes)
        killed += lane_count(np.int64(discarded[q]))
        written += lane_count(passing)
    counts[_C.QUADS.value] += len(coverage)
    counts[_C.QUADS_SHADED.value] += living_quads
    counts[_C.FRAGMENTS.value] += covered
    counts[_C.FRAGMENTS_SHADED.value] += living_lanes
    counts[_C.FRAGMENTS_DISCARDED.value] += killed
    counts[_C.FRAGMENTS_WRITTEN.value] += written


@inlined
def _count_work(summary: Any, alive: Any, which: Any, paths: Any) -> None:
    """Count what the covered lanes of the shaded quads execute."""
    counts, work = summary
    instructions = lookups = 0
    if len(work) == 1:
        lanes = 0
        for k in range(len(which)):
            lanes += lane_count(lanes_of(np.int64(alive[which[k]])))
        instructions, lookups = lanes * work[0, 0], lanes * work[0, 1]
    else:
        for k in range(len(which)):
            lanes = lanes_of(np.int64(alive[which[k]]))
            for lane in range(4):
                lives, path = lanes >> lane & 1, paths[4 * k + lane]
                instructions += lives * work[path, 0]
                lookups += lives * work[path, 1]
    counts[_C.FRAGMENT_INSTRUCTIONS.value] += instructions
    counts[_C.TEXTURE_LOOKUPS.value] += lookups


@inlined
def _write_paths(columns: Any, which: Any, paths: Any) -> None:
    """Paths by lane, -1 for quads that were not shaded."""
    count = columns.shape[1]
    if len(which) == count:
        for lane in range(4):
            column = columns[lane]
            for q in range(count):
                column[q] = paths[4 * q + lane]
        return
    for lane in range(4):
        for q in range(count):
            columns[lane, q] = -1
    for k in range(len(which)):
        for lane in range(4):
            columns[lane, which[k]] = paths[4 * k + lane]


@helper
def lanes_of(mask: Any) -> Any:
    """Lanes with a sample set in the mask of a quad, int64."""
    return (mask | mask >> 4 | mask >> 8 | mask >> 12) & 15


@helper
def lane_count(lanes: Any) -> Any:
    """Number of lanes in a mask of them, from a table of four bits each."""
    return 0x4332322132212110 >> 4 * lanes & 15
