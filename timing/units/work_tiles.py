"""Mapping of places on the screen to clusters (Emerald, 3.4: a modular hash; 6.1: work tiles are assigned to clusters
"in a round-robin manner").

Work tiles, of `work_tile` x `work_tile` TC tiles, are numbered row by row over the pass; the cluster is the number
modulo clusters. In a column the clusters so follow each other in steps of work tiles per row, modulo clusters, which
depends on their size. `hash_step` sets a step instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import Record, i8

from ..engine.jit import inline, unit
from .raster_pipeline import rasterizers
from .tile_coalescing import TileCoalescingParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.cluster_tables import Piece
    from ..engine.frame import Primitive


BY_NUMBER = 0
"""`hash_step` for the step that follows from numbering work tiles row by row."""


class WorkTiles(Record):
    """Numbering of work tiles. `clusters`: those that rasterize, 1 where one does for all; `side`, `tc_side`: pixels on
    a side of a work tile and of a TC tile; `step`: clusters from a work tile to the one above it in the pass at work;
    `own_step`: `hash_step`."""

    clusters: i8
    step: i8
    own_step: i8
    side: i8
    tc_side: i8


@inline
def begin_pass(tiles: WorkTiles, width: int) -> None:
    """Number the work tiles of a pass that is `width` pixels wide."""
    tiles.step = tiles.own_step
    if tiles.own_step == BY_NUMBER:
        tiles.step = -(-width // tiles.side) % tiles.clusters


@inline
def cluster_of(tiles: WorkTiles, x: int, y: int) -> int:
    """Cluster of a pixel."""
    return int((x // tiles.side + tiles.step * (y // tiles.side)) % tiles.clusters)


@unit
def clusters_of(tiles: WorkTiles, piece: Piece) -> int:
    """Clusters, a bit each, that have a work tile in a bounding box."""
    every = (1 << tiles.clusters) - 1
    clusters = 0
    for y in range(piece.bottom // tiles.side, piece.top // tiles.side + 1):
        for x in range(piece.left // tiles.side, piece.right // tiles.side + 1):
            clusters |= 1 << ((x + tiles.step * y) % tiles.clusters)
        if clusters == every:
            break
    return clusters


@inline
def covered_clusters(tiles: WorkTiles, primitive: Primitive, piece: Piece) -> int:
    """Clusters, a bit each, that a primitive may have to be drawn in; none if it is culled."""
    return 0 if primitive.culled != 0 else clusters_of(tiles, piece)


def set_up(tiles: Any, configuration: Hardware) -> None:
    """Sizes from the configuration."""
    spec = configuration.of(TileCoalescingParameters)
    tiles.clusters = rasterizers(configuration)
    tiles.own_step = spec.hash_step
    tiles.tc_side = spec.side_pixels
    tiles.side = spec.side_pixels * spec.work_tile
