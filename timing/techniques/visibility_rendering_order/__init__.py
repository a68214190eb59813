"""Visibility Rendering Order (de Lucas' thesis of 2018, chapter 4): objects are rendered front to back, in the order
that the depth tests of the frame before have shown.

Early depth tells which object is in front of which. Edge Filter and Edge Inserter build a graph of that; at the start
of the next frame, beside its geometry, Visibility Sort turns it into an order; the Tile Fetcher takes the primitives of
each tile in this order. What must keep its place does (4.2.6), and the picture stays the same: between equal depths the
number of the draw decides, which the depth buffer keeps.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.energy.declare import RASTER

from ...engine.calendar import poke_at
from ...engine.jit import inline, unit
from ...engine.technique import Technique
from ...memory.kinds import CacheKind
from ...memory.request import PRIMITIVE_LIST, WRITE, send
from ..depth_ties import NO_PRIORITY, wins
from ..hooks import GO, WAIT, WAIT_PRIMITIVE
from . import edge_filter, edge_inserter, tables, visibility_order, visibility_sort
from .parameters import Parameters
from .state import MAX_NODES, NO_NODE, STATE, STATISTICS, STRUCTURES, setup
from .visibility_order import FIRST_LIST_BYTES, first_list_address

AVERAGE, MINIMUM, MAXIMUM = 1, 2, 3


@inline
def pass_begin(gpu: Any, own: Any, commands: Any, render_pass: int, t: int) -> int:
    """With the first pass of a frame the graph of the one before is sorted."""
    state = gpu.technique.visibility_rendering_order
    state.pass_active = own.render_pass[render_pass].active
    state.listed = -1
    if own.render_pass[render_pass].first != 0:
        if state.perfect != 0:
            for node in range(MAX_NODES):
                state.rank[node] = -1
            for place in range(len(own.perfect)):
                state.rank[own.perfect[place]] = place
        else:
            visibility_sort.begin(gpu)
    return GO


@inline
def binned(gpu: Any, own: Any, binning: Any, primitive: int, entry: int, t: int) -> int:
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
    builder = gpu.polygon_list_builder
    send(gpu, gpu.port[builder.port], t, address, FIRST_LIST_BYTES, WRITE, PRIMITIVE_LIST, -1, 0, -1)
    poke_at(gpu, builder.id, t + 1)
    return WAIT


@inline
def geometry_done(gpu: Any, own: Any, commands: Any, render_pass: int, t: int) -> int:
    """No tile begins before the order is there."""
    if not visibility_order.drained(gpu):
        return WAIT
    visibility_order.settle(gpu, own, render_pass)
    return GO


@inline
def next_primitive(gpu: Any, own: Any, tiling: Any, entry: int, t: int) -> int:
    """The tile's primitives, object by object."""
    order = gpu.visibility_order
    tile = gpu.tile_fetcher.tile
    if own.render_pass[own.tile[tile].render_pass].active == 0:
        return entry
    if order.fetched < 0:
        visibility_order.begin_fetching(gpu, own, tile)
    if order.run.count == 0:
        return WAIT_PRIMITIVE
    return visibility_order.take(gpu, own, order)


@inline
def tile_begin(gpu: Any, own: Any, commands: Any, depth: Any, r: int, tile: int, t: int) -> None:
    """The depths of a new tile belong to no object yet."""
    forget_occluders(gpu, r)


@unit
def forget_occluders(gpu: Any, r: int) -> None:
    samples = gpu.tile_width * gpu.tile_height * gpu.raster_unit[r].early_depth.buffer.samples
    for place in range(samples):
        forget_occluder(gpu, r, place)


@inline
def forget_occluder(gpu: Any, r: int, place: int) -> None:
    occluder = gpu.technique.visibility_rendering_order.occluder[r]
    occluder.node[place] = NO_NODE
    occluder.priority[place] = NO_PRIORITY


@inline
def quad_begin(gpu: Any, own: Any, depth: Any, r: int, quad: int, t: int) -> int:
    """A quad is tested when its edges find room."""
    return GO if edge_filter.has_room(gpu, r) else WAIT


@inline
def depth_tested(
    gpu: Any, own: Any, depth: Any, r: int, place: int, quad: int, z: int, held: int, passed: bool
) -> bool:
    """Decide between equal depths by the number of the draw, and tell who is in front of whom."""
    state = gpu.technique.visibility_rendering_order
    row = own.draw[depth.primitive[depth.quad[quad].primitive].state]
    if row.movable == 0:
        return passed
    occluder = state.occluder[r]
    if z == held:
        passed = wins(row.priority, occluder.priority[place])
    if row.node != NO_NODE and state.perfect == 0:
        measure(state, row.node, z)
        other = occluder.node[place]
        if other == row.node:
            state.auto_edges += 1
        elif other != NO_NODE:
            found = (
                edge_filter.enqueue(gpu, r, row.node, other) if passed else edge_filter.enqueue(gpu, r, other, row.node)
            )
            state.edges += 1
            state.lost_edges += not found
    return bool(passed)


@inline
def measure(state: Any, node: int, z: int) -> None:
    """Depth of an object, where it decides about cycles (H2)."""
    if state.breaker == AVERAGE:
        state.depth_sum[node] += z
    elif state.breaker == MINIMUM:
        if state.depth_count[node] == 0 or z < state.depth_sum[node]:
            state.depth_sum[node] = z
    elif state.breaker == MAXIMUM and (state.depth_count[node] == 0 or z > state.depth_sum[node]):
        state.depth_sum[node] = z
    state.depth_count[node] += 1


@inline
def depth_written(gpu: Any, own: Any, depth: Any, r: int, place: int, quad: int) -> None:
    """The depth buffer keeps object and draw beside the depth."""
    row = own.draw[depth.primitive[depth.quad[quad].primitive].state]
    occluder = gpu.technique.visibility_rendering_order.occluder[r]
    occluder.node[place] = row.node
    occluder.priority[place] = row.priority


@inline
def depth_cleared(gpu: Any, own: Any, depth: Any, r: int, place: int) -> None:
    """The clear's depth belongs to no object."""
    forget_occluder(gpu, r, place)


@inline
def frame_end(gpu: Any, own: Any, commands: Any, t: int) -> None:
    """Objects of the frame, in program order, for the sort of its graph."""
    state = gpu.technique.visibility_rendering_order
    state.objects = len(own.object)
    state.nodes += len(own.object)
    for i in range(len(own.object)):
        state.object[i] = own.object[i]


TECHNIQUE = Technique(
    "visibility_rendering_order",
    "Visibility Rendering Order (thesis of 2018, chapter 4)",
    parameters=Parameters,
    record=STATE,
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
            section=lambda c: c.technique.of("visibility_rendering_order").graph_cache,
        ),
    ),
    statistics=STATISTICS,
    structures=STRUCTURES,
    # Before Rendering Elimination, which is told of an entry of a tile's list once.
    order=5,
    machines=("tile_based",),
)
