"""Request streams in files: DRAMsim3's text traces, and Parquet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.arrow_files import read_parquet

from .dram import Column, Stream, StreamError

KINDS = {b"READ": 0, b"R": 0, b"P_MEM_RD": 0, b"P_FETCH": 0, b"WRITE": 1, b"W": 1, b"P_MEM_WR": 1, b"BOFF": 1}


def read_stream(path: Path) -> Stream:
    """Read a request stream.

    Parameters
    ----------
    path
        `.parquet` with columns `address`, `write`, `cycle` (0 for all where it is missing) and, for the policy
        `priority`, `urgency`; or text, one request per line: `0xADDRESS READ|WRITE cycle`.

    Raises
    ------
    StreamError
        If it holds no such requests; the message names the file and the line, or the row from 0.
    """
    return _parquet(path) if path.suffix == ".parquet" else _text(path)


def _text(path: Path) -> Stream:
    address, write, cycle, lines = [], [], [], []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            parts = line.split()
            if not parts:
                continue
            try:
                address.append(int(parts[0], 16))
                write.append(KINDS[parts[1].upper()])
                cycle.append(int(parts[2]))
            except (ValueError, IndexError, KeyError):
                raise StreamError(f"{path}:{number}: expected `0xADDRESS READ|WRITE cycle`") from None
            lines.append(number)
    try:
        return Stream(_column(address, "an address"), np.array(write, np.int32), _column(cycle, "a cycle"))
    except StreamError as error:
        where = "" if error.request is None else f":{lines[error.request]}"
        raise StreamError(f"{path}{where}: {error}", error.request) from None


def _column(values: list[int], what: str) -> Column:
    try:
        return np.array(values, np.int64)
    except OverflowError:
        wide = next(i for i, value in enumerate(values) if value.bit_length() > 63)
        raise StreamError(f"{what} of more than 63 bits", wide) from None


def _parquet(path: Path) -> Stream:
    try:
        table = read_parquet(path)
        names = set(table.column_names)
        if not {"address", "write"} <= names:
            raise StreamError("expected the columns address, write and cycle")
        address = _values(table, "address", pa.int64())
        write = _values(table, "write", pa.int32())
        cycle = _values(table, "cycle", pa.int64()) if "cycle" in names else np.zeros(len(table), np.int64)
        urgency = _values(table, "urgency", pa.int64()) if "urgency" in names else None
        return Stream(address, (write != 0).astype(np.int32), cycle, urgency)
    except (pa.ArrowException, TypeError) as error:
        raise StreamError(f"{path}: {' '.join(str(error).split())}") from None
    except StreamError as error:
        where = "" if error.request is None else f": row {error.request}"
        raise StreamError(f"{path}{where}: {error}", error.request) from None


def _values(table: pa.Table, name: str, kind: pa.DataType) -> Column:
    column = table[name]
    if column.null_count:
        raise StreamError(f"column {name} is empty", int(pc.is_null(column).to_numpy().argmax()))
    try:
        values: Column = pc.cast(column, kind).to_numpy()
    except pa.ArrowException as error:
        raise StreamError(f"column {name}: {error}") from None
    return values
