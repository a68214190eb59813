"""Rasterization: covered quads of a draw's primitives, in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.coverage import cover
from .command import DrawCommand
from .geometry import Geometry
from .setup_kernels import CULLED_EMPTY, NOT_CULLED

_NOWHERE = np.zeros((0, 3), np.float32)


@dataclass(frozen=True)
class Quads:
    """Covered quads in drawing order: int32 primitive of the draw, uint16 x, y and coverage, each (n,)."""

    primitive: NDArray[np.int32]
    x: NDArray[np.uint16]
    y: NDArray[np.uint16]
    coverage: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.primitive)

    def take(self, which: NDArray[np.int64]) -> Quads:
        """Some of the quads, by position."""
        return Quads(self.primitive[which], self.x[which], self.y[which], self.coverage[which])


def rasterize(draw: DrawCommand, geometry: Geometry, snap: bool) -> Iterator[Quads]:
    """Quads of all primitives that are not culled.

    Primitives that turn out to cover nothing are marked in `geometry.culled` as they are met. A batch holds whole
    primitives, and never more quads than a full framebuffer has.

    Parameters
    ----------
    draw
        The draw.
    geometry
        Its primitives.
    snap
        Whether triangles are taken with 8 subpixel bits or as they are.
    """
    width, height = draw.target.width, draw.target.height
    box = np.array(draw.scissor, np.int64)
    # Unsnapped triangles keep the row order of memory, where the reference walks them.
    flip = height if draw.target.flipped else 0
    window_x = window_y = _NOWHERE
    if not snap:
        window_x, window_y = geometry.window[geometry.corners, 0], geometry.memory_y[geometry.corners]
    left, right = np.zeros(height + 2, np.int32), np.zeros(height + 2, np.int32)
    capacity = (width // 2 + 3) * (height // 2 + 3) + 64
    start, total = 0, len(geometry.corners)
    drawn = geometry.culled == NOT_CULLED
    covered = np.zeros(total, np.bool_)
    while start < total:
        out: tuple[NDArray[Any], ...] = (
            np.empty(capacity, np.int32),
            *(np.empty(capacity, np.uint16) for _ in range(3)),
        )
        start, count = cover(
            start,
            geometry.size,
            geometry.x,
            geometry.y,
            window_x,
            window_y,
            geometry.extent,
            drawn,
            box,
            flip,
            snap,
            left,
            right,
            out,
        )
        if count:
            primitive, x, y, coverage = (column[:count] for column in out)
            covered[primitive] = True
            yield Quads(primitive, x, y, coverage)
    geometry.culled[drawn & ~covered] = CULLED_EMPTY
