"""Costs of tiles and draws, and objects that collide, of a frame from the results of a replay."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tilegpu.timing.results.draws import DRAWS, IDENTITY

from ..collision_pictures import TABLE, pixel_counts, read_collisions
from ..draw_costs import known_costs
from ..report.runs import ReportError, read_runs, read_table
from ..report.tiles import METRICS, tile_maps

NOT_COSTS = frozenset({"tile", "raster_unit"})


def frame_results(folder: Path, capture: Path, frame: int) -> dict[str, Any]:
    """Costs of tiles and of draws, and pairs of labels of objects that collide with the number of pixels where they do;
    no pairs without an RBCD unit. See `frame_tiles` for errors."""
    pairs: list[tuple[str, str, int]] = []
    tiles = frame_tiles(folder, capture, frame)
    if (folder / TABLE).is_file():
        counts = pixel_counts(read_collisions(folder)[1])
        pairs = [(a, b, count) for (number, a, b), count in sorted(counts.items()) if number == frame]
    return {"tiles": tiles, "collisions": pairs, "costs": frame_costs(folder, frame)}


def frame_costs(folder: Path, frame: int) -> dict[str, Any] | None:
    """Costs of the draws and dispatches of a frame by the numbers of their calls, and of what belongs to none; None
    where the replay did not count them (`replay --by-draw`)."""
    path = folder / f"{DRAWS}.parquet"
    if not path.is_file():
        return None
    costs = known_costs(pq.read_schema(path).names)
    schema = pa.schema([*IDENTITY, *((name, pa.float64()) for _, name in costs if name not in IDENTITY.names)])
    rows = [row for row in read_table(folder, DRAWS, schema).to_pylist() if row["frame"] == frame]
    values = [[row["share"], *((row[name] or 0.0) * cost.scale for cost, name in costs)] for row in rows]
    named = list(zip(rows, values, strict=True))
    return {
        "names": [cost.title for cost, _ in costs],
        "cycles": sum(row["cycles"] for row in rows),
        "calls": [[row["call"], *value] for row, value in named if row["call"] is not None],
        "others": [[row["name"], *value] for row, value in named if row["call"] is None and any(value)],
    }


def frame_tiles(folder: Path, capture: Path, frame: int) -> dict[str, Any]:
    """Maps of the passes of a frame, in order, and what they show.

    Raises
    ------
    ReportError
        If the folder holds no results of one run of this capture and frame.
    """
    runs = read_runs([folder])
    if len(runs) != 1:
        raise ReportError(f"{folder}: holds {len(runs)} runs; name the folder of one")
    run = runs[0]
    with capture.open("rb") as file:
        digest = sha256(file.read()).hexdigest()
    if run.stats.source.get("sha256") not in (None, digest):
        name = run.stats.source.get("name", "another capture")
        raise ReportError(f"{folder}: are results of {name}, not of {capture}")
    maps = tile_maps(run, [frame])
    if not maps:
        raise ReportError(f"{folder}: has no tiles of frame {frame}; it counted frames {run.frames}")
    metrics = [{"name": name, "unit": unit} for name, unit, _ in METRICS if name not in NOT_COSTS]
    return {"metrics": metrics, "passes": [maps[key] for key in sorted(maps)]}
