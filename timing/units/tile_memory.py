"""Places of a tile's pixels in memory, line by line: for tiles that are loaded and for tiles that are flushed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine import hooks
from ..engine.account import IDLE
from ..engine.jit import inline, unit
from ..engine.transfer import Transfer
from ..memory.request import READ, can_send, has_reply, next_reply, replies_due, send, take_reply

if TYPE_CHECKING:
    from ..engine.frame import Commands
    from ..memory.gpu import Gpu


@inline
def begin(commands: Commands, transfer: Transfer, tile: int) -> None:
    transfer.tile = tile
    transfer.target = commands.render_pass[commands.tile[tile].render_pass].first_target
    transfer.row = 0
    transfer.byte = 0


@unit
def next_line(gpu: Gpu, commands: Commands, transfer: Transfer) -> None:
    """Set address, size and pixels of the piece of a line that follows in this attachment, and step on."""
    transfer.lines += 1
    if hooks.tile_line(gpu, commands, transfer) == hooks.SKIP:
        return
    tile = commands.tile[transfer.tile]
    render_pass = commands.render_pass[tile.render_pass]
    target = commands.target[transfer.target]
    row_bytes = min(gpu.tile_width, render_pass.width - tile.x) * target.pixel_bytes
    transfer.address = (
        target.address + (tile.y + transfer.row) * target.pitch_bytes + tile.x * target.pixel_bytes + transfer.byte
    )
    transfer.size = min(row_bytes - transfer.byte, gpu.line_bytes - transfer.address % gpu.line_bytes)
    transfer.pixels = -(-transfer.size // target.pixel_bytes)
    transfer.byte += transfer.size
    if transfer.byte == row_bytes:
        transfer.byte = 0
        transfer.row += 1
        if transfer.row == min(gpu.tile_height, render_pass.height - tile.y):
            transfer.row = 0
            transfer.target += 1


@unit
def load(gpu: Gpu, commands: Commands, transfer: Transfer, tile: int, source: int, t: int) -> bool:
    """Read the tile's attachments of a kind (COLOR or DEPTH) that are loaded, a line per cycle; True when all have
    arrived."""
    port = gpu.port[transfer.port]
    while has_reply(port, t):
        take_reply(gpu, port, replies_due(port, t))
        transfer.pending -= 1
    transfer.sent = 0
    if transfer.tile != tile:
        begin(commands, transfer, tile)
    last = commands.render_pass[commands.tile[tile].render_pass].last_target
    while transfer.target < last:
        target = commands.target[transfer.target]
        if target.load != 0 and target.source == source:
            break
        transfer.target += 1
    if transfer.target < last:
        if can_send(port):
            next_line(gpu, commands, transfer)
            sent = send(gpu, port, t, transfer.address, transfer.size, READ, source, tile)
            sent.slot = 0
            commands.log[tile].loaded_bytes += transfer.size
            transfer.pending += 1
            transfer.sent = 1
        return False
    if transfer.pending > 0:
        return False
    transfer.tile = -1
    return True


@inline
def next_arrival(gpu: Gpu, transfer: Transfer) -> int:
    return next_reply(gpu.port[transfer.port])


def setup_stage(stage: Any, spec: Any) -> None:
    """Sizes of a stage that works on one tile at a time, as its section of the configuration says."""
    stage.flight.depth, stage.quads_per_cycle, stage.latency = spec.in_flight, spec.quads_per_cycle, spec.latency_cycles
    stage.read_ports, stage.write_ports = spec.read_ports, spec.write_ports
    stage.tile = stage.transfer.tile = -1
    stage.cause = IDLE
