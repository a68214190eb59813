"""Entry points of vertex buffer bindings (OpenGL ES 3.1, 10.3.2).

An attribute has a format and names a binding; a binding has a buffer, an offset, a stride and a divisor. Draws only see
`AttributeArray.layout` and its buffer, which are derived again when either changes.
"""

from __future__ import annotations

from ...opengl import enums as gl
from ...opengl.limits import (
    MAX_VERTEX_ATTRIB_BINDINGS,
    MAX_VERTEX_ATTRIB_RELATIVE_OFFSET,
    MAX_VERTEX_ATTRIB_STRIDE,
    MAX_VERTEX_ATTRIBS,
)
from ...pipeline.geometry.vertex_formats import element_bytes
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import VERTEX_ARRAYS
from ..state import NEVER, AttributeArray, VertexArrayObject, VertexBinding
from .buffers import named_buffer
from .table import EntryPoints

entry = EntryPoints()


def _attribute(context: Context, index: int) -> AttributeArray:
    check_value(0 <= index < MAX_VERTEX_ATTRIBS, f"attribute {index} of {MAX_VERTEX_ATTRIBS}")
    return context.state.vertex_array.attributes[index]


def _check_binding(context: Context, number: int) -> VertexArrayObject:
    check_value(0 <= number < MAX_VERTEX_ATTRIB_BINDINGS, f"binding {number} of {MAX_VERTEX_ATTRIB_BINDINGS}")
    arrays = context.state.vertex_array
    check_operation(arrays is not context.vertex_arrays[0], "no vertex array object is bound")
    return arrays


def _binding(arrays: VertexArrayObject, number: int) -> VertexBinding:
    """A binding: set by itself, or by the pointer of the attribute of the same number."""
    binding = arrays.bindings.get(number)
    if binding is not None:
        return binding
    array = arrays.attributes[number]
    layout = array.layout
    if array.binding is not None or (array.buffer is None and array.client is None):
        return VertexBinding(divisor=layout.divisor if array.binding is None else 0)
    stride = layout.stride_bytes or element_bytes(layout.type, layout.components)
    return VertexBinding(array.buffer, layout.offset_bytes, stride, layout.divisor)


def _apply(arrays: VertexArrayObject, array: AttributeArray, binding: VertexBinding) -> None:
    """Derive what draws see of an attribute."""
    array.buffer, array.client = binding.buffer, None
    array.layout = array.layout._replace(
        offset_bytes=binding.offset_bytes + array.relative_bytes,
        stride_bytes=binding.stride_bytes,
        divisor=binding.divisor if binding.stride_bytes else NEVER,
    )


def _change(arrays: VertexArrayObject, number: int, binding: VertexBinding) -> None:
    """Set a binding, for all attributes that name it."""
    _keep(arrays)
    arrays.bindings[number] = binding
    for place, array in enumerate(arrays.attributes):
        if (place if array.binding is None else array.binding) == number:
            _apply(arrays, array, binding)


def _keep(arrays: VertexArrayObject) -> None:
    """Note the bindings that pointers implied so far: attributes and bindings go separate ways from now on."""
    if not arrays.bindings:
        arrays.bindings = {number: _binding(arrays, number) for number in range(MAX_VERTEX_ATTRIB_BINDINGS)}


def follow_pointer(arrays: VertexArrayObject, index: int) -> None:
    """Let an attribute's pointer set the binding of its number, too (OpenGL ES 3.1, 10.3.2)."""
    array, own = arrays.attributes[index], arrays.bindings.pop(index, None)
    array.binding, array.relative_bytes = None, 0
    if own is not None:
        # The array had that of the binding it leaves.
        array.layout = array.layout._replace(divisor=own.divisor)
    if array.client is None:
        _change(arrays, index, _binding(arrays, index))


def set_divisor(arrays: VertexArrayObject, number: int, divisor: int) -> None:
    """Let glVertexAttribDivisor name the binding of the attribute's number and set its divisor."""
    _keep(arrays)
    arrays.attributes[number].binding = None
    _change(arrays, number, arrays.bindings[number]._replace(divisor=divisor))


def _format(context: Context, index: int, size: int, kind: int, normalized: bool, offset: int, integer: bool) -> None:
    arrays = _check_binding(context, 0)
    array = _attribute(context, index)
    check_value(size in (1, 2, 3, 4), f"{size} components")
    check_enum(kind, range(gl.BYTE, gl.UNSIGNED_INT + 1) if integer else gl.COMPONENT_TYPES, "component type")
    check_operation(size == 4 or kind not in gl.PACKED_COMPONENT_TYPES, f"{size} components of a packed type")
    check_value(0 <= offset <= MAX_VERTEX_ATTRIB_RELATIVE_OFFSET, f"relative offset {offset}")
    _keep(arrays)
    array.layout = array.layout._replace(type=kind, components=size, normalized=normalized, integer=integer)
    array.relative_bytes = offset
    _apply(arrays, array, arrays.bindings[index if array.binding is None else array.binding])


BINDING_PARAMETERS = (
    gl.VERTEX_BINDING_BUFFER,
    gl.VERTEX_BINDING_OFFSET,
    gl.VERTEX_BINDING_STRIDE,
    gl.VERTEX_BINDING_DIVISOR,
)


def binding_value(context: Context, name: int, number: int) -> int:
    """A parameter of a vertex buffer binding, for queries."""
    check_value(0 <= number < MAX_VERTEX_ATTRIB_BINDINGS, f"binding {number} of {MAX_VERTEX_ATTRIB_BINDINGS}")
    binding = _binding(context.state.vertex_array, number)
    return {
        gl.VERTEX_BINDING_BUFFER: binding.buffer.name if binding.buffer is not None else 0,
        gl.VERTEX_BINDING_OFFSET: binding.offset_bytes,
        gl.VERTEX_BINDING_STRIDE: binding.stride_bytes,
        gl.VERTEX_BINDING_DIVISOR: binding.divisor,
    }[name]


@entry(effect=VERTEX_ARRAYS)
def glVertexAttribFormat(context: Context, index: int, size: int, kind: int, normalized: int, offset: int) -> None:
    _format(context, index, size, kind, bool(normalized), offset, integer=False)


@entry(effect=VERTEX_ARRAYS)
def glVertexAttribIFormat(context: Context, index: int, size: int, kind: int, offset: int) -> None:
    _format(context, index, size, kind, False, offset, integer=True)


@entry(effect=VERTEX_ARRAYS)
def glVertexAttribBinding(context: Context, index: int, number: int) -> None:
    arrays, array = _check_binding(context, number), _attribute(context, index)
    _keep(arrays)
    array.binding = number
    _apply(arrays, array, arrays.bindings[number])


@entry(effect=VERTEX_ARRAYS)
def glBindVertexBuffer(context: Context, number: int, name: int, offset: int, stride: int) -> None:
    arrays = _check_binding(context, number)
    check_value(offset >= 0, f"byte {offset}")
    check_value(0 <= stride <= MAX_VERTEX_ATTRIB_STRIDE, f"stride {stride}")
    check_operation(not name or name in context.group.buffers, f"no buffer {name}")
    divisor = _binding(arrays, number).divisor
    _change(arrays, number, VertexBinding(named_buffer(context, name), offset, stride, divisor))


@entry(effect=VERTEX_ARRAYS)
def glVertexBindingDivisor(context: Context, number: int, divisor: int) -> None:
    arrays = _check_binding(context, number)
    check_value(divisor >= 0, f"divisor {divisor}")
    _change(arrays, number, _binding(arrays, number)._replace(divisor=divisor))
