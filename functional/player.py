"""Plays a captured stream: executes every call and yields every frame when it is swapped."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from .capture import CaptureError, Trace
from .errors import UserError
from .execute.backend import Backend
from .execute.choice import choose_backend
from .gles.desktop import DesktopCaptureError
from .gles.display import Display
from .gles.errors import end_call
from .gles.listener import Listener
from .gles.surfaces import Window
from .images import frame_image
from .pipeline.command import DrawCommand
from .pipeline.draw import Outcome, Renderer
from .pipeline.fragments.multisampling import resolve
from .pipeline.fused.workers import Workers
from .stage_clock import FRAMES, READING, STATE, SilentClock


@dataclass(frozen=True)
class Frame:
    """One finished frame.

    Attributes
    ----------
    number
        Number from 0, one per buffer swap.
    pixels
        uint8, (height, width, 3 or 4), row 0 at the top.
    cpu_seconds
        CPU time since the previous frame.
    """

    number: int
    pixels: NDArray[np.uint8]
    cpu_seconds: float


@dataclass(frozen=True)
class FrameRange:
    """Frames `first` to `last` - 1; `last` None means to the end."""

    first: int = 0
    last: int | None = None

    @classmethod
    def parse(cls, text: str) -> FrameRange:
        """Parse "A:B" (A to B - 1), "A:", ":B" or "A" (only that frame); UserError otherwise."""
        try:
            first, colon, last = text.partition(":")
            begin = int(first) if first else 0
            end = (int(last) if last else None) if colon else begin + 1
        except ValueError:
            begin, end = -1, None
        if begin < 0 or (end is not None and end <= begin):
            raise UserError(
                f"frames {text!r}: write A:B for frames A to B-1, A: to the end, or A for one frame, from 0"
            )
        return cls(begin, end)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number >= self.first and (self.last is None or number < self.last)


class Executor(Protocol):
    """Something that executes draws."""

    def run(self, draw: DrawCommand, sink: Any) -> Outcome | None:
        """Execute a draw and notify the sink, if any, of what each stage did; None if queries cannot count it."""


@dataclass
class Player:
    """Plays a trace.

    Parameters
    ----------
    path
        apitrace file.
    frames
        Frames to yield; earlier ones are rendered too, because later frames may depend on them.
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

    Attributes
    ----------
    warnings
        What was skipped or wrong, one line per kind; complete once `run` is exhausted.
    """

    path: Path
    frames: FrameRange = FrameRange()
    size: tuple[int, int] | None = None
    snap: Literal["8", "none"] = "8"
    backend: Backend = field(default_factory=lambda: choose_backend()[0])
    jobs: int = 1
    clock: SilentClock = field(default_factory=SilentClock)
    listener: Listener = field(default_factory=Listener)
    renderer: Executor | None = None
    warnings: list[str] = field(default_factory=list)
    _trace: Trace | None = None

    @property
    def fraction(self) -> float:
        """How much of the file has been read, 0 to 1."""
        return self._trace.fraction if self._trace is not None else 0.0

    def run(self) -> Iterator[Frame]:
        """Frames in order.

        Raises
        ------
        CaptureError
            The file cannot be read, holds none of the requested frames, or draws with desktop OpenGL.
        InternalError
            The code that executes it has a fault.
        """
        renderer = self.renderer
        if renderer is None:
            renderer = Renderer(self.backend, self.snap == "8", workers=Workers(self.jobs), clock=self.clock)
        finished: list[Window] = []
        display = Display(
            renderer.run,
            self.listener,
            lambda window, call: finished.append(window),
            self.size,
            joins_draws=self.renderer is None,
        )
        trace = self._trace = Trace(self.path)
        number, handed = 0, 0
        clock = time.process_time()
        execute = self.clock.timed(STATE, display.execute)
        for call in self.clock.iterate(READING, trace):
            try:
                execute(call)
            except DesktopCaptureError as error:
                raise CaptureError(f"{self.path}: {error}") from None
            if not finished:
                continue
            window = finished.pop()
            wanted = number in self.frames
            try:
                with self.clock.stage(FRAMES):
                    pixels = window_pixels(window)
                    self.listener.frame_ended(number, window, pixels, call.number)
            except Exception as error:
                end_call(call, error)
            if wanted:
                now = time.process_time()
                yield Frame(number, pixels, now - clock)
                handed += 1
            clock = time.process_time()
            number += 1
            if self.frames.last is not None and number >= self.frames.last:
                break
        display.flush()
        self.warnings = [f"{self.path}: {line}" for line in display.report.lines()] + trace.warnings
        if not handed:
            if number:
                raise CaptureError(f"{self.path}: has {number} frames, none of the requested ones")
            raise CaptureError(f"{self.path}: no frame ends in it (no buffer swap); record the application for longer")


def window_pixels(window: Window) -> NDArray[np.uint8]:
    """Content of a window as an image."""
    color = window.attachments().color
    assert color is not None and color.surface is not None and color.surface.color is not None
    pixels = color.surface.color
    return frame_image(resolve(pixels) if pixels.ndim == 4 else pixels, window.color.bits[3] > 0)
