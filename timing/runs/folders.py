"""Folders of results, of one run or of several, in the order in which they were given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from tilegpu.functional.activity.arrow_files import read_parquet

from ..results.results import ResultsError

TABLE = "runs.parquet"
"""Table in a folder that holds several runs."""
BASELINE = b"tilegpu.baseline"
"""Key of the schema's metadata with the run that the others were compared with."""


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Key by which numbers in names sort as numbers."""
    parts = re.split(r"([0-9]+)", text)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def with_baseline(table: pa.Table, baseline: str) -> pa.Table:
    """The table of runs, with the name of the run that the others are compared with."""
    return table.replace_schema_metadata({BASELINE: baseline.encode()})


def run_folders(folder: Path) -> list[Path]:
    """Folders of results in a folder: itself, or those of its runs, the baseline first and the others as given.

    Raises
    ------
    ResultsError
        If it holds no results.
    """
    if (folder / "stats.json").is_file():
        return [folder]
    if not folder.is_dir():
        raise ResultsError(f"{folder}: no such folder; name one that `tilegpu replay -o` wrote")
    names, baseline = _planned(folder / TABLE)
    folders = sorted((path.parent for path in folder.glob("*/stats.json")), key=lambda path: natural(path.name))
    if not folders:
        raise ResultsError(f"{folder}: holds no results of `tilegpu replay`")
    place = {name: number for number, name in enumerate(names)} | {baseline: -1}
    return sorted(folders, key=lambda path: place.get(path.name, len(names)))


def several_folders(folders: Sequence[Path], baseline: str = "") -> dict[str, Path]:
    """All runs of folders, by names that distinguish them, the baseline first and the others as given.

    Parameters
    ----------
    folders
        Of one run or of several.
    baseline
        Name of a run; the first by default.

    Raises
    ------
    ResultsError
        If a folder holds no results, or there is no such run.
    """
    names: dict[str, Path] = {}
    for folder in (run for given in folders for run in run_folders(given)):
        name = folder.resolve().name
        if name in names:
            name = str(folder)
        while name in names:
            name += "'"
        names[name] = folder
    if not baseline:
        return names
    if baseline not in names:
        raise ResultsError(f"--baseline {baseline}: no such run; there are {', '.join(list(names)[:20])}")
    return {baseline: names[baseline]} | names


def _planned(path: Path) -> tuple[list[str], str]:
    """Names of the runs as given, and of their baseline; none where the table cannot be read."""
    with suppress(OSError, pa.ArrowException):
        table: Any = read_parquet(path, columns=["run"])
        baseline = (table.schema.metadata or {}).get(BASELINE, b"").decode("utf-8", "replace")
        return table["run"].unique().to_pylist(), baseline
    return [], ""
