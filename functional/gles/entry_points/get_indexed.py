"""Queries of state that has an index: bindings of buffers, image units, limits per axis (OpenGL ES 3.1, 20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...capture import Value
from ...opengl import enums as gl
from ...opengl.limits import INDEXED_LIMITS, MAX_IMAGE_UNITS, MAX_SAMPLE_MASK_WORDS
from ..buffers import Binding
from ..checks import check_enum, check_value
from ..context import Context
from ..state import EMPTY_IMAGE_UNIT, BufferBlending
from .buffers import INDEXED_BINDINGS
from .get_state import plain
from .indexed_blending import check_buffer
from .table import EntryPoints
from .vertex_bindings import BINDING_PARAMETERS, binding_value

entry = EntryPoints()
_NAMES = {
    gl.TRANSFORM_FEEDBACK_BUFFER: (
        gl.TRANSFORM_FEEDBACK_BUFFER_BINDING,
        gl.TRANSFORM_FEEDBACK_BUFFER_START,
        gl.TRANSFORM_FEEDBACK_BUFFER_SIZE,
    ),
    gl.UNIFORM_BUFFER: (gl.UNIFORM_BUFFER_BINDING, gl.UNIFORM_BUFFER_START, gl.UNIFORM_BUFFER_SIZE),
    gl.SHADER_STORAGE_BUFFER: (
        gl.SHADER_STORAGE_BUFFER_BINDING,
        gl.SHADER_STORAGE_BUFFER_START,
        gl.SHADER_STORAGE_BUFFER_SIZE,
    ),
    gl.ATOMIC_COUNTER_BUFFER: (
        gl.ATOMIC_COUNTER_BUFFER_BINDING,
        gl.ATOMIC_COUNTER_BUFFER_START,
        gl.ATOMIC_COUNTER_BUFFER_SIZE,
    ),
}
_BUFFER_PARTS = {name: (target, part) for target, names in _NAMES.items() for part, name in enumerate(names)}
_IMAGE_PARTS = (
    gl.IMAGE_BINDING_NAME,
    gl.IMAGE_BINDING_LEVEL,
    gl.IMAGE_BINDING_LAYERED,
    gl.IMAGE_BINDING_LAYER,
    gl.IMAGE_BINDING_ACCESS,
    gl.IMAGE_BINDING_FORMAT,
)
_BLEND_PARTS = (
    gl.BLEND_EQUATION,
    gl.BLEND_EQUATION_ALPHA,
    gl.BLEND_SRC_RGB,
    gl.BLEND_DST_RGB,
    gl.BLEND_SRC_ALPHA,
    gl.BLEND_DST_ALPHA,
    gl.COLOR_WRITEMASK,
)


@entry.answers("glGetIntegeri_v", "glGetInteger64i_v")
def glGetIntegeri_v(context: Context, name: int, index: int, *_: Any) -> Value:
    return plain(_indexed(context, name, index), int)


@entry.answers()
def glGetBooleani_v(context: Context, name: int, index: int, *_: Any) -> Value:
    return plain(_indexed(context, name, index), bool)


def _indexed(context: Context, name: int, index: int) -> tuple[int, ...]:
    return _of_draw_buffer(context, name, index) if name in _BLEND_PARTS else (_number(context, name, index),)


def _of_draw_buffer(context: Context, name: int, index: int) -> tuple[int, ...]:
    """Blending and mask of a draw buffer (EXT_draw_buffers_indexed)."""
    check_buffer(index)
    state = context.state
    own = state.blend_buffers.get(index, BufferBlending())
    if name == gl.COLOR_WRITEMASK:
        return state.mask_of(index)
    values = *(own.equation or state.blend_equation), *(own.function or state.blend_function)
    return (values[_BLEND_PARTS.index(name)],)


def _number(context: Context, name: int, index: int) -> int:
    if name == gl.SAMPLE_MASK_VALUE:
        check_value(0 <= index < MAX_SAMPLE_MASK_WORDS, f"word {index} of the sample mask")
        return context.state.sample_mask
    if name in BINDING_PARAMETERS:
        return binding_value(context, name, index)
    if name in INDEXED_LIMITS:
        check_value(0 <= index < len(INDEXED_LIMITS[name]), f"axis {index}")
        return INDEXED_LIMITS[name][index]
    if name in _IMAGE_PARTS:
        check_value(0 <= index < MAX_IMAGE_UNITS, f"image unit {index} of {MAX_IMAGE_UNITS}")
        unit = context.state.image_units.get(index, EMPTY_IMAGE_UNIT)
        texture = unit.texture.name if unit.texture is not None else 0
        return int((texture, *unit[1:])[_IMAGE_PARTS.index(name)])
    check_enum(name, _BUFFER_PARTS, "indexed state")
    target, part = _BUFFER_PARTS[name]
    check_value(0 <= index < INDEXED_BINDINGS[target], f"index {index} of {INDEXED_BINDINGS[target]}")
    feedback = target == gl.TRANSFORM_FEEDBACK_BUFFER
    bindings = context.feedback.bindings if feedback else context.state.indexed_buffers[target]
    return _buffer_part(bindings, index, part)


def _buffer_part(bindings: Mapping[int, Binding], index: int, part: int) -> int:
    binding = bindings.get(index)
    return (binding.buffer.name, binding.offset, max(binding.size, 0))[part] if binding is not None else 0
