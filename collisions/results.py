"""Outcome of collision detection, as files: pairs as Parquet; counts, time and energy as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from tilegpu.functional.activity.arrow_files import write_parquet
from tilegpu.functional.activity.output import check_place, naming, whole_folder
from tilegpu.functional.errors import UserError

from .detection import Detection, FrameDetection, Phase
from .sensitivity import TOTALS, Outcome

PAIRS, COUNTS = "cpu_collisions.parquet", "cpu_collisions.json"
SCHEMA = pa.schema(
    [
        pa.field("frame", pa.int32(), False),
        pa.field("object_a", pa.string(), False),
        pa.field("object_b", pa.string(), False),
        pa.field("broad", pa.bool_(), False),
        pa.field("narrow", pa.bool_(), True),
    ]
)


class ResultsError(UserError):
    """Results that cannot be written."""


def check_folder(folder: Path, replace: bool) -> None:
    """ResultsError if results must not be written there, OSError if they cannot be."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if not (folder / COUNTS).is_file():
            raise ResultsError(f"{folder}: exists and holds no collisions; choose another folder")
        if not replace:
            raise ResultsError(f"{folder}: holds collisions already; choose another folder or pass --force")
    check_place(folder)


def write(
    folder: Path,
    detection: Detection,
    outcomes: Sequence[Outcome] = (),
    replace: bool = False,
    beside: Callable[[Path], None] | None = None,
) -> None:
    """Write a folder, which appears when it is whole.

    Parameters
    ----------
    folder
        Gets `cpu_collisions.parquet`, a row per overlapping pair and frame, and `cpu_collisions.json`.
    detection
        Outcome to write.
    outcomes
        Of `sensitivity`.
    replace
        Whether existing results may be replaced.
    beside
        Writes what else belongs into the folder.

    Raises
    ------
    ResultsError
        If they are not to be replaced.
    OSError
        If they cannot be written; names the file.
    """
    check_folder(folder, replace)
    with whole_folder(folder) as partial:
        with naming(partial / PAIRS):
            write_parquet(pairs_table(detection), partial / PAIRS, compression="zstd")
        with naming(partial / COUNTS):
            (partial / COUNTS).write_text(json.dumps(as_json(detection, outcomes), indent=1) + "\n", "utf-8")
        if beside is not None:
            beside(partial)


def pairs_table(detection: Detection) -> pa.Table:
    """A row per pair whose boxes overlap; `narrow` is null where this was not checked."""
    rows = [{"frame": frame.frame} | asdict(pair) for frame in detection.frames for pair in frame.pairs]
    return pa.Table.from_pylist(rows, SCHEMA)


def as_json(detection: Detection, outcomes: Sequence[Outcome] = ()) -> dict[str, Any]:
    """Everything but the pairs."""
    options = detection.options
    return {
        "format": "tilegpu-cpu-collisions",
        "format_version": 1,
        "source": detection.source,
        "world_matrix": options.world_matrix,
        "position": options.position,
        "grouping": options.grouping,
        "narrow_phase": options.narrow,
        "cpu": options.cpu.model_dump(mode="json"),
        "totals": {name: detection.total(name) for name in TOTALS},
        "frames": [_frame(frame) for frame in detection.frames],
        "sensitivity": [asdict(outcome) for outcome in outcomes],
    }


def _frame(frame: FrameDetection) -> dict[str, Any]:
    return {
        "frame": frame.frame,
        "objects": frame.objects,
        "vertices": frame.vertices,
        "counts": frame.counts,
        "broad": _phase(frame.broad),
        "narrow": _phase(frame.narrow),
    }


def _phase(phase: Phase) -> dict[str, Any]:
    return {
        "seconds": phase.time.seconds,
        "joules": phase.energy.joules,
        "issue_cycles": phase.time.issue_cycles,
        "stall_cycles": phase.time.stall_cycles,
        "energy": phase.energy.as_json(),
    }
