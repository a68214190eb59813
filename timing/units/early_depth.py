"""Early depth (and stencil) test: in order, one tile at a time, `quads_per_cycle` into a pipeline of `in_flight` quads.

Survivors go to the queue of the fragment processor their place in the tile maps to. Quads whose program discards or
writes depth pass untested and are tested after shading; until then no later quad at their place is tested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.reasons import ASKED, BANDWIDTH, ORDER
from tilegpu.timing.declare.records import (
    CLEAR,
    END_OF_TILE,
    MAX_TILE_QUADS,
    QUAD,
    Record,
    Ring,
    Rows,
    Token,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat, ratio, spent
from tilegpu.timing.declare.structures import FRAGMENT_BYTES, RASTER, Structure, stat, tile_words, units

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import poke
from ..engine.hooks import GO, SKIP, WAIT
from ..engine.jit import inline, unit
from ..engine.ring import Queue, drop, front, full, grow, release
from ..engine.transfer import Transfer
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import output
from ..engine.work import CLEARS, NO_DRAW
from ..memory.request import DEPTH
from . import tile_memory
from .depth_test import TileBuffer, resolve, work_of
from .handing_on import UNDECIDED, hand_on, leave
from .pixel_stages import EarlyDepthParameters
from .rasterizer import RasterizerParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Commands, Depth, Quad
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


DEPTH_VALUES, STENCIL_VALUES = range(2)
LOAD, STORE = range(2)


class Flight(Record):
    """Quad on its way through the test. `passed`: samples that survived; `wrote`: places of the buffer written."""

    tile: i4
    quad: i4
    processor: i4
    passed: i4
    wrote: i4
    decision: i4
    due: i8


class EarlyDepth(Accounted):
    """Registers of the early depth test."""

    id: i8
    queue: Queue[Token] = room(1024)
    flight: Ring[Flight] = room(128)
    buffer: TileBuffer
    transfer: Transfer
    tile: i8
    late: Rows[i4] = room(MAX_TILE_QUADS)
    late_total: i8
    quads_per_cycle: i8
    latency: i8
    read_ports: i8
    write_ports: i8
    first_processor: i8
    quads: i8
    killed_quads: i8
    survived_quads: i8
    late_quads: i8
    tested_quads: i8
    updated_quads: i8
    partial_quads: i8
    mismatched_quads: i8
    fragments: i8
    killed_fragments: i8
    clears: i8
    tiles: i8


@unit
def tick(gpu: Gpu, commands: Commands, depth: Depth, r: int, t: int) -> int:
    unit: EarlyDepth = gpu.raster_unit[r].early_depth
    account(unit, t)
    moved = emit(gpu, depth, r, unit, t)
    moved |= accept(gpu, commands, depth, r, unit, t)
    unit.cause = BUSY
    if moved:
        return t + 1
    wake = tile_memory.next_arrival(gpu, unit.transfer)
    if unit.flight.count == 0:
        unit.cause = WAITING
        if unit.queue.count == 0:
            unit.cause = IDLE
        elif unit.tile >= 0 and unit.late_total == 0:
            unit.cause = BLOCKED
    elif front(unit.flight).due > t:
        wake = min(wake, front(unit.flight).due)
    else:
        unit.cause = BLOCKED
    return wake


@inline
def emit(gpu: Gpu, depth: Depth, r: int, unit: EarlyDepth, t: int) -> bool:
    """Quads whose test is over leave, in order."""
    moved = False
    writes = 0
    for _ in range(unit.quads_per_cycle):
        if unit.flight.count == 0 or front(unit.flight).due > t:
            break
        flight = front(unit.flight)
        writes += flight.wrote
        if writes > unit.write_ports:
            moved = True
            break
        hooks.works_for(gpu, unit.id, work_of(depth, flight.quad))
        private, shared = shading_queue(gpu, r, flight.processor), shared_queue(gpu, r)
        outcome = leave(gpu, depth, r, unit, flight, private, shared, t)
        if outcome == WAIT:
            break
        if outcome == SKIP and flight.passed != 0:
            forgo_late_test(gpu, depth, unit, flight.quad)
        drop(unit.flight)
        moved = True
    return moved


@unit
def forgo_late_test(gpu: Gpu, depth: Depth, unit: EarlyDepth, q: int) -> None:
    """A technique leaves the quad out: no later quad at its place waits for its test."""
    quad = depth.quad[q]
    if depth.state[depth.primitive[quad.primitive].state].late != 0:
        unit.late[quad_place(gpu, unit, quad)] -= 1
        unit.late_total -= 1


@inline
def accept(gpu: Gpu, commands: Commands, depth: Depth, r: int, unit: EarlyDepth, t: int) -> bool:
    moved = False
    # Only reads of this cycle count against the ports.
    most_reads = unit.buffer.reads + unit.read_ports
    for _ in range(unit.quads_per_cycle):
        if unit.queue.count == 0:
            break
        token = front(unit.queue)
        if token.tile != unit.tile and not begin_tile(gpu, commands, depth, r, unit, int(token.tile), t):
            # Loading the tile is work in progress: it may send a request in every cycle.
            moved |= unit.transfer.sent != 0
            break
        if token.kind == QUAD:
            if full(unit.flight) or unit.late[quad_place(gpu, unit, depth.quad[token.index])] > 0:
                break
            if unit.buffer.reads == most_reads:
                # Its turn comes in the next cycle.
                moved = True
                break
            if hooks.quad_begin(gpu, depth, r, int(token.index), t) == WAIT:
                break
            test(gpu, depth, r, unit, int(token.index), t)
        elif token.kind == CLEAR:
            if unit.late_total > 0:
                break
            hooks.works_for_application(gpu, unit.id, commands.tile[token.tile].application, CLEARS)
            clear(gpu, depth, unit, token.index)
        elif not end_tile(gpu, commands, depth, r, unit, t):
            break
        release(gpu, unit.queue)
        moved = True
    return moved


@inline
def quad_place(gpu: Gpu, unit: EarlyDepth, quad: Quad) -> int:
    """Place of a quad in its tile."""
    return int((quad.y - unit.buffer.y // 2) * (gpu.tile_width // 2) + quad.x - unit.buffer.x // 2)


@unit
def test(gpu: Gpu, depth: Depth, r: int, unit: EarlyDepth, q: int, t: int) -> None:
    quad = depth.quad[q]
    covered = quad.coverage
    hooks.works_for(gpu, unit.id, work_of(depth, q))
    unit.quads += 1
    unit.partial_quads += covered != (1 << 4 * unit.buffer.samples) - 1
    flight = grow(unit.flight)
    flight.tile = unit.tile
    flight.quad = q
    place = quad_place(gpu, unit, quad)
    flight.processor = gpu.quad_processor[unit.first_processor + place]
    flight.due = t + unit.latency
    flight.wrote = 0
    flight.decision = UNDECIDED
    if depth.state[depth.primitive[quad.primitive].state].late != 0:
        flight.passed = covered
        unit.late[place] += 1
        unit.late_total += 1
        unit.late_quads += 1
    else:
        writes = unit.buffer.writes
        flight.passed = resolve(gpu, depth, unit.buffer, q, int(covered))
        flight.wrote = unit.buffer.writes - writes
        unit.updated_quads += flight.wrote > 0
        state = depth.state[depth.primitive[quad.primitive].state]
        unit.tested_quads += state.depth_test != 0 or state.stencil_test != 0
        quad.passed = flight.passed
        if flight.passed != quad.depth_pass:
            unit.mismatched_quads += 1
    for bit in range(4 * unit.buffer.samples):
        unit.fragments += covered >> bit & 1
        unit.killed_fragments += (covered & ~flight.passed) >> bit & 1
    hooks.depth_compared(gpu, depth, r, q, flight.passed, t)


@unit
def begin_tile(gpu: Gpu, commands: Commands, depth: Depth, r: int, unit: EarlyDepth, tile: int, t: int) -> bool:
    """Fill the tile's buffers: cleared ones at once, others from memory; False until they are filled."""
    hooks.works_for_application(gpu, unit.id, commands.tile[tile].application, NO_DRAW)
    decision = hooks.depth_load(gpu, commands, r, tile, t)
    if decision == WAIT or (decision == GO and not tile_memory.load(gpu, commands, unit.transfer, tile, DEPTH, t)):
        return False
    row = commands.tile[tile]
    render_pass = commands.render_pass[row.render_pass]
    buffer = unit.buffer
    unit.tile = tile
    unit.first_processor = row.mapping * MAX_TILE_QUADS
    buffer.x = row.x
    buffer.y = row.y
    buffer.samples = render_pass.samples
    for i in range(gpu.tile_width * gpu.tile_height * buffer.samples):
        buffer.depth[i] = render_pass.clear_depth
        buffer.stencil[i] = render_pass.clear_stencil
    if render_pass.load_depth >= 0:
        exchange(gpu, commands, depth, buffer, tile, render_pass.load_depth, DEPTH_VALUES, LOAD)
    if render_pass.load_stencil >= 0:
        exchange(gpu, commands, depth, buffer, tile, render_pass.load_stencil, STENCIL_VALUES, LOAD)
    hooks.tile_begin(gpu, commands, depth, r, tile, t)
    return True


