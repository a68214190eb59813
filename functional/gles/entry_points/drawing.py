"""Entry points that draw: clears and draws; here the state becomes a `DrawCommand`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import ExecutionError
from ...pipeline.clear import clear
from .. import enums as gl
from ..context import Context
from ..errors import GLError, InternalError
from ..resolve import resolve_draw, resolve_target, scissor_box
from .table import EntryPoints

entry = EntryPoints()
_INDEX_TYPES = {gl.UNSIGNED_BYTE: np.uint8, gl.UNSIGNED_SHORT: np.uint16, gl.UNSIGNED_INT: np.uint32}


@entry()
def glClear(context: Context, mask: int) -> None:
    if mask & ~(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT):
        raise GLError(gl.INVALID_VALUE, f"clear mask {mask:#x}")
    state = context.state
    framebuffer = context.framebuffer
    target = resolve_target(framebuffer)
    box = scissor_box(state, target.width, target.height)
    color_mask = state.color_mask if mask & gl.COLOR_BUFFER_BIT else (False,) * 4
    depth = bool(mask & gl.DEPTH_BUFFER_BIT) and state.depth_mask and target.depth is not None
    stencil_mask = (
        state.stencil_front.write_mask & 0xFF if mask & gl.STENCIL_BUFFER_BIT and target.stencil is not None else 0
    )
    clear(
        target,
        box,
        state.clear_color,
        color_mask,
        state.clear_depth if depth else None,
        state.clear_stencil,
        stencil_mask,
    )
    for attachment, written in (
        (framebuffer.color, any(color_mask)),
        (framebuffer.depth, depth or bool(stencil_mask)),
    ):
        if attachment is not None and written:
            attachment.touched()
    context.journal.event(
        "clear",
        context.call,
        context=context,
        framebuffer=framebuffer,
        box=box,
        color_mask=color_mask,
        depth=depth,
        stencil_mask=stencil_mask,
    )


@entry()
def glDrawArrays(context: Context, mode: int, first: int, count: int) -> None:
    _check(mode, count)
    if first < 0:
        raise GLError(gl.INVALID_VALUE, f"first {first}")
    _draw(context, mode, first, count, None, 1)


@entry()
def glDrawElements(context: Context, mode: int, count: int, kind: int, indices: Any) -> None:
    _check(mode, count)
    if count:
        stream, source = _indices(context, count, kind, indices)
        _draw(context, mode, 0, count, stream, 1, source)


@entry()
def glDrawRangeElements(context: Context, mode: int, start: int, end: int, count: int, kind: int, indices: Any) -> None:
    glDrawElements(context, mode, count, kind, indices)


def _check(mode: int, count: int) -> None:
    if mode not in gl.TOPOLOGIES:
        raise GLError(gl.INVALID_ENUM, f"mode {mode:#06x}")
    if count < 0:
        raise GLError(gl.INVALID_VALUE, f"count {count}")


def _indices(context: Context, count: int, kind: int, indices: Any) -> tuple[NDArray[np.uint32], tuple[int, int, int]]:
    if kind not in _INDEX_TYPES:
        raise GLError(gl.INVALID_ENUM, f"index type {kind:#06x}")
    dtype = np.dtype(_INDEX_TYPES[kind])
    offset, identity = 0, -1
    if isinstance(indices, bytes):
        data: bytes | bytearray = indices
    else:
        if context.state.element_buffer == 0:
            raise GLError(gl.INVALID_OPERATION, "no indices: no element array buffer is bound and the stream has none")
        buffer = context.group.buffers[context.state.element_buffer]
        data, identity = buffer.data, buffer.identity
        offset = int(indices or 0)
    if offset < 0 or offset + count * dtype.itemsize > len(data):
        raise GLError(gl.INVALID_OPERATION, f"{count} indices from byte {offset} leave the buffer of {len(data)} bytes")
    return np.frombuffer(data, dtype, count, offset).astype(np.uint32), (dtype.itemsize, identity, offset)


def _draw(
    context: Context,
    mode: int,
    first: int,
    count: int,
    indices: NDArray[np.uint32] | None,
    instances: int,
    index_source: tuple[int, int, int] = (0, -1, 0),
) -> None:
    if count == 0 or instances == 0:
        return
    program = context.group.programs.get(context.state.program)
    if program is None or program.linked is None:
        raise GLError(gl.INVALID_OPERATION, "no linked program is in use; nothing is drawn")
    command = resolve_draw(context, program, mode, first, count, instances, indices, index_source)
    try:
        context.run_draw(command, context.journal.draw(context, command, context.call))
    except ExecutionError as error:
        raise GLError(gl.NO_ERROR, str(error)) from None
    except Exception as error:
        raise InternalError(f"call {context.call}: {error}") from error
    program.dirty.clear()
    framebuffer = context.framebuffer
    for attachment in (framebuffer.color, framebuffer.depth):
        if attachment is not None:
            attachment.touched()
