"""Results of several runs, side by side: a tidy table, and comparisons with one of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.arrow_files import read_parquet

from ..config.schema import Configuration
from ..results.results import ResultsError
from ..results.statistics import statistics
from .plan import Run

Json = dict[str, Any]


def read_results(folder: Path) -> Json:
    """The stats.json of a run.

    Raises
    ------
    ResultsError
        If it is not there, or is something else.
    """
    path = folder / "stats.json"
    try:
        results = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ResultsError(f"{path}: not readable ({error})") from None
    if not isinstance(results, dict) or results.get("format") != "tilegpu-results":
        raise ResultsError(f"{path}: no results of a replay")
    return results


def fills_of(results: Json) -> dict[str, dict[int, int]]:
    """`first_fills` of a run that was written; none if an earlier version wrote it."""
    return {
        kind: {int(frame): int(count) for frame, count in by_frame.items()}
        for kind, by_frame in results.get("l2_first_fills", {}).items()
    }


def is_finished(
    folder: Path,
    run: Run,
    source: dict[str, str],
    frames: Sequence[int],
    warm_up: int,
    check_images: bool = False,
    files: Sequence[str] = (),
) -> bool:
    """Whether the folder holds what this very run would give: same hardware, capture and frames.

    Parameters
    ----------
    folder, run, source
        Folder, run, name and hash of the capture.
    frames
        Frames that count.
    warm_up
        How many others were drawn.
    check_images
        Whether it has to have compared pictures.
    files
        Files that it has to have, too.
    """
    try:
        results = read_results(folder)
        counted = [row["frame"] for row in results["frames"]]
        # What an earlier version did not know yet is as it was without it.
        same = Configuration.model_validate_json(json.dumps(results["configuration"])) == run.configuration
    except (ResultsError, KeyError, TypeError, ValueError):
        return False
    return bool(
        same
        # By content: the same capture may lie under another name.
        and results.get("source", {}).get("sha256") == source["sha256"]
        and counted == list(frames)
        and results.get("warm_up_frames") == warm_up
        and (results.get("checked_images") is True or not check_images)
        and set(results.get("statistics", ())) == {stat.name for stat in statistics(run.configuration)}
        and all((folder / name).is_file() for name in ("energy.parquet", *files))
    )


def tidy(folder: Path, runs: Sequence[Run]) -> pa.Table:
    """One row per run and frame: the run's name, what varied, the frame, energy in pJ, every statistic.

    Parameters
    ----------
    folder
        Holds a folder of results per run, named as the run; runs without are left out.
    """
    rows = []
    varied = list(dict.fromkeys(name for run in runs for name in run.varied))
    kinds_of = {name: _type([run.varied.get(name) for run in runs]) for name in varied}
    for run in runs:
        run_folder = folder / run.name
        if not (run_folder / "stats.json").is_file():
            continue
        energy = read_parquet(run_folder / "energy.parquet")
        total = pc.add(energy["dynamic_pj"], energy["static_pj"])
        by_frame = pa.table({"frame": energy["frame"], "pj": total}).group_by("frame").aggregate([("pj", "sum")])
        of_frame = dict(zip(by_frame["frame"].to_pylist(), by_frame["pj_sum"].to_pylist(), strict=True))
        for values in read_results(run_folder)["frames"]:
            row = {"run": run.name} | {name: _value(run.varied.get(name), kinds_of[name]) for name in varied}
            rows.append(row | {"frame": values["frame"], "energy_pj": of_frame.get(values["frame"])} | values)
    names = list(dict.fromkeys(stat.name for run in runs for stat in statistics(run.configuration)))
    text: list[tuple[str, pa.DataType]] = [("run", pa.string()), *kinds_of.items()]
    kinds = [*text, ("frame", pa.int32()), ("energy_pj", pa.float64()), *((name, pa.float64()) for name in names)]
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def _value(value: Any, kind: pa.DataType) -> Any:
    return str(value) if value is not None and pa.types.is_string(kind) else value


def _type(values: Sequence[Any]) -> pa.DataType:
    """Type of a column of what varies."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64()
    return pa.float64() if kinds <= {int, float} else pa.string()


def comparison(run: Json, baseline: Json) -> pa.Table:
    """Every statistic of a run over all frames next to the baseline's: name, unit, value, baseline, ratio.

    The ratio is null where the baseline's value is 0; a statistic that the baseline does not have is 0 there.
    """
    names = list(run["statistics"])
    values = [float(run["totals"][name]) for name in names]
    others = [float(baseline["totals"].get(name, 0.0)) for name in names]
    return pa.table(
        {
            "name": pa.array(names, pa.string()),
            "unit": pa.array([run["statistics"][name]["unit"] for name in names], pa.string()),
            "value": pa.array(values, pa.float64()),
            "baseline": pa.array(others, pa.float64()),
            "ratio": pa.array([v / o if o else None for v, o in zip(values, others, strict=True)], pa.float64()),
        }
    )
