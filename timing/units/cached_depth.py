"""Early depth of an immediate-mode GPU: the depth buffer lies in memory and is accessed through the Depth Cache.

A quad asks for its line when it enters and is tested when the line has arrived, in drawing order, with `in_flight`
quads at a time. Where the test changes a value, the quad writes its line. Survivors go to the queue of their processor
(`dispatch`). Quads whose program discards or writes depth pass untested and are tested after shading; until then no
later quad enters at their place.

A pass is one tile: the row of the tile is that of the pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.reasons import ASKED, BANDWIDTH, ORDER
from tilegpu.timing.declare.records import QUAD, Record, Ring, Token, i4, i8, room

from ..engine import hooks
from ..engine.account import BUSY, IDLE, Accounted, account
from ..engine.calendar import wake
from ..engine.hooks import GO, WAIT
from ..engine.jit import count_bits, inline, unit
from ..engine.ring import Queue, drop, front, full, grow, release
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import output
from ..engine.work import CLEARS
from ..memory.request import DEPTH, READ, next_reply
from . import dispatch, frame_buffer
from .depth_test import TileBuffer, work_of
from .early_depth import COUNTED, SHARED
from .handing_on import UNDECIDED, leave
from .pixel_stages import EarlyDepthParameters
from .rasterizer import RasterizerParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Depth, Quad, Surfaces
    from ..memory.gpu import Gpu
    from .fragment_processor import InputToken


@output
def shading_queue(gpu: Gpu, r: int, i: int) -> Queue[Token]:
    """Queue before a Fragment Processor."""
    raise NotImplementedError


@output
def shared_queue(gpu: Gpu, r: int) -> Queue[InputToken]:
    """Queue before all Fragment Processors of a Raster Unit."""
    raise NotImplementedError


class CachedFlight(Record):
    """Quad on its way through the test. `pending`: lines that it waits for."""

    tile: i4
    quad: i4
    processor: i4
    pending: i4
    tested: i4
    passed: i4
    wrote: i4
    decision: i4
    due: i8


class CachedDepth(Accounted):
    """Registers of the depth test through the Depth Cache. `beyond`: quads handed on that have not left blending yet;
    `polls`: whether it waits for room in its port; `fewest_quads`: whether the processor with the fewest gets the next
    one."""

    id: i8
    port: i8
    queue: Queue[Token] = room(1024)
    flight: Ring[CachedFlight] = room(128)
    buffer: TileBuffer
    tile: i8
    late_total: i8
    beyond: i8
    polls: i8
    fewest_quads: i8
    quads_per_cycle: i8
    latency: i8
    quads: i8
    killed_quads: i8
    survived_quads: i8
    late_quads: i8
    mismatched_quads: i8
    fragments: i8
    killed_fragments: i8
    clears: i8


@unit
def tick(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, t: int) -> int:
    unit: CachedDepth = gpu.raster_unit[r].cached_depth
    port = gpu.port[unit.port]
    account(unit, t)
    frame_buffer.receive(gpu, unit, port, t)
    unit.polls = 0
    moved = emit(gpu, surfaces, depth, r, unit, t)
    moved |= accept(gpu, surfaces, depth, r, unit, t)
    unit.cause = BUSY
    if moved:
        return t + 1
    return int(frame_buffer.rest(unit, next_reply(port), t))


@inline
def emit(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, unit: CachedDepth, t: int) -> bool:
    """Quads whose line has arrived are tested and leave, in order."""
    moved = False
    for _ in range(unit.quads_per_cycle):
        if unit.flight.count == 0 or front(unit.flight).pending > 0 or front(unit.flight).due > t:
            break
        flight = front(unit.flight)
        quad = depth.quad[flight.quad]
        hooks.works_for(gpu, unit.id, work_of(depth, flight.quad))
        if flight.tested == 0:
            test(gpu, surfaces, depth, r, unit, t)
        if flight.wrote != 0:
            port = gpu.port[unit.port]
            if not frame_buffer.has_room(port, frame_buffer.count_lines(surfaces, flight.tile, DEPTH)):
                unit.polls = 1
                break
            frame_buffer.access(gpu, surfaces, port, int(flight.tile), quad, frame_buffer.WRITE_DEPTH, t)
            flight.wrote = 0
            moved = True
        dispatch.choose(gpu, depth, r, flight, unit.fewest_quads)
        private, shared = shading_queue(gpu, r, flight.processor), shared_queue(gpu, r)
        outcome = leave(gpu, depth, r, unit, flight, private, shared, t)
        if outcome == WAIT:
            break
        if outcome == GO:
            unit.beyond += 1
        elif flight.passed != 0 and depth.state[depth.primitive[quad.primitive].state].late != 0:
            leave_late(surfaces, unit, flight.tile, quad)
        drop(unit.flight)
        moved = True
        if unit.flight.count == 0:
            wake(gpu, gpu.signal.progress)
    return moved


@unit
def leave_late(surfaces: Surfaces, unit: CachedDepth, tile: int, quad: Quad) -> None:
    """A late test is over, or not made: later quads of its place may enter."""
    row = surfaces.render_pass[tile]
    surfaces.waiting[frame_buffer.place_of_quad(row, quad)] -= 1
    unit.late_total -= 1


@unit
def test(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, unit: CachedDepth, t: int) -> None:
    """Test the quad that leads; its line has arrived."""
    flight = front(unit.flight)
    quad = depth.quad[flight.quad]
    flight.tested = 1
    if depth.state[depth.primitive[quad.primitive].state].late == 0:
        row = surfaces.render_pass[flight.tile]
        passed, wrote = frame_buffer.test(gpu, depth, unit.buffer, row, int(flight.quad), int(quad.coverage))
        flight.passed = quad.passed = passed
        flight.wrote = wrote
        if flight.passed != quad.depth_pass:
            unit.mismatched_quads += 1
    unit.fragments += count_bits(int(quad.coverage))
    unit.killed_fragments += count_bits(int(quad.coverage & ~flight.passed))
    hooks.depth_compared(gpu, depth, r, flight.quad, flight.passed, t)


@inline
def accept(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, unit: CachedDepth, t: int) -> bool:
    moved = False
    for _ in range(unit.quads_per_cycle):
        if unit.queue.count == 0:
            break
        token = front(unit.queue)
        if token.tile != unit.tile:
            # Nothing of the pass before is left: the next one begins when all of it is in memory.
            frame_buffer.begin_pass(surfaces, depth, int(token.tile))
            unit.tile = token.tile
        if token.kind == QUAD:
            if full(unit.flight) or not enter(gpu, surfaces, depth, r, unit, int(token.index), int(token.tile), t):
                break
        else:
            if unit.flight.count > 0 or unit.late_total > 0:
                break
            hooks.works_for(gpu, unit.id, CLEARS)
            frame_buffer.clear(gpu, depth, surfaces.render_pass[int(token.tile)], token.index)
            unit.clears += 1
            wake(gpu, gpu.signal.progress)
        release(gpu, unit.queue)
        moved = True
    return moved


@unit
def enter(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, unit: CachedDepth, q: int, tile: int, t: int) -> bool:
    """Take a quad up and ask for its line; False where it has to wait."""
    if hooks.quad_begin(gpu, depth, r, q, t) == WAIT:
        return False
    quad = depth.quad[q]
    port = gpu.port[unit.port]
    late = depth.state[depth.primitive[quad.primitive].state].late
    row = surfaces.render_pass[tile]
    place = frame_buffer.place_of_quad(row, quad)
    if surfaces.waiting[place] > 0:
        return False
    lines = 0
    if late == 0 and frame_buffer.tests_depth(depth, quad):
        lines = frame_buffer.count_lines(surfaces, tile, DEPTH)
        if not frame_buffer.has_room(port, lines):
            unit.polls = 1
            return False
    hooks.works_for(gpu, unit.id, work_of(depth, q))
    slot = unit.flight.head + unit.flight.count
    slot = slot if slot < unit.flight.depth else slot - unit.flight.depth
    flight = grow(unit.flight)
    flight.tile = tile
    flight.quad = q
    across, down = gpu.tile_width // 2, gpu.tile_height // 2
    flight.processor = gpu.quad_processor[quad.y % down * across + quad.x % across]
    flight.pending = 0
    flight.tested = 0
    flight.passed = quad.coverage
    flight.wrote = 0
    flight.decision = UNDECIDED
    flight.due = t + unit.latency
    unit.quads += 1
    if late != 0:
        surfaces.waiting[place] += 1
        unit.late_total += 1
        unit.late_quads += 1
    if lines > 0:
        flight.pending = frame_buffer.access(
            gpu, surfaces, port, tile, quad, frame_buffer.Access(DEPTH, READ, 0, int(slot)), t
        )
    return True


def setup(chip: Chip, unit: CachedDepth, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(EarlyDepthParameters)
    unit.queue.depth = chip.configuration.of(RasterizerParameters).queue
    unit.flight.depth, unit.quads_per_cycle, unit.latency = spec.in_flight, spec.quads_per_cycle, spec.latency_cycles
    unit.fewest_quads = chip.configuration.of(dispatch.Dispatch).processor == "fewest_quads"
    unit.buffer.raster_unit = place[0]
    unit.tile, unit.cause = -1, IDLE


def begin_frame(unit: CachedDepth) -> None:
    """No pass has begun."""
    unit.tile = -1


@inline
def waits_for(gpu: Gpu, r: int) -> int:
    """Reason of a wait: for quads before that are on their way, or for depths."""
    return ORDER if gpu.raster_unit[r].cached_depth.flight.count == 0 else BANDWIDTH


UNIT = Unit(
    "cached_depth",
    __name__,
    CachedDepth,
    tick,
    tables=("surfaces", "depth"),
    scope=RASTER_UNIT,
    parameters=(EarlyDepthParameters, dispatch.Dispatch),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    tile="tile",
    tile_is_last=True,
    reason="early_depth",
    reasons={"waiting": ASKED},
    asks=waits_for,
    marks=("survived_quads", "killed_quads", "quads"),
    stands=lambda unit: (
        f"{int(unit.queue.count)} of {int(unit.queue.depth)} quads queued, {int(unit.flight.count)} of "
        f"{int(unit.flight.depth)} in flight, {int(unit.late_total)} quads tested late"
    ),
    watches=(Watch("post_rasterization", "quads before early depth", "queue"),),
    statistics=COUNTED,
    structures=SHARED,
)