@unit
def exchange(
    gpu: Gpu, commands: Commands, depth: Depth, buffer: TileBuffer, tile: int, base: int, values: int, way: int
) -> None:
    """Copy a tile's depth or stencil between the buffer and what outlives the pass."""
    row = commands.tile[tile]
    render_pass = commands.render_pass[row.render_pass]
    pitch = render_pass.depth_pitch if values == DEPTH_VALUES else render_pass.stencil_pitch
    for y in range(row.y, min(row.y + gpu.tile_height, render_pass.height)):
        for x in range(row.x, min(row.x + gpu.tile_width, render_pass.width)):
            for sample in range(buffer.samples):
                place = ((y - row.y) * gpu.tile_width + (x - row.x)) * buffer.samples + sample
                saved = base + (y * pitch + x) * buffer.samples + sample
                if way == STORE and values == STENCIL_VALUES:
                    depth.saved[saved] = buffer.stencil[place]
                elif way == STORE:
                    depth.saved[saved] = buffer.depth[place]
                elif values == STENCIL_VALUES:
                    buffer.stencil[place] = depth.saved[saved]
                else:
                    buffer.depth[place] = depth.saved[saved]


@unit
def clear(gpu: Gpu, depth: Depth, unit: EarlyDepth, index: int) -> None:
    """A clear between draws resets its box of the tile."""
    row = depth.clear[index]
    buffer = unit.buffer
    unit.clears += 1
    for y in range(max(row.y, buffer.y), min(row.y + row.height, buffer.y + gpu.tile_height)):
        for x in range(max(row.x, buffer.x), min(row.x + row.width, buffer.x + gpu.tile_width)):
            for sample in range(buffer.samples):
                place = ((y - buffer.y) * gpu.tile_width + (x - buffer.x)) * buffer.samples + sample
                if row.depth_write != 0:
                    buffer.depth[place] = row.depth
                    hooks.depth_cleared(gpu, depth, buffer.raster_unit, place)
                buffer.stencil[place] = (buffer.stencil[place] & ~row.stencil_mask) | (row.stencil & row.stencil_mask)


