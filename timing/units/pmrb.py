"""Primitive mask reorder buffer (PMRB) of a cluster: masks of primitives, processed in the order of drawing (Emerald,
3.3.4). A covered primitive takes a cycle, others take no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import NEVER, Record, Rows, i8, room

from ..engine.calendar import poke, wake
from ..engine.jit import inline
from . import work_tiles

if TYPE_CHECKING:
    from ..engine.cluster_tables import Clusters, Piece
    from ..engine.frame import Binning, Primitive
    from ..memory.gpu import Gpu
    from .vertex_launcher import VertexLauncher


MAX_MASKS = 8192
NOTHING, ENDED = -2, -1
"""Answers of `take`: no mask; a mask has ended without a primitive of the cluster."""


class Pmrb(Record):
    """Registers of a PMRB. `arrival`: cycle in which the mask of a warp arrives; `row`, `primitive`: warp and primitive
    at work, -1 before a warp's first; `masks`: those processed."""

    arrival: Rows[i8] = room(MAX_MASKS)
    row: i8
    primitive: i8
    masks: i8


@inline
def take(gpu: Gpu, binning: Binning, clusters: Clusters, pmrb: Pmrb, k: int, t: int) -> int:
    """The next primitive of the mask at work, or `NOTHING`, or `ENDED`."""
    if pmrb.row >= len(clusters.vertex_warp):
        return NOTHING
    launcher: VertexLauncher = gpu.vertex_launcher
    place = pmrb.row % launcher.masks
    if pmrb.arrival[place] > t if launcher.given == 0 else pmrb.row >= launcher.launched:
        return NOTHING
    warp = clusters.vertex_warp[pmrb.row]
    if pmrb.primitive < 0:
        pmrb.primitive = warp.first_primitive
    primitive, passed = ENDED, False
    while primitive < 0 and not passed and pmrb.primitive < warp.last_primitive:
        if binning.primitive[pmrb.primitive].clear < 0:
            piece = clusters.piece[pmrb.primitive]
            if launcher.given != 0:
                piece.clusters = given_to(gpu, binning.primitive[pmrb.primitive], piece)
                # Its end passes through the cluster.
                passed = piece.first_tile != piece.last_tile
            if piece.clusters >> k & 1 != 0:
                primitive = pmrb.primitive
        pmrb.primitive += 1
    if pmrb.primitive == warp.last_primitive:
        pmrb.arrival[place] = NEVER
        pmrb.primitive = -1
        pmrb.row += 1
        pmrb.masks += 1
        poke(gpu, launcher.id)
        wake(gpu, gpu.signal.progress)
    return int(primitive)


@inline
def given_to(gpu: Gpu, primitive: Primitive, piece: Piece) -> int:
    """Clusters, a bit each, in which a primitive is drawn that needs no mask: it has fragments."""
    if piece.first_tile == piece.last_tile:
        return 0
    return int(work_tiles.covered_clusters(gpu.vertex_launcher.tiles, primitive, piece))


@inline
def next_arrival(gpu: Gpu, clusters: Clusters, pmrb: Pmrb, t: int) -> int:
    """Cycle in which the next mask, which is on its way, arrives."""
    if gpu.vertex_launcher.given != 0 or pmrb.row >= len(clusters.vertex_warp):
        return NEVER
    arrival = pmrb.arrival[pmrb.row % gpu.vertex_launcher.masks]
    return int(arrival) if arrival > t else NEVER


def begin_frame(pmrb: Any) -> None:
    """Start over with the first warp."""
    pmrb.row, pmrb.primitive = 0, -1
    pmrb.arrival[:] = [NEVER] * len(pmrb.arrival)
