"""Costs of tiles and draws, and objects that collide, of a frame from the results of a replay."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from tilegpu.timing.results.lines import LINES

from ..collision_pictures import TABLE, pixel_counts, read_collisions
from ..draw_costs import known_costs
from ..draw_reasons import in_words
from ..report import resources
from ..report.draws import read_costs
from ..report.runs import ReportError, Run, read_runs
from ..report.tiles import metrics_of, tile_maps
from ..resource_costs import BYTES, size_of, title_of
from ..resource_costs import known_costs as known_resource_costs
from ..shader_profile import read_profile, title_of_column
from .content import digest_of

NOT_COSTS = frozenset({"tile", "raster_unit"})


def frame_results(folder: Path, capture: Path, frame: int) -> dict[str, Any]:
    """Costs of tiles, draws, resources and shader lines, and pairs of labels of objects that collide with the number of
    pixels where they do; no pairs without an RBCD unit.

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
    costs = {"costs": _costs(run, frame), "resources": _resources(run, frame), "lines": _lines(run, frame)}
    return {"tiles": tiles, "collisions": pairs} | costs


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
            {"name": title_of(row), "surface": row["surface"], "level": row["level"]}
            | {"size": size_of(row), "notes": row["notes"] or []}
            | {"values": [(row[cost.statistic] or 0.0) * cost.scale for cost in costs]}
            for row in rows
        ],
    }


def _lines(run: Run, frame: int) -> dict[str, Any] | None:
    """Costs of the lines of the shaders, by stage and digest of the source; None where the replay did not count them
    (`replay --by-line`). Programs with the same shader are added up."""
    if not (run.folder / f"{LINES}.parquet").is_file():
        return None
    profile = read_profile(run.folder, frame)
    whole = sum(map(profile.total, profile.stages))
    shaders: dict[str, dict[int, list[Any]]] = {}
    for stage in profile.stages:
        lines = shaders.setdefault(f"{stage[1]} {digest_of(profile.sources[stage])}", {})
        for number, line in profile.lines[stage].items():
            share, values, calls = lines.get(number, [0.0, [0] * len(profile.columns), []])
            share += profile.weight(line) / whole if whole else 0.0
            values = [a + line.costs[name] for a, name in zip(values, profile.columns, strict=True)]
            lines[number] = [share, values, sorted({*calls, *(each[0] for each in line.calls)})]
    return {"names": [title_of_column(name) for name in profile.columns], "shaders": shaders}


def _tiles(run: Run, frame: int) -> dict[str, Any]:
    """Maps of the passes of a frame, in order, and what they show."""
    maps = tile_maps(run, [frame])
    if not maps:
        raise ReportError(f"{run.folder}: has no tiles of frame {frame}; it counted frames {run.frames}")
    metrics = [{"name": name, "unit": unit} for name, unit, _ in metrics_of(maps.values()) if name not in NOT_COSTS]
    return {"metrics": metrics, "passes": [maps[key] for key in sorted(maps)]}
