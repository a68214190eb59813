"""A frame of a capture, with the state of OpenGL ES that its draws have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tilegpu.functional.capture import Call, CaptureError, Trace
from tilegpu.functional.gles.context import Context
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.frame_ends import FramesAt
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.gles.pixels import Unpack
from tilegpu.functional.gles.surfaces import Picture
from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.draw import Outcome
from tilegpu.functional.trimming.trim import DRAWING, STATE_OF_DRAWING

OPERATIONS = (*DRAWING, "glClear", "glBlit", "glRead")
"""Calls whose results are not needed to know the state."""
WRITES_TEXTURES = ("glCopyTex", "glFramebufferTexture", "glBindImageTexture", "glEGLImageTarget", "eglBindTexImage")
PARAMETERS = ("glTexParameteri", "glTexParameterf", "glTexParameteriv", "glTexParameterfv")


class Around(NamedTuple):
    """State at a call that calls put before it have to restore. `units`: texture units, with the target and the name
    of what is bound there."""

    thread: int
    active_unit: int
    bound: int
    unpack: Unpack
    unpack_buffer: int
    units: tuple[tuple[int, int, int], ...]
    framebuffer: int
    version: int
    """Major version of OpenGL ES; 0 of desktop OpenGL."""
    group: int
    """Number that stands for the contexts which share their objects."""


class DrawCall(NamedTuple):
    """A call of the frame that draws. `textures`: names of the two-dimensional ones that its program samples;
    `samplers`: units with a sampler object among theirs; `fragment_source`: place of the call that gave the source of
    its fragment shader, or -1."""

    place: int
    around: Around
    textures: tuple[int, ...]
    samplers: tuple[int, ...]
    fragment_source: int
    captures: bool
    """Whether transform feedback is active."""


@dataclass
class CapturedFrame:
    """A frame of a capture.

    Attributes
    ----------
    path
        apitrace file.
    number
        Number of the frame in it.
    calls
        All calls up to the end of the frame; a *place* is an index of this list.
    first, last
        Places of the first call of the frame and of the one that ends it.
    draws
        Calls that draw, by their numbers in the capture.
    textures
        Texture objects by group and name, as they are at the end of the frame.
    begins
        State before the call that ends the frame before; None for frame 0.
    written
        Names of textures that anything but uploads may write.
    changed_at
        Places of calls of the frame that change the texels of a texture, by name.
    parameters
        Names of the textures that calls of `PARAMETERS` are about, by place.
    """

    path: Path
    number: int
    calls: list[Call] = field(default_factory=list)
    first: int = 0
    last: int = 0
    draws: dict[int, DrawCall] = field(default_factory=dict)
    textures: dict[int, Mapping[int, Texture]] = field(default_factory=dict)
    begins: Around | None = None
    written: set[int] = field(default_factory=set)
    changed_at: dict[int, list[int]] = field(default_factory=dict)
    parameters: dict[int, int] = field(default_factory=dict)
    states: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Rows of the activity's table of draws by the number of the draw, each with its `call`; see `recorded`."""
    passes: list[dict[str, Any]] = field(default_factory=list)
    """Rows of the activity's table of passes, each with the last call of the frame that belongs to it, `last_call`."""

    def draw(self, number: int | None) -> DrawCall:
        """The call of a draw by the draw's number in the frame.

        Raises
        ------
        CaptureError
            If it shares a call with others, or none of the frame's calls is its.
        """
        call = self.states[number or 0]["call"]
        shared = sum(state["call"] == call for state in self.states.values()) > 1
        if shared or call not in self.draws:
            raise CaptureError("one call makes several draws of which it is one")
        return self.draws[call]


class _Skipped:
    """Calls that are left out: the one at work, if it only writes pixels."""

    active = False

    def __contains__(self, number: object) -> bool:
        return self.active


def is_draw(name: str) -> bool:
    """Whether a function draws or dispatches."""
    return name.startswith(DRAWING) and not name.startswith(STATE_OF_DRAWING)


