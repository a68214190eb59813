"""Entry points of buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call
from .. import enums as gl
from ..buffers import Buffer
from ..context import Context
from ..errors import GLError, Unsupported
from .table import EntryPoints

entry = EntryPoints()


_TARGETS = frozenset(
    {
        gl.ARRAY_BUFFER,
        gl.ELEMENT_ARRAY_BUFFER,
        gl.PIXEL_PACK_BUFFER,
        gl.PIXEL_UNPACK_BUFFER,
        gl.UNIFORM_BUFFER,
        gl.TRANSFORM_FEEDBACK_BUFFER,
        gl.COPY_READ_BUFFER,
        gl.COPY_WRITE_BUFFER,
    }
)


def bound_buffer(context: Context, target: int) -> Buffer:
    """Buffer bound to a target; GLError where there is none."""
    if target not in _TARGETS:
        raise Unsupported(f"buffer target {target:#06x}")
    state = context.state
    name = state.vertex_array.element_buffer if target == gl.ELEMENT_ARRAY_BUFFER else state.buffers.get(target, 0)
    if name == 0:
        raise GLError(gl.INVALID_OPERATION, "no buffer is bound")
    return context.group.buffers[name]


@entry()
def glGenBuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.buffers.setdefault(name, Buffer(name, context.identities.take("buffer")))


@entry()
def glBindBuffer(context: Context, target: int, name: int) -> None:
    if target not in _TARGETS:
        raise Unsupported(f"buffer target {target:#06x}")
    if name and name not in context.group.buffers:
        glGenBuffers(context, 1, [name])
    if target == gl.ELEMENT_ARRAY_BUFFER:
        context.state.vertex_array.element_buffer = name
    else:
        context.state.buffers[target] = name


@entry()
def glBindBufferBase(context: Context, target: int, index: int, name: int) -> None:
    glBindBufferRange(context, target, index, name, 0, -1)


@entry()
def glBindBufferRange(context: Context, target: int, index: int, name: int, offset: int, size: int) -> None:
    glBindBuffer(context, target, name)
    if target != gl.UNIFORM_BUFFER:
        raise Unsupported(f"indexed buffer target {target:#06x}")
    context.state.uniform_buffers[index] = (name, int(offset), size)


@entry()
def glDeleteBuffers(context: Context, count: int, names: Sequence[int]) -> None:
    state = context.state
    for name in names or ():
        context.group.buffers.pop(name, None)
        state.buffers = {target: bound for target, bound in state.buffers.items() if bound != name}
        if state.vertex_array.element_buffer == name:
            state.vertex_array.element_buffer = 0


@entry()
def glCopyBufferSubData(context: Context, source: int, target: int, start: int, offset: int, size: int) -> None:
    data = bound_buffer(context, source).data
    if start < 0 or size < 0 or start + size > len(data):
        raise GLError(gl.INVALID_VALUE, f"bytes {start} to {start + size} of a buffer of {len(data)}")
    buffer = bound_buffer(context, target)
    buffer.update(int(offset), bytes(data[start : start + size]))
    _written(context, buffer, int(offset), size)


@entry()
def glBufferData(context: Context, target: int, size: int, data: bytes | None, usage: int) -> None:
    buffer = bound_buffer(context, target)
    buffer.allocate(size, data, usage)
    _written(context, buffer, 0, size)


@entry()
def glBufferSubData(context: Context, target: int, offset: int, size: int, data: bytes) -> None:
    buffer = bound_buffer(context, target)
    buffer.update(int(offset), data[:size])
    _written(context, buffer, int(offset), size)


def _written(context: Context, buffer: Buffer, offset: int, size: int) -> None:
    context.journal.event("buffer_update", context.call, buffer=buffer, offset_bytes=offset, size_bytes=size)


@entry.with_call("glMapBufferOES", "glMapBuffer", "glMapBufferRange", "glMapBufferRangeEXT")
def glMapBuffer(context: Context, call: Call) -> None:
    target: Any = call.arguments[0]
    buffer = bound_buffer(context, target)
    offset, size = 0, len(buffer.data)
    if "Range" in call.name:
        offset, size = int(call.arguments[1]), int(call.arguments[2])  # type: ignore[arg-type]
    if isinstance(call.result, int) and call.result:
        context.mapped[target] = (int(call.result), size, buffer, offset)


@entry("glUnmapBuffer", "glUnmapBufferOES")
def glUnmapBuffer(context: Context, target: int) -> None:
    context.mapped.pop(target, None)


@entry("glFlushMappedBufferRange", "glFlushMappedBufferRangeEXT")
def glFlushMappedBufferRange(context: Context, target: int, offset: int, length: int) -> None:
    bound_buffer(context, target)


def write_mapped(context: Context, address: int, data: bytes) -> bool:
    """Bytes that the program wrote to mapped memory; False where nothing is mapped there."""
    for start, size, buffer, offset in context.mapped.values():
        if start <= address and address + len(data) <= start + size:
            buffer.update(offset + address - start, data)
            _written(context, buffer, offset + address - start, len(data))
            return True
    return False
