"""Queries of a context's state (OpenGL ES 3.0, 6.1.1 to 6.1.6)."""

from __future__ import annotations

from typing import Any

from ...capture import Value
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..checks import check_enum, check_value
from ..context import Context
from ..effects import UNSEEN
from ..extensions import EXTENSIONS
from ..queries import TIMESTAMP
from ..state_table import NORMALIZED, Numbers, capability_value, state_value
from .table import EntryPoints

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
    version = {1: "OpenGL ES-CM 1.1", 2: "OpenGL ES 3.1"}[min(context.version, 2)]
    texts = {
        gl.VENDOR: "tilegpu",
        gl.RENDERER: "tilegpu",
        gl.VERSION: f"{version} tilegpu",
        gl.EXTENSIONS: " ".join(EXTENSIONS),
        gl.SHADING_LANGUAGE_VERSION: "OpenGL ES GLSL ES 3.10",
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
