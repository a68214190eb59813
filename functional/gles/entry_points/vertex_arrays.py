"""Entry points of vertex arrays and vertex array objects (OpenGL ES 3.0, 2.8 and 2.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.limits import MAX_VERTEX_ATTRIBS
from ...pipeline.command import ArrayLayout
from ..arguments import handle
from ..checks import check_enum, check_operation, check_value, listed
from ..context import Context
from ..effects import HARMLESS, VERTEX_ARRAYS
from ..state import AttributeArray, VertexArrayObject
from .table import EntryPoints
from .vertex_bindings import follow_pointer, set_divisor

entry = EntryPoints()
_INTEGERS = frozenset(range(gl.BYTE, gl.UNSIGNED_INT + 1))
_OF_ANY_SIZE = frozenset(gl.COMPONENT_TYPES) - frozenset(gl.PACKED_COMPONENT_TYPES)


@entry("glGenVertexArrays", "glGenVertexArraysOES", effect=HARMLESS)
def glGenVertexArrays(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.vertex_arrays.setdefault(name, VertexArrayObject.of(context.fixed_functions))


@entry("glBindVertexArray", "glBindVertexArrayOES", effect=VERTEX_ARRAYS)
def glBindVertexArray(context: Context, name: int) -> None:
    check_operation(name in context.vertex_arrays, f"no vertex array object {name}")
    context.vertex_arrays[name].bound = True
    context.state.vertex_array = context.vertex_arrays[name]


@entry("glDeleteVertexArrays", "glDeleteVertexArraysOES")
def glDeleteVertexArrays(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        gone = context.vertex_arrays.pop(name, None) if name else None
        if gone is not None and gone is context.state.vertex_array:
            context.state.vertex_array = context.vertex_arrays[0]


@entry("glVertexAttribDivisor", "glVertexAttribDivisorANGLE", "glVertexAttribDivisorEXT", effect=VERTEX_ARRAYS)
def glVertexAttribDivisor(context: Context, index: int, divisor: int) -> None:
    check_value(divisor >= 0, f"divisor {divisor}")
    array = attribute(context, index)
    array.layout = array.layout._replace(divisor=divisor)
    if array.binding is not None or context.state.vertex_array.bindings:
        set_divisor(context.state.vertex_array, index, divisor)


@entry(effect=VERTEX_ARRAYS)
def glVertexAttribPointer(
    context: Context, index: int, size: int, kind: int, normalized: int, stride: int, pointer: Any
) -> None:
    attribute(context, index)
    set_pointer(context, index, size, kind, bool(normalized), stride, pointer)


def set_pointer(
    context: Context,
    index: int,
    size: int,
    kind: int,
    normalized: bool,
    stride: int,
    pointer: Any,
    integer: bool = False,
) -> None:
    """Location of an attribute's array: an offset into the bound buffer, or the content of a client-side array."""
    array = context.state.vertex_array.attributes[index]
    buffer = context.state.buffers.get(gl.ARRAY_BUFFER)
    if not 1 <= size <= 4 or stride < 0 or kind not in _OF_ANY_SIZE:
        _check_format(size, kind, stride)
    if buffer is None and context.state.vertex_array is not context.vertex_arrays[0]:
        check_operation(pointer in (None, 0), "client-side arrays need the default object")
    client = pointer if isinstance(pointer, bytes) else None
    offset = 0 if pointer is None or client is not None else handle(pointer)
    array.layout = ArrayLayout(offset, stride, kind, size, normalized, array.layout.divisor, integer)
    array.buffer, array.client, array.pointed = buffer, client, (stride, offset)
    if array.binding is not None or context.state.vertex_array.bindings:
        follow_pointer(context.state.vertex_array, index)


def _check_format(size: int, kind: int, stride: int) -> None:
    check_value(size in (1, 2, 3, 4), f"{size} components")
    check_enum(kind, gl.COMPONENT_TYPES, "component type")
    check_value(stride >= 0, f"stride {stride}")
    check_operation(size == 4 or kind not in gl.PACKED_COMPONENT_TYPES, f"{size} components of a packed type")


@entry(effect=VERTEX_ARRAYS)
def glEnableVertexAttribArray(context: Context, index: int) -> None:
    attribute(context, index).enabled = True


@entry(effect=VERTEX_ARRAYS)
def glDisableVertexAttribArray(context: Context, index: int) -> None:
    attribute(context, index).enabled = False


@entry("glVertexAttrib1f", "glVertexAttrib2f", "glVertexAttrib3f", "glVertexAttrib4f", effect=VERTEX_ARRAYS)
def glVertexAttribf(context: Context, index: int, *values: float) -> None:
    glVertexAttribfv(context, index, values)


@entry("glVertexAttrib1fv", "glVertexAttrib2fv", "glVertexAttrib3fv", "glVertexAttrib4fv", effect=VERTEX_ARRAYS)
def glVertexAttribfv(context: Context, index: int, values: Sequence[float]) -> None:
    check_value(1 <= len(values) <= 4, f"{len(values)} numbers")
    x, y, z, w = (*(float(v) for v in values), *(0.0, 0.0, 0.0, 1.0)[len(values) :])
    attribute(context, index)
    context.state.constants[index] = (x, y, z, w)
    context.state.integer_constants.discard(index)


def attribute(context: Context, index: int) -> AttributeArray:
    """Array of an attribute; GLError for an index out of range."""
    if not 0 <= index < MAX_VERTEX_ATTRIBS:
        raise GLError(gl.INVALID_VALUE, f"attribute {index}; there are {MAX_VERTEX_ATTRIBS}")
    return context.state.vertex_array.attributes[index]


@entry(effect=VERTEX_ARRAYS)
def glVertexAttribIPointer(context: Context, index: int, size: int, kind: int, stride: int, pointer: Any) -> None:
    attribute(context, index)
    check_value(size in (1, 2, 3, 4), f"{size} components")
    check_enum(kind, _INTEGERS, "component type")
    set_pointer(context, index, size, kind, False, stride, pointer, integer=True)


@entry("glVertexAttribI4i", "glVertexAttribI4ui", effect=VERTEX_ARRAYS)
def glVertexAttribI4(context: Context, index: int, *values: int) -> None:
    glVertexAttribI4v(context, index, values)


@entry("glVertexAttribI4iv", "glVertexAttribI4uiv", effect=VERTEX_ARRAYS)
def glVertexAttribI4v(context: Context, index: int, values: Sequence[int]) -> None:
    attribute(context, index)
    check_value(len(values) == 4, f"{len(values)} numbers")
    x, y, z, w = (float(np.uint32(v & 0xFFFFFFFF).view(np.float32)) for v in values)
    context.state.constants[index] = (x, y, z, w)
    context.state.integer_constants.add(index)
