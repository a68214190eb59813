"""Rasterization in a cluster: setup, coarse and fine rasterization, Hi-Z (Emerald, 3.3.4 and 3.3.5, Figure 5).

Primitives come from the masks of the reorder buffer (`pmrb`), or one by one from central distribution, in the order of
drawing, one per cycle. Setup reads the vertices of a primitive from the L2, a line per cycle; some primitives wait for
theirs side by side. Raster tiles of the cluster's own screen leave at the rate of Table 7 for the tile coalescing
stage, but for those that Hi-Z leaves out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import MAX_CLUSTERS, NEVER, Record, Ring, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, grow, wrap
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.request import READ, VERTEX, Port, can_send, has_reply, next_reply, replies_due, send, take_reply
from . import hi_z, pmrb, primitive_distribution, work_tiles
from .raster_pipeline import RasterParameters, is_central, rasterizers
from .vpo import VpoParameters
from .warp_operations import VECTOR_BYTES, output_address

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Binning, Depth, Surfaces
    from ..memory.gpu import Gpu


@access
def has_tile_room(gpu: Gpu, k: int) -> bool:
    """Whether what follows takes another raster tile."""
    raise NotImplementedError


@access
def accept_tile(gpu: Gpu, k: int, tile: int, hidden: int, due: int) -> None:
    """Hand a raster tile on."""
    raise NotImplementedError


MAX_LINES = 32
WARP_BITS = 20
"""Bits of a warp's number in the key of a line: addresses are below 2^40."""
FETCHES, ARRIVES = range(2)


class SetupEntry(Record):
    """Primitive whose vertices are being fetched."""

    primitive: i4
    pending: i4
    state: i4
    due: i8


class ClusterRaster(Accounted):
    """Registers of a cluster's raster pipeline. `central`: whether primitives come from central distribution, and are
    `waiting`, or from the masks of the `pmrb`; `alone`: whether it rasterizes for all clusters; `entry`: primitives in
    setup, of which the first `fetching` have asked for all their vertices, and the next is at `slot` and `corner`;
    `kept`: lines of vertices asked for lately; `tile`, `last_tile`: raster tiles of the first."""

    id: i8
    port: i8
    pmrb: pmrb.Pmrb
    waiting: Ring[primitive_distribution.Sent] = room(primitive_distribution.MAX_PRIMITIVES)
    central: i8
    alone: i8
    entry: Ring[SetupEntry] = room(32)
    fetching: i8
    slot: i8
    corner: i8
    kept: Rows[i8] = room(MAX_LINES)
    kept_next: i8
    lines: i8
    tile: i8
    last_tile: i8
    tiles_per_cycle: i8
    latency: i8
    setup_latency: i8
    hi_z: i8
    tests_in_front: i8
    primitives: i8
    requests: i8
    raster_tiles: i8
    hidden_tiles: i8
    hidden_quads: i8
    wrongly_hidden: i8
    untested_tiles: i8


@unit
def tick(gpu: Gpu, surfaces: Surfaces, binning: Binning, depth: Depth, clusters: Clusters, k: int, t: int) -> int:
    unit: ClusterRaster = gpu.cluster_raster[k]
    port = gpu.port[unit.port]
    while has_reply(port, t):
        replies = replies_due(port, t)
        unit.entry.slot[front(replies).slot].pending -= 1
        take_reply(gpu, port, replies)
    moved = rasterize(gpu, surfaces, depth, clusters, unit, k, t)
    moved |= fetch_vertices(gpu, binning, clusters, unit, port, t)
    moved |= next_primitive(gpu, binning, clusters, unit, k, t)
    if moved:
        become(unit, BUSY, t)
        return t + 1
    return rest(gpu, clusters, unit, port, k, t)


@inline
def rest(gpu: Gpu, clusters: Clusters, unit: ClusterRaster, port: Port, k: int, t: int) -> int:
    """Charge a cycle in which nothing moved; the cycle in which there is something to do again."""
    due = int(next_reply(port))
    if unit.central != 0:
        due = min(due, primitive_distribution.next_arrival(unit.waiting, t))
    else:
        due = min(due, pmrb.next_arrival(gpu, clusters, unit.pmrb, t))
    if unit.entry.count == 0:
        become(unit, IDLE, t)
        return due
    entry = front(unit.entry)
    become(unit, WAITING if entry.pending > 0 or entry.state == FETCHES else BLOCKED, t)
    if entry.due > t:
        return int(min(due, entry.due))
    return t + 1 if unit.fetching < unit.entry.count else int(due)


