"""Counts the texels that shaded quads read, and marks their blocks."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.lanes import lanes_of
from ...execute.kernel_arguments import LOG, LogBlock
from ...jit import ZERO, helper, inlined, kernel
from ...jit.blocks import Bytes, Halves, Words, words_in
from ...jit.vectors import copy_bytes, shift_right
from ..texturing.reads import LoggedReads
from .marked_places import STRIP
from .marking_kernels import mark_quads
from .noted_reads import LANE_BYTES

SPREAD, LANES = 0x00204081, 0x01010101
"""Four bits times this have one of them in each of four bytes, at its lowest bit."""
MAX_SUMS = 255
"""Bytes of 0 or 1 whose sum is a byte."""
_LOG_WORDS = words_in(LogBlock)
_RECORD_BYTES = 8 + 4
"""Bytes of a record without its lanes, which take `LANE_BYTES` each."""


class CountedOperations(NamedTuple):
    """By texture operation, how its reads are counted.

    Attributes
    ----------
    filtered
        Texels of a filtered read, 0 if reads are not counted.
    marking
        Address of the `Marking` of the texture, 0 if there is none.
    first_level
        Level that is the first of the marking.
    room
        Of all operations, `new_room`: memory that a kernel allocates is counted atomically at every use.
    """

    filtered: Words
    marking: Words
    first_level: Words
    room: Bytes


def new_room() -> NDArray[np.uint8]:
    """Room for what `STRIP` quads read of an operation, and for their covered lanes."""
    return np.empty(_RECORD_BYTES + 4 * STRIP * (LANE_BYTES + 1), np.uint8)


class Shaded(NamedTuple):
    """Covered samples of each quad of a batch, and its shaded quads."""

    coverage: Halves
    which: Words


@kernel
def count_logged(
    records: Annotated[tuple[Any, ...], LoggedReads],
    operations: Annotated[tuple[Any, ...], CountedOperations],
    quads: Annotated[tuple[Any, ...], Shaded],
) -> int:
    """Texels that covered lanes request, each once per level and probe; blocks that any lanes read are marked.

    Parameters
    ----------
    records
        `LoggedReads`. The last quads of a record may be beyond those that were shaded.
    operations
        `CountedOperations`.
    quads
        `Shaded`.
    """
    reads, part = LoggedReads(*records), Shaded(*quads)
    covered = covered_lanes(part.coverage, part.which)
    return int(count_reads(reads, len(reads.first), CountedOperations(*operations), covered))


@helper
def opened_log(room: Any, width: Any) -> Any:
    """A `LogBlock` with room for records of some lanes, and these as `LoggedReads`; both empty without room."""
    records = len(room) // (_RECORD_BYTES + width * LANE_BYTES)
    first, rest = room[: 8 * records].view(np.int64), room[8 * records :]
    pairs, lanes = 2 * width * records, width * records
    x, y = rest[: 4 * pairs].view(np.int32), rest[4 * pairs : 8 * pairs].view(np.int32)
    rest = rest[8 * pairs :]
    face, operation = rest[: 4 * lanes].view(np.int32), rest[4 * lanes : 4 * (lanes + records)].view(np.int32)
    rest = rest[4 * (lanes + records) :]
    levels, linear = rest[:pairs].view(np.int8), rest[pairs : pairs + lanes].view(np.bool_)
    log = np.zeros(_LOG_WORDS if records else 0, np.int64)
    if records:
        # The last is for a record that does not fit.
        log[LOG.capacity] = records - 1
        log[LOG.operation], log[LOG.lane] = operation.ctypes.data, first.ctypes.data
        log[LOG.levels], log[LOG.linear] = levels.ctypes.data, linear.ctypes.data
        log[LOG.x], log[LOG.y], log[LOG.face] = x.ctypes.data, y.ctypes.data, face.ctypes.data
    return log, LoggedReads(
        np.empty((0, 0), np.int64),
        operation,
        first,
        levels.reshape((records, 2, width)),
        x.reshape((records, 2, width)),
        y.reshape((records, 2, width)),
        face.reshape((records, width)),
        linear.reshape((records, width)),
    )


@helper
def covered_lanes(coverage: Any, which: Any) -> Any:
    """By shaded quad, four bytes: 1 for each lane that is covered."""
    covered = np.empty(len(which), np.int32)
    for k in range(len(which)):
        covered[k] = lanes_of(np.int64(coverage[which[k]])) * SPREAD & LANES
    return covered


@helper
def count_reads(reads: Any, records: Any, operations: Any, covered: Any) -> Any:
    """`count_logged` for kernels: the first records, of some quads by `covered_lanes`."""
    if reads.levels.shape[2] < 4 * STRIP:
        return _count_short(reads, records, operations, covered)
    total = ZERO
    for record in range(records):
        operation = reads.operation[record]
        begin, quads = _quads_of(reads, record, len(covered))
        read = reads.levels[record], reads.x[record], reads.y[record], reads.linear[record], reads.face[record]
        total += _count(read, operations, operation, covered[begin : begin + quads])
    return total


@helper
def _count(read: Any, operations: Any, operation: Any, covered: Any) -> Any:
    """Texels that quads request of an operation; blocks are marked."""
    levels, x, y, linear, face = read
    total, filtered, marking = ZERO, operations.filtered[operation], operations.marking[operation]
    for level in range(2):
        words = levels[level].view(np.int32)
        if not _are_read(words, len(covered)):
            continue
        if filtered:
            total += _texels_of_row((words, linear.view(np.int32)), covered, filtered)
        if marking:
            of_level = levels[level], x[level], y[level], linear, face
            mark_quads(marking, of_level, operations.first_level[operation], len(covered))
    return total


@helper
def _are_read(quad_levels: Any, quads: Any) -> Any:
    """Whether any lane of some quads reads, from words of four levels, which are -1 for none."""
    every = np.int32(-1)
    for q in range(quads):
        every = np.int32(every & quad_levels[q])
    return every != -1


@helper
def _quads_of(reads: Any, record: Any, shaded: Any) -> Any:
    """First quad of a record, and how many it has."""
    begin = reads.first[record] // 4
    return begin, min(reads.levels.shape[2] // 4, shaded - begin)


@helper
def _texels_of_row(read: Any, covered: Any, filtered: Any) -> Any:
    """Texels that quads request of a level: words of four lanes, whose levels are -1 for none, and whether they read
    2x2 texels or so."""
    levels, linear = read
    reading, filtering = ZERO, ZERO
    for begin in range(0, len(covered), MAX_SUMS):
        # Sums of four bytes, so that the loop is vectorized with a word a quad.
        sums, of_linear = np.int32(0), np.int32(0)
        for k in range(begin, min(begin + MAX_SUMS, len(covered))):
            lanes = np.int32(covered[k] & ~shift_right(levels[k], np.int32(7)))
            sums, of_linear = np.int32(sums + lanes), np.int32(of_linear + (lanes & linear[k]))
        reading += _sum_of_bytes(sums)
        filtering += _sum_of_bytes(of_linear)
    return reading + (filtered - 1) * filtering


@helper
def _sum_of_bytes(word: Any) -> Any:
    return (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24 & 255)


@helper
def _count_short(reads: Any, records: Any, operations: Any, covered: Any) -> Any:
    """`count_reads` of records of a few quads: together those of an operation, as many as are looked at together."""
    _, gatherings = opened_log(operations.room, 4 * STRIP)
    read = (
        gatherings.levels[0],
        gatherings.x[0],
        gatherings.y[0],
        gatherings.linear[0],
        gatherings.face[0],
    )
    lanes = operations.room[len(operations.room) - 4 * STRIP :].view(np.int32)
    gathered, logged, total = _places_of(gatherings), _places_of(reads), ZERO
    width = reads.levels.shape[2]
    for operation in range(len(operations.marking)):
        together = ZERO
        for record in range(records if operations.marking[operation] or operations.filtered[operation] else 0):
            if reads.operation[record] != operation:
                continue
            if 4 * together + width > 4 * STRIP:
                total += _count(read, operations, operation, lanes[:together])
                together = ZERO
            begin, quads = _quads_of(reads, record, len(covered))
            _gather(gathered, logged, (record, quads, width), together)
            for k in range(quads):
                lanes[together + k] = covered[begin + k]
            together += quads
        if together:
            total += _count(read, operations, operation, lanes[:together])
    return total


@helper
def _places_of(reads: Any) -> Any:
    """Addresses of the arrays of `LoggedReads`: slices of them would be counted."""
    lanes = reads.linear.ctypes.data, reads.face.ctypes.data
    return reads.levels.ctypes.data, reads.x.ctypes.data, reads.y.ctypes.data, *lanes


@inlined
def _gather(gathered: Any, logged: Any, place: Any, together: Any) -> None:
    """Copy what the first quads of a record of some lanes read, from `_places_of` to others."""
    (levels, x, y, linear, face), (all_levels, all_x, all_y, all_linear, all_face) = gathered, logged
    record, quads, width = place
    of, to, lanes = record * width, 4 * together, 4 * quads
    copy_bytes(linear + to, all_linear + of, lanes)
    copy_bytes(face + 4 * to, all_face + 4 * of, 4 * lanes)
    for level in range(2):
        source, target = 2 * of + level * width, level * 4 * STRIP + to
        copy_bytes(levels + target, all_levels + source, lanes)
        copy_bytes(x + 4 * target, all_x + 4 * source, 4 * lanes)
        copy_bytes(y + 4 * target, all_y + 4 * source, 4 * lanes)
