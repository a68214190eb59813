"""Request streams in files: DRAMsim3's text traces, Parquet and npz."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .simulate import Stream

KINDS = {b"READ": 0, b"R": 0, b"P_MEM_RD": 0, b"P_FETCH": 0, b"WRITE": 1, b"W": 1, b"P_MEM_WR": 1, b"BOFF": 1}


class StreamError(ValueError):
    """A trace that cannot be read; the message names the file and the line."""


def read_stream(path: Path) -> Stream:
    """Read a request stream.

    Parameters
    ----------
    path
        `.parquet` with columns `address`, `write` and `cycle` (0 for all where it is missing); or text, one request
        per line: `0xADDRESS READ|WRITE cycle`.

    Raises
    ------
    StreamError
        If it holds no such requests.
    """
    if path.suffix == ".parquet":
        return _parquet(path)
    address, write, cycle = [], [], []
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
    try:
        return Stream(np.array(address, np.int64), np.array(write, np.int32), np.array(cycle, np.int64))
    except OverflowError:
        raise StreamError(f"{path}: an address or cycle of more than 63 bits") from None


def _parquet(path: Path) -> Stream:
    try:
        table = pq.read_table(path)
        names = set(table.column_names)
        if not {"address", "write"} <= names:
            raise StreamError(f"{path}: expected the columns address, write and cycle")
        address = pc.cast(table["address"], pa.int64()).to_numpy()
        write = pc.cast(table["write"], pa.int32()).to_numpy()
        cycle = pc.cast(table["cycle"], pa.int64()).to_numpy() if "cycle" in names else np.zeros(len(table), np.int64)
    except (pa.ArrowException, TypeError) as error:
        raise StreamError(f"{path}: {' '.join(str(error).split())}") from None
    return Stream(address, (write != 0).astype(np.int32), cycle)
