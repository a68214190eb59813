"""Table of results: what each kind of masters moves over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.statistics import ResultTable

from ...memory.masters import CLASSES

if TYPE_CHECKING:
    from ...engine.chip import Chip


PHASES = ("rests", "pauses", "computes", "ready", "renders")
SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("cycle", pa.int64()),
        ("cycles", pa.int64()),
        ("phase", pa.string()),
        *((f"{kind}_bytes", pa.int64()) for kind in CLASSES),
    ]
)


def rows(chip: Chip, own: Any, frame: int) -> pa.Table:
    """Intervals that ended while a frame was under way."""
    pacing = chip.gpu.frame_pacing
    intervals = [pacing.interval[k] for k in range(int(pacing.intervals))]
    columns: dict[str, Any] = {
        "frame": np.full(len(intervals), frame, np.int32),
        "cycle": [int(row.cycle) for row in intervals],
        "cycles": [int(row.cycles) for row in intervals],
        "phase": [PHASES[int(row.phase)] for row in intervals],
    }
    columns |= {f"{kind}_bytes": [int(row.bytes[k]) for row in intervals] for k, kind in enumerate(CLASSES)}
    return pa.table(columns, schema=SCHEMA)


TABLES = (
    ResultTable(
        "bandwidth",
        "Bandwidth: bytes that main memory took from the GPU, CPU cores and the display in each interval, from a "
        "cycle on; phase: where the frame was when the interval ended",
        SCHEMA,
        rows,
    ),
)
