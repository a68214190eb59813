"""Applications that share a GPU, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, harmonic_mean
from typing import Literal

import pyarrow as pa

from ..results.results import Results

By = Literal["frame", "tile"]


@dataclass(frozen=True)
class Application:
    """Activity of an application, and its frames that are run, all where None."""

    activity: Path
    frames: Sequence[int] | None = None


@dataclass(frozen=True)
class Turn:
    """A frame on the shared GPU.

    Attributes
    ----------
    application, frame
        Number of the application, from 0, and of its frame.
    begin_cycle, end_cycle
        Of the GPU, from when counting began, frames of a compositor left out; the switch to the application included.
        By tile a frame begins with those that it shares the GPU with, and ends when its last tile is written.
    """

    application: int
    frame: int
    begin_cycle: int
    end_cycle: int


@dataclass
class SharingOutcome:
    """Outcome of applications that shared a GPU.

    Attributes
    ----------
    by
        Whether frames or tiles take turns.
    together, alone
        Results of each application, with the others and with the GPU for itself.
    turns
        Counted frames in the order in which they began.
    accounts
        By tile: what was counted for each application and for none of them, a table for each round of frames.
    machine
        By tile: results of the machine as a whole, a frame for each round.
    compositor
        Results of the compositor's frames, if there is one.
    """

    by: By = "frame"
    together: list[Results] = field(default_factory=list)
    alone: list[Results] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    accounts: list[pa.Table] = field(default_factory=list)
    machine: Results | None = None
    compositor: Results | None = None

    def end_cycle(self, application: int) -> int:
        """Cycle in which the last frame of an application was done."""
        return max(turn.end_cycle for turn in self.turns if turn.application == application)

    def slowdown(self, application: int) -> float:
        """Time until the frames of an application were done, waiting included, over that with the GPU for itself."""
        return float(self.end_cycle(application) / self.alone[application].totals()["gpu.cycles"])

    def interference(self, application: int) -> float:
        """Cycles of the frames of an application, without waiting, over those with the GPU for itself; by tile, its
        part of the time (`sharing.accounts`)."""
        cycles = (results[application].totals()["gpu.cycles"] for results in (self.together, self.alone))
        return float(next(cycles) / next(cycles))

    @property
    def fairness(self) -> float:
        """Least slowdown over the greatest: 1 if all wait alike."""
        slowdowns = self._slowdowns
        return min(slowdowns) / max(slowdowns)

    @property
    def throughput(self) -> float:
        """Sum of the inverse slowdowns: applications' worth of work that the GPU does at a time (system throughput of
        Eyerman and Eeckhout, IEEE Micro 2008)."""
        return sum(1 / slowdown for slowdown in self._slowdowns)

    @property
    def mean_slowdown(self) -> float:
        """Mean slowdown (average normalized turnaround time, ibid.)."""
        return fmean(self._slowdowns)

    @property
    def mean_speed(self) -> float:
        """Harmonic mean of the inverse slowdowns, which weighs throughput and fairness (Luo et al., ISPASS 2001)."""
        return harmonic_mean([1 / slowdown for slowdown in self._slowdowns])

    @property
    def time_saved(self) -> float:
        """Cycles of all applications, one after the other alone, over those until all are done together: more than 1 if
        one works where the other waits."""
        alone = sum(results.totals()["gpu.cycles"] for results in self.alone)
        return float(alone / max(self.end_cycle(k) for k in range(len(self.alone))))

    @property
    def _slowdowns(self) -> list[float]:
        return [self.slowdown(k) for k in range(len(self.alone))]
