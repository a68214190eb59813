"""Lines of the texture operations of quads and vertices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.functional.compile import inlined

from ..compiled import kernel
from .grids import Textures
from .read_lines import MAX_LINES, NO_BOX, PLACES, Box, OperationLines, Reads, lines_of_read

Array = np.ndarray[Any, Any]


@inlined
def continues(probe: int, level: int, layer: int, last_probe: int, last_level: int, last_layer: int) -> bool:
    """Whether a read of an instruction belongs to the operation of the one before it: a later probe, level or layer."""
    if probe != last_probe:
        return probe > last_probe
    if level != last_level:
        return level > last_level
    return layer > last_layer


class Executed(NamedTuple):
    """Texture instructions that quads (or vertices) execute.

    `path`, `operation`, `draw`, `order`: int64, (quads,): path of each or -1, the first row of its operations, the row
    of its draw, its row in the activity. `first_read`: int64: for each row of the activity, where its reads begin; one
    more at the end. `first_texture`, `last_texture`: int64, (paths,): the texture instructions of each path in `pcs`.
    """

    path: Any
    operation: Any
    draw: Any
    order: Any
    first_read: Any
    first_texture: Any
    last_texture: Any
    pcs: Any


@inlined
def read_at(reads: Reads, row: int) -> Reads:
    """One row of the reads."""
    return Reads(
        reads.pc[row],
        reads.sampler[row],
        reads.probe[row],
        reads.linear[row],
        reads.level[row],
        reads.layer[row],
        reads.lanes[row],
        reads.x[row],
        reads.y[row],
        reads.dx_1[row],
        reads.dy_1[row],
        reads.dx_2[row],
        reads.dy_2[row],
        reads.dx_3[row],
        reads.dy_3[row],
    )


@kernel
def lines_from(
    first: int, total: int, executed: Executed, reads: Reads, textures: Textures, operation: Any, line: Any, place: Any
) -> Any:
    """Fill operations and lines, from quad `first` on, until the lines are full; `total` exist before.

    Returns
    -------
    tuple of int
        The first quad that did not fit, and the lines of those before it.
    """
    path, pcs, bindings = executed.path, executed.pcs, textures.binding
    for q in range(first, len(path)):
        if path[q] < 0:
            continue
        row, last = executed.first_read[executed.order[q]], executed.first_read[executed.order[q] + 1]
        begin, end = executed.first_texture[path[q]], executed.last_texture[path[q]]
        # One more than they can be: `with_line` writes before it knows whether a line is new.
        if total + (end - begin) * MAX_LINES >= len(line):
            return q, total
        for k in range(end - begin):
            count, probes = 0, 0
            lines, box = OperationLines(line, place, total), Box(np.int64(NO_BOX), np.int64(0), np.int64(0))
            while row < last and reads.pc[row] == pcs[begin + k]:
                read = read_at(reads, row)
                if probes and not continues(
                    read.probe,
                    read.level,
                    read.layer,
                    reads.probe[row - 1],
                    reads.level[row - 1],
                    reads.layer[row - 1],
                ):
                    break
                if read.sampler < bindings.shape[1]:
                    binding = bindings[executed.draw[q], read.sampler]
                    if binding.first_level >= 0:
                        grid = textures.grid[binding.first_level + min(int(read.level), binding.levels - 1)]
                        count, box = lines_of_read(read, binding, textures, grid, lines, count, box)
                probes += 1
                row += 1
            out = operation[executed.operation[q] + k]
            out.first_line = total
            out.lines = count
            out.probes = probes
            total += count
    return len(path), total


def texture_lines(executed: Executed, reads: Reads, textures: Textures, operation: Array) -> Array:
    """Match the texture instructions that each quad executes with its reads, and find their lines.

    Parameters
    ----------
    operation
        Table of operations, to fill.

    Returns
    -------
    numpy.ndarray
        int64: lines of all operations.
    """
    most = int((executed.last_texture - executed.first_texture).max(initial=0)) * MAX_LINES
    line, place = np.empty(len(reads.pc) + most + 1, np.int64), np.full(PLACES, -1, np.int32)
    quad = total = 0
    while True:
        quad, total = lines_from(quad, total, executed, reads, textures, operation, line, place)
        if quad == len(executed.path):
            return line[:total].copy()
        line = np.concatenate([line, np.empty(max(most, len(line)), np.int64)])
