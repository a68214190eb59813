"""Outcome of each tile of a frame: the rows of `tiles.parquet`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.declare.records import Rows
from tilegpu.timing.declare.tiles import Tiles

from ..assembly.bounding import names as bound_names
from ..engine.chip import Chip
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
        ("loaded_bytes", pa.int64()),
        ("stored_bytes", pa.int64()),
        ("skipped_by", pa.string()),
        ("bounded_by", pa.string()),
    ]
)
"""`tile` counts in the order of processing of its pass; x, y: its lower left pixel; width, height: pixels of it
that lie in the pass; cycles count from the beginning of the frame, from when the Tile Fetcher takes the tile up to when
its colours are written; `busy_cycles`: in which Fragment Processors, or cores, issued for it, summed; `imbalance`:
deviation over mean of the cycles in which each of them was active (Parallel Tile Rendering, 6.4), 0 for a tile without
shading; `texture_misses`: of first-level texture caches; `loaded_bytes`, `stored_bytes`: of its attachments, from and
to the level below the tile's buffer; `skipped_by`: the technique that left it out, or null, `raster_unit` is -1 for
those; `bounded_by`: what bounded it (`assembly.bounding`), with `replay --by-draw`, else null. A column that a machine
cannot fill is null. What belongs to no tile, such as what cores do for vertices, is a last row of the frame whose
`tile` is null."""
TOTALS = {
    "busy_cycles": ("fragment.processor.busy_cycles", "simt.core.busy_cycles"),
    "texture_misses": ("memory.texture_cache.read_misses",),
}
"""Statistics of a frame of which columns are the parts, the first that a machine has."""


def tile_rows(chip: Chip, frame: Frame, number: int, counted: Mapping[str, float] | None = None) -> pa.Table:
    """One row per tile of a frame that has just ended, and one for what belongs to none of them.

    Parameters
    ----------
    chip, frame, number
        The machine, the frame's tables, its number.
    counted
        Statistics of the frame; without them there is no such last row.
    """
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
    values |= dict.fromkeys(chip.machine.untold, np.full(len(tile), None))
    table = pa.table({name: pa.array(values[name], SCHEMA.field(name).type) for name in SCHEMA.names}, SCHEMA)
    rest = _rest(table, counted or {})
    if not any(rest.values()):
        return table
    row = {"frame": number, "raster_unit": -1, **rest}
    return pa.concat_tables([table, pa.Table.from_pylist([row], SCHEMA)])


def _rest(table: pa.Table, counted: Mapping[str, float]) -> dict[str, int]:
    """Parts of a frame's totals that belong to no tile."""
    rests = {}
    for column, names in TOTALS.items():
        total = next((counted[name] for name in names if name in counted), None)
        if total is not None:
            rests[column] = int(total) - int(pc.sum(table[column]).as_py() or 0)
    return rests


def _sizes(chip: Chip, of_pass: Table, tile: Rows[Tile]) -> list[Table]:
    """Widths and heights of tiles in pixels; those at the edges end with the pass. A lone tile is all of it, however
    large: machines without tiles have such ones."""
    lone = of_pass["last_tile"] - of_pass["first_tile"] == 1
    whole = chip.configuration.of(Tiles).width, chip.configuration.of(Tiles).height
    sides = zip(whole, ("width", "height"), ("x", "y"), strict=True)
    return [np.where(lone, of_pass[side], np.minimum(most, of_pass[side] - tile[at])) for most, side, at in sides]