@inline
def next_primitive(gpu: Gpu, binning: Binning, clusters: Clusters, unit: ClusterRaster, k: int, t: int) -> bool:
    """Hand the next primitive to setup, or end a mask."""
    if full(unit.entry):
        return False
    if unit.central != 0:
        primitive = primitive_distribution.take(gpu, unit.waiting, t)
        if primitive < 0:
            return False
    else:
        primitive = pmrb.take(gpu, binning, clusters, unit.pmrb, k, t)
        if primitive < 0:
            return bool(primitive == pmrb.ENDED)
    hooks.works_for(gpu, unit.id, binning.primitive[primitive].work)
    entry = grow(unit.entry)
    entry.primitive, entry.pending, entry.state, entry.due = primitive, 0, FETCHES, NEVER
    unit.primitives += 1
    return True


@inline
def fetch_vertices(gpu: Gpu, binning: Binning, clusters: Clusters, unit: ClusterRaster, port: Port, t: int) -> bool:
    """Ask for the next line of the vertices of a primitive; lines that were asked for lately need no request."""
    if unit.fetching == unit.entry.count:
        return False
    slot = wrap(unit.entry, unit.entry.head + unit.fetching)
    entry = unit.entry.slot[slot]
    piece = clusters.piece[entry.primitive]
    hooks.works_for(gpu, unit.id, binning.primitive[entry.primitive].work)
    outputs = 0 if gpu.vertex_launcher.given != 0 else binning.primitive[entry.primitive].attributes
    while unit.slot < outputs:
        lane = piece.lane_0 if unit.corner == 0 else (piece.lane_1 if unit.corner == 1 else piece.lane_2)
        address = output_address(gpu, piece.vertex_warp, unit.slot) + VECTOR_BYTES * lane
        line = address // gpu.line_bytes * gpu.line_bytes
        # Another warp's vertices take the same places later.
        key = (line << WARP_BITS) + (piece.vertex_warp & ((1 << WARP_BITS) - 1))
        cached = is_kept(unit, key)
        if not cached:
            if not can_send(port):
                return False
            sent = send(gpu, port, t, line, gpu.line_bytes, READ, VERTEX, -1)
            sent.slot = slot
            keep(unit, key)
            entry.pending += 1
            unit.requests += 1
        unit.corner += 1
        if unit.corner == 3:
            unit.corner = 0
            unit.slot += 1
        if not cached:
            return True
    unit.slot = 0
    unit.fetching += 1
    entry.state = ARRIVES
    return True


@inline
def is_kept(unit: ClusterRaster, key: int) -> bool:
    """Whether a line of a warp was asked for lately."""
    held = False
    for i in range(unit.lines):
        held |= unit.kept[i] == key
    return held


@inline
def keep(unit: ClusterRaster, key: int) -> None:
    """A line that is asked for takes the place of the oldest that is kept."""
    unit.kept[unit.kept_next] = key
    unit.kept_next = unit.kept_next + 1 if unit.kept_next + 1 < unit.lines else 0


@inline
def rasterize(
    gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, unit: ClusterRaster, k: int, t: int
) -> bool:
    """Raster tiles of the first primitive, once its vertices have arrived."""
    if unit.entry.count == 0:
        return False
    entry = front(unit.entry)
    if entry.state == FETCHES or entry.pending > 0:
        return False
    if entry.due == NEVER:
        entry.due = t + unit.setup_latency
        piece = clusters.piece[entry.primitive]
        unit.tile = piece.first_tile
        unit.last_tile = piece.last_tile
        return True
    if entry.due > t:
        return False
    moved = False
    for _ in range(unit.tiles_per_cycle):
        pass_over_others(gpu, clusters, unit, k)
        if unit.tile == unit.last_tile:
            break
        if not hand_on(gpu, surfaces, depth, clusters, unit, int(entry.primitive), k, t):
            return moved
        unit.tile += 1
        moved = True
    pass_over_others(gpu, clusters, unit, k)
    if unit.tile == unit.last_tile:
        drop(unit.entry)
        unit.fetching -= 1
        moved = True
        if unit.entry.count == 0:
            wake(gpu, gpu.signal.progress)
            poke(gpu, gpu.vertex_launcher.id)
    return moved


@unit
def pass_over_others(gpu: Gpu, clusters: Clusters, unit: ClusterRaster, k: int) -> None:
    """Go on to the next raster tile of the cluster's own."""
    while unit.tile < unit.last_tile:
        tile = clusters.raster_tile[unit.tile]
        if work_tiles.cluster_of(gpu.vertex_launcher.tiles, tile.x * 4, tile.y * 4) == k:
            break
        unit.tile += 1


