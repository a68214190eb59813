"""Fragment Processor: executes the fragment shader, one quad per warp, or as many as `packing` lets share one; quads
leave for blending in the order they came.

The fragment stage works on one tile at a time: a processor that meets the end of the tile waits for the others
(`tile_end`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.energy.registers import register_files, unified
from tilegpu.timing.declare.records import (
    END_OF_TILE,
    MAX_PROCESSORS,
    MAX_THREADS,
    QUAD,
    Record,
    Token,
    i8,
    room,
)
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.statistics import Stat, ratio, total
from tilegpu.timing.declare.structures import (
    FRAGMENT,
    FRAGMENT_BYTES,
    Structure,
    instructions,
    operations,
    processors,
    stat,
    units,
)

from ..engine import hooks
from ..engine.calendar import poke, poke_at
from ..engine.frame import KINDS, Depth, Shading
from ..engine.jit import inline, unit
from ..engine.ring import Queue, front, full, push_token, release
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import output
from ..memory.request import next_reply
from . import packing, processor, tile_end
from .hazards import issue
from .processor import (
    NOT_SHADED,
    fetch_code,
    finished,
    lanes_at_once,
    leave,
    newest,
    next_leave,
    receive_code,
)

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..memory.gpu import Gpu
    from .processor import Processor


@output
def color_queue(gpu: Gpu, r: int, i: int) -> Queue[Token]:
    """Queue before blending."""
    raise NotImplementedError


@unit
def tick(gpu: Gpu, depth: Depth, shading: Shading, r: int, i: int, t: int) -> int:
    raster_unit = gpu.raster_unit[r]
    core = raster_unit.fragment_processor[i]
    moved = retire(gpu, shading, core, r, i, t)
    receive_code(gpu, core, t)
    moved |= fetch_code(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, depth, core, r, i, t)
    if moved or wake == t + 1:
        return t + 1
    return int(min(wake, next_leave(core, t), next_reply(gpu.port[core.port])))


@inline
def retire(gpu: Gpu, shading: Shading, core: Processor, r: int, i: int, t: int) -> bool:
    """The oldest warp leaves, in order, when its last results have arrived, as far as there is room for its quads."""
    colors = color_queue(gpu, r, i)
    if core.held.depth > 0:
        return tile_end.retire_held(gpu, shading, core, colors, r, t)
    if not finished(core, t) or full(colors):
        return False
    warp = front(core.warp)
    if warp.outstanding > 0:
        return False
    while warp.lane < warp.lanes and not full(colors):
        push_token(colors, QUAD, warp.tile, core.item[MAX_THREADS * core.warp.head + warp.lane])
        warp.lane += 1
    poke(gpu, colors.consumer)
    if warp.lane == warp.lanes:
        leave(core)
    return True


@inline
def accept(gpu: Gpu, shading: Shading, depth: Depth, core: Processor, r: int, i: int, t: int) -> bool:
    """A quad takes the next warp, and others may join it; the end of a tile waits at the barrier."""
    if gpu.shared_input != 0:
        return accept_shared(gpu, shading, depth, core, r, i, t)
    if core.queue.count == 0:
        return False
    token = front(core.queue)
    if token.kind == END_OF_TILE:
        return tile_end.meet(gpu, shading, core, color_queue(gpu, r, i), r, i, int(token.tile), t)
    if full(core.warp):
        return False
    begin(gpu, shading, depth, core, token, t)
    release(gpu, core.queue)
    while core.packs != 0 and core.queue.count > 0 and packing.join(shading, depth, core, front(core.queue)):
        release(gpu, core.queue)
    return True


@unit
def begin(gpu: Gpu, shading: Shading, depth: Depth, core: Processor, token: Token, t: int) -> None:
    quad = shading.quad[token.index]
    path = quad.path if token.kind == QUAD else NOT_SHADED
    hooks.works_for(gpu, core.id, depth.primitive[quad.primitive].work)
    warp = processor.start(gpu, shading, core, path, 1, t)
    hooks.notes_work(gpu, core.id, newest(core))
    warp.tile = token.tile
    packing.enter(depth, core, token, quad, 0)


@unit
def accept_shared(gpu: Gpu, shading: Shading, depth: Depth, core: Processor, r: int, i: int, t: int) -> bool:
    """The same from the queue that all share: one warp a cycle, and only the first quad can go."""
    raster_unit = gpu.raster_unit[r]
    if raster_unit.input.count == 0:
        return False
    entry = front(raster_unit.input)
    if entry.token.kind == END_OF_TILE:
        return tile_end.barrier(gpu, shading, core, color_queue(gpu, r, i), r, int(entry.token.tile))
    if entry.processor != i or full(core.warp):
        return False
    if raster_unit.input_taken == t:
        return True
    raster_unit.input_taken = t
    begin(gpu, shading, depth, core, entry.token, t)
    release(gpu, raster_unit.input)
    while core.packs != 0 and raster_unit.input.count > 0:
        entry = front(raster_unit.input)
        if entry.processor != i or not packing.join(shading, depth, core, entry.token):
            break
        release(gpu, raster_unit.input)
    for other in range(gpu.fragment_processors):
        poke_at(gpu, raster_unit.fragment_processor[other].id, t + 1)
    return True


@inline
def waits_for(gpu: Gpu, r: int, i: int) -> int:
    """Reason of a stall."""
    return processor.waits_for(gpu, gpu.raster_unit[r].fragment_processor[i])


class InputToken(Record):
    """Quad, or end of a tile, in the queue that all Fragment Processors of a Raster Unit share."""

    token: Token
    processor: i8


def setup(chip: Chip, core: processor.Processor, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; the queue that is not in use has no room."""
    stage = chip.configuration.of(FragmentStage)
    processor.setup(core, stage)
    core.packs = stage.packing == "visible"
    shared = chip.gpu.raster_unit[place[0]]
    shared.input_taken = -1
    if stage.input_queue == "shared":
        shared.input.depth = stage.queue
    else:
        core.queue.depth = stage.queue


