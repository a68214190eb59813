"""Processes vertices and primitives of a draw in one call, from its arrays to set-up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...compile import kernel
from ...compile.blocks import Address, Block, Flags, Floats, IntegerRows, Integers, Words, block_of
from ...compile.native import load
from ..command import DrawCommand
from ..geometry.primitive_assembly import CORNERS, assemble_and_classify
from ..geometry.primitive_assembly import room as most_primitives
from ..geometry.set_up import Primitives, clip_and_set_up, new_geometry, place_and_cull
from ..geometry.transform_feedback import capture
from ..geometry.vertex_fetch import FetchedVertices
from ..geometry.vertex_shading import ShadedVertices, passed_on
from ..sink import Sink
from .arena import Arena, clear
from .attribute_table import attribute_table
from .geometry_block import Assembled, assembled
from .vertex_kernels import Fetch, Vertices, shade_into
from .vertex_notes import NotedVertices
from .vertex_state import VertexState, check_end

CHUNK_BYTES = 1 << 17
"""Room that a chunk of vertices needs at most."""
MAX_ROOMS, MAX_KEPT = 256, 1 << 17
"""Shapes of draws whose arrays are kept, and vertices and primitives of all."""
_NOT_FETCHED, _NO_BOX = np.empty((0, 4, 0), np.float32), np.zeros(4, np.int64)


class Room(NamedTuple):
    """Arrays that a call fills, for the vertices of a stream of a topology; see `ShadedVertices`,
    `assemble_and_classify`."""

    topology: int
    point_size: Floats
    assembled: IntegerRows
    outside: Flags
    crossing: Flags
    geometry: Assembled


class _Room:
    """A `Room` for so many vertices with some slots of varyings."""

    def __init__(self, topology: int, vertices: int, count: int, slots: int, snapped: int) -> None:
        size, self.most = CORNERS[topology], most_primitives(topology, count)
        self.kept = vertices + self.most
        clip, outputs = np.empty((vertices, 4), np.float32), np.empty((vertices, 4 * slots), np.float32)
        self.geometry = new_geometry(size, clip, outputs, self.most, True)
        self.point_size, self.paths = np.empty(vertices, np.float32), np.zeros(vertices, np.int32)
        self.assembled = np.empty((self.most, size), np.int32)
        self.outside, self.crossing = np.empty(self.most, np.bool_), np.empty(self.most, np.bool_)
        arrays = self.point_size, self.assembled, self.outside, self.crossing
        self.block = block_of((topology, *arrays, assembled(self.geometry, _NO_BOX)))
        # Without subpixel bits there would be corners, too, which are not known yet.
        self.geometry.snapped = bool(snapped)


class GeometryCall:
    """Executes the stages up to set-up."""

    def __init__(self) -> None:
        self._arena = Arena()
        self._rooms: dict[tuple[int, ...], _Room] = {}
        self._kept = 0

    def run(self, draw: DrawCommand, state: Block, instance: int, sink: Sink | None) -> Primitives:
        """Vertices and primitives of an instance. Arrays are filled again by the next draw.

        Primitives are clipped and set up by separate calls if some cross a plane, which is known after shading, or if
        transform feedback captures outputs that are not passed on.

        Parameters
        ----------
        draw, state, instance
            What is drawn.
        sink
            Says what is recorded.

        Raises
        ------
        ExecutionError
            The vertex shader does not terminate.
        """
        topology, stream = draw.vertices.topology, draw.vertices.stream
        program, count = draw.state.program, 0 if draw.state.raster.discard else stream.count
        room = self._room(topology, len(stream.distinct), count, state.values.slots, state.values.snap)
        geometry = room.geometry
        notes = _notes(draw, sink)
        arena, attributes = self._arena.grown(CHUNK_BYTES), attribute_table(draw).words
        addresses = room.block.address, notes.address if notes is not None else 0
        vertices = arena, stream.stream, stream.distinct, instance, state.address, attributes
        count, many, drawn = shade_and_set_up(*vertices, *addresses)
        while notes is not None and notes.grown():
            count, many, drawn = shade_and_set_up(*vertices, *addresses)
        check_end(state, program.vertex)
        fetched = FetchedVertices(stream.distinct, stream.stream, _NOT_FETCHED)
        noted = (room.paths, []) if notes is None else (notes.paths(), notes.reads())
        shaded = ShadedVertices(geometry.clip, geometry.outputs, room.point_size, *noted)
        written = capture(draw.feedback, shaded, stream.stream, instance) if draw.feedback is not None else 0
        if not many and count == room.most and not program.captured:
            geometry.drawn = drawn
            return Primitives(fetched, shaded, geometry, written)
        shaded = passed_on(program, shaded)
        corners, outside = room.assembled[:count], room.outside[:count]
        clipped = clip_and_set_up(draw, shaded, corners, outside, room.crossing, many, state.values.snap)
        return Primitives(fetched, shaded, clipped, written)

    def _room(self, *key: int) -> _Room:
        room = self._rooms.get(key)
        if room is None:
            room = _Room(*key)
            self._kept += room.kept
            while self._rooms and (self._kept > MAX_KEPT or len(self._rooms) == MAX_ROOMS):
                self._kept -= self._rooms.pop(next(iter(self._rooms))).kept
            self._rooms[key] = room
        return room


def _notes(draw: DrawCommand, sink: Sink | None) -> NotedVertices | None:
    """Room for what the vertex shader does, if it is recorded and not always the same."""
    if sink is None:
        return None
    paths = sink.paths(draw.state.program, "vertex")
    if paths.straight and not draw.state.program.vertex.samplers:
        return None
    return NotedVertices(draw, paths)


@kernel
def shade_and_set_up(
    arena: Words,
    stream: Integers,
    indices: Words,
    instance: int,
    shader: Address,
    attributes: Words,
    room: Address,
    notes: Address,
) -> tuple[int, int, int]:
    """Fetch, shade, assemble and, if nothing has to be clipped, set up.

    Parameters
    ----------
    arena, stream, indices, instance, shader, attributes
        As for `draw_whole`.
    room
        Address of a `Room`, to fill; one without primitives if they are discarded.
    notes
        Address of `VertexNotes`, or 0.

    Returns
    -------
    int, int, int
        Number of primitives; how many of them cross a plane; and, if none does and the primitives fill the room, how
        many are not culled.
    """
    clear(arena)
    topology, point_size, corners, outside, crossing, geometry = load(room, Room)
    clip, drawable, state = geometry.clip, geometry.drawable, load(shader, VertexState)
    made = Vertices(clip, drawable.outputs, point_size)
    shade_into(state, Fetch(arena, shader, attributes, indices, instance, made, notes))
    if len(corners) == 0:
        return 0, 0, 0
    count, many = assemble_and_classify(topology, stream, clip, corners, outside, crossing)
    if many or count < len(corners):
        return count, many, 0
    drawn = place_and_cull(clip, corners, corners, outside, point_size, state.raster, state.snap, drawable.placed)
    return count, many, drawn
