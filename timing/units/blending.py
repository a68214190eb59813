"""Blending: late depth test where the program needs it, then blending into the tile's colour buffer, in order.

`quads_per_cycle` quads enter a pipeline of `in_flight`; the next tile enters when the last one's colours are flushed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.records import QUAD, Ring, Token, i8, room
from tilegpu.timing.declare.statistics import Stat, spent
from tilegpu.timing.declare.structures import COLOR_BYTES, RASTER, Structure, stat, tile_words, units

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import count_bits, inline, unit
from ..engine.ring import Queue, drop, front, full, push
from ..engine.transfer import Transfer
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import access
from ..engine.work import NO_DRAW
from ..memory.request import COLOR
from . import tile_memory
from .depth_test import resolve, work_of
from .early_depth import quad_place
from .pixel_stages import BlendingParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Commands, Depth, Quad
    from ..memory.gpu import Gpu
    from .cached_blending import CachedBlending
    from .early_depth import EarlyDepth
    from .memory_unit import MemoryUnit
    from .simt_core import SimtCore
    from .tile_flush import TileFlush


@access
def depth_stage(gpu: Gpu, r: int) -> EarlyDepth:
    """Depth test of a Raster Unit."""
    raise NotImplementedError


@access
def tile_flush(gpu: Gpu) -> TileFlush:
    """Unit that writes the tile's colours."""
    raise NotImplementedError


class Blending(Accounted):
    """Registers of blending."""

    id: i8
    queue: Queue[Token] = room(1024)
    flight: Ring[i8] = room(128)
    transfer: Transfer
    tile: i8
    flushing: i8
    quads_per_cycle: i8
    latency: i8
    read_ports: i8
    write_ports: i8
    reads: i8
    quads: i8
    late_killed_quads: i8
    discarded_quads: i8
    mismatched_quads: i8
    fragments: i8
    blended: i8
    tiles: i8


@unit
def tick(gpu: Gpu, commands: Commands, depth: Depth, r: int, t: int) -> int:
    blending: Blending = gpu.raster_unit[r].blending
    moved = False
    for _ in range(min(blending.quads_per_cycle, blending.write_ports)):
        if blending.flight.count > 0 and front(blending.flight) <= t:
            drop(blending.flight)
            moved = True
    moved |= accept(gpu, commands, depth, r, blending, t)
    if moved and (blending.queue.count > 0 or blending.flight.count == 0):
        become(blending, BUSY, t)
        return t + 1
    wake = tile_memory.next_arrival(gpu, blending.transfer)
    if blending.flight.count > 0:
        become(blending, BUSY, t)
        return int(max(t + 1, min(wake, front(blending.flight))))
    if blending.flushing != 0:
        become(blending, BLOCKED, t)
    else:
        become(blending, IDLE if blending.queue.count == 0 else WAITING, t)
    return wake


@inline
def accept(gpu: Gpu, commands: Commands, depth: Depth, r: int, blending: Blending, t: int) -> bool:
    moved = False
    most_reads = blending.reads + blending.read_ports
    for _ in range(blending.quads_per_cycle):
        if blending.queue.count == 0 or blending.flushing != 0:
            break
        token = front(blending.queue)
        if token.tile != blending.tile:
            hooks.works_for_application(gpu, blending.id, commands.tile[token.tile].application, NO_DRAW)
            if not tile_memory.load(gpu, commands, blending.transfer, int(token.tile), COLOR, t):
                moved |= blending.transfer.sent != 0
                break
            blending.tile = token.tile
        if token.kind == QUAD:
            if full(blending.flight):
                break
            if blending.reads == most_reads:
                moved = True
                break
            blend(gpu, depth, r, blending, int(token.index), t)
        elif blending.flight.count > 0:
            break
        else:
            hooks.works_for_application(gpu, blending.id, commands.tile[token.tile].application, NO_DRAW)
            blending.flushing = 1
            blending.tiles += 1
            poke(gpu, tile_flush(gpu).id)
        if full(blending.queue):
            wake(gpu, blending.queue.producers)
        drop(blending.queue)
        moved = True
    return moved


@unit
def blend(gpu: Gpu, depth: Depth, r: int, blending: Blending, q: int, t: int) -> None:
    quad = depth.quad[q]
    passed = quad.passed
    hooks.works_for(gpu, blending.id, work_of(depth, q))
    if depth.state[depth.primitive[quad.primitive].state].late != 0:
        passed = test_late(gpu, depth, r, blending, q, t)
    if passed != 0:
        push(blending.flight, t + blending.latency)
        note_blended(gpu, depth, r, blending, q, passed, t)
        blending.reads += depth.state[depth.primitive[quad.primitive].state].blends


