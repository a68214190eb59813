"""Resolves vertex array state to the arrays of a draw."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from ..glsl import LinkedProgram
from ..glsl.compatibility import LOCATIONS
from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..pipeline.command import ArrayLayout, Arrays, Constant, VertexArray
from ..pipeline.derived import ArraysDerived
from ..pipeline.geometry.vertex_formats import element_bytes
from .buffers import Buffer
from .context import Context
from .effects import ARRAYS
from .programs import Program
from .resolved import ArraysKey, ResolvedArrays
from .state import NEVER, AttributeArray
from .undefined import note_undefined

MAX_KEPT, MAX_KEPT_BYTES = 256, 1 << 20
"""Most resolved arrays kept for reuse, and most bytes of their buffers, whose old contents they keep in memory."""
_ANY_NUMBER = 1 << 40
"""Vertex count of arrays that advance per instance, and of draws without arrays: no limit."""
_NEVER_SET = "its array is enabled but never set"
_LOST = (
    "the tracer lost its client-side array (blob of 0 bytes, which apitrace writes for client-side arrays with an "
    "element array buffer); the draw is skipped"
)
_pack_constant = struct.Struct("<4d").pack


def resolve_arrays(context: Context, program: Program, last: int) -> ResolvedArrays:
    """Arrays and constant attributes of a draw up to vertex `last`.

    Raises
    ------
    GLError
        An array ends before the last vertex, is mapped, or was lost by the tracer.
    """
    group = context.group
    earlier = context.resolved_arrays
    key = ArraysKey(group.arrays_revision, program.linked)
    if earlier is not None and last < earlier.room and earlier.key == key and known_versions(earlier):
        return earlier
    content = _content(context, program)
    before = context.arrays_before.get(content) if content is not None else None
    if before is not None and last < before.room and _usable(before):
        before.key = key
        context.resolved_arrays = before
        return before
    if before is not None and content is not None and last < before.room and _in_place(before):
        again = context.resolved_arrays = context.arrays_before[content] = _written_again(before, key)
        return again
    resolved = context.resolved_arrays = _resolved(context, program, key, last)
    if content is not None and sum(len(buffer.data) for buffer, _ in resolved.buffers) <= MAX_KEPT_BYTES:
        if len(context.arrays_before) >= MAX_KEPT:
            context.arrays_before.clear()
        context.arrays_before[content] = resolved
    return resolved


def _content(context: Context, program: Program) -> tuple[object, ...] | None:
    """Key of arrays and constants: all they are made of but the content of buffers; None if they are not kept."""
    linked = program.linked
    assert linked is not None
    if context.group.labelled or context.debug_groups:
        return None
    arrays, constants = context.state.vertex_array, context.state.constants
    content: list[object] = [linked]
    for location in array_locations(linked):
        state = arrays.array(location)
        if not state.enabled:
            # As bytes, because positive and negative zero compare equal.
            content.append(_pack_constant(*constants[location]))
        elif state.buffer is None:
            return None
        else:
            content.append((state.buffer.identity, state.layout))
    return tuple(content)


@lru_cache(maxsize=256)
def array_locations(program: LinkedProgram) -> tuple[int, ...]:
    """Locations that a program's vertex shader reads."""
    inputs = (d.slot for d in program.vertex.inputs if d.semantic == "attribute")
    return tuple(slot for slot in inputs if 0 <= slot < LOCATIONS)


@lru_cache(maxsize=256)
def integer_locations(program: LinkedProgram) -> frozenset[int]:
    """Locations of attributes that are integers in the vertex shader."""
    return frozenset(a.location for a in program.attributes if a.gl_type in gl.INTEGER_TYPES)


def _usable(resolved: ResolvedArrays) -> bool:
    """Whether arrays may be reused for the same content."""
    for buffer, version in resolved.buffers:
        if buffer.version != version or (buffer.mapping is not None and buffer.locked):
            return False
    return True


def _in_place(resolved: ResolvedArrays) -> bool:
    """Whether the buffers of arrays were only written in place."""
    pairs = zip(resolved.arrays.enabled.values(), resolved.buffers, strict=True)
    return all(buffer.data is array.data and not buffer.locked for array, (buffer, _) in pairs)


def _written_again(before: ResolvedArrays, key: ArraysKey) -> ResolvedArrays:
    """Arrays after writes to their buffers; data derived from them depend only on the addresses of the buffers."""
    versions = [(buffer, buffer.version) for buffer, _ in before.buffers]
    enabled = {
        location: array._replace(version=version)
        for (location, array), (_, version) in zip(before.arrays.enabled.items(), versions, strict=True)
    }
    return ResolvedArrays(key, before.arrays._replace(enabled=enabled), versions, before.room)


