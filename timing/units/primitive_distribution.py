"""Central primitive distribution: what Emerald's first case study had in the place of VPO units and reorder buffers
(Emerald, 5.2: "a centralized output vertex buffer and primitive distribution"; Table 5: 36 KB, at most 9K vertices).

One unit takes all shaded warps, puts them in the order of drawing, and sends each primitive to the clusters that it may
cover. The output vertex buffer holds four bytes of a vertex, so they must be where it lies: its outputs are in the L2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Ring, Rows, i1, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, Accounted, become
from ..engine.calendar import poke, poke_at, wake
from ..engine.jit import count_bits, inline, unit
from ..engine.ring import drop, front, full, grow
from ..engine.unit import Unit
from ..engine.wiring import access
from . import work_tiles
from .vpo import VpoParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Binning
    from ..memory.gpu import Gpu
    from .cluster_raster import ClusterRaster


@access
def raster_of(gpu: Gpu, k: int) -> ClusterRaster:
    """Rasterizer of a cluster."""
    raise NotImplementedError


@access
def all_drawn(gpu: Gpu) -> bool:
    """Whether nothing of earlier draws is under way."""
    raise NotImplementedError


MAX_WARPS = 1024
"""Warps of which the buffer holds vertices."""
MAX_PRIMITIVES = 256


class Sent(Record):
    """Primitives that a cluster has been sent: `due` when they arrive."""

    primitive: i4
    due: i8


class PrimitiveDistribution(Accounted):
    """Registers of primitive distribution. `phased`: whether vertices and what follows take turns, and `closed`:
    whether it is the latter's; `shaded`: warps that have come, by number, `warps`: how many; `row`, `primitive`: warp
    and primitive at work, -1 before a warp's first; `vertices`: of warps that were launched and not distributed;
    `sent`: primitives, once per cluster."""

    id: i8
    phased: i8
    closed: i8
    shaded: Rows[i1] = room(MAX_WARPS)
    warps: i8
    row: i8
    primitive: i8
    vertices: i8
    max_vertices: i8
    primitives_per_cycle: i8
    send_cycles: i8
    primitives: i8
    culled: i8
    sent: i8


@unit
def tick(gpu: Gpu, binning: Binning, clusters: Clusters, t: int) -> int:
    unit: PrimitiveDistribution = gpu.primitive_distribution
    if unit.phased != 0 and not in_turn(gpu, unit):
        become(unit, IDLE, t)
        return NEVER
    if unit.shaded[unit.row % MAX_WARPS] == 0:
        become(unit, IDLE, t)
        return NEVER
    if unit.primitive < 0:
        unit.primitive = clusters.vertex_warp[unit.row].first_primitive
    moved = distribute(gpu, binning, clusters, unit, t)
    become(unit, BUSY if moved else BLOCKED, t)
    return t + 1 if moved else NEVER


@inline
def in_turn(gpu: Gpu, unit: PrimitiveDistribution) -> bool:
    """Whether primitives may follow: all vertices under way are shaded. When all of these are drawn, others may be."""
    if unit.closed == 0 or unit.warps < gpu.vertex_launcher.launched:
        return False
    if unit.row == unit.warps and all_drawn(gpu):
        unit.closed = 0
        poke(gpu, gpu.vertex_launcher.id)
    return bool(unit.row < unit.warps)


@inline
def close(gpu: Gpu) -> None:
    """No further vertices join those under way: their draw ends, or there is no room."""
    unit: PrimitiveDistribution = gpu.primitive_distribution
    unit.closed = unit.phased
    poke(gpu, unit.id)


@unit
def distribute(gpu: Gpu, binning: Binning, clusters: Clusters, unit: PrimitiveDistribution, t: int) -> bool:
    """Send the next primitives of the warp at work; a warp whose last one is sent gives its vertices' room back."""
    warp = clusters.vertex_warp[unit.row]
    moved = False
    for _ in range(unit.primitives_per_cycle):
        if unit.primitive == warp.last_primitive or not send(gpu, binning, clusters, unit, t):
            break
        unit.primitive += 1
        moved = True
    if unit.primitive == warp.last_primitive:
        unit.shaded[unit.row % MAX_WARPS] = 0
        unit.vertices -= warp.last_lane - warp.first_lane
        unit.row += 1
        unit.primitive = -1
        poke(gpu, gpu.vertex_launcher.id)
        wake(gpu, gpu.signal.progress)
        moved = True
    return moved


