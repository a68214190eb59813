"""Outcome of each tile of a frame: the rows of `tiles.parquet`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.records import Rows
from tilegpu.timing.declare.tiles import Tiles

from ..assembly.bounding import names as bound_names
from ..assembly.build import Chip
from ..engine.frame import Frame, Table, Tile, TileLog

SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("pass", pa.int32()),
        ("tile", pa.int32()),
        ("x", pa.int32()),
        ("y", pa.int32()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("raster_unit", pa.int32()),
        ("first_cycle", pa.int64()),
        ("last_cycle", pa.int64()),
        ("primitives", pa.int32()),
        ("quads", pa.int32()),
        ("shaded_quads", pa.int32()),
        ("busy_cycles", pa.int64()),
        ("imbalance", pa.float64()),
        ("texture_misses", pa.int64()),
        ("skipped_by", pa.string()),
        ("bounded_by", pa.string()),
    ]
)
"""`tile` counts in the order of processing of its pass; x, y: its lower left pixel; width, height: pixels of it
that lie in the pass; cycles count from the beginning of the frame, from when the Tile Fetcher takes the tile up to when
its colours are written; `busy_cycles`: in which Fragment Processors issued for it, summed; `imbalance`: deviation
over mean of the cycles in which each of them was active (Parallel Tile Rendering, 6.4), 0 for a tile without shading;
`texture_misses`: of first-level texture caches; `skipped_by`: the technique that left it out, or null, `raster_unit` is
-1 for those; `bounded_by`: what bounded it (`assembly.bounding`), with `replay --by-draw`, else null."""


def tile_rows(chip: Chip, frame: Frame, number: int) -> pa.Table:
    """One row per tile of a frame that has just ended."""
    log, tile = frame.commands.log, frame.commands.tile
    render_pass = frame.commands.render_pass
    of_pass = tile["render_pass"]
    size = _sizes(chip, render_pass[of_pass], tile)
    names: Any = np.array([None, *(technique.name for technique in chip.techniques)], object)
    bounds: Any = np.array([None, *bound_names(chip.machine)], object)
    columns = {
        "frame": np.full(len(tile), number),
        "pass": render_pass["number"][of_pass],
        "tile": np.arange(len(tile)) - render_pass["first_tile"][of_pass],
        "x": tile["x"],
        "y": tile["y"],
        "width": size[0],
        "height": size[1],
        "first_cycle": log["first_cycle"] - chip.began,
        "last_cycle": log["last_cycle"] - chip.began,
        "imbalance": log["imbalance_ppm"] / 1e6,
        "skipped_by": names[log["skipped_by"]],
        "bounded_by": bounds[log["bound"]],
    }
    values = {
        name: columns.get(name, log[name] if name in (TileLog.dtype.names or ()) else None) for name in SCHEMA.names
    }
    return pa.table({name: pa.array(values[name], SCHEMA.field(name).type) for name in SCHEMA.names}, SCHEMA)


def _sizes(chip: Chip, of_pass: Table, tile: Rows[Tile]) -> list[Table]:
    """Widths and heights of tiles in pixels; those at the edges end with the pass. A lone tile is all of it, however
    large: machines without tiles have such ones."""
    lone = of_pass["last_tile"] - of_pass["first_tile"] == 1
    whole = chip.configuration.of(Tiles).width, chip.configuration.of(Tiles).height
    sides = zip(whole, ("width", "height"), ("x", "y"), strict=True)
    return [np.where(lone, of_pass[side], np.minimum(most, of_pass[side] - tile[at])) for most, side, at in sides]
