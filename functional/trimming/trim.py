"""Writes some frames of a stream, with all that they depend on, as a stream of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..capture import FRAME_ENDS, Call, CaptureError, Trace, TraceWriter
from ..dependencies.find import EVERYTHING, find_dependencies
from ..dependencies.operations import CallSet, Dependencies
from ..errors import UserError
from ..frame_ranges import FrameRange, lacking
from ..gles.buffers import Buffer
from ..gles.context import Context, Report
from ..gles.display import Display
from ..gles.errors import REPORTED
from ..gles.frame_ends import FLUSHES, READS, FramesAt, find_frame_ends
from ..gles.surfaces import Picture
from ..gles.textures import Texture
from ..gles.window_size import BLITS
from ..opengl import enums as gl
from ..pipeline.draw import Outcome
from .overwritten import Overwritten

DRAWING = ("glDraw", "glMultiDraw", "glDispatch")
STATE_OF_DRAWING = ("glDrawBuffers",)
"""Calls whose names begin likewise, but that draw nothing."""
DROPPED = (*DRAWING, "glClear", "glBlit", "glCopyTexSubImage", "glRead")
"""Operations that only write pixels, texels or bytes; others define images and levels, and stay."""
READING = (*DRAWING, "glBlit", "glCopyBuffer", "glCopyTex", "glRead", "glEGLImage", "eglCreateImage", "eglBindTexImage")
"""Calls that may read what other calls stored."""
QUESTIONS = frozenset(
    {"glGetError", "glGetIntegerv", "glGetFloatv", "glGetBooleanv", "glGetString", "glGetStringi", "glIsEnabled"}
    | {"glGetQueryObjectuiv", "glGetQueryObjectuivEXT", "glCheckFramebufferStatus", "glCheckFramebufferStatusOES"}
)
"""Calls that only ask."""


@dataclass(frozen=True)
class Trimmed:
    """A stream that was trimmed.

    Attributes
    ----------
    frames
        Frames in it.
    calls
        Calls of the original and in it.
    size_bytes
        Sizes of both files.
    dependencies
        Operations of the original up to the last of the frames, and those that are not needed.
    warnings
        What was missing or damaged in the original.
    """

    frames: int
    calls: tuple[int, int]
    size_bytes: tuple[int, int]
    dependencies: Dependencies
    warnings: list[str]


class _Report(Report):
    """Notes whether a call failed."""

    failed = False

    def note(self, *details: object) -> None:  # type: ignore[override]
        self.failed = True


TRIMMED = "tilegpu.trimmed"
"""Note in a stream about the one that it is a part of."""


@dataclass
class _Selection:
    """Chooses the calls to keep, by executing them all without rendering."""

    frames: FrameRange
    frames_at: FramesAt
    unneeded: Dependencies
    number: int = 0
    last: int = -1
    """Call that ends the last frame that is there."""
    kept_frames: int = 0
    dropped: set[int] = field(default_factory=set)
    _ended: bool = False
    _found: Overwritten = field(default_factory=Overwritten)
    _report: _Report = field(default_factory=_Report)

    def run(self, path: Path) -> None:
        """Go through a stream up to the last of the frames."""
        display = Display(lambda draw, sink: Outcome(), self._found, self._on_frame, frames_at=self.frames_at)
        display.skipped, display.report = EVERYTHING, self._report
        last = self.frames.last
        for call in Trace(path):
            if self.number < self.frames.first:
                self._before(display, call)
            else:
                self._within(display, call)
            if last is not None and self.number >= last:
                break
        self.dropped |= set(self._found.dropped)

    def _on_frame(self, picture: Picture, call: Call) -> None:
        self._ended = True
        if self.number in self.frames:
            self.last, self.kept_frames = call.number, self.kept_frames + 1
        self.number += 1

    def _within(self, display: Display, call: Call) -> None:
        """One of the frames: all calls stay, but none must end a frame that did not before. Where only some draws are
        wanted, others go, and what follows the last of them."""
        self._ended = False
        last_work = self.unneeded.last_work
        if last_work is not None and self._is_unneeded(display, display.current.get(call.thread), call):
            self.dropped.add(call.number)
        display.execute(call)
        if (
            last_work is not None
            and call.number > last_work
            and call.name.startswith("gl")
            and not call.name.startswith("glX")
            and not self._ended
        ):
            self.dropped.add(call.number)
        elif self.frames_at != "swap" and call.name in self._completing and not self._ended:
            self._drop_read(display.current.get(call.thread), call)

    @property
    def _completing(self) -> frozenset[str]:
        return {"swap": FRAME_ENDS, "flush": FLUSHES, "read": READS}[self.frames_at]

    def _before(self, display: Display, call: Call) -> None:
        """A call of an earlier frame."""
        name, context, selected = call.signature.name, display.current.get(call.thread), self._found
        if self._drops(display, context, call):
            self.dropped.add(call.number)
        elif self.frames_at != "swap" and name in self._completing:
            raise CaptureError(f"frames end at reads, and frame {self.frames.first} needs the pixels of an earlier one")
        elif _reads(context, name):
            selected.read_all()
        objects = _deleted(context, call) if name in ("glDeleteBuffers", "glDeleteTextures") else ([], [])
        if name.startswith("glGenerateMipmap") and context is not None:
            _read_texture(selected, context, call)
        self._report.failed = False
        selected.begin(call)
        display.execute(call)
        if context is not None and not self._report.failed:
            selected.note(context, call)
            selected.deleted(display, *objects)

    def _drops(self, display: Display, context: Context | None, call: Call) -> bool:
        """Whether a call before the frames has no effect that matters."""
        name = call.signature.name
        if name in FRAME_ENDS or name in FLUSHES or name in QUESTIONS:
            return True
        if context is not None and name in READS and gl.PIXEL_PACK_BUFFER not in context.state.buffers:
            return True
        return self._is_unneeded(display, context, call)

    def _is_unneeded(self, display: Display, context: Context | None, call: Call) -> bool:
        """Whether a call only draws or copies what nothing needs."""
        name = call.signature.name
        if not name.startswith(DROPPED) or name.startswith(STATE_OF_DRAWING) or context is None:
            return False
        window = display.window_system.drawables.get(call.thread)
        if name in BLITS and window is not None and window.size_of_blits:
            # The size of the window follows from it.
            return False
        # Draws that are captured move the place where the next one is.
        return call.number in self.unneeded.skipped and not context.feedback.active

    def _drop_read(self, context: Context | None, call: Call) -> None:
        if context is None or call.name not in READS or gl.PIXEL_PACK_BUFFER not in context.state.buffers:
            self.dropped.add(call.number)


def trim(
    path: Path,
    output: Path,
    frames: FrameRange,
    frames_at: FramesAt | None = None,
    draws: FrameRange | None = None,
) -> Trimmed:
    """Write some frames of a stream, with all that they depend on, as a stream of its own.

    Its frames are the same pictures. It has the calls of these frames; of those before, what makes the state and the
    objects that are there, and the operations that the frames depend on. Of some draws of a frame it has, in the place
    of all operations of the frame, these draws and what they depend on: what their targets held before only where they
    test or blend with it.

    Parameters
    ----------
    path
        apitrace file.
    output
        File to write.
    frames
        Frames to keep; the first of them becomes frame 0.
    frames_at
        Calls that end a frame; None finds out.
    draws
        Numbers of draws and dispatches of the frame, counted from 0; all operations by default.

    Raises
    ------
    CaptureError
        The file cannot be read, has none of the frames or not these draws; or the file to write is the same.
    UserError
        Draws are named and several frames.
    """
    if output.exists() and output.samefile(path):
        raise CaptureError(f"{output}: is the capture itself; choose another file to write")
    ends = frames_at or find_frame_ends(path)
    works = None
    if draws is not None:
        if frames.last != frames.first + 1 or draws.last is None:
            raise UserError("draws are those of one frame, from A to B-1: name one frame, and both ends")
        works = range(draws.first, draws.last)
    dependencies = find_dependencies(path, frames, ends, works=works)
    selection = _Selection(frames, ends, dependencies)
    selection.run(path)
    if shortfall := lacking(frames, selection.number):
        raise CaptureError(f"{path}: {shortfall}")
    written, warnings = _write(path, output, selection)
    sizes = path.stat().st_size, output.stat().st_size
    return Trimmed(selection.kept_frames, written, sizes, dependencies, warnings)


def _write(path: Path, output: Path, selection: _Selection) -> tuple[tuple[int, int], list[str]]:
    """Copy the calls that stay; the numbers of calls before and after."""
    trace, calls, before = Trace(path), CallSet(max(selection.dropped, default=0)), 0
    for number in selection.dropped:
        calls.add(number)
    done = False
    with TraceWriter(output, trace.properties | {TRIMMED: path.name}) as writer:
        for call in trace:
            before += 1
            if done or not call.complete or call.number in calls:
                continue
            done = call.number == selection.last
            writer.write(call)
    return (before, writer.calls), trace.warnings


def _reads(context: Context | None, name: str) -> bool:
    """Whether a call may read what others stored."""
    if name.startswith(("glTex", "glCompressedTex")):
        return context is not None and gl.PIXEL_UNPACK_BUFFER in context.state.buffers
    return name.startswith(READING) and not name.startswith(STATE_OF_DRAWING)


def _deleted(context: Context | None, call: Call) -> tuple[list[Buffer], list[Texture]]:
    """Objects that a call deletes."""
    names = call.arguments[1] if len(call.arguments) > 1 else None
    if context is None or not isinstance(names, list):
        return [], []
    numbers = [name for name in names if isinstance(name, int)]
    group = context.group
    if call.signature.name == "glDeleteBuffers":
        return [group.buffers[name] for name in numbers if name in group.buffers], []
    return [], [group.textures[name] for name in numbers if name in group.textures]


def _read_texture(overwritten: Overwritten, context: Context, call: Call) -> None:
    target = call.arguments[0] if call.arguments else None
    try:
        if isinstance(target, int):
            overwritten.read_texture(context.texture(target))
    except REPORTED:
        # The call has no effect.
        return
