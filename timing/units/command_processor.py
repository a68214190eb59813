"""Command Processor: reads the commands of each draw, feeds the geometry stage, then sets the raster stage
on the pass's tiles.

The tiling engine separates the two: a pass is rasterized when all of its geometry is binned (sort-middle).
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.results.declare import Stat

from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.records import record
from ..engine.ring import full, hand
from ..engine.unit import Unit
from ..engine.wiring import access, output
from ..memory.request import COMMAND, READ, can_send, has_reply, next_reply, replies_due, send, take_reply
from ..techniques import hooks

draws = output()
transfer_unit = access()
geometry_done = access("render_pass")
start_tiles = access("render_pass")
raster_done = access()
begin_pass = access("commands", "render_pass", "t")
drawn_to = access("target")

NEXT_PASS, MOVES, READ_COMMANDS, DISPATCH, GEOMETRY, RASTER, FINISHED = range(7)

COMMAND_PROCESSOR = record(
    id="i8",
    port="i8",
    phase="i8",
    render_pass="i8",
    batch="i8",
    draw="i8",
    cursor="i8",
    pending="i8",
    since="i8",
    draws="i8",
    passes="i8",
    frames="i8",
    requests="i8",
    transfer_cycles="i8",
    geometry_cycles="i8",
    raster_cycles="i8",
)
"""`batch`: place in the order of drawing; `draw`: the batch that is drawn there."""


@unit
def tick(gpu: Any, commands: Any, vertices: Any, t: int) -> int:
    processor = gpu.command_processor
    port = gpu.port[processor.port]
    while has_reply(port, t):
        take_reply(port, replies_due(port, t))
        processor.pending -= 1
    moved = False
    if processor.phase == NEXT_PASS:
        moved = next_pass(gpu, commands, processor, t)
    elif processor.phase == MOVES:
        moved = end_moves(gpu, commands, processor, t)
    elif processor.phase == READ_COMMANDS:
        moved = read_commands(gpu, vertices, processor, port, t)
    elif processor.phase == DISPATCH:
        moved = dispatch(gpu, commands, vertices, processor, t)
    elif processor.phase == GEOMETRY:
        moved = start_raster(gpu, commands, processor, t)
    elif processor.phase == RASTER:
        moved = end_pass(gpu, commands, processor, t)
    return t + 1 if moved else next_reply(port)


@unit
def next_pass(gpu: Any, commands: Any, processor: Any, t: int) -> bool:
    processor.since = t
    if processor.render_pass == len(commands.render_pass):
        processor.phase = FINISHED
        processor.frames += 1
        hooks.frame_end(gpu, commands, t)
        return False
    row = commands.render_pass[processor.render_pass]
    if hooks.pass_begin(gpu, commands, processor.render_pass, t) == hooks.WAIT:
        return False
    begin_pass(gpu, commands, row, t)
    if row.first_move == row.last_move:
        begin_geometry(gpu, commands, processor)
        return True
    transfer = transfer_unit(gpu)
    transfer.move = row.first_move
    transfer.last_move = row.last_move
    poke(gpu, transfer.id)
    processor.phase = MOVES
    return True


@unit
def end_moves(gpu: Any, commands: Any, processor: Any, t: int) -> bool:
    """Uploads, copies and mipmaps that come before the pass are over."""
    if transfer_unit(gpu).move >= 0:
        return False
    processor.transfer_cycles += t - processor.since
    processor.since = t
    begin_geometry(gpu, commands, processor)
    return True


@inline
def begin_geometry(gpu: Any, commands: Any, processor: Any) -> None:
    processor.batch = commands.render_pass[processor.render_pass].first_batch
    enter_batch(gpu, commands, processor)


@inline
def enter_batch(gpu: Any, commands: Any, processor: Any) -> None:
    processor.cursor = 0
    if processor.batch == commands.render_pass[processor.render_pass].last_batch:
        processor.phase = GEOMETRY
    else:
        processor.draw = hooks.next_draw(gpu, commands, processor.batch)
        processor.phase = READ_COMMANDS


@unit
def read_commands(gpu: Any, vertices: Any, processor: Any, port: Any, t: int) -> bool:
    """One line of commands and constants per cycle; the draw goes on when all of them are here."""
    batch = vertices.batch[processor.draw]
    left = batch.command_bytes - processor.cursor
    if left > 0:
        if not can_send(port):
            return False
        address = batch.command_address + processor.cursor
        size = min(left, gpu.line_bytes - (address & (gpu.line_bytes - 1)))
        send(gpu, port, t, address, size, READ, COMMAND, -1, 0, 0)
        processor.cursor += size
        processor.pending += 1
        processor.requests += 1
        return True
    if processor.pending > 0:
        return False
    processor.phase = DISPATCH
    return True


@unit
def dispatch(gpu: Any, commands: Any, vertices: Any, processor: Any, t: int) -> bool:
    queue = draws(gpu)
    if full(queue) or hooks.draw_begin(gpu, vertices, processor.draw, t) == hooks.WAIT:
        return False
    hand(gpu, queue, processor.draw)
    processor.draws += 1
    processor.batch += 1
    enter_batch(gpu, commands, processor)
    return True


@unit
def start_raster(gpu: Any, commands: Any, processor: Any, t: int) -> bool:
    """The geometry of the pass is done with: let the raster stage go."""
    row = commands.render_pass[processor.render_pass]
    if not geometry_done(gpu, row):
        return False
    if hooks.geometry_done(gpu, commands, processor.render_pass, t) == hooks.WAIT:
        return False
    processor.geometry_cycles += t - processor.since
    processor.since = t
    processor.phase = RASTER
    start_tiles(gpu, row)
    return True


@unit
def end_pass(gpu: Any, commands: Any, processor: Any, t: int) -> bool:
    if not raster_done(gpu):
        return False
    if hooks.pass_done(gpu, commands, processor.render_pass, t) == hooks.WAIT:
        return False
    row = commands.render_pass[processor.render_pass]
    for i in range(row.first_target, row.last_target):
        if commands.target[i].store != 0:
            drawn_to(gpu, commands.target[i])
    processor.raster_cycles += t - processor.since
    processor.passes += 1
    processor.render_pass += 1
    processor.phase = NEXT_PASS
    return True


PHASES = (
    "at the next pass",
    "waits for the Transfer Unit",
    "reads commands",
    "hands a draw on",
    "waits for the geometry",
    "waits for the tiles",
    "has finished",
)


def begin_frame(processor: Any) -> None:
    """Start over with the first pass."""
    processor.phase, processor.render_pass = NEXT_PASS, 0


def stands(processor: Any) -> str:
    """Phase, pass and draw."""
    return f"{PHASES[int(processor.phase)]}: pass {int(processor.render_pass)}, batch {int(processor.batch)}"


UNIT = Unit(
    "command_processor",
    __name__,
    COMMAND_PROCESSOR,
    tick,
    tables=("commands", "vertices"),
    begin_frame=begin_frame,
    marks=("phase", "batch", "cursor"),
    stands=stands,
    statistics=(
        Stat(
            "gpu.geometry_cycles",
            "cycles",
            "cycles from a pass's first command to its last binned primitive",
            "geometry_cycles",
        ),
        Stat("gpu.raster_cycles", "cycles", "cycles from a pass's first tile to its last flushed one", "raster_cycles"),
        Stat(
            "gpu.transfer_cycles",
            "cycles",
            "cycles in which a pass waited for uploads, copies and mipmaps",
            "transfer_cycles",
        ),
        Stat("gpu.draws", "draws", "draws, each instance counted", "draws"),
        Stat("gpu.passes", "passes", "passes rendered", "passes"),
        Stat("geometry.command_processor.requests", "requests", "requests for lines of commands", "requests"),
    ),
)