def _resolved(context: Context, program: Program, key: ArraysKey, last: int) -> ResolvedArrays:
    group = context.group
    enabled: dict[int, VertexArray] = {}
    constants: dict[int, Constant] = {}
    buffers: list[tuple[Buffer, int]] = []
    room = _ANY_NUMBER
    assert program.linked is not None
    for location in array_locations(program.linked):
        state = context.state.vertex_array.array(location)
        if not state.enabled:
            constants[location] = context.state.constants[location]
            continue
        enabled[location], vertices = _array(context, state, location, last)
        if state.client is not None and location in integer_locations(program.linked):
            enabled[location] = _as_integers(enabled[location])
        if state.buffer is None:
            # Client-side arrays get a new number in every draw.
            room = -1
        else:
            buffers.append((state.buffer, state.buffer.version))
            room = min(room, vertices)
    label = object_label(context) if group.labelled or context.debug_groups else ""
    return ResolvedArrays(key, Arrays(enabled, constants, label, ArraysDerived()), buffers, room)


def known_versions(resolved: ResolvedArrays) -> bool:
    """Whether the buffers still have the content that was resolved."""
    return all(buffer.version == version for buffer, version in resolved.buffers)


def _as_integers(array: VertexArray) -> VertexArray:
    """A client-side array of an integer attribute.

    apitrace writes glVertexAttribIPointer of client-side arrays as glVertexAttribPointer; floats would be undefined.
    """
    layout = array.layout
    whole = gl.BYTE <= layout.type <= gl.UNSIGNED_INT
    return array._replace(layout=layout._replace(integer=True, normalized=False)) if whole else array


@contextmanager
def from_instance(context: Context, first: int) -> Iterator[None]:
    """Let arrays that advance per instance begin at an instance (EXT_base_instance), for the draws inside."""
    if first < 0:
        raise GLError(gl.INVALID_VALUE, f"first instance {first}")
    arrays = [a for a in context.state.vertex_array.attributes if a.layout.divisor]
    layouts = [a.layout for a in arrays]
    for array, layout in zip(arrays, layouts, strict=True):
        if layout.divisor == NEVER:
            continue
        stride = layout.stride_bytes or element_bytes(layout.type, layout.components)
        array.layout = layout._replace(offset_bytes=layout.offset_bytes + first * stride)
    context.group.changed(ARRAYS)
    try:
        yield
    finally:
        for array, layout in zip(arrays, layouts, strict=True):
            array.layout = layout
        context.group.changed(ARRAYS)


def _array(context: Context, state: AttributeArray, location: int, last: int) -> tuple[VertexArray, int]:
    """An array and its number of vertices."""
    layout, buffer, client = state.layout, state.buffer, state.client
    offset, stride, kind, components, _, divisor, _ = layout
    size = element_bytes(kind, components)
    if not stride:
        stride, layout = size, ArrayLayout(offset, size, *layout[2:])
    if buffer is not None:
        if buffer.locked:
            raise GLError(gl.INVALID_OPERATION, f"attribute {location}: its buffer is mapped")
        note_undefined(context, buffer, f"attribute {location}")
        array = VertexArray(buffer.data, buffer.identity, buffer.version, layout)
    elif client:
        array = VertexArray(client, context.identities.take("buffer"), 0, layout)
    else:
        raise GLError(gl.INVALID_OPERATION, f"attribute {location}: {_NEVER_SET if client is None else _LOST}")
    vertices = _ANY_NUMBER if divisor else (len(array.data) - offset - size) // stride + 1
    if offset < 0 or last >= vertices:
        raise GLError(
            gl.INVALID_OPERATION,
            f"attribute {location}: vertex {last} lies outside its array of {len(array.data)} bytes; "
            "the draw is skipped",
        )
    return array, vertices


def object_label(context: Context) -> str:
    """Name of the current geometry: the open debug groups, else the label of the vertex array object, else of the index
    buffer, else of the first attribute's buffer; "" if there is none."""
    if context.debug_groups:
        return "/".join(context.debug_groups)
    arrays = context.state.vertex_array
    labels = [arrays.label, arrays.element_buffer.label if arrays.element_buffer is not None else ""]
    labels += [a.buffer.label for a in arrays.attributes if a.enabled and a.buffer is not None]
    return next((label for label in labels if label), "")
