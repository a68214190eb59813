"""Calls of GLX, WGL and CGL, with which programs make contexts where there is no EGL."""

from __future__ import annotations

from ...capture import Call
from ..arguments import handle, made
from ..desktop import DESKTOP, kind_by_attributes
from ..frame_ends import pairs
from .state import AnySystem, WindowSystemCall, filled_in


def _glx_create_context_with_attributes(system: AnySystem, call: Call) -> None:
    system.create_context(made(call), call.at(2), kind_by_attributes(pairs(call.at(4))))


def _wgl_create_context_with_attributes(system: AnySystem, call: Call) -> None:
    system.create_context(made(call), call.at(1), kind_by_attributes(pairs(call.at(2))))


OTHER_CALLS: dict[str, WindowSystemCall] = {
    "glXCreateContext": lambda system, call: system.create_context(made(call), call.at(2), DESKTOP),
    "glXCreateNewContext": lambda system, call: system.create_context(made(call), call.at(3), DESKTOP),
    "glXCreateContextAttribsARB": _glx_create_context_with_attributes,
    "glXMakeCurrent": lambda system, call: system.make_current(call, call.at(2), call.at(1)),
    "glXMakeContextCurrent": lambda system, call: system.make_current(call, call.at(3), call.at(1)),
    "wglCreateContext": lambda system, call: system.create_context(made(call), None, DESKTOP),
    "wglCreateContextAttribsARB": _wgl_create_context_with_attributes,
    "wglMakeCurrent": lambda system, call: system.make_current(call, call.at(1), call.at(0)),
    "CGLCreateContext": lambda system, call: system.create_context(handle(filled_in(call.at(2))), None, DESKTOP),
    "CGLSetCurrentContext": lambda system, call: system.make_current(call, call.at(0), None),
}
"""Functions by the name of the call that they execute."""
