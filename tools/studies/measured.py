"""What a study has measured: statistics and energy of every run, by workload and machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tilegpu.functional.activity.reader import Activity
from tilegpu.timing.energy.report import report
from tilegpu.timing.runs.table import read_results

from .declare import StudyError
from .execution import RUNS
from .materials import activity_of
from .selection import Selection, configuration_of


class NotMeasured(KeyError):
    """A figure that no run gives: its workload or machine was not run."""


@dataclass(frozen=True)
class Outcome:
    """What a run gave, frame by frame and in all.

    Attributes
    ----------
    totals, frames
        Statistics by name.
    energy
        Of each frame: pJ by unit of the GPU, and `dram`.
    structures
        Of each frame: pJ by structure.
    tiles
        Frame, Raster Unit and active cycles of every tile.
    """

    totals: dict[str, float]
    frames: list[dict[str, float]]
    energy: list[dict[str, float]]
    structures: list[dict[str, float]]
    tiles: pa.Table


@dataclass(frozen=True)
class Measured:
    """Answers of all runs of a study, or of one of their frames.

    Attributes
    ----------
    selection
        What was run.
    output
        Folder of the study.
    workloads
        Those that means are of.
    frame
        The only frame that counts, by its place; None for all of them together.
    variant
        Stands behind the name of each machine that is asked for.
    """

    selection: Selection
    output: Path
    workloads: Sequence[str]
    frame: int | None = None
    variant: str = ""
    _read: dict[tuple[str, str], Outcome] = field(default_factory=dict, repr=False)
    _activities: dict[str, Activity] = field(default_factory=dict, repr=False)

    def of(self, *names: str) -> Measured:
        """The same of some workloads only.

        Raises
        ------
        NotMeasured
            If none of them was run.
        """
        chosen = [name for name in self.workloads if name in names]
        if not chosen:
            raise NotMeasured(", ".join(names))
        return replace(self, workloads=chosen)

    def at(self, frame: int) -> Measured:
        """The same of one frame."""
        return replace(self, frame=frame)

    def under(self, variant: str) -> Measured:
        """The same of machines whose names end in this."""
        return replace(self, variant=variant)

    def with_machine(self, *machines: str) -> Measured:
        """The same of the workloads that ran on all of these machines."""
        return self.of(*(name for name in self.workloads if all(self._has(name, machine) for machine in machines)))

    def value(self, workload: str, machine: str, statistic: str) -> float:
        """A statistic of a run.

        Parameters
        ----------
        workload, machine
            Names.
        statistic
            As in docs/statistics of a replay; `energy.total`, `energy.gpu`, `energy.dram` and
            `energy.structure.NAME` are in pJ.

        Raises
        ------
        NotMeasured
            If the run, or the statistic, is not there.
        """
        if statistic.startswith("energy."):
            return self._energy(self._outcome(workload, machine), statistic.removeprefix("energy."))
        try:
            return self.totals(workload, machine)[statistic]
        except KeyError:
            raise NotMeasured(f"{workload}: {machine}: {statistic}") from None

    def totals(self, workload: str, machine: str) -> Mapping[str, float]:
        """All statistics of a run by name."""
        outcome = self._outcome(workload, machine)
        return outcome.totals if self.frame is None else outcome.frames[self.frame]

    def ratio(self, workload: str, statistic: str, above: str, below: str) -> float:
        """A statistic of one machine over that of another."""
        other = self.value(workload, below, statistic)
        if not other:
            raise NotMeasured(f"{workload}: {below}: {statistic} is 0")
        return self.value(workload, above, statistic) / other

    def each(self, machine: str, statistic: str) -> dict[str, float]:
        """A statistic by workload."""
        return {name: self.value(name, machine, statistic) for name in self.workloads}

    def ratios(self, statistic: str, above: str, below: str) -> dict[str, float]:
        """A ratio by workload."""
        return {name: self.ratio(name, statistic, above, below) for name in self.workloads}

    def change_percent(self, statistic: str, machine: str, base: str) -> dict[str, float]:
        """By how much a statistic of a machine differs from a base's, by workload."""
        return {name: 100 * (ratio - 1) for name, ratio in self.ratios(statistic, machine, base).items()}

    def differences(self, machine: str, whole: str, part: str) -> dict[str, float]:
        """One statistic of a machine less another, by workload."""
        return {name: self.value(name, machine, whole) - self.value(name, machine, part) for name in self.workloads}

    def shares(self, machine: str, part: str, whole: str) -> dict[str, float]:
        """One statistic of a machine over another, by workload."""
        return {name: self.value(name, machine, part) / self.value(name, machine, whole) for name in self.workloads}

    def active_cycles(self, workload: str, machine: str, raster_units: int) -> list[float]:
        """Cycles in which the Fragment Processors of each Raster Unit issued an instruction."""
        rows = self._outcome(workload, machine).tiles
        spent = [0.0] * raster_units
        chosen = None if self.frame is None else self._outcome(workload, machine).frames[self.frame]["frame"]
        for row in rows.to_pylist():
            if row["raster_unit"] >= 0 and chosen in (None, row["frame"]):
                spent[row["raster_unit"]] += row["busy_cycles"]
        return spent

    def table(self, workload: str, machine: str, name: str) -> pa.Table:
        """A technique's table among the results of a run, of the frames that count here.

        Raises
        ------
        NotMeasured
            If the run, or the table, is not there.
        """
        path = self._folder(workload, machine) / f"{name}.parquet"
        if not path.is_file():
            raise NotMeasured(f"{workload}: {machine}: {name}")
        found = pq.read_table(path)
        if self.frame is None:
            return found
        return found.filter(pc.equal(found["frame"], self._outcome(workload, machine).frames[self.frame]["frame"]))

    def activity(self, workload: str) -> Activity:
        """What was replayed."""
        if workload not in self._activities:
            study, times = self.selection.study, self.selection.frames.times
            self._activities[workload] = Activity(activity_of(self.selection.workloads[workload], study, times, 1))
        return self._activities[workload]

    def frames(self, workload: str) -> int:
        """How many frames of a workload count here."""
        if self.frame is not None:
            return 1
        first = self.selection.runs_of(workload)[0].name
        # The names of runs have their variant already.
        return len(self.under("")._outcome(workload, first).frames)

    def mean(self, values: Iterable[float]) -> float:
        """Arithmetic mean.

        Raises
        ------
        NotMeasured
            If there are none.
        """
        found = list(values)
        if not found:
            raise NotMeasured("nothing")
        return fmean(found)

    def area_mm2(self, machine: str) -> float:
        """Area of a machine."""
        declared = self.selection.study.machines()[machine + self.variant]
        return report(configuration_of(declared)).area_mm2

    def area_change_percent(self, machine: str, base: str) -> float:
        """By how much the area of a machine differs from a base's."""
        return 100 * (self.area_mm2(machine) / self.area_mm2(base) - 1)

    @cached_property
    def counted_frames(self) -> int:
        """Frames that every run has."""
        whole = replace(self, frame=None)
        return min(whole.frames(name) for name in self.workloads)

    def _has(self, workload: str, machine: str) -> bool:
        return (self._folder(workload, machine) / "stats.json").is_file()

    def _folder(self, workload: str, machine: str) -> Path:
        return self.output / RUNS / self.selection.workloads[workload].folder / (machine + self.variant)

    def _outcome(self, workload: str, machine: str) -> Outcome:
        key = workload, machine + self.variant
        if key not in self._read:
            if workload not in self.selection.workloads or not self._has(workload, machine):
                raise NotMeasured(f"{workload}: {machine}")
            self._read[key] = _read(self._folder(workload, machine))
        return self._read[key]

    def _energy(self, outcome: Outcome, kind: str) -> float:
        chosen = range(len(outcome.frames)) if self.frame is None else [self.frame]
        if kind.startswith("structure."):
            name = kind.removeprefix("structure.")
            return sum(outcome.structures[i].get(name, 0.0) for i in chosen)
        if kind not in ("total", "gpu", "dram"):
            raise StudyError(f"energy.{kind}: there are energy.total, energy.gpu, energy.dram, energy.structure.NAME")
        memory = sum(outcome.energy[i].get("dram", 0.0) for i in chosen)
        everything = sum(sum(outcome.energy[i].values()) for i in chosen)
        return {"total": everything, "gpu": everything - memory, "dram": memory}[kind]


def _read(folder: Path) -> Outcome:
    found: dict[str, Any] = read_results(folder)
    table = pq.read_table(folder / "energy.parquet", columns=["frame", "unit", "structure", "dynamic_pj", "static_pj"])
    place = {row["frame"]: i for i, row in enumerate(found["frames"])}
    energy: list[dict[str, float]] = [{} for _ in place]
    structures: list[dict[str, float]] = [{} for _ in place]
    for row in table.to_pylist():
        i, spent = place[row["frame"]], row["dynamic_pj"] + row["static_pj"]
        energy[i][row["unit"]] = energy[i].get(row["unit"], 0.0) + spent
        structures[i][row["structure"]] = structures[i].get(row["structure"], 0.0) + spent
    tiles = pq.read_table(folder / "tiles.parquet", columns=["frame", "raster_unit", "busy_cycles"])
    return Outcome(found["totals"], found["frames"], energy, structures, tiles)
