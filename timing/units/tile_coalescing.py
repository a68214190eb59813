"""Tile coalescing stage (TC) of a cluster: assembles quads of several primitives at one place before they are shaded
(Emerald, 3.3.5, Figure 7).

Each engine works at one TC tile's place. A raster tile goes to the engine that has its place, else to an empty one.
Quads go into the first of the engine's bins in which theirs is free; where there is none, or where the draw changes,
the engine hands on what it has. It does so as well when no raster tile has come for a while, and when it has waited
longest and another place needs an engine. Bins leave in order, each when the core has room and no other TC tile of the
place is being shaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import (
    MAX_CLUSTERS,
    NEVER,
    Record,
    Ring,
    Rows,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat, ratio, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full
from ..engine.unit import Unit, Watch
from ..engine.wiring import access
from . import frame_buffer, shader_depth_test, simt_warps
from .raster_pipeline import clusters, is_central

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters, RasterTile
    from ..engine.frame import Depth, Quad, Shading, Surfaces
    from ..memory.gpu import Gpu
    from .cluster_raster import ClusterRaster
    from .simt_core import SimtCore


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a cluster."""
    raise NotImplementedError


@access
def raster_of(gpu: Gpu, k: int) -> ClusterRaster:
    """Rasterizer of a cluster."""
    raise NotImplementedError


@access
def fragments_begin(gpu: Gpu, t: int) -> None:
    """Tell that a warp of fragments begins."""
    raise NotImplementedError


EMPTY, FILLS, LEAVES = range(3)
MAX_BINS, MAX_SIDE = 8, 8
MAX_PLACES = MAX_SIDE * MAX_SIDE
"""Quads of a TC tile at most."""


class Engine(Record):
    """Registers of an engine. `place`: its TC tile; `work`: account of its draw; `since`: cycle from which its wait
    counts, that of its latest raster tile or of its first; `bins`: in use; `next`: the one that leaves next; `places`:
    quads that one has room for; `filled`: quads in each; `quad`: by bin and place, -1 where there is none."""

    state: i8
    place: i8
    draw: i8
    work: i8
    since: i8
    bins: i8
    next: i8
    places: i8
    filled: Rows[i4] = room(MAX_BINS)
    quad: Rows[i4] = room(MAX_BINS * MAX_PLACES)


class TileToken(Record):
    """Raster tile in a queue. `hidden`: whether Hi-Z has left it out; such ones go on to the depth unit only, which
    counts them."""

    tile: i4
    hidden: i4
    due: i8


class TileCoalescing(Accounted):
    """Registers of tile coalescing. `side`: quads on a side of a TC tile; `from_first`: whether engines wait so long
    from their first raster tile on; `one_primitive`: whether TC tiles have quads of one primitive only: of `primitive`,
    the latest."""

    id: i8
    input: Ring[TileToken] = room(64)
    engine: Rows[Engine] = room(4)
    engines: i8
    most_bins: i8
    side: i8
    timeout: i8
    from_first: i8
    one_primitive: i8
    primitive: i8
    raster_tiles: i8
    quads: i8
    tiles: i8
    warps: i8
    conflicts: i8
    changes: i8
    timeouts: i8
    evictions: i8


@unit
def tick(gpu: Gpu, surfaces: Surfaces, depth: Depth, shading: Shading, clusters: Clusters, k: int, t: int) -> int:
    unit: TileCoalescing = gpu.tile_coalescing[k]
    due = NEVER
    moved = issue(gpu, surfaces, depth, shading, clusters, unit, k, t)
    filling = False
    for e in range(unit.engines):
        engine = unit.engine[e]
        if engine.state == FILLS:
            filling = True
            if t - engine.since >= unit.timeout:
                engine.state = LEAVES
                unit.timeouts += 1
                moved = True
            else:
                due = min(due, engine.since + unit.timeout)
    if unit.input.count > 0:
        if front(unit.input).due > t:
            due = min(due, front(unit.input).due)
        elif distribute(gpu, surfaces, depth, clusters, unit, k, t):
            moved = True
    if moved:
        become(unit, BUSY, t)
        return t + 1
    become(unit, cause_of_rest(unit, filling, t), t)
    return int(due)


