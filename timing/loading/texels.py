"""Kernels from texture reads to cache lines: wrapping, filtering footprints, addresses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.functional.activity.compiled import inlined
from tilegpu.functional.activity.kernels.cube import face_texel

from ..memory.texture_layout import column_offset, row_offset
from .compiled import helper, kernel
from .grids import CLAMP, MIRRORED, REPEAT, Textures

MOST_LINES = 1024
"""Distinct lines of one operation that are told apart."""
PLACES = 2048
"""Entries of the table that finds the lines of an operation; more than `MOST_LINES`, so that some are always free."""


NOWHERE = -(1 << 40)
"""Below every line of memory."""


class Reads(NamedTuple):
    """Texture reads: columns of shape (reads,), or the values of one of them."""

    pc: Any
    sampler: Any
    probe: Any
    linear: Any
    level: Any
    layer: Any
    lanes: Any
    x: Any
    y: Any
    dx_1: Any
    dy_1: Any
    dx_2: Any
    dy_2: Any
    dx_3: Any
    dy_3: Any


@inlined
def wrap(x: int, size: int, mode: int) -> int:
    """Texel that a coordinate stands for (OpenGL ES 3.0, 3.8.10): repeat, clamp to edge, mirrored repeat."""
    if mode == REPEAT:
        return x & size - 1 if size & size - 1 == 0 else x % size
    if mode == MIRRORED:
        folded = x % (2 * size)
        return folded if folded < size else 2 * size - 1 - folded
    return min(max(x, 0), size - 1)


@inlined
def column_of(x: int, grid: Any, wrapping: int, layout: int) -> int:
    """Bytes that the column of a texel adds to its address."""
    block = wrap(x, grid.width, wrapping)
    if grid.block_width != 1:
        block //= grid.block_width
    return column_offset(layout, block, grid.stored, grid.across_bits, grid.down_bits)


@inlined
def row_of(y: int, grid: Any, wrapping: int, layout: int) -> int:
    """Bytes that the row of a texel adds to its address."""
    block = wrap(y, grid.height, wrapping)
    if grid.block_height != 1:
        block //= grid.block_height
    return row_offset(layout, block, grid.pitch, grid.stored, grid.across_bits, grid.down_bits)


@helper
def across_faces(face: int, x: int, y: int, grid: Any, layout: int) -> int:
    """Address of a texel of a cube map that may lie beyond a face's edge; below 0 beyond a corner: there is none."""
    face, x, y = face_texel(face, x, y, grid.width)
    if face < 0:
        return NOWHERE
    return int(
        grid.address + face * grid.layer_bytes + column_of(x, grid, CLAMP, layout) + row_of(y, grid, CLAMP, layout)
    )


@inlined
def lane_offset(read: Reads, lane: int) -> tuple[int, int]:
    """Base texel of a lane, less that of the first reading lane."""
    if lane == 0:
        return 0, 0
    if lane == 1:
        return int(read.dx_1), int(read.dy_1)
    if lane == 2:
        return int(read.dx_2), int(read.dy_2)
    return int(read.dx_3), int(read.dy_3)


@inlined
def kept_bits(x: int, dx_1: int, dx_2: int, dx_3: int, linear: int, size: int, mode: int) -> int:
    """Bits of the lanes' coordinates that are left where wrapping does no more than that; 0 where it does."""
    if mode == REPEAT and size & size - 1 == 0:
        return size - 1
    low, high = min(dx_1, dx_2, dx_3, 0), max(dx_1, dx_2, dx_3, 0)
    return -1 if x + low >= 0 and x + high + linear < size else 0


@inlined
def even_offset(x: int, across: int, step: int, inner: int, line_bits: int) -> int:
    """What a column (or row) of texels adds to the address of its line; `across` and `inner` are log2 of texels."""
    return (x >> across) * step + ((x & (1 << across) - 1) >> inner << line_bits)


