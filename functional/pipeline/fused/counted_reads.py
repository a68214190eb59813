"""Counts the texels that shaded quads read, and marks blocks of them."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...activity.kernels.lanes import lanes_of
from ...compile import helper, kernel
from ...compile.blocks import Halves, Integers, Words
from ..texturing.reads import LoggedReads
from .marking_kernels import mark_quads

SPREAD, LANES = 0x00204081, 0x01010101
"""Four bits times this have one of them in each of four bytes, at its lowest bit."""
MAX_SUMS = 255
"""Bytes of 0 or 1 whose sum is a byte."""


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
    """

    filtered: Words
    marking: Words
    first_level: Words


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
    """Texels that covered lanes request, each once per level and probe; blocks are marked.

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
    return int(count_reads(reads, CountedOperations(*operations), covered))


@helper
def covered_lanes(coverage: Halves, which: Words) -> Any:
    """By shaded quad, four bytes: 1 for each lane that is covered."""
    covered = np.empty(len(which), np.int32)
    for k in range(len(which)):
        covered[k] = lanes_of(int(coverage[which[k]])) * SPREAD & LANES
    return covered


@helper
def count_reads(reads: LoggedReads, operations: CountedOperations, covered: Integers) -> Any:
    """`count_logged` for kernels, of quads whose `covered_lanes` these are."""
    total = 0
    for record in range(len(reads.first)):
        begin, quads = _quads_of(reads, record, len(covered))
        for level in range(2):
            if _are_read(reads.levels[record, level].view(np.int32), quads):
                total += _count(reads, (record, level), operations, covered[begin : begin + quads])
    return total


@helper
def _count(reads: LoggedReads, row: tuple[int, int], operations: CountedOperations, covered: Integers) -> Any:
    """Texels that quads request of a level, by the row of a record and one of its two levels; blocks are marked."""
    (record, level), total = row, 0
    operation, levels = reads.operation[record], reads.levels[record, level]
    if operations.filtered[operation]:
        words = levels.view(np.int32), reads.linear[record].view(np.int32)
        total += _texels_of_row(words, covered, operations.filtered[operation])
    if operations.marking[operation]:
        read = levels, reads.x[record, level], reads.y[record, level], reads.face[record]
        mark_quads(operations.marking[operation], read, operations.first_level[operation], len(covered))
    return total


@helper
def _are_read(quad_levels: Integers, quads: int) -> Any:
    """Whether any lane of some quads reads, from words of four levels, which are -1 for none."""
    every = np.int32(-1)
    for q in range(quads):
        every = np.int32(every & quad_levels[q])
    return every != -1


@helper
def _quads_of(reads: LoggedReads, record: int, shaded: int) -> Any:
    """First quad of a record, and how many it has."""
    begin = reads.first[record] // 4
    return begin, min(reads.levels.shape[2] // 4, shaded - begin)


@helper
def _texels_of_row(read: tuple[Integers, Integers], covered: Integers, filtered: int) -> Any:
    """Texels that quads request of a level: words of four lanes, whose levels are -1 for none, and whether they read
    2x2 texels or so."""
    levels, linear = read
    reading, filtering = 0, 0
    for begin in range(0, len(covered), MAX_SUMS):
        # Sums of four bytes, so that the loop is vectorized with a word a quad.
        sums, of_linear = np.int32(0), np.int32(0)
        for k in range(begin, min(begin + MAX_SUMS, len(covered))):
            lanes = np.int32(covered[k] & ~(levels[k] >> 7))
            sums, of_linear = np.int32(sums + lanes), np.int32(of_linear + (lanes & linear[k]))
        reading += _sum_of_bytes(int(sums))
        filtering += _sum_of_bytes(int(of_linear))
    return reading + (filtered - 1) * filtering


@helper
def _sum_of_bytes(word: int) -> Any:
    return (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24 & 255)
