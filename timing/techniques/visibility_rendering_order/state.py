"""Registers of Visibility Rendering Order, what it counts, and the structures it adds to the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import FlipFlops, Logic, Ram
from tilegpu.timing.declare.records import (
    MAX_RASTER_UNITS,
    MAX_TILE_SAMPLES,
    Record,
    Rows,
    f8,
    i2,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import RASTER, TILING, Structure, once, stat, tile_words, units

from .parameters import MAX_CHILDREN, MAX_NODES, Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.chip import Chip


NO_NODE = -1
NAME = "techniques.visibility_rendering_order"
FIRST_LIST_BYTES = 4
"""Size of an entry: object and position; the number of its primitives follows from the next entry."""

ENTRY_BITS, OBJECT_BITS = 468, 13
"""Bits of the children in an entry of the Graph Buffer, and of each of them (Fig. 4.11)."""


class Entry(Record):
    """Entry of the Graph Buffer (Fig. 4.11); `next`: of the entry that the list goes on in, or -1; `count`: samples of
    each child that the object hides, where edges have counters."""

    length: i4
    next: i4
    in_degree: i4
    valid: i4
    child: Rows[i2] = room(MAX_CHILDREN)
    count: Rows[i8] = room(MAX_CHILDREN)


class Occluder(Record):
    """Fields that the depth buffer keeps next to each depth: object, and the draw that it is of, for ties."""

    node: Rows[i2] = room(MAX_TILE_SAMPLES)
    priority: Rows[i4] = room(MAX_TILE_SAMPLES)


class State(Record):
    """State of the technique. `entry`: the graph of the frame at work, until it is sorted when the next one begins;
    `overflow`: the last entry not yet taken for overflow; `object`: objects of the last frame in program order; `rank`:
    place in the order, or -1; `listed`: entry of the Primitive List whose First Primitive List entry was written;
    `counts`: edges have counters, up to `most`; `perfect`: the order comes from the frame's tables; `begun`: the sort
    for this frame (IMR-VRO)."""

    occluder: Rows[Occluder] = room(MAX_RASTER_UNITS)
    entry: Rows[Entry] = room(MAX_NODES)
    entries: i8
    entry_children: i8
    overflow: i8
    program_order: i8
    counts: i8
    most: i8
    perfect: i8
    reverse_lookup: i8
    breaker: i8
    object: Rows[i2] = room(MAX_NODES)
    objects: i8
    depth_sum: Rows[f8] = room(MAX_NODES)
    depth_count: Rows[i8] = room(MAX_NODES)
    rank: Rows[i4] = room(MAX_NODES)
    begun: i8
    pass_active: i8
    listed: i8
    list_every: i8
    list_in_memory: i8
    edges: i8
    auto_edges: i8
    lost_edges: i8
    first_list_writes: i8
    nodes: i8


def setup(chip: Chip, state: Any) -> None:
    """Sizes from the configuration."""
    own = chip.configuration.of(Parameters)
    state.entries, state.entry_children = own.graph_entries, own.entry_children
    state.overflow = own.graph_entries - 1
    state.program_order = own.parallel_cycles == "program_order"
    state.counts, state.most = own.parallel_cycles == "counter", (1 << own.counter_bits) - 1
    if state.counts:
        state.entry_children = min(own.entry_children, ENTRY_BITS // (OBJECT_BITS + own.counter_bits))
    state.perfect = own.order == "perfect"
    state.reverse_lookup = own.reverse_lookup == "list"
    state.breaker = ("in_degree", "average_depth", "minimum_depth", "maximum_depth").index(own.cycle_breaker)
    state.list_every = own.first_list_writes == "every"
    state.list_in_memory = own.first_primitive_list == "memory"
    state.entry["next"], state.rank[:], state.listed = -1, -1, -1
    for r in range(MAX_RASTER_UNITS):
        state.occluder[r].node[:] = NO_NODE


STATISTICS = (
    Stat(f"{NAME}.edges", "edges", "depth comparisons between two objects that may change places", "edges"),
    Stat(f"{NAME}.auto_edges", "edges", "depth comparisons within an object, which order nothing", "auto_edges"),
    Stat(
        f"{NAME}.lost_edges",
        "edges",
        "edges of late tests that found no room before the Edge Filter, or of objects beyond the Graph Buffer",
        "lost_edges",
    ),
    Stat(f"{NAME}.nodes", "objects", "objects that may change places (Fig. 4.13)", "nodes"),
    Stat(
        f"{NAME}.first_list_writes",
        "writes",
        "entries of the First Primitive List that were written",
        "first_list_writes",
    ),
    ratio(
        f"{NAME}.filtered_share",
        "ratio",
        "share of the edges that the Edge Filter keeps from the Edge Inserter (4.3.2)",
        f"{NAME}.edge_filter.hits",
        f"{NAME}.edge_filter.lookups",
    ),
    ratio(
        f"{NAME}.broken_cycle_share",
        "ratio",
        "share of the objects in the order that were taken though no root (4.2.3)",
        f"{NAME}.visibility_sort.broken_cycles",
        f"{NAME}.visibility_sort.sorted",
    ),
)

EDGE_BITS, DRAW_BITS = 2 * OBJECT_BITS, 13


def _own(c: Hardware) -> Any:
    return c.of(Parameters)


def _edge_bits(c: Hardware) -> int:
    return EDGE_BITS + (_own(c).counter_bits if _own(c).parallel_cycles == "counter" else 0)


OCCLUDERS = "depth_buffer.occluders"

STRUCTURES = (
    # Object and draw of each sample, next to its depth.
    Structure(
        OCCLUDERS,
        RASTER,
        units,
        lambda c: Ram(tile_words(c), 4 * (OBJECT_BITS + DRAW_BITS)),
        stat("raster.depth_buffer.reads"),
        stat("raster.depth_buffer.writes"),
    ),
    # Every entry has its comparator for both objects of an edge.
    Structure(
        "edge_filter",
        RASTER,
        units,
        lambda c: FlipFlops(_own(c).filter_entries * _edge_bits(c), _edge_bits(c)),
        stat(f"{NAME}.edge_filter.lookups"),
        stat(f"{NAME}.edge_filter.misses"),
    ),
    Structure(
        "edge_filter.comparators",
        RASTER,
        units,
        lambda c: Logic("comparator", _own(c).filter_entries, _own(c).filter_entries),
        stat(f"{NAME}.edge_filter.lookups"),
    ),
    Structure(
        "edges_queue",
        RASTER,
        once,
        lambda c: Ram(_own(c).edges_queue, 32),
        stat(f"{NAME}.edge_filter.misses"),
        stat(f"{NAME}.edge_filter.misses"),
    ),
    # The list at work, compared with the object all at once; an adder for its length and the in-degree.
    Structure(
        "edge_inserter.list_register",
        RASTER,
        once,
        lambda c: FlipFlops(512, 512),
        stat(f"{NAME}.edge_inserter.reads"),
        stat(f"{NAME}.edge_inserter.reads"),
    ),
    Structure(
        "edge_inserter.comparators",
        RASTER,
        once,
        lambda c: Logic("comparator", _own(c).entry_children, _own(c).entry_children),
        stat(f"{NAME}.edge_inserter.searches"),
    ),
    Structure(
        "edge_inserter.adders", RASTER, once, lambda c: Logic("adder", 2, 1), stat(f"{NAME}.edge_inserter.writes")
    ),
    Structure(
        "visibility_sort.list_register",
        TILING,
        once,
        lambda c: FlipFlops(512, 512),
        stat(f"{NAME}.visibility_sort.reads"),
        stat(f"{NAME}.visibility_sort.reads"),
    ),
    Structure(
        "visibility_sort.logic",
        TILING,
        once,
        # A subtractor for in-degrees, a comparator for the least of them.
        lambda c: Logic("adder", 2, 1),
        stat(f"{NAME}.visibility_sort.reads"),
    ),
    Structure(
        "roots_queue",
        TILING,
        once,
        lambda c: Ram(_own(c).roots_queue, 16),
        stat(f"{NAME}.visibility_sort.sorted"),
        stat(f"{NAME}.visibility_sort.sorted"),
    ),
    Structure(
        "order_queue",
        TILING,
        once,
        lambda c: Ram(_own(c).order_queue, 16),
        stat(f"{NAME}.visibility_sort.sorted"),
        stat(f"{NAME}.visibility_sort.sorted"),
    ),
)

LISTS = (
    Structure(
        "order_table",
        TILING,
        lambda c: int(_own(c).order_list == "on_chip"),
        lambda c: Ram(_own(c).graph_entries, 16),
        stat(f"{NAME}.visibility_order.present"),
        stat(f"{NAME}.visibility_sort.sorted"),
    ),
    Structure(
        "first_primitive_list",
        TILING,
        lambda c: int(_own(c).first_primitive_list == "on_chip"),
        lambda c: Ram(_own(c).first_list_bytes // FIRST_LIST_BYTES, 8 * FIRST_LIST_BYTES),
        stat(f"{NAME}.visibility_order.present"),
        stat(f"{NAME}.first_list_writes"),
    ),
)
"""Tables of the Tile Engine, which the immediate-mode machine has none of."""
