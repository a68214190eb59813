"""Plays a captured stream: executes every call and yields every frame when it is swapped."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from .capture import Call, CaptureError, Trace
from .dependencies.find import find_dependencies
from .dependencies.observer import Observer
from .dependencies.operations import Dependencies, Operations
from .execute.backend import Backend
from .execute.choice import choose_backend
from .frame_ranges import FrameRange, FrameSet, lacking
from .gles.display import Display
from .gles.errors import end_call
from .gles.frame_ends import FramesAt, find_frame_ends
from .gles.listener import Listener
from .gles.surfaces import Picture
from .images import frame_image, png_bytes
from .pipeline.command import DrawCommand
from .pipeline.compute.dispatch import Dispatch, DispatchSink
from .pipeline.draw import Counter, Outcome, Renderer
from .pipeline.fragments.multisampling import resolve
from .pipeline.fused.workers import Workers
from .stage_clock import FRAMES, READING, STATE, SilentClock
from .work import DEFAULT_MAX_WORK, long_calls_told


@dataclass(frozen=True, repr=False)
class Frame:
    """One finished frame.

    Attributes
    ----------
    number
        Number from 0.
    pixels
        uint8, (height, width, 3), or 4 with alpha, row 0 at the top; empty if they are not wanted.
    cpu_seconds
        CPU time since the previous frame.
    """

    number: int
    pixels: NDArray[np.uint8]
    cpu_seconds: float

    def __repr__(self) -> str:
        size = "x".join(map(str, self.pixels.shape[1::-1])) + " pixels" if self.pixels.size else "no pixels"
        return f"<Frame {self.number}: {size}, {self.cpu_seconds:.2f} s of CPU time>"

    def _repr_png_(self) -> bytes | None:
        """Picture for a notebook."""
        return png_bytes(self.pixels) if self.pixels.size else None


class Executor(Protocol):
    """Something that executes draws."""

    def run(self, draw: DrawCommand, sink: Any) -> Outcome | None:
        """Execute a draw and notify the sink, if any, of what each stage did; None if queries cannot count it."""

    def dispatch(self, dispatch: Dispatch, sink: DispatchSink | None) -> None:
        """Execute a dispatch and notify the sink, if any, of what its work groups did."""


@dataclass
class Player:
    """Plays a trace.

    Parameters
    ----------
    path
        apitrace file.
    frames
        Frames to yield. Of others, what these depend on is rendered, too.
    size
        Size of the window in pixels, or None to derive it from the stream.
    snap
        "8": window coordinates have 8 subpixel bits, as in hardware; "none": they stay float32, as in Mesa's softpipe.
    backend
        Back end that runs shaders; by default the fastest one available.
    jobs
        Number of threads that share the fragments of a draw; images do not depend on it.
    clock
        Notified of the stages.
    listener
        Notified of everything that happens.
    renderer
        Executes draws instead of our own pipeline.
    frames_at
        Calls that end frames; None finds out. See `Display`.
    counter
        Counts the work of draws that the listener does not observe.
    images
        Whether frames have pixels.
    alpha
        Whether frames keep the alpha of the window; a display shows them opaque.
    from_start
        Whether all frames before the last one are rendered, whatever depends on them; the results are the same.
    operations
        Operations of the stream, if an earlier run has them; otherwise the calls are executed once more to find
        them where frames are left out.
    observer
        Notes the operations, and notifies the listener in place of the player.
    max_work
        Most work that one call may ask for: invocations for vertices or of compute shaders, or texels.
    allow_truncated
        Whether the file may break off before the last of the frames.

    Attributes
    ----------
    warnings
        What was skipped or wrong, one line per kind; complete once `run` is exhausted.
    dependencies
        Operations of the stream, and which of them were not needed.
    """

    path: Path
    frames: FrameRange | FrameSet = FrameRange()
    size: tuple[int, int] | None = None
    snap: Literal["8", "none"] = "8"
    backend: Backend = field(default_factory=lambda: choose_backend()[0])
    jobs: int = 1
    clock: SilentClock = field(default_factory=SilentClock)
    listener: Listener = field(default_factory=Listener)
    renderer: Executor | None = None
    frames_at: FramesAt | None = None
    counter: Counter | None = None
    images: bool = True
    alpha: bool = False
    from_start: bool = False
    operations: Operations | None = None
    observer: Observer | None = None
    max_work: int = DEFAULT_MAX_WORK
    allow_truncated: bool = True
    dependencies: Dependencies = field(default_factory=Dependencies)
    warnings: list[str] = field(default_factory=list)
    _trace: Trace | None = None

    @property
    def fraction(self) -> float:
        """Share of the file that has been read, 0 to 1."""
        return self._trace.fraction if self._trace is not None else 0.0

    def run(self) -> Iterator[Frame]:
        """Frames in order.

        Raises
        ------
        CaptureError
            The file cannot be read, or lacks requested frames.
        InternalError
            The code that executes it has a fault.
        """
        frames_at = self.frames_at
        # Nearly all programs swap buffers. If nothing observes the calls, those of the others can be executed again.
        listener = self.observer or self.listener
        forgets = type(self.listener) is Listener or self.listener.restarts
        again = frames_at is None and self.renderer is None and forgets
        if frames_at is None:
            frames_at = "swap" if again else find_frame_ends(self.path)
        number = yield from self._frames(frames_at)
        if not number and again:
            frames_at = find_frame_ends(self.path)
            listener.forget()
            number = (yield from self._frames(frames_at)) if frames_at != "swap" else 0
        if not number:
            raise CaptureError(f"{self.path}: no frame ends in it: {_NO_FRAMES[frames_at]}")

    def _frames(self, frames_at: FramesAt) -> Generator[Frame, None, int]:
        """The requested frames; the number of frames up to the last requested one."""
        finished: list[Picture] = []
        display = self._display(frames_at, finished)
        with long_calls_told(display):
            return (yield from self._executed(display, finished))

    def _display(self, frames_at: FramesAt, finished: list[Picture]) -> Display:
        """Executes the calls; pictures of frames are appended to a list."""
        renderer = self.renderer
        if renderer is None:
            snap, workers = self.snap == "8", Workers(self.jobs)
            renderer = Renderer(self.backend, snap, workers, self.clock, self.counter)
        observer, listener = self.observer, self.observer or self.listener

        def on_frame(picture: Picture, call: Call) -> None:
            if observer is not None:
                observer.frame(picture, call)
            finished.append(picture)

        self.dependencies = self._dependencies(frames_at)
        display = Display(
            renderer.run,
            listener,
            on_frame,
            self.size,
            joins_draws=self.renderer is None,
            frames_at=frames_at,
            dispatch=renderer.dispatch,
        )
        display.skipped, display.max_work = self.dependencies.skipped, self.max_work
        if self.counter is not None:
            display.leaves_out_colors = self.counter.leaves_out_colors
        unobserved = type(listener) is Listener
        display.passes_over = bool(self.dependencies.skipped) and (unobserved or not listener.sees_skipped)
        display.unobserved = unobserved and self.counter is None and self.renderer is None
        display.sees_contents = listener.sees_contents and not display.unobserved
        return display

    def _executed(self, display: Display, finished: list[Picture]) -> Generator[Frame, None, int]:
        """The requested frames, of which the display appends the pictures to a list."""
        observer, listener = self.observer, self.observer or self.listener
        trace = self._trace = Trace(self.path)
        number = 0
        clock = time.process_time()
        executed = display.execute if observer is None else observer.executor(display)
        execute = self.clock.timed(STATE, executed)
        for call in self.clock.iterate(READING, trace):
            execute(call)
            if not finished:
                continue
            picture = finished.pop()
            wanted = number in self.frames
            try:
                with self.clock.stage(FRAMES):
                    pixels = window_pixels(picture, self.alpha) if wanted and self.images else _NO_PIXELS
                    listener.frame_ended(number, picture, call.number)
            except Exception as error:
                end_call(call, error)
            if wanted:
                now = time.process_time()
                yield Frame(number, pixels, now - clock)
            clock = time.process_time()
            number += 1
            if self.frames.last is not None and number >= self.frames.last:
                break
        display.flush()
        self.warnings = [f"{self.path}: {line}" for line in display.report.lines()] + trace.warnings
        check_whole(trace, self.allow_truncated)
        if number and (shortfall := lacking(self.frames, number)):
            raise CaptureError(f"{self.path}: {shortfall}")
        return number

    def _dependencies(self, frames_at: FramesAt) -> Dependencies:
        """Dependencies of the frames; nothing is skipped if all are rendered, or by another renderer."""
        frames = self.frames
        gaps = frames.first > 0 or (isinstance(frames, FrameSet) and len(frames.numbers) < frames.last)
        if self.from_start or self.renderer is not None or not gaps:
            return Dependencies()
        if self.operations is not None:
            return self.operations.needed_by(frames)
        with self.clock.stage(STATE):
            return find_dependencies(self.path, frames, frames_at, self.size)


def check_whole(trace: Trace, allow_truncated: bool) -> None:
    """CaptureError if calls are missing at the end of a stream that was read, unless that is allowed."""
    if trace.breaks_off and not allow_truncated:
        raise CaptureError(f"{trace.warnings[-1]}; --allow-truncated goes on with that")


_NO_PIXELS = np.zeros((0, 0, 3), np.uint8)
_NO_FRAMES = {
    "swap": "there is no buffer swap; record the application for longer",
    "flush": "nothing is drawn before a glFlush or glFinish; record the application for longer",
    "read": "there is no buffer swap, no flush of a single-buffered surface, no glReadPixels of a whole framebuffer; "
    "record the application for longer, or choose --frames-at flush",
}


def window_pixels(picture: Picture, alpha: bool = False) -> NDArray[np.uint8]:
    """A picture as an image; opaque, or with the alpha that the framebuffer has.

    Floats are clamped to 0…1, integers to 0…255.
    """
    pixels = picture.attachment.color()
    assert pixels is not None
    flat = resolve(pixels) if pixels.ndim == 4 else pixels
    if flat.dtype != np.uint8:
        scale = 255 if flat.dtype == np.float32 else 1
        flat = np.floor(np.clip(np.nan_to_num(flat) * scale, 0, 255) + 0.5).astype(np.uint8)
    return frame_image(flat, alpha and picture.color.bits[3] > 0)
