"""Early depth (and stencil) test: in order, one tile at a time, `quads_per_cycle` into a pipeline of `in_flight` quads.

Survivors go to the queue of the fragment processor their place in the tile maps to. Quads whose program
discards or writes
depth pass untested and are tested after shading; until then no later quad at their place is tested.
"""

from __future__ import annotations

from typing import Any

from ..engine.account import ACCOUNT, BLOCKED, BUSY, IDLE, WAITING, account
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.records import CLEAR, END_OF_TILE, MAX_TILE_QUADS, QUAD, TOKEN, record, ring
from ..engine.ring import drop, front, full, grow, push_token, release
from ..memory.request import DEPTH
from ..techniques import hooks
from . import tile_memory
from .depth_test import TILE_BUFFER, resolve

DEPTH_VALUES, STENCIL_VALUES = range(2)
LOAD, STORE = range(2)

FLIGHT = record(tile="i4", quad="i4", processor="i4", passed="i4", wrote="i8", due="i8")
EARLY_DEPTH = record(
    id="i8",
    queue=ring(TOKEN, 1024),
    flight=ring(FLIGHT, 128),
    buffer=TILE_BUFFER,
    transfer=tile_memory.TRANSFER,
    tile="i8",
    late=("i4", (MAX_TILE_QUADS,)),
    late_total="i8",
    quads_per_cycle="i8",
    latency="i8",
    read_ports="i8",
    write_ports="i8",
    first_processor="i8",
    quads="i8",
    killed_quads="i8",
    survived_quads="i8",
    late_quads="i8",
    mismatched_quads="i8",
    fragments="i8",
    killed_fragments="i8",
    clears="i8",
    tiles="i8",
    **ACCOUNT,
)


@unit
def tick(gpu: Any, commands: Any, depth: Any, r: int, t: int) -> int:
    unit = gpu.raster_unit[r].early_depth
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
def emit(gpu: Any, depth: Any, r: int, unit: Any, t: int) -> bool:
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
        if flight.passed != 0 and hooks.quad_ready(gpu, depth, r, flight.quad, t):
            if not hand_on(gpu, gpu.raster_unit[r], QUAD, flight.tile, flight.quad, flight.processor, t):
                break
            unit.survived_quads += 1
        else:
            unit.killed_quads += 1
        drop(unit.flight)
        moved = True
    return moved


@unit
def hand_on(gpu: Any, raster_unit: Any, kind: int, tile: int, quad: int, processor: int, t: int) -> bool:
    """Put a token into the queue of its processor, or into the one they share; False where that is full."""
    core = raster_unit.processor[processor]
    if gpu.shared_input == 0:
        if full(core.queue):
            return False
        push_token(core.queue, kind, tile, quad)
        poke(gpu, core.id)
        return True
    if full(raster_unit.input):
        return False
    entry = grow(raster_unit.input)
    entry.processor = processor
    entry.token.kind = kind
    entry.token.tile = tile
    entry.token.index = quad
    poke(gpu, core.id)
    return True


@inline
def accept(gpu: Any, commands: Any, depth: Any, r: int, unit: Any, t: int) -> bool:
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
            test(gpu, depth, r, unit, int(token.index), t)
        elif token.kind == CLEAR:
            if unit.late_total > 0:
                break
            clear(gpu, depth, unit, token.index)
        elif not end_tile(gpu, commands, depth, r, unit, t):
            break
        release(gpu, unit.queue, gpu.raster_unit[r].rasterizer.id)
        moved = True
    return moved


