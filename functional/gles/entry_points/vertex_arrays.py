"""Entry points of vertex arrays and vertex array objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import enums as gl
from ..context import Context
from ..errors import GLError, Unsupported
from ..state import MAX_ATTRIBUTES, AttributeArray, VertexArrayObject
from .table import EntryPoints

entry = EntryPoints()


@entry("glGenVertexArrays", "glGenVertexArraysOES")
def glGenVertexArrays(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.vertex_arrays.setdefault(name, VertexArrayObject())


@entry("glBindVertexArray", "glBindVertexArrayOES")
def glBindVertexArray(context: Context, name: int) -> None:
    if name not in context.vertex_arrays:
        context.vertex_arrays[name] = VertexArrayObject()
    context.state.vertex_array = context.vertex_arrays[name]


@entry("glDeleteVertexArrays", "glDeleteVertexArraysOES")
def glDeleteVertexArrays(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        gone = context.vertex_arrays.pop(name, None) if name else None
        if gone is not None and gone is context.state.vertex_array:
            context.state.vertex_array = context.vertex_arrays[0]


@entry("glVertexAttribDivisor", "glVertexAttribDivisorANGLE", "glVertexAttribDivisorEXT")
def glVertexAttribDivisor(context: Context, index: int, divisor: int) -> None:
    _attribute(context, index).divisor = divisor


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
    array.integer = False
    array.buffer = context.state.buffers.get(gl.ARRAY_BUFFER, 0)
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
    _attribute(context, index)
    context.state.constants[index] = (x, y, z, w)


def _attribute(context: Context, index: int) -> AttributeArray:
    if not 0 <= index < MAX_ATTRIBUTES:
        raise GLError(gl.INVALID_VALUE, f"attribute {index}; there are {MAX_ATTRIBUTES}")
    return context.state.vertex_array.attributes[index]


@entry()
def glVertexAttribIPointer(context: Context, index: int, size: int, kind: int, stride: int, pointer: Any) -> None:
    glVertexAttribPointer(context, index, size, kind, False, stride, pointer)
    _attribute(context, index).integer = True


@entry("glVertexAttribI4i", "glVertexAttribI4ui")
def glVertexAttribI4(context: Context, index: int, *values: int) -> None:
    glVertexAttribI4v(context, index, values)


@entry("glVertexAttribI4iv", "glVertexAttribI4uiv")
def glVertexAttribI4v(context: Context, index: int, values: Sequence[int]) -> None:
    _attribute(context, index)
    x, y, z, w = (float(np.uint32(v & 0xFFFFFFFF).view(np.float32)) for v in values)
    context.state.constants[index] = (x, y, z, w)
