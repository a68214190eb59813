"""Geometry as the kernels of fragments take it from Python: by address."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.compiled import helper, kernel
from ...execute.native_calls import pointer
from ..fragments.rasterization import Drawn, unsnapped_corners
from ..geometry.set_up import Geometry
from .batch_state import Block, Surface, carray


class GeometryField(IntEnum):
    """Geometry of a draw and instance, int64 each; what is named after an array is its address, see `Geometry`.

    ``SIZE`` is corners of a primitive, ``SNAPPED`` whether triangles are taken with subpixel bits; there are
    ``VERTICES`` and ``PRIMITIVES``, and vertices have ``COMPONENTS`` of varyings. ``WINDOW_X`` and ``WINDOW_Y`` are
    `unsnapped_corners`. ``BOX`` is what may be covered.
    """

    SIZE = 0
    SNAPPED = auto()
    VERTICES = auto()
    PRIMITIVES = auto()
    COMPONENTS = auto()
    X = auto()
    Y = auto()
    WINDOW_X = auto()
    WINDOW_Y = auto()
    EXTENT = auto()
    CULLED = auto()
    BOX = auto()
    CORNERS = auto()
    WINDOW = auto()
    OUTPUTS = auto()
    PLANES = auto()
    FRONT = auto()


_F = GeometryField
_FIELDS = len(GeometryField)


def geometry_block(geometry: Geometry, snap: bool, box: NDArray[np.int64], culled: NDArray[np.int8]) -> Block:
    """Geometry as kernels take it, as in `GeometryField`, but for what is culled; see `Drawn`."""
    fields = np.empty(_FIELDS, np.int64)
    window_x, window_y = unsnapped_corners(geometry, snap)
    arrays = (
        geometry.x,
        geometry.y,
        window_x,
        window_y,
        geometry.extent,
        culled,
        box,
        geometry.corners,
        geometry.window,
        geometry.outputs,
        geometry.planes,
        geometry.front,
    )
    describe(fields, geometry.size, snap, arrays)
    return Block(fields, arrays)


@kernel
def describe(fields: Any, size: Any, snapped: Any, arrays: Any) -> None:
    """Fill a block; the arrays are in the order of their addresses."""
    x, y, window_x, window_y, extent, culled, box, corners, window, outputs, planes, front = arrays
    fields[_F.SIZE], fields[_F.SNAPPED] = size, snapped
    fields[_F.VERTICES], fields[_F.PRIMITIVES] = len(window), len(culled)
    fields[_F.COMPONENTS] = outputs.shape[1]
    fields[_F.X], fields[_F.Y] = x.ctypes.data, y.ctypes.data
    fields[_F.WINDOW_X], fields[_F.WINDOW_Y] = window_x.ctypes.data, window_y.ctypes.data
    fields[_F.EXTENT], fields[_F.CULLED], fields[_F.BOX] = extent.ctypes.data, culled.ctypes.data, box.ctypes.data
    fields[_F.CORNERS], fields[_F.WINDOW] = corners.ctypes.data, window.ctypes.data
    fields[_F.OUTPUTS], fields[_F.PLANES] = outputs.ctypes.data, planes.ctypes.data
    fields[_F.FRONT] = front.ctypes.data


@helper
def drawn_of(fields: Any) -> Any:
    """Primitives to rasterize."""
    primitives, snapped = fields[_F.PRIMITIVES], fields[_F.SNAPPED] != 0
    corners, unsnapped = (primitives, 3), (0 if snapped else primitives, 3)
    return Drawn(
        fields[_F.SIZE],
        snapped,
        carray(pointer(fields[_F.X]), corners, np.int64),
        carray(pointer(fields[_F.Y]), corners, np.int64),
        carray(pointer(fields[_F.WINDOW_X]), unsnapped, np.float32),
        carray(pointer(fields[_F.WINDOW_Y]), unsnapped, np.float32),
        carray(pointer(fields[_F.EXTENT]), primitives, np.float32),
        carray(pointer(fields[_F.CULLED]), primitives, np.int8),
        carray(pointer(fields[_F.BOX]), 4, np.int64),
    )


@helper
def surface_of(fields: Any) -> Any:
    """Primitives to shade."""
    primitives, vertices = fields[_F.PRIMITIVES], fields[_F.VERTICES]
    return Surface(
        carray(pointer(fields[_F.CORNERS]), (primitives, 3), np.int32),
        carray(pointer(fields[_F.WINDOW]), (vertices, 4), np.float32),
        carray(pointer(fields[_F.OUTPUTS]), (vertices, fields[_F.COMPONENTS]), np.float32),
        carray(pointer(fields[_F.PLANES]), (primitives, 3), np.float64),
        carray(pointer(fields[_F.FRONT]), primitives, np.bool_),
        carray(pointer(fields[_F.EXTENT]), primitives, np.float32),
    )