@inline
def quad_place(gpu: Any, unit: Any, quad: Any) -> int:
    """Place of a quad in its tile."""
    return int((quad.y - unit.buffer.y // 2) * (gpu.tile_width // 2) + quad.x - unit.buffer.x // 2)


@unit
def test(gpu: Any, depth: Any, r: int, unit: Any, q: int, t: int) -> None:
    quad = depth.quad[q]
    covered = quad.coverage
    unit.quads += 1
    flight = grow(unit.flight)
    flight.tile = unit.tile
    flight.quad = q
    place = quad_place(gpu, unit, quad)
    flight.processor = gpu.quad_processor[unit.first_processor + place]
    flight.due = t + unit.latency
    flight.wrote = 0
    if depth.state[depth.primitive[quad.primitive].state].late != 0:
        flight.passed = covered
        unit.late[place] += 1
        unit.late_total += 1
        unit.late_quads += 1
    else:
        writes = unit.buffer.writes
        flight.passed = resolve(gpu, depth, unit.buffer, q, int(covered))
        flight.wrote = unit.buffer.writes - writes
        if flight.passed != quad.depth_pass:
            unit.mismatched_quads += 1
    for bit in range(4 * unit.buffer.samples):
        unit.fragments += covered >> bit & 1
        unit.killed_fragments += (covered & ~flight.passed) >> bit & 1
    hooks.depth_compared(gpu, depth, r, q, flight.passed, t)


@unit
def begin_tile(gpu: Any, commands: Any, depth: Any, r: int, unit: Any, tile: int, t: int) -> bool:
    """Fill the tile's buffers: cleared ones at once, others from memory; False until they are here."""
    if not tile_memory.load(gpu, commands, unit.transfer, tile, DEPTH, t):
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
def exchange(gpu: Any, commands: Any, depth: Any, buffer: Any, tile: int, base: int, values: int, way: int) -> None:
    """Copy a tile's depth or stencil between the buffer and what outlives the pass."""
    row = commands.tile[tile]
    render_pass = commands.render_pass[row.render_pass]
    for y in range(row.y, min(row.y + gpu.tile_height, render_pass.height)):
        for x in range(row.x, min(row.x + gpu.tile_width, render_pass.width)):
            for sample in range(buffer.samples):
                place = ((y - row.y) * gpu.tile_width + (x - row.x)) * buffer.samples + sample
                saved = base + (y * render_pass.width + x) * buffer.samples + sample
                if way == STORE and values == STENCIL_VALUES:
                    depth.saved[saved] = buffer.stencil[place]
                elif way == STORE:
                    depth.saved[saved] = buffer.depth[place]
                elif values == STENCIL_VALUES:
                    buffer.stencil[place] = depth.saved[saved]
                else:
                    buffer.depth[place] = depth.saved[saved]


@unit
def clear(gpu: Any, depth: Any, unit: Any, index: int) -> None:
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
                buffer.stencil[place] = (buffer.stencil[place] & ~row.stencil_mask) | (row.stencil & row.stencil_mask)


@inline
def end_tile(gpu: Any, commands: Any, depth: Any, r: int, unit: Any, t: int) -> bool:
    """Barrier: the end of the tile goes on to every processor when no quad of it is left here or waits for
    its late test."""
    raster_unit = gpu.raster_unit[r]
    if unit.flight.count > 0 or unit.late_total > 0:
        return False
    if gpu.shared_input != 0:
        if full(raster_unit.input):
            return False
    else:
        for i in range(gpu.fragment_processors):
            if full(raster_unit.processor[i].queue):
                return False
    render_pass = commands.render_pass[commands.tile[unit.tile].render_pass]
    if render_pass.store_depth >= 0:
        exchange(gpu, commands, depth, unit.buffer, unit.tile, render_pass.store_depth, DEPTH_VALUES, STORE)
    if render_pass.store_stencil >= 0:
        exchange(gpu, commands, depth, unit.buffer, unit.tile, render_pass.store_stencil, STENCIL_VALUES, STORE)
    for i in range(gpu.fragment_processors):
        if gpu.shared_input == 0 or i == 0:
            hand_on(gpu, raster_unit, END_OF_TILE, unit.tile, -1, i, t)
        poke(gpu, raster_unit.processor[i].id)
    unit.tile = -1
    unit.tiles += 1
    return True
