"""Memory Unit of a Fragment Processor that reads and writes pixels itself (Decoupled Access/Execute, 2.2): loads and
stores of colours through the processor's pixel cache, and of depths where quads are tested after shading.

The instructions follow the fragment program (`timing.loading.pixel_code`). Addresses go to the caches in the order of
the instructions, `threads_per_cycle` of a quad's fragments per cycle; loads are answered in that order, stores are done
when they are sent. A processor makes no access at a place before those of earlier warps there.

A quad that has left its processor is blended, as far as the picture is concerned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import (
    MAX_PROCESSORS,
    MAX_THREADS,
    MAX_WARPS,
    Record,
    Ring,
    Rows,
    Token,
    i1,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import FRAGMENT, Structure, processors

from ..engine import hooks
from ..engine.account import BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.frame import (
    ACCESSES,
    COLOR_LOAD,
    COLOR_STORE,
    DEPTH_LOAD,
    DEPTH_STORE,
    Depth,
    Instruction,
    Quad,
    Surfaces,
)
from ..engine.jit import inline, unit
from ..engine.ring import Queue, drop, front, full, grow, wrap
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import access
from ..memory.request import COLOR, DEPTH, READ, WRITE, Port, asked_by, has_reply, next_reply, replies_due, take_reply
from . import frame_buffer
from .blending import COUNTED, begin_frame, count_late, note_blended
from .cached_depth import leave_late
from .depth_test import TileBuffer, work_of
from .packing import fragments_of
from .processor import deliver, result_of

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..memory.gpu import Gpu
    from .cached_depth import CachedDepth
    from .processor import Processor


@access
def depth_stage(gpu: Gpu, r: int) -> CachedDepth:
    """Depth test of a Raster Unit."""
    raise NotImplementedError


@access
def processor_of(gpu: Gpu, r: int, i: int) -> Processor:
    """Processor of a Memory Unit."""
    raise NotImplementedError


class MemoryOperation(Record):
    """Access of a lane. `pending`: lines that it waits for."""

    warp: i4
    lane: i4
    destination: i4
    access: i4
    tile: i4
    quad: i4
    pending: i4
    done: i4
    tag: i4


class MemoryUnit(Accounted):
    """Registers of the Memory Unit. `sent`: operations whose addresses are on their way; `free`: cycle in which the
    next one's may follow; `wrote`: for each lane of a warp whether its late test has changed a depth or stencil value;
    `queue`: quads that have left the processor."""

    id: i8
    port: i8
    depth_port: i8
    operation: Ring[MemoryOperation] = room(64)
    queue: Queue[Token] = room(64)
    wrote: Rows[i1] = room(MAX_WARPS * MAX_THREADS)
    buffer: TileBuffer
    sent: i8
    free: i8
    polls: i8
    latency: i8
    threads_per_cycle: i8
    operations: Rows[i8] = room(len(ACCESSES))
    busy_cycles: i8
    quads: i8
    late_killed_quads: i8
    discarded_quads: i8
    mismatched_quads: i8
    fragments: i8
    blended: i8


@unit
def tick(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, i: int, t: int) -> int:
    unit: MemoryUnit = gpu.raster_unit[r].memory_unit[i]
    color, z = gpu.port[unit.port], gpu.port[unit.depth_port]
    account(unit, t)
    receive(gpu, unit, color, t)
    receive(gpu, unit, z, t)
    unit.polls = 0
    moved = finish(gpu, surfaces, depth, unit, r, i, t)
    moved |= send_next(gpu, surfaces, depth, unit, r, i, t)
    leave(gpu, surfaces, depth, unit, r, t)
    unit.cause = BUSY
    if moved:
        return t + 1
    return rest(unit, min(next_reply(color), next_reply(z)), t)


@inline
def accept(gpu: Gpu, unit: MemoryUnit, core: Processor, w: int, instruction: Instruction) -> None:
    """An operation of the next lane of a warp."""
    warp = core.warp.slot[w]
    operation = grow(unit.operation)
    operation.warp = w
    operation.lane = warp.lane
    operation.destination = result_of(warp, instruction)
    operation.access = instruction.access
    operation.tile = warp.tile
    operation.quad = core.item[MAX_THREADS * w + warp.lane]
    operation.pending = 0
    operation.done = 0
    operation.tag = asked_by(instruction.address, w)
    poke(gpu, unit.id)


@inline
def receive(gpu: Gpu, unit: MemoryUnit, port: Port, t: int) -> None:
    """Lines that have arrived."""
    while has_reply(port, t):
        replies = replies_due(port, t)
        unit.operation.slot[front(replies).slot].pending -= 1
        take_reply(gpu, port, replies)


@inline
def finish(gpu: Gpu, surfaces: Surfaces, depth: Depth, unit: MemoryUnit, r: int, i: int, t: int) -> bool:
    """Loads whose lines have arrived are done, in order."""
    moved = False
    while unit.sent > 0 and front(unit.operation).pending == 0:
        operation = front(unit.operation)
        core = processor_of(gpu, r, i)
        hooks.works_for(gpu, unit.id, work_of(depth, operation.quad))
        had_no_room = full(unit.operation)
        if operation.done == 0:
            if operation.access == DEPTH_LOAD:
                wrote = test_late(gpu, surfaces, depth, unit, int(operation.tile), int(operation.quad))
                unit.wrote[MAX_THREADS * operation.warp + operation.lane] = wrote
            deliver(gpu, core, operation.warp, operation.destination, t + unit.latency, had_no_room)
        elif had_no_room:
            poke(gpu, core.id)
        drop(unit.operation)
        unit.sent -= 1
        moved = True
    return moved


@inline
def send_next(gpu: Gpu, surfaces: Surfaces, depth: Depth, unit: MemoryUnit, r: int, i: int, t: int) -> bool:
    """Send the addresses of the next operation."""
    if unit.sent == unit.operation.count or unit.free > t:
        return False
    slot = wrap(unit.operation, unit.operation.head + unit.sent)
    operation = unit.operation.slot[slot]
    quad = depth.quad[operation.quad]
    hooks.works_for(gpu, unit.id, work_of(depth, operation.quad))
    of_depth = operation.access == DEPTH_LOAD or operation.access == DEPTH_STORE
    kept = kept_samples(depth, operation, quad)
    if kept != 0 and not request(gpu, surfaces, unit, operation, quad, of_depth, slot, t):
        unit.polls = 1
        return False
    cycles = max(1, -(-fragments_of(kept) // int(unit.threads_per_cycle)))
    unit.free = t + cycles
    unit.busy_cycles += cycles
    unit.operations[operation.access] += 1
    unit.sent += 1
    if operation.access == DEPTH_STORE or operation.access == COLOR_STORE:
        operation.done = 1
        deliver(gpu, processor_of(gpu, r, i), operation.warp, 0, t, False)
    return True


@inline
def request(
    gpu: Gpu,
    surfaces: Surfaces,
    unit: MemoryUnit,
    operation: MemoryOperation,
    quad: Quad,
    of_depth: bool,
    slot: int,
    t: int,
) -> bool:
    """Access the lines of a quad; False where the port has no room."""
    source = DEPTH if of_depth else COLOR
    port = gpu.port[unit.depth_port] if of_depth else gpu.port[unit.port]
    if operation.access == DEPTH_STORE and unit.wrote[MAX_THREADS * operation.warp + operation.lane] == 0:
        return True
    if not frame_buffer.has_room(port, frame_buffer.count_lines(surfaces, int(operation.tile), source)):
        return False
    kind = READ if operation.access == DEPTH_LOAD or operation.access == COLOR_LOAD else WRITE
    pixels = frame_buffer.Access(source, kind, int(operation.tag), int(slot))
    operation.pending += frame_buffer.access(gpu, surfaces, port, int(operation.tile), quad, pixels, t)
    return True


@inline
def kept_samples(depth: Depth, operation: MemoryOperation, quad: Quad) -> int:
    """Samples that an operation is for: those that passed, or that the test is still to be made for."""
    state = depth.state[depth.primitive[quad.primitive].state]
    tested = state.late == 0 or (operation.access != DEPTH_LOAD and frame_buffer.tests_depth(depth, quad))
    return int(quad.passed) if tested else int(quad.coverage & ~quad.discarded)


@unit
def test_late(gpu: Gpu, surfaces: Surfaces, depth: Depth, unit: MemoryUnit, tile: int, q: int) -> int:
    """Depth and stencil test of a shaded quad; 1 where a value was written."""
    quad = depth.quad[q]
    kept = int(quad.coverage & ~quad.discarded)
    passed, wrote = frame_buffer.test(gpu, depth, unit.buffer, surfaces.render_pass[tile], q, kept)
    quad.passed = passed
    count_late(unit, quad, kept, passed)
    return int(wrote)


@inline
def leave(gpu: Gpu, surfaces: Surfaces, depth: Depth, unit: MemoryUnit, r: int, t: int) -> None:
    """Quads that have left the processor are done with."""
    while unit.queue.count > 0:
        token = front(unit.queue)
        quad = depth.quad[token.index]
        hooks.works_for(gpu, unit.id, work_of(depth, token.index))
        stage = depth_stage(gpu, r)
        if depth.state[depth.primitive[quad.primitive].state].late != 0:
            if not frame_buffer.tests_depth(depth, quad):
                test_late(gpu, surfaces, depth, unit, int(token.tile), int(token.index))
            leave_late(surfaces, stage, token.tile, quad)
            poke(gpu, stage.id)
        if quad.passed != 0:
            note_blended(gpu, depth, r, unit, int(token.index), int(quad.passed), t)
        stage.beyond -= 1
        if stage.beyond == 0:
            wake(gpu, gpu.signal.progress)
        if full(unit.queue):
            wake(gpu, unit.queue.producers)
        drop(unit.queue)


@inline
def rest(unit: MemoryUnit, arrival: int, t: int) -> int:
    """Charge a cycle in which nothing moved; the cycle in which there is something to do again."""
    if unit.operation.count == 0:
        unit.cause = IDLE
        return arrival
    if unit.sent < unit.operation.count:
        if unit.polls != 0:
            unit.cause = WAITING
            return t + 1
        return min(int(unit.free), arrival)
    unit.cause = WAITING
    return arrival


class MemoryUnitParameters(Group, section="memory_unit"):
    """Memory Unit of each Fragment Processor that reads and writes pixels itself (machine programmable_blending)."""

    in_flight: int = number(16, "operations", "quads whose pixels are being accessed", 1, 64)
    threads_per_cycle: int = number(
        2, "fragments/cycle", "fragments whose addresses are sent per cycle [DAE Table 1]", 1, 4
    )
    latency_cycles: int = number(1, "cycles", "from the cache's answer to the use of what was loaded", 0, 1000)


def setup(chip: Chip, unit: MemoryUnit, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(MemoryUnitParameters)
    unit.operation.depth, unit.queue.depth = spec.in_flight, len(unit.queue.slot)
    unit.latency, unit.threads_per_cycle = spec.latency_cycles, spec.threads_per_cycle
    unit.buffer.raster_unit, unit.cause = place[0], IDLE


NAME = "fragment.memory_unit"
WORDS = ("loaded depths", "stored depths", "loaded colours", "stored colours")

UNIT = Unit(
    "memory_unit",
    __name__,
    MemoryUnit,
    tick,
    tables=("surfaces", "depth"),
    scope=RASTER_UNIT,
    most=MAX_PROCESSORS,
    count=lambda c: int(c.of(FragmentStage).processors),
    parameters=(MemoryUnitParameters,),
    setup=setup,
    begin_frame=begin_frame,
    reason="blending",
    reasons={"waiting": "bandwidth"},
    marks=("operations", "quads", "late_killed_quads", "discarded_quads"),
    stands=lambda unit: f"{int(unit.operation.count)} of {int(unit.operation.depth)} operations",
    watches=(Watch("pixel_operations", "accesses to pixels", "operation"),),
    statistics=(
        *COUNTED,
        *(
            Stat(f"{NAME}.{access}s", "quads", f"quads whose fragments {words}", f"operations[{n}]")
            for n, (access, words) in enumerate(zip(ACCESSES, WORDS, strict=True))
        ),
        Stat(f"{NAME}.address_cycles", "cycles", "cycles in which Memory Units sent addresses, summed", "busy_cycles"),
    ),
    structures=(
        # Four fragments of four 32-bit components.
        Structure(
            "memory_unit.operands",
            FRAGMENT,
            processors,
            lambda c: Ram(c.of(MemoryUnitParameters).in_flight, 512),
            lambda v: sum(v[f"{NAME}.{access}s"] for access in ACCESSES),
            lambda v: sum(v[f"{NAME}.{access}s"] for access in ACCESSES),
        ),
    ),
)
