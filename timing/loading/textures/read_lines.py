"""Kernels from a texture read of a quad to its cache lines."""

from __future__ import annotations

from typing import Any, NamedTuple

from tilegpu.functional.activity.kernels.wrapping import CLAMP_TO_EDGE, wrapped
from tilegpu.functional.compile import inlined

from .grids import Textures
from .texels import across_faces, column_of, even_offset, kept_bits, row_of

MAX_LINES = 1024
"""Distinct lines of one operation that are distinguished."""
NO_BOX = -1
"""Base of a box of no lines."""
PLACES = 2048
"""Entries of the table that finds the lines of an operation; more than `MAX_LINES`, so that some are always free."""


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


class OperationLines(NamedTuple):
    """Lines of an operation, found so far.

    `line`: int64, with room for `MAX_LINES` from `first`, where the operation's lines begin. `place`: int32,
    (PLACES,): where a line was put last, by its number modulo PLACES; stale places do no harm.
    """

    line: Any
    place: Any
    first: Any


class Box(NamedTuple):
    """One or two columns by one or two rows of lines: the address of the layer; number of the first and one if there is
    a second, as 2 * first + second."""

    base: Any
    columns: Any
    rows: Any


class Extent(NamedTuple):
    """Texels of all lanes of a read before wrapping, ends included; the bits that wrapping leaves of them.

    `even`: lines hold rectangles of texels, and wrapping does no more than to mask bits; else the masks mean nothing.
    """

    left: Any
    right: Any
    bottom: Any
    top: Any
    column_mask: Any
    row_mask: Any
    even: Any


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
def wraps(binding: Any, grid: Any) -> tuple[int, int]:
    """Wrapping of a texture; cube maps fold where others wrap."""
    return (CLAMP_TO_EDGE, CLAMP_TO_EDGE) if grid.cube else (binding.wrap_s, binding.wrap_t)


@inlined
def layer_of(read: Reads, grid: Any) -> int:
    """Layer or face of a read; a slice of a volume, still to be wrapped."""
    return int(read.layer) if grid.volume else min(max(int(read.layer), 0), grid.layers - 1)


@inlined
def extent_of(read: Reads, binding: Any, grid: Any) -> Extent:
    """Places of a read's lanes."""
    wrap_s, wrap_t = wraps(binding, grid)
    left, right = read.x + min(read.dx_1, read.dx_2, read.dx_3, 0), read.x + max(read.dx_1, read.dx_2, read.dx_3, 0)
    bottom, top = read.y + min(read.dy_1, read.dy_2, read.dy_3, 0), read.y + max(read.dy_1, read.dy_2, read.dy_3, 0)
    right, top = right + read.linear, top + read.linear
    column_mask, row_mask = kept_bits(left, right, grid.width, wrap_s), kept_bits(bottom, top, grid.height, wrap_t)
    even = grid.even != 0 and column_mask != 0 and row_mask != 0
    return Extent(left, right, bottom, top, column_mask, row_mask, even)


@inlined
def column_line(x: int, grid: Any) -> int:
    """Contribution of a wrapped column of texels to the address of its line, in an `even` grid."""
    return even_offset(x, grid.across, grid.across_step, grid.inner_across, grid.line_bits)


@inlined
def row_line(y: int, grid: Any) -> int:
    """Contribution of a wrapped row of texels to the address of its line, in an `even` grid."""
    return even_offset(y, grid.down, grid.down_step, grid.inner_down, grid.inner_bits)


@inlined
def with_line(lines: OperationLines, count: int, line: int) -> int:
    """Lines of the operation once `line` is among them."""
    slot, end = line >> 6 & PLACES - 1, lines.first + count
    place = lines.place[slot]
    while place >= lines.first and lines.line[place] != line:
        slot = slot + 1 & PLACES - 1
        place = lines.place[slot]
    # Whether a line is new cannot be predicted; what is written for one that is not is never read.
    new = (place < lines.first) & (count < MAX_LINES)
    lines.line[end] = line
    lines.place[slot] = end if new else place
    return int(count + new)


