"""From vertex array state to the arrays of a draw."""

from __future__ import annotations

from dataclasses import dataclass

from ..pipeline.command import VertexArray
from ..pipeline.vertex_formats import element_bytes
from . import enums as gl
from .buffers import Buffer
from .checks import check_operation
from .context import Context
from .errors import GLError
from .labels import object_label
from .limits import MAX_VERTEX_ATTRIBS
from .programs import Program
from .state import AttributeArray

MAP_PERSISTENT = 0x40
Constant = tuple[float, float, float, float]


@dataclass(slots=True)
class ResolvedArrays:
    """Arrays of a program's draws, for as long as nothing changes them.

    Attributes
    ----------
    key
        Revisions of the state, and the program, that they were resolved for.
    arrays, constants
        By attribute location.
    buffers
        Buffers with the version that the arrays show.
    room
        Vertices that all arrays have; -1 where they may not be used again.
    label
        Debug label of what is drawn.
    """

    key: tuple[int, int, object]
    arrays: dict[int, VertexArray]
    constants: dict[int, Constant]
    buffers: list[tuple[Buffer, int]]
    room: int
    label: str


def resolve_arrays(context: Context, program: Program, last: int) -> ResolvedArrays:
    """Arrays and constant attributes of a draw up to vertex `last`.

    Raises
    ------
    GLError
        An array ends before the last vertex, is mapped, or was lost by the tracer.
    """
    group = context.group
    known = context.resolved_arrays
    key = (group.revision, group.arrays_revision, program.linked)
    if known is not None and last < known.room and known.key == key and known_versions(known):
        return known
    arrays: dict[int, VertexArray] = {}
    constants: dict[int, Constant] = {}
    buffers: list[tuple[Buffer, int]] = []
    room = 1 << 40
    assert program.linked is not None
    for declaration in program.linked.vertex.inputs:
        location = declaration.slot
        if declaration.semantic != "attribute" or not 0 <= location < MAX_VERTEX_ATTRIBS:
            continue
        state = context.state.vertex_array.attributes[location]
        if not state.enabled:
            constants[location] = context.state.constants[location]
            continue
        arrays[location] = array = _array(context, state, location, last)
        if state.buffer is None:
            # Client-side arrays have a number of their own in every draw.
            room = -1
        else:
            buffers.append((state.buffer, state.buffer.version))
            if not array.divisor:
                size = element_bytes(array.type, array.components)
                room = min(room, (len(array.data) - array.offset_bytes - size) // array.stride_bytes + 1)
    label = object_label(context) if group.labelled or context.debug_groups else ""
    resolved = context.resolved_arrays = ResolvedArrays(key, arrays, constants, buffers, room, label)
    return resolved


def known_versions(resolved: ResolvedArrays) -> bool:
    """Whether the buffers still have the content that was resolved."""
    return all(buffer.version == version for buffer, version in resolved.buffers)


def _array(context: Context, state: AttributeArray, location: int, last: int) -> VertexArray:
    size = element_bytes(state.type, state.components)
    stride = state.stride_bytes or size
    if state.buffer is not None:
        check_operation(not _mapped(state.buffer), f"attribute {location}: its buffer is mapped")
        data: bytes | bytearray = state.buffer.data
        identity, version = state.buffer.identity, state.buffer.version
    elif state.client is not None:
        data = state.client
        if not data:
            raise GLError(
                gl.INVALID_OPERATION,
                f"attribute {location}: the tracer lost its client-side array (blob of 0 bytes, which "
                "apitrace writes for client-side arrays with an element array buffer); the draw is skipped",
            )
        identity, version = context.identities.take("buffer"), 0
    else:
        raise GLError(gl.INVALID_OPERATION, f"attribute {location}: its array is enabled but never set")
    if state.offset_bytes < 0 or (state.divisor == 0 and state.offset_bytes + last * stride + size > len(data)):
        raise GLError(
            gl.INVALID_OPERATION,
            f"attribute {location}: vertex {last} lies outside its array of {len(data)} bytes; the draw is skipped",
        )
    return VertexArray(
        data,
        identity,
        version,
        state.offset_bytes,
        stride,
        state.type,
        state.components,
        state.normalized,
        state.divisor,
        state.integer,
    )


def _mapped(buffer: Buffer) -> bool:
    """Whether a buffer is mapped in a way that keeps draws from using it."""
    return buffer.mapping is not None and not buffer.mapping.access & MAP_PERSISTENT
