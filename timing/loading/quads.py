"""Quads of a frame in the order of the tiles' lists, each with the path its warp executes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.declare.tiles import Tiles

from ..engine import frame as f
from .code import Code
from .draws import Draws
from .passes import Passes
from .pixel_code import Accesses, accesses_of
from .primitives import Primitives
from .shader_code import around, tests_depth
from .source import ActivityError, numbers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]


ALL_SAMPLES = 0xFFFF


def read_quads(
    quads: pa.Table,
    primitives: Primitives,
    passes: Passes,
    draws: Draws,
    code: Code,
    configuration: Hardware,
    raster_tile: int,
) -> tuple[Array, Array, Array]:
    """Sort quads into the tiles' lists; those of a primitive by squares of `raster_tile` pixels, unless it is 0.

    Returns
    -------
    numpy.ndarray, numpy.ndarray, numpy.ndarray
        Table of quads; for each its row in the activity; depths that shaders write, four per such quad.
    """
    source = numbers(quads, "primitive").astype(np.int64)
    place = primitives.place[source]
    x, y = numbers(quads, "x"), numbers(quads, "y")
    tile = _tiles(passes, configuration.of(Tiles), place, x.astype(np.int64), y.astype(np.int64))
    entry = np.searchsorted(primitives.entry_key, tile * len(primitives.table) + place)
    order = np.lexsort((*_raster_tiles(x, y, raster_tile), entry))
    bounds = np.searchsorted(entry[order], np.arange(len(primitives.entry) + 1))
    primitives.entry["first_quad"], primitives.entry["last_quad"] = bounds[:-1], bounds[1:]
    table = np.zeros(len(quads), f.Quad.dtype)
    table["primitive"], table["x"], table["y"] = place[order], x[order], y[order]
    for name in ("coverage", "depth_pass"):
        table[name] = numbers(quads, name)[order]
    alpha_coverage = numbers(quads, "alpha_coverage", ALL_SAMPLES)
    table["discarded"] = (numbers(quads, "discarded") * np.uint16(0x1111) | ~alpha_coverage)[order]
    table["path"] = _paths(quads, primitives.draw[source], draws, code, configuration)[order]
    depths, row = _shader_depths(quads)
    table["shader_depth"] = row[order]
    return table, order, depths


def _raster_tiles(x: Array, y: Array, raster_tile: int) -> tuple[Array, ...]:
    """Keys by which the quads of a primitive are sorted, the least significant first; none where they stay in order."""
    side = raster_tile // 2
    return (x // side, y // side) if side else ()


def _tiles(passes: Passes, tiles: Tiles, place: Array, x: Array, y: Array) -> Array:
    tile = np.zeros(len(place), np.int64)
    first = 0
    for p, row in enumerate(passes.render_pass):
        mine = np.flatnonzero((place >= first) & (place < row["last_primitive"]))
        if passes.sorts:
            tile[mine] = passes.rank[p][y[mine] * 2 // tiles.height, x[mine] * 2 // tiles.width]
        elif (x[mine] * 2 >= row["width"]).any() or (y[mine] * 2 >= row["height"]).any():
            raise ActivityError(f"quads: a quad lies outside pass {row['number']}")
        else:
            tile[mine] = row["first_tile"]
        first = row["last_primitive"]
    return tile


def _paths(quads: pa.Table, draw: Array, draws: Draws, code: Code, configuration: Hardware) -> Array:
    """Row of the path that each quad's warp executes: those of its lanes, merged, and accesses to pixels behind."""
    lanes = np.stack([numbers(quads, f"path_{lane}").astype(np.int64) for lane in range(4)], axis=1)
    programs = np.array([row["program"] for row in draws.rows], np.int64)
    if not len(quads):
        return np.zeros(0, np.int64)
    different, which = _around_programs(quads, draw, draws, code, configuration)
    columns = [programs[draw], which, *lanes.T]
    low, high = [int(c.min()) for c in columns], [int(c.max()) for c in columns]
    key = np.zeros(len(quads), np.int64)
    spans = [h - l + 1 for l, h in zip(low, high, strict=True)]
    if float(np.prod(np.array(spans, float))) < 2.0**62:
        for column, l, span in zip(columns, low, spans, strict=True):
            key = key * span + (column - l)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    else:
        _, first, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)
    rows = [code.row(int(columns[0][i]), "fragment", tuple(lanes[i].tolist()), *different[which[i]]) for i in first]
    return np.array(rows, np.int64)[inverse.ravel()]


def _around_programs(
    quads: pa.Table, draw: Array, draws: Draws, code: Code, configuration: Hardware
) -> tuple[list[tuple[Accesses, Accesses]], Array]:
    """Different accesses to pixels behind programs and before them, and which of these each quad executes."""
    if not code.behind_rows:
        return [((), ())], np.zeros(len(quads), np.int64)
    alive: list[tuple[Accesses, Accesses]] = [(accesses_of(row), ()) for row in draws.rows]
    dead = alive
    if code.before_rows:
        alive = [around(row, configuration)[::-1] for row in draws.rows]
        # What fails an early test executes no more than that.
        tests = [tests_depth(row, configuration) for row in draws.rows]
        dead = [
            ((), before) if before or not tested else (behind, before)
            for (behind, before), tested in zip(alive, tests, strict=True)
        ]
    different = sorted({*alive, *dead})
    which = np.array([[different.index(program) for program in of_draw] for of_draw in (alive, dead)], np.int64)
    failed = numbers(quads, "depth_pass") == 0
    return different, which[failed.astype(np.int64), draw]


def _shader_depths(quads: pa.Table) -> tuple[Array, Array]:
    column = quads["shader_depth"]
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy()
    row = np.where(lengths > 0, np.cumsum(lengths) - lengths, -1)
    if len(lengths) and not np.isin(lengths, (0, 4)).all():
        raise ActivityError("quads: shader_depth must hold four depths, one per lane")
    return pc.list_flatten(column).to_numpy().astype(np.float32), row
