"""Draws whose numbers lie in a buffer, and memory barriers (OpenGL ES 3.1, 7.11.2 and 10.5)."""

from __future__ import annotations

import struct
from typing import Any

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..arguments import handle
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import HARMLESS, PIXELS
from .drawing import INDEX_BYTES, glDrawArraysInstanced, glDrawElementsInstancedBaseVertex
from .table import EntryPoints

entry = EntryPoints()
_ARRAYS, _ELEMENTS = struct.Struct("<4I"), struct.Struct("<3IiI")
BARRIERS = 0x0000FFEF
"""Bits of glMemoryBarrier, those of later versions included."""
_OF_FRAMEBUFFERS = 0x400
REGION_BARRIERS = 0x0000342C
"""Bits of glMemoryBarrierByRegion: fetches of textures, uniforms, images, framebuffers, atomic counters, storage."""


@entry(effect=PIXELS)
def glDrawArraysIndirect(context: Context, mode: int, indirect: Any) -> None:
    count, instances, first, _ = _numbers(context, mode, indirect, _ARRAYS)
    glDrawArraysInstanced(context, mode, first, count, instances)


@entry(effect=PIXELS)
def glDrawElementsIndirect(context: Context, mode: int, kind: int, indirect: Any) -> None:
    check_enum(kind, INDEX_BYTES, "index type")
    indexed = context.state.vertex_array.element_buffer is not None
    check_operation(indexed, "no element array buffer is bound")
    count, instances, first, base, _ = _numbers(context, mode, indirect, _ELEMENTS)
    glDrawElementsInstancedBaseVertex(context, mode, count, kind, first * INDEX_BYTES[kind], instances, base)


def _numbers(context: Context, mode: int, indirect: Any, layout: struct.Struct) -> tuple[int, ...]:
    """The numbers of a draw, from the buffer; GLError where the specification forbids it."""
    check_enum(mode, gl.TOPOLOGIES, "mode")
    arrays = context.state.vertex_array
    check_operation(arrays is not context.vertex_arrays[0], "no vertex array object is bound")
    lost = [i for i, array in enumerate(arrays.attributes) if array.enabled and array.buffer is None]
    check_operation(not lost, f"attributes {lost} have no buffer")
    check_operation(not context.feedback.capturing, "transform feedback is active")
    buffer = context.state.buffers.get(gl.DRAW_INDIRECT_BUFFER)
    if buffer is None:
        raise GLError(gl.INVALID_OPERATION, "no draw indirect buffer is bound")
    check_operation(not buffer.locked, "the draw indirect buffer is mapped")
    offset = handle(indirect)
    check_value(offset >= 0 and offset % 4 == 0, f"byte {offset}")
    inside = offset + layout.size <= len(buffer.data)
    check_operation(inside, f"byte {offset} of a draw indirect buffer of {len(buffer.data)}")
    return layout.unpack_from(buffer.data, offset)


# Calls are executed in their order, so that there is nothing to wait for.
@entry(effect=HARMLESS)
def glMemoryBarrier(context: Context, barriers: int) -> None:
    every = barriers & 0xFFFFFFFF == 0xFFFFFFFF
    check_value(every or not barriers & ~BARRIERS, f"barriers {barriers:#x}")
    context.listener.event("barrier", context.call, barriers=barriers & 0xFFFFFFFF)


@entry("glBlendBarrier", "glBlendBarrierKHR", effect=HARMLESS)
def glBlendBarrier(context: Context) -> None:
    context.listener.event("barrier", context.call, barriers=_OF_FRAMEBUFFERS)


@entry(effect=HARMLESS)
def glMemoryBarrierByRegion(context: Context, barriers: int) -> None:
    every = barriers & 0xFFFFFFFF == 0xFFFFFFFF
    check_value(every or not barriers & ~REGION_BARRIERS, f"barriers {barriers:#x}")
    context.listener.event("barrier", context.call, barriers=barriers & 0xFFFFFFFF)
