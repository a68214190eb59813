"""A table's file while it grows."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .output import naming

BUFFER_BYTES = 1 << 20
BATCH_VALUES = 1 << 16
"""Values of a column that are encoded at a time; a page holds several such batches, so that its size stays as it is."""


class TableFile:
    """A Parquet file that grows by row groups; what cannot be written ends in an OSError that names it.

    Parameters
    ----------
    path
        The file.
    schema
        Of its columns.
    options
        Of `pyarrow.parquet.ParquetWriter`.
    """

    def __init__(self, path: Path, schema: pa.Schema, **options: Any) -> None:
        self.path = path
        self._file = pa.OSFile(str(path), "wb")
        # Parquet writes each page of each column by itself: system calls would take as long as the encoding.
        self._buffer = pa.BufferedOutputStream(self._file, BUFFER_BYTES)
        self._writer = pq.ParquetWriter(self._buffer, schema, write_batch_size=BATCH_VALUES, **options)

    def write(self, table: pa.Table, rows: int) -> None:
        """Append row groups of so many rows."""
        with naming(self.path):
            self._writer.write_table(table, row_group_size=rows)

    def close(self) -> None:
        """Write what is left."""
        with naming(self.path):
            self._writer.close()
            self._buffer.close()

    def abandon(self) -> None:
        """Close a file that nobody wants."""
        if self._buffer.closed:
            return
        # What Arrow holds back goes nowhere: it would try to write it, and complain line by line where it cannot.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._file.fileno())
        os.close(nowhere)
        for part in (self._writer, self._buffer):
            with suppress(OSError, pa.ArrowException):
                part.close()
