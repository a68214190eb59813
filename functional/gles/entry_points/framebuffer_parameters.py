"""Sizes of framebuffers without attachments (OpenGL ES 3.1, 9.2.1)."""

from __future__ import annotations

from typing import Any

from ...opengl import enums as gl
from ..checks import check_enum, check_limit, check_value
from ..context import Context
from .framebuffers import bound_framebuffer
from .table import EntryPoints

entry = EntryPoints()
_FIELDS = {
    gl.FRAMEBUFFER_DEFAULT_WIDTH: ("width", gl.MAX_FRAMEBUFFER_WIDTH),
    gl.FRAMEBUFFER_DEFAULT_HEIGHT: ("height", gl.MAX_FRAMEBUFFER_HEIGHT),
    gl.FRAMEBUFFER_DEFAULT_SAMPLES: ("samples", gl.MAX_FRAMEBUFFER_SAMPLES),
    gl.FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS: ("fixed_samples", None),
}
"""Field of `DefaultSize` and limit of each parameter."""


@entry()
def glFramebufferParameteri(context: Context, target: int, name: int, value: int) -> None:
    framebuffer = bound_framebuffer(context, target)
    check_enum(name, _FIELDS, "framebuffer parameter")
    field, limit = _FIELDS[name]
    if limit is not None:
        check_value(value >= 0, f"{field} of {value}")
        check_limit(value, limit, f"{field} of {value}")
    changed: dict[str, Any] = {field: value if limit is not None else bool(value)}
    framebuffer.without_attachments = framebuffer.without_attachments._replace(**changed)
    framebuffer.revision += 1


@entry.answers()
def glGetFramebufferParameteriv(context: Context, target: int, name: int, *_: Any) -> int:
    framebuffer = bound_framebuffer(context, target)
    check_enum(name, _FIELDS, "framebuffer parameter")
    return int(getattr(framebuffer.without_attachments, _FIELDS[name][0]))
