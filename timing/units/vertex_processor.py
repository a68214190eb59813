"""Vertex Processor: executes the vertex shader for warps of vertices, and marks them shaded in the fetcher's window.

A warp takes the next vertices of the stream while they are of one draw and take the same path. It waits until it is
full, or until no other vertex can join it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.energy.registers import register_files, unified
from tilegpu.timing.declare.records import MAX_PROCESSORS, MAX_THREADS
from tilegpu.timing.declare.stages import VertexStage
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import GEOMETRY, Structure, instructions, operations, stat

from ..engine import hooks
from ..engine.calendar import poke, wake
from ..engine.frame import KINDS, Shading
from ..engine.jit import inline, unit
from ..engine.ring import front, full, release, wrap
from ..engine.unit import Unit
from ..engine.wiring import access, input, output
from ..memory.request import next_reply
from . import processor
from .hazards import issue
from .processor import Processor, fetch_code, finished, lanes_at_once, leave, newest, next_leave, receive_code
from .vertex_fetcher import READY, SHADED, others_follow

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware
    from tilegpu.timing.declare.records import i4

    from ..engine.chip import Chip
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu
    from .vertex_fetcher import VertexFetcher, WindowEntry


@access
def front_end(gpu: Gpu) -> VertexFetcher:
    """Fetcher whose window vertices are in."""
    raise NotImplementedError


@input
def vertices(gpu: Gpu) -> Queue[i4]:
    """Vertices whose attributes have arrived."""
    raise NotImplementedError


@output
def window(gpu: Gpu) -> Queue[WindowEntry]:
    """Vertices in the order of the stream."""
    raise NotImplementedError


@unit
def tick(gpu: Gpu, shading: Shading, p: int, t: int) -> int:
    core: processor.Processor = gpu.vertex_processor[p]
    moved = retire(gpu, core, t)
    receive_code(gpu, core, t)
    moved |= fetch_code(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, core, t)
    if moved or wake == t + 1:
        return t + 1
    return int(min(wake, next_leave(core, t), next_reply(gpu.port[core.port])))


@inline
def retire(gpu: Gpu, core: Processor, t: int) -> bool:
    """The vertices of the oldest warp leave, in order, as far as the output queue has room for them."""
    if not finished(core, t):
        return False
    warp = front(core.warp)
    if warp.outstanding > 0:
        return False
    shaded = window(gpu)
    first = warp.lane
    vertices = core.warp.head * MAX_THREADS
    while warp.lane < warp.lanes and has_room(front_end(gpu), shaded, core.item[vertices + warp.lane]):
        shaded.slot[core.item[vertices + warp.lane]].state = SHADED
        warp.lane += 1
    if warp.lane == first:
        return False
    if warp.lane == warp.lanes:
        leave(core)
    poke(gpu, shaded.consumer)
    return True


@inline
def has_room(fetcher: VertexFetcher, window: Queue[WindowEntry], slot: int) -> bool:
    """Whether a vertex is among those the output queue has room for: the next ones in the order of the stream."""
    place = slot - window.head
    if place < 0:
        place += window.depth
    return bool(place < fetcher.output_depth)


@inline
def accept(gpu: Gpu, shading: Shading, core: Processor, t: int) -> bool:
    """Take the next vertices of the stream, once their attributes have arrived."""
    fetched = vertices(gpu)
    if fetched.count == 0 or full(core.warp):
        return False
    lanes = together(gpu, shading, core, fetched, window(gpu))
    if lanes == 0:
        return False
    first = window(gpu).slot[front(fetched)].stream
    hooks.works_for(gpu, core.id, shading.stream[first].work)
    processor.start(gpu, shading, core, shading.stream[first].path, lanes, t)
    hooks.notes_work(gpu, core.id, newest(core))
    place = MAX_THREADS * newest(core)
    for lane in range(lanes):
        slot = front(fetched)
        core.item[place + lane] = slot
        core.first_operation[place + lane] = shading.stream[window(gpu).slot[slot].stream].operation
        release(gpu, fetched)
    if fetched.count > 0:
        wake(gpu, fetched.consumers)
    return True


@inline
def together(gpu: Gpu, shading: Shading, core: Processor, fetched: Queue[int], window: Queue[WindowEntry]) -> int:
    """Number of the next vertices that make a warp now; 0 if it is too early."""
    head = window.slot[front(fetched)]
    path = shading.stream[head.stream].path
    lanes = 0
    while lanes < core.threads and lanes < fetched.count:
        entry = window.slot[fetched.slot[wrap(fetched, fetched.head + lanes)]]
        if entry.batch != head.batch or shading.stream[entry.stream].path != path:
            return lanes
        if entry.state != READY:
            return 0
        lanes += 1
    if lanes < core.threads and others_follow(front_end(gpu), head.batch):
        return 0
    return lanes


@inline
def waits_for(gpu: Gpu, p: int) -> int:
    """Reason of a stall."""
    return processor.waits_for(gpu, gpu.vertex_processor[p])


def setup(chip: Chip, core: processor.Processor, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    processor.setup(core, chip.configuration.of(VertexStage))
    core.threads = chip.configuration.of(VertexStage).threads


def _processors(c: Hardware) -> int:
    return int(c.of(VertexStage).processors)


NAME = "geometry.vertex_processor"

UNIT = Unit(
    "vertex_processor",
    __name__,
    processor.Processor,
    tick,
    tables=("vertex_shading",),
    most=MAX_PROCESSORS,
    count=_processors,
    parameters=(VertexStage,),
    setup=setup,
    causes=processor.CAUSES,
    programmable=True,
    reasons=processor.REASONS,
    asks=waits_for,
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
        *processor.executed(NAME, "warps of vertices", "vertices"),
        Stat(f"{NAME}.warps", "warps", "warps of vertices executed", "warps"),
        Stat(f"{NAME}.instruction_fetches", "requests", "lines of code asked for", "instruction_fetches"),
        ratio(
            f"{NAME}.vertices_per_warp",
            "vertices/warp",
            "vertices that a warp shades together",
            f"{NAME}.vertices",
            f"{NAME}.warps",
        ),
    ),
    structures=(
        Structure(
            "vertex_processor.fpu",
            GEOMETRY,
            _processors,
            lambda c: Logic("fpu", lanes_at_once(c.of(VertexStage), c.of(VertexStage).threads)),
            operations(NAME, "alu"),
        ),
        Structure("vertex_processor.sfu", GEOMETRY, _processors, lambda c: Logic("sfu", 1), operations(NAME, "sfu")),
        Structure(
            "vertex_processor.alu",
            GEOMETRY,
            _processors,
            lambda c: Logic("alu", lanes_at_once(c.of(VertexStage), c.of(VertexStage).threads)),
            operations(NAME, "flow"),
        ),
        *register_files(
            "vertex_processor",
            GEOMETRY,
            _processors,
            lambda c: int(c.of(VertexStage).warps),
            lambda c: int(c.of(VertexStage).threads),
            NAME,
            lambda v: v[f"{NAME}.vertices"] / max(1.0, v[f"{NAME}.warps"]),
            Structure(
                "vertex_processor.registers",
                GEOMETRY,
                _processors,
                lambda c: Ram(
                    c.of(VertexStage).warps * c.of(VertexStage).threads * c.energy.registers_per_thread, 128, "2r1w"
                ),
                operations(NAME, "alu", "sfu", "tex", factor=2 / 4),
                operations(NAME, "alu", "sfu", "tex", factor=1 / 4),
                unified,
            ),
        ),
        Structure(
            "vertex_processor.instruction_buffer",
            GEOMETRY,
            _processors,
            lambda c: Ram(c.of(VertexStage).warps, 512),
            instructions(NAME, *KINDS, "squashed", factor=0.25),
            stat(f"{NAME}.instruction_fetches"),
        ),
    ),
)
