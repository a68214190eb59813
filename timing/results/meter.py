"""Statistics of frames from what a chip has counted so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import pyarrow as pa

from ..engine.chip import Chip
from ..engine.frame import Frame
from ..loading.loaded import Pictures
from ..loading.work import Accounts
from . import units
from .first_fills import first_fills, lines_held
from .results import Results
from .reuse import measure
from .statistics import snapshot
from .tiles import tile_rows

MISSES = "memory.l2_cache.read_misses", "memory.l2_cache.write_misses"
TEXEL_MISSES = ("memory.l2_cache.misses.texture",)


class CostMeter(Protocol):
    """Meter of an instrument."""

    def end_frame(self, number: int, counted: Mapping[str, float], accounts: Sequence[Accounts]) -> dict[str, pa.Table]:
        """Tables of a frame that has just ended."""

    def skip_frame(self, accounts: Sequence[Accounts]) -> None:
        """Forget a frame that has just ended."""


class Meter:
    """Counts what happens on a chip, frame by frame, and with an instrument what `costs` measures."""

    def __init__(self, chip: Chip, costs: CostMeter | None = None) -> None:
        self.chip, self._costs = chip, costs
        self.begin()

    def begin(self) -> None:
        """Count from now on."""
        self._before, self._spent = snapshot(self.chip), units.spent_cycles(self.chip)
        self._held = lines_held(self.chip)

    def end_frame(
        self,
        results: Results,
        number: int,
        frame: Frame,
        counts: bool = True,
        more: dict[str, float] | None = None,
        pictures: Pictures | None = None,
        accounts: Sequence[Accounts] = (),
    ) -> None:
        """Add a frame that has just ended to results, if it counts, and begin with the next one.

        Parameters
        ----------
        results
            Get its statistics and tables.
        number, frame
            Its number and tables.
        counts
            Whether it does not merely warm up.
        more
            Further statistics of it.
        pictures
            Pictures that techniques are checked against.
        accounts
            Of its draws, and of those of the next frame if its geometry has begun.
        """
        before, spent, held = self._before, self._spent, self._held
        tables = technique_rows(self.chip, frame, number)
        self.begin()
        missed, texels = (sum(int(self._before[n] - before[n]) for n in names) for names in (MISSES, TEXEL_MISSES))
        for kind, count in first_fills(held, self._held, missed, texels).items():
            fills = results.first_fills.setdefault(kind, {})
            fills[number] = fills.get(number, 0) + count
        if not counts:
            if self._costs is not None:
                self._costs.skip_frame(accounts)
            return
        counted = {name: self._before[name] - before[name] for name in before} | measure(frame) | (more or {})
        for technique in self.chip.techniques:
            if pictures is not None and technique.check is not None:
                counted |= technique.check(pictures, number, self.chip)
        if self._costs is not None:
            tables = tables | self._costs.end_frame(number, counted, accounts)
        results.frames.append(number)
        results.counted.append(counted)
        results.tiles.append(tile_rows(self.chip, frame, number, counted))
        results.add_tables(tables)
        results.spent.append(units.since(spent, self._spent))


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
