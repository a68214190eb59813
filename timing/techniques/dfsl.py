"""Dynamic fragment shading load-balancing (DFSL; Gubran and Aamodt, ISCA 2019: Emerald, 6.3, Algorithm 1): the size of
work tiles is chosen anew at intervals of some frames, by trying all of them.

In the evaluation phase each frame is drawn with another size, from the least to the greatest; in the run phase all
frames with the one that took least time. The algorithm as printed never tries the greatest; here it is tried. What
counts is the time in which fragments are shaded, as the paper measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import NEVER, Record, i8
from tilegpu.timing.declare.statistics import Stat

from ..engine.jit import inline
from ..engine.technique import Technique

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Commands
    from ..memory.gpu import Gpu


NAME = "techniques.dfsl"


class State(Record):
    """State of the technique. `frame`: in the period of evaluation and run; `size`: of the frame at work; `before`:
    shading cycles of all frames before it; `work_tile`: sizes of all frames, summed."""

    least: i8
    greatest: i8
    run_frames: i8
    frame: i8
    size: i8
    best: i8
    best_cycles: i8
    before: i8
    work_tile: i8
    evaluated: i8


class Parameters(Group, section="technique.dfsl"):
    """Dynamic fragment shading load-balancing."""

    least: int = number(1, "TC tiles", "least side of a work tile (MinWT) [Emerald, 6.2]", 1, 64)
    greatest: int = number(10, "TC tiles", "greatest side of a work tile (MaxWT) [Emerald, 6.2]", 1, 64)
    run_frames: int = number(100, "frames", "frames of a run phase [Emerald, 6.3]", 1, 1 << 20)

    @model_validator(mode="after")
    def _fits(self) -> Parameters:
        if self.greatest < self.least:
            raise UserError(f"greatest must not be below least, {self.least}, not {self.greatest}")
        return self


@inline
def frame_end(gpu: Gpu, own: Any, commands: Commands, t: int) -> None:
    """Judge the frame, and choose the size of the next one's work tiles."""
    state = gpu.technique.dfsl
    cycles = gpu.vertex_launcher.shading_cycles - state.before
    state.before = gpu.vertex_launcher.shading_cycles
    state.work_tile += state.size
    sizes = state.greatest - state.least + 1
    if state.frame < sizes:
        state.evaluated += 1
        if cycles < state.best_cycles:
            state.best_cycles = cycles
            state.best = state.size
    state.frame += 1
    if state.frame == sizes + state.run_frames:
        state.frame = 0
        state.best_cycles = NEVER
    state.size = state.least + state.frame if state.frame < sizes else state.best
    use(gpu, state.size)


@inline
def use(gpu: Gpu, size: int) -> None:
    """Let work tiles have this size from the next frame on."""
    tiles = gpu.vertex_launcher.tiles
    tiles.side = tiles.tc_side * size


def setup(chip: Chip, state: Any) -> None:
    """The first frame is drawn with the least size."""
    own = chip.configuration.of(Parameters)
    state.least, state.greatest, state.run_frames = own.least, own.greatest, own.run_frames
    state.size = state.best = own.least
    state.best_cycles = NEVER
    chip.gpu.vertex_launcher.tiles.side = chip.gpu.vertex_launcher.tiles.tc_side * own.least


TECHNIQUE = Technique(
    "dfsl",
    "Dynamic fragment shading load-balancing (Gubran and Aamodt, ISCA 2019)",
    parameters=Parameters,
    record=State,
    setup=setup,
    statistics=(
        Stat(f"{NAME}.work_tile", "TC tiles", "side of a work tile, summed over frames", "work_tile"),
        Stat(f"{NAME}.evaluated_frames", "frames", "frames of evaluation phases", "evaluated"),
    ),
    machines=("simt",),
)
