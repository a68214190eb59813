"""Vertices fetched and shaded: from arrays to the outputs of the vertex shader."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile import address, helper, kernel_by_address
from ...compile.blocks import Address, FloatRows, Floats, Integers, Words, words_in
from ...compile.native import carray, load, store
from ...execute.kernel_arguments import VertexArguments
from ..geometry.vertex_shading import place_outputs
from .arena import room
from .attribute_table import fetch_attributes, input_count
from .vertex_state import FAILED, VertexState

CHUNK = 1008
"""Vertices that are shaded before their outputs are sorted or, if possible, drawn before the next ones are fetched, so
that they stay in the cache. A multiple of points, lines, triangles and vectors."""


class Vertices(NamedTuple):
    """Shaded vertices as kernels take them; see `ShadedVertices`."""

    clip: FloatRows
    varyings: FloatRows
    point_size: Floats


class VertexNotes(NamedTuple):
    """Notes of a vertex kernel for a recording; see `VertexArguments`."""

    reads: Words
    tree: Words
    nodes: Integers


class Fetch(NamedTuple):
    """Arguments of `shade_vertices`: words of an arena, address of a `VertexState`, an `attribute_table`; indices and
    instance of the vertices, where they go, and the address of `VertexNotes`, or 0."""

    arena: Words
    shader: int
    attributes: Words
    indices: Words
    instance: int
    made: Vertices
    notes: Address


_FETCH_BYTES = 8 * words_in(Fetch)


@helper
def shade_into(state: VertexState, fetch: Fetch) -> None:
    """Fetch and shade some vertices: a `VertexState` and `Fetch`, to fill."""
    block = room(fetch.arena, _FETCH_BYTES)
    store(block, fetch)
    state.shade_vertices(block)


@helper
def has_failed(shader: int) -> Any:
    """Whether a loop of the shader of a `VertexState`, by address, did not end."""
    return load(shader, VertexState).failed


@helper
def set_failed(shader: int) -> None:
    """Note that one did not."""
    carray(shader, FAILED + 1, np.int64)[FAILED] = 1


@helper
def take_failed(shader: int) -> Any:
    """Whether one did not since the last time."""
    failed = has_failed(shader)
    carray(shader, FAILED + 1, np.int64)[FAILED] = 0
    return failed


@kernel_by_address
def shade_vertices(block: Address) -> int:
    """Fetch and shade some vertices, with the arguments at an address, as in `Fetch`."""
    arena, shader, attributes, indices, instance, (clip, varyings, point_size), notes = load(block, Fetch)
    state, vertices = load(shader, VertexState), len(indices)
    inputs, count = input_count(attributes), len(state.places)
    for v in range(vertices):
        point_size[v] = 1
        if not state.all_written:
            clip[v, 0], clip[v, 1], clip[v, 2], clip[v, 3] = 0, 0, 0, 0
            for i in range(varyings.shape[1]):
                varyings[v, i] = 0
    reads = tree = nodes = 0
    if notes:
        noted = load(notes, VertexNotes)
        reads = address(noted.reads) if len(noted.reads) else 0
        tree, nodes = address(noted.tree), address(noted.nodes)
    most = 4 * min(vertices, CHUNK)
    read, written = room(arena, 4 * inputs * most), room(arena, 4 * count * most)
    for first in range(0, vertices, CHUNK):
        lanes = min(vertices - first, CHUNK)
        fetch_attributes(attributes, indices[first : first + lanes], instance, read)
        outputs = carray(written, (count, 4, lanes), np.float32)
        for k in range(count):
            for c in range(4):
                for i in range(lanes):
                    outputs[k, c, i] = 0
        samplers, constants, failed = address(state.samplers), address(state.constants), shader + 8 * FAILED
        arguments = VertexArguments(samplers, read, written, constants, failed, reads, tree, nodes, lanes, first)
        state.shader(*arguments)
        if has_failed(shader):
            break
        place_outputs(outputs, state.places, first, clip, varyings, point_size)
    return 0
