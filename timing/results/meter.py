"""Statistics of frames from what a chip has counted so far."""

from __future__ import annotations

from ..assembly.build import Chip
from ..engine.frame import Frame
from ..loading.loaded import Pictures
from . import units
from .results import Results
from .reuse import measure
from .statistics import snapshot
from .techniques import technique_rows
from .tiles import tile_rows


class Meter:
    """Counts what happens on a chip, frame by frame."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.begin()

    def begin(self) -> None:
        """Count from now on."""
        self._before, self._spent = snapshot(self.chip), units.spent_cycles(self.chip)

    def end_frame(
        self,
        results: Results,
        number: int,
        frame: Frame,
        counts: bool = True,
        more: dict[str, float] | None = None,
        pictures: Pictures | None = None,
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
        """
        before, spent = self._before, self._spent
        tables = technique_rows(self.chip, frame, number)
        self.begin()
        if not counts:
            return
        counted = {name: self._before[name] - before[name] for name in before} | measure(frame) | (more or {})
        for technique in self.chip.techniques:
            if pictures is not None and technique.check is not None:
                counted |= technique.check(pictures, number, self.chip)
        results.frames.append(number)
        results.counted.append(counted)
        results.tiles.append(tile_rows(self.chip, frame, number))
        results.add_tables(tables)
        results.spent.append(units.since(spent, self._spent))
