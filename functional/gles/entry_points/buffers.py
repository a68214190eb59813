"""Entry points of buffers (OpenGL ES 3.0, 2.9)."""

from __future__ import annotations

from collections.abc import Sequence

from ...capture import Call
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.limits import (
    MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
    MAX_SHADER_STORAGE_BUFFER_BINDINGS,
    MAX_UNIFORM_BUFFER_BINDINGS,
)
from ...opengl.limits import MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS as MAX_FEEDBACK_BINDINGS
from ..arguments import handle, whole
from ..buffers import (
    DYNAMIC_STORAGE,
    MAP_COHERENT,
    MAP_FLUSH_EXPLICIT,
    MAP_INVALIDATE_BUFFER,
    MAP_INVALIDATE_RANGE,
    MAP_PERSISTENT,
    MAP_READ,
    MAP_UNSYNCHRONIZED,
    MAP_WRITE,
    STORAGE_FLAGS,
    Binding,
    Buffer,
    Mapping,
)
from ..checks import check_enum, check_operation, check_value, listed
from ..context import Context
from ..effects import COMPARED, HARMLESS, VERTEX_ARRAYS
from ..state import VertexBinding
from .table import EntryPoints

entry = EntryPoints()
_ES_1_TARGETS = frozenset({gl.ARRAY_BUFFER, gl.ELEMENT_ARRAY_BUFFER})
TARGETS = _ES_1_TARGETS | {
    gl.PIXEL_PACK_BUFFER,
    gl.PIXEL_UNPACK_BUFFER,
    gl.UNIFORM_BUFFER,
    gl.TRANSFORM_FEEDBACK_BUFFER,
    gl.COPY_READ_BUFFER,
    gl.COPY_WRITE_BUFFER,
    gl.DRAW_INDIRECT_BUFFER,
    gl.SHADER_STORAGE_BUFFER,
    gl.ATOMIC_COUNTER_BUFFER,
    gl.DISPATCH_INDIRECT_BUFFER,
}
INDEXED_BINDINGS = {
    gl.UNIFORM_BUFFER: MAX_UNIFORM_BUFFER_BINDINGS,
    gl.TRANSFORM_FEEDBACK_BUFFER: MAX_FEEDBACK_BINDINGS,
    gl.SHADER_STORAGE_BUFFER: MAX_SHADER_STORAGE_BUFFER_BINDINGS,
    gl.ATOMIC_COUNTER_BUFFER: MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
}
"""Number of bindings of each indexed target."""
USAGES = (
    frozenset(range(gl.STREAM_DRAW, gl.STREAM_COPY + 1))
    | frozenset(range(gl.STATIC_DRAW, gl.STATIC_COPY + 1))
    | frozenset(range(gl.DYNAMIC_DRAW, gl.DYNAMIC_COPY + 1))
)
_KNOWN_ACCESS = 0xFF
"""The bits of ES 3.0 and the two of EXT_buffer_storage."""


def check_target(context: Context, target: int) -> None:
    """INVALID_ENUM for a target that buffers cannot be bound to."""
    check_enum(target, TARGETS if context.version >= 2 else _ES_1_TARGETS, "buffer target")


def bound_buffer(context: Context, target: int) -> Buffer:
    """Buffer bound to a target; GLError if there is none."""
    check_target(context, target)
    state = context.state
    buffer = state.vertex_array.element_buffer if target == gl.ELEMENT_ARRAY_BUFFER else state.buffers.get(target)
    if buffer is None:
        raise GLError(gl.INVALID_OPERATION, "no buffer is bound")
    return buffer


@entry(effect=HARMLESS)
def glGenBuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.group.buffers.setdefault(name, Buffer(name, context.identities.take("buffer")))


def named_buffer(context: Context, name: int) -> Buffer | None:
    """Buffer of a name, created if it is new; None for 0."""
    if not name:
        return None
    if name not in context.group.buffers:
        glGenBuffers(context, 1, [name])
    buffer = context.group.buffers[name]
    buffer.bound = True
    return buffer


@entry(effect=COMPARED)
def glBindBuffer(context: Context, target: int, name: int) -> None:
    if target != gl.ARRAY_BUFFER and target != gl.ELEMENT_ARRAY_BUFFER:
        check_target(context, target)
    _bind(context, target, named_buffer(context, name) if name else None)


def _bind(context: Context, target: int, buffer: Buffer | None) -> None:
    if target == gl.ELEMENT_ARRAY_BUFFER:
        context.state.vertex_array.element_buffer = buffer
    elif buffer is None:
        context.state.buffers.pop(target, None)
    else:
        context.state.buffers[target] = buffer


