"""Tables of results: the Visibility Graph that a frame leaves, and the order in which its objects were rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.statistics import ResultTable

from .state import NO_NODE

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu
    from .edge_filter import EdgeFilter


GRAPH_SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("pass", pa.int32()),
        ("front", pa.uint64()),
        ("behind", pa.uint64()),
        ("samples", pa.int64()),
    ]
)
ORDER_SCHEMA = pa.schema(
    [("frame", pa.int32()), ("pass", pa.int32()), ("place", pa.int32()), ("object", pa.uint64()), ("node", pa.int32())]
)


def graph_rows(chip: Chip, own: Any, frame: int) -> pa.Table:
    """Edges of the graph at the end of a frame, those on their way to it among them."""
    named = {int(row["node"]): row for row in own.named}
    counts = bool(chip.gpu.technique.visibility_rendering_order.counts)
    rows = [
        {
            "frame": frame,
            "pass": int(named[front]["pass"]),
            "front": int(named[front]["object"]),
            "behind": int(named[behind]["object"]),
            "samples": samples if counts else None,
        }
        for (front, behind), samples in _edges(chip.gpu, list(named)).items()
        if front in named and behind in named
    ]
    return pa.Table.from_pylist(rows, GRAPH_SCHEMA)


def _edges(gpu: Gpu, nodes: list[int]) -> dict[tuple[int, int], int]:
    """Edges of the Graph Buffer, then those before the Edge Inserter, by its rules."""
    state, edges = gpu.technique.visibility_rendering_order, {}
    for node in nodes:
        entry = node
        while entry >= 0:
            row = state.entry[entry]
            for child, count in zip(row.child[: row.length], row.count[: row.length], strict=True):
                edges[node, int(child)] = int(count)
            entry = int(row.next)
    for edge in _on_their_way(gpu, bool(state.counts)):
        pair = int(edge.source), int(edge.target)
        if state.counts:
            edges[pair] = min(edges.get(pair, 0) + int(edge.count), int(state.most))
        elif not (state.program_order and pair[::-1] in edges):
            edges.setdefault(pair, int(edge.count))
    return edges


def _on_their_way(gpu: Gpu, counts: bool) -> list[Any]:
    """Edges in the Edges Queue, in the Edge Filters where they count, and before these."""
    queue = gpu.edge_inserter.queue
    edges = [queue.slot[(queue.head + i) % queue.depth] for i in range(int(queue.count))]
    for r in range(int(gpu.raster_units)):
        filter_: EdgeFilter = gpu.raster_unit[r].edge_filter
        if counts:
            edges += [entry for entry in filter_.edge[: int(filter_.entries)] if entry.used > 0]
        pending = filter_.pending
        edges += [pending.slot[(pending.head + i) % pending.depth] for i in range(int(pending.count))]
    return edges


def order_rows(chip: Chip, own: Any, frame: int) -> pa.Table:
    """Objects of a frame in the order in which they were rendered, but for those that were new, which came last."""
    rank = np.asarray(chip.gpu.technique.visibility_rendering_order.rank)
    rows = [
        {
            "frame": frame,
            "pass": int(row["pass"]),
            "place": int(rank[row["node"]]) if rank[row["node"]] >= 0 else None,
            "object": int(row["object"]),
            "node": int(row["node"]),
        }
        for row in own.named
        if row["node"] != NO_NODE
    ]
    last = len(rank)
    rows.sort(key=lambda row: last if row["place"] is None else row["place"])
    return pa.Table.from_pylist(rows, ORDER_SCHEMA)


TABLES = (
    ResultTable(
        "visibility_graph",
        "Visibility Graph: which object is in front of which, at the end of each frame; samples: how many the one "
        "hides of the other, where edges have counters",
        GRAPH_SCHEMA,
        graph_rows,
    ),
    ResultTable(
        "visibility_order",
        "Visibility Rendering Order: objects of each frame as they were rendered; those without a place were new",
        ORDER_SCHEMA,
        order_rows,
    ),
)
