"""A table's file while it is being written."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .arrow_files import arrow_output
from .output import naming

BUFFER_BYTES = 1 << 20
BATCH_VALUES = 1 << 16
"""Values of a column that are encoded at a time; a page holds several such batches, so its size is not affected."""


class TableFile:
    """A Parquet file that grows by row groups; failures to write raise an OSError that names it.

    Parameters
    ----------
    path
        The file.
    schema
        Schema of its columns.
    options
        Options of `pyarrow.parquet.ParquetWriter`.
    """

    def __init__(self, path: Path, schema: pa.Schema, **options: Any) -> None:
        self.path = path
        self._file = arrow_output(path)
        # Parquet writes each page of each column separately: system calls would take as long as the encoding.
        self._buffer = pa.BufferedOutputStream(self._file, BUFFER_BYTES)
        self._writer = pq.ParquetWriter(self._buffer, schema, write_batch_size=BATCH_VALUES, **options)

    def write(self, table: pa.Table, rows: int) -> None:
        """Append row groups of a number of rows."""
        with naming(self.path):
            self._writer.write_table(table, row_group_size=rows)

    def close(self) -> None:
        """Write the rest."""
        with naming(self.path):
            self._writer.close()
            self._buffer.close()

    def abandon(self) -> None:
        """Close an abandoned file."""
        if self._buffer.closed:
            return
        # Buffered data are discarded with the file closed: Arrow would write them and print an error for each failure.
        for part in (self._file, self._writer, self._buffer):
            with suppress(OSError, pa.ArrowException):
                part.close()
