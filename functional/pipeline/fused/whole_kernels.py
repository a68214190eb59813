"""A whole draw without coming back to Python: from the arrays of its vertices to pixels.

The stages are those of `vertex_fetch`, `vertex_shading`, `set_up` and `batch_kernels`; what they hand on to each
other is memory of this call alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import helper, kernel
from ...execute.native_calls import call_vertices, pointer
from ..geometry.clipping import clip_all
from ..geometry.primitive_assembly import assemble_and_classify
from ..geometry.set_up import place_and_cull
from ..geometry.vertex_shading import place_outputs
from .arena import clear, taken
from .attribute_table import fetch_attributes
from .batch_coverage import box_pixels
from .batch_kernels import raster
from .batch_state import carray
from .vertex_state import VertexField

CHUNK = 1024
"""Vertices that are shaded before their outputs are sorted: they stay in the cache."""
_F = VertexField


@helper
def shaded_vertices(
    arena: Any, state: Any, places: Any, attributes: Any, constants: Any, indices: Any, instance: Any
) -> tuple[Any, Any, Any]:
    """Clip coordinates, varyings and point sizes of some vertices; see `ShadedVertices`."""
    vertices = len(indices)
    clip = taken(arena, (vertices, 4), np.float32, 4)
    varyings = taken(arena, (vertices, 4 * state[_F.SLOTS]), np.float32, 4)
    point_size = taken(arena, (vertices,), np.float32, 4)
    shade_into(arena, state, places, attributes, constants, indices, instance, clip, varyings, point_size)
    return clip, varyings, point_size


@helper
def shade_into(
    arena: Any,
    state: Any,
    places: Any,
    attributes: Any,
    constants: Any,
    indices: Any,
    instance: Any,
    clip: Any,
    varyings: Any,
    point_size: Any,
) -> None:
    """Fetch and shade some vertices; the last three arrays are filled."""
    vertices, count = len(indices), state[_F.OUTPUTS]
    for v in range(vertices):
        point_size[v] = 1
        if not state[_F.ALL_WRITTEN]:
            clip[v, 0], clip[v, 1], clip[v, 2], clip[v, 3] = 0, 0, 0, 0
            for i in range(varyings.shape[1]):
                varyings[v, i] = 0
    most = 4 * min(vertices, CHUNK)
    read = taken(arena, (len(attributes), most), np.float32, 4)
    written = taken(arena, (count, most), np.float32, 4)
    for first in range(0, vertices, CHUNK):
        lanes = min(vertices - first, CHUNK)
        fetch_attributes(attributes, constants, indices[first : first + lanes], instance, read.ctypes.data)
        outputs = carray(pointer(written.ctypes.data), (count, 4, lanes), np.float32)
        for k in range(count):
            for c in range(4):
                for i in range(lanes):
                    outputs[k, c, i] = 0
        call_vertices(state[_F.SHADER], read.ctypes.data, written.ctypes.data, state[_F.CONSTANTS], lanes)
        place_outputs(outputs, places, first, clip, varyings, point_size)


@helper
def clipped(
    corners: Any, outside: Any, crossing: Any, many: Any, clip: Any, outputs: Any, flat: Any, straight: Any
) -> Any:
    """Primitives that were clipped: vertices, varyings, corners, whose plane each has, and what lies outside."""
    all_clip, all_outputs, pieces, source, beyond, _, weight = clip_all(
        corners, outside, crossing, many, clip, outputs, flat, straight
    )
    whole = pieces
    if len(weight):
        # Every piece of a clipped triangle has the plane of the whole.
        whole = np.empty(pieces.shape, np.int32)
        for p in range(len(pieces)):
            for i in range(pieces.shape[1]):
                whole[p, i] = corners[source[p], i]
    return all_clip, all_outputs, pieces, whole, beyond


@kernel
def draw_whole(
    arena: Any,
    topology: Any,
    size: Any,
    most: Any,
    stream: Any,
    indices: Any,
    instance: Any,
    attributes: Any,
    constants: Any,
    shader: Any,
    places: Any,
    flat: Any,
    straight: Any,
    rounded: Any,
    exact: Any,
    modes: Any,
    box: Any,
    state: Any,
    most_pixels: Any,
) -> tuple[bool, bool, bool]:
    """Execute a draw.

    Parameters
    ----------
    arena
        Words of an `Arena`.
    topology, size, most
        GL enum, corners of its primitives, and how many primitives there are at most.
    stream, indices
        See `IndexStream`; ``indices`` are the distinct ones.
    instance
        Instance.
    attributes, constants
        See `AttributeTable`.
    shader, places
        See `VertexField`, and `output_places`.
    flat, straight
        int64: slots of the varyings that are not interpolated, and of those without perspective.
    rounded, exact, modes, box
        See `RasterState`.
    state
        int64, as in `BatchField`.
    most_pixels
        Nothing is drawn if more pixels than these may be covered.

    Returns
    -------
    bool, bool, bool
        Whether any sample passed; whether a shader did not come to its end; whether too many pixels may be covered.
    """
    clear(arena)
    clip, outputs, point_size = shaded_vertices(arena, shader, places, attributes, constants, indices, instance)
    assembled = taken(arena, (most, size), np.int32, 4)
    outside, crossing = taken(arena, (most,), np.bool_, 1), taken(arena, (most,), np.bool_, 1)
    count, many = assemble_and_classify(topology, stream, clip, assembled, outside, crossing)
    corners = assembled[:count]
    whole, outside = corners, outside[:count]
    if many:
        clip, outputs, corners, whole, outside = clipped(
            corners, outside, crossing, many, clip, outputs, flat, straight
        )
    count, vertices = len(corners), len(clip)
    window, memory_y = taken(arena, (vertices, 4), np.float32, 4), taken(arena, (vertices,), np.float32, 4)
    placed, culled = taken(arena, (count, 3), np.int32, 4), taken(arena, (count,), np.int8, 1)
    x, y = taken(arena, (count, 3), np.int64, 8), taken(arena, (count, 3), np.int64, 8)
    planes = taken(arena, (count, 3), np.float64, 8)
    front, extent = taken(arena, (count,), np.bool_, 1), taken(arena, (count,), np.float32, 4)
    drawn = place_and_cull(
        clip,
        corners,
        whole,
        outside,
        point_size,
        rounded,
        exact,
        modes,
        True,
        window,
        memory_y,
        placed,
        x,
        y,
        planes,
        front,
        culled,
        extent,
    )
    if not drawn:
        return False, False, False
    if size == 3 and box_pixels(x, y, culled, box) > most_pixels:
        return False, False, True
    nowhere = np.empty((0, 3), np.float32)
    passed, failed = raster(
        state,
        size,
        True,
        x,
        y,
        nowhere,
        nowhere,
        extent,
        culled,
        placed,
        window,
        outputs,
        planes,
        front,
        box,
    )
    return passed, failed, False
