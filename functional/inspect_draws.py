"""Inspects a frame draw by draw: the image after each draw, its state, overdraw and depth complexity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .capture import CaptureError
from .execute.choice import choose_backend
from .execute.paths import PathTable
from .frame_ranges import FrameRange
from .gles.context import Context
from .gles.frame_ends import FramesAt
from .gles.listener import Listener
from .gles.programs import Program
from .gles.surfaces import Picture
from .glsl import LinkedProgram
from .images import frame_image
from .operation_names import operation_name
from .pipeline.command import DrawCommand
from .pipeline.compute.dispatch import Dispatch
from .pipeline.draw import Renderer
from .pipeline.fragments.fragment_shading import ShadedQuads
from .pipeline.fragments.rasterization import Quads
from .pipeline.geometry.set_up import Geometry
from .pipeline.geometry.vertex_fetch import FetchedVertices
from .pipeline.geometry.vertex_shading import ShadedVertices
from .pipeline.sink import Sink
from .player import Player
from .recording.draws import DRAWN, attribute_rows, drawn_row, state_row


@dataclass
class Complexity:
    """How often pixels of the window were covered and written; int32 (height, width), row 0 at the bottom."""

    covered: NDArray[np.int32]
    written: NDArray[np.int32]


@dataclass
class DrawnStep:
    """One draw of the frame.

    Attributes
    ----------
    number
        Number in the frame: draws and dispatches are counted from 0.
    call
        Number of the call in the stream.
    state
        The draw's row of the activity, without vertex data, and the names of the uniforms of its program's shaders.
    image
        Window after the draw, uint8 (height, width, 3), row 0 at the top; None if the draw had another target.
    ways
        How `tilegpu render` executes it; see `Plan.ways`.
    quads, fragments
        Covered quads, and fragments written.
    """

    number: int
    call: int
    state: dict[str, Any]
    image: NDArray[np.uint8] | None
    ways: tuple[str, str]
    quads: int = 0
    fragments: int = 0


@dataclass
class _CountingSink:
    """Counts the pixels that a draw covers and writes, and calls `done` after its last instance."""

    step: DrawnStep
    complexity: Complexity | None
    instances: int
    done: Callable[[], None]
    joining = None
    shade_occluded: bool = False
    colors: bool = False
    tables: dict[tuple[int, str], PathTable] = field(default_factory=dict)
    batch: Quads | None = None

    def observer(self) -> None:
        return

    def paths(self, program: LinkedProgram, stage: str) -> PathTable:
        key = (id(program), stage)
        if key not in self.tables:
            self.tables[key] = PathTable(program.vertex if stage == "vertex" else program.fragment)
        return self.tables[key]

    def begin_batch(self, quads: Quads) -> None:
        self.batch = quads

    def add_part(self, part: ShadedQuads) -> None:
        return

    def end_batch(self, passed: NDArray[np.uint16], discarded: NDArray[np.uint8]) -> None:
        quads = self.batch
        assert quads is not None
        self.step.quads += quads.number
        for lane in range(4):
            x, y = 2 * quads.x.astype(np.int64) + (lane & 1), 2 * quads.y.astype(np.int64) + (lane >> 1)
            written = (passed >> lane & 1).astype(bool)
            self.step.fragments += int(written.sum())
            if self.complexity is not None:
                covered = (quads.coverage >> lane & 1).astype(bool)
                np.add.at(self.complexity.covered, (y[covered], x[covered]), 1)
                np.add.at(self.complexity.written, (y[written], x[written]), 1)

    def drop_batch(self) -> None:
        return

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        if instance == self.instances - 1:
            self.done()


class _Inspector(Listener):
    """Notes every draw of one frame."""

    def __init__(self, frame: int, renderer: Renderer) -> None:
        self.frame, self.renderer = frame, renderer
        self.number = self.worked = 0
        self.dispatches: dict[int, int] = {}
        self.steps: list[DrawnStep] = []
        self.complexity: Complexity | None = None
        self.pending: tuple[DrawnStep, Context] | None = None

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> Sink | None:
        self.settle()
        if self.number != self.frame:
            return None
        state = {
            **dict(zip(DRAWN, drawn_row(command.vertices), strict=True)),
            "attributes": attribute_rows(command),
            **state_row(command),
            "constants_version": program.version,
        }
        linked = command.state.program
        state["program"] = {
            "uniforms": [u.name for u in linked.uniforms],
            "attributes": {a.name: a.location for a in linked.attributes},
            "vertex_instructions": len(linked.vertex.instructions),
            "fragment_instructions": len(linked.fragment.instructions),
        }
        state["framebuffer"] = context.state.framebuffer
        step = DrawnStep(self.worked, call, state, None, self.renderer.plan(command, None).ways)
        self.worked += 1
        self.steps.append(step)
        self.pending = (step, context)
        return _CountingSink(step, self._complexity(context), command.vertices.instances, self.settle)

    def _complexity(self, context: Context) -> Complexity | None:
        if context.state.framebuffer:
            return None
        if self.complexity is None:
            width, height = context.framebuffer.size
            self.complexity = Complexity(*(np.zeros((height, width), np.int32) for _ in range(2)))
        return self.complexity

    def settle(self) -> None:
        """Store the image after the last draw."""
        if self.pending is None:
            return
        step, context = self.pending
        self.pending = None
        default = context.default_framebuffer
        color = default.color if default is not None else None
        if step.state["framebuffer"] == 0 and color is not None and color.surface is not None:
            pixels, sized = color.surface.color, color.surface.color_format
            if pixels is not None and sized is not None:
                step.image = frame_image(pixels, alpha=False)

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> None:
        self.settle()
        if self.number == self.frame:
            self.dispatches[self.worked] = call
            self.worked += 1

    def event(self, kind: str, call: int, **fields: Any) -> None:
        self.settle()

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        self.settle()
        self.number = number + 1


@dataclass
class Inspected:
    """The draws of a frame, its complexity on the window (None if nothing was drawn there), and the calls of its
    dispatches by number."""

    steps: list[DrawnStep]
    complexity: Complexity | None
    dispatches: Mapping[int, int]


def inspect_frame(
    path: Path,
    frame: int,
    size: tuple[int, int] | None = None,
    snap: Literal["8", "none"] = "8",
    frames_at: FramesAt | None = None,
) -> Inspected:
    """Render a stream up to a frame and note each of its draws.

    Parameters
    ----------
    path
        apitrace file.
    frame
        Number of the frame, from 0.
    size, snap, frames_at
        As for `Player`.

    Raises
    ------
    CaptureError
        The stream cannot be read or has no such frame.
    """
    backend = choose_backend()[0]
    inspector = _Inspector(frame, Renderer(backend, snap == "8"))
    player = Player(path, FrameRange(frame, frame + 1), size, snap, backend, listener=inspector, frames_at=frames_at)
    for _ in player.run():
        pass
    return Inspected(inspector.steps, inspector.complexity, inspector.dispatches)


def chosen_steps(inspected: Inspected, draw: int | None) -> Iterator[DrawnStep]:
    """All draws, or one; CaptureError if there is none with that number."""
    chosen = [step for step in inspected.steps if draw in (None, step.number)]
    if draw is not None and draw in inspected.dispatches:
        raise CaptureError(f"{operation_name('dispatch', draw, inspected.dispatches[draw])} draws nothing")
    if draw is not None and not chosen:
        works = len(inspected.steps) + len(inspected.dispatches)
        raise CaptureError(f"draw {draw}: the frame has {works} draws and dispatches, numbered from 0")
    yield from chosen


def complexity_image(counts: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Counts as colours, uint8 RGB, row 0 at the top: black for none, blue, green, yellow, red at eight, white."""
    stops = np.array([0, 1, 2, 4, 8, 16])
    colors = np.array([[0, 0, 0], [30, 40, 140], [30, 150, 90], [230, 210, 40], [220, 40, 30], [255, 255, 255]])
    return np.stack([np.interp(counts[::-1], stops, colors[:, c]) for c in range(3)], 2).astype(np.uint8)
