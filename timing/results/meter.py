"""Statistics of frames from what a chip has counted so far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..assembly.build import Chip
from ..engine.frame import Frame
from ..loading.loaded import Pictures
from ..loading.work import Accounts
from ..memory.address_map import BUFFER_REGION, REGION_BYTES, SURFACE_REGION
from . import units
from .draws import DRAWS, PROGRAMS, DrawMeter, by_program
from .results import Results
from .reuse import measure
from .statistics import snapshot, statistics
from .techniques import technique_rows
from .tiles import tile_rows

MISSES = "memory.l2_cache.read_misses", "memory.l2_cache.write_misses"
TEXEL_MISSES = "memory.l2_cache.misses.texture"


class Meter:
    """Counts what happens on a chip, frame by frame; `by_draw`: on one with the instrument `draw_costs`, also what
    draws cost."""

    def __init__(self, chip: Chip, by_draw: bool = False) -> None:
        self.chip = chip
        self._draws = DrawMeter(chip, statistics(chip.configuration)) if by_draw else None
        self.begin()

    def begin(self) -> None:
        """Count from now on."""
        self._before, self._spent = snapshot(self.chip), units.spent_cycles(self.chip)
        self._filled = _filled_lines(self.chip)

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
        before, spent, filled = self._before, self._spent, self._filled
        tables = technique_rows(self.chip, frame, number)
        self.begin()
        # Lines that were invalidated and came back are no growth.
        missed = sum(self._before[name] - before[name] for name in MISSES)
        every, texels, buffers = (max(0, now - then) for now, then in zip(self._filled, filled, strict=True))
        every = min(every, missed)
        texels = min(texels, every, int(self._before[TEXEL_MISSES] - before[TEXEL_MISSES]))
        buffers = min(buffers, missed - every)
        for fills, count in (
            (results.first_fills, every),
            (results.texel_fills, texels),
            (results.buffer_fills, buffers),
        ):
            fills[number] = fills.get(number, 0) + count
        if not counts:
            if self._draws is not None:
                self._draws.skip_frame(accounts[0])
            return
        counted = {name: self._before[name] - before[name] for name in before} | measure(frame) | (more or {})
        for technique in self.chip.techniques:
            if pictures is not None and technique.check is not None:
                counted |= technique.check(pictures, number, self.chip)
        if self._draws is not None:
            draws = self._draws.end_frame(number, counted, accounts)
            tables = tables | {DRAWS: draws, PROGRAMS: by_program(draws)}
        results.frames.append(number)
        results.counted.append(counted)
        results.tiles.append(tile_rows(self.chip, frame, number))
        results.add_tables(tables)
        results.spent.append(units.since(spent, self._spent))


def _filled_lines(chip: Chip) -> tuple[int, int, int]:
    """Lines that the last-level cache holds, those of buffers apart; those of surfaces, and those of buffers.

    Programs may give vertices to draws in new memory, frame after frame, so that all of these lines are new.
    """
    cache = chip.gpu.cache[0]
    first, count = int(cache.first_line), (int(cache.set_mask) + 1) * int(cache.ways)
    addresses = np.asarray(chip.gpu.line.tag[first : first + count]) << int(cache.line_shift)
    region = addresses // REGION_BYTES
    buffers, surfaces = (region == begin // REGION_BYTES for begin in (BUFFER_REGION, SURFACE_REGION))
    return int(((addresses >= 0) & ~buffers).sum()), int(surfaces.sum()), int(buffers.sum())
