"""Costs of tiles and draws, and objects that collide, of a frame from the results of a replay."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from ..collision_pictures import TABLE, pixel_counts, read_collisions
from ..draw_costs import known_costs
from ..draw_reasons import in_words
from ..report import resources
from ..report.draws import read_costs
from ..report.runs import ReportError, Run, read_runs
from ..report.tiles import metrics_of, tile_maps
from ..resource_costs import BYTES, size_of
from ..resource_costs import known_costs as known_resource_costs

NOT_COSTS = frozenset({"tile", "raster_unit"})


def frame_results(folder: Path, capture: Path, frame: int) -> dict[str, Any]:
    """Costs of tiles and of draws, and pairs of labels of objects that collide with the number of pixels where they do;
    no pairs without an RBCD unit.

    Raises
    ------
    ReportError
        If the folder holds no results of one run of this capture and frame.
    """
    run = _run_of(folder, capture)
    pairs: list[tuple[str, str, int]] = []
    tiles = _tiles(run, frame)
    if (folder / TABLE).is_file():
        counts = pixel_counts(read_collisions(folder)[1])
        pairs = [(a, b, count) for (number, a, b), count in sorted(counts.items()) if number == frame]
    return {"tiles": tiles, "collisions": pairs, "costs": _costs(run, frame), "resources": _resources(run, frame)}


def _run_of(folder: Path, capture: Path) -> Run:
    """The run that a folder holds, if it is one of this capture."""
    runs = read_runs([folder])
    if len(runs) != 1:
        raise ReportError(f"{folder}: holds {len(runs)} runs; name the folder of one")
    run = runs[0]
    with capture.open("rb") as file:
        digest = sha256(file.read()).hexdigest()
    if run.stats.source.get("sha256") not in (None, digest):
        name = run.stats.source.get("name", "another capture")
        raise ReportError(f"{folder}: are results of {name}, not of {capture}")
    return run


def _costs(run: Run, frame: int) -> dict[str, Any] | None:
    """Costs of the draws and dispatches of a frame by the numbers of their calls, and of what belongs to none; None
    where the replay did not count them (`replay --by-draw`)."""
    table = read_costs(run, [frame])
    if table is None:
        return None
    costs, rows = known_costs(table.schema.names), table.to_pylist()
    values = [[row["share"], *((row[name] or 0.0) * cost.scale for cost, name in costs)] for row in rows]
    named = list(zip(rows, values, strict=True))
    return {
        "names": [cost.title for cost, _ in costs],
        "calls": [[row["call"], in_words(row), *value] for row, value in named if row["call"] is not None],
        "others": [[row["name"], in_words(row), *value] for row, value in named if row["call"] is None and any(value)],
    }


def _resources(run: Run, frame: int) -> dict[str, Any] | None:
    """Costs of the resources of a frame, those with most traffic first; None where the replay did not count them
    (`replay --by-resource`)."""
    table = resources.read_costs(run, [frame])
    if table is None:
        return None
    costs = known_resource_costs(table.schema.names)
    rows = table.sort_by([(BYTES, "descending"), ("waiting_cycles", "descending")]).to_pylist()
    return {
        "names": [cost.title for cost in costs],
        "rows": [
            {name: row[name] for name in ("name", "surface", "level")}
            | {"size": size_of(row), "notes": row["notes"] or []}
            | {"values": [(row[cost.statistic] or 0.0) * cost.scale for cost in costs]}
            for row in rows
        ],
    }


def _tiles(run: Run, frame: int) -> dict[str, Any]:
    """Maps of the passes of a frame, in order, and what they show."""
    maps = tile_maps(run, [frame])
    if not maps:
        raise ReportError(f"{run.folder}: has no tiles of frame {frame}; it counted frames {run.frames}")
    metrics = [{"name": name, "unit": unit} for name, unit, _ in metrics_of(maps.values()) if name not in NOT_COSTS]
    return {"metrics": metrics, "passes": [maps[key] for key in sorted(maps)]}
