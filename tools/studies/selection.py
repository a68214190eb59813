"""Selection of a study's runs: quick or in full, workloads, and expected time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tilegpu.functional.errors import nearest
from tilegpu.timing.config import Configuration, load_configuration
from tilegpu.timing.runs import Run
from tilegpu.tools.sampling.plan import Plan

from .declare import Experiment, Frames, Machine, Study, StudyError
from .materials import NUMBERED, Workload, find_workload, frames_of
from .rules import parse_rule

RUNS = "runs"
"""Folder of a study's results."""
QUICK_SCALE = 0.5
REPLAY_SECONDS, RECORD_SECONDS, RUN_SECONDS = 1.6, 3.0, 0.7
"""Per megapixel and frame the first two, per run the third, measured on one core: what a study will take is told before
it begins."""
NAMED = 4
"""Absent workloads that an error names."""
ACTIVITY_BYTES, RUN_BYTES = 5, 400_000
"""Of an activity per pixel and frame, and of the results of a run."""


class Batch(NamedTuple):
    """Runs of a workload that take the same frames."""

    runs: list[Run]
    frames: Frames


@dataclass(frozen=True)
class Selection:
    """Selected runs of a study.

    Attributes
    ----------
    study
        The study.
    quick
        Fewer frames, half the screen each way, fewer workloads in long experiments.
    scale
        Of the screen, each way.
    workloads
        By name: twins, then applications.
    absent
        Captures that are not at hand.
    plans
        By workload, plans that choose its frames instead of the study.
    warm_up
        Frames that warm up before each frame of a plan.
    others
        Workloads that the study declares as applications.
    """

    study: Study
    quick: bool
    scale: float
    workloads: dict[str, Workload]
    absent: tuple[str, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    warm_up: int = 0
    others: frozenset[str] = frozenset()

    @property
    def frames(self) -> Frames:
        """Moments that are replayed."""
        return self.study.quick_frames if self.quick else self.study.frames

    @property
    def first(self) -> list[str]:
        """Workloads of the first column: twins; where there is none, the study's own captures, or applications."""
        variants = self.study.variants
        twins = [name for name, w in self.workloads.items() if w.twin is not None and name not in variants]
        return twins or [name for name in self.workloads if name not in self.others] or list(self.workloads)

    @property
    def second(self) -> list[str]:
        """Workloads of the second column: applications beside twins."""
        return [name for name in self.workloads if name not in self.first and name not in self.study.variants]

    def frames_of(self, workload: str) -> Frames:
        """Moments of a workload that are drawn; of a variant those that readings take."""
        if workload in self.plans:
            return Frames((), self.plans[workload].chosen, self.warm_up)
        own = {} if self.quick else self.study.moments
        frames = frames_of(self.workloads[workload], own.get(workload, self.frames))
        return frames.few() if self._has_few(workload) else frames

    def each_of(self, workload: str, machine: str) -> int:
        """Counted frames that make a moment in a run."""
        sizes = (b.frames.each for b in self.batches_of(workload) if any(run.name == machine for run in b.runs))
        return next(sizes, 1)

    def strata(self, workload: str, numbers: Sequence[int]) -> list[list[int]]:
        """Places of moments by the phase that each is of; those of no phase are one.

        Parameters
        ----------
        workload
            Its name.
        numbers
            Frames in the activity.
        """
        phases = [] if self.workloads[workload].twin is None else [phase.frames for phase in self.study.phases]
        times = self.frames_of(workload).times
        places: dict[int, list[int]] = {}
        for place, number in enumerate(numbers):
            of = next((k for k, frames in enumerate(phases) if times[number] in frames), len(phases))
            places.setdefault(of, []).append(place)
        return list(places.values())

    def few_of(self, workload: str) -> Frames:
        """Moments of a workload that experiments of few frames take."""
        frames = self.frames_of(workload)
        return frames if workload in self.plans or self._has_few(workload) else frames.few()

    def few_numbers(self, workload: str) -> tuple[int, ...]:
        """The same by their numbers in the activity, which counts from 0 unless the capture's numbers are named."""
        few = self.few_of(workload)
        return few.counted if self.workloads[workload].numbers else few.places_in(self.frames_of(workload))

    def _has_few(self, workload: str) -> bool:
        return not self.quick and workload in {*self.study.variants, *self.study.slow}

    def batches_of(self, workload: str) -> list[Batch]:
        """Runs of a workload by the frames that they take; a machine of several experiments takes all of them."""
        machines, frames = self.study.machines(), self.frames_of(workload)
        taken = [e for e in self.study.all_experiments() if self._takes(e, workload)]
        usual = [e for e in taken if not e.moments]
        whole = dict.fromkeys(name for e in usual if not e.few for name in e.machines)
        few = dict.fromkeys(name for e in usual if e.few for name in e.machines if name not in whole)
        own = [(list(e.machines), e.moments[workload].among(frames)) for e in taken if e.moments]
        batches = [
            Batch([Run(name, configuration_of(machines[name]), {}) for name in names], chosen)
            for names, chosen in ((whole, frames), (few, self.few_of(workload)), *own)
        ]
        return [batch for batch in batches if batch.runs and batch.frames.counted]

    def runs_of(self, workload: str) -> list[Run]:
        """Runs of a workload, named as their machines."""
        return [run for batch in self.batches_of(workload) for run in batch.runs]

    def _takes(self, experiment: Experiment, workload: str) -> bool:
        if experiment.moments:
            return workload in experiment.moments
        if self.workloads[workload].twin is None and workload not in self.study.workloads:
            return experiment.with_applications
        if workload in self.study.variants:
            return workload in experiment.workloads
        chosen = experiment.runs_on(self.quick)
        # A twin of the user's own runs everything.
        return not chosen or workload in chosen or workload not in self.study.workloads

    def extended(self, experiments: Sequence[Experiment]) -> Selection:
        """The same with further experiments."""
        return replace(self, study=replace(self.study, experiments=(*self.study.experiments, *experiments)))

    def without(self, unusable: Collection[str]) -> Selection:
        """The same without some workloads, which count as absent."""
        usable = {name: workload for name, workload in self.workloads.items() if name not in unusable}
        return replace(self, workloads=usable, absent=(*self.absent, *unusable))

    @property
    def runs(self) -> int:
        """Number of runs."""
        return sum(len(self.runs_of(name)) for name in self.workloads)

    def seconds(self) -> float:
        """About how long it takes on one core, engines compiled, nothing there yet."""
        spent = RUN_SECONDS * self.runs
        for name, workload in self.workloads.items():
            spent += workload.pixels / 1e6 * RECORD_SECONDS * len(self.frames_of(name).times)
            for batch in self.batches_of(name):
                spent += workload.pixels / 1e6 * REPLAY_SECONDS * len(batch.runs) * len(batch.frames.times)
        if (pairs := self.study.pairs) is not None:
            for name in (name for names in pairs.pairs.values() for name in names if name in self.workloads):
                frames = len(self.frames_of(name).times) * (1 + len(pairs.sharings))
                spent += self.workloads[name].pixels / 1e6 * REPLAY_SECONDS * frames
        return spent

    def size_bytes(self) -> int:
        """About how much disk it takes."""
        frames = len(self.frames.times)
        return sum(w.pixels * frames * ACTIVITY_BYTES for w in self.workloads.values()) + self.runs * RUN_BYTES


@lru_cache(maxsize=4096)
def configuration_of(machine: Machine) -> Configuration:
    """Hardware of a machine.

    Raises
    ------
    ConfigurationError
        If there is none such.
    """
    return load_configuration(machine.preset, machine.settings)


def check_declaration(study: Study) -> None:
    """Refuse a declaration that names what it does not declare.

    Raises
    ------
    StudyError, RuleError
        If it does, or a rule cannot be read.
    """
    for conclusion in study.conclusions:
        parse_rule(conclusion.rule)
    ids = [conclusion.id for conclusion in study.conclusions]
    if twice := [name for name in ids if ids.count(name) > 1]:
        raise StudyError(f"study {study.name}: two conclusions have the id {twice[0]!r}")
    listed = {*study.workloads, *study.applications, *study.traces, *study.variants}
    numbered = {
        f"{Path(numbered_name[1]).stem}@{numbered_name[2]}"
        for numbered_name in map(NUMBERED.fullmatch, listed)
        if numbered_name
    }
    workloads = listed | numbered | {Path(name).stem for name in listed}
    named = {name for e in study.experiments for name in (*e.workloads, *e.quick_workloads, *e.moments)}
    for name in (*sorted(named), *study.slow, *study.moments, *study.screens, *study.readings.workloads):
        if name not in workloads:
            raise StudyError(f"study {study.name}: workload {name!r} is not among its own{nearest(name, workloads)}")
    for name in study.readings.conclusions:
        if name not in ids:
            raise StudyError(f"study {study.name}: readings: no conclusion {name!r}{nearest(name, ids)}")


def select(study: Study, quick: bool = False, names: Sequence[str] = (), scale: float | None = None) -> Selection:
    """Choose what of a study is run.

    Parameters
    ----------
    study
        The study.
    quick
        Whether in short.
    names
        Workloads; without them the study's own twins and applications.
    scale
        Of the screen each way; 1, or a half in short, without it.

    Raises
    ------
    StudyError, TwinError, RuleError, ConfigurationError
        If a workload cannot be found, or a rule or a machine of the study cannot be.
    """
    check_declaration(study)
    for machine in study.machines().values():
        configuration_of(machine)
    size = scale if scale is not None else QUICK_SCALE if quick else 1.0
    chosen: dict[str, Workload] = {}
    absent, others = [], []
    for name in names or (*study.workloads, *study.applications):
        workload = find_workload(name, study, size)
        if workload is None:
            absent.append(name)
        elif workload.name in chosen:
            raise StudyError(f"workload {workload.name!r} is named twice")
        else:
            chosen[workload.name] = workload
            others += [workload.name] * (name in study.applications)
    read = [] if quick else [variant for variant, name in study.variants.items() if name in chosen]
    for name in read:
        if (workload := find_workload(name, study, size)) is not None:
            chosen[workload.name] = workload
    if not chosen:
        named = ", ".join(absent[:NAMED]) + (f" and {len(absent) - NAMED} more" if len(absent) > NAMED else "")
        raise StudyError(f"study {study.name}: none of its workloads is at hand ({named}); {study.hint}")
    whole = Selection(study, quick, size, chosen, tuple(absent), others=frozenset(others))
    return replace(whole, workloads={name: w for name, w in chosen.items() if whole.runs_of(name)})
