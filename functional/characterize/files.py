"""Files of a characterization: Parquet tables and a manifest, in a folder that appears when they are complete."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..activity.arrow_files import read_parquet
from ..activity.output import Partial
from ..activity.table_file import TableFile
from ..dependencies.operations import Operations
from .manifest import NAME, CharacterizationError, Manifest, check_folder, read_manifest
from .schema import TABLES, schema_of
from .stored import operations_of
from .used_blocks import KINDS, BlockKind

ROWS = 1 << 16
"""Rows of a table that are written at once."""
LARGE_ROWS = 1 << 10
"""Of tables with blocks or lists, where each row may take some kilobytes."""
_LARGE = frozenset(kind.table for kind in KINDS) | {"tile_lists"}


class Writer:
    """Writes the tables; an interrupted run leaves none.

    Parameters
    ----------
    folder
        Folder to create.
    metadata
        Of the tables' files.
    replace
        Whether a characterization already there may be replaced.
    """

    def __init__(self, folder: Path, metadata: dict[str, str], replace: bool) -> None:
        check_folder(folder, replace)
        self._partial = Partial(folder, folder=True)
        self.rows = dict.fromkeys(TABLES, 0)
        self._schemas = {name: schema_of(name, metadata) for name in TABLES}
        self._files: dict[str, TableFile] = {}
        self._waiting: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}

    def __enter__(self) -> Writer:
        for name, schema in self._schemas.items():
            path = self._partial.path / f"{name}.parquet"
            self._files[name] = TableFile(path, schema, compression="zstd")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.abandon()
        self._partial.drop()
        if isinstance(error, OSError):
            raise self._partial.renamed(error) from None

    def add(self, name: str, rows: list[dict[str, Any]]) -> None:
        """Append rows of a table."""
        waiting = self._waiting[name]
        waiting += rows
        self.rows[name] += len(rows)
        if len(waiting) >= (LARGE_ROWS if name in _LARGE else ROWS):
            self._write(name)

    def _write(self, name: str) -> None:
        waiting = self._waiting[name]
        if waiting:
            self._files[name].write(pa.Table.from_pylist(waiting, self._schemas[name]), len(waiting))
            waiting.clear()

    def finish(self, manifest: Manifest) -> None:
        """Write the rest and give the folder its name."""
        for name, file in self._files.items():
            self._write(name)
            file.close()
        (self._partial.path / NAME).write_text(manifest.model_dump_json(indent=1) + "\n")
        self._partial.keep()


class Characterization:
    """A characterization that was written.

    Parameters
    ----------
    folder
        Its folder.

    Attributes
    ----------
    manifest
        What was counted.
    frames, programs
        The tables.

    Raises
    ------
    CharacterizationError
        If the folder is none, or a table is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.manifest = folder, read_manifest(folder)
        self.frames, self.programs = self._table("frames"), self._table("programs")

    def operations(self) -> Operations:
        """Operations of the stream up to the last frame; CharacterizationError if they are missing or damaged."""
        last = self.manifest.first_frame + self.manifest.frames
        return operations_of(self._table("operations"), self._table("accesses"), last)

    def blocks(self, kind: BlockKind) -> pa.Table:
        """The table of blocks of a kind; CharacterizationError if it is missing or damaged."""
        return self._table(kind.table)

    def tile_lists(self) -> pa.Table:
        """The table of tiles' lists; CharacterizationError if it is missing or damaged."""
        table = self._table("tile_lists")
        tiles = pc.multiply(table["columns"], table["rows"])
        if not pc.all(pc.equal(tiles, pc.list_value_length(table["entries"])), min_count=0).as_py():
            raise CharacterizationError(
                f"{self.folder}: lists and tiles differ in number; characterize the capture again"
            )
        return table

    def blocks_used(self, kind: BlockKind) -> int:
        """Number of blocks of a kind that the frames use."""
        return sum(self.frames[kind.first_used].to_pylist())

    def _table(self, name: str) -> pa.Table:
        path = self.folder / f"{name}.parquet"
        try:
            table = read_parquet(path)
        except (OSError, pa.ArrowException) as error:
            reason = (str(error).splitlines() or ["damaged"])[0]
            raise CharacterizationError(f"{path}: cannot be read ({reason}); characterize the capture again") from None
        missing = [c.name for c in TABLES[name] if c.name not in table.column_names]
        if missing or len(table) != self.manifest.rows.get(name):
            raise CharacterizationError(
                f"{path}: is not the table that {NAME} describes; characterize the capture again"
            )
        return table