@inline
def note_blended(
    gpu: Gpu,
    depth: Depth,
    r: int,
    blending: Blending | CachedBlending | MemoryUnit | SimtCore,
    q: int,
    passed: int,
    t: int,
) -> None:
    """Count a quad that is blended, write down when and with which samples, and report it to techniques; wherever the
    colour buffer is."""
    blending.quads += 1
    blending.fragments += count_bits(passed)
    blending.blended += 1
    depth.blended[q].order = blending.blended
    depth.quad[q].passed = passed
    hooks.blended(gpu, depth, r, q, passed, t)


@inline
def test_late(gpu: Gpu, depth: Depth, r: int, blending: Blending, q: int, t: int) -> int:
    """Depth and stencil test of a shaded quad; lets later quads of its place into the early test."""
    unit = depth_stage(gpu, r)
    quad = depth.quad[q]
    kept = int(quad.coverage & ~quad.discarded)
    passed = resolve(gpu, depth, unit.buffer, q, kept)
    count_late(blending, quad, kept, passed)
    unit.late[quad_place(gpu, unit, quad)] -= 1
    unit.late_total -= 1
    poke(gpu, unit.id)
    return int(passed)


@inline
def count_late(blending: Blending | CachedBlending | MemoryUnit | SimtCore, quad: Quad, kept: int, passed: int) -> None:
    """Count the outcome of the late test of a shaded quad, of which the shader kept some samples."""
    if kept == 0:
        blending.discarded_quads += 1
    elif passed == 0:
        blending.late_killed_quads += 1
    if passed != quad.depth_pass:
        blending.mismatched_quads += 1


def setup(chip: Chip, blending: Blending, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    blending.queue.depth = chip.configuration.of(BlendingParameters).color_queue
    tile_memory.setup_stage(blending, chip.configuration.of(BlendingParameters))


def begin_frame(blending: Blending) -> None:
    """Reset what counts within a frame."""
    blending.blended = 0


OUTCOMES = (
    Stat("raster.late_depth.killed_quads", "quads", "shaded quads that failed the late test", "late_killed_quads"),
    Stat("raster.late_depth.discarded_quads", "quads", "shaded quads that the shader discarded", "discarded_quads"),
    Stat(
        "raster.late_depth.mismatched_quads",
        "quads",
        "quads whose outcome was not that of program order",
        "mismatched_quads",
    ),
    Stat("raster.blending.quads", "quads", "quads blended", "quads"),
    Stat("raster.blending.fragments", "samples", "samples blended", "fragments"),
)
"""Statistics of what becomes of quads that are shaded."""

COUNTED = (
    *OUTCOMES,
    *spent("raster.blending", "a blending unit"),
)
"""Statistics of blending, wherever the colour buffer is."""

SHARED = (
    Structure(
        "blending.color_queue",
        RASTER,
        units,
        lambda c: Ram(c.of(BlendingParameters).color_queue, COLOR_BYTES * 8),
        stat("fragment.processor.quads"),
        stat("fragment.processor.quads"),
    ),
    Structure(
        "blending.pipeline",
        RASTER,
        units,
        lambda c: Ram(c.of(BlendingParameters).in_flight, COLOR_BYTES * 8),
        stat("raster.blending.quads"),
        stat("raster.blending.quads"),
    ),
    # Two products of four components for four pixels.
    Structure(
        "blending.arithmetic",
        RASTER,
        units,
        lambda c: Logic("int8_multiply_add", 32 * c.of(BlendingParameters).quads_per_cycle, 32),
        stat("raster.blending.quads"),
    ),
)
"""Structures of a blending unit: queue, pipeline and arithmetic."""

UNIT = Unit(
    "blending",
    __name__,
    Blending,
    tick,
    tables=("commands", "depth"),
    scope=RASTER_UNIT,
    parameters=(BlendingParameters,),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    tile="tile",
    reason="blending",
    reasons={"waiting": "bandwidth"},
    marks=("quads", "tiles"),
    stands=lambda blending: (
        f"{int(blending.queue.count)} of {int(blending.queue.depth)} quads queued"
        + (", waits for the tile flush" if blending.flushing else "")
    ),
    watches=(Watch("color", "Color Queue", "queue"),),
    statistics=(
        *COUNTED,
        Stat("raster.color_buffer.reads", "accesses", "quads read from the colour buffer, to be blended with", "reads"),
    ),
    structures=(
        *SHARED,
        Structure(
            "color_buffer",
            RASTER,
            units,
            lambda c: Ram(tile_words(c), 128),
            lambda v: v["raster.blending.quads"] + 4 * v["raster.tile_flush.lines"],
            stat("raster.blending.quads"),
        ),
    ),
)
