"""Deferred Face Culling (5.2.3): primitives of collisionable objects that would be culled are tagged, binned, fetched
and rasterized with the others, and dropped before early depth.

The recording has no quads of what is culled. They are made here, as the renderer makes them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.kernels.coverage import Shapes, cover
from tilegpu.functional.activity.kernels.samples import OFFSET_X, OFFSET_Y, SAMPLES
from tilegpu.functional.activity.kernels.spans import SUBPIXELS

from ...loading.source import ActivityError, RecordedFrame, need_hidden_quads, numbers
from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]
Row = dict[str, Any]
MAX_QUADS = 1 << 26
TRIANGLE = 3
DRAW_COLUMNS = ["draw", "pass", "collisionable", "scissor"]
TAGGED = "tagged"
"""Column that amended primitives have."""


def counted(recorded: RecordedFrame, passes: list[Row], which: str) -> set[int]:
    """Numbers of the passes whose objects are tested."""
    return {row["pass"] for row in passes if which == "all" or recorded.draws_screen(row)}


def tagged(primitives: pa.Table) -> Array:
    """Flags of the primitives of an amended table that are drawn only to be found."""
    if TAGGED not in primitives.column_names:
        return np.zeros(len(primitives), np.int8)
    return numbers(primitives, TAGGED)


def _to_tag(primitives: pa.Table, draws: list[Row], draw: Array, count: set[int]) -> Array:
    """Flags of the primitives that face culling would drop, of collisionable objects in passes that count.

    Parameters
    ----------
    primitives
        Table as recorded.
    draws
        Rows of the draws.
    draw
        Row of the draw of each primitive.
    count
        Numbers of the passes.
    """
    collides = np.array([bool(row["collisionable"]) and row["pass"] in count for row in draws], bool)
    culled = pc.equal(primitives["culled"], "face").to_numpy(zero_copy_only=False)
    return np.asarray(culled & collides[draw]) if len(draws) else np.zeros(len(primitives), bool)


def amend(recorded: RecordedFrame, configuration: Hardware) -> RecordedFrame:
    """A frame whose tagged primitives are not culled, with their quads behind the others.

    Raises
    ------
    ActivityError
        If the activity lacks hidden quads, or corners of primitives.
    """
    need_hidden_quads(recorded.activity, "collisions need all fragments, and only the visible ones are recorded")
    passes, draws = recorded.passes.to_pylist(), recorded.draws.select(DRAW_COLUMNS).to_pylist()
    count = counted(recorded, passes, configuration.of(Parameters).passes)
    draw = np.searchsorted([row["draw"] for row in draws], numbers(recorded.primitives, "draw"))
    to_tag = np.flatnonzero(_to_tag(recorded.primitives, draws, draw, count))
    if not len(to_tag):
        return recorded
    extents = {row["pass"]: row for row in passes}
    parts = []
    for number in np.unique(draw[to_tag]):
        draw_row = draws[number]
        parts.append(_quads(recorded, to_tag[draw[to_tag] == number], draw_row, extents[draw_row["pass"]]))
    primitive, x, y, coverage = (np.concatenate(column) for column in zip(*parts, strict=True))
    covering = np.zeros(len(recorded.primitives), bool)
    covering[primitive] = True
    place = recorded.primitives.schema.get_field_index("culled")
    culled = pc.if_else(pa.array(covering), "none", recorded.primitives["culled"])
    primitives = recorded.primitives.set_column(place, "culled", culled).append_column(TAGGED, pa.array(covering))
    return replace(recorded, primitives=primitives, quads=_behind(recorded, primitive, x, y, coverage))


def _behind(recorded: RecordedFrame, primitive: Array, x: Array, y: Array, coverage: Array) -> pa.Table:
    """The quads with those of tagged primitives: they pass no test, and are not shaded."""
    n = len(primitive)
    columns: dict[str, Any] = {
        "frame": np.full(n, recorded.frame, np.int32),
        "primitive": primitive,
        "x": x,
        "y": y,
        "coverage": coverage,
        "depth_pass": np.zeros(n, np.uint16),
        "discarded": np.zeros(n, np.uint8),
        **{f"path_{lane}": np.full(n, -1, np.int32) for lane in range(4)},
    }
    schema = recorded.quads.schema
    arrays = [
        pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(n, field.type)
        for field in schema
    ]
    return pa.concat_tables([recorded.quads, pa.table(arrays, schema=schema)])


def _quads(recorded: RecordedFrame, chosen: Array, draw: Row, render_pass: Row) -> tuple[Array, Array, Array, Array]:
    """Quads of some primitives of a draw: primitive, x, y and coverage."""
    table = recorded.primitives.take(chosen)
    if any(table[f"x_{i}"].null_count for i in range(TRIANGLE)):
        raise ActivityError(
            f"{recorded.activity.folder}: culled primitives have no snapped corners; record without --snap none"
        )
    x, y = (np.stack([numbers(table, f"{axis}_{i}") for i in range(TRIANGLE)], 1).astype(np.int64) for axis in "xy")
    x_of_scissor, bottom, width, height = draw["scissor"]
    edges = int(render_pass["width"]), int(render_pass["height"])
    box = np.array(
        [max(0, x_of_scissor), max(0, bottom), min(edges[0], x_of_scissor + width), min(edges[1], bottom + height)]
    )
    if render_pass["samples"] <= 1:
        places, quad_x, quad_y, coverage = _covered(x, y, box, edges)
        return chosen[places].astype(np.int32), quad_x, quad_y, coverage
    keys, masks = [], []
    for sample in range(SAMPLES):
        dx, dy = int(OFFSET_X[sample] * SUBPIXELS), int(OFFSET_Y[sample] * SUBPIXELS)
        places, quad_x, quad_y, coverage = _covered(x - dx, y - dy, box, edges)
        keys.append(places.astype(np.int64) << 32 | quad_y.astype(np.int64) << 16 | quad_x)
        masks.append(coverage << np.uint16(4 * sample))
    key, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    together = np.zeros(len(key), np.uint16)
    np.bitwise_or.at(together, inverse.reshape(-1), np.concatenate(masks))
    return chosen[key >> 32].astype(np.int32), (key & 0xFFFF).astype("u2"), (key >> 16 & 0xFFFF).astype("u2"), together


def _covered(x: Array, y: Array, box: Array, edges: tuple[int, int]) -> tuple[Array, Array, Array, Array]:
    """Quads of snapped triangles, in order: place among them, x, y, coverage."""
    nowhere = np.zeros((0, TRIANGLE), np.float32)
    ends = np.zeros(edges[1] + 2, np.int32), np.zeros(edges[1] + 2, np.int32)
    capacity = (edges[0] // 2 + 3) * (edges[1] // 2 + 3) + 64
    out: Any = (np.empty(capacity, np.int32), *(np.empty(capacity, np.uint16) for _ in range(3)))
    drawn = np.ones(len(x), bool)
    shapes = Shapes(TRIANGLE, True, x, y, nowhere, nowhere, np.zeros(len(x), np.float32))
    parts: list[list[Array]] = []
    start = total = 0
    while start < len(x):
        start, count = cover(start, shapes, drawn, box, 0, ends, out)
        parts.append([column[:count].copy() for column in out])
        total += count
        if total > MAX_QUADS:
            raise ActivityError(f"primitives: {total} culled quads are more than the simulator holds")
    primitive, quad_x, quad_y, coverage = (np.concatenate(column) for column in zip(*parts, strict=True))
    return primitive, quad_x, quad_y, coverage
