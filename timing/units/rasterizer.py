"""Rasterizer: turns a primitive of a tile into quads, `attributes_per_cycle` interpolated attributes at a time.

min(quads_per_cycle, floor(attributes_per_cycle / attributes)) quads per cycle, or one per
ceil(attributes / attributes_per_cycle) cycles for primitives with more attributes
than that; a primitive takes a cycle at least.
"""

from __future__ import annotations

from typing import Any

from ..engine.account import ACCOUNT, BLOCKED, BUSY, IDLE, account
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.records import END_OF_TILE, NEVER, PRIMITIVE, QUAD, TOKEN, record, ring
from ..engine.ring import front, full, push_token, release

RASTERIZER = record(
    id="i8",
    queue=ring(TOKEN, 256),
    tile="i8",
    quad="i8",
    last_quad="i8",
    rate="i8",
    interval="i8",
    due="i8",
    attributes_per_cycle="i8",
    quads_per_cycle="i8",
    primitives="i8",
    quads="i8",
    tiles="i8",
    attributes="i8",
    **ACCOUNT,
)


@unit
def tick(gpu: Any, tiling: Any, r: int, t: int) -> int:
    rasterizer = gpu.raster_unit[r].rasterizer
    early_depth = gpu.raster_unit[r].early_depth
    account(rasterizer, t)
    if rasterizer.due > t:
        return int(rasterizer.due)
    began = False
    if rasterizer.quad == rasterizer.last_quad:
        if rasterizer.queue.count == 0:
            rasterizer.cause = IDLE
            return NEVER
        if not begin(gpu, tiling, rasterizer, early_depth, t):
            rasterizer.cause = BLOCKED
            return NEVER
        began = True
    moved = began
    for _ in range(rasterizer.rate):
        if rasterizer.quad < rasterizer.last_quad and not full(early_depth.queue):
            push_token(early_depth.queue, QUAD, rasterizer.tile, rasterizer.quad)
            rasterizer.quad += 1
            rasterizer.quads += 1
            rasterizer.due = t + rasterizer.interval
            moved = True
    rasterizer.cause = BUSY if moved else BLOCKED
    if not moved:
        return NEVER
    poke(gpu, early_depth.id)
    return max(int(rasterizer.due), t + 1)


@inline
def begin(gpu: Any, tiling: Any, rasterizer: Any, early_depth: Any, t: int) -> bool:
    """Take the next token of the Tile Queue; what is no primitive goes straight on, in its place between the quads."""
    token = front(rasterizer.queue)
    if token.kind == PRIMITIVE:
        entry = tiling.entry[token.index]
        attributes = max(1, tiling.primitive[entry.primitive].attributes)
        rasterizer.tile = token.tile
        rasterizer.quad = entry.first_quad
        rasterizer.last_quad = entry.last_quad
        rasterizer.rate = max(1, min(rasterizer.quads_per_cycle, rasterizer.attributes_per_cycle // attributes))
        rasterizer.interval = (attributes + rasterizer.attributes_per_cycle - 1) // rasterizer.attributes_per_cycle
        rasterizer.primitives += 1
        rasterizer.attributes += attributes
    else:
        if full(early_depth.queue):
            return False
        index = token.index
        if token.kind == END_OF_TILE:
            rasterizer.tiles += 1
        else:
            index = tiling.primitive[tiling.entry[token.index].primitive].clear
        push_token(early_depth.queue, token.kind, token.tile, index)
    release(gpu, rasterizer.queue, gpu.tile_fetcher.id)
    return True
