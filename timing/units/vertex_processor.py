"""Vertex Processor: executes the vertex shader, one vertex per warp, and marks the vertex shaded in the
fetcher's window."""

from __future__ import annotations

from typing import Any

from tilegpu.timing.energy.declare import GEOMETRY, Structure, instructions
from tilegpu.timing.energy.geometry import Logic, Ram
from tilegpu.timing.results.declare import Stat

from ..engine.calendar import poke, wake
from ..engine.frame import KINDS
from ..engine.jit import inline, unit
from ..engine.records import MAX_PROCESSORS
from ..engine.ring import front, full, release
from ..engine.unit import Unit
from ..engine.wiring import access, input, output
from . import processor
from .processor import finished, issue, leave, next_leave
from .vertex_fetcher import READY, SHADED

front_end = access()
vertices = input()
window = output()


@unit
def tick(gpu: Any, shading: Any, p: int, t: int) -> int:
    core = gpu.vertex_processor[p]
    moved = retire(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, core, t)
    return t + 1 if moved else int(min(wake, next_leave(core, t)))


@inline
def retire(gpu: Any, core: Any, t: int) -> bool:
    if not finished(core, t):
        return False
    warp = front(core.warp)
    if warp.textures > 0:
        return False
    shaded = window(gpu)
    if not has_room(front_end(gpu), shaded, warp.item):
        return False
    shaded.slot[warp.item].state = SHADED
    leave(core)
    poke(gpu, shaded.consumer)
    return True


@inline
def has_room(fetcher: Any, window: Any, slot: int) -> bool:
    """Whether a vertex is among those the output queue has room for: the next ones in the order of the stream."""
    place = slot - window.head
    if place < 0:
        place += window.depth
    return bool(place < fetcher.output_depth)


@inline
def accept(gpu: Any, shading: Any, core: Any, t: int) -> bool:
    """Take the next vertex of the stream, once its attributes are here."""
    fetched = vertices(gpu)
    if fetched.count == 0 or full(core.warp):
        return False
    slot = front(fetched)
    entry = window(gpu).slot[slot]
    if entry.state != READY:
        return False
    release(gpu, fetched)
    if fetched.count > 0:
        wake(gpu, fetched.consumers)
    row = shading.stream[entry.stream]
    warp = processor.start(gpu, shading, core, row.path, slot, -1, t)
    warp.operation = row.operation
    return True


def setup(chip: Any, core: Any, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; code is always at hand."""
    processor.setup(core, chip.configuration.vertex_stage)
    core.port = -1


def _processors(c: Any) -> int:
    return int(c.vertex_stage.processors)


NAME = "geometry.vertex_processor"

UNIT = Unit(
    "vertex_processor",
    __name__,
    processor.PROCESSOR,
    tick,
    tables=("shading",),
    most=MAX_PROCESSORS,
    count=_processors,
    setup=setup,
    causes=processor.CAUSES,
    marks=("instructions", "items"),
    stands=processor.stands,
    statistics=(
        Stat(f"{NAME}.vertices", "vertices", "vertices shaded", "items"),
        *(
            Stat(
                f"{NAME}.{cause}_cycles", "cycles", f"cycles in which a Vertex Processor {what}, summed", f"spent[{i}]"
            )
            for i, (cause, what) in enumerate(
                (
                    ("busy", "issued an instruction"),
                    ("texel_stall", "waited, a vertex for texels"),
                    ("code_stall", "waited, a vertex for code"),
                    ("result_stall", "waited for results of its own"),
                    ("empty", "had no vertex"),
                    ("output", "waited for room in the output queue"),
                )
            )
        ),
        *(
            Stat(
                f"{NAME}.{kind}_instructions",
                "instructions",
                f"{kind} instructions issued for vertices",
                f"instructions[{i}]",
            )
            for i, kind in enumerate(KINDS)
        ),
    ),
    structures=(
        Structure(
            "vertex_processor.fpu",
            GEOMETRY,
            _processors,
            lambda c: Logic("fpu", c.energy.units_per_thread, c.energy.units_per_thread),
            instructions(NAME, "alu"),
        ),
        Structure(
            "vertex_processor.sfu", GEOMETRY, _processors, lambda c: Logic("sfu", 1), instructions(NAME, "sfu", "tex")
        ),
        Structure("vertex_processor.alu", GEOMETRY, _processors, lambda c: Logic("alu", 1), instructions(NAME, "flow")),
        Structure(
            "vertex_processor.registers",
            GEOMETRY,
            _processors,
            lambda c: Ram(c.vertex_stage.warps * c.energy.registers_per_thread, 128, "2r1w"),
            instructions(NAME, "alu", "sfu", "tex", factor=2),
            instructions(NAME, "alu", "sfu", "tex"),
        ),
    ),
)