class SharedInput(Record):
    """Registers that the Fragment Processors of a Raster Unit share. `arrived`: processors that are done with the tile
    whose end comes next; `ended`: tiles whose end was handed on past processors that do not wait for each other."""

    input: Queue[InputToken] = room(1024)
    input_taken: i8
    arrived: i8
    ended: i8
    busy_tiles: i8
    imbalance_ppm: i8
    issue_imbalance_ppm: i8


NAME = "fragment.processor"
ALL = tuple(f"{NAME}.{kind}_instructions" for kind in KINDS)

UNIT = Unit(
    "fragment_processor",
    __name__,
    processor.Processor,
    tick,
    tables=("depth", "shading"),
    scope=RASTER_UNIT,
    most=MAX_PROCESSORS,
    count=lambda c: int(c.of(FragmentStage).processors),
    shared=SharedInput,
    parameters=(FragmentStage,),
    setup=setup,
    causes=processor.CAUSES,
    programmable=True,
    reasons=processor.REASONS,
    asks=waits_for,
    marks=("instructions", "items"),
    stands=lambda core: f"{int(core.queue.count)} of {int(core.queue.depth)} quads queued, " + processor.stands(core),
    watches=(
        Watch("fragment", "quads before shading", "queue"),
        Watch("fragment", "quads before shading", "raster_unit.input"),
    ),
    statistics=(
        Stat(f"{NAME}.quads", "quads", "quads shaded", "items"),
        Stat(
            f"{NAME}.unrecorded_quads",
            "quads",
            "quads to shade whose path was not recorded: no instruction is issued",
            "unrecorded",
        ),
        Stat(f"{NAME}.warps", "warps", "warps of quads executed", "warps"),
        Stat(f"{NAME}.fragments", "fragments", "fragments of them that passed early depth, or skipped it", "fragments"),
        ratio(
            f"{NAME}.fragments_per_warp",
            "fragments/warp",
            "visible fragments that a warp of four shades together",
            f"{NAME}.fragments",
            f"{NAME}.warps",
        ),
        *processor.executed(NAME, "quads", "quads"),
        *(
            Stat(
                f"{NAME}.{kind}_cycles", "cycles", f"cycles in which a Fragment Processor {what}, summed", f"spent[{i}]"
            )
            for i, (kind, what) in enumerate(
                (
                    ("busy", "issued an instruction"),
                    ("texel_stall", "waited, a quad for texels"),
                    ("code_stall", "waited, a quad for code and none for texels"),
                    ("result_stall", "waited for results of its own only"),
                    ("empty", "had no quad"),
                    ("output", "waited to hand quads on"),
                )
            )
        ),
        Stat("fragment.barrier.tiles", "tiles", "tiles that any instruction was issued for", "raster_unit.busy_tiles"),
        Stat(
            "fragment.barrier.imbalance_sum",
            "ppm",
            "standard deviation over mean of the processors' active cycles, summed over tiles",
            "raster_unit.imbalance_ppm",
        ),
        Stat(
            "fragment.barrier.issue_imbalance_sum",
            "ppm",
            "standard deviation over mean of the processors' issuing cycles, summed over tiles",
            "raster_unit.issue_imbalance_ppm",
        ),
        Stat(f"{NAME}.instruction_fetches", "requests", "lines of code asked for", "instruction_fetches"),
        total(
            f"{NAME}.stalled_cycles",
            "cycles",
            "cycles in which a Fragment Processor waited for results, texels or code, summed",
            *(f"{NAME}.{cause}_stall_cycles" for cause in ("texel", "code", "result")),
        ),
        total(
            f"{NAME}.active_cycles",
            "cycles",
            "cycles in which a Fragment Processor had a quad, summed (Fig. 5.4)",
            f"{NAME}.busy_cycles",
            f"{NAME}.stalled_cycles",
            f"{NAME}.output_cycles",
        ),
        Stat(
            f"{NAME}.memory_share",
            "ratio",
            "share of the active cycles in which some quad waited for texels or code (Fig. 5.8); the rest is computing",
            "",
            f"({NAME}.texel_stall_cycles + {NAME}.code_stall_cycles) / {NAME}.active_cycles",
            lambda v: (
                (v[f"{NAME}.texel_stall_cycles"] + v[f"{NAME}.code_stall_cycles"]) / max(1, v[f"{NAME}.active_cycles"])
            ),
        ),
        total(f"{NAME}.instructions", "instructions", "instructions issued for quads", *ALL),
        ratio(
            "fragment.imbalance",
            "ratio",
            "standard deviation over mean of the processors' active cycles in a tile, mean over tiles (Fig. 6.5)",
            "fragment.barrier.imbalance_sum",
            "fragment.barrier.tiles",
            1e-6,
        ),
        ratio(
            "fragment.issue_imbalance",
            "ratio",
            "the same of the cycles in which the processors issue an instruction",
            "fragment.barrier.issue_imbalance_sum",
            "fragment.barrier.tiles",
            1e-6,
        ),
    ),
    structures=(
        Structure(
            "fragment_processor.queue",
            FRAGMENT,
            lambda c: processors(c) if c.of(FragmentStage).input_queue == "private" else units(c),
            lambda c: Ram(c.of(FragmentStage).queue, FRAGMENT_BYTES * 8),
            stat(f"{NAME}.quads"),
            stat(f"{NAME}.quads"),
        ),
        Structure(
            "fragment_processor.fpu",
            FRAGMENT,
            processors,
            lambda c: Logic("fpu", lanes_at_once(c.of(FragmentStage), 4)),
            operations(NAME, "alu"),
        ),
        Structure("fragment_processor.sfu", FRAGMENT, processors, lambda c: Logic("sfu", 1), operations(NAME, "sfu")),
        Structure(
            "fragment_processor.alu",
            FRAGMENT,
            processors,
            lambda c: Logic("alu", lanes_at_once(c.of(FragmentStage), 4)),
            operations(NAME, "flow"),
        ),
        *register_files(
            "fragment_processor",
            FRAGMENT,
            processors,
            lambda c: int(c.of(FragmentStage).warps),
            lambda c: 4,
            NAME,
            lambda v: 4.0 * v[f"{NAME}.quads"] / max(1.0, v[f"{NAME}.warps"]),
            # A row holds the four components of four lanes.
            Structure(
                "fragment_processor.registers",
                FRAGMENT,
                processors,
                lambda c: Ram(c.of(FragmentStage).warps * c.energy.registers_per_thread, 512, "2r1w"),
                operations(NAME, "alu", "sfu", "tex", factor=2 / 16),
                operations(NAME, "alu", "sfu", "tex", factor=1 / 16),
                unified,
            ),
        ),
        Structure(
            "fragment_processor.instruction_buffer",
            FRAGMENT,
            processors,
            lambda c: Ram(c.of(FragmentStage).warps, 512),
            instructions(NAME, *KINDS, "squashed", factor=0.25),
            stat(f"{NAME}.instruction_fetches"),
        ),
    ),
)
