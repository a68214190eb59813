"""Primitives of a frame in drawing order, with the clears between them, sorted into the tiles' lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.declare.tiles import Tiles

from ..engine import frame as f
from ..memory import parameter_buffer
from ..memory.parameter_buffer import ParameterBuffer
from .bins import listed
from .corners import snapped_corners
from .culling import culling
from .draws import Draws
from .overlap import Outlines, Pairs, overlaps
from .passes import Passes
from .source import ActivityError, numbers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
MAX_PAIRS = 1 << 27


@dataclass(frozen=True)
class Primitives:
    """Primitives and lists. `place[i]`: row of primitive i of the activity; `draw[i]`: row of its draw;
    `key` of an entry:
    tile x primitives + primitive."""

    table: Array
    bins: Array
    entry: Array
    place: Array
    draw: Array
    entry_key: Array


def stream_ends(topology: str, source: Array, count: int) -> Array:
    """Vertices of its draw that must have arrived before each assembled primitive can be made (OpenGL ES 3.0, 2.7)."""
    if topology == "TRIANGLES":
        return 3 * (source + 1)
    if topology == "LINES":
        return 2 * (source + 1)
    if topology == "POINTS":
        return source + 1
    need = source + (2 if topology in ("LINE_STRIP", "LINE_LOOP") else 3)
    return np.asarray(np.minimum(need, count))


def read_primitives(
    primitives: pa.Table, outputs: pa.Table, quads: pa.Table, draws: Draws, passes: Passes, configuration: Hardware
) -> Primitives:
    """Order, bin and place the primitives of a frame."""
    n, clears = len(primitives), len(passes.clear)
    draw = np.searchsorted([row["draw"] for row in draws.rows], numbers(primitives, "draw"))
    if n and (draw.max() >= len(draws.rows) or (numbers(primitives, "primitive") != np.arange(n)).any()):
        raise ActivityError("primitives: they are not in order, or their draws are missing")
    events = np.array([row["event"] for row in draws.rows], np.int64)
    order = np.argsort(np.concatenate([events[draw], np.array([e for e, _ in passes.clears], np.int64)]), kind="stable")
    place = np.empty(n + clears, np.int64)
    place[order] = np.arange(n + clears)
    table = np.zeros(n + clears, f.Primitive.dtype)
    rows = table[:0].copy() if n == 0 else _rows(primitives, outputs, draws, draw)
    table[place[:n]] = rows
    table["clear"] = -1
    table["clear"][place[n:]] = np.arange(clears)
    _place_clears(table, place[n:])
    _join_batches(draws, table)
    pass_number = _pass_rows(draws, passes, draw, n)
    passes.render_pass["last_primitive"] = np.cumsum(np.bincount(pass_number, minlength=len(passes.rows)))
    primitive, tile = _pairs(primitives, quads, draws, passes, draw, place, pass_number, configuration)
    key = np.unique(tile * len(table) + primitive)
    entry, bins = _lists(table, key, passes, configuration, pass_number[order])
    return Primitives(table, bins, entry, place[:n], draw, key)


def _pass_rows(draws: Draws, passes: Passes, draw: Array, n: int) -> Array:
    numbers_ = [row["pass"] for row in passes.rows]
    rows = np.searchsorted(numbers_, [row["pass"] for row in draws.rows]).astype(np.int64)
    if len(rows) and (
        rows.max() >= len(numbers_) or any(numbers_[p] != row["pass"] for p, row in zip(rows, draws.rows, strict=True))
    ):
        raise ActivityError("draws: a draw belongs to a pass that does not exist")
    return np.concatenate(
        [rows[draw] if n else np.zeros(0, np.int64), np.array([p for _, p in passes.clears], np.int64)]
    )


def _rows(primitives: pa.Table, outputs: pa.Table, draws: Draws, draw: Array) -> Array:
    table = np.zeros(len(primitives), f.Primitive.dtype)
    table["state"] = draw
    slots = pc.fill_null(pc.list_value_length(outputs["outputs"]), 0).to_numpy() // 4
    vertex = numbers(primitives, "vertex_0")
    if len(vertex) and (vertex.min() < 0 or vertex.max() >= len(slots)):
        raise ActivityError("primitives: a primitive has a vertex that does not exist")
    # The position counts as an attribute.
    table["attributes"] = 1 + slots[vertex]
    table["culled"] = culling(primitives, outputs)
    table["corners"] = 1 + sum((numbers(primitives, f"vertex_{i}") >= 0).astype(np.int8) for i in (1, 2))
    table["front_facing"] = numbers(primitives, "front_facing")
    for name in ("depth", "depth_dx", "depth_dy"):
        table[name] = numbers(primitives, name)
    source, instance = numbers(primitives, "source").astype(np.int64), numbers(primitives, "instance")
    bounds = np.searchsorted(draw, np.arange(len(draws.rows) + 1))
    for d, row in enumerate(draws.rows):
        mine = slice(bounds[d], bounds[d + 1])
        if mine.start == mine.stop:
            continue
        starts = np.array(draws.stream_start[d], np.int64)
        if instance[mine].min() < 0 or instance[mine].max() >= len(starts):
            raise ActivityError(f"primitives: draw {row['draw']} has no such instance")
        table["stream_end"][mine] = starts[instance[mine]] + stream_ends(row["topology"], source[mine], row["count"])
    table["stream_end"] = np.minimum(table["stream_end"], len(draws.stream))
    return table


def _place_clears(table: Array, rows: Array) -> None:
    """Let a clear wait until everything drawn before it is assembled."""
    for row in rows:
        table["stream_end"][row] = table["stream_end"][row - 1] if row else 0


def _join_batches(draws: Draws, table: Array) -> None:
    """Number the primitives before each draw, which its first instance has to wait for where jobs depend on each
    other, and let primitives find the commands of their draws."""
    instances = np.array([len(starts) for starts in draws.stream_start], np.int64)
    first = (np.cumsum(instances) - instances)[instances > 0]
    ends = np.maximum.accumulate(table["stream_end"])
    draws.batch["primitives_before"][first] = np.searchsorted(ends, draws.batch["first_stream"][first], side="right")
    address = np.zeros(len(instances), np.int64)
    address[instances > 0] = draws.batch["command_address"][first]
    drawn = table["clear"] < 0
    table["descriptors"][drawn] = address[table["state"][drawn]]


def _pairs(
    primitives: pa.Table,
    quads: pa.Table,
    draws: Draws,
    passes: Passes,
    draw: Array,
    place: Array,
    pass_row: Array,
    c: Hardware,
) -> tuple[Array, Array]:
    """Pairs of primitive (row of the table) and tile: from corners, and from quads for what has no snapped corners."""
    n = len(primitives)
    if not passes.sorts:
        unculled = np.flatnonzero(pc.equal(primitives["culled"], "none").to_numpy(zero_copy_only=False))
        unculled = np.concatenate([unculled, np.arange(n, n + len(passes.clear))])
        return place[unculled], passes.render_pass["first_tile"][pass_row[unculled]].astype(np.int64)
    found_primitive, found_tile = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    if n:
        p, x, y = _covering(primitives, draws, passes, draw, pass_row[:n], c)
        found_primitive.append(place[p])
        found_tile.append(_tile_rows(passes, pass_row[p], x, y))
    q = numbers(quads, "primitive").astype(np.int64)
    if len(q):
        if q.min() < 0 or q.max() >= n:
            raise ActivityError("quads: a quad belongs to a primitive that does not exist")
        x, y = numbers(quads, "x") * 2 // c.of(Tiles).width, numbers(quads, "y") * 2 // c.of(Tiles).height
        found_primitive.append(place[q])
        found_tile.append(_tile_rows(passes, pass_row[q], x, y))
    for i, row in enumerate(passes.clear):
        rank = passes.rank[pass_row[n + i]]
        first_x, bottom, width, height = (int(row[side]) for side in ("x", "y", "width", "height"))
        y0, x0 = max(0, bottom) // c.of(Tiles).height, max(0, first_x) // c.of(Tiles).width
        y1, x1 = -(-(bottom + height) // c.of(Tiles).height), -(-(first_x + width) // c.of(Tiles).width)
        tiles = rank[y0 : max(y1, 0), x0 : max(x1, 0)].ravel()
        found_tile.append(tiles)
        found_primitive.append(np.full(len(tiles), place[n + i]))
    return np.concatenate(found_primitive), np.concatenate(found_tile)


def _tile_rows(passes: Passes, pass_row: Array, x: Array, y: Array) -> Array:
    tile = np.zeros(len(pass_row), np.int64)
    for p, rank in enumerate(passes.rank):
        mine = np.flatnonzero(pass_row == p)
        if len(mine) and (x[mine].max() >= rank.shape[1] or y[mine].max() >= rank.shape[0]):
            raise ActivityError(f"quads: a quad lies outside pass {passes.rows[p]['pass']}")
        tile[mine] = rank[y[mine], x[mine]]
    return tile


def _covering(
    primitives: pa.Table, draws: Draws, passes: Passes, draw: Array, pass_row: Array, c: Hardware
) -> tuple[Array, Array, Array]:
    corners = snapped_corners(primitives)
    drawable = corners.on_screen & pc.equal(primitives["culled"], "none").to_numpy(zero_copy_only=False)
    scissor = np.array([row["scissor"] for row in draws.rows], np.int64).reshape(-1, 4)
    box = np.concatenate([scissor[:, :2], scissor[:, :2] + scissor[:, 2:]], axis=1)[draw]
    extents = np.stack([passes.render_pass["width"], passes.render_pass["height"]], axis=1).astype(np.int64)[pass_row]
    tiles = c.of(Tiles)
    outlines = Outlines(drawable, corners.x, corners.y, corners.number, corners.extent, box, extents)
    capacity = 4 * len(primitives) + 1024
    while True:
        pairs = Pairs(*(np.empty(capacity, np.int64) for _ in range(3)))
        count = overlaps(outlines, tiles.width, tiles.height, c.of(ParameterBuffer).overlap == "exact", pairs)
        if count <= capacity:
            return pairs.primitive[:count], pairs.x[:count], pairs.y[:count]
        if count > MAX_PAIRS:
            raise ActivityError(f"primitives: {count} pairs of primitive and tile are more than the simulator holds")
        capacity = count


def _lists(table: Array, key: Array, passes: Passes, c: Hardware, pass_of: Array) -> tuple[Array, Array]:
    """Entries of the tiles' lists, and for each primitive its entries; addresses in the Parameter Buffer."""
    tile, primitive = np.divmod(key, max(1, len(table)))
    entry = np.zeros(len(key), f.ListEntry.dtype)
    entry["primitive"] = primitive
    bounds = np.searchsorted(tile, np.arange(len(passes.tile) + 1))
    passes.tile["first_entry"], passes.tile["last_entry"] = bounds[:-1], bounds[1:]
    layout, width, height = c.of(ParameterBuffer), c.of(Tiles).width, c.of(Tiles).height
    size = parameter_buffer.record_bytes(layout, table["attributes"], table["clear"] >= 0)
    size[table["culled"] != 0] = 0
    table["record_bytes"] = size
    for p, row in enumerate(passes.render_pass):
        first, last = bounds[row["first_tile"]], bounds[row["last_tile"]]
        tiles = tile[first:last]
        lists, places = tiles - row["first_tile"], np.arange(first, last) - bounds[tiles]
        count = row["last_tile"] - row["first_tile"]
        if layout.levels > 1:
            x, y = (passes.tile[axis][tiles] // side for axis, side in (("x", width), ("y", height)))
            lists, places, count, _ = listed(
                primitive[first:last], x.astype(np.int64), y.astype(np.int64), layout.levels
            )
        address, records = parameter_buffer.pointers(
            layout, c.memory.line_bytes, lists, places, primitive[first:last], int(count), passes.region[p]
        )
        entry["pointer"][first:last] = address
        mine = np.flatnonzero(pass_of == p)
        table["record"][mine] = records + np.cumsum(size[mine]) - size[mine]
        if layout.dead_lines == parameter_buffer.DROPPED:
            row["dead_address"] = passes.region[p]
            row["dead_bytes"] = records + size[mine].sum() - passes.region[p]
    # Tiles of a bin follow each other: its pointer is written once for them.
    order = np.argsort(primitive, kind="stable") if layout.levels == 1 else np.lexsort((entry["pointer"], primitive))
    bins = np.zeros(len(key), f.Bin.dtype)
    bins["entry"] = order
    limits = np.searchsorted(primitive[order], np.arange(len(table) + 1))
    table["first_bin"], table["last_bin"] = limits[:-1], limits[1:]
    return entry, bins
