"""Files for Arrow, which takes only names that are UTF-8; others are opened by Python, which is slower."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def arrow_input(path: Path) -> str | pa.NativeFile:
    """Sources from which Arrow reads a file."""
    return str(path) if _is_utf8(path) else pa.PythonFile(path.open("rb"), "r")


def arrow_output(path: Path) -> pa.NativeFile:
    """A file that Arrow writes."""
    return pa.OSFile(str(path), "wb") if _is_utf8(path) else pa.PythonFile(path.open("wb"), "w")


@contextmanager
def written(path: Path) -> Iterator[pa.NativeFile]:
    """A file that Arrow writes in this block."""
    with arrow_output(path) as file:
        yield file


def read_parquet(path: Path, columns: list[str] | None = None) -> pa.Table:
    """A Parquet file as a table."""
    return pq.read_table(arrow_input(path), columns=columns)


def write_parquet(table: pa.Table, path: Path, **options: Any) -> None:
    """Write a table to a Parquet file."""
    with written(path) as file:
        pq.write_table(table, file, **options)


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
