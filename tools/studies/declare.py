"""Declaration of a study: workloads, machines, figures and conclusions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tilegpu.functional.errors import UserError, nearest
from tilegpu.functional.recording.listener import Level

from .judged import Assumption, Cause, Correction, Phase, PublishedNumber, Standing, Undecidable
from .readings import Beside, Reading, Readings, other_seeds
from .rules import Quantity, Rule, parse_rule

if TYPE_CHECKING:
    from .measured import Measured

__all__ = [
    "Assumption",
    "AtTimes",
    "Beside",
    "Cause",
    "Conclusion",
    "Correction",
    "Experiment",
    "Figure",
    "Frames",
    "Machine",
    "Pairs",
    "Phase",
    "PublishedNumber",
    "Reading",
    "Readings",
    "Series",
    "Sharing",
    "Standing",
    "Study",
    "StudyError",
    "Undecidable",
    "other_seeds",
    "undeclared",
]


class StudyError(UserError):
    """A study that cannot be run: what, where, and what to do."""


def undeclared(machine: str, declared: Iterable[str]) -> str:
    """Message about a machine that a study does not declare."""
    return f"no machine {machine!r} is declared{nearest(machine, declared)}"


AtTimes = Callable[[Path, Path, Sequence[int]], object]
"""Writes frames of a capture at other moments: the capture, the file to write, the moments."""


@dataclass(frozen=True)
class Frames:
    """Moments of a workload that are drawn, in frames of its animation; applications give as many from their first,
    unless their name says which, as `game.trace@40:42`.

    Attributes
    ----------
    warm_up
        Drawn first, and counted nowhere.
    counted
        Counted, in order.
    before
        Frames before each counted one that are drawn and counted nowhere, so that it finds caches and frame buffers as
        they would be.
    each
        Counted frames that make one moment, as two do that a technique renders together.
    """

    warm_up: tuple[int, ...]
    counted: tuple[int, ...]
    before: int = 0
    each: int = 1

    @property
    def times(self) -> tuple[int, ...]:
        """All of them, in order."""
        drawn = {time for counted in self.counted for time in range(max(0, counted - self.before), counted + 1)}
        return (*self.warm_up, *sorted(drawn - set(self.warm_up)))

    def places_in(self, recorded: Frames) -> tuple[int, ...]:
        """Places of the counted ones among all moments of a recording."""
        return tuple(recorded.times.index(counted) for counted in self.counted)

    def among(self, recorded: Frames) -> Frames:
        """Those that were recorded, with what is drawn before them, as whole moments."""
        drawn = set(recorded.times)
        groups = (self.counted[i : i + self.each] for i in range(0, len(self.counted), self.each))
        whole = (group for group in groups if set(replace(self, counted=group).times) <= drawn)
        return replace(self, counted=tuple(number for group in whole for number in group))

    def few(self) -> Frames:
        """Every other counted moment."""
        return replace(self, counted=tuple(n for i, n in enumerate(self.counted) if i // self.each % 2 == 0))

    def of_application(self) -> Frames:
        """As many of an application, from its first: those to warm up, then those that count."""
        first = len(self.warm_up) or self.before
        return Frames(tuple(range(first)), tuple(range(first, first + len(self.counted))))

    def numbered(self, counted: Sequence[int]) -> Frames:
        """Named frames of an application in place of the counted ones, after as many as warm up here."""
        before = len(self.warm_up) or self.before
        return Frames(tuple(range(max(0, counted[0] - before), counted[0])), tuple(counted))


@dataclass(frozen=True)
class Machine:
    """A machine: a preset or TOML file, and what differs from it."""

    preset: str
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sharing:
    """Way in which workloads share a GPU (`timing.sharing`).

    Attributes
    ----------
    by
        Whether frames or tiles take turns.
    settings
        Quanta and costs of switches that differ from the preset's.
    compositor
        Layout of a compositor's frames behind each round of turns; none without.
    """

    by: Literal["frame", "tile"]
    settings: tuple[str, ...] = ()
    compositor: Literal["", "side-by-side", "picture-in-picture"] = ""


@dataclass(frozen=True)
class Pairs:
    """Workloads that share a GPU.

    Attributes
    ----------
    preset
        Its hardware.
    pairs
        Workloads by the name of their pair.
    sharings
        How they share it, by name: each pair in each way.
    """

    preset: str
    pairs: Mapping[str, tuple[str, ...]]
    sharings: Mapping[str, Sharing]


@dataclass(frozen=True)
class Experiment:
    """Machines that are run on the same workloads.

    Attributes
    ----------
    machines
        By name; a name means the same machine in all of a study.
    workloads, quick_workloads
        Those it is run on; all of the study's without.
    with_applications
        Whether bundled scenes and captures run, too.
    few
        Whether every other frame is enough.
    moments
        By workload, frames that it takes instead of the study's, as a plan chooses them; no other workload then.
    """

    machines: Mapping[str, Machine]
    workloads: tuple[str, ...] = ()
    quick_workloads: tuple[str, ...] = ()
    with_applications: bool = True
    few: bool = False
    moments: Mapping[str, Frames] = field(default_factory=dict)

    def runs_on(self, quick: bool) -> tuple[str, ...]:
        """Workloads of the study that it is run on; empty for all."""
        return (self.quick_workloads or self.workloads) if quick else self.workloads


Series = Mapping[str, Mapping[str, float]]
"""By name of the series, then by workload."""


@dataclass(frozen=True)
class Figure:
    """A figure of the paper, or of published measurements.

    Attributes
    ----------
    id, title, unit
        The paper's number, what it shows, its unit.
    series
        Computes it.
    paper
        What the paper's figure says where its text tells, by series and workload.
    stacked
        Parts of a whole: drawn one on the other.
    over
        Names that replace those of workloads, such as pairs of them.
    means
        Drawn as a bar per series, the mean over the workloads.
    scatter
        Drawn as a point per workload, ours over what is published.
    curves
        What lies along the horizontal axis: drawn as a curve per series, whose values are by place on that axis, a
        number written as text, instead of by workload.
    bands
        Of curves: ranges of the vertical axis that are marked, by name; only points are drawn then.
    table
        Series of which the greatest values are marked: printed on the study's page as a table with a column for each
        series, and not drawn.
    """

    id: str
    title: str
    unit: str
    series: Callable[[Measured], Series]
    paper: Series = field(default_factory=dict)
    stacked: bool = False
    means: bool = False
    scatter: bool = False
    curves: str = ""
    over: tuple[str, ...] = ()
    bands: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    table: str = ""


@dataclass(frozen=True)
class Conclusion:
    """A sentence of the paper, and the rule that decides whether it holds here.

    Attributes
    ----------
    id, text
        Short name; the paper's statement.
    paper
        The paper's figure; None where it gives none.
    unit
        Of both figures.
    rule
        In the grammar of `rules`; written before the first measurement.
    ours
        Computes what is judged: a number, or values by name.
    why
        Measures what explains it; for one that does not hold.
    standing
        What it is worth as evidence.
    correction
        Of its rule.
    bound
        Computes what the best machine could gain on these workloads, in the same unit; for a gain that may fall short.
    """

    id: str
    text: str
    paper: float | str | None
    unit: str
    rule: str
    ours: Callable[[Measured], Quantity]
    why: Callable[[Measured], str] | None = None
    standing: Standing = "predicted"
    correction: Correction | None = None
    bound: Callable[[Measured], float] | None = None

    @property
    def judge(self) -> Rule:
        """The rule, read."""
        return parse_rule(self.rule)

    def holds(self, m: Measured) -> bool:
        """Whether it holds for what was measured."""
        return self.judge.holds(self.ours(m))


@dataclass(frozen=True)
class Study:
    """A paper's experiments.

    Attributes
    ----------
    name, title, source
        Its own name, what it is about, the document.
    workloads
        Twins, in the paper's order.
    applications
        Second column: bundled scenes (`scene:NAME`) and captures (`capture:NAME`).
    screen
        Size that twins are drawn at; None: each at its own.
    level, groups
        What is recorded.
    check_images
        Whether the pictures of tiles that techniques leave out are compared; the group pass_images has them.
    traces
        Captures of its own by name of the workload.
    at_times
        By name of the workload, writes its capture with frames at other moments; they are drawn as those of twins.
    hint
        How to get at captures that are not at hand.
    follow_up
        What is to be run besides, seeing what came out.
    readings
        Other readings of the text, and what is judged under them.
    draws
        How often frames are drawn for intervals; 0: no intervals.
    phases
        Counted frames that are unlike the others.
    headlines
        What the paper says first, by the ids of its conclusions: sentences that stand alone.
    baseline
        What the text tells of its baseline.
    beside
        Another machine, judged in a column of its own.
    undecidable
        Conclusions that nothing in the text decides, by their ids; they are not counted.
    causes
        Why conclusions do not hold.
    assumptions
        Constants that nobody publishes, and what hangs on each.
    frames, quick_frames
        Moments that are replayed.
    screens
        Sizes of workloads that are not drawn at `screen`.
    picture
        File in docs/ that its page shows.
    moments
        Moments of workloads that have others than the study's, unless in short.
    slow
        Workloads whose frames take more than three seconds: every other moment is enough.
    pairs
        Workloads that share a GPU.
    file
        Python file of a user's that declares it; "" for one of the package.
    experiments, figures, conclusions
        What is run, drawn and judged.
    """

    name: str
    title: str
    source: str
    workloads: tuple[str, ...]
    applications: tuple[str, ...]
    screen: tuple[int, int] | None
    frames: Frames
    quick_frames: Frames
    experiments: tuple[Experiment, ...]
    figures: tuple[Figure, ...]
    conclusions: tuple[Conclusion, ...]
    level: Level = "visible"
    groups: frozenset[str] = frozenset()
    check_images: bool = False
    traces: Mapping[str, Path] = field(default_factory=dict)
    at_times: Mapping[str, AtTimes] = field(default_factory=dict)
    hint: str = "TILEGPU_CAPTURES names the folder of captures"
    follow_up: Callable[[Measured], tuple[Experiment, ...]] | None = None
    readings: Readings = Readings()
    screens: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    picture: str = ""
    moments: Mapping[str, Frames] = field(default_factory=dict)
    slow: tuple[str, ...] = ()
    draws: int = 400
    pairs: Pairs | None = None
    file: str = ""
    phases: tuple[Phase, ...] = ()
    headlines: Mapping[str, str] = field(default_factory=dict)
    baseline: tuple[PublishedNumber, ...] = ()
    beside: Beside | None = None
    undecidable: Mapping[str, Undecidable] = field(default_factory=dict)
    causes: tuple[Cause, ...] = ()
    assumptions: tuple[Assumption, ...] = ()

    def all_experiments(self) -> tuple[Experiment, ...]:
        """Its experiments, those of its second column, and those of its readings."""
        beside = self.beside
        column = []
        if beside is not None:
            machines, variants = self._read(beside.reading, beside.machines), beside.reading.workloads
            workloads = tuple(variants.get(name, name) for name in self.workloads) if variants else ()
            column = [Experiment(machines, workloads, with_applications=False, few=bool(variants))]
        return (*self.experiments, *column, *(self._experiment(reading) for reading in self.readings.readings))

    @property
    def variants(self) -> dict[str, str]:
        """Variants of workloads that readings and the second column run, each with the workload that it is one of."""
        readings = self.readings.readings if self.beside is None else (*self.readings.readings, self.beside.reading)
        return {variant: name for reading in readings for name, variant in reading.workloads.items()}

    def _experiment(self, reading: Reading) -> Experiment:
        """The machines that a reading is judged by, on its workloads."""
        workloads = tuple(reading.workloads.get(name, name) for name in self.readings.workloads)
        machines = self._read(reading, self.readings.machines)
        if reading.whole:
            return Experiment(machines)
        return Experiment(machines, workloads, workloads[:1], with_applications=False, few=True)

    def _read(self, reading: Reading, names: tuple[str, ...]) -> dict[str, Machine]:
        """Machines of the study under a reading."""
        declared = {name: machine for e in self.experiments for name, machine in e.machines.items()}
        for name in names:
            if name not in declared:
                raise StudyError(f"study {self.name}: readings: {undeclared(name, declared)}")
        return {
            name + reading.variant: replace(declared[name], settings=(*declared[name].settings, *reading.settings))
            for name in names
        }

    def cause(self, conclusion: str) -> Cause | None:
        """Cause for which a conclusion does not hold, if one is declared."""
        return next((cause for cause in self.causes if conclusion in cause.conclusions), None)

    def assumed(self, kind: Literal["conclusions", "figures"], id: str) -> list[str]:
        """Constants that a conclusion or figure hangs on, and that nobody publishes."""
        return [each.constant for each in self.assumptions if id in getattr(each, kind)]

    def machines(self) -> dict[str, Machine]:
        """Every machine by name.

        Raises
        ------
        StudyError
            If a name stands for two machines, or cannot be that of a folder.
        """
        by_name: dict[str, Machine] = {}
        for experiment in self.all_experiments():
            for name, machine in experiment.machines.items():
                if "/" in name:
                    raise StudyError(f"study {self.name}: machine {name!r}: name it without /, as its folder")
                if by_name.setdefault(name, machine) != machine:
                    raise StudyError(f"study {self.name}: machine {name!r} is declared twice, and differently")
        return by_name
