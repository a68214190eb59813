"""Queries of a context's state (OpenGL ES 3.0, 6.1.1 to 6.1.6)."""

from __future__ import annotations

from typing import Any

from ...capture import Value
from .. import enums as gl
from ..checks import check_enum, check_value
from ..context import Context
from ..effects import UNSEEN
from ..errors import GLError
from ..extensions import EXTENSIONS
from ..limits import MAX_SAMPLE_MASK_WORDS, MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, MAX_UNIFORM_BUFFER_BINDINGS
from ..queries import TIMESTAMP
from ..state_table import NORMALIZED, Numbers, capability_value, state_value
from .table import EntryPoints
from .vertex_bindings import BINDING_PARAMETERS, binding_value

entry = EntryPoints()


def _state(context: Context, name: int) -> Numbers:
    values = state_value(context, name)
    if values is None:
        raise GLError(gl.INVALID_ENUM, f"{name:#06x} is not a state variable")
    return values


def plain(values: Numbers | list[Any], kind: type) -> Value:
    """Numbers as a query returns them: one by itself, several as a list."""
    converted: list[Value] = [kind(v) for v in values]
    return converted[0] if len(converted) == 1 else converted


def _whole(values: Numbers, name: int) -> Value:
    if name in NORMALIZED:
        return plain([round(((2**32 - 1) * v - 1) / 2) for v in values], int)
    return plain([int(v + 0.5) if isinstance(v, float) and v >= 0 else round(v) for v in values], int)


@entry.answers()
def glGetIntegerv(context: Context, name: int, *_: Any) -> Value:
    return _whole(_state(context, name), name)


@entry.answers("glGetInteger64v", "glGetInteger64vEXT", "glGetInteger64vAPPLE")
def glGetInteger64v(context: Context, name: int, *_: Any) -> Value:
    # The timer does not advance here (EXT_disjoint_timer_query).
    if name == TIMESTAMP:
        return 0
    return _whole(_state(context, name), name)


@entry.answers()
def glGetFloatv(context: Context, name: int, *_: Any) -> Value:
    return plain(_state(context, name), float)


@entry.answers("glGetFixedv", "glGetFixedvOES")
def glGetFixedv(context: Context, name: int, *_: Any) -> Value:
    return plain([v * 65536 for v in _state(context, name)], int)


@entry.answers()
def glGetBooleanv(context: Context, name: int, *_: Any) -> Value:
    return plain(_state(context, name), bool)


@entry.answers("glGetIntegeri_v", "glGetInteger64i_v")
def glGetIntegeri_v(context: Context, name: int, index: int, *_: Any) -> Value:
    if name == gl.SAMPLE_MASK_VALUE:
        check_value(0 <= index < MAX_SAMPLE_MASK_WORDS, f"word {index} of the sample mask")
        return context.state.sample_mask
    if name in BINDING_PARAMETERS:
        return binding_value(context, name, index)
    parts = {
        gl.TRANSFORM_FEEDBACK_BUFFER_BINDING: (1, 0),
        gl.TRANSFORM_FEEDBACK_BUFFER_START: (1, 1),
        gl.TRANSFORM_FEEDBACK_BUFFER_SIZE: (1, 2),
        gl.UNIFORM_BUFFER_BINDING: (0, 0),
        gl.UNIFORM_BUFFER_START: (0, 1),
        gl.UNIFORM_BUFFER_SIZE: (0, 2),
    }
    check_enum(name, parts, "indexed state")
    feedback, part = parts[name]
    check_value(0 <= index < (MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS if feedback else MAX_UNIFORM_BUFFER_BINDINGS), "")
    bindings = context.feedback.bindings if feedback else context.state.uniform_buffers
    binding = bindings.get(index)
    if binding is None:
        return 0
    return (binding.buffer.name, binding.offset, max(binding.size, 0))[part]


@entry.answers()
def glIsEnabled(context: Context, name: int) -> bool:
    enabled = capability_value(context, name)
    if enabled is None:
        raise GLError(gl.INVALID_ENUM, f"{name:#06x} is not a capability")
    return enabled


@entry.answers(effect=UNSEEN)
def glGetError(context: Context) -> int:
    error, context.error = context.error, gl.NO_ERROR
    return error


@entry.answers()
def glGetString(context: Context, name: int) -> str:
    version = {1: "OpenGL ES-CM 1.1", 2: "OpenGL ES 3.0"}[min(context.version, 2)]
    texts = {
        gl.VENDOR: "tilegpu",
        gl.RENDERER: "tilegpu",
        gl.VERSION: f"{version} tilegpu",
        gl.EXTENSIONS: " ".join(EXTENSIONS),
        gl.SHADING_LANGUAGE_VERSION: "OpenGL ES GLSL ES 3.00",
    }
    check_enum(name, texts, "text")
    return texts[name]


@entry.answers()
def glGetStringi(context: Context, name: int, index: int) -> str:
    check_enum(name, (gl.EXTENSIONS,), "text")
    # The captured driver may have more extensions than we do; then the program made no mistake.
    asked = context.current_call
    if index >= len(EXTENSIONS) and asked is not None and isinstance(asked.result, str):
        return ""
    check_value(0 <= index < len(EXTENSIONS), f"extension {index} of {len(EXTENSIONS)}")
    return EXTENSIONS[index]


@entry.answers("glGetGraphicsResetStatus", "glGetGraphicsResetStatusEXT", "glGetGraphicsResetStatusKHR")
def glGetGraphicsResetStatus(context: Context) -> int:
    return 0
