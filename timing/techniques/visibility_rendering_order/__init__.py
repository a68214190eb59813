"""Visibility Rendering Order (de Lucas' thesis of 2018, chapter 4): objects are rendered front to back, in the order
that the depth tests of the frame before have shown.

Early depth finds which object is in front of which. Edge Filter and Edge Inserter build a graph of that; at the start
of the next frame, in parallel with its geometry, Visibility Sort turns it into an order; the Tile Fetcher takes the
primitives of each tile in this order. What must keep its place does (4.2.6), and the picture stays the same: between
equal depths the number of the draw decides, which the depth buffer keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.cache_kinds import CacheKind
from tilegpu.timing.declare.structures import RASTER

from ...engine.calendar import poke_at
from ...engine.hooks import GO, WAIT, WAIT_PRIMITIVE
from ...engine.jit import inline, unit
from ...engine.technique import Technique
from ...memory.request import PRIMITIVE_LIST, WRITE, send
from . import edge_filter, edge_inserter, tables, visibility_order, visibility_sort
from .comparisons import depth_tested, depth_written, forget_occluder, frame_end, quad_begin
from .parameters import Parameters
from .results import TABLES
from .state import FIRST_LIST_BYTES, LISTS, STATISTICS, STRUCTURES, State, setup
from .visibility_order import VisibilityOrder, first_list_address

if TYPE_CHECKING:
    from ...engine.frame import Binning, Commands, Depth, Tiling
    from ...memory.gpu import Gpu
    from ...units.polygon_list_builder import PolygonListBuilder
    from .tables import Tables


__all__ = ["depth_tested", "depth_written", "frame_end", "quad_begin"]


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """With the first pass of a frame the graph of the one before is sorted."""
    state = gpu.technique.visibility_rendering_order
    state.pass_active = own.render_pass[render_pass].active
    state.listed = -1
    if own.render_pass[render_pass].first != 0:
        visibility_sort.begin(gpu, own)
    return GO


@inline
def binned(gpu: Gpu, own: Tables, binning: Binning, primitive: int, entry: int, t: int) -> int:
    """The First Primitive List is written before the pointer, an access of its own."""
    state = gpu.technique.visibility_rendering_order
    writes = state.pass_active != 0 and (own.begins[entry] != 0 or state.list_every != 0)
    if not writes or state.listed == entry:
        return GO
    state.listed = entry
    state.first_list_writes += 1
    if state.list_in_memory == 0:
        return GO
    address = first_list_address(gpu, own, own.tile_of[entry]) + own.slot[entry] * FIRST_LIST_BYTES
    builder: PolygonListBuilder = gpu.polygon_list_builder
    send(gpu, gpu.port[builder.port], t, address, FIRST_LIST_BYTES, WRITE, PRIMITIVE_LIST, -1)
    poke_at(gpu, builder.id, t + 1)
    return WAIT


@inline
def geometry_done(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """No tile begins before the order is complete."""
    if not visibility_order.drained(gpu):
        return WAIT
    visibility_order.settle(gpu, own, render_pass)
    return GO


@inline
def next_primitive(gpu: Gpu, own: Tables, tiling: Tiling, entry: int, t: int) -> int:
    """The tile's primitives, object by object."""
    order: VisibilityOrder = gpu.visibility_order
    tile = gpu.tile_fetcher.tile
    if own.render_pass[own.tile[tile].render_pass].active == 0:
        return entry
    if order.fetched < 0:
        visibility_order.begin_fetching(gpu, own, tile)
    if order.run.count == 0:
        return WAIT_PRIMITIVE
    return visibility_order.take(gpu, own, order)


@inline
def tile_begin(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """The depths of a new tile belong to no object yet."""
    forget_occluders(gpu, r)


@unit
def forget_occluders(gpu: Gpu, r: int) -> None:
    samples = gpu.tile_width * gpu.tile_height * gpu.raster_unit[r].early_depth.buffer.samples
    for place in range(samples):
        forget_occluder(gpu, r, place)


@inline
def depth_cleared(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int) -> None:
    """The clear's depth belongs to no object."""
    forget_occluder(gpu, r, place)


TECHNIQUE = Technique(
    "visibility_rendering_order",
    "Visibility Rendering Order (thesis of 2018, chapter 4)",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=tables.load,
    units=(edge_inserter.UNIT, edge_filter.UNIT, visibility_order.UNIT, visibility_sort.UNIT),
    caches=(
        # Entries of 512 bits, in words: CACTI has no solution for lines that wide in so small a cache.
        CacheKind(
            "graph_cache",
            RASTER,
            width_bits=128,
            accesses_per_fill=4,
            accesses_per_request=4,
            section=lambda c: c.of(Parameters).graph_cache,
        ),
    ),
    statistics=STATISTICS,
    results=TABLES,
    structures=(*STRUCTURES, *LISTS),
    # Before Rendering Elimination, to which an entry of a tile's list is reported once.
    order=5,
    machines=("tile_based",),
    changes_shading=True,
    one_application=True,
)
