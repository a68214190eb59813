"""Rasterization: covered quads of a draw's primitives, in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.coverage import Shapes, cover
from ...compile import kernel
from ...compile.blocks import Halves, Integers
from ..command import DrawCommand
from ..geometry.set_up import Geometry
from ..geometry.setup_kernels import CULLED_EMPTY, NOT_CULLED

_NOWHERE = np.zeros((0, 3), np.float32)
_MAX_KEPT = 1 << 21
"""Number of quads above which memory is not kept from draw to draw."""


class Quads(NamedTuple):
    """Covered quads in drawing order, for kernels too: int32 primitive of the draw, uint16 x, y and coverage, each
    (n,)."""

    primitive: Integers
    x: Halves
    y: Halves
    coverage: Halves

    @property
    def number(self) -> int:
        """Number of quads."""
        return len(self.primitive)

    def take(self, which: NDArray[np.int64] | slice) -> Quads:
        """The quads at some positions."""
        return Quads(self.primitive[which], self.x[which], self.y[which], self.coverage[which])


Memory = tuple[NDArray[np.int32], NDArray[np.int32], Quads]
"""Left and right ends of the rows of a framebuffer, and arrays for primitive, x, y and coverage of quads."""


def memory_of(width: int, height: int) -> Memory:
    """Memory for a batch: all quads of a framebuffer, with a reserve for the upper bounds of single primitives."""
    quads = (width // 2 + 3) * (height // 2 + 3) + 64
    out = Quads(np.empty(quads, np.int32), *(np.empty(quads, np.uint16) for _ in range(3)))
    return np.zeros(height + 2, np.int32), np.zeros(height + 2, np.int32), out


class Scratch:
    """Memory of rasterization, kept from draw to draw."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], Memory] = {}

    def of(self, *size: int) -> Memory:
        """Memory for the width and height of a framebuffer."""
        memory = self._kept.get(size) or memory_of(*size)
        self._kept = {size: memory} if memory[-1].number <= _MAX_KEPT else {}
        return memory


class RasterInput(NamedTuple):
    """Primitives to rasterize, as kernels take them: `Shapes` from arrays of `Geometry` and `unsnapped_corners`, why
    each is culled, and int64 (4,): x0, y0, x1, y1 that may be covered."""

    shapes: Shapes
    culled: Any
    box: Any


@kernel
def cover_and_mark(
    drawn: RasterInput, start: int, flip_height: int, left: Integers, right: Integers, out: Quads
) -> tuple[int, int]:
    """Quads of as many `RasterInput` primitives as fit, see `cover`; those that cover nothing are marked in
    `culled`."""
    culled, todo = drawn.culled, np.empty(len(drawn.culled), np.bool_)
    for p in range(start, len(culled)):
        todo[p] = culled[p] == NOT_CULLED
    quads = out.primitive, out.x, out.y, out.coverage
    following, count = cover(start, drawn.shapes, todo, drawn.box, flip_height, (left, right), quads)
    for p in range(start, following):
        if culled[p] == NOT_CULLED and not todo[p]:
            culled[p] = CULLED_EMPTY
    return following, count


def unsnapped_corners(geometry: Geometry) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Corners of the primitives in pixels, in memory orientation, (primitives, 3); empty if they are snapped."""
    if geometry.snapped:
        return _NOWHERE, _NOWHERE
    return geometry.window[geometry.corners, 0], geometry.memory_y[geometry.corners]


def rasterize(draw: DrawCommand, geometry: Geometry, scratch: Scratch) -> Iterator[Quads]:
    """Quads of all primitives that are not culled.

    Primitives that turn out to cover nothing are marked in `geometry.culled` on the way. A batch holds whole
    primitives, and never more quads than a full framebuffer has; its arrays are reused for the next one.

    Parameters
    ----------
    draw
        The draw.
    geometry
        Its primitives.
    scratch
        Memory to work in.
    """
    if not geometry.drawn:
        return
    width, height = draw.state.target.width, draw.state.target.height
    # Unsnapped triangles keep the row order of memory, as in the reference.
    flip = height if draw.state.target.flipped else 0
    corners = geometry.x, geometry.y, *unsnapped_corners(geometry)
    shapes = Shapes(geometry.size, geometry.snapped, *corners, geometry.extent)
    drawn = RasterInput(shapes, geometry.culled, draw.raster_state.box)
    left, right, out = scratch.of(width, height)
    start, total = 0, len(geometry.corners)
    while start < total:
        start, count = cover_and_mark(drawn, start, flip, left, right, out)
        if count:
            yield out.take(slice(count))
