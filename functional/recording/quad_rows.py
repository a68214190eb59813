"""Writes rows of a batch of quads, and counts them for the summary, in one call."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from ..activity.kernels.lanes import lane_count, lanes_of
from ..compile import helper, inlined, kernel
from ..compile.blocks import Address, Bytes, Halves, IntegerRows, Integers, Words
from ..compile.native import load
from .columns import Columns
from .summary import COUNT, WORK, Tally


class QuadColumns(NamedTuple):
    """Columns of the table of quads, except for lists and optional masks."""

    primitive: Integers
    paths: IntegerRows
    x: Halves
    y: Halves
    coverage: Halves
    depth_pass: Halves
    discarded: Bytes


class MaskColumns(NamedTuple):
    """Rows of quads of which alpha determines the coverage, and the samples that it leaves."""

    row: Integers
    mask: Halves


def mask_columns() -> Columns:
    """The table of these rows."""
    return Columns(MaskColumns)


def quad_columns() -> Columns:
    """The table of quads."""
    return Columns(QuadColumns, paths=("path_0", "path_1", "path_2", "path_3"))


class BatchPlace(NamedTuple):
    """Place of a batch in the tables.

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


class ShadedPaths(NamedTuple):
    """Shaded quads of a batch, ascending, and the paths of their lanes, int32 (4 * quads,), or none if all are 0."""

    which: Words
    paths: Integers


@kernel
def record_quads(
    summary: Annotated[tuple[Any, ...], Tally],
    columns: Address,
    where: Annotated[tuple[Any, ...], BatchPlace],
    quads: Annotated[tuple[Any, ...], BatchQuads],
    shaded: Annotated[tuple[Any, ...], ShadedPaths],
) -> None:
    """Record a batch.

    Parameters
    ----------
    summary
        A `Tally` of the fragment shader.
    columns
        Address of `QuadColumns`, to fill.
    where
        A `BatchPlace`.
    quads
        A `BatchQuads`.
    shaded
        A `ShadedPaths`.
    """
    write_quads(Tally(*summary), columns, BatchPlace(*where), BatchQuads(*quads), ShadedPaths(*shaded))


@helper
def write_quads(tally: Tally, columns: int, place: BatchPlace, batch: BatchQuads, executed: ShadedPaths) -> None:
    """`record_quads` for kernels."""
    _count_quads(tally.counts, place.early, batch.coverage, batch.passed, batch.discarded)
    _count_work(tally, batch.passed if place.early else batch.coverage, executed)
    if place.row < 0:
        return
    table, end = load(columns, QuadColumns), place.row + len(batch.coverage)
    for q in range(len(batch.coverage)):
        row = place.row + q
        table.primitive[row] = batch.primitive[q] + place.first_primitive
        table.x[row], table.y[row] = batch.x[q], batch.y[q]
        table.coverage[row], table.depth_pass[row] = batch.coverage[q], batch.passed[q]
        table.discarded[row] = batch.discarded[q]
    for lane in range(4):
        _write_paths(table.paths[lane][place.row : end], lane, executed)


@inlined
def _count_quads(counts: Words, early: bool, coverage: Halves, passed: Halves, discarded: Bytes) -> None:
    """Count without branches, so that the loop is vectorized."""
    living_quads = living_lanes = covered = killed = written = 0
    for q in range(len(coverage)):
        all_lanes, passing = lanes_of(int(coverage[q])), lanes_of(int(passed[q]))
        alive = passing if early else all_lanes
        living_quads += alive != 0
        living_lanes += lane_count(alive)
        covered += lane_count(all_lanes)
        killed += lane_count(int(discarded[q]))
        written += lane_count(passing)
    counts[COUNT.quads] += len(coverage)
    counts[COUNT.quads_shaded] += living_quads
    counts[COUNT.fragments] += covered
    counts[COUNT.fragments_shaded] += living_lanes
    counts[COUNT.fragments_discarded] += killed
    counts[COUNT.fragments_written] += written


@inlined
def _count_work(tally: Tally, alive: Halves, executed: ShadedPaths) -> None:
    """Count what the covered lanes of the shaded quads execute."""
    counts, work, which, paths = tally.counts, tally.work, executed.which, executed.paths
    instructions = lookups = accesses = 0
    if len(work) == 1:
        lanes = 0
        for k in range(len(which)):
            lanes += lane_count(lanes_of(int(alive[which[k]])))
        instructions, lookups = lanes * work[0, WORK.instructions], lanes * work[0, WORK.lookups]
        accesses = lanes * work[0, WORK.accesses]
    else:
        for k in range(len(which)):
            lanes = lanes_of(int(alive[which[k]]))
            for lane in range(4):
                lives, path = lanes >> lane & 1, paths[4 * k + lane]
                instructions += lives * work[path, WORK.instructions]
                lookups += lives * work[path, WORK.lookups]
                accesses += lives * work[path, WORK.accesses]
    counts[COUNT.fragment_instructions] += instructions
    counts[COUNT.texture_lookups] += lookups
    counts[COUNT.memory_accesses] += accesses


@inlined
def _write_paths(column: Integers, lane: int, executed: ShadedPaths) -> None:
    """Paths of one lane of quads, -1 for quads that were not shaded."""
    count, which, paths = len(column), executed.which, executed.paths
    every, has_paths = len(which) == count, len(paths) > 0
    if not every or not has_paths:
        for q in range(count):
            column[q] = 0 if every else -1
    if every and has_paths:
        for q in range(count):
            column[q] = paths[4 * q + lane]
    elif not every:
        for k in range(len(which)):
            column[which[k]] = paths[4 * k + lane] if has_paths else 0
