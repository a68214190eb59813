"""Reads an activity: tables by name, whole or one frame at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .arrow_files import arrow_input
from .errors import ActivityError
from .manifest import read_manifest
from .schema import TABLES


class Activity:
    """An activity folder, checked when opened.

    Parameters
    ----------
    folder
        Written by `tilegpu trace`.

    Attributes
    ----------
    manifest
        What was recorded, from which source, and how.

    Raises
    ------
    ActivityError
        The folder is not an activity, or a table is missing, damaged or has other columns than declared.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)
        self._files: dict[str, pq.ParquetFile] = {}
        groups = [(group, count == 1) for group, count in enumerate(self.manifest.row_groups) for _ in range(count)]
        self._places = dict(zip(self.manifest.frames, groups, strict=True))
        """Row group of each frame, and whether it holds no other."""
        self._latest: dict[tuple[str, tuple[str, ...] | None], tuple[int, pa.Table]] = {}
        for name in TABLES:
            self._check(name)

    def _check(self, name: str) -> None:
        path = self.folder / f"{name}.parquet"
        with _reading(path):
            file = pq.ParquetFile(arrow_input(path))
        table = TABLES[name]
        declared = {c.name: c.type for c in table.columns_with(self.manifest.groups)}
        types = {f.name: f.type for f in file.schema_arrow}
        for column, kind in declared.items():
            if column not in types:
                raise ActivityError(f"{path}: has no column {column}; record the activity again with `tilegpu trace`")
            if not _same(types[column], kind):
                raise ActivityError(
                    f"{path}: column {column} is {types[column]}, not {kind}; record the activity again"
                )
        expected = len(self.manifest.row_groups) if table.scope == "frame" else 1
        if file.num_row_groups != expected or file.metadata.num_rows != self.manifest.rows.get(name):
            raise ActivityError(f"{path}: does not match the manifest; record the activity again with `tilegpu trace`")
        self._files[name] = file

    @property
    def frames(self) -> tuple[int, ...]:
        """Numbers of the recorded frames."""
        return self.manifest.frames

    def frame(self, name: str, frame: int, columns: list[str] | None = None) -> pa.Table:
        """Rows of one frame of a table.

        Parameters
        ----------
        name, frame
            Name of the table, and number of the frame in the source.
        columns
            Columns to read; all by default.

        Raises
        ------
        KeyError
            The frame was not recorded.
        ActivityError
            The frames of a row group differ from those in the manifest, or are in another order.
        """
        if frame not in self._places:
            raise KeyError(f"{self.folder}: frame {frame} was not recorded")
        group, alone = self._places[frame]
        if alone:
            return self._read_row_group(name, group, columns)
        rows = self._row_group(name, group, columns)
        numbers = rows["frame"].to_numpy()
        first, last = np.searchsorted(numbers, (frame, frame + 1))
        of_frame = rows.slice(first, last - first)
        return of_frame if columns is None or "frame" in columns else of_frame.drop_columns("frame")

    def _row_group(self, name: str, group: int, columns: list[str] | None) -> pa.Table:
        """A row group of several frames; the latest is kept, because its other frames are likely to be read next."""
        key = name, None if columns is None else tuple(columns)
        latest = self._latest.get(key)
        if latest is None or latest[0] != group:
            wanted = columns if columns is None or "frame" in columns else [*columns, "frame"]
            latest = self._latest[key] = group, self._read_row_group(name, group, wanted)
            self._check_frames(name, group, latest[1]["frame"])
        return latest[1]

    def _read_row_group(self, name: str, group: int, columns: list[str] | None) -> pa.Table:
        with _reading(self.folder / f"{name}.parquet"):
            return self._files[name].read_row_group(group, columns)

    def _check_frames(self, name: str, group: int, numbers: pa.ChunkedArray) -> None:
        frames = [frame for frame, (number, _) in self._places.items() if number == group]
        values = numbers.to_numpy()
        if numbers.null_count or not np.isin(values, frames).all() or (np.diff(values) < 0).any():
            raise ActivityError(
                f"{self.folder / f'{name}.parquet'}: frames are not those of the manifest; record the activity again"
            )

    def table(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """A whole table."""
        with _reading(self.folder / f"{name}.parquet"):
            return self._files[name].read(columns)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn errors of reading a table into an ActivityError that names it."""
    try:
        yield
    except FileNotFoundError:
        raise ActivityError(f"{path}: missing; record the activity again with `tilegpu trace`") from None
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
        raise ActivityError(f"{path}: not a readable Parquet file ({str(error).splitlines()[0]})") from None


def _same(type_in_file: pa.DataType, declared: pa.DataType) -> bool:
    """Equal types; names of list elements and nullability inside nested types may differ."""
    if pa.types.is_list(type_in_file) and pa.types.is_list(declared):
        return _same(type_in_file.value_type, declared.value_type)
    if pa.types.is_struct(type_in_file) and pa.types.is_struct(declared):
        return [f.name for f in type_in_file] == [f.name for f in declared] and all(
            _same(a.type, b.type) for a, b in zip(type_in_file, declared, strict=True)
        )
    return bool(type_in_file.equals(declared))
