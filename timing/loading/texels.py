"""Kernels from texture reads to cache lines: wrapping, filtering footprints, addresses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.functional.activity.kernels.cube import face_texel

from ..memory import texture_layout
from .compiled import helper, kernel

block_offset = helper(texture_layout.block_offset)
MOST_LINES = 1024
"""Distinct lines of one operation that are told apart."""

PC, SAMPLER, PROBE, LINEAR, LEVEL, LAYER, LANES, X, Y, DX = range(10)


@helper
def wrap(x: int, size: int, mode: int) -> int:
    """Texel that a coordinate stands for (OpenGL ES 3.0, 3.8.10): repeat, clamp to edge, mirrored repeat."""
    if mode == 0:
        return x % size
    if mode == 2:
        folded = x % (2 * size)
        return folded if folded < size else 2 * size - 1 - folded
    return min(max(x, 0), size - 1)


@helper
def add_line(address: int, line_bytes: int, lines: Any, count: int) -> int:
    line = address // line_bytes * line_bytes
    for i in range(count):
        if lines[i] == line:
            return count
    if count < len(lines):
        lines[count] = line
        count += 1
    return count


@helper
def texel_address(
    x: int, y: int, layer: int, binding: Any, surface: Any, level: Any, layout: int, line_bytes: int
) -> int:
    """Address of the block that holds a texel, which may lie outside of the level; -1 where there is none."""
    face = layer
    if surface.cube:
        face, x, y = face_texel(layer, x, y, level.width)
        if face < 0:
            return -1
    block_x = wrap(x, level.width, binding.wrap_s) // surface.block_width
    block_y = wrap(y, level.height, binding.wrap_t) // surface.block_height
    width = (level.width + surface.block_width - 1) // surface.block_width
    offset = block_offset(
        layout, block_x, block_y, width, surface.stored, line_bytes, surface.across_bits, surface.down_bits
    )
    return int(level.address + face * level.layer_bytes + offset)


@helper
def lines_of_read(
    row: int, reads: Any, binding: Any, surfaces: Any, levels: Any, layout: int, line_bytes: int, lines: Any, count: int
) -> int:
    """Add the lines of one read of a quad: the texels of all reading lanes."""
    if binding.surface < 0:
        return count
    surface = surfaces[binding.surface]
    level = levels[surface.first_level + min(max(reads[LEVEL][row], 0), surface.levels - 1)]
    if level.width == 0 or level.height == 0:
        return count
    linear = reads[LINEAR][row]
    slices = 1 + (linear if surface.volume else 0)
    mask = (reads[LANES][row] | reads[LANES][row] >> 4) & 15
    for lane in range(4):
        if mask >> lane & 1 == 0:
            continue
        x, y = reads[X][row], reads[Y][row]
        if lane:
            x += reads[DX + 2 * (lane - 1)][row]
            y += reads[DX + 2 * (lane - 1) + 1][row]
        for s in range(slices):
            layer = int(reads[LAYER][row]) + s
            layer = (
                wrap(layer, max(1, level.depth), binding.wrap_r)
                if surface.volume
                else min(max(layer, 0), surface.layers - 1)
            )
            for v in range(1 + linear):
                for u in range(1 + linear):
                    address = texel_address(int(x) + u, int(y) + v, layer, binding, surface, level, layout, line_bytes)
                    if address >= 0:
                        count = add_line(address, line_bytes, lines, count)
    return count


@helper
def same_operation(reads: Any, row: int) -> bool:
    """Whether a read belongs to the operation of the read before it: the same instruction, a later probe,
    level or layer."""
    if reads[PC][row] != reads[PC][row - 1]:
        return False
    for column in (PROBE, LEVEL, LAYER):
        if reads[column][row] != reads[column][row - 1]:
            return bool(reads[column][row] > reads[column][row - 1])
    return False


@kernel
def texture_lines(
    path: Any,
    first_operation: Any,
    draw: Any,
    order: Any,
    first_read: Any,
    texture_of_path: Any,
    pcs: Any,
    reads: Any,
    bindings: Any,
    surfaces: Any,
    levels: Any,
    layout: int,
    line_bytes: int,
    operation: Any,
    line: Any,
    fill: bool,
) -> int:
    """Match the texture instructions that each quad executes with its reads, and find their lines.

    Called twice: to count, then with `fill` to write `line`.

    Returns
    -------
    int
        Number of lines of all operations.
    """
    total = 0
    lines = np.empty(MOST_LINES, np.int64)
    for q in range(len(path)):
        if path[q] < 0:
            continue
        row, last = first_read[order[q]], first_read[order[q] + 1]
        for k in range(texture_of_path[path[q] + 1] - texture_of_path[path[q]]):
            out = operation[first_operation[q] + k]
            count, probes = 0, 0
            begun = False
            while (
                row < last
                and reads[PC][row] == pcs[texture_of_path[path[q]] + k]
                and (not begun or same_operation(reads, row))
            ):
                begun = True
                sampler = reads[SAMPLER][row]
                if sampler < bindings.shape[1]:
                    count = lines_of_read(
                        row, reads, bindings[draw[q], sampler], surfaces, levels, layout, line_bytes, lines, count
                    )
                probes += 1
                row += 1
            out.first_line = total
            out.lines = count
            out.probes = probes
            if fill:
                for i in range(count):
                    line[total + i] = lines[i]
            total += count
    return total