class _Reading:
    """Executes a capture up to the end of a frame without drawing."""

    def __init__(self, frame: CapturedFrame, frames_at: FramesAt) -> None:
        self.frame, self.ended = frame, False
        self.skipped = _Skipped()
        self.sources: dict[tuple[int, int], int] = {}
        self.attached: dict[tuple[int, int], int] = {}
        self.display = Display(lambda draw, sink: Outcome(), Listener(), self._ends, frames_at=frames_at)
        self.display.skipped = self.skipped

    def _ends(self, picture: Picture, call: Call) -> None:
        self.ended = True

    def run(self) -> None:
        """Read up to the end of the frame."""
        frame, number = self.frame, 0
        for call in Trace(frame.path):
            place = len(frame.calls)
            frame.calls.append(call)
            self._step(call, place, number == frame.number)
            if not self.ended:
                continue
            self.ended = False
            if number == frame.number:
                frame.last = place
                return
            number += 1
            frame.first = place + 1
        raise CaptureError(f"{frame.path}: has {number} frames, so there is no frame {frame.number}")

    def _step(self, call: Call, place: int, within: bool) -> None:
        name, context = call.name, self.display.current.get(call.thread)
        if context is not None:
            self._note(context, call, place, within)
        before = _versions(context) if within and name.startswith(("glTex", "glCompressedTex", "glGenerateM")) else {}
        self.skipped.active = name.startswith(OPERATIONS) and name not in STATE_OF_DRAWING
        self.display.execute(call)
        if context is None:
            return
        for texture, version in _versions(context).items() if before else ():
            if before.get(texture) != version:
                self.frame.changed_at.setdefault(texture, []).append(place)
        self.frame.textures[id(context.group)] = context.group.textures

    def _note(self, context: Context, call: Call, place: int, within: bool) -> None:
        name, frame = call.name, self.frame
        if name == "glShaderSource":
            self.sources[id(context.group), _number(call, 0)] = place
        elif name == "glAttachShader":
            self._attach(context, call)
        elif name.startswith(WRITES_TEXTURES):
            frame.written |= _textures_of(context, call)
        elif name in PARAMETERS and within:
            frame.parameters[place] = _bound(context, _number(call, 0))
        elif is_draw(name) and within:
            frame.draws[call.number] = self._drawn(context, call, place)
        elif not within and (call.ends_frame or name in ("glFlush", "glFinish", "glReadPixels")):
            frame.begins = around(context, call.thread)

    def _attach(self, context: Context, call: Call) -> None:
        program, shader = _number(call, 0), _number(call, 1)
        shader_object = context.group.shaders.get(shader)
        if shader_object is not None and shader_object.stage == "fragment":
            self.attached[id(context.group), program] = self.sources.get((id(context.group), shader), -1)

    def _drawn(self, context: Context, call: Call, place: int) -> DrawCall:
        program, state = context.program, context.state
        units = sorted({unit for of in (program.units.values() if program is not None else ()) for unit in of})
        bound = [state.units.get((unit, gl.TEXTURE_2D)) for unit in units]
        names = tuple(dict.fromkeys(texture.name for texture in bound if texture is not None and texture.name))
        source = self.attached.get((id(context.group), program.name), -1) if program is not None else -1
        with_samplers = tuple(unit for unit in units if unit in state.samplers)
        return DrawCall(
            place, around(context, call.thread), names, with_samplers, source, bool(context.feedback.active)
        )


def around(context: Context, thread: int) -> Around:
    """State that inserted calls have to restore."""
    state = context.state
    units = tuple(sorted((unit, target, texture.name) for (unit, target), texture in state.units.items()))
    buffer = state.buffers.get(gl.PIXEL_UNPACK_BUFFER)
    version = 0 if context.desktop else context.version
    return Around(
        thread,
        state.active_unit,
        _bound(context, gl.TEXTURE_2D),
        state.unpack,
        next((name for name, each in context.group.buffers.items() if each is buffer), 0) if buffer is not None else 0,
        units,
        state.framebuffer,
        version,
        id(context.group),
    )


def _bound(context: Context, target: int) -> int:
    texture = context.state.units.get((context.state.active_unit, target))
    return texture.name if texture is not None else 0


def _versions(context: Context | None) -> dict[int, int]:
    return {name: each.version for name, each in context.group.textures.items()} if context is not None else {}


def _textures_of(context: Context, call: Call) -> set[int]:
    """Names of textures that a call writes, or lets others write."""
    if call.name.startswith(("glFramebuffer", "glBindImage")):
        return {value for value in call.arguments if isinstance(value, int)} & context.group.textures.keys()
    return {texture.name for texture in context.state.units.values()}


def _number(call: Call, place: int) -> int:
    value = call.arguments[place] if place < len(call.arguments) else 0
    return value if isinstance(value, int) else 0


def read_frame(path: Path, number: int, frames_at: FramesAt) -> CapturedFrame:
    """Read a frame of a capture.

    Parameters
    ----------
    path
        apitrace file.
    number
        Of the frame, from 0.
    frames_at
        Calls that end a frame.

    Raises
    ------
    CaptureError
        The file cannot be read or has no such frame.
    """
    frame = CapturedFrame(path, number)
    _Reading(frame, frames_at).run()
    return frame
