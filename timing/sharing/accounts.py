"""Statistics of applications whose tiles are on the GPU at the same time.

Each unit counts for the application whose vertex, quad, tile, request or line it has taken up (`instruments`), as it
counts for draws with `replay --by-draw`. What belongs to none of them (cycles of the machine as a whole, commands of
main memory, units that rest) is split: of main memory as its requests, all else as the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..engine.chip import Chip
from ..engine.work import FIRST_DRAW
from ..results.draws import DRAWS, DrawMeter
from ..results.statistics import snapshot, statistics

KIND = "application"
MEMORY = "memory.dram."
REQUESTS = ("memory.dram.reads", "memory.dram.writes")

Counted = dict[str, float]


@dataclass(frozen=True)
class OfApplications:
    """Accounts of applications, in the place of those of draws."""

    frame: int
    names: Sequence[str]

    @property
    def first(self) -> int:
        """Account of the first application."""
        return FIRST_DRAW

    @property
    def last(self) -> int:
        """Account behind those of the applications."""
        return FIRST_DRAW + len(self.names)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Identity of each application."""
        return [{"kind": KIND, "name": name} for name in self.names]


class ApplicationMeter:
    """Counts what happens on a chip by application, round by round.

    Parameters
    ----------
    chip
        With the instrument `draw_costs`.
    names
        Of the applications.
    """

    def __init__(self, chip: Chip, names: Sequence[str]) -> None:
        self.chip, self.names = chip, names
        chip.gpu.technique.draw_costs.applications = len(names)
        self._meter = DrawMeter(chip, statistics(chip.configuration))
        self._before = snapshot(chip)

    def end_round(self, number: int) -> tuple[pa.Table, Counted]:
        """Accounts of a round that has just ended, and statistics of the machine; count the next one from now on."""
        before, self._before = self._before, snapshot(self.chip)
        counted: Counted = {name: self._before[name] - before[name] for name in before}
        table = self._meter.end_frame(number, counted, [OfApplications(number, self.names)])[DRAWS]
        return table.drop_columns(["label", "drawn_frame", "draw", "call", "pass", "program", "shaders"]), counted


def split(table: pa.Table, counted: Mapping[str, float], names: Sequence[str]) -> list[Counted]:
    """Statistics of each application, whose sums are those of the machine.

    Parameters
    ----------
    table
        Accounts of a round.
    counted
        Statistics of the machine in it.
    names
        Of the applications that had a frame in it.

    Returns
    -------
    list of dict of str to float
        By application.
    """
    kinds, called = table["kind"].to_pylist(), table["name"].to_pylist()
    row_of = {name: i for i, (kind, name) in enumerate(zip(kinds, called, strict=True)) if kind == KIND}
    rows = [row_of.get(name) for name in names]
    time = _weights([_at(table, "share", row) for row in rows])
    requests = _weights([sum(_at(table, name, row) for name in REQUESTS) for row in rows])
    shares: list[Counted] = [{} for _ in names]
    for name, value in counted.items():
        own = [_at(table, name, row) for row in rows]
        rest = value - sum(own)
        weights = requests if name.startswith(MEMORY) else time
        for k, each in enumerate(own):
            shares[k][name] = each + rest * weights[k] if rest else each
    return shares


def _at(table: pa.Table, name: str, row: int | None) -> float:
    return 0 if row is None else table[name][row].as_py() or 0


def _weights(values: Sequence[float]) -> list[float]:
    """Parts of one as some values, equal ones if these are all 0."""
    array = np.asarray(values, np.float64)
    if array.sum() == 0:
        array[:] = 1
    return (array / array.sum()).tolist()  # type: ignore[no-any-return]