@entry()
def glBindBufferBase(context: Context, target: int, index: int, name: int) -> None:
    _bind_indexed(context, target, index, name, 0, -1)


@entry()
def glBindBufferRange(context: Context, target: int, index: int, name: int, offset: int, size: int) -> None:
    check_enum(target, INDEXED_BINDINGS, "indexed buffer target")
    if name:
        check_value(size > 0 and offset >= 0, f"{size} bytes from byte {offset}")
        feedback = target == gl.TRANSFORM_FEEDBACK_BUFFER
        aligned = target == gl.UNIFORM_BUFFER or (offset % 4 == 0 and (size % 4 == 0 or not feedback))
        check_value(aligned, f"{size} bytes from byte {offset}: this target takes multiples of 4")
    _bind_indexed(context, target, index, name, offset, size)


def _bind_indexed(context: Context, target: int, index: int, name: int, offset: int, size: int) -> None:
    check_enum(target, INDEXED_BINDINGS, "indexed buffer target")
    feedback, limit = target == gl.TRANSFORM_FEEDBACK_BUFFER, INDEXED_BINDINGS[target]
    check_value(0 <= index < limit, f"index {index} of {limit}")
    check_operation(not (feedback and context.feedback.active), "transform feedback is active")
    buffer = named_buffer(context, name)
    _bind(context, target, buffer)
    bindings = context.feedback.bindings if feedback else context.state.indexed_buffers[target]
    if buffer is None:
        bindings.pop(index, None)
    else:
        bindings[index] = Binding(buffer, offset, size)


@entry()
def glDeleteBuffers(context: Context, count: int, names: Sequence[int]) -> None:
    context.forget()
    state = context.state
    for name in listed(count, names):
        gone = context.group.buffers.pop(name, None)
        if gone is None:
            continue
        gone.mapping = None
        # Only bindings of this context end; other contexts keep the object until they unbind it.
        state.buffers = {target: bound for target, bound in state.buffers.items() if bound is not gone}
        for bindings in (*state.indexed_buffers.values(), context.feedback.bindings):
            for index in [i for i, binding in bindings.items() if binding.buffer is gone]:
                del bindings[index]
        if state.vertex_array.element_buffer is gone:
            state.vertex_array.element_buffer = None
        bindings_of = state.vertex_array.bindings
        bindings_of |= {n: VertexBinding() for n, binding in bindings_of.items() if binding.buffer is gone}
        for array in state.vertex_array.attributes:
            if array.buffer is gone:
                array.buffer, array.client, array.layout = None, None, array.layout._replace(offset_bytes=0)


@entry()
def glCopyBufferSubData(context: Context, source: int, target: int, start: int, offset: int, size: int) -> None:
    reader, buffer = bound_buffer(context, source), bound_buffer(context, target)
    check_operation(not reader.locked and not buffer.locked, "a buffer is mapped")
    for read, first in ((reader, start), (buffer, offset)):
        valid = first >= 0 and size >= 0 and first + size <= len(read.data)
        check_value(valid, f"bytes {first} to {first + size} of a buffer of {len(read.data)}")
    check_value(reader is not buffer or abs(start - offset) >= size, "the ranges overlap")
    buffer.update(offset, bytes(reader.data[start : start + size]))
    _written(context, buffer, offset, size)


@entry(effect=VERTEX_ARRAYS)
def glBufferData(context: Context, target: int, size: int, data: bytes | None, usage: int) -> None:
    check_target(context, target)
    check_enum(usage, USAGES, "usage")
    check_value(size >= 0, f"{size} bytes")
    buffer = bound_buffer(context, target)
    check_operation(buffer.storage_flags is None, f"buffer {buffer.name} has immutable storage")
    buffer.allocate(size, data, usage)
    _written(context, buffer, 0, size)


@entry("glBufferStorageEXT", "glBufferStorage", effect=VERTEX_ARRAYS)
def glBufferStorage(context: Context, target: int, size: int, data: bytes | None, flags: int) -> None:
    buffer = bound_buffer(context, target)
    check_value(size > 0, f"{size} bytes")
    persistent, coherent = bool(flags & MAP_PERSISTENT), bool(flags & MAP_COHERENT)
    mappable = not persistent or bool(flags & (MAP_READ | MAP_WRITE))
    check_value(not flags & ~STORAGE_FLAGS and mappable and (persistent or not coherent), f"flags {flags:#x}")
    check_operation(buffer.storage_flags is None, f"buffer {buffer.name} has immutable storage")
    buffer.allocate(size, data, gl.DYNAMIC_DRAW)
    buffer.storage_flags = flags
    _written(context, buffer, 0, size)


