"""Measurements of a study: statistics and energy of every run, by workload and machine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.functional.activity.arrow_files import read_parquet
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.errors import choices, nearest
from tilegpu.timing.config import Configuration
from tilegpu.timing.results.energy.report import report
from tilegpu.timing.results.statistics import statistics
from tilegpu.timing.runs.table import read_results
from tilegpu.tools.sampling.first_uses import Fills
from tilegpu.tools.sampling.plan import Plan
from tilegpu.tools.sharing_summary import SUMMARY

from .declare import Machine, Reading, StudyError, undeclared
from .drawing import Draw
from .materials import Workload, activity_of
from .selection import RUNS, Selection, configuration_of

T = TypeVar("T")
TILE_COLUMNS = "frame", "raster_unit", "busy_cycles", "imbalance"
"""Of tiles, those that studies can ask for."""
ENERGIES = "total", "gpu", "dram"
"""Behind `energy.`, besides structures."""


class NotMeasured(KeyError):
    """A figure that no run gives: its workload or machine was not run."""


@dataclass(frozen=True)
class Outcome:
    """Results of a run, frame by frame.

    Attributes
    ----------
    frames
        Statistics by name.
    energy
        Of each frame: pJ by unit of the GPU, and `dram`.
    structures
        Of each frame: pJ by structure.
    tiles
        Frame, Raster Unit, active cycles and imbalance of every tile.
    fills
        L2 misses that filled empty lines.
    """

    frames: list[dict[str, float]]
    energy: list[dict[str, float]]
    structures: list[dict[str, float]]
    tiles: pa.Table
    fills: Fills


class Row(dict[str, float]):
    """Statistics of a frame; asking for one that there is not ends the study."""

    def __init__(self, values: Mapping[str, float], run: str) -> None:
        super().__init__(values)
        self._run = run

    def __missing__(self, name: str) -> float:
        raise StudyError(f"{self._run}: there is no statistic {name!r}{nearest(name, self)}")


class Totals(Mapping[str, float]):
    """Statistics over some frames: sums, and what derives from sums, each when it is asked for."""

    def __init__(
        self, rows: Sequence[Mapping[str, float]], derived: Mapping[str, Callable[[Mapping[str, float]], float]]
    ) -> None:
        self._rows, self._derived_by = rows, derived
        self._found: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        if name not in self._found:
            derive = self._derived_by.get(name)
            self._found[name] = derive(self) if derive else sum(row[name] for row in self._rows)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._rows[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows[0])

    def __len__(self) -> int:
        return len(self._rows[0])


class _Moments(NamedTuple):
    """Moments of a run, each as the places of its frames: all in order, and those of each phase."""

    all: list[list[int]]
    strata: list[list[list[int]]]


@lru_cache(maxsize=4096)
def _derived_of(configuration: Configuration) -> dict[str, Callable[[Mapping[str, float]], float]]:
    return {stat.name: stat.derive for stat in statistics(configuration) if stat.derive is not None}


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
    other
        By the name of a workload, the one that is asked for instead.
    few
        Whether only every other frame counts, as in experiments that ran no more.
    draw
        Frames drawn with replacement, for intervals.
    """

    selection: Selection
    output: Path
    workloads: Sequence[str]
    frame: int | None = None
    variant: str = ""
    other: Mapping[str, str] = field(default_factory=dict)
    few: bool = False
    draw: Draw | None = None
    _read: dict[tuple[str, str], Outcome] = field(default_factory=dict, repr=False)
    _activities: dict[str, Activity] = field(default_factory=dict, repr=False)
    _derived_once: dict[str, Any] = field(default_factory=dict, repr=False)
    _fewest: list[int] = field(default_factory=list, repr=False)

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

    def read(self, reading: Reading) -> Measured:
        """The same under another reading of the text."""
        return replace(self, variant=reading.variant, other=reading.workloads, few=True)

    def with_machine(self, *machines: str) -> Measured:
        """The same of the workloads that ran on all of these machines, and of the frames that all of them ran.

        Raises
        ------
        NotMeasured
            If there is no such workload.
        """
        chosen = [name for name in self.workloads if all(self._has(name, machine) for machine in machines)]
        if not chosen:
            raise NotMeasured(", ".join(machines))
        ran = min(len(self._outcome(chosen[0], machine).frames) for machine in machines)
        whole = len(self.selection.frames_of(self._asked(chosen[0])).counted)
        return replace(self, workloads=chosen, few=self.few or ran < whole)

    def drawn(self, draw: Draw) -> Measured:
        """The same of frames that are drawn with replacement, within phases."""
        return replace(self, draw=draw)

    def once(self, name: str, derive: Callable[[], T]) -> T:
        """Value that a study derives from its runs, by a name; derived at its first use."""
        if name not in self._derived_once:
            self._derived_once[name] = derive()
        value: T = self._derived_once[name]
        return value

    def value(self, workload: str, machine: str, statistic: str) -> float:
        """A statistic of a run.

        Parameters
        ----------
        workload, machine
            Names.
        statistic
            As in docs/statistics of a replay; `energy.total`, `energy.gpu`, `energy.dram`, `energy.unit.NAME` and
            `energy.structure.NAME` are in pJ.

        Raises
        ------
        NotMeasured
            If the run is not there.
        StudyError
            If there is no such statistic.
        """
        if statistic.startswith("energy."):
            return self._energy(workload, machine, statistic.removeprefix("energy."))
        return self.totals(workload, machine)[statistic]

    def frame_values(self, workload: str, machine: str, statistic: str) -> list[tuple[int, float]]:
        """A statistic of each frame that counts, with the frame's number in the activity.

        Raises
        ------
        NotMeasured
            If the run is not there.
        StudyError
            If there is no such statistic.
        """
        rows = self._outcome(workload, machine).frames
        return [(int(rows[i]["frame"]), rows[i][statistic]) for i in self._places(workload, machine)]

    def fills(self, workload: str, machine: str) -> Fills:
        """Misses of the last-level cache that filled empty lines."""
        return self._outcome(workload, machine).fills

    def totals(self, workload: str, machine: str) -> Mapping[str, float]:
        """All statistics of a run by name."""
        rows = self._outcome(workload, machine).frames
        chosen = self._places(workload, machine)
        return rows[chosen[0]] if len(chosen) == 1 else Totals([rows[i] for i in chosen], self._derived(machine))

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

    def tile_values(self, workload: str, machine: str, column: str) -> list[float]:
        """A column of the rows of tiles, of those that were shaded; a frame that counts twice has them twice."""
        tiles = self._outcome(workload, machine).tiles
        if column not in tiles.column_names:
            raise StudyError(f"{workload}: {machine}: tiles have no {column!r}; {choices(column, tiles.column_names)}")
        rows = tiles.to_pylist()
        often = Counter(self._numbers(workload, machine))
        shaded = [row for row in rows if row["raster_unit"] >= 0 and row["busy_cycles"]]
        if any(row[column] is None for row in shaded):
            raise NotMeasured(f"{workload}: {machine}: {column} of tiles")
        return [row[column] for row in shaded for _ in range(often[row["frame"]])]

    def active_cycles(self, workload: str, machine: str, raster_units: int) -> list[float]:
        """Cycles in which the Fragment Processors of each Raster Unit issued an instruction."""
        rows = self._outcome(workload, machine).tiles
        spent = [0.0] * raster_units
        often = Counter(self._numbers(workload, machine))
        for row in rows.to_pylist():
            if row["raster_unit"] >= 0:
                spent[row["raster_unit"]] += row["busy_cycles"] * often[row["frame"]]
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
        table = read_parquet(path)
        chosen = self._numbers(workload, machine)
        return pa.concat_tables(table.filter(pc.equal(table["frame"], number)) for number in chosen)

    def shared(self, pair: str, sharing: str) -> dict[str, Any]:
        """Outcome of a pair of workloads that shared a GPU (`sharing.json`).

        Raises
        ------
        NotMeasured
            If it was not run, or single frames are asked for.
        """
        path = self.output / RUNS / pair / sharing / SUMMARY
        if self.frame is not None or not path.is_file():
            raise NotMeasured(f"{pair}: {sharing}")
        sharing_outcome: dict[str, Any] = self.once(str(path), lambda: json.loads(path.read_text("utf-8")))
        return sharing_outcome

    def activity(self, workload: str) -> Activity:
        """Workloads and machines that were replayed."""
        name = self._asked(workload)
        if name not in self._activities:
            study, times = self.selection.study, self.selection.frames_of(name).times
            self._activities[name] = Activity(activity_of(self.selection.workloads[name], study, times, 1))
        return self._activities[name]

    def frames(self, workload: str) -> int:
        """Number of frames of a workload that count here."""
        return len(self.counted_frame_numbers(workload))

    def counted_frame_numbers(self, workload: str) -> list[int]:
        """Frames of a workload's activity that count here."""
        first = self.selection.runs_of(self._asked(workload))[0].name
        # The names of runs have their variant already.
        return self.under("")._numbers(workload, first)

    def mean(self, values: Iterable[float]) -> float:
        """Arithmetic mean.

        Raises
        ------
        NotMeasured
            If there are none.
        """
        numbers = list(values)
        if not numbers:
            raise NotMeasured("nothing")
        return fmean(numbers)

    def area_mm2(self, machine: str) -> float:
        """Area of a machine."""
        return report(configuration_of(self.declared(machine))).area_mm2

    def declared(self, machine: str) -> Machine:
        """Declaration of a machine.

        Raises
        ------
        StudyError
            If there is none.
        """
        machines = self.selection.study.machines()
        if machine + self.variant not in machines:
            raise StudyError(f"study {self.selection.study.name}: {undeclared(machine + self.variant, machines)}")
        return machines[machine + self.variant]

    def area_change_percent(self, machine: str, base: str) -> float:
        """By how much the area of a machine differs from a base's."""
        return 100 * (self.area_mm2(machine) / self.area_mm2(base) - 1)

    @cached_property
    def counted_frames(self) -> int:
        """Frames that every run has."""
        whole = replace(self, frame=None, draw=None)
        return min(whole.frames(name) for name in self.workloads)

    def weights(self) -> list[float]:
        """Weight of each moment that every run has: the frames that its phase lasts; 1 for those of no phase."""
        times = self.selection.frames_of(self._asked(self.workloads[0])).counted[: self.counted_frames]
        by_frame = {
            n: phase.lasts / len(phase.frames)
            for phase in self.selection.study.phases
            for n in phase.frames
            if phase.lasts
        }
        return [by_frame.get(number, 1.0) for number in times]

    def simulated_frames(self) -> int:
        """Fewest frames of a run that count, among those asked for since `forget`; those of all runs if none was."""
        return min(self._fewest or [self._simulated])

    def forget(self) -> None:
        """Forget which runs were asked for."""
        self._fewest.clear()

    @cached_property
    def _simulated(self) -> int:
        whole = replace(self, frame=None, draw=None)
        there = (name for name in self.workloads if self.ran(name))
        return min((len(set(whole.counted_frame_numbers(name))) for name in there), default=0)

    def ran(self, workload: str) -> bool:
        """Whether a workload was run on the first of its machines."""
        return self.under("")._has(workload, self.selection.runs_of(self._asked(workload))[0].name)

    def workload(self, name: str) -> Workload:
        """The workload behind a name, which may be that of a reading.

        Raises
        ------
        NotMeasured
            If it is not among those that are run.
        """
        asked = self._asked(name)
        if asked not in self.selection.workloads:
            raise NotMeasured(asked)
        return self.selection.workloads[asked]

    def _asked(self, workload: str) -> str:
        """The workload that stands behind a name: a reading may have another."""
        return self.other.get(workload, workload)

    def _has(self, workload: str, machine: str) -> bool:
        self.declared(machine)
        return (self._folder(workload, machine) / "stats.json").is_file()

    def _folder(self, workload: str, machine: str) -> Path:
        folder = self.workload(workload).folder
        return self.output / RUNS / folder / (machine + self.variant)

    def _outcome(self, workload: str, machine: str) -> Outcome:
        key = self._asked(workload), machine + self.variant
        if key not in self._read:
            self.declared(machine)
            if key[0] not in self.selection.workloads or not self._has(workload, machine):
                raise NotMeasured(f"{workload}: {machine}")
            self._read[key] = _read(self._folder(workload, machine), f"{key[0]}: {key[1]}")
        return self._read[key]

    def _derived(self, machine: str) -> Mapping[str, Callable[[Mapping[str, float]], float]]:
        """Formulas of the statistics of a machine that derive from others."""
        return _derived_of(configuration_of(self.declared(machine)))

    def _numbers(self, workload: str, machine: str) -> list[int]:
        """Numbers of the frames of a run that count, in the activity."""
        rows = self._outcome(workload, machine).frames
        return [int(rows[i]["frame"]) for i in self._places(workload, machine)]

    def _places(self, workload: str, machine: str) -> list[int]:
        """Places of the frames of a run that count."""
        asked = self._asked(workload)
        rows = self._outcome(workload, machine).frames
        key = f"moments of {asked} on {machine}{self.variant}, {self.few}"
        moments = self.once(key, lambda: self._moments(asked, machine + self.variant, rows))
        if self.frame is not None:
            if self.frame >= len(moments.all):
                raise NotMeasured(f"{workload}: frame {self.frame}")
            return moments.all[self.frame]
        chosen = [i for moment in moments.all for i in moment]
        if (plan := self.selection.plans.get(asked)) is not None:
            times = self.selection.frames_of(asked).times
            chosen = self._standing(plan, workload, {times[int(rows[i]["frame"])]: i for i in chosen})
        elif self.draw is not None:
            strata = (self.draw.of(f"{workload} {k}", some) for k, some in enumerate(moments.strata))
            return [i for some in strata for moment in some for i in moment]
        if self.draw is None:
            self._fewest.append(len(set(chosen)) if plan is not None else len(moments.all))
        return chosen

    def _moments(self, workload: str, machine: str, rows: Sequence[Mapping[str, float]]) -> _Moments:
        """Moments of a run that count."""
        each = self.selection.each_of(workload, machine)
        chosen = list(range(len(rows)))
        if self.few and each == 1:
            wanted = self.selection.few_numbers(workload)
            chosen = [i for i in chosen if rows[i]["frame"] in wanted] or chosen[-1:]
        moments = [chosen[i : i + each] for i in range(0, len(chosen), each)]
        strata = self.selection.strata(workload, [int(rows[moment[-1]]["frame"]) for moment in moments])
        return _Moments(moments, [[moments[place] for place in places] for places in strata])

    def _standing(self, plan: Plan, workload: str, places: Mapping[int, int]) -> list[int]:
        """Frames of a plan, each as often as the number of frames that it represents.

        Draws take one frame fewer of each cluster than were simulated, for their spread to be that of means of these
        (Rao and Wu 1988).
        """
        standing: list[int] = []
        for number, cluster in enumerate(plan.clusters):
            some = [places[frame] for frame in cluster.chosen]
            if self.draw is not None:
                some = self.draw.of(f"{workload} {number}", some)[: max(1, len(some) - 1)]
            standing += [some[i % len(some)] for i in range(cluster.frames)]
        return standing

    def _energy(self, workload: str, machine: str, kind: str) -> float:
        outcome, chosen = self._outcome(workload, machine), self._places(workload, machine)
        if kind.startswith("structure."):
            name = kind.removeprefix("structure.")
            names = {each for structures in outcome.structures for each in structures}
            if name not in names:
                raise StudyError(f"{workload}: {machine}: there is no structure {name!r}{nearest(name, names)}")
            return sum(outcome.structures[i].get(name, 0.0) for i in chosen)
        if kind.startswith("unit."):
            return sum(outcome.energy[i].get(kind.removeprefix("unit."), 0.0) for i in chosen)
        if kind not in ENERGIES:
            raise StudyError(
                f"{workload}: {machine}: no energy.{kind}; {choices(kind, ENERGIES)}, unit.NAME, structure.NAME"
            )
        memory = sum(outcome.energy[i].get("dram", 0.0) for i in chosen)
        everything = sum(sum(outcome.energy[i].values()) for i in chosen)
        return {"total": everything, "gpu": everything - memory, "dram": memory}[kind]


def _read(folder: Path, run: str) -> Outcome:
    results: dict[str, Any] = read_results(folder)
    table = read_parquet(folder / "energy.parquet", columns=["frame", "unit", "structure", "dynamic_pj", "static_pj"])
    place = {row["frame"]: i for i, row in enumerate(results["frames"])}
    energy: list[dict[str, float]] = [{} for _ in place]
    structures: list[dict[str, float]] = [{} for _ in place]
    for row in table.to_pylist():
        i, spent = place[row["frame"]], row["dynamic_pj"] + row["static_pj"]
        energy[i][row["unit"]] = energy[i].get(row["unit"], 0.0) + spent
        structures[i][row["structure"]] = structures[i].get(row["structure"], 0.0) + spent
    tiles = read_parquet(folder / "tiles.parquet", columns=list(TILE_COLUMNS))
    return Outcome(
        [Row(values, run) for values in results["frames"]], energy, structures, tiles, Fills.written(results)
    )
