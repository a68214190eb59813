"""Tables that techniques have among the results."""

from __future__ import annotations

import pyarrow as pa

from ..engine.build import Chip
from ..engine.frame import Frame


def technique_rows(chip: Chip, frame: Frame, number: int) -> dict[str, pa.Table]:
    """Tables of all techniques for a frame that has just ended, by the names of their files."""
    loads = [technique for technique in chip.techniques if technique.load is not None]
    return {
        table.name: table.rows(chip, own, number)
        for technique, own in zip(loads, frame.extra, strict=True)
        for table in technique.results
    }
