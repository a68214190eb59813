"""A board of the study: its scenes, its preset, what its driver lets overlap."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..measured import Measured
from .measurements import Measurement

CEILING_PERCENT = 3.0
"""Rates this near to the highest share the ceiling of scenes that draw almost nothing; decided before predicting."""
SERIAL = re.compile("panfrost|panthor", re.IGNORECASE)
"""Drivers that never let a frame's vertices overlap another's fragments: Linux's panfrost takes each buffer of a job to
be written (`panfrost_acquire_object_fences`), and all jobs of a context share some; panthor's jobs are in one queue."""
CLOCK = re.compile(r"(?<![\d.])(\d{3,4})(?![\d.])")


@dataclass(frozen=True)
class Board:
    """A board of the study.

    Attributes
    ----------
    label
        Short name; that of its machine.
    preset
        What stands for its GPU.
    scenes
        Measurements by name of the workload.
    separate
        Whether the GPU has processors of its own for vertices.
    """

    label: str
    preset: str
    scenes: Mapping[str, Measurement]
    separate: bool

    @property
    def first(self) -> Measurement:
        """Any row, for what all have in common."""
        return next(iter(self.scenes.values()))

    @property
    def overlaps(self) -> bool:
        """Whether the geometry of a frame overlaps the raster stage of the frame before."""
        return self.separate or not SERIAL.search(self.first.driver)

    @property
    def measured_ms(self) -> dict[str, float]:
        """Measured frame times."""
        return {name: m.frame_ms for name, m in self.scenes.items()}

    @property
    def lowest_mhz(self) -> int:
        """The lowest clock that the note on the clock names, or the clock itself."""
        named = [int(text) for text in CLOCK.findall(self.first.clock_note)]
        return min([self.first.gpu_mhz, *(mhz for mhz in named if mhz < self.first.gpu_mhz)])

    def here(self, m: Measured) -> list[str]:
        """Scenes of the board among the workloads that were run."""
        return [name for name in m.workloads if name in self.scenes]

    def ceiling(self, among: Collection[str] | None = None, without: str = "") -> list[str]:
        """Scenes as fast as any of the board's, or as any of some, one of them left out of account."""
        here = self.scenes if among is None else [name for name in self.scenes if name in among]
        rates = {name: self.scenes[name].fps for name in here if name != without}
        highest = max(rates.values(), default=0.0)
        return [name for name, fps in rates.items() if fps >= highest * (1 - CEILING_PERCENT / 100)]
