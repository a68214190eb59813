"""Vertex Processing and Operations unit (VPO) of a cluster: bounding boxes of the primitives of shaded warps, and for
each cluster a mask of those that may cover some of its screen (Emerald, 3.3.4, Figure 6).

A primitive takes a cycle, or a part of one; then a mask goes out per cycle, to the own cluster first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import MAX_CLUSTERS, MAX_SIMT_THREADS, NEVER, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BUSY, IDLE, Accounted, become
from ..engine.calendar import poke, poke_at
from ..engine.jit import count_bits, inline, unit
from ..engine.ring import drop, front, full, push
from ..engine.unit import Unit
from ..engine.wiring import access
from . import work_tiles
from .pmrb import MAX_MASKS
from .raster_pipeline import clusters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Binning
    from ..engine.vertex_warp_tables import VertexWarp
    from ..memory.gpu import Gpu
    from .cluster_raster import ClusterRaster
    from .simt_core import SimtCore


@access
def raster_of(gpu: Gpu, k: int) -> ClusterRaster:
    """Rasterizer of a cluster."""
    raise NotImplementedError


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a cluster."""
    raise NotImplementedError


class Vpo(Accounted):
    """Registers of a VPO unit. `buffer`: warps of shaded vertices; `primitive`: the next one of the first of them, -1
    before; `sent`: masks that have gone out."""

    id: i8
    buffer: Ring[i4] = room(16)
    primitive: i8
    sent: i8
    primitives_per_cycle: i8
    mask_cycles: i8
    primitives: i8
    culled: i8
    masks: i8
    covered: i8


@unit
def tick(gpu: Gpu, binning: Binning, clusters: Clusters, k: int, t: int) -> int:
    unit: Vpo = gpu.vpo[k]
    if unit.buffer.count == 0:
        become(unit, IDLE, t)
        return NEVER
    become(unit, BUSY, t)
    row = front(unit.buffer)
    warp = clusters.vertex_warp[row]
    if unit.primitive < 0:
        unit.primitive = warp.first_primitive
    if unit.primitive < warp.last_primitive:
        box_primitives(gpu, binning, clusters, unit, warp)
        return t + 1
    send_mask(gpu, unit, row, k, t)
    return t + 1


@inline
def accept(gpu: Gpu, k: int, row: int) -> bool:
    """Take a warp of shaded vertices if there is a buffer for it."""
    unit: Vpo = gpu.vpo[k]
    if full(unit.buffer):
        return False
    push(unit.buffer, row)
    poke(gpu, unit.id)
    return True


@inline
def box_primitives(gpu: Gpu, binning: Binning, clusters: Clusters, unit: Vpo, warp: VertexWarp) -> None:
    """Compute bounding boxes; culled primitives take their time as well."""
    for _ in range(unit.primitives_per_cycle):
        if unit.primitive == warp.last_primitive:
            break
        primitive = binning.primitive[unit.primitive]
        piece = clusters.piece[unit.primitive]
        piece.clusters = 0
        hooks.works_for(gpu, unit.id, primitive.work)
        if primitive.clear < 0:
            unit.primitives += 1
            unit.culled += primitive.culled != 0
            piece.clusters = work_tiles.covered_clusters(gpu.vertex_launcher.tiles, primitive, piece)
            unit.covered += count_bits(piece.clusters)
        unit.primitive += 1


@inline
def send_mask(gpu: Gpu, unit: Vpo, row: int, k: int, t: int) -> None:
    """Send a mask to the next cluster; after the last one the warp's buffer is free."""
    n = gpu.vertex_launcher.tiles.clusters
    to = (k + unit.sent) % n
    other = raster_of(gpu, to)
    arrives = t + 1 + (unit.mask_cycles if to != k else 0)
    other.pmrb.arrival[row % gpu.vertex_launcher.masks] = arrives
    poke_at(gpu, other.id, arrives)
    unit.sent += 1
    unit.masks += 1
    if unit.sent == n:
        unit.sent = 0
        unit.primitive = -1
        drop(unit.buffer)
        poke(gpu, core_of(gpu, k).id)


class VpoParameters(Group, section="vpo"):
    """Vertex Processing and Operations: bounding boxes, masks of primitives, and their order."""

    distribution: str = choice(
        "masks",
        {
            "masks": "a VPO unit in each cluster sends masks of primitives to all",
            "central": "one unit for all sends each primitive to the clusters that it may cover [Emerald, 3.3.4; 5.2]",
            "given": "every cluster has all primitives of a draw when it begins, and vertices cost nothing, as in the "
            "authors' public simulator of 2018",
        },
        "how primitives get to the clusters",
    )
    warps: int = number(4, "warps", "buffers for warps of shaded vertices", 1, 16, silent=(1, 8))
    primitives_per_cycle: int = number(1, "primitives/cycle", "bounding boxes computed per cycle", 1, 32, silent=(1, 4))
    mask_cycles: int = number(8, "cycles", "what a mask takes from one cluster to another", 0, 1000, silent=(2, 40))
    masks: int = number(
        64,
        "masks",
        "masks in the reorder buffer (PMRB) of a cluster: so many warps of vertices are under way",
        1,
        MAX_MASKS,
        silent=(16, MAX_MASKS),
    )
    phases: str = choice(
        "overlapped",
        {
            "overlapped": "as soon as their vertices are shaded",
            "apart": "only when those of the draw are, or as many as the output vertex buffer holds, and further "
            "vertices when all of them are drawn, as in the authors' public simulator of the first case study",
        },
        "when primitives follow, with central distribution",
    )
    output_vertices: int = number(
        9216,
        "vertices",
        "vertices of warps under way that the central output vertex buffer has room for [Emerald, Table 5: 9K]",
        MAX_SIMT_THREADS,
        1 << 20,
    )
    primitives: int = number(
        64, "primitives", "primitives waiting in a cluster, with central distribution", 1, 256, silent=(16, 256)
    )


def setup(chip: Chip, unit: Vpo, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(VpoParameters)
    unit.buffer.depth, unit.primitives_per_cycle = spec.warps, spec.primitives_per_cycle
    unit.mask_cycles, unit.primitive, unit.cause = spec.mask_cycles, -1, IDLE


NAME = "simt.vpo"

UNIT = Unit(
    "vpo",
    __name__,
    Vpo,
    tick,
    tables=("binning", "machine"),
    most=MAX_CLUSTERS,
    count=lambda c: clusters(c) if c.of(VpoParameters).distribution == "masks" else 0,
    parameters=(VpoParameters,),
    setup=setup,
    reason="primitive_assembly",
    marks=("primitives", "masks"),
    stands=lambda unit: f"{int(unit.buffer.count)} of {int(unit.buffer.depth)} warps",
    statistics=(
        Stat(f"{NAME}.primitives", "primitives", "primitives whose bounding box was computed", "primitives"),
        Stat(f"{NAME}.culled", "primitives", "primitives culled", "culled"),
        Stat(f"{NAME}.masks", "masks", "masks of primitives sent to clusters", "masks"),
        Stat(f"{NAME}.covered", "primitives", "primitives that masks name, once per cluster", "covered"),
        *spent(NAME, "a VPO unit"),
    ),
)
