"""Calls that set state, each with a key of what it sets: to draw in another order, what is set is set anew.

A key's value is the calls that set it, the last one of which does; those before it make what it acts on current.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tilegpu.functional.capture import Call
from tilegpu.functional.opengl import enums as gl

from .calls import call as made_call

Key = tuple[str | int, ...]
Setting = tuple[Call, ...]

GLOBAL = {
    "glBlendFunc": "blend function", "glBlendFuncSeparate": "blend function", "glBlendEquation": "blend equation",
    "glBlendEquationSeparate": "blend equation", "glBlendColor": "blend colour", "glDepthFunc": "depth function",
    "glDepthMask": "depth mask", "glDepthRangef": "depth range", "glColorMask": "colour mask",
    "glCullFace": "cull face", "glFrontFace": "front face", "glPolygonOffset": "polygon offset",
    "glLineWidth": "line width", "glScissor": "scissor", "glViewport": "viewport",
    "glSampleCoverage": "sample coverage", "glClearColor": "clear colour", "glClearDepthf": "clear depth",
    "glClearStencil": "clear stencil",
}  # fmt: skip
"""Functions that set one thing each."""
BY_FIRST = {
    "glHint": "hint",
    "glPixelStorei": "pixel store",
    "glBindSampler": "sampler",
    "glSampleMaski": "sample mask",
}
"""Functions that set a thing of which their first argument names one."""
INDEXED = ("glBindBufferBase", "glBindBufferRange")
NEUTRAL = ("glGet", "glIs", "glCheckFramebufferStatus", "eglGet", "glObjectLabel", "glLabelObject", "glInsertEvent")
"""Functions that set nothing."""
NAMES = ("Location", "Index", "glGetProgramResource")
"""Those among them whose answers other calls use."""
BEGINS, ENDS = ("glPushGroupMarkerEXT", "glPushDebugGroup"), ("glPopGroupMarkerEXT", "glPopDebugGroup")
PROGRAM, UNIT, ARRAY_BUFFER, VERTEX_ARRAY, GROUPS = (
    ("program",), ("unit",), ("array buffer",), ("vertex array",), ("groups",)
)  # fmt: skip
CURRENT: tuple[Key, ...] = (PROGRAM, UNIT, ARRAY_BUFFER, VERTEX_ARRAY, GROUPS)
"""Settings that others act on: set last."""


INITIAL: Mapping[Key, tuple[Any, ...]] = MappingProxyType(
    {
        UNIT: ("glActiveTexture", gl.TEXTURE0),
        PROGRAM: ("glUseProgram", 0),
        ARRAY_BUFFER: ("glBindBuffer", gl.ARRAY_BUFFER, 0),
        VERTEX_ARRAY: ("glBindVertexArray", 0),
        ("depth mask",): ("glDepthMask", True),
        ("depth function",): ("glDepthFunc", gl.LESS),
        ("cull face",): ("glCullFace", gl.BACK),
        ("front face",): ("glFrontFace", gl.CCW),
        ("polygon offset",): ("glPolygonOffset", 0.0, 0.0),
        ("depth range",): ("glDepthRangef", 0.0, 1.0),
    }
)
"""Calls that set what contexts begin with."""


class UnknownStateError(Exception):
    """State that no call of the capture has set, so that it cannot be set again."""


def initial(key: Key) -> Setting:
    """Call that sets what no call of the capture has set, as contexts begin (OpenGL ES 3.0, 6.2).

    Raises
    ------
    UnknownStateError
        If that is not the same for all contexts.
    """
    kind, *numbers = key
    if kind == "capability" and numbers[0] not in (gl.DITHER, gl.MULTISAMPLE, gl.FRAMEBUFFER_SRGB):
        return (made_call("glDisable", numbers[0]),)
    if kind == "array" and numbers[0] == 0:
        return (made_call("glDisableVertexAttribArray", numbers[1]),)
    if key in INITIAL:
        return (made_call(*INITIAL[key]),)
    raise UnknownStateError


@dataclass
class Settings:
    """State as calls set it."""

    present: dict[Key, Setting] = field(default_factory=dict)

    def copy(self) -> Settings:
        """The same, by itself."""
        return Settings(dict(self.present))

    def forget(self, call: Call) -> None:
        """Drop what a call sets back to values that the capture does not name: uniforms of a program that is linked."""
        if call.name == "glLinkProgram":
            for key in [key for key in self.present if key[0] == "uniform" and key[1] == call.arguments[0]]:
                del self.present[key]

    def number(self, key: Key, argument: int = 0) -> int:
        """Number that the last call of a setting has as an argument, 0 without one."""
        setting = self.present.get(key)
        value = setting[-1].arguments[argument] if setting else 0
        return value if isinstance(value, int) else 0

    def take(self, call: Call) -> bool:
        """Note what a call sets; False if it may do anything else."""
        name = call.name
        if name.startswith(NEUTRAL):
            return not any(part in name for part in NAMES)
        if name in BEGINS or name in ENDS:
            groups = self.present.get(GROUPS, ())
            self.present[GROUPS] = (*groups, call) if name in BEGINS else groups[:-1]
            return True
        setting = self._setting(call)
        if setting is None:
            return False
        self.present[setting[0]] = setting[1]
        if name in INDEXED:
            # It is bound to the target, too.
            bound = made_call("glBindBuffer", call.arguments[0], call.arguments[2], thread=call.thread)
            self.present["target buffer", int(str(call.arguments[0]))] = (bound,)
        return True

    def _setting(self, call: Call) -> tuple[Key, Setting] | None:
        name, arguments = call.name, call.arguments
        first = arguments[0] if arguments and isinstance(arguments[0], int) else 0
        if name in GLOBAL:
            return (GLOBAL[name],), (call,)
        if name in ("glEnable", "glDisable"):
            return ("capability", first), (call,)
        if name in BY_FIRST:
            return (BY_FIRST[name], first), (call,)
        if name in INDEXED:
            return ("indexed buffer", first, int(str(arguments[1]))), (call,)
        if name.startswith("glStencil"):
            return self._stencil(call)
        return self._bound(call, first) or self._of_program(call, first) or self._of_array(call, first)

    def _stencil(self, call: Call) -> tuple[Key, Setting]:
        """State of both faces: a call for one of them follows those before."""
        key = (call.name.removesuffix("Separate"),)
        if not call.name.endswith("Separate"):
            return key, (call,)
        others = [each for each in self.present.get(key, ()) if each.arguments[0] != call.arguments[0]]
        return key, (*others, call)

    def _bound(self, call: Call, first: int) -> tuple[Key, Setting] | None:
        if call.name == "glActiveTexture":
            return UNIT, (call,)
        if call.name == "glBindTexture":
            unit = self.number(UNIT) or gl.TEXTURE0
            return ("texture", unit, first), (made_call("glActiveTexture", unit, thread=call.thread), call)
        if call.name == "glBindVertexArray":
            return VERTEX_ARRAY, (call,)
        if call.name == "glBindBuffer" and first == gl.ARRAY_BUFFER:
            return ARRAY_BUFFER, (call,)
        if call.name == "glBindBuffer" and first == gl.ELEMENT_ARRAY_BUFFER:
            return ("elements", self.number(VERTEX_ARRAY)), (*self.present.get(VERTEX_ARRAY, ()), call)
        if call.name == "glBindBuffer":
            return ("target buffer", first), (call,)
        return None

    def _of_program(self, call: Call, first: int) -> tuple[Key, Setting] | None:
        if call.name == "glUseProgram":
            return PROGRAM, (call,)
        if call.name.startswith("glUniform") and call.name != "glUniformBlockBinding":
            return ("uniform", self.number(PROGRAM), first), (*self.present.get(PROGRAM, ()), call)
        if call.name.startswith("glProgramUniform"):
            return ("uniform", first, int(str(call.arguments[1]))), (call,)
        return None

    def _of_array(self, call: Call, first: int) -> tuple[Key, Setting] | None:
        array, name = self.number(VERTEX_ARRAY), call.name
        objects = self.present.get(VERTEX_ARRAY, ())
        if name in ("glVertexAttribPointer", "glVertexAttribIPointer"):
            return ("pointer", array, first), (*objects, *self.present.get(ARRAY_BUFFER, ()), call)
        if name in ("glEnableVertexAttribArray", "glDisableVertexAttribArray"):
            return ("array", array, first), (*objects, call)
        if name == "glVertexAttribDivisor":
            return ("divisor", array, first), (*objects, call)
        if name.startswith("glVertexAttrib") and name[14:15] in "1234I":
            return ("constant", first), (call,)
        return None

    def towards(self, target: Settings, everything: bool = False) -> Iterator[Call]:
        """Calls that set another state, which is noted; without `everything` what a draw can see of it.

        Raises
        ------
        UnknownStateError
            If part of it was never set.
        """
        for key in sorted(self.present.keys() | target.present.keys(), key=str):
            if key in CURRENT or self.present.get(key) == target.present.get(key):
                continue
            if not everything and not _seen(key, target):
                continue
            for call in target.present.get(key) or initial(key):
                yield call
                self.take(call)
        for key in CURRENT[:-1]:
            wanted = target.present.get(key, ())[-1:]
            if self.present.get(key, ())[-1:] != wanted:
                (last,) = wanted or initial(key)
                yield last
                self.take(last)
        yield from self._groups(target.present.get(GROUPS, ()))

    def _groups(self, wanted: Setting) -> Iterator[Call]:
        """Leave debug groups and enter others."""
        present = self.present.get(GROUPS, ())
        same = 0
        while same < min(len(present), len(wanted)) and present[same] is wanted[same]:
            same += 1
        for begun in reversed(present[same:]):
            yield made_call(ENDS[BEGINS.index(begun.name)], thread=begun.thread)
        yield from wanted[same:]
        self.present[GROUPS] = wanted


def _seen(key: Key, target: Settings) -> bool:
    """Whether a draw can see a setting: not those of other programs and vertex arrays."""
    if key[0] == "uniform":
        return key[1] == target.number(PROGRAM)
    if key[0] in ("pointer", "array", "divisor", "elements"):
        return key[1] == target.number(VERTEX_ARRAY)
    return True