@inline
def end_tile(gpu: Gpu, commands: Commands, depth: Depth, r: int, unit: EarlyDepth, t: int) -> bool:
    """Barrier: the end of the tile goes on to every processor when no quad of it is left here or waits for
    its late test."""
    if unit.flight.count > 0 or unit.late_total > 0:
        return False
    if gpu.shared_input != 0:
        if full(shared_queue(gpu, r)):
            return False
    else:
        for i in range(gpu.fragment_processors):
            if full(shading_queue(gpu, r, i)):
                return False
    hooks.works_for_application(gpu, unit.id, commands.tile[unit.tile].application, NO_DRAW)
    hooks.tile_tested(gpu, commands, depth, r, unit.tile, t)
    render_pass = commands.render_pass[commands.tile[unit.tile].render_pass]
    if render_pass.store_depth >= 0:
        exchange(gpu, commands, depth, unit.buffer, unit.tile, render_pass.store_depth, DEPTH_VALUES, STORE)
    if render_pass.store_stencil >= 0:
        exchange(gpu, commands, depth, unit.buffer, unit.tile, render_pass.store_stencil, STENCIL_VALUES, STORE)
    for i in range(gpu.fragment_processors):
        if gpu.shared_input == 0 or i == 0:
            hand_on(gpu, shading_queue(gpu, r, i), shared_queue(gpu, r), END_OF_TILE, unit.tile, -1, i)
        poke(gpu, shading_queue(gpu, r, i).consumer)
    unit.tile = -1
    unit.tiles += 1
    return True


