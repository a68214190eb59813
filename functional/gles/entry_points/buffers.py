"""Entry points of buffers and vertex arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...capture import Call
from .. import enums as gl
from ..buffers import Buffer
from ..context import Context
from ..errors import GLError, Unsupported
from ..state import MAX_ATTRIBUTES, AttributeArray
from .table import EntryPoints

entry = EntryPoints()


def bound_buffer(context: Context, target: int) -> Buffer:
    """Buffer bound to a target; GLError where there is none."""
    names = {
        gl.ARRAY_BUFFER: context.state.array_buffer,
        gl.ELEMENT_ARRAY_BUFFER: context.state.element_buffer,
    }
    if target not in names:
        raise Unsupported(f"buffer target {target:#06x}")
    if names[target] == 0:
        raise GLError(gl.INVALID_OPERATION, "no buffer is bound")
    return context.group.buffers[names[target]]


@entry()
def glGenBuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.buffers.setdefault(name, Buffer(name, context.identities.take("buffer")))


@entry()
def glBindBuffer(context: Context, target: int, name: int) -> None:
    if name and name not in context.group.buffers:
        context.group.buffers[name] = Buffer(name, context.identities.take("buffer"))
    if target == gl.ARRAY_BUFFER:
        context.state.array_buffer = name
    elif target == gl.ELEMENT_ARRAY_BUFFER:
        context.state.element_buffer = name
    else:
        raise Unsupported(f"buffer target {target:#06x}")


@entry()
def glDeleteBuffers(context: Context, count: int, names: Sequence[int]) -> None:
    state = context.state
    for name in names or ():
        context.group.buffers.pop(name, None)
        state.array_buffer = 0 if state.array_buffer == name else state.array_buffer
        state.element_buffer = 0 if state.element_buffer == name else state.element_buffer


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


@entry()
def glVertexAttribPointer(
    context: Context, index: int, size: int, kind: int, normalized: int, stride: int, pointer: Any
) -> None:
    array = _attribute(context, index)
    if size not in (1, 2, 3, 4):
        raise GLError(gl.INVALID_VALUE, f"{size} components")
    if kind not in gl.COMPONENT_TYPES:
        raise Unsupported(f"component type {kind:#06x}")
    if stride < 0:
        raise GLError(gl.INVALID_VALUE, f"stride {stride}")
    array.components, array.type, array.normalized, array.stride_bytes = size, kind, bool(normalized), stride
    array.buffer = context.state.array_buffer
    array.client = pointer if isinstance(pointer, bytes) else None
    array.offset_bytes = 0 if pointer is None or isinstance(pointer, bytes) else int(pointer)


@entry()
def glEnableVertexAttribArray(context: Context, index: int) -> None:
    _attribute(context, index).enabled = True


@entry()
def glDisableVertexAttribArray(context: Context, index: int) -> None:
    _attribute(context, index).enabled = False


@entry("glVertexAttrib1f", "glVertexAttrib2f", "glVertexAttrib3f", "glVertexAttrib4f")
def glVertexAttribf(context: Context, index: int, *values: float) -> None:
    glVertexAttribfv(context, index, values)


@entry("glVertexAttrib1fv", "glVertexAttrib2fv", "glVertexAttrib3fv", "glVertexAttrib4fv")
def glVertexAttribfv(context: Context, index: int, values: Sequence[float]) -> None:
    x, y, z, w = (*(float(v) for v in values), *(0.0, 0.0, 0.0, 1.0)[len(values) :])
    _attribute(context, index).constant = (x, y, z, w)


def _attribute(context: Context, index: int) -> AttributeArray:
    if not 0 <= index < MAX_ATTRIBUTES:
        raise GLError(gl.INVALID_VALUE, f"attribute {index}; there are {MAX_ATTRIBUTES}")
    return context.state.attributes[index]