@inlined
def lines_of_read(
    read: Reads, binding: Any, grid: Any, layout: int, line_bytes: int, lines: Any, first: int, count: int, place: Any
) -> int:
    """Add the lines of one read of a quad, the texels of all reading lanes, to the `count` from `first` on.

    Parameters
    ----------
    read, binding, grid
        One of each.
    lines
        int64, with room for `MOST_LINES` from `first` on.
    place
        int64, (PLACES,): where a line was put last, by its number modulo PLACES; stale places do no harm.

    Returns
    -------
    int
        Lines from `first` on, each of them once.
    """
    if grid.width == 0 or grid.height == 0:
        return count
    linear, layer = int(read.linear), int(read.layer)
    if not grid.volume:
        layer = min(max(layer, 0), grid.layers - 1)
    slices = 1 + (linear if grid.volume else 0)
    mask = (read.lanes | read.lanes >> 4) & 15
    # Cube maps fold where others wrap.
    wrap_s, wrap_t = (CLAMP, CLAMP) if grid.cube else (binding.wrap_s, binding.wrap_t)
    column_mask = kept_bits(read.x, read.dx_1, read.dx_2, read.dx_3, linear, grid.width, wrap_s)
    row_mask = kept_bits(read.y, read.dy_1, read.dy_2, read.dy_3, linear, grid.height, wrap_t)
    even = grid.even and column_mask and row_mask
    last_left = last_right = last_bottom = last_top = -1
    for lane in range(4):
        if mask >> lane & 1 == 0:
            continue
        dx, dy = lane_offset(read, lane)
        x, y = read.x + dx, read.y + dy
        folded = False
        if even:
            left = even_offset(x & column_mask, grid.across, grid.across_step, grid.inner_across, grid.line_bits)
            right = even_offset(
                x + linear & column_mask, grid.across, grid.across_step, grid.inner_across, grid.line_bits
            )
            bottom = even_offset(y & row_mask, grid.down, grid.down_step, grid.inner_down, grid.inner_bits)
            top = even_offset(y + linear & row_mask, grid.down, grid.down_step, grid.inner_down, grid.inner_bits)
        else:
            folded = grid.cube and (x < 0 or y < 0 or x + linear >= grid.width or y + linear >= grid.height)
            left = column_of(x, grid, wrap_s, layout) & -line_bytes
            right = column_of(x + linear, grid, wrap_s, layout) & -line_bytes
            bottom = row_of(y, grid, wrap_t, layout) & -line_bytes
            top = row_of(y + linear, grid, wrap_t, layout) & -line_bytes
        # Lanes of a quad mostly share their lines; those across faces are not told by left, right, bottom and top.
        if left == last_left and right == last_right and bottom == last_bottom and top == last_top and not folded:
            continue
        last_left, last_right, last_bottom, last_top = -1 if folded else left, right, bottom, top
        across, down = 1 + (linear if folded else right != left), 1 + (linear if folded else top != bottom)
        for s in range(slices):
            z = wrap(layer + s, max(1, grid.depth), binding.wrap_r) if grid.volume else layer
            base = grid.address + z * grid.layer_bytes
            for v in range(down):
                for u in range(across):
                    line = base + (right if u else left) + (top if v else bottom)
                    if folded:
                        line = across_faces(layer, x + u, y + v, grid, layout) & -line_bytes
                        if line < 0:
                            continue
                    slot = line >> 6 & PLACES - 1
                    while place[slot] >= first and lines[place[slot]] != line:
                        slot = slot + 1 & PLACES - 1
                    if place[slot] < first and count < MOST_LINES:
                        lines[first + count] = line
                        place[slot] = first + count
                        count += 1
    return count


@inlined
def continues(probe: int, level: int, layer: int, last_probe: int, last_level: int, last_layer: int) -> bool:
    """Whether a read of an instruction belongs to the operation of the one before it: a later probe, level or layer."""
    if probe != last_probe:
        return probe > last_probe
    if level != last_level:
        return level > last_level
    return layer > last_layer


@helper
def grown(lines: Any, most: int) -> Any:
    """A copy with room for at least `most` lines."""
    larger = np.empty(max(most, 2 * len(lines)), np.int64)
    larger[: len(lines)] = lines
    return larger


@kernel
def texture_lines(
    path: Any,
    first_operation: Any,
    draw: Any,
    order: Any,
    first_read: Any,
    texture_of_path: Any,
    pcs: Any,
    reads: Reads,
    textures: Textures,
    operation: Any,
) -> Any:
    """Match the texture instructions that each quad executes with its reads, and find their lines.

    Parameters
    ----------
    path, first_operation, draw
        int64, (quads,): path of each quad or -1, the first row of its operations, the row of its draw.
    order
        int64, (quads,): row of each quad in the activity.
    first_read
        int64: for each row of the activity's quads, where its reads begin; one more at the end.
    texture_of_path
        int64, (paths + 1,): where the texture instructions of each path begin in `pcs`.
    operation
        Table of operations, to fill.

    Returns
    -------
    numpy.ndarray
        int64: lines of all operations.
    """
    total = 0
    bindings, grids, layout, line_bytes = textures
    pc, sampler, probe, linear, level, layer, lanes, x, y, dx_1, dy_1, dx_2, dy_2, dx_3, dy_3 = reads
    place = np.full(PLACES, -1, np.int32)
    line = np.empty(len(pc) + MOST_LINES, np.int64)
    for q in range(len(path)):
        if path[q] < 0:
            continue
        row, last = first_read[order[q]], first_read[order[q] + 1]
        for k in range(texture_of_path[path[q] + 1] - texture_of_path[path[q]]):
            if total + MOST_LINES > len(line):
                line = grown(line, total + MOST_LINES)
            count, probes = 0, 0
            instruction = pcs[texture_of_path[path[q]] + k]
            while row < last and pc[row] == instruction:
                if probes and not continues(
                    probe[row], level[row], layer[row], probe[row - 1], level[row - 1], layer[row - 1]
                ):
                    break
                if sampler[row] < bindings.shape[1]:
                    read = Reads(
                        pc[row],
                        sampler[row],
                        probe[row],
                        linear[row],
                        level[row],
                        layer[row],
                        lanes[row],
                        x[row],
                        y[row],
                        dx_1[row],
                        dy_1[row],
                        dx_2[row],
                        dy_2[row],
                        dx_3[row],
                        dy_3[row],
                    )
                    binding = bindings[draw[q], read.sampler]
                    if binding.first_level >= 0:
                        grid = grids[binding.first_level + min(int(read.level), binding.levels - 1)]
                        count = lines_of_read(read, binding, grid, layout, line_bytes, line, total, count, place)
                probes += 1
                row += 1
            out = operation[first_operation[q] + k]
            out.first_line = total
            out.lines = count
            out.probes = probes
            total += count
    return line[:total].copy()