@entry(effect=VERTEX_ARRAYS)
def glBufferSubData(context: Context, target: int, offset: int, size: int, data: bytes) -> None:
    check_target(context, target)
    check_value(offset >= 0 and size >= 0, f"{size} bytes from byte {offset}")
    buffer = bound_buffer(context, target)
    check_value(offset + size <= len(buffer.data), f"{size} bytes from byte {offset} of {len(buffer.data)}")
    check_operation(not buffer.locked, "the buffer is mapped")
    dynamic = buffer.storage_flags is None or bool(buffer.storage_flags & DYNAMIC_STORAGE)
    check_operation(dynamic, f"buffer {buffer.name} has storage that is not dynamic")
    buffer.update(offset, data[:size])
    _written(context, buffer, offset, size)


def _written(context: Context, buffer: Buffer, offset: int, size: int) -> None:
    context.listener.event("buffer_update", context.call, buffer=buffer, offset_bytes=offset, size_bytes=size)


@entry.with_call("glMapBufferOES", "glMapBuffer", effect=VERTEX_ARRAYS)
def glMapBuffer(context: Context, call: Call) -> None:
    buffer = bound_buffer(context, whole(call.at(0)))
    check_operation(buffer.mapping is None, "the buffer is mapped already")
    _map(context, call, buffer, Mapping(0, 0, len(buffer.data), MAP_WRITE))


@entry.with_call("glMapBufferRange", "glMapBufferRangeEXT", effect=VERTEX_ARRAYS)
def glMapBufferRange(context: Context, call: Call) -> None:
    target, offset, size, access = (check(call.at(place)) for place, check in enumerate((whole, handle, handle, whole)))
    buffer = bound_buffer(context, target)
    check_value(
        offset >= 0 and size >= 0 and offset + size <= len(buffer.data),
        f"bytes {offset} to {offset + size} of a buffer of {len(buffer.data)}",
    )
    check_value(not access & ~_KNOWN_ACCESS, f"access {access:#x}")
    unread = MAP_INVALIDATE_RANGE | MAP_INVALIDATE_BUFFER | MAP_UNSYNCHRONIZED
    check_operation(
        size > 0
        and buffer.mapping is None
        and bool(access & (MAP_READ | MAP_WRITE))
        and not (access & MAP_READ and access & unread)
        and not (access & MAP_FLUSH_EXPLICIT and not access & MAP_WRITE),
        f"mapping {size} bytes with access {access:#x}, or the buffer is mapped already",
    )
    # Storage of glBufferData allows all but persistent mappings.
    allowed = MAP_READ | MAP_WRITE if buffer.storage_flags is None else buffer.storage_flags
    asked = access & (MAP_READ | MAP_WRITE | MAP_PERSISTENT | MAP_COHERENT)
    check_operation(not asked & ~allowed, f"access {access:#x} to storage with flags {allowed:#x}")
    _map(context, call, buffer, Mapping(0, offset, size, access))


def _map(context: Context, call: Call, buffer: Buffer, mapping: Mapping) -> None:
    address = call.result if isinstance(call.result, int) else 0
    buffer.mapping = Mapping(int(address), mapping.offset, mapping.size, mapping.access)
    context.group.mapped[id(buffer)] = buffer


@entry("glUnmapBuffer", "glUnmapBufferOES", effect=VERTEX_ARRAYS)
def glUnmapBuffer(context: Context, target: int) -> None:
    buffer = bound_buffer(context, target)
    check_operation(buffer.mapping is not None, "the buffer is not mapped")
    buffer.mapping = None
    context.group.mapped.pop(id(buffer), None)


@entry("glFlushMappedBufferRange", "glFlushMappedBufferRangeEXT", effect=VERTEX_ARRAYS)
def glFlushMappedBufferRange(context: Context, target: int, offset: int, length: int) -> None:
    check_value(offset >= 0 and length >= 0, f"{length} bytes from byte {offset}")
    mapping = bound_buffer(context, target).mapping
    explicit = mapping is not None and bool(mapping.access & MAP_FLUSH_EXPLICIT)
    check_operation(explicit, "the buffer is not mapped for explicit flushes")
    assert mapping is not None
    check_value(offset + length <= mapping.size, f"bytes {offset} to {offset + length} of {mapping.size} mapped")


def write_mapped(context: Context, address: int, data: bytes) -> bool:
    """Store bytes that the program wrote to mapped memory; False if nothing is mapped there."""
    for buffer in context.group.mapped.values():
        mapping = buffer.mapping
        if mapping is None or not mapping.address <= address <= mapping.address + mapping.size - len(data):
            continue
        offset = mapping.offset + address - mapping.address
        buffer.update(offset, data)
        _written(context, buffer, offset, len(data))
        return True
    return False
