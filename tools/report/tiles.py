"""Heat maps: what each tile of a pass took, for all runs side by side, with the picture beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np
import pyarrow.compute as pc

from .page import Section, data_html
from .pictures import Pictures
from .runs import ReportError, Run
from .sweep import few

MAX_TILES = 1 << 18
"""Of one pass."""

MAX_MAPS = 6
"""Runs with maps side by side: the first, the fastest, the slowest and some others."""

METRICS = (
    ("busy_cycles", "cycles", "cycles in which Fragment Processors, or cores, issued for it, summed"),
    ("overdraw", "fragments per pixel", "overshading: quads shaded x 4, over the pixels of the tile"),
    ("texture_misses", "misses", "misses of first-level texture caches"),
    ("quads", "quads", "2x2 quads rasterized"),
    ("shaded_quads", "quads", "quads that were shaded"),
    ("primitives", "primitives", "primitives in the tile's list"),
    ("cycles", "cycles", "from when the Tile Fetcher takes the tile to when its colours are written"),
    ("tile", "number", "its place in the order of processing"),
    ("raster_unit", "number", "the Raster Unit that drew it; -1 for none"),
)
"""Name, unit, description; the first that has values is shown first."""

TEXTS = ("skipped_by", "bounded_by")

CONTROLS = """<div class="controls">
<label>pass <select id="tiles-view"></select></label>
<label>shown <select id="tiles-metric"></select></label>
<span class="note" id="tiles-description"></span>
</div>
<div class="grid" id="tiles-maps"></div>
<p class="note">Keys: Tab to a map, arrows to move, Enter to keep a tile's values below; or click on a tile.</p>
<div id="tiles-tip" role="status" hidden></div>
<h3 id="tiles-chosen" aria-live="polite">No tile is chosen.</h3>
<div class="wide" hidden><table id="tiles-values"><thead></thead><tbody></tbody></table></div>"""


def tiles_section(runs: Sequence[Run], frames: Sequence[int], pictures: Pictures) -> Section:
    """Section with the heat maps of these frames."""
    views: dict[tuple[int, int], list[dict[str, Any] | None]] = {}
    every, runs = len(runs), few(runs, MAX_MAPS)
    for place, run in enumerate(runs):
        for key, grid in tile_maps(run, frames).items():
            views.setdefault(key, [None] * len(runs))[place] = grid
    if not views:
        return Section("Tiles", "<p>The runs have no values by tile.</p>")
    data = {
        "metrics": [
            {"name": name, "unit": unit, "description": text}
            for name, unit, text in metrics_of(grid for maps in views.values() for grid in maps if grid)
        ],
        "runs": [run.name for run in runs],
        "views": [
            {"label": f"frame {frame}, pass {number}", "picture": _picture(frame, number, pictures), "maps": maps}
            for (frame, number), maps in sorted(views.items())
        ],
    }
    note = f'<p class="note">Maps of {len(runs)} of {every} runs.</p>' if len(runs) < every else ""
    return Section("Tiles", note + data_html(data, "tiles-data") + CONTROLS, ("tiles.js",))


def _picture(frame: int, number: int, pictures: Pictures) -> str:
    """Id of the element of the page that holds the picture of a pass, or "" where there is none."""
    own = pictures.passes.get((frame, number))
    if own is None or own == pictures.frames.get(frame):
        return picture_id(frame) if frame in pictures.frames else ""
    return picture_id(frame, number)


def picture_id(frame: int, number: int | None = None) -> str:
    """Id of the element that holds the picture of a frame, or of a pass that looks otherwise."""
    return f"picture-{frame}" if number is None else f"picture-{frame}-{number}"


def metrics_of(maps: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Those of `METRICS` that some of these maps have values of: a machine cannot fill all."""
    values = [grid["values"] for grid in maps]
    return [metric for metric in METRICS if any(value is not None for each in values for value in each[metric[0]])]


def tile_maps(run: Run, frames: Sequence[int]) -> dict[tuple[int, int], dict[str, Any]]:
    """Tiles of a run by frame and pass: a grid, row by row from the bottom, with values by the names of `METRICS`."""
    of_frames = pc.is_in(run.tiles["frame"], value_set=pc.cast(list(frames), "int32"))
    # What belongs to no tile has no place on a map.
    chosen = run.tiles.filter(pc.and_(of_frames, pc.is_valid(run.tiles["tile"])))
    columns = {
        name: np.array(chosen[name].to_pylist(), object) if name in TEXTS else chosen[name].to_numpy()
        for name in chosen.column_names
    }
    keys = np.stack([columns["frame"], columns["pass"]], 1)
    grids = {}
    for key in np.unique(keys, axis=0):
        rows = np.flatnonzero((keys == key).all(1))
        frame, number = int(key[0]), int(key[1])
        try:
            grids[frame, number] = _map({name: column[rows] for name, column in columns.items()})
        except ReportError as error:
            raise ReportError(f"{run.folder / 'tiles.parquet'}: frame {frame}, pass {number}: {error}") from None
    return grids


def _map(rows: dict[str, np.ndarray[Any, Any]]) -> dict[str, Any]:
    """Tiles of a pass as a grid, row by row from the bottom; null where there is none."""
    x, y = rows["x"].astype(np.int64), rows["y"].astype(np.int64)
    width, height = int(rows["width"].max()), int(rows["height"].max())
    if width < 1 or height < 1 or x.min() < 0 or y.min() < 0:
        raise ReportError("tiles have no size or place")
    across, down = int(x.max()) // width + 1, int(y.max()) // height + 1
    at = y // height * across + x // width
    if across * down > MAX_TILES or len(np.unique(at)) < len(at):
        raise ReportError("tiles do not make a grid")
    pixels = rows["width"].astype(np.float64) * rows["height"]
    made = rows | {
        "cycles": rows["last_cycle"] - rows["first_cycle"],
        "overdraw": np.round(4 * rows["shaded_quads"] / np.maximum(pixels, 1), 4),
    }
    return {
        "across": across,
        "down": down,
        "width": width,
        "height": height,
        "values": {name: _grid(made[name].tolist(), at, across * down) for name, _, _ in METRICS},
        "skipped": _named(at, rows["skipped_by"]),
        "bounded": _named(at, rows["bounded_by"]),
    }


def _named(at: np.ndarray[Any, Any], names: np.ndarray[Any, Any]) -> dict[int, str]:
    return {int(place): escape(str(name)) for place, name in zip(at, names, strict=True) if name is not None}


def _grid(values: list[float], at: np.ndarray[Any, Any], size: int) -> list[float | None]:
    grid: list[float | None] = [None] * size
    for place, value in zip(at.tolist(), values, strict=True):
        # Of columns with nulls there are floats.
        grid[place] = None if value != value else value
    return grid
