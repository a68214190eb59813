"""First and last cycle of each dispatch of a frame: the rows of `dispatches.parquet`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.statistics import ResultTable

if TYPE_CHECKING:
    from ..engine.chip import Chip

SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("dispatch", pa.int32()),
        ("program", pa.int32()),
        ("groups", pa.int64()),
        ("warps", pa.int64()),
        ("shared_bytes", pa.int32()),
        ("first_cycle", pa.int64()),
        ("last_cycle", pa.int64()),
        ("cycles", pa.int64()),
    ]
)


def dispatch_rows(chip: Chip, own: Any, frame: int) -> pa.Table:
    """One row per dispatch of a frame that has just ended; `own` are the machine's tables."""
    rows = own.dispatch
    groups = rows["groups"].astype(np.int64)
    columns = {
        "frame": np.full(len(rows), frame),
        "dispatch": rows["number"],
        "program": rows["program"],
        "groups": groups,
        "warps": groups * rows["group_warps"],
        "shared_bytes": rows["shared_bytes"],
        "first_cycle": rows["first_cycle"] - chip.began,
        "last_cycle": rows["last_cycle"] - chip.began,
        "cycles": rows["last_cycle"] - rows["first_cycle"],
    }
    return pa.table([pa.array(columns[f.name], f.type) for f in SCHEMA], schema=SCHEMA)


TABLES = (
    ResultTable(
        "dispatches",
        "Dispatches in their order: cycles from the beginning of the frame, from when the first group of a dispatch "
        "may be launched to when its last group ends",
        SCHEMA,
        dispatch_rows,
    ),
)
