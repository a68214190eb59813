"""Vertices fetched and shaded: from arrays to the outputs of the vertex shader."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any, NamedTuple

import numpy as np

from ...activity.compiled import helper, kernel_by_address
from ...execute.native_calls import call_by_address, call_vertices, carray, keep
from ..geometry.vertex_shading import place_outputs
from .arena import room
from .attribute_table import ATTRIBUTE_FIELDS, fetch_attributes, input_count
from .vertex_state import VertexField

CHUNK = 1008
"""Vertices that are shaded before their outputs are sorted or, if possible, drawn before the next ones are fetched, so
that they stay in the cache. A multiple of points, lines, triangles and vectors."""
_F = VertexField
_STATE_FIELDS = len(VertexField)


class Vertices(NamedTuple):
    """Shaded vertices as kernels take them; see `ShadedVertices`."""

    clip: Any
    varyings: Any
    point_size: Any


class _Field(IntEnum):
    """Arguments of `shade_vertices`, int64 each: addresses of arrays, and how long these are; see `shade_into`."""

    ARENA = 0
    WORDS = auto()
    STATE = auto()
    ATTRIBUTES = auto()
    INPUTS = auto()
    INDICES = auto()
    VERTICES = auto()
    INSTANCE = auto()
    CLIP = auto()
    VARYINGS = auto()
    POINT_SIZE = auto()


_A = _Field
_FIELDS = len(_Field)


@helper
def shade_into(arena: Any, state: Any, attributes: Any, indices: Any, instance: Any, made: Any) -> None:
    """Fetch and shade some vertices: `Vertices`, to fill."""
    block = carray(room(arena, 8 * _FIELDS), _FIELDS, np.int64)
    block[_A.ARENA], block[_A.WORDS], block[_A.STATE] = arena.ctypes.data, len(arena), state.ctypes.data
    block[_A.ATTRIBUTES], block[_A.INPUTS] = attributes.ctypes.data, input_count(attributes)
    block[_A.INDICES], block[_A.VERTICES], block[_A.INSTANCE] = indices.ctypes.data, len(indices), instance
    block[_A.CLIP], block[_A.VARYINGS] = made.clip.ctypes.data, made.varyings.ctypes.data
    block[_A.POINT_SIZE] = made.point_size.ctypes.data
    call_by_address(state[_F.SHADE_VERTICES], (block.ctypes.data,))
    keep((arena, state, attributes, indices, made))


@kernel_by_address
def shade_vertices(block: Any) -> int:
    """Fetch and shade some vertices, with the arguments at an address, as in `_Field`."""
    fields = carray(block, _FIELDS, np.int64)
    arena, state = (
        carray(fields[_A.ARENA], fields[_A.WORDS], np.int64),
        carray(fields[_A.STATE], _STATE_FIELDS, np.int64),
    )
    inputs, vertices, count = fields[_A.INPUTS], fields[_A.VERTICES], state[_F.OUTPUTS]
    attributes = carray(fields[_A.ATTRIBUTES], inputs * ATTRIBUTE_FIELDS, np.int64)
    indices = carray(fields[_A.INDICES], vertices, np.int64)
    clip = carray(fields[_A.CLIP], (vertices, 4), np.float32)
    varyings = carray(fields[_A.VARYINGS], (vertices, 4 * state[_F.SLOTS]), np.float32)
    point_size = carray(fields[_A.POINT_SIZE], vertices, np.float32)
    places = carray(state[_F.PLACES], count, np.int64)
    for v in range(vertices):
        point_size[v] = 1
        if not state[_F.ALL_WRITTEN]:
            clip[v, 0], clip[v, 1], clip[v, 2], clip[v, 3] = 0, 0, 0, 0
            for i in range(varyings.shape[1]):
                varyings[v, i] = 0
    most = 4 * min(vertices, CHUNK)
    read, written = room(arena, 4 * inputs * most), room(arena, 4 * count * most)
    for first in range(0, vertices, CHUNK):
        lanes = min(vertices - first, CHUNK)
        fetch_attributes(attributes, indices[first : first + lanes], fields[_A.INSTANCE], read)
        outputs = carray(written, (count, 4, lanes), np.float32)
        for k in range(count):
            for c in range(4):
                for i in range(lanes):
                    outputs[k, c, i] = 0
        call_vertices(state[_F.SHADER], read, written, state[_F.CONSTANTS], lanes)
        place_outputs(outputs, places, first, clip, varyings, point_size)
    return 0
