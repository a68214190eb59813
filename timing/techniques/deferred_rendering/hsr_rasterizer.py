"""Rasterizer of hidden surface removal (4.3.1): quads of opaque primitives, with depth as their only attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, PRIMITIVE, QUAD, Ring, Token, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BLOCKED, BUSY, IDLE, Accounted, account
from ...engine.calendar import poke
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, push_token
from ...engine.unit import RASTER_UNIT, Unit, Watch
from ...units.rasterizer import RasterizerParameters
from .parameters import Parameters
from .state import RASTERIZER

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Tiling
    from ...memory.gpu import Gpu
    from .hsr_depth_test import HsrDepthTest


class HsrRasterizer(Accounted):
    """Registers of the HSR Rasterizer. `cycles_per_quad`: that each takes, 0 where several go in a cycle; `next_at`:
    when the next one may go."""

    id: i8
    queue: Ring[Token] = room(256)
    tile: i8
    quad: i8
    last_quad: i8
    quads_per_cycle: i8
    cycles_per_quad: i8
    next_at: i8
    primitives: i8
    quads: i8


@unit
def tick(gpu: Gpu, tiling: Tiling, r: int, t: int) -> int:
    rasterizer: HsrRasterizer = gpu.raster_unit[r].hsr_rasterizer
    tested: HsrDepthTest = gpu.raster_unit[r].hsr_depth_test
    account(rasterizer, t)
    if t < rasterizer.next_at:
        rasterizer.cause = BUSY
        return int(rasterizer.next_at)
    moved = False
    if rasterizer.quad == rasterizer.last_quad:
        if rasterizer.queue.count == 0:
            rasterizer.cause = IDLE
            return NEVER
        moved = begin(gpu, tiling, rasterizer, tested)
    for _ in range(rasterizer.quads_per_cycle):
        if rasterizer.quad < rasterizer.last_quad and not full(tested.queue):
            push_token(tested.queue, QUAD, rasterizer.tile, rasterizer.quad)
            rasterizer.quad += 1
            rasterizer.quads += 1
            rasterizer.next_at = t + rasterizer.cycles_per_quad
            moved = True
    rasterizer.cause = BUSY if moved else BLOCKED
    if not moved:
        return NEVER
    poke(gpu, tested.id)
    return t + 1


@inline
def begin(gpu: Gpu, tiling: Tiling, rasterizer: HsrRasterizer, tested: HsrDepthTest) -> bool:
    """Take the next primitive; the end of a tile goes straight on."""
    token = front(rasterizer.queue)
    if token.kind == PRIMITIVE:
        entry = tiling.entry[token.index]
        rasterizer.tile = token.tile
        rasterizer.quad = entry.first_quad
        rasterizer.last_quad = entry.last_quad
        rasterizer.primitives += 1
    else:
        if full(tested.queue):
            return False
        push_token(tested.queue, token.kind, token.tile, token.index)
    if full(rasterizer.queue):
        poke(gpu, gpu.hsr_fetcher.id)
    drop(rasterizer.queue)
    return True


def setup(chip: Chip, rasterizer: HsrRasterizer, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration
    rasterizer.queue.depth = c.of(Parameters).hsr_tile_queue
    spec = c.of(RasterizerParameters)
    rasterizer.cycles_per_quad = c.of(Parameters).hsr_cycles_per_quad
    several = min(spec.quads_per_cycle, spec.attributes_per_cycle)
    rasterizer.quads_per_cycle = 1 if rasterizer.cycles_per_quad > 0 else several
    rasterizer.cause = IDLE


UNIT = Unit(
    "hsr_rasterizer",
    __name__,
    HsrRasterizer,
    tick,
    tables=("tiling",),
    scope=RASTER_UNIT,
    setup=setup,
    marks=("quads", "primitives"),
    stands=lambda rasterizer: f"{int(rasterizer.queue.count)} of {int(rasterizer.queue.depth)} primitives queued",
    watches=(Watch("hsr_tile", "Tile Queue of hidden surface removal", "queue"),),
    statistics=(
        Stat(f"{RASTERIZER}.primitives", "primitives", "primitives rasterized to remove hidden surfaces", "primitives"),
        Stat(f"{RASTERIZER}.quads", "quads", "quads rasterized to remove hidden surfaces", "quads"),
        *spent(RASTERIZER, "a Rasterizer of hidden surface removal"),
    ),
)
