"""Vertices and primitives of a draw in one call, from its arrays to set-up."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any

import numpy as np

from ...activity.compiled import kernel
from ...execute.native_calls import pointer
from ..command import DrawCommand
from ..geometry.primitive_assembly import CORNERS, assemble_and_classify
from ..geometry.primitive_assembly import room as most_primitives
from ..geometry.set_up import Primitives, clip_and_set_up, new_geometry, place_and_cull
from ..geometry.setup_kernels import Placed
from ..geometry.vertex_fetch import FetchedVertices
from ..geometry.vertex_shading import ShadedVertices
from .arena import Arena, clear
from .attribute_table import address_of, attribute_table
from .batch_state import carray
from .vertex_state import VertexState, set_up_state
from .whole_kernels import Vertices, shade_into

CHUNK_BYTES = 1 << 17
"""What a chunk of vertices needs at most."""
MAX_ROOMS, MAX_KEPT = 64, 1024
"""Shapes of draws whose arrays are kept, and vertices and primitives of one."""
_NOT_FETCHED = np.empty((0, 4, 0), np.float32)


class _Array(IntEnum):
    """Addresses of arrays, int64 each, and the instance; see `ShadedVertices`, `assemble_and_classify`; from ``WINDOW``
    on those of `Placed`, in its order."""

    CLIP = 0
    POINT_SIZE = auto()
    ASSEMBLED = auto()
    OUTSIDE = auto()
    CROSSING = auto()
    WINDOW = auto()
    MEMORY_Y = auto()
    CORNERS = auto()
    X = auto()
    Y = auto()
    PLANES = auto()
    FRONT = auto()
    CULLED = auto()
    EXTENT = auto()
    INSTANCE = auto()


_INSTANCE = int(_Array.INSTANCE)


class _Room:
    """Arrays that a call fills, for so many vertices and primitives.

    Attributes
    ----------
    addresses
        int64: of all of them, as in `_Array`.
    """

    def __init__(self, size: int, vertices: int, most: int) -> None:
        self.geometry = made = new_geometry(size, vertices, most)
        self.clip, self.point_size = np.empty((vertices, 4), np.float32), np.empty(vertices, np.float32)
        self.paths = np.zeros(vertices, np.int32)
        self.assembled = np.empty((most, size), np.int32)
        self.outside, self.crossing = np.empty(most, np.bool_), np.empty(most, np.bool_)
        made.clip = self.clip
        arrays = (self.clip, self.point_size, self.assembled, self.outside, self.crossing, *made.placed)
        self.addresses = np.array([*map(address_of, arrays), 0], np.int64)


class GeometryCall:
    """Executes the stages up to set-up.

    Parameters
    ----------
    snap
        Whether window coordinates are snapped.
    """

    def __init__(self, snap: bool) -> None:
        self.snap = snap
        self._arena = Arena()
        self._rooms: dict[tuple[int, int, int], _Room] = {}

    def run(self, draw: DrawCommand, state: VertexState, instance: int) -> Primitives:
        """Vertices (without the attributes as fetched) and primitives of an instance. Arrays but the outputs are
        filled again by the next draw.

        Where primitives cross a plane, which shows after shading, they are clipped and set up by calls of their own.
        """
        stream = draw.vertices.stream
        size, vertices, most = (
            CORNERS[draw.vertices.topology],
            len(stream.distinct),
            most_primitives(draw.vertices.topology, len(stream.stream)),
        )
        arrays = self._room(size, vertices, most)
        arrays.addresses[_INSTANCE] = instance
        outputs = np.empty((vertices, 4 * state.slots), np.float32)
        count, many, drawn = shade_and_set_up(
            self._arena.grown(CHUNK_BYTES),
            draw.vertices.topology,
            stream.stream,
            stream.distinct,
            state.fields,
            attribute_table(draw).fields,
            arrays.addresses,
            outputs,
        )
        fetched = FetchedVertices(stream.distinct, stream.stream, _NOT_FETCHED)
        shaded = ShadedVertices(arrays.clip, outputs, arrays.point_size, arrays.paths, [])
        if not many and count == most:
            arrays.geometry.outputs, arrays.geometry.drawn = outputs, drawn
            return Primitives(fetched, shaded, arrays.geometry)
        assembled, outside = arrays.assembled[:count], arrays.outside[:count]
        clipped = clip_and_set_up(draw, shaded, assembled, outside, arrays.crossing, many, self.snap)
        return Primitives(fetched, shaded, clipped)

    def _room(self, size: int, vertices: int, most: int) -> _Room:
        key = size, vertices, most
        found = self._rooms.get(key)
        if found is None:
            found = _Room(*key)
            if vertices + most <= MAX_KEPT:
                if len(self._rooms) == MAX_ROOMS:
                    self._rooms.pop(next(iter(self._rooms)))
                self._rooms[key] = found
        return found


@kernel
def shade_and_set_up(
    arena: Any, topology: Any, stream: Any, indices: Any, shader: Any, attributes: Any, room: Any, outputs: Any
) -> tuple[int, int, int]:
    """Fetch, shade, assemble and, where nothing is to be clipped, set up.

    Parameters
    ----------
    arena, topology, stream, indices, shader, attributes
        As for `draw_whole`.
    room
        int64, as in `_Array`: arrays to fill, and the instance.
    outputs
        float32, (vertices, 4 * slots), to fill, too.

    Returns
    -------
    int, int, int
        Primitives; how many of them cross a plane; and, where none does and there are as many as there is room for, how
        many are not culled.
    """
    clear(arena)
    size, most, vertices = CORNERS[topology], most_primitives(topology, len(stream)), len(indices)
    clip = carray(pointer(room[_Array.CLIP]), (vertices, 4), np.float32)
    point_size = carray(pointer(room[_Array.POINT_SIZE]), vertices, np.float32)
    shade_into(arena, shader, attributes, indices, room[_Array.INSTANCE], Vertices(clip, outputs, point_size))
    assembled = carray(pointer(room[_Array.ASSEMBLED]), (most, size), np.int32)
    outside = carray(pointer(room[_Array.OUTSIDE]), most, np.bool_)
    crossing = carray(pointer(room[_Array.CROSSING]), most, np.bool_)
    count, many = assemble_and_classify(topology, stream, clip, assembled, outside, crossing)
    if many or count < most:
        return count, many, 0
    placed = Placed(
        carray(pointer(room[_Array.WINDOW]), (vertices, 4), np.float32),
        carray(pointer(room[_Array.MEMORY_Y]), vertices, np.float32),
        carray(pointer(room[_Array.CORNERS]), (most, 3), np.int32),
        carray(pointer(room[_Array.X]), (most, 3), np.int64),
        carray(pointer(room[_Array.Y]), (most, 3), np.int64),
        carray(pointer(room[_Array.PLANES]), (most, 3), np.float64),
        carray(pointer(room[_Array.FRONT]), most, np.bool_),
        carray(pointer(room[_Array.CULLED]), most, np.int8),
        carray(pointer(room[_Array.EXTENT]), most, np.float32),
    )
    drawn = place_and_cull(clip, assembled, assembled, outside, point_size, set_up_state(shader), placed)
    return count, many, drawn
