"""Writing of tiles, and reading of tiles that begin with what was drawn: payloads and headers in place of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.memory.request import DEPTH

from ...engine.hooks import GO, SKIP
from ...engine.jit import inline, unit
from .depths import take
from .places import payload_bytes, superblock
from .state import HEADER_BYTES, SUBBLOCKS

if TYPE_CHECKING:
    from ...engine.frame import Commands, Target, Tile
    from ...engine.transfer import Transfer
    from ...memory.gpu import Gpu
    from .tables import Tables


NO_PICTURE = -1


@inline
def columns(gpu: Gpu, commands: Commands, tile: Tile) -> int:
    """Superblocks side by side in a tile."""
    return int(min(gpu.tile_width, commands.render_pass[tile.render_pass].width - tile.x) + 15 >> 4)


@inline
def rows(gpu: Gpu, commands: Commands, tile: Tile) -> int:
    """Superblocks one above the other in a tile."""
    return int(min(gpu.tile_height, commands.render_pass[tile.render_pass].height - tile.y) + 15 >> 4)


@unit
def take_depths(gpu: Gpu, own: Tables, commands: Commands, r: int, number: int) -> None:
    """The sizes of a tile's depths, as they stay, become those of memory."""
    state = gpu.technique.frame_buffer_compression
    tile = commands.tile[number]
    render_pass = commands.render_pass[tile.render_pass]
    for target in range(render_pass.first_target, render_pass.last_target):
        row = commands.target[target]
        if own.target[target].level >= 0 and row.source == DEPTH and row.store != 0:
            level = state.level[own.target[target].level]
            for y in range(rows(gpu, commands, tile)):
                for x in range(columns(gpu, commands, tile)):
                    buffer = gpu.raster_unit[r].early_depth.buffer
                    take(gpu, state, level, buffer, (tile.x >> 4) + x, (tile.y >> 4) + y, state.count_bits)


@unit
def take_colors(gpu: Gpu, own: Tables, commands: Commands, number: int) -> None:
    """The sizes of a tile's colours become those of memory."""
    tile = commands.tile[number]
    render_pass = commands.render_pass[tile.render_pass]
    for target in range(render_pass.first_target, render_pass.last_target):
        row = commands.target[target]
        if own.target[target].level >= 0 and row.source != DEPTH and row.store != 0:
            for y in range(rows(gpu, commands, tile)):
                for x in range(columns(gpu, commands, tile)):
                    take_color(gpu, own, row, target, (tile.x >> 4) + x, (tile.y >> 4) + y)


@inline
def take_color(gpu: Gpu, own: Tables, row: Target, target: int, x: int, y: int) -> None:
    """Those of a superblock; without a picture they are as of uncompressed pixels, once something was drawn."""
    state = gpu.technique.frame_buffer_compression
    source = own.target[target]
    level = state.level[source.level]
    first = (level.first + superblock(level, x, y)) * SUBBLOCKS
    if source.first_size == NO_PICTURE:
        if state.clean == 0 or row.load == 0:
            for i in range(SUBBLOCKS):
                state.subblock_bytes[first + i] = 0 if state.clean != 0 else level.uncompressed_bytes
    else:
        for i in range(SUBBLOCKS):
            state.subblock_bytes[first + i] = own.size[source.first_size + (y * source.across + x) * SUBBLOCKS + i]


@inline
def tile_line(gpu: Gpu, own: Tables, commands: Commands, transfer: Transfer) -> int:
    """Payload and header of one superblock after the other."""
    if own.target[transfer.target].level < 0:
        return GO
    next_piece(gpu, own, commands, transfer)
    return SKIP


@unit
def next_piece(gpu: Gpu, own: Tables, commands: Commands, transfer: Transfer) -> None:
    """Set the next piece of a superblock, lines of its payload before its header, and step on.

    The pixels that the flush has to look at are shared out among the payload's lines, in equal parts; where there are
    none, they go with the header, and none at all where the tile buffer knows that nothing was drawn on a clear.
    """
    state = gpu.technique.frame_buffer_compression
    tile, target = commands.tile[transfer.tile], commands.target[transfer.target]
    render_pass, level = commands.render_pass[tile.render_pass], state.level[own.target[transfer.target].level]
    across = columns(gpu, commands, tile)
    x, y = (tile.x >> 4) + transfer.row % across, (tile.y >> 4) + transfer.row // across
    block = superblock(level, x, y)
    payload = payload_bytes(state, level.first + block)
    pixels = min(16, render_pass.width - 16 * x) * min(16, render_pass.height - 16 * y)
    flushed = transfer.port == gpu.tile_flush.transfer.port
    if transfer.byte < payload:
        transfer.address = level.bodies + block * level.body_bytes + transfer.byte
        transfer.size = min(gpu.line_bytes, payload - transfer.byte)
        lines, part = -(-payload // gpu.line_bytes), transfer.byte // gpu.line_bytes
        transfer.pixels = pixels * (part + 1) // lines - pixels * part // lines
        transfer.byte += transfer.size
        state.payload_bytes += transfer.size * flushed
    else:
        cleared = state.clean != 0 and target.load == 0 and state.clean_header != 0
        transfer.address, transfer.size = level.headers + block * HEADER_BYTES, HEADER_BYTES
        transfer.pixels = pixels if payload == 0 and not cleared else 0
        transfer.byte = 0
        transfer.row += 1
        state.header_bytes += HEADER_BYTES * flushed
        state.superblocks += flushed
        state.solid += flushed and payload == 0
        state.uncompressed_bytes += pixels * target.pixel_bytes * flushed
    state.loaded_bytes += transfer.size * (not flushed)
    if transfer.row == across * rows(gpu, commands, tile):
        transfer.row = 0
        transfer.target += 1
