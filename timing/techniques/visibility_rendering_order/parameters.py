"""Parameters of Visibility Rendering Order."""

from __future__ import annotations

from pydantic import Field

from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.parameters import Group, choice, number

MAX_NODES = 8192
"""Object ids of 13 bits (Fig. 4.11)."""
MAX_CHILDREN = 64
MAX_FILTER = 64
MAX_QUEUE = 1024


class GraphCache(Cache):
    """Graph Cache."""

    size_bytes: int = Field(
        default=4096, ge=32, le=1 << 30, description="capacity", json_schema_extra={"unit": "bytes"}
    )
    ways: int = Field(default=4, ge=1, le=64, description="lines per set", json_schema_extra={"unit": "lines"})
    latency: int = Field(
        default=1, ge=1, le=1000, description="from access to data", json_schema_extra={"unit": "cycles"}
    )
    mshrs: int = number(4, "lines", "lines that can be missing at a time", 1, 64, silent=(1, 16))


class Parameters(Group, section="technique.visibility_rendering_order"):
    """Visibility Rendering Order (thesis of 2018, 4.2, 4.3.2, Table 4.2)."""

    graph_cache: GraphCache = Field(default=GraphCache(), description="Graph Cache [Table 4.2]")
    filter_entries: int = number(
        32, "edges", "Edge Filter; the least recently used gives way [Table 4.2]", 1, MAX_FILTER
    )
    filter_lookups_per_cycle: int = number(
        4, "edges/cycle", "edges that each Edge Filter looks up per cycle", 1, 64, silent=(1, 16)
    )
    edges_queue: int = number(64, "edges", "Edges Queue before the Edge Inserter [Table 4.2]", 1, MAX_QUEUE)
    order_queue: int = number(64, "objects", "Order Queue behind the Visibility Sort unit [Table 4.2]", 1, MAX_QUEUE)
    roots_queue: int = number(
        64,
        "objects",
        "Roots Queue; a root that finds it full is found again as if a cycle were broken",
        1,
        MAX_NODES,
        silent=(8, MAX_NODES),
    )
    graph_entries: int = number(8192, "entries", "Graph Buffer (4.3.2)", 64, MAX_NODES)
    entry_children: int = number(
        36, "objects", "children in an entry of the Graph Buffer, W (Fig. 4.11)", 1, MAX_CHILDREN
    )
    order: str = choice(
        "last_frame",
        {
            "last_frame": "that of the frame before",
            "perfect": "a bound that takes no time, what the thesis' greedy algorithm makes of all "
            "occlusions of the frame itself (4.2.4)",
        },
        "order of the objects",
    )
    parallel_cycles: str = choice(
        "program_order",
        {
            "program_order": "the edge that was found first (PO)",
            "keep": "both",
            "counter": "that of more occlusions, which are counted (C)",
        },
        "which edge counts of two objects that occlude each other (Table 4.1)",
    )
    counter_bits: int = number(
        32, "bits", "counter of an edge, with which an entry has room for fewer children (4.2.4)", 8, 32
    )
    reverse_lookup: str = choice(
        "list",
        {
            "list": "it reads the other object's list too",
            "free": "it knows",
        },
        "how the Edge Inserter finds that there is an opposite edge, which its three steps leave out",
        silent=("free",),
    )
    cycle_breaker: str = choice(
        "in_degree",
        {
            "in_degree": "the first of those with fewest edges that come in (H1)",
            "average_depth": "the one of least average depth (H2)",
            "minimum_depth": "of least minimum depth (H2)",
            "maximum_depth": "of least maximum depth (H2)",
        },
        "object that is taken where none is a root (4.2.4)",
    )
    order_list: str = choice(
        "memory",
        {
            "memory": "a list in memory, read through the Tile Cache",
            "on_chip": "a table of its own",
        },
        "where the Tile Engine keeps the order beyond the Order Queue",
        silent=("on_chip",),
    )
    first_primitive_list: str = choice(
        "memory",
        {
            "memory": "a list for each tile, behind the Tile Cache",
            "on_chip": "a table of its own",
        },
        "where the First Primitive List is (4.3.2)",
        silent=("on_chip",),
    )
    first_list_bytes: int = number(
        230_400,
        "bytes",
        "capacity of a First Primitive List on chip, whose area and energy are charged: 64 bytes for each of the 3,600 "
        "tiles of 16x16 pixels at 1200x768",
        1024,
        1 << 22,
    )
    first_list_writes: str = choice(
        "first",
        {
            "first": "with an object's first primitive in a tile, whose number follows from the next entry",
            "every": "with every primitive, as they are counted",
        },
        "when its entry is written",
        silent=("every",),
    )
    absent_object_cycles: int = number(
        1, "cycles", "to step over an object that has no primitive in the tile", 0, 100, silent=(0, 2)
    )
    works_ahead: str = choice(
        "yes",
        {
            "yes": "",
            "no": "",
        },
        "whether objects of the next tile are looked up while those of this one are fetched, in "
        "parallel with other stages (4.1)",
        silent=("no",),
    )
    runs_ahead: int = number(4, "objects", "objects that are looked up before they are fetched", 1, 16, silent=(1, 16))
    objects: str = choice(
        "label",
        {
            "label": "objects, with all draws of one between two barriers",
            "draw": "draws",
        },
        "what is sorted",
        silent=("draw",),
    )
    sorted_passes: str = choice(
        "all",
        {
            "all": "each with nodes of its own, in one graph",
            "screen": "only what is drawn to the screen",
        },
        "passes that are sorted",
        silent=("screen",),
    )
