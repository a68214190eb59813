"""Addresses of a quad, one after the other: lines of its known texture operations, then pixels that it loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.jit import inline, unit
from ...memory.request import COLOR
from ...units.frame_buffer import line_of_pixel, lines_of_quad
from .tables import MAX_OPERATIONS

if TYPE_CHECKING:
    from ...engine.frame import Quad, Surfaces, Texturing
    from ...memory.gpu import Gpu
    from .state import PrefetchQueue


NO_MORE = -1


@unit
def next_texel_line(queue: PrefetchQueue, paths: Any, quad: Quad, texturing: Texturing) -> int:
    """Address of the next line of texels, or NO_MORE."""
    while queue.operation < paths.operations:
        n = queue.operation
        row = texturing.operation[quad.operation + n]
        if n < MAX_OPERATIONS and paths.independent >> n & 1 != 0 and queue.line < row.lines:
            if queue.line == 0:
                queue.known_operations += 1
            queue.line += 1
            return int(texturing.line[row.first_line + queue.line - 1])
        if n >= MAX_OPERATIONS or paths.independent >> n & 1 == 0:
            queue.lost_operations += 1
        queue.operation += 1
        queue.line = 0
    return NO_MORE


@unit
def next_pixel_line(gpu: Gpu, queue: PrefetchQueue, surfaces: Surfaces, tile: int, quad: Quad) -> int:
    """Address of the next line of pixels that is not new, or NO_MORE."""
    row = surfaces.render_pass[tile]
    n = 0
    for i in range(row.first_target, row.last_target):
        target = surfaces.target[i]
        if target.source != COLOR:
            continue
        across = 1 if target.across_bits > 0 else 2
        for k in range(lines_of_quad(target)):
            n += 1
            x, y = quad.x * 2 + k % across, quad.y * 2 + k // across
            if n <= queue.pixel or x >= row.width or y >= row.height:
                continue
            line = line_of_pixel(target, x, y)
            if surfaces.touched[target.first_line + line] != 0:
                queue.pixel = n
                return int(target.address + line * gpu.line_bytes)
    queue.pixel = n
    return NO_MORE


@inline
def begin(queue: PrefetchQueue) -> None:
    """The addresses of another quad come next."""
    queue.operation = 0
    queue.line = 0
    queue.pixel = 0
