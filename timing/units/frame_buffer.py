"""The frame buffer in memory, as units see it that test and blend quads there: which lines a quad needs, and the depth
and stencil values of its pixels.

An attachment is cleared without any access to memory ("fast clear"): the chip remembers which of its lines the pass has
touched. The first access to a line that was not loaded writes all of it into the cache instead of reading it. The
papers are silent on clears.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..engine import hooks
from ..engine.account import BLOCKED, IDLE, WAITING
from ..engine.jit import inline, unit
from ..engine.ring import front
from ..memory.request import COLOR, DEPTH, READ, REQUEST_DEPTH, WRITE, Port, has_reply, replies_due, send, take_reply
from .depth_test import TileBuffer, place_of, resolve

if TYPE_CHECKING:
    from ..engine.frame import Depth, Quad, RenderPass, Surfaces, Target
    from ..memory.gpu import Gpu
    from .cached_blending import CachedBlending
    from .cached_depth import CachedDepth


@inline
def lines_of_quad(target: Target) -> int:
    """Lines that a quad has in an attachment: one, unless the attachment's blocks are a pixel wide or high."""
    return (1 if target.across_bits > 0 else 2) * (1 if target.down_bits > 0 else 2)


@inline
def line_of_pixel(target: Target, x: int, y: int) -> int:
    """Line of an attachment that a pixel is in."""
    return int((y >> target.down_bits) * target.blocks_across + (x >> target.across_bits))


@unit
def count_lines(surfaces: Surfaces, render_pass: int, source: int) -> int:
    """Lines that a quad has in the attachments of a kind (COLOR or DEPTH)."""
    row = surfaces.render_pass[render_pass]
    lines = 0
    for i in range(row.first_target, row.last_target):
        if surfaces.target[i].source == source:
            lines += lines_of_quad(surfaces.target[i])
    return lines


@inline
def has_room(port: Port, lines: int) -> bool:
    """Whether a port takes accesses to a number of lines: two requests each, where it is the first access."""
    return bool(port.request.count + 2 * lines <= REQUEST_DEPTH and port.outstanding + lines <= REQUEST_DEPTH)


class Access(NamedTuple):
    """Access to a quad's pixels: in attachments of a `source`, of a `kind`. `tag`: who asks (`asked_by`), 0 for no
    instruction; `slot`: lets the caller recognize the answers."""

    source: int
    kind: int
    tag: int
    slot: int


WRITE_DEPTH, WRITE_COLOR = Access(DEPTH, WRITE, 0, -1), Access(COLOR, WRITE, 0, -1)


