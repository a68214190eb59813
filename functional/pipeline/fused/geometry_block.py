"""Geometry as kernels take it from Python: by address."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.compiled import helper, kernel
from ...activity.kernels.coverage import Shapes
from ...execute.native_calls import address, carray, pointer
from ..fragments.rasterization import Drawn, unsnapped_corners
from ..geometry.set_up import Geometry
from ..geometry.setup_kernels import Placed
from .batch_state import Block, Surface


class GeometryField(IntEnum):
    """Geometry of a draw and instance, int64 each; fields named after an array hold its address, see `Geometry`.

    ``SIZE`` is corners of a primitive. There are ``VERTICES``, of which clipping made the last ``MADE``, with
    ``COMPONENTS`` of varyings, and ``PRIMITIVES``. Fields from ``SNAPPED`` on say how they are covered: ``SNAPPED``
    whether triangles have subpixel bits, ``WINDOW_X`` and ``WINDOW_Y`` are `unsnapped_corners`, ``BOX`` holds the
    pixels that may be covered.
    """

    SIZE = 0
    VERTICES = auto()
    MADE = auto()
    COMPONENTS = auto()
    PRIMITIVES = auto()
    CLIP = auto()
    OUTPUTS = auto()
    PARENTS = auto()
    WEIGHT = auto()
    SOURCE = auto()
    WINDOW = auto()
    MEMORY_Y = auto()
    CORNERS = auto()
    X = auto()
    Y = auto()
    PLANES = auto()
    FRONT = auto()
    CULLED = auto()
    EXTENT = auto()
    SNAPPED = auto()
    WINDOW_X = auto()
    WINDOW_Y = auto()
    BOX = auto()


_F = GeometryField
GEOMETRY_FIELDS = len(GeometryField)


class Assembled(NamedTuple):
    """Primitives of some vertices as kernels take them; see `Geometry`."""

    size: Any
    clip: Any
    outputs: Any
    parents: Any
    weight: Any
    source: Any
    placed: Any


def geometry_fields(geometry: Geometry) -> NDArray[np.int64]:
    """Geometry as kernels take it, as in `GeometryField`, without the fields of coverage; built once."""
    if geometry.fields is None:
        geometry.fields = np.zeros(GEOMETRY_FIELDS, np.int64)
        vertices = geometry.clip, geometry.outputs, geometry.parents, geometry.weight, geometry.source
        # Python passes plain tuples in half the time.
        describe(geometry.fields, geometry.size, vertices, tuple(geometry.placed))
    return geometry.fields


def geometry_block(geometry: Geometry, snap: bool, box: NDArray[np.int64]) -> Block:
    """Geometry as kernels take it, as in `GeometryField`; see `Drawn`."""
    known: Block | None = geometry.block
    if known is not None and snap and known.kept[0] is box:
        return known
    fields, corners = geometry_fields(geometry), unsnapped_corners(geometry, snap)
    cover_so(fields, snap, box, *corners)
    made = Block(fields, (box, corners))
    geometry.block = made if snap else None
    return made


def part_of(block: Block, box: NDArray[np.int64], culled: NDArray[np.int8]) -> Block:
    """The same geometry with another box and another array of culled primitives."""
    fields = block.fields.copy()
    fields[_F.BOX], fields[_F.CULLED] = address(box), address(culled)
    return Block(fields, (block, box, culled))


@kernel
def describe(fields: Any, size: Any, vertices: Any, placed: Any) -> None:
    """Fill a block except for the fields of coverage; the arrays are in the order of their addresses."""
    clip, outputs, parents, weight, source = vertices
    describe_placed(fields, size, outputs, placed)
    fields[_F.CLIP], fields[_F.MADE] = clip.ctypes.data, len(weight)
    fields[_F.PARENTS], fields[_F.WEIGHT] = parents.ctypes.data, weight.ctypes.data
    fields[_F.SOURCE] = source.ctypes.data


@helper
def describe_placed(fields: Any, size: Any, outputs: Any, placed: Any) -> None:
    """Fill what `raster` needs of a block; arrays as for `describe`."""
    window, memory_y, corners, x, y, planes, front, culled, extent = placed
    fields[_F.SIZE], fields[_F.VERTICES], fields[_F.PRIMITIVES] = size, len(window), len(culled)
    fields[_F.OUTPUTS], fields[_F.COMPONENTS] = outputs.ctypes.data, outputs.shape[1]
    fields[_F.CORNERS] = corners.ctypes.data
    fields[_F.WINDOW], fields[_F.MEMORY_Y] = window.ctypes.data, memory_y.ctypes.data
    fields[_F.X], fields[_F.Y], fields[_F.PLANES] = x.ctypes.data, y.ctypes.data, planes.ctypes.data
    fields[_F.FRONT], fields[_F.CULLED], fields[_F.EXTENT] = front.ctypes.data, culled.ctypes.data, extent.ctypes.data


@kernel
def cover_so(fields: Any, snapped: Any, box: Any, window_x: Any, window_y: Any) -> None:
    """Fill the rest of a block: the fields of coverage."""
    fields[_F.SNAPPED], fields[_F.BOX] = snapped, box.ctypes.data
    fields[_F.WINDOW_X], fields[_F.WINDOW_Y] = window_x.ctypes.data, window_y.ctypes.data


@helper
def placed_of(fields: Any) -> Any:
    """Results of set-up."""
    primitives, vertices = fields[_F.PRIMITIVES], fields[_F.VERTICES]
    return Placed(
        carray(pointer(fields[_F.WINDOW]), (vertices, 4), np.float32),
        carray(pointer(fields[_F.MEMORY_Y]), vertices, np.float32),
        carray(pointer(fields[_F.CORNERS]), (primitives, 3), np.int32),
        carray(pointer(fields[_F.X]), (primitives, 3), np.int64),
        carray(pointer(fields[_F.Y]), (primitives, 3), np.int64),
        carray(pointer(fields[_F.PLANES]), (primitives, 3), np.float64),
        carray(pointer(fields[_F.FRONT]), primitives, np.bool_),
        carray(pointer(fields[_F.CULLED]), primitives, np.int8),
        carray(pointer(fields[_F.EXTENT]), primitives, np.float32),
    )


@helper
def outputs_of(fields: Any) -> Any:
    """Varyings of all vertices."""
    return carray(pointer(fields[_F.OUTPUTS]), (fields[_F.VERTICES], fields[_F.COMPONENTS]), np.float32)


@helper
def assembled_of(fields: Any) -> Any:
    """Primitives and vertices."""
    return Assembled(
        fields[_F.SIZE],
        carray(pointer(fields[_F.CLIP]), (fields[_F.VERTICES], 4), np.float32),
        outputs_of(fields),
        carray(pointer(fields[_F.PARENTS]), (fields[_F.MADE], 2), np.int32),
        carray(pointer(fields[_F.WEIGHT]), fields[_F.MADE], np.float32),
        carray(pointer(fields[_F.SOURCE]), fields[_F.PRIMITIVES], np.int32),
        placed_of(fields),
    )


@helper
def drawn_of(fields: Any) -> Any:
    """Primitives to rasterize."""
    placed, snapped = placed_of(fields), fields[_F.SNAPPED] != 0
    unsnapped = (0 if snapped else fields[_F.PRIMITIVES], 3)
    shapes = Shapes(
        fields[_F.SIZE],
        snapped,
        placed.x,
        placed.y,
        carray(pointer(fields[_F.WINDOW_X]), unsnapped, np.float32),
        carray(pointer(fields[_F.WINDOW_Y]), unsnapped, np.float32),
        placed.extent,
    )
    return Drawn(shapes, placed.culled, carray(pointer(fields[_F.BOX]), 4, np.int64))


@helper
def surface_of(fields: Any) -> Any:
    """Primitives to shade."""
    placed = placed_of(fields)
    return Surface(placed.corners, placed.window, outputs_of(fields), placed.planes, placed.front, placed.extent)
