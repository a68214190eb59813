"""Tables that machines and techniques have among the results."""

from __future__ import annotations

import pyarrow as pa

from ..engine.chip import Chip
from ..engine.frame import Frame


def technique_rows(chip: Chip, frame: Frame, number: int) -> dict[str, pa.Table]:
    """Tables of the machine and of all techniques for a frame that has just ended, by the names of their files."""
    own = iter(frame.extra)
    tables = {technique.name: () if technique.load is None else next(own) for technique in chip.techniques}
    of_machine = {table.name: table.rows(chip, frame.machine, number) for table in chip.machine.results}
    return {name: rows for name, rows in of_machine.items() if len(rows)} | {
        table.name: table.rows(chip, tables[technique.name], number)
        for technique in chip.techniques
        for table in technique.results
    }
