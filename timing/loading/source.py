"""Reading an activity: its manifest, and its tables frame by frame."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tilegpu.functional.activity.schema import FORMAT_VERSION, TABLES


class ActivityError(ValueError):
    """An activity that cannot be replayed; the message says what is wrong with it."""


class Source:
    """An activity on disk.

    Parameters
    ----------
    folder
        Folder with `manifest.json` and one Parquet file per table.

    Raises
    ------
    ActivityError
        If the folder holds no activity, one of another format version, or one without quads.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        try:
            self.manifest = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ActivityError(f"{folder} is no activity: cannot read manifest.json ({error})") from None
        if not isinstance(self.manifest, dict):
            raise ActivityError(f"{folder}/manifest.json: expected an object")
        version = self.manifest.get("format_version")
        if version != FORMAT_VERSION:
            raise ActivityError(f"{folder}: format version {version}, this program reads {FORMAT_VERSION}: record it again")
        if self.manifest.get("level") == "summary":
            raise ActivityError(f"{folder} was recorded at level summary, which has no quads: record at visible or all")
        self._files: dict[str, pq.ParquetFile] = {}
        self._groups: dict[str, dict[int, list[int]]] = {}

    def _file(self, name: str) -> pq.ParquetFile:
        if name not in self._files:
            path = self.folder / f"{name}.parquet"
            try:
                self._files[name] = pq.ParquetFile(path)
            except (OSError, pa.ArrowException) as error:
                raise ActivityError(f"{path}: {error}") from None
            missing = [c.name for c in TABLES[name].columns if c.name not in self._files[name].schema_arrow.names]
            if missing:
                raise ActivityError(f"{path}: column {missing[0]} is missing")
        return self._files[name]

    def recording(self, name: str) -> pa.Table:
        """Whole table of the recording."""
        return self._file(name).read()

    def frame(self, name: str, frame: int) -> pa.Table:
        """Rows of one frame."""
        file = self._file(name)
        if name not in self._groups:
            self._groups[name] = _groups_by_frame(file)
        groups = self._groups[name].get(frame, [])
        table = file.read_row_groups(groups) if groups else file.schema_arrow.empty_table()
        return table.filter(pc.equal(table["frame"], frame)).combine_chunks()

    @cached_property
    def frames(self) -> list[int]:
        """Numbers of the frames, ascending."""
        return [int(n) for n in self.recording("frames")["frame"].to_pylist()]


def _groups_by_frame(file: pq.ParquetFile) -> dict[int, list[int]]:
    """Row groups that may hold rows of each frame."""
    index = file.schema_arrow.names.index("frame")
    groups: dict[int, list[int]] = {}
    for g in range(file.metadata.num_row_groups):
        if file.metadata.row_group(g).num_rows == 0:
            continue
        statistics = file.metadata.row_group(g).column(index).statistics
        if statistics is not None and statistics.has_min_max and statistics.max - statistics.min < 4096:
            frames: Any = range(statistics.min, statistics.max + 1)
        else:
            frames = set(file.read_row_group(g, ["frame"])["frame"].to_pylist())
        for frame in frames:
            groups.setdefault(frame, []).append(g)
    return groups


def numbers(table: pa.Table, name: str, null: float = 0) -> np.ndarray[Any, Any]:
    """Column of numbers or flags as an array, nulls replaced."""
    column = table[name]
    if column.null_count:
        column = pc.fill_null(column, pa.scalar(null, column.type))
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    return np.ascontiguousarray(column.to_numpy())