@inlined
def lines_of_box(
    read: Reads, lanes: int, grid: Any, box: Box, extent: Extent, lines: OperationLines, count: int
) -> int:
    """Add the lines of a read whose lanes lie in a box, in the lanes' order; below 0 if these are not all of the box.

    Bit `column + 2 * row` of a mask represents a line.
    """
    linear, column, row = int(read.linear), box.columns >> 1, box.rows >> 1
    left = column_line(extent.left & extent.column_mask, grid)
    right = column_line(extent.right & extent.column_mask, grid)
    bottom, top = row_line(extent.bottom & extent.row_mask, grid), row_line(extent.top & extent.row_mask, grid)
    columns = 1 | (box.columns & 1) << 1
    every, seen = columns | columns << 2 * (box.rows & 1), 0
    for lane in range(4):
        if seen == every:
            break
        if lanes >> lane & 1:
            dx, dy = lane_offset(read, lane)
            x, y = read.x + dx, read.y + dy
            columns = 1 << (x >> grid.inner_across) - column | 1 << (x + linear >> grid.inner_across) - column
            touched = columns << 2 * ((y >> grid.inner_down) - row)
            touched |= columns << 2 * ((y + linear >> grid.inner_down) - row)
            new = touched & ~seen
            seen |= touched
            for corner in range(4):
                if new >> corner & 1:
                    line = box.base + (right if corner & 1 else left) + (top if corner & 2 else bottom)
                    count = with_line(lines, count, line)
    return count if seen == every else ~count


@inlined
def lines_of_masked_lanes(
    read: Reads, lanes: int, grid: Any, base: int, extent: Extent, lines: OperationLines, count: int
) -> int:
    """Add the lines of a read lane by lane, where wrapping only masks bits."""
    linear = int(read.linear)
    for lane in range(4):
        if lanes >> lane & 1:
            dx, dy = lane_offset(read, lane)
            x, y = read.x + dx, read.y + dy
            left = base + column_line(x & extent.column_mask, grid)
            right = base + column_line(x + linear & extent.column_mask, grid)
            bottom, top = row_line(y & extent.row_mask, grid), row_line(y + linear & extent.row_mask, grid)
            count = with_line(lines, count, left + bottom)
            if right != left:
                count = with_line(lines, count, right + bottom)
            if top != bottom:
                count = with_line(lines, count, left + top)
                if right != left:
                    count = with_line(lines, count, right + top)
    return count


@inlined
def lines_of_lanes(
    read: Reads, lanes: int, binding: Any, textures: Textures, grid: Any, lines: OperationLines, count: int
) -> int:
    """Add the lines of a read lane by lane, wherever they lie."""
    linear, layer = int(read.linear), layer_of(read, grid)
    wrap_s, wrap_t = wraps(binding, grid)
    layout, line_bytes = textures.layout, textures.line_bytes
    for lane in range(4):
        if lanes >> lane & 1 == 0:
            continue
        dx, dy = lane_offset(read, lane)
        x, y = read.x + dx, read.y + dy
        folded = grid.cube and (x < 0 or y < 0 or x + linear >= grid.width or y + linear >= grid.height)
        for s in range(1 + linear if grid.volume else 1):
            z = wrapped(layer + s, max(1, grid.depth), binding.wrap_r) if grid.volume else layer
            base = grid.address + z * grid.layer_bytes
            for v in range(1 + linear):
                for u in range(1 + linear):
                    if folded:
                        line = across_faces(layer, x + u, y + v, grid, layout)
                    else:
                        line = base + column_of(x + u, grid, wrap_s, layout) + row_of(y + v, grid, wrap_t, layout)
                    if line >= 0:
                        count = with_line(lines, count, line & -line_bytes)
    return count


@inlined
def lines_of_read(
    read: Reads, binding: Any, textures: Textures, grid: Any, lines: OperationLines, count: int, last: Box
) -> tuple[int, Box]:
    """Add the lines of one read of a quad, the texels of all reading lanes.

    Parameters
    ----------
    read, binding, grid
        One of each.
    count
        Lines of the operation so far.
    last
        Box of lines that are all among them: that of the last probe, mostly, in which the next one lies, too.

    Returns
    -------
    tuple of int and Box
        Lines of the operation, each of them once; a box of lines that are all among them.
    """
    if grid.width == 0 or grid.height == 0:
        return count, last
    extent = extent_of(read, binding, grid)
    column, row = extent.left >> grid.inner_across, extent.bottom >> grid.inner_down
    wide, tall = (extent.right >> grid.inner_across) - column, (extent.top >> grid.inner_down) - row
    lanes = (read.lanes | read.lanes >> 4) & 15
    base = grid.address + layer_of(read, grid) * grid.layer_bytes
    if not extent.even:
        return lines_of_lanes(read, lanes, binding, textures, grid, lines, count), last
    if wide > 1 or tall > 1:
        return lines_of_masked_lanes(read, lanes, grid, base, extent, lines, count), last
    box = Box(base, 2 * column + wide, 2 * row + tall)
    if box.base == last.base and box.columns == last.columns and box.rows == last.rows:
        return count, last
    count = lines_of_box(read, lanes, grid, box, extent, lines, count)
    return (count, box) if count >= 0 else (~count, last)
