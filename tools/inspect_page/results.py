"""Costs of tiles, and objects that collide, of a frame from the results of a replay."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from ..collision_pictures import TABLE, pixel_counts, read_collisions
from ..report.runs import ReportError, read_runs
from ..report.tiles import METRICS, tile_maps

NOT_COSTS = frozenset({"tile", "raster_unit"})


def frame_results(folder: Path, capture: Path, frame: int) -> dict[str, Any]:
    """Costs of tiles, and pairs of labels of objects that collide with the number of pixels where they do; no pairs
    without an RBCD unit. See `frame_tiles` for errors."""
    pairs: list[tuple[str, str, int]] = []
    tiles = frame_tiles(folder, capture, frame)
    if (folder / TABLE).is_file():
        counts = pixel_counts(read_collisions(folder)[1])
        pairs = [(a, b, count) for (number, a, b), count in sorted(counts.items()) if number == frame]
    return {"tiles": tiles, "collisions": pairs}


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