@unit
def access(gpu: Gpu, surfaces: Surfaces, port: Port, tile: int, quad: Quad, pixels: Access, t: int) -> int:
    """Read or write a quad's pixels; the number of answers to expect. The caller has asked `has_room`."""
    source = pixels.source
    row = surfaces.render_pass[tile]
    answers = 0
    for i in range(row.first_target, row.last_target):
        target = surfaces.target[i]
        if target.source != source:
            continue
        lines = lines_of_quad(target)
        across = 1 if target.across_bits > 0 else 2
        for k in range(lines):
            x = quad.x * 2 + k % across
            y = quad.y * 2 + k // across
            if x >= row.width or y >= row.height:
                continue
            line = line_of_pixel(target, x, y)
            address = target.address + line * gpu.line_bytes
            size = min(4 * target.pixel_bytes // lines, gpu.line_bytes)
            fresh = surfaces.touched[target.first_line + line] == 0
            if fresh:
                surfaces.touched[target.first_line + line] = 1
                send(gpu, port, t, address, gpu.line_bytes, WRITE, source, tile).tag = pixels.tag
            if pixels.kind == READ:
                sent = send(gpu, port, t, address, size, READ, source, tile)
                sent.tag = pixels.tag
                sent.slot = pixels.slot
                answers += 1
            elif not fresh:
                send(gpu, port, t, address, size, WRITE, source, tile).tag = pixels.tag
    return answers


@inline
def receive(gpu: Gpu, stage: CachedBlending | CachedDepth, port: Port, t: int) -> None:
    """Lines that have arrived for quads in a stage's pipeline."""
    while has_reply(port, t):
        replies = replies_due(port, t)
        stage.flight.slot[front(replies).slot].pending -= 1
        take_reply(gpu, port, replies)


@inline
def rest(stage: CachedBlending | CachedDepth, due: int, t: int) -> int:
    """Book a cycle in which nothing moved; when the stage has something to do, if not before answers are `due`."""
    first = stage.flight.slot[stage.flight.head]
    if stage.flight.count == 0:
        stage.cause = IDLE if stage.queue.count == 0 else WAITING
    elif first.pending > 0 or stage.polls != 0:
        stage.cause = WAITING
    elif first.due > t:
        due = min(due, first.due)
    else:
        stage.cause = BLOCKED
    return t + 1 if stage.polls != 0 else due


@unit
def begin_pass(surfaces: Surfaces, depth: Depth, render_pass: int) -> None:
    """Forget which lines were touched, but for attachments that are loaded; clear depth and stencil values."""
    row = surfaces.render_pass[render_pass]
    for i in range(row.first_target, row.last_target):
        target = surfaces.target[i]
        loaded = 1 if target.load != 0 else 0
        for line in range(target.first_line, target.first_line + target.lines):
            surfaces.touched[line] = loaded
    if row.load_depth < 0:
        fill(depth, row, row.store_depth, row.depth_pitch, row.clear_depth)
    if row.load_stencil < 0:
        fill(depth, row, row.store_stencil, row.stencil_pitch, row.clear_stencil)


@unit
def fill(depth: Depth, row: RenderPass, base: int, pitch: int, value: int) -> None:
    """Give all samples of a pass the same value, where it has any."""
    if base < 0:
        return
    for y in range(row.height):
        for i in range(y * pitch * row.samples, (y * pitch + row.width) * row.samples):
            depth.saved[base + i] = value


@unit
def test(gpu: Gpu, depth: Depth, buffer: TileBuffer, row: RenderPass, q: int, samples: int) -> tuple[int, int]:
    """Test samples of a quad against what is stored; which passed, and 1 where a value was written."""
    quad = depth.quad[q]
    writes = buffer.writes
    fetch(gpu, depth, buffer, row, quad)
    passed = resolve(gpu, depth, buffer, q, samples)
    changed = put_back(gpu, depth, buffer, row)
    return passed, 1 if changed != 0 or buffer.writes != writes else 0


@unit
def fetch(gpu: Gpu, depth: Depth, buffer: TileBuffer, row: RenderPass, quad: Quad) -> None:
    """Put a quad's depth and stencil values into the registers of a tester."""
    buffer.x = quad.x * 2
    buffer.y = quad.y * 2
    buffer.samples = row.samples
    for k in range(4 * row.samples):
        x, y, s = buffer.x + (k & 1), buffer.y + (k >> 1 & 1), k >> 2
        place = place_of(gpu, buffer, x, y, s)
        inside = x < row.width and y < row.height
        buffer.depth[place] = row.clear_depth
        buffer.stencil[place] = row.clear_stencil
        stored = -1
        if inside and row.store_depth >= 0:
            stored = row.store_depth + (y * row.depth_pitch + x) * row.samples + s
            buffer.depth[place] = depth.saved[stored]
        hooks.depth_fetched(gpu, depth, buffer.raster_unit, place, stored)
        if inside and row.store_stencil >= 0:
            buffer.stencil[place] = depth.saved[row.store_stencil + (y * row.stencil_pitch + x) * row.samples + s]


@unit
def put_back(gpu: Gpu, depth: Depth, buffer: TileBuffer, row: RenderPass) -> int:
    """Write a tester's registers back; 1 where a stencil value has changed."""
    changed = 0
    for k in range(4 * row.samples):
        x, y, s = buffer.x + (k & 1), buffer.y + (k >> 1 & 1), k >> 2
        if x >= row.width or y >= row.height:
            continue
        place = place_of(gpu, buffer, x, y, s)
        if row.store_depth >= 0:
            stored = row.store_depth + (y * row.depth_pitch + x) * row.samples + s
            depth.saved[stored] = buffer.depth[place]
            hooks.depth_put_back(gpu, depth, buffer.raster_unit, place, stored)
        if row.store_stencil >= 0:
            at = row.store_stencil + (y * row.stencil_pitch + x) * row.samples + s
            if depth.saved[at] != buffer.stencil[place]:
                changed = 1
            depth.saved[at] = buffer.stencil[place]
    return changed


@unit
def clear(gpu: Gpu, depth: Depth, row: RenderPass, index: int) -> None:
    """A clear between draws sets the values of its box."""
    box = depth.clear[index]
    for y in range(max(0, box.y), min(box.y + box.height, row.height)):
        for x in range(max(0, box.x), min(box.x + box.width, row.width)):
            for s in range(row.samples):
                if box.depth_write != 0 and row.store_depth >= 0:
                    stored = row.store_depth + (y * row.depth_pitch + x) * row.samples + s
                    depth.saved[stored] = box.depth
                    hooks.depth_cleared(gpu, depth, 0, stored)
                if row.store_stencil >= 0:
                    at = row.store_stencil + (y * row.stencil_pitch + x) * row.samples + s
                    kept = depth.saved[at] & ~box.stencil_mask
                    depth.saved[at] = kept | (box.stencil & box.stencil_mask)


@inline
def place_of_quad(row: RenderPass, quad: Quad) -> int:
    """Place of a quad in its pass."""
    return int(quad.y * ((row.width + 1) // 2) + quad.x)


@inline
def tests_depth(depth: Depth, quad: Quad) -> bool:
    """Whether a quad needs values of depth or stencil."""
    state = depth.state[depth.primitive[quad.primitive].state]
    return bool(state.depth_test != 0 or state.stencil_test != 0)
