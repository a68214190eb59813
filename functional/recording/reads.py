"""Writes texture reads as rows: one per quad (or vertex), level and layer."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.lanes import lanes_of
from ..compile import helper, inlined, kernel
from ..compile.blocks import Address, Bytes, Flags, Halves, IntegerRows, Integers, Shorts, SignedPlanes, Words
from ..compile.native import load
from ..pipeline.texturing.reads import OPERATION, LoggedReads, Operation, Reads
from .columns import Columns


class ReadColumns(NamedTuple):
    """Columns of the table of texture reads; `dx` and `dy` are differences of three lanes from the first one."""

    quad: Integers
    x: Integers
    y: Integers
    dx: IntegerRows
    dy: IntegerRows
    linear: Flags
    sampler: Bytes
    probe: Bytes
    level: Bytes
    lanes: Bytes
    pc: Halves
    layer: Shorts


class VertexReadColumns(NamedTuple):
    """Columns of the table of texture reads of vertices."""

    vertex: Integers
    pc: Integers
    sampler: Integers
    probe: Integers
    level: Integers
    layer: Integers
    x: Integers
    y: Integers
    linear: Flags


def read_columns() -> Columns:
    """The table of texture reads."""
    return Columns(ReadColumns, dx=("dx_1", "dx_2", "dx_3"), dy=("dy_1", "dy_2", "dy_3"))


def vertex_read_columns() -> Columns:
    """The table of texture reads of vertices."""
    return Columns(VertexReadColumns)


class Part(NamedTuple):
    """Quads whose reads are recorded.

    Attributes
    ----------
    coverage
        Covered samples of each quad of the batch.
    which
        Its shaded quads.
    first
        Number of the batch's first quad in the frame.
    """

    coverage: Halves
    which: Words
    first: int


class _Place(NamedTuple):
    """A record, level of it, first lane of a quad, and the group's first lane from there on."""

    record: int
    level: int
    first: int
    leader: int


class _Group(NamedTuple):
    """Number of a quad, lanes of it, and the row's description of them."""

    quad: int
    lanes: int
    described: int


@kernel
def write_reads(
    records: Annotated[tuple[Any, ...], LoggedReads],
    quads: Annotated[tuple[Any, ...], Part],
    first: int,
    columns: Address,
) -> int:
    """Group the lanes of each quad that read the same image, and write one row per group.

    Parameters
    ----------
    records
        `LoggedReads`. The last quads of a record may be beyond those that were shaded.
    quads
        A `Part`.
    first
        Row of the first read.
    columns
        Address of `ReadColumns`, to fill.

    Returns
    -------
    int
        The row after the last.
    """
    return write_rows(LoggedReads(*records), Part(*quads), first, load(columns, ReadColumns))


