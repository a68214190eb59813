"""Characteristics of a workload, from its activity alone: the columns of the field's papers.

No hardware is in them but the size of the tiles that primitives are binned to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.errors import contradictions
from tilegpu.functional.activity.reader import Activity

from ..assembly.loader import Loader
from ..config.load import load_configuration
from ..loading.chosen_frames import Range, frames_in
from ..loading.source import numbers
from .draw_counts import Lengths, draw_counts, draws_of_quads, lanes_of
from .equal_tiles import EqualTiles, screen_tiles
from .hidden_fragments import hidden_fragments
from .workload_columns import COLUMNS, COUNTS

__all__ = ["COLUMNS", "COUNTS", "Workload", "workload"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Workload:
    """Counts per frame, and what follows from them.

    `counts` has a mapping per frame of `frames`, with the names of `COUNTS`; all are whole numbers but `alu_per_tex`.
    `draws` has, per frame, the counts of each draw (`draw_counts.draw_counts`, `hidden_fragments.hidden_fragments`).
    """

    name: str
    tile: tuple[int, int]
    frames: tuple[int, ...]
    counts: tuple[dict[str, float], ...]
    draws: tuple[dict[str, Array], ...] = ()

    def columns(self, frame: int | None = None) -> dict[str, float]:
        """The columns of one frame, or of all together; NaN where there is nothing to divide by."""
        counts = [c for f, c in zip(self.frames, self.counts, strict=True) if frame in (None, f)]
        total = {name: sum(c[name] for c in counts) for name in COUNTS}
        return {c.name: total[c.above] / total[c.below] if total[c.below] else float("nan") for c in COLUMNS}

    def table(self) -> pa.Table:
        """One row per frame: frame, counts, columns."""
        rows = [
            {"frame": f} | c | self.columns(f) for f, c in zip(self.frames, self.counts, strict=True)
        ]  # fmt: skip
        kinds = [("frame", pa.int32()), *((n, _kind(n)) for n in COUNTS), *((c.name, pa.float64()) for c in COLUMNS)]
        return pa.Table.from_pylist(rows, pa.schema(kinds))


def _kind(count: str) -> pa.DataType:
    return pa.float64() if count == "alu_per_tex" else pa.int64()


def workload(
    folder: Path,
    tile: tuple[int, int] = (32, 32),
    progress: Callable[[int, int], None] | None = None,
    wanted: Range | None = None,
) -> Workload:
    """Characterize an activity.

    Parameters
    ----------
    folder
        Activity of level `visible` or `all`.
    tile
        Width and height of a tile in pixels.
    progress
        Called with how many frames are done, of how many.
    wanted
        Range of frames; all by default.

    Raises
    ------
    ActivityError
        If the activity cannot be read.
    ConfigurationError
        If tiles cannot have that size.
    """
    configuration = load_configuration(
        "re-2019", ["techniques=rendering_elimination", f"tiles.width={tile[0]}", f"tiles.height={tile[1]}"]
    )
    loader = Loader(folder, configuration, draws_only=True)
    with contradictions(str(folder)):
        lengths, equal = Lengths(loader.source), EqualTiles(loader.source, tile)
    counts, draws = [], []
    frames = list(loader.frames) if wanted is None else frames_in(wanted, loader.frames, "--frames")
    for done, frame in enumerate(frames):
        if progress is not None:
            progress(done, len(frames))
        with contradictions(f"{folder}: frame {frame}"):
            of_draws = draw_counts(loader.source, frame, lengths)
            of_draws |= hidden_fragments(loader.source, frame, lengths)
            counts.append(_count(loader, frame, of_draws, equal))
        draws.append(of_draws)
    return Workload(loader.source.manifest.source_name, tile, tuple(frames), tuple(counts), tuple(draws))


def _count(loader: Loader, frame: int, of_draws: dict[str, Array], equal: EqualTiles) -> dict[str, float]:
    values: dict[str, float] = {name: int(counts.sum()) for name, counts in of_draws.items()}
    textured = of_draws["tex"] > 0
    tables = loader.load(frame)
    drawn = tables.binning.primitive["clear"][tables.tiling.entry["primitive"]] < 0
    values |= {
        "frames": 1,
        "draws": len(textured),
        "textured_draws": int(textured.sum()),
        "alu_per_tex": float((of_draws["alu"][textured] / of_draws["tex"][textured]).sum()),
        "binned": int(drawn.sum()),
        "tiles": len(tables.commands.tile),
        "screen_tiles": screen_tiles(loader.source, frame, equal.tile),
        **_pixels(loader.source, frame),
        **_compute(loader.source, frame),
        **equal.count(frame, tables),
    }
    return {name: values[name] for name in COUNTS}


def _compute(activity: Activity, frame: int) -> dict[str, int]:
    """Counts of dispatches."""
    names = ["dispatches", "invocations", "compute_instructions", "memory_accesses"]
    rows = [row for row in activity.frame("summary", frame, names).to_pylist() if row["dispatches"]]
    return {name: sum(row[name] for row in rows) for name in names}


def _pixels(activity: Activity, frame: int) -> dict[str, int]:
    """Pixels of the images drawn to, each once, and those that any fragment covers; pixels of the window."""
    window = activity.frame("frames", frame, ["width", "height"]).to_pylist()[0]
    passes = activity.frame("passes", frame, ["pass", "width", "height", "attachments"]).to_pylist()
    draws = activity.frame("draws", frame, ["draw", "pass"])
    drawn = set(draws["pass"].to_pylist())
    images: dict[Any, Array] = {}
    image_of_pass = {}
    for row in passes:
        if row["pass"] in drawn:
            first = next((a for a in row["attachments"] or ()), None)
            key = (first["surface"], first["level"], first["layer"]) if first else row["pass"]
            image_of_pass[row["pass"]] = key
            size = np.maximum((row["height"], row["width"]), images[key].shape if key in images else (0, 0))
            images[key] = np.zeros(size, bool)
    _cover(activity, frame, draws, image_of_pass, images)
    return {
        "pixels": sum(image.size for image in images.values()),
        "covered_pixels": sum(int(image.sum()) for image in images.values()),
        "screen_pixels": window["width"] * window["height"],
    }


def _cover(
    activity: Activity, frame: int, draws: pa.Table, image_of_pass: dict[int, Any], images: dict[Any, Array]
) -> None:
    """Mark the pixels that fragments cover."""
    quads = activity.frame("quads", frame, ["primitive", "x", "y", "coverage"])
    draw = draws_of_quads(activity, frame, draws, quads)
    render_pass = numbers(draws, "pass")[draw] if len(draw) else draw
    x, y = (2 * numbers(quads, axis).astype(np.int64) for axis in "xy")
    lanes = list(lanes_of(numbers(quads, "coverage")))
    for number, key in image_of_pass.items():
        here = render_pass == number
        for lane, covered in enumerate(lanes):
            drawn = here & covered
            images[key][y[drawn] + (lane >> 1), x[drawn] + (lane & 1)] = True