@inline
def cause_of_rest(unit: TileCoalescing, filling: bool, t: int) -> int:
    """Use of a cycle in which nothing moved."""
    for e in range(unit.engines):
        if unit.engine[e].state == LEAVES:
            return BLOCKED
    return WAITING if filling or (unit.input.count > 0 and front(unit.input).due <= t) else IDLE


@unit
def distribute(
    gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, unit: TileCoalescing, k: int, t: int
) -> bool:
    """Stage the raster tile that has waited longest; False where it has to wait."""
    tile = clusters.raster_tile[front(unit.input).tile]
    row = surfaces.render_pass[gpu.vertex_launcher.tile]
    half = unit.side // 2
    across = -(-row.width // (2 * unit.side))
    place = (tile.y // half) * across + tile.x // half
    primitive = depth.quad[tile.first_quad].primitive
    if unit.one_primitive != 0 and primitive != unit.primitive:
        if not is_empty(unit):
            return False
        unit.primitive = primitive
    draw, work = depth.primitive[primitive].state, depth.primitive[primitive].work
    hooks.works_for(gpu, unit.id, work)
    empty, oldest = -1, -1
    for e in range(unit.engines):
        engine = unit.engine[e]
        if engine.state == EMPTY:
            empty = e
        elif engine.place == place:
            return stage_or_leave(gpu, depth, unit, engine, tile, draw, k, t)
        elif engine.state == FILLS and (oldest < 0 or engine.since < unit.engine[oldest].since):
            oldest = e
    if empty >= 0:
        begin(unit.engine[empty], place, draw, work)
        return stage_or_leave(gpu, depth, unit, unit.engine[empty], tile, draw, k, t)
    for e in range(unit.engines):
        # One that leaves already makes room.
        if unit.engine[e].state == LEAVES:
            return False
    unit.engine[oldest].state = LEAVES
    unit.evictions += 1
    return True


@inline
def begin(engine: Engine, place: int, draw: int, work: int) -> None:
    """Set an empty engine on a place."""
    engine.state = FILLS
    engine.place = place
    engine.draw = draw
    engine.work = work
    engine.bins = engine.next = 0


@unit
def stage_or_leave(
    gpu: Gpu, depth: Depth, unit: TileCoalescing, engine: Engine, tile: RasterTile, draw: int, k: int, t: int
) -> bool:
    """Put a raster tile's quads into the bins of the engine at its place, or let the engine hand on what it has."""
    if engine.state == LEAVES:
        return False
    if engine.draw != draw:
        engine.state = LEAVES
        unit.changes += 1
        return True
    for q in range(tile.first_quad, tile.last_quad):
        if free_bin(unit, engine, place_of(unit, depth.quad[q])) < 0:
            engine.state = LEAVES
            unit.conflicts += 1
            return True
    if unit.from_first == 0 or engine.bins == 0:
        engine.since = t
    for q in range(tile.first_quad, tile.last_quad):
        at = place_of(unit, depth.quad[q])
        b = free_bin(unit, engine, at)
        engine.quad[b * MAX_PLACES + at] = q
        engine.filled[b] += 1
        engine.bins = max(engine.bins, b + 1)
        unit.quads += 1
    unit.raster_tiles += 1
    drop(unit.input)
    poke(gpu, raster_of(gpu, k).id)
    return True


@inline
def place_of(unit: TileCoalescing, quad: Quad) -> int:
    """Place of a quad in its TC tile."""
    return int(quad.y % unit.side * unit.side + quad.x % unit.side)


@inline
def free_bin(unit: TileCoalescing, engine: Engine, at: int) -> int:
    """The first bin in which a place is free, or -1."""
    for b in range(unit.most_bins):
        if engine.quad[b * MAX_PLACES + at] < 0:
            return b
    return -1


@unit
def issue(
    gpu: Gpu,
    surfaces: Surfaces,
    depth: Depth,
    shading: Shading,
    clusters: Clusters,
    unit: TileCoalescing,
    k: int,
    t: int,
) -> bool:
    """Hand the next bin of an engine to the core: a TC tile."""
    core = core_of(gpu, k)
    for e in range(unit.engines):
        engine = unit.engine[e]
        if engine.state != LEAVES or clusters.busy[engine.place] != 0:
            continue
        warps = -(-engine.filled[engine.next] * 4 // core.warp_threads)
        registers = clusters.program[engine.draw].registers
        hooks.works_for(gpu, unit.id, engine.work)
        if not simt_warps.has_room(core, warps, registers):
            continue
        shade(gpu, surfaces, depth, shading, clusters, engine, core, t)
        unit.tiles += 1
        unit.warps += warps
        engine.next += 1
        if engine.next == engine.bins:
            engine.state = EMPTY
            wake(gpu, gpu.signal.progress)
        return True
    return False


@unit
def shade(
    gpu: Gpu,
    surfaces: Surfaces,
    depth: Depth,
    shading: Shading,
    clusters: Clusters,
    engine: Engine,
    core: SimtCore,
    t: int,
) -> None:
    """Make warps of the quads of a bin, place by place."""
    w, quads = -1, 0
    row = surfaces.render_pass[gpu.vertex_launcher.tile]
    registers = clusters.program[engine.draw].registers
    for at in range(engine.places):
        q = engine.quad[engine.next * MAX_PLACES + at]
        if q < 0:
            continue
        engine.quad[engine.next * MAX_PLACES + at] = -1
        if quads * 4 % core.warp_threads == 0:
            if w >= 0:
                simt_warps.launch(gpu, shading, core, w)
            w = simt_warps.begin(gpu, core, 0, registers, t)
            core.warp[w].place = engine.place
            core.warp[w].tile = gpu.vertex_launcher.tile
            clusters.busy[engine.place] += 1
            fragments_begin(gpu, t)
        quads += 1
        quad = depth.quad[q]
        if not frame_buffer.tests_depth(depth, quad):
            quad.passed = quad.coverage & ~quad.discarded
        elif clusters.program[engine.draw].tests == 0:
            shader_depth_test.test(gpu, depth, core, row, q)
        simt_warps.enter(shading, core, w, q, quad.path, 4)
    engine.filled[engine.next] = 0
    simt_warps.launch(gpu, shading, core, w)


@inline
def is_empty(unit: TileCoalescing) -> bool:
    """Whether no engine has a tile."""
    filled = 0
    for e in range(unit.engines):
        filled += unit.engine[e].state != EMPTY
    return filled == 0


@inline
def has_room(gpu: Gpu, k: int) -> bool:
    """Whether a cluster's stage takes another raster tile."""
    return not full(gpu.tile_coalescing[k].input)


@inline
def drained(gpu: Gpu, k: int) -> bool:
    """Whether nothing is left in a cluster's stage."""
    unit: TileCoalescing = gpu.tile_coalescing[k]
    return unit.input.count == 0 and is_empty(unit)


class TileCoalescingParameters(Group, section="tile_coalescing"):
    """Tile coalescing stage (TC) of each cluster, and which cluster a place belongs to."""

    raster_tiles: int = number(2, "tiles", "raster tiles on a side of a TC tile [Emerald, Table 7: 2x2]", 1, 8)
    engines: int = number(2, "engines", "TC engines per cluster [Emerald, Table 7]", 1, 4)
    bins: int = number(4, "tiles", "TC tiles that an engine assembles for its place [Emerald, Table 7]", 1, 8)
    queue: int = number(16, "tiles", "raster tiles waiting", 1, 64, silent=(4, 64))
    timeout: int = number(64, "cycles", "time after which an engine hands on what it has", 1, 10_000, silent=(16, 256))
    timeout_from: str = choice(
        "latest",
        {"latest": "the latest", "first": "the first"},
        "raster tile of an engine from which on this time counts [Emerald, 3.3.5: cycles without new raster tiles]",
    )
    primitives: str = choice(
        "several",
        {
            "several": "any number [Emerald, 3.3.5]",
            "one": "one, as in the authors' public simulator: the next primitive waits until all engines are empty",
        },
        "primitives that a TC tile has quads of",
    )
    work_tile: int = number(
        1,
        "TC tiles",
        "TC tiles on a side of a work tile, which goes to a cluster as a whole (WT) [Emerald, 6.1]",
        1,
        64,
    )
    hash_step: int = number(
        0,
        "clusters",
        "work tile (x, y) belongs to cluster (x + hash_step * y) modulo clusters; 0: work tiles are numbered row by "
        "row over the screen, and their step is those in a row [Emerald, 6.1: round-robin]",
        0,
        MAX_CLUSTERS,
    )

    @property
    def side_pixels(self) -> int:
        """Pixels on a side of a TC tile."""
        return 4 * self.raster_tiles

    @model_validator(mode="after")
    def _fits(self) -> TileCoalescingParameters:
        if self.raster_tiles not in (1, 2, 4):
            raise UserError(f"raster_tiles must be 1, 2 or 4, not {self.raster_tiles}")
        return self


def setup(chip: Chip, unit: TileCoalescing, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(TileCoalescingParameters)
    unit.input.depth, unit.engines, unit.most_bins = spec.queue, spec.engines, spec.bins
    unit.side, unit.timeout, unit.cause = 2 * spec.raster_tiles, spec.timeout, IDLE
    unit.from_first, unit.one_primitive = spec.timeout_from == "first", spec.primitives == "one"
    unit.engine["quad"] = unit.primitive = -1
    unit.engine["places"] = unit.side * unit.side


NAME = "simt.tile_coalescing"

UNIT = Unit(
    "tile_coalescing",
    __name__,
    TileCoalescing,
    tick,
    tables=("surfaces", "depth", "shading", "machine"),
    most=MAX_CLUSTERS,
    count=lambda c: 0 if is_central(c) else clusters(c),
    parameters=(TileCoalescingParameters,),
    setup=setup,
    reason="launch",
    marks=("raster_tiles", "tiles", "conflicts", "changes", "timeouts", "evictions"),
    stands=lambda unit: f"{int(unit.input.count)} of {int(unit.input.depth)} raster tiles queued",
    watches=(Watch("raster_tiles", "raster tiles before coalescing", "input"),),
    statistics=(
        Stat(f"{NAME}.raster_tiles", "tiles", "raster tiles staged", "raster_tiles"),
        Stat(f"{NAME}.quads", "quads", "quads staged", "quads"),
        Stat(f"{NAME}.tiles", "tiles", "TC tiles handed to the cores", "tiles"),
        Stat(f"{NAME}.warps", "warps", "warps made of them", "warps"),
        Stat(f"{NAME}.conflicts", "flushes", "engines emptied since no bin had room for a quad", "conflicts"),
        Stat(f"{NAME}.changes", "flushes", "engines emptied since the draw changed", "changes"),
        Stat(f"{NAME}.timeouts", "flushes", "engines emptied since no raster tile came for long", "timeouts"),
        Stat(f"{NAME}.evictions", "flushes", "engines emptied for another place", "evictions"),
        ratio(f"{NAME}.quads_per_warp", "quads/warp", "quads of 8 in a warp, mean", f"{NAME}.quads", f"{NAME}.warps"),
        *spent(NAME, "a tile coalescing stage"),
    ),
)