@inline
def hand_on(
    gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, unit: ClusterRaster, primitive: int, k: int, t: int
) -> bool:
    """Send a raster tile to be coalesced, unless Hi-Z leaves it out; False where there is no room."""
    if not has_tile_room(gpu, k):
        return False
    tile = clusters.raster_tile[unit.tile]
    hooks.works_for(gpu, unit.id, depth.primitive[primitive].work)
    row = surfaces.render_pass[gpu.vertex_launcher.tile]
    unit.raster_tiles += 1
    place = hi_z.place(depth, clusters, row, primitive, tile) if unit.hi_z != 0 else hi_z.MIXED
    if place == hi_z.HIDDEN:
        unit.hidden_tiles += 1
        for q in range(tile.first_quad, tile.last_quad):
            unit.hidden_quads += 1
            depth.quad[q].passed = 0
            unit.wrongly_hidden += depth.quad[q].depth_pass != 0
        if unit.alone != 0:
            accept_tile(gpu, k, int(unit.tile), 1, t + unit.latency)
        return True
    untested = place == hi_z.IN_FRONT and unit.tests_in_front == 0
    unit.untested_tiles += untested
    for q in range(tile.first_quad, tile.last_quad):
        clusters.untested[q] = untested
    accept_tile(gpu, k, int(unit.tile), 0, t + unit.latency)
    return True


@inline
def drained(gpu: Gpu, k: int) -> bool:
    """Whether a cluster has rasterized all that was launched."""
    unit: ClusterRaster = gpu.cluster_raster[k]
    distributed = gpu.primitive_distribution.row if unit.central != 0 else unit.pmrb.row
    unfinished = distributed != gpu.vertex_launcher.launched or unit.waiting.count > 0 or unit.entry.count > 0
    return not unfinished


class SetupParameters(Group, section="setup"):
    """Primitive setup of each cluster, which fetches vertices from the L2."""

    in_flight: int = number(8, "primitives", "primitives whose vertices are being fetched", 1, 32, silent=(2, 32))
    lines: int = number(8, "lines", "lines of vertices that are kept, the latest", 1, 32, silent=(1, 32))
    latency: int = number(4, "cycles", "from the last vertex to the first raster tile", 1, 1000, silent=(1, 20))


def setup(chip: Chip, unit: ClusterRaster, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration
    primitives, raster, vpo = c.of(SetupParameters), c.of(RasterParameters), c.of(VpoParameters)
    unit.entry.depth, unit.lines, unit.setup_latency = primitives.in_flight, primitives.lines, primitives.latency
    unit.tiles_per_cycle, unit.latency, unit.hi_z = raster.tiles_per_cycle, raster.latency, raster.hi_z == "on"
    unit.tests_in_front = raster.in_front == "tested"
    unit.alone = is_central(c)
    unit.central, unit.waiting.depth = vpo.distribution == "central", vpo.primitives
    unit.cause = IDLE
    begin_frame(unit)


def begin_frame(unit: ClusterRaster) -> None:
    """Start over with the first warp."""
    pmrb.begin_frame(unit.pmrb)
    unit.kept[:] = [-1] * len(unit.kept)


NAME = "simt.raster"

UNIT = Unit(
    "cluster_raster",
    __name__,
    ClusterRaster,
    tick,
    tables=("surfaces", "binning", "depth", "machine"),
    most=MAX_CLUSTERS,
    count=rasterizers,
    parameters=(SetupParameters, RasterParameters),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    reason="rasterization",
    marks=("pmrb.masks", "primitives", "requests", "raster_tiles"),
    stands=lambda unit: (
        f"warp {int(unit.pmrb.row)} in the PMRB, {int(unit.entry.count)} of {int(unit.entry.depth)} primitives in setup"
    ),
    statistics=(
        Stat(f"{NAME}.masks", "masks", "masks worked off", "pmrb.masks"),
        Stat(f"{NAME}.primitives", "primitives", "primitives set up, once per cluster they may cover", "primitives"),
        Stat(f"{NAME}.vertex_requests", "requests", "lines of vertices that setup asked the L2 for", "requests"),
        Stat(f"{NAME}.raster_tiles", "tiles", "raster tiles that primitives cover some of", "raster_tiles"),
        Stat(f"{NAME}.hidden_tiles", "tiles", "raster tiles that Hi-Z left out", "hidden_tiles"),
        Stat(f"{NAME}.hidden_quads", "quads", "quads in them", "hidden_quads"),
        Stat(f"{NAME}.wrongly_hidden_quads", "quads", "quads left out that pass in program order", "wrongly_hidden"),
        Stat(f"{NAME}.untested_tiles", "tiles", "raster tiles in front whose depths are not loaded", "untested_tiles"),
        *spent(NAME, "a cluster's rasterizer"),
    ),
)
