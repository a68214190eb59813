"""Writes an activity: tables grow frame by frame under a temporary name; the folder is renamed when it is complete."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa

from .errors import ActivityError
from .manifest import NAME, Manifest
from .output import Partial, naming
from .schema import TABLES, Column, Table
from .table_file import TableFile


def column_array(table: Table, name: str, values: Any, rows: int) -> pa.Array:
    """One column as an Arrow array of its declared type.

    Parameters
    ----------
    table, name
        The column.
    values
        numpy array, Arrow array, list, or None for a column without values.
    rows
        Expected length.
    """
    kind = table.column(name).type
    if values is None:
        return pa.nulls(rows, kind)
    if isinstance(values, pa.Array):
        return values if values.type == kind else values.cast(kind)
    if isinstance(values, np.ndarray) and values.ndim == 2:
        flat = pa.array(np.ascontiguousarray(values).reshape(-1), kind.value_type)
        return pa.ListArray.from_arrays(pa.array(np.arange(rows + 1, dtype=np.int32) * values.shape[1]), flat).cast(
            kind
        )
    return pa.array(values, kind)


def is_number(kind: pa.DataType) -> bool:
    """Whether values take several bytes in a file."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _leaf(column: Column) -> str:
    """Path of the values in Parquet's schema, for a column of plain values or of lists of them."""
    return f"{column.name}.list.element" if pa.types.is_list(column.type) else column.name


def _leaf_type(column: Column) -> pa.DataType:
    return column.type.value_type if pa.types.is_list(column.type) else column.type


def check_folder(folder: Path, replace: bool) -> None:
    """ActivityError if a folder exists and may not be replaced, or is not an activity."""
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        if not (folder / NAME).is_file():
            raise ActivityError(f"{folder}: exists and is not an activity; choose another folder")
        if not replace:
            raise ActivityError(f"{folder}: already holds an activity; choose another folder or pass --force")


class ActivityWriter:
    """Writes an activity.

    Parameters
    ----------
    folder
        Folder to create; it may exist only if `replace` is set, and is replaced when the new one is complete.
    replace
        Whether an existing activity may be replaced.
    groups
        Optional groups of columns to write.

    Raises
    ------
    ActivityError
        The folder exists and may not be replaced, or is not an activity.
    """

    def __init__(self, folder: Path, replace: bool = False, groups: Collection[str] = ()) -> None:
        self.folder = folder
        check_folder(folder, replace)
        self.rows = dict.fromkeys(TABLES, 0)
        self._columns = {name: table.columns_with(groups) for name, table in TABLES.items()}
        self._schemas = {name: table.schema(groups) for name, table in TABLES.items()}
        self._output: Partial | None = Partial(folder, folder=True)
        self.partial = self._output.path
        self._files: dict[str, TableFile] = {}
        try:
            for name, table in TABLES.items():
                self._files[name] = self._open(table)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def write(self, name: str, columns: Mapping[str, Any]) -> None:
        """Append one row group; columns that are left out must be nullable."""
        table = TABLES[name]
        rows = max((len(v) for v in columns.values() if v is not None), default=0)
        declared = self._columns[name]
        arrays = [column_array(table, c.name, columns.get(c.name), rows) for c in declared]
        missing = [c.name for c in declared if c.name not in columns and not c.nullable]
        if missing and rows:
            raise ActivityError(f"{name}: no values for {', '.join(missing)}")
        self._files[name].write(pa.Table.from_arrays(arrays, schema=self._schemas[name]), max(rows, 1))
        self.rows[name] += rows

    def _open(self, table: Table) -> TableFile:
        # Of what was measured on recorded frames, bytes of equal weight side by side are the cheapest to write, several
        # times cheaper than dictionaries or deltas, and about as small; what runs or repeats needs nothing before LZ4;
        # Zstandard takes twice as long and is worth it for small numbers of both signs alone, of which it makes half.
        columns = self._columns[table.name]
        split = {
            _leaf(c): "BYTE_STREAM_SPLIT"
            for c in columns
            if is_number(_leaf_type(c)) and c.encoding in ("plain", "ascending", "small")
        }
        small = any(c.encoding == "small" for c in columns)
        runs = [c.name for c in columns if c.encoding == "runs" and pa.types.is_string(c.type)]
        return TableFile(
            self.partial / f"{table.name}.parquet",
            self._schemas[table.name],
            compression={_leaf(c): "zstd" if c.encoding == "small" else "lz4" for c in columns} if small else "lz4",
            use_dictionary=runs or False,
            column_encoding=split or None,
            write_statistics=["frame"] if table.scope == "frame" else False,
        )

    def finish(self, manifest: Manifest) -> None:
        """Close all tables, write the manifest and give the folder its name."""
        assert self._output is not None
        for file in self._files.values():
            file.close()
        text = json.dumps(manifest.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"
        with naming(self.partial / NAME):
            (self.partial / NAME).write_text(text)
        self._output.keep()
        self._output = None

    def __enter__(self) -> ActivityWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        output, self._output = self._output, None
        if output is None:
            return
        for file in self._files.values():
            file.abandon()
        output.drop()
        if isinstance(error, OSError):
            raise output.renamed(error) from None
