"""Rasterizer: turns a primitive of a tile into quads, `attributes_per_cycle` interpolated attributes at a time.

min(quads_per_cycle, floor(attributes_per_cycle / attributes)) quads per cycle, or one per ceil(attributes /
attributes_per_cycle) cycles for primitives with more attributes than that; a primitive takes a cycle at least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import END_OF_TILE, NEVER, PRIMITIVE, QUAD, Token, i8, room
from tilegpu.timing.declare.statistics import Stat, spent
from tilegpu.timing.declare.structures import FRAGMENT_BYTES, RASTER, Structure, stat, units

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import Queue, front, full, push_token, release
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import output
from ..engine.work import CLEARS, NO_DRAW
from .primitive_assembly import PrimitiveAssemblyParameters
from .tile_fetcher import TileFetcherParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Tiling
    from ..memory.gpu import Gpu


@output
def quads(gpu: Gpu, r: int) -> Queue[Token]:
    """Queue before the depth test."""
    raise NotImplementedError


class Rasterizer(Accounted):
    """Registers of a Rasterizer. `decision`: what techniques say about the next quad; WAIT while they have not."""

    id: i8
    queue: Queue[Token] = room(256)
    tile: i8
    quad: i8
    last_quad: i8
    rate: i8
    interval: i8
    setup_cycles: i8
    application: i8
    switch: i8
    switch_cycles: i8
    due: i8
    attributes_per_cycle: i8
    quads_per_cycle: i8
    primitives: i8
    quads: i8
    tiles: i8
    attributes: i8
    attributes_each: i8
    decision: i8
    interpolations: i8


@unit
def tick(gpu: Gpu, tiling: Tiling, r: int, t: int) -> int:
    rasterizer: Rasterizer = gpu.raster_unit[r].rasterizer
    rasterized = quads(gpu, r)
    account(rasterizer, t)
    if rasterizer.due > t:
        return int(rasterizer.due)
    began = False
    if rasterizer.quad == rasterizer.last_quad:
        if rasterizer.queue.count == 0:
            rasterizer.cause = IDLE
            return NEVER
        if rasterizer.switch > 0 and switches(tiling, rasterizer, t):
            rasterizer.cause = WAITING
            return int(rasterizer.due)
        if not begin(gpu, tiling, r, rasterizer, rasterized, t):
            rasterizer.cause = BLOCKED
            return NEVER
        began = True
        if rasterizer.setup_cycles > 0 and rasterizer.quad < rasterizer.last_quad:
            rasterizer.cause = BUSY
            rasterizer.due = t + rasterizer.setup_cycles
            return int(rasterizer.due)
    moved = began
    for _ in range(rasterizer.rate):
        if rasterizer.quad < rasterizer.last_quad:
            if rasterizer.decision == hooks.WAIT:
                rasterizer.decision = hooks.rasterized(gpu, tiling, r, rasterizer.quad, t)
            if rasterizer.decision == hooks.WAIT:
                break
            # What is left out needs no room.
            if rasterizer.decision != hooks.SKIP:
                if full(rasterized):
                    break
                push_token(rasterized, QUAD, rasterizer.tile, rasterizer.quad)
            rasterizer.decision = hooks.WAIT
            rasterizer.quad += 1
            rasterizer.quads += 1
            rasterizer.interpolations += rasterizer.attributes_each
            tiling.log[rasterizer.tile].quads += 1
            rasterizer.due = t + rasterizer.interval
            moved = True
    rasterizer.cause = BUSY if moved else BLOCKED
    if not moved:
        return NEVER
    poke(gpu, rasterized.consumer)
    if rasterizer.queue.count == 0 and rasterizer.quad == rasterizer.last_quad:
        wake(gpu, gpu.signal.progress)
    return max(int(rasterizer.due), t + 1)


@inline
def switches(tiling: Tiling, rasterizer: Rasterizer, t: int) -> bool:
    """Whether the Raster Unit, with all that is behind its Rasterizer, takes up the state of another application."""
    application = tiling.tile[front(rasterizer.queue).tile].application
    if application == rasterizer.application:
        return False
    rasterizer.application = application
    rasterizer.due = t + rasterizer.switch
    rasterizer.switch_cycles += rasterizer.switch
    return True


@inline
def begin(gpu: Gpu, tiling: Tiling, r: int, rasterizer: Rasterizer, rasterized: Queue[Token], t: int) -> bool:
    """Take the next token of the Tile Queue; what is no primitive goes straight on, in its place between the quads."""
    token = front(rasterizer.queue)
    if token.kind == PRIMITIVE:
        entry = tiling.entry[token.index]
        hooks.works_for(gpu, rasterizer.id, tiling.primitive[entry.primitive].work)
        attributes = max(1, tiling.primitive[entry.primitive].attributes)
        rasterizer.tile = token.tile
        rasterizer.quad = entry.first_quad
        rasterizer.last_quad = entry.last_quad
        rasterizer.rate = max(1, min(rasterizer.quads_per_cycle, rasterizer.attributes_per_cycle // attributes))
        rasterizer.interval = (attributes + rasterizer.attributes_per_cycle - 1) // rasterizer.attributes_per_cycle
        rasterizer.primitives += 1
        rasterizer.attributes += attributes
        rasterizer.attributes_each = attributes
    else:
        if full(rasterized):
            return False
        otherwise = NO_DRAW if token.kind == END_OF_TILE else CLEARS
        hooks.works_for_application(gpu, rasterizer.id, tiling.tile[token.tile].application, otherwise)
        index = token.index
        if token.kind == END_OF_TILE:
            if hooks.tile_rasterized(gpu, tiling, r, token.tile, t) == hooks.WAIT:
                return False
            rasterizer.tiles += 1
        else:
            index = tiling.primitive[tiling.entry[token.index].primitive].clear
        push_token(rasterized, token.kind, token.tile, index)
    release(gpu, rasterizer.queue)
    return True


class RasterizerParameters(Group, section="rasterizer"):
    """Rasterizer."""

    attributes_per_cycle: int = number(16, "attributes/cycle", "attributes interpolated per cycle [Table 4.1]", 1, 1024)
    quads_per_cycle: int = number(4, "quads/cycle", "quads emitted per cycle at most (thesis 4.1.1)", 1, 32)
    setup_cycles: int = number(
        0,
        "cycles",
        "from the beginning of a primitive to its first quad: edges and depth are set up",
        0,
        1 << 16,
    )
    context_switch_cycles: int = number(
        0,
        "cycles",
        "from the primitive of one application to that of another, where several share the GPU by tile: state of the "
        "Raster Unit and its processors",
        0,
        1 << 20,
    )
    queue: int = number(512, "quads", "post-rasterization queue [Table 4.1]", 1, 1024)


def setup(chip: Chip, rasterizer: Rasterizer, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration
    spec, assembled = c.of(RasterizerParameters), c.of(PrimitiveAssemblyParameters).queue
    rasterizer.queue.depth = c.of(TileFetcherParameters).tile_queue if chip.machine.sorts else assembled
    rasterizer.attributes_per_cycle, rasterizer.quads_per_cycle = spec.attributes_per_cycle, spec.quads_per_cycle
    rasterizer.setup_cycles, rasterizer.switch = spec.setup_cycles, spec.context_switch_cycles
    rasterizer.decision = hooks.WAIT
    rasterizer.cause = IDLE


NAME = "raster.rasterizer"

UNIT = Unit(
    "rasterizer",
    __name__,
    Rasterizer,
    tick,
    tables=("tiling",),
    scope=RASTER_UNIT,
    parameters=(RasterizerParameters,),
    setup=setup,
    tile="tile",
    tile_is_last=True,
    reason="rasterization",
    marks=("quads",),
    stands=lambda rasterizer: f"{int(rasterizer.queue.count)} of {int(rasterizer.queue.depth)} primitives queued",
    watches=(Watch("tile", "Tile Queue", "queue"),),
    statistics=(
        Stat(f"{NAME}.primitives", "primitives", "primitives rasterized, once per tile", "primitives"),
        Stat(f"{NAME}.quads", "quads", "quads rasterized", "quads"),
        Stat(f"{NAME}.attributes", "attributes", "attributes of primitives rasterized, once per tile", "attributes"),
        Stat(
            f"{NAME}.interpolations", "attributes", "attributes interpolated for quads, once per quad", "interpolations"
        ),
        Stat(f"{NAME}.switch_cycles", "cycles", "cycles of switches to another application, summed", "switch_cycles"),
        *spent(NAME, "a Rasterizer"),
    ),
    structures=(
        Structure("rasterizer.setup", RASTER, units, lambda c: Logic("mul", 12, 12), stat(f"{NAME}.primitives")),
        # Three edges and depth for four pixels, by adding.
        Structure(
            "rasterizer.edges",
            RASTER,
            units,
            lambda c: Logic("adder", 16 * c.of(RasterizerParameters).quads_per_cycle, 16),
            stat(f"{NAME}.quads"),
        ),
        # Four components of four pixels, by adding.
        Structure(
            "rasterizer.interpolators",
            RASTER,
            units,
            lambda c: Logic("adder", 16 * c.of(RasterizerParameters).attributes_per_cycle, 16),
            stat(f"{NAME}.interpolations"),
        ),
        Structure(
            "rasterizer.queue",
            RASTER,
            units,
            lambda c: Ram(c.of(RasterizerParameters).queue, FRAGMENT_BYTES * 8),
            stat(f"{NAME}.quads"),
            stat(f"{NAME}.quads"),
        ),
    ),
)
