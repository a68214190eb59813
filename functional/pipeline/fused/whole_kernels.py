"""Executes a whole draw without returning to Python: from the arrays of its vertices to pixels.

The stages are those of `vertex_fetch`, `vertex_shading`, `set_up` and `batch_kernels`; the memory in which they pass
on results belongs to this call.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...activity.kernels.plane import depth_planes
from ...compile import helper, kernel
from ...compile.blocks import Address, Integers, Words, words_in
from ...compile.native import carray, load, store
from ...execute.kernel_arguments import TREE
from ...opengl.enums import LINES, POINTS, TRIANGLES
from ..geometry.clipping import clip_all
from ..geometry.primitive_assembly import CORNERS, assemble_and_classify
from ..geometry.primitive_assembly import room as most_primitives
from ..geometry.set_up import place
from ..geometry.setup_kernels import Placed
from .arena import clear, room
from .batch_coverage import box_pixels
from .batch_kernels import FAILED
from .batch_state import ANY, Batch
from .geometry_block import Assembled, Drawable
from .observing import MAX_LANES, DrawnGeometry, FlowNotes, ObserverHeader, grown
from .vertex_kernels import CHUNK, Fetch, VertexNotes, Vertices, has_failed, set_failed, shade_into, take_failed
from .vertex_state import VertexState


class Streams(NamedTuple):
    """Vertices and distinct indices of a draw, or of several, and where those of each end; see `IndexStream`."""

    stream: Integers
    indices: Words
    ends: Words


class Part(NamedTuple):
    """Vertices that are executed at a time, of a draw that has a number among those executed together."""

    stream: Integers
    indices: Words
    instance: int
    number: int


_MADE_BYTES, _NOTES_BYTES = 8 * words_in(DrawnGeometry), 8 * words_in(VertexNotes)


@helper
def room_to_place(arena: Words, vertices: int, primitives: int) -> Any:
    """Memory for set-up."""
    return Placed(
        carray(room(arena, 16 * vertices), (vertices, 4), np.float32),
        carray(room(arena, 4 * vertices), vertices, np.float32),
        carray(room(arena, 12 * primitives), (primitives, 3), np.int32),
        carray(room(arena, 24 * primitives), (primitives, 3), np.int64),
        carray(room(arena, 24 * primitives), (primitives, 3), np.int64),
        carray(room(arena, 24 * primitives), (primitives, 3), np.float64),
        carray(room(arena, primitives), primitives, np.bool_),
        carray(room(arena, primitives), primitives, np.int8),
        carray(room(arena, 4 * primitives), primitives, np.float32),
    )


@helper
def part_length(topology: int, stream: Integers, indices: Words, batch: Batch) -> Any:
    """Vertices that are drawn before the next ones are fetched: all of them, unless no two primitives share any."""
    # If a draw may turn out to cover too many pixels, nothing of it may be drawn before that is known.
    apart = topology in (POINTS, LINES, TRIANGLES) and batch.most_pixels == ANY
    if batch.observed and not load(batch.observed, ObserverHeader).in_parts:
        apart = False
    if not apart or len(stream) <= CHUNK or len(indices) != len(stream):
        return max(len(stream), 1)
    for i in range(len(stream)):
        if stream[i] != i:
            return len(stream)
    return CHUNK


@helper
def shade_observed(state: VertexState, fetch: Fetch, observed: int) -> Any:
    """Fetch and shade some vertices, as in `shade_into`, for the observer with a block at an address, or 0; the nodes
    where they ended, or the instructions that they executed, if these are noted."""
    followed = load(observed, ObserverHeader).vertices if observed else 0
    if not followed:
        shade_into(state, fetch)
        return carray(room(fetch.arena, 0), 0, np.int32)
    count = len(fetch.indices)
    nodes = carray(room(fetch.arena, 4 * (count + MAX_LANES)), count + MAX_LANES, np.int32)
    notes, tree = room(fetch.arena, _NOTES_BYTES), load(followed, FlowNotes).tree
    store(notes, VertexNotes(np.empty(0, np.int64), tree, nodes))
    noting = Fetch(fetch.arena, fetch.shader, fetch.attributes, fetch.indices, fetch.instance, fetch.made, notes)
    shade_into(state, noting)
    while len(tree) and tree[TREE.full] and grown(followed):
        shade_into(state, noting)
    return nodes[:count]


@helper
def draw_part(arena: Words, topology: int, part: Part, shader: int, attributes: Words, memory: int) -> Any:
    """Execute a draw of some vertices, a `Part`; other parameters and return values are those of `draw_whole`."""
    stream, indices, instance, number = part
    size, most, count = CORNERS[topology], most_primitives(topology, len(stream)), len(indices)
    state = load(shader, VertexState)
    vertices = Vertices(
        carray(room(arena, 16 * count), (count, 4), np.float32),
        carray(room(arena, 16 * count * state.slots), (count, 4 * state.slots), np.float32),
        carray(room(arena, 4 * count), count, np.float32),
    )
    batch = load(memory, Batch)
    nodes = shade_observed(state, Fetch(arena, shader, attributes, indices, instance, vertices, 0), batch.observed)
    if has_failed(shader):
        return False, False, False
    clip, outputs = vertices.clip, vertices.varyings
    assembled = carray(room(arena, 4 * most * size), (most, size), np.int32)
    outside, crossing = carray(room(arena, most), most, np.bool_), carray(room(arena, most), most, np.bool_)
    count, many = assemble_and_classify(topology, stream, clip, assembled, outside, crossing)
    corners = assembled[:count]
    whole, outside = corners, outside[:count]
    source = carray(room(arena, 4 * count), count, np.int32)
    parents, weight = carray(room(arena, 0), (0, 2), np.int32), carray(room(arena, 0), 0, np.float32)
    if many:
        cut = clip_all(corners, outside, crossing, many, clip, outputs, state.flat, state.straight)
        clip, outputs, corners, whole, outside = cut.clip, cut.outputs, cut.corners, cut.whole, cut.outside
        source, parents, weight = cut.source, cut.parents, cut.weight
    elif batch.observed:
        for p in range(count):
            source[p] = p
    placed = room_to_place(arena, len(clip), len(corners))
    raster = state.raster
    drawn = place(clip, corners, outside, vertices.point_size, raster, state.snap, placed)
    if not drawn and not batch.observed:
        return False, False, False
    limited = size == 3 and batch.most_pixels < ANY
    if limited and box_pixels(placed.x, placed.y, placed.culled, state.raster.box) > batch.most_pixels:
        return False, False, True
    if size == 3:
        # Only observers look at those of culled triangles.
        left_out = placed.culled[: 0 if batch.observed else len(corners)]
        depth_planes(clip, whole, left_out, raster.viewport, raster.depth_range, raster.polygon_offset, placed.planes)
    nowhere = np.empty((0, 3), np.float32)
    block = room(arena, _MADE_BYTES)
    drawable = Drawable(size, outputs, placed, True, nowhere, nowhere, state.raster.box)
    store(
        block,
        DrawnGeometry(Assembled(drawable, clip, parents, weight, source), indices, nodes, attributes, instance, number),
    )
    outcome = batch.raster(memory, block)
    return (outcome & 1) != 0, (outcome & FAILED) != 0, False


@helper
def draw_alone(arena: Words, topology: int, drawn: Part, shader: int, attributes: Words, memory: int) -> Any:
    """Execute one draw, all of a `Part`; parameters and return values are those of `draw_part`."""
    stream, indices, instance, number = drawn
    any_passed, length = False, part_length(topology, stream, indices, load(memory, Batch))
    for first in range(0, len(stream), length):
        some = indices if length >= len(stream) else indices[first : first + length]
        now = stream[: min(length, len(stream) - first)]
        part = Part(now, some, instance, number)
        passed, failed, too_large = draw_part(arena, topology, part, shader, attributes, memory)
        clear(arena)
        any_passed |= passed
        if failed or too_large:
            return any_passed, failed, too_large
    return any_passed, False, False


@kernel
def draw_whole(
    arena: Words,
    topology: int,
    drawn: Annotated[tuple[Any, ...], Streams],
    instances: int,
    shader: Address,
    attributes: Words,
    memory: Address,
) -> tuple[bool, bool, bool]:
    """Execute a draw, or several of the same state and arrays, one after the other.

    Parameters
    ----------
    arena
        Words of an `Arena`.
    topology
        GL enum.
    drawn
        `Streams`; their ``ends`` are empty for one draw.
    instances
        Their number; none after one in which a shader did not terminate is drawn.
    shader
        Address of a `VertexState`.
    attributes
        An `attribute_table`.
    memory
        Address of a `Batch`. Nothing is drawn if more than ``most_pixels`` may be covered.

    Returns
    -------
    bool, bool, bool
        Whether any sample passed; whether a shader did not terminate; whether too many pixels may be covered.
    """
    clear(arena)
    streams = Streams(*drawn)
    any_passed = any_failed = vertices_failed = False
    for instance in range(instances):
        begin = begin_indices = 0
        for number in range(max(len(streams.ends) // 2, 1)):
            end, end_indices = len(streams.stream), len(streams.indices)
            if len(streams.ends):
                end, end_indices = streams.ends[2 * number], streams.ends[2 * number + 1]
            part = Part(streams.stream[begin:end], streams.indices[begin_indices:end_indices], instance, number)
            passed, failed, too_large = draw_alone(arena, topology, part, shader, attributes, memory)
            if too_large:
                return any_passed, failed, too_large
            any_passed |= passed
            any_failed |= failed
            # The next draw is not to end for what this one did.
            vertices_failed |= take_failed(shader)
            begin, begin_indices = end, end_indices
        if any_failed or vertices_failed:
            break
    if vertices_failed:
        set_failed(shader)
    return any_passed, any_failed, False
