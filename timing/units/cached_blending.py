"""Blending of an immediate-mode GPU: the colour buffer lies in memory; every Fragment Processor has a blending
unit with a Colour Cache of its own.

Quads enter in the order in which their processor hands them on and leave in it. Those at one place of the screen have
the same processor, so they are blended in drawing order. A quad reads its line only where it is blended with the
colours of the attachment; it writes it when it leaves. Quads that are tested after shading get their depth through the
Depth Cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.reasons import ASKED, BANDWIDTH, ORDER
from tilegpu.timing.declare.records import MAX_PROCESSORS, Record, Ring, Token, i4, i8, room
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.statistics import Stat

from ..engine import hooks
from ..engine.account import BUSY, IDLE, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import Queue, drop, front, full, grow, release
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import access
from ..memory.request import COLOR, DEPTH, READ, next_reply
from . import frame_buffer
from .blending import COUNTED, SHARED, begin_frame, count_late, note_blended
from .cached_depth import leave_late
from .depth_test import TileBuffer, work_of
from .pixel_stages import BlendingParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Depth, Surfaces
    from ..memory.gpu import Gpu
    from .cached_depth import CachedDepth


@access
def depth_stage(gpu: Gpu, r: int) -> CachedDepth:
    """Depth test of a Raster Unit."""
    raise NotImplementedError


class BlendedFlight(Record):
    """Quad on its way through blending. `pending`: lines that it waits for."""

    tile: i4
    quad: i4
    late: i4
    pending: i4
    tested: i4
    passed: i4
    wrote: i4
    due: i8


class CachedBlending(Accounted):
    """Registers of blending through the Colour Cache."""

    id: i8
    port: i8
    depth_port: i8
    queue: Queue[Token] = room(1024)
    flight: Ring[BlendedFlight] = room(128)
    buffer: TileBuffer
    polls: i8
    quads_per_cycle: i8
    latency: i8
    reads: i8
    quads: i8
    late_killed_quads: i8
    discarded_quads: i8
    mismatched_quads: i8
    fragments: i8
    blended: i8


@unit
def tick(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, i: int, t: int) -> int:
    blending: CachedBlending = gpu.raster_unit[r].cached_blending[i]
    color, z = gpu.port[blending.port], gpu.port[blending.depth_port]
    account(blending, t)
    frame_buffer.receive(gpu, blending, color, t)
    frame_buffer.receive(gpu, blending, z, t)
    blending.polls = 0
    moved = retire(gpu, surfaces, depth, r, blending, t)
    moved |= accept(gpu, surfaces, depth, blending, t)
    blending.cause = BUSY
    if moved:
        return t + 1
    return int(frame_buffer.rest(blending, min(next_reply(color), next_reply(z)), t))


@inline
def retire(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, blending: CachedBlending, t: int) -> bool:
    """Quads whose lines have arrived are tested, if they have not been, and written, in order."""
    moved = False
    for _ in range(blending.quads_per_cycle):
        if blending.flight.count == 0 or front(blending.flight).pending > 0 or front(blending.flight).due > t:
            break
        if not finish(gpu, surfaces, depth, r, blending, t):
            blending.polls = 1
            break
        flight = front(blending.flight)
        stage = depth_stage(gpu, r)
        if flight.late != 0:
            leave_late(surfaces, stage, flight.tile, depth.quad[flight.quad])
            poke(gpu, stage.id)
        stage.beyond -= 1
        if stage.beyond == 0:
            wake(gpu, gpu.signal.progress)
        drop(blending.flight)
        moved = True
    return moved


@unit
def finish(gpu: Gpu, surfaces: Surfaces, depth: Depth, r: int, blending: CachedBlending, t: int) -> bool:
    """Test and write the quad that leads; False where there is no room for its writes."""
    flight = front(blending.flight)
    quad = depth.quad[flight.quad]
    hooks.works_for(gpu, blending.id, work_of(depth, flight.quad))
    tile = int(flight.tile)
    if flight.late != 0 and flight.tested == 0:
        test_late(gpu, surfaces, depth, blending)
    if flight.wrote != 0:
        z = gpu.port[blending.depth_port]
        if not frame_buffer.has_room(z, frame_buffer.count_lines(surfaces, tile, DEPTH)):
            return False
        frame_buffer.access(gpu, surfaces, z, tile, quad, frame_buffer.WRITE_DEPTH, t)
        flight.wrote = 0
    if flight.passed == 0:
        return True
    if depth.state[depth.primitive[quad.primitive].state].writes_color != 0:
        color = gpu.port[blending.port]
        if not frame_buffer.has_room(color, frame_buffer.count_lines(surfaces, tile, COLOR)):
            return False
        frame_buffer.access(gpu, surfaces, color, tile, quad, frame_buffer.WRITE_COLOR, t)
    note_blended(gpu, depth, r, blending, int(flight.quad), int(flight.passed), t)
    return True


@unit
def test_late(gpu: Gpu, surfaces: Surfaces, depth: Depth, blending: CachedBlending) -> None:
    """Depth and stencil test of a shaded quad."""
    flight = front(blending.flight)
    quad = depth.quad[flight.quad]
    row = surfaces.render_pass[flight.tile]
    kept = int(quad.coverage & ~quad.discarded)
    passed, wrote = frame_buffer.test(gpu, depth, blending.buffer, row, int(flight.quad), kept)
    flight.passed = passed
    flight.wrote = wrote
    flight.tested = 1
    count_late(blending, quad, kept, passed)


@inline
def accept(gpu: Gpu, surfaces: Surfaces, depth: Depth, blending: CachedBlending, t: int) -> bool:
    moved = False
    for _ in range(blending.quads_per_cycle):
        if blending.queue.count == 0 or full(blending.flight):
            break
        token = front(blending.queue)
        if not enter(gpu, surfaces, depth, blending, int(token.index), int(token.tile), t):
            blending.polls = 1
            break
        release(gpu, blending.queue)
        moved = True
    return moved


@unit
def enter(gpu: Gpu, surfaces: Surfaces, depth: Depth, blending: CachedBlending, q: int, tile: int, t: int) -> bool:
    """Take a quad up and ask for the lines it reads; False where the ports have no room."""
    quad = depth.quad[q]
    state = depth.state[depth.primitive[quad.primitive].state]
    kept = quad.passed if state.late == 0 else quad.coverage & ~quad.discarded
    color, z = gpu.port[blending.port], gpu.port[blending.depth_port]
    color_lines = 0
    if state.blends != 0 and kept != 0:
        color_lines = frame_buffer.count_lines(surfaces, tile, COLOR)
    depth_lines = 0
    if state.late != 0 and kept != 0 and frame_buffer.tests_depth(depth, quad):
        depth_lines = frame_buffer.count_lines(surfaces, tile, DEPTH)
    if not frame_buffer.has_room(color, color_lines) or not frame_buffer.has_room(z, depth_lines):
        return False
    hooks.works_for(gpu, blending.id, work_of(depth, q))
    slot = blending.flight.head + blending.flight.count
    slot = slot if slot < blending.flight.depth else slot - blending.flight.depth
    flight = grow(blending.flight)
    flight.tile = tile
    flight.quad = q
    flight.late = state.late
    flight.pending = 0
    flight.tested = 0
    flight.wrote = 0
    flight.passed = kept
    flight.due = t + blending.latency
    if color_lines > 0:
        blending.reads += 1
        flight.pending += frame_buffer.access(
            gpu, surfaces, color, tile, quad, frame_buffer.Access(COLOR, READ, 0, int(slot)), t
        )
    if depth_lines > 0:
        flight.pending += frame_buffer.access(
            gpu, surfaces, z, tile, quad, frame_buffer.Access(DEPTH, READ, 0, int(slot)), t
        )
    return True


def setup(chip: Chip, blending: CachedBlending, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(BlendingParameters)
    blending.queue.depth = spec.color_queue
    blending.flight.depth, blending.quads_per_cycle, blending.latency = (
        spec.in_flight,
        spec.quads_per_cycle,
        spec.latency_cycles,
    )
    blending.buffer.raster_unit, blending.cause = place[0], IDLE


@inline
def waits_for(gpu: Gpu, r: int, i: int) -> int:
    """Reason of a wait: for quads before at the same place, or for colours."""
    return ORDER if gpu.raster_unit[r].cached_blending[i].flight.count == 0 else BANDWIDTH


UNIT = Unit(
    "cached_blending",
    __name__,
    CachedBlending,
    tick,
    tables=("surfaces", "depth"),
    scope=RASTER_UNIT,
    most=MAX_PROCESSORS,
    count=lambda c: int(c.of(FragmentStage).processors),
    parameters=(BlendingParameters,),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    reason="blending",
    reasons={"waiting": ASKED},
    asks=waits_for,
    marks=("quads", "late_killed_quads", "discarded_quads"),
    stands=lambda blending: (
        f"{int(blending.queue.count)} of {int(blending.queue.depth)} quads queued, "
        f"{int(blending.flight.count)} in flight"
    ),
    watches=(Watch("color", "Color Queue", "queue"),),
    statistics=(
        *COUNTED,
        Stat("raster.blending.color_reads", "quads", "quads that read the colours they are blended with", "reads"),
    ),
    structures=SHARED,
)