def setup(chip: Chip, unit: EarlyDepth, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    unit.queue.depth = chip.configuration.of(RasterizerParameters).queue
    unit.buffer.raster_unit = place[0]
    tile_memory.setup_stage(unit, chip.configuration.of(EarlyDepthParameters))


NAME = "raster.early_depth"

COUNTED = (
    Stat(f"{NAME}.quads", "quads", "quads that entered the early test", "quads"),
    Stat(f"{NAME}.killed_quads", "quads", "quads that no sample of survived the early test", "killed_quads"),
    Stat(f"{NAME}.survived_quads", "quads", "quads that went on to shading", "survived_quads"),
    Stat(f"{NAME}.late_quads", "quads", "quads let through, to be tested after shading", "late_quads"),
    Stat(f"{NAME}.mismatched_quads", "quads", "quads whose outcome was not that of program order", "mismatched_quads"),
    Stat(f"{NAME}.fragments", "samples", "covered samples that entered the early test", "fragments"),
    Stat(f"{NAME}.killed_fragments", "samples", "covered samples that failed the early test", "killed_fragments"),
    Stat(f"{NAME}.clears", "clears", "clears between draws, once per tile", "clears"),
    *spent(NAME, "an early depth test"),
    ratio(
        f"{NAME}.kill_rate",
        "ratio",
        "share of quads that the early test kills",
        f"{NAME}.killed_quads",
        f"{NAME}.quads",
    ),
)
"""Statistics of an early depth test, wherever its depth buffer is."""

SHARED = (
    Structure(
        "early_depth.comparators",
        RASTER,
        units,
        lambda c: Logic("comparator", 4 * c.of(EarlyDepthParameters).quads_per_cycle, 4),
        stat(f"{NAME}.quads"),
    ),
    Structure(
        "early_depth.pipeline",
        RASTER,
        units,
        lambda c: Ram(c.of(EarlyDepthParameters).in_flight, FRAGMENT_BYTES * 8),
        stat(f"{NAME}.quads"),
        stat(f"{NAME}.quads"),
    ),
)
"""Structures of an early depth test: comparators and pipeline."""


@inline
def waits_for(gpu: Gpu, r: int) -> int:
    """Reason of a wait: for a quad whose depth is tested late, or for the depths of a tile."""
    return ORDER if gpu.raster_unit[r].early_depth.late_total > 0 else BANDWIDTH


UNIT = Unit(
    "early_depth",
    __name__,
    EarlyDepth,
    tick,
    tables=("commands", "depth"),
    scope=RASTER_UNIT,
    parameters=(EarlyDepthParameters,),
    setup=setup,
    tile="tile",
    reason="early_depth",
    reasons={"waiting": ASKED},
    asks=waits_for,
    marks=("survived_quads",),
    stands=lambda unit: (
        f"{int(unit.queue.count)} of {int(unit.queue.depth)} quads queued, {int(unit.flight.count)} of "
        f"{int(unit.flight.depth)} in flight, {int(unit.late_total)} quads tested late"
    ),
    watches=(Watch("post_rasterization", "quads before early depth", "queue"),),
    statistics=(
        *COUNTED,
        Stat(f"{NAME}.partial_quads", "quads", "quads of which not all samples are covered", "partial_quads"),
        Stat(f"{NAME}.tested_quads", "quads", "quads whose depth or stencil was tested early", "tested_quads"),
        Stat(f"{NAME}.updated_quads", "quads", "quads that changed a depth or stencil value early", "updated_quads"),
        Stat("raster.depth_buffer.reads", "accesses", "quads read from the depth buffer", "buffer.reads"),
        Stat("raster.depth_buffer.writes", "accesses", "quads written to the depth buffer", "buffer.writes"),
        Stat(
            "fragment.fragments_per_tile",
            "fragments/tile",
            "fragments that survive early depth per tile (Fig. 5.10)",
            "",
            "(raster.early_depth.fragments - raster.early_depth.killed_fragments) / raster.tile_flush.tiles",
            lambda v: (v[f"{NAME}.fragments"] - v[f"{NAME}.killed_fragments"]) / max(1, v["raster.tile_flush.tiles"]),
        ),
    ),
    structures=(
        *SHARED,
        Structure(
            "depth_buffer",
            RASTER,
            units,
            lambda c: Ram(tile_words(c), 128),
            stat("raster.depth_buffer.reads"),
            stat("raster.depth_buffer.writes"),
        ),
    ),
)