@inline
def send(gpu: Gpu, binning: Binning, clusters: Clusters, unit: PrimitiveDistribution, t: int) -> bool:
    """Send a primitive to all clusters that it may cover, or to none if one has no room."""
    primitive = binning.primitive[unit.primitive]
    if primitive.clear >= 0:
        return True
    covered = work_tiles.covered_clusters(gpu.vertex_launcher.tiles, primitive, clusters.piece[unit.primitive])
    for k in range(gpu.vertex_launcher.tiles.clusters):
        if covered >> k & 1 != 0 and full(raster_of(gpu, k).waiting):
            return False
    for k in range(gpu.vertex_launcher.tiles.clusters):
        if covered >> k & 1 != 0:
            other = raster_of(gpu, k)
            entry = grow(other.waiting)
            entry.primitive, entry.due = unit.primitive, t + 1 + unit.send_cycles
            poke_at(gpu, other.id, entry.due)
    hooks.works_for(gpu, unit.id, primitive.work)
    unit.primitives += 1
    unit.culled += primitive.culled != 0
    unit.sent += count_bits(covered)
    return True


@inline
def accept(gpu: Gpu, row: int) -> None:
    """A warp of vertices was shaded: room for it was kept when it was launched."""
    unit: PrimitiveDistribution = gpu.primitive_distribution
    unit.shaded[row % MAX_WARPS] = 1
    unit.warps += 1
    poke(gpu, unit.id)


@inline
def reserve(gpu: Gpu, row: int, vertices: int) -> bool:
    """Keep room for the vertices of a warp that is to be launched, if there is any."""
    unit: PrimitiveDistribution = gpu.primitive_distribution
    if unit.closed != 0:
        return False
    if row - unit.row >= MAX_WARPS or unit.vertices + vertices > unit.max_vertices:
        close(gpu)
        return False
    unit.vertices += vertices
    return True


@inline
def take(gpu: Gpu, waiting: Ring[Sent], t: int) -> int:
    """The next primitive that a cluster was sent, or -1."""
    if waiting.count == 0 or front(waiting).due > t:
        return -1
    primitive = front(waiting).primitive
    if full(waiting):
        poke(gpu, gpu.primitive_distribution.id)
    drop(waiting)
    return int(primitive)


@inline
def next_arrival(waiting: Ring[Sent], t: int) -> int:
    """Cycle in which the next primitive, which is on its way, arrives."""
    return int(front(waiting).due) if waiting.count > 0 and front(waiting).due > t else NEVER


def setup(chip: Chip, unit: PrimitiveDistribution, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(VpoParameters)
    unit.max_vertices, unit.primitives_per_cycle = spec.output_vertices, spec.primitives_per_cycle
    unit.send_cycles, unit.cause = spec.mask_cycles, IDLE
    unit.phased = spec.phases == "apart"
    begin_frame(unit)


def begin_frame(unit: PrimitiveDistribution) -> None:
    """Start over with the first warp."""
    unit.row, unit.primitive = 0, -1
    unit.warps = unit.closed = 0


NAME = "simt.primitive_distribution"

UNIT = Unit(
    "primitive_distribution",
    __name__,
    PrimitiveDistribution,
    tick,
    tables=("binning", "machine"),
    count=lambda c: int(c.of(VpoParameters).distribution == "central"),
    setup=setup,
    begin_frame=begin_frame,
    reason="primitive_assembly",
    marks=("primitives", "row"),
    stands=lambda unit: f"warp {int(unit.row)}, {int(unit.vertices)} of {int(unit.max_vertices)} vertices kept",
    statistics=(
        Stat(f"{NAME}.primitives", "primitives", "primitives whose bounding box was computed", "primitives"),
        Stat(f"{NAME}.culled", "primitives", "primitives culled", "culled"),
        Stat(f"{NAME}.sent", "primitives", "primitives sent to clusters, once per cluster", "sent"),
        *spent(NAME, "the central primitive distribution"),
    ),
)
