"""Passes of the last frame, for what a technique remembers of tiles from frame to frame.

A tile has the same row in both frames as long as the passes up to its own have the same tiles. What is remembered is in
registers of the technique, by row: filled in at `tile_tested`, `tile_written` or `dram_accessed`, put in the place of
the frame before at `frame_end`, and of use in a pass for which `begin_pass` has said so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Record, Rows, i4, i8, room

from ...engine.jit import inline, unit

if TYPE_CHECKING:
    from ...engine.frame import Commands, RenderPass

MAX_PASSES = 64
MAX_TILES = 1 << 14


class LastFrame(Record):
    """Passes of the last frame. `comparable`: whether the tiles of the pass at work are those of the last frame."""

    passes: i8
    width: Rows[i4] = room(MAX_PASSES)
    height: Rows[i4] = room(MAX_PASSES)
    last_tile: Rows[i4] = room(MAX_PASSES)
    comparable: i8


@inline
def begin_pass(last: LastFrame, commands: Commands, render_pass: int) -> bool:
    """Whether the last frame says anything about the tiles of a pass that begins."""
    before = render_pass == 0 or last.comparable != 0
    last.comparable = (
        before and render_pass < last.passes and same(last, commands.render_pass[render_pass], render_pass)
    )
    return bool(last.comparable != 0)


@inline
def same(last: LastFrame, row: RenderPass, p: int) -> bool:
    """Whether a pass has the size and the tiles of the last frame's of this number."""
    return bool(last.width[p] == row.width and last.height[p] == row.height and last.last_tile[p] == row.last_tile)


@unit
def remember(last: LastFrame, commands: Commands) -> None:
    """Take over the passes of a frame that ends, up to the first that there is no room for."""
    last.passes = 0
    while last.passes < min(len(commands.render_pass), MAX_PASSES):
        row = commands.render_pass[last.passes]
        if row.last_tile > MAX_TILES:
            return
        last.width[last.passes] = row.width
        last.height[last.passes] = row.height
        last.last_tile[last.passes] = row.last_tile
        last.passes += 1