@helper
def write_rows(logged: LoggedReads, part: Part, first: int, table: ReadColumns) -> int:
    """`write_reads` for kernels."""
    lane, levels, face, linear = logged.first, logged.levels, logged.face, logged.linear
    # Four lanes at a time: most quads read one image, or none.
    quad_levels, quad_linear = levels.view(np.int32), linear.view(np.int32)
    row, start = first, 0
    while start < len(lane):
        end = start + 1
        while end < len(lane) and lane[end] == lane[start]:
            end += 1
        first_quad = lane[start] // 4
        for k in range(min(face.shape[1] // 4, len(part.which) - first_quad)):
            quad = part.which[first_quad + k]
            covered = lanes_of(int(part.coverage[quad]))
            for r in range(start, end):
                if not logged.operations[logged.operation[r], OPERATION.recorded]:
                    continue
                for i in range(2):
                    if quad_levels[r, i, k] == -1:
                        continue
                    alike = _alike_all(quad_levels[r, i, k]) and _alike_all(quad_linear[r, k])
                    alike = alike and _same_face(face, r, 4 * k)
                    remaining = 15 if alike else _reading(levels, r, i, 4 * k)
                    while remaining:
                        leader, same = (0, 15) if alike else _alike(remaining, logged, r, i, 4 * k)
                        remaining &= ~same
                        lanes = same & covered | (same & ~covered) << 4
                        place, group = _Place(r, i, 4 * k, leader), _Group(quad + part.first, same, lanes)
                        _write_row(place, group, logged, row, table)
                        row += 1
        start = end
    return int(row)


@inlined
def _alike_all(four: int) -> Any:
    """Whether four non-negative bytes are equal."""
    return four == (int(four) & 127) * 0x01010101


@inlined
def _same_face(face: IntegerRows, r: int, first: int) -> Any:
    """Whether all lanes of a quad read the same layer, face or slice."""
    f = face[r, first]
    return (face[r, first + 1] == f) & (face[r, first + 2] == f) & (face[r, first + 3] == f)


@inlined
def _reading(levels: SignedPlanes, r: int, i: int, first: int) -> Any:
    """Mask of the lanes of a quad that read one of the levels of a record."""
    a, b, c, d = levels[r, i, first], levels[r, i, first + 1], levels[r, i, first + 2], levels[r, i, first + 3]
    return (1 if a >= 0 else 0) | (2 if b >= 0 else 0) | (4 if c >= 0 else 0) | (8 if d >= 0 else 0)


@inlined
def _alike(remaining: int, records: LoggedReads, r: int, i: int, first: int) -> tuple[Any, Any]:
    """First of some lanes of a quad, and the mask of those that read the same image."""
    levels, face, linear = records.levels, records.face, records.linear
    leader = 0
    while not remaining >> leader & 1:
        leader += 1
    level, image, filtered = levels[r, i, first + leader], face[r, first + leader], linear[r, first + leader]
    same = 0
    for lane in range(4):
        j = first + lane
        alike = levels[r, i, j] == level and face[r, j] == image and linear[r, j] == filtered
        same |= (1 if alike else 0) << lane
    return leader, same & remaining


@inlined
def _write_row(place: _Place, group: _Group, records: LoggedReads, row: int, table: ReadColumns) -> None:
    """The row of some lanes of a quad.

    Parameters
    ----------
    place, group, records, table
        `_Place`, `_Group`, `LoggedReads`, `ReadColumns`.
    """
    operations, x, y = records.operations, records.x, records.y
    # Unsigned indices avoid a check for negative ones at each access.
    at, r, i, first = np.uint64(row), np.uint64(place.record), np.uint64(place.level), np.uint64(place.first)
    j, number = first + np.uint64(place.leader), np.uint64(records.operation[r])
    table.quad[at], table.pc[at] = group.quad, operations[number, OPERATION.pc]
    table.sampler[at], table.probe[at] = operations[number, OPERATION.sampler], operations[number, OPERATION.probe]
    table.level[at], table.lanes[at] = records.levels[r, i, j], group.described
    table.linear[at], table.layer[at] = records.linear[r, j], records.face[r, j]
    column, top = x[r, i, j], y[r, i, j]
    table.x[at], table.y[at] = column, top
    for lane in range(3):
        other = first + np.uint64(lane + 1)
        reads = group.lanes >> lane + 1 & 1
        table.dx[lane, at] = x[r, i, other] - column if reads else 0
        table.dy[lane, at] = y[r, i, other] - top if reads else 0


def add_reads(
    table: Columns, reads: list[Reads] | LoggedReads, coverage: NDArray[np.uint16], which: NDArray[np.int64], base: int
) -> None:
    """Rows of the texture operations of a chunk of quads, by quad and then in order of execution.

    Parameters
    ----------
    table
        See `read_columns`.
    reads
        Operations in order of execution.
    coverage
        Coverage of all quads of the batch.
    which, base
        Shaded quads of the batch, and the number of its first quad in the frame.
    """
    records = logged_reads(reads)
    # In the worst case, all lanes read different images.
    first = table.reserve(records.levels.size)
    table.count = write_reads(tuple(records), (coverage, which, base), first, table.address)


def logged_reads(reads: list[Reads] | LoggedReads) -> LoggedReads:
    """Operations as records; those of all lanes make a record each."""
    if isinstance(reads, LoggedReads):
        return reads
    active = [r.levels if r.active is None else np.where(r.active, r.levels, np.int8(-1)) for r in reads]
    return LoggedReads(
        np.array([Operation(r.pc, r.sampler, True, r.probe) for r in reads], np.int64),
        np.arange(len(reads), dtype=np.int32),
        np.zeros(len(reads), np.int64),
        np.stack(active),
        np.stack([r.x for r in reads]),
        np.stack([r.y for r in reads]),
        np.stack([r.face for r in reads]),
        np.stack([r.linear for r in reads]),
    )


def add_vertex_reads(table: Columns, reads: Reads, first: int) -> None:
    """Rows of one texture operation over a chunk of vertices, of which the first has a number in the frame.

    Parameters
    ----------
    table
        See `vertex_read_columns`.
    """
    parts = []
    for probe in range(2):
        which = np.flatnonzero((reads.levels[probe] >= 0) & (True if reads.active is None else reads.active))
        place = reads.levels[probe, which], reads.face[which], reads.x[probe, which], reads.y[probe, which]
        parts.append(np.stack([which, *place, reads.linear[which]], 1).astype(np.int32))
    rows = np.concatenate(parts)
    # By vertex; its levels stay in order.
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    start = table.grow(len(rows))
    to = VertexReadColumns(*(array[start : table.count] for array in table.arrays))
    to.vertex[:], to.pc[:], to.sampler[:], to.probe[:] = rows[:, 0] + first, reads.pc, reads.sampler, 0
    to.level[:], to.layer[:], to.x[:], to.y[:], to.linear[:] = rows[:, 1:].T
