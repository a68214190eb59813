"""Sampling: workloads and machines, plans, and how far their totals are from those of all frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.characterize.files import Characterization
from tilegpu.tools.sampling.plan import Plan, Source
from tilegpu.tools.sampling.planning import PlanLimits, planned
from tilegpu.tools.sampling.speedups import speedup
from tilegpu.tools.sampling.totals import UNITS, Total, totals
from tilegpu.tools.sampling.vectors import REUSE, Vectors, vectors

from ...declare import Experiment, Frames, Machine
from ...measured import Measured, NotMeasured
from ...planning import counts_of

LONG, SHORT, SPRITES = "000-crs+session", "000-how+session", "001-abi+session"
LENGTHS = {SHORT: 300, SPRITES: 300, LONG: 2000}
FEWER = {SHORT: 15, SPRITES: 15, LONG: 50}
"""Frames of all over those that are simulated, warm-up included."""
SCREENS = {SHORT: (512, 288), SPRITES: (300, 192), LONG: (300, 192)}
"""Small ones, since every frame is replayed on every machine."""
MOST_CLUSTERS, SEEDS = 30, range(5)
ROUNDING = 1e-9
"""Share of a sum by which the order of its terms may change it."""
BASE, PAPER_VECTOR, RICH = "ptr-2022", "paper", "rich"
COMPARED = PAPER_VECTOR, RICH
"""Vectors of which the errors of totals are compared."""
MACHINES = {
    BASE: Machine("ptr-2022"),
    "ptr-2022-2ru": Machine("ptr-2022-2ru"),
    "re-2019": Machine("re-2019"),
    "re-2019-re": Machine("re-2019", ("techniques=rendering_elimination",)),
    "vro-2018": Machine("vro-2018"),
    "vro-2018-vro": Machine("vro-2018-vro"),
}


@dataclass(frozen=True)
class Technique:
    """Machine without and with a technique, the frames that warm up before each that counts, workloads, and the vector
    that frames are chosen by; and whether it skips tiles that repeat."""

    before: str
    after: str
    warm_up: int = 1
    workloads: tuple[str, ...] = (SPRITES,)
    vector: str = RICH
    skips: bool = False


TECHNIQUES = {
    "PTR": Technique(BASE, "ptr-2022-2ru", workloads=(SPRITES, LONG)),
    # It compares with the frame before the last, whose frame buffer is drawn to again. So does the frame before, and a
    # frame's geometry overlaps the end of that one, which has to be as short as it is.
    "RE": Technique("re-2019", "re-2019-re", 3, vector=REUSE, skips=True),
    "VRO": Technique("vro-2018", "vro-2018-vro"),
}
MOMENTS = {name: Frames((), tuple(range(length))) for name, length in LENGTHS.items()}
QUICK = Frames((), tuple(range(100)))
Values = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Sample:
    """Making of a plan: its vector, seed, and frames that warm up before each."""

    vector: str
    seed: int
    warm_up: int = 1

    def machine(self, name: str) -> str:
        """Name of a machine's run on the frames of such a plan."""
        return f"{name}, {self.vector}, seed {self.seed}, {self.warm_up} to warm up"


def samples(workload: str) -> dict[Sample, set[str]]:
    """Plans that are replayed, and machines that replay them; a workload of the user's own runs everything."""
    machines_of: dict[Sample, set[str]] = {Sample(vector, seed): {BASE} for vector in COMPARED for seed in SEEDS}
    for technique in TECHNIQUES.values():
        if workload in technique.workloads or workload not in LENGTHS:
            for seed in SEEDS:
                sample = Sample(technique.vector, seed, technique.warm_up)
                machines_of.setdefault(sample, set()).update((technique.before, technique.after))
    return machines_of


def whole() -> tuple[Experiment, ...]:
    """Runs on all frames."""
    experiments = [Experiment({BASE: MACHINES[BASE]}, with_applications=False)]
    for technique in TECHNIQUES.values():
        machines = {name: MACHINES[name] for name in (technique.before, technique.after)}
        experiments.append(Experiment(machines, technique.workloads, technique.workloads[:1], with_applications=False))
    return tuple(experiments)


def sampled(m: Measured) -> tuple[Experiment, ...]:
    """Runs on the frames of plans."""
    experiments = []
    for workload in m.workloads:
        for sample, machines in samples(workload).items():
            chosen = Frames((), plan(m, workload, sample).chosen, sample.warm_up)
            named = {sample.machine(name): MACHINES[name] for name in MACHINES if name in machines}
            experiments.append(Experiment(named, moments={workload: chosen}))
    return tuple(experiments)


def length(m: Measured, workload: str) -> int:
    """Frames of a workload."""
    return len(m.selection.frames_of(workload).counted)


def counts(m: Measured, workload: str) -> Characterization:
    """Counts of the frames of a workload, in the folder of the study."""
    times = m.selection.frames_of(workload).times
    return m.once(f"counts of {workload}", lambda: counts_of(m.workload(workload), times, m.output))


def plan(m: Measured, workload: str, sample: Sample) -> Plan:
    """A plan of as few frames as is asked for, those that warm up included."""
    budget = length(m, workload) // FEWER.get(workload, FEWER[SHORT])
    return plan_of(m, workload, sample, max(1, budget // (1 + sample.warm_up)), (sample.warm_up,))


def plan_of(m: Measured, workload: str, sample: Sample, frames: int, warm_ups: tuple[int, ...] = ()) -> Plan:
    """A plan that simulates a number of frames, without those that warm up; with what frames read first after some
    numbers of these."""

    def make() -> Plan:
        wanted = PlanLimits(MOST_CLUSTERS, 1, frames, sample.seed, warm_ups)
        source = Source(name=workload, sha256="")
        compared = vector_of(m, workload, sample.vector)
        return planned(counts(m, workload), compared, wanted, versions={}, source=source, vector=sample.vector)

    return m.once(f"plan of {workload}, {sample.vector}, {sample.seed}, {frames}, {warm_ups}", make)


def vector_of(m: Measured, workload: str, kind: str) -> Vectors:
    """Vectors of a workload's frames."""
    return m.once(f"{kind} vectors of {workload}", lambda: vectors(counts(m, workload), kind))


def values(m: Measured, workload: str, machine: str) -> Values:
    """The measures of each frame of a run, (frames,) each.

    Raises
    ------
    NotMeasured
        If the run is not there, or one frame is asked for: totals are of all.
    """
    if m.frame is not None:
        raise NotMeasured("totals of one frame")
    return m.once(f"values of {workload}, {machine}", lambda: _values(m, workload, machine))


def _values(m: Measured, workload: str, machine: str) -> Values:
    def each(statistic: str) -> NDArray[np.float64]:
        return np.array([value for _, value in m.frame_values(workload, machine, statistic)])

    energy = [m.at(place).value(workload, machine, "energy.total") for place in range(len(each("gpu.cycles")))]
    return {
        "cycles": each("gpu.cycles"),
        "energy": np.array(energy),
        "dram_bytes": each("memory.dram.read_bytes") + each("memory.dram.write_bytes"),
        "l2_misses": each("memory.l2_cache.misses"),
    }


def estimates(m: Measured, workload: str, machine: str, sample: Sample) -> dict[str, Total]:
    """Totals of all frames from those that a plan has replayed."""
    measured, chosen = values(m, workload, sample.machine(machine)), plan(m, workload, sample)
    by_frame = {frame: {name: measured[name][i] for name in UNITS} for i, frame in enumerate(chosen.chosen)}
    # All frames were recorded from the first on, so those of the activity have the same numbers.
    run = sample.machine(machine)
    fills = m.once(f"fills of {workload}, {run}", lambda: m.fills(workload, run))
    return {total.name: total for total in totals(chosen, by_frame, fills)}


def error_percent(m: Measured, workload: str, sample: Sample, measure: str) -> float:
    """By how much a total of a plan is off, on the machine without techniques."""
    whole = float(values(m, workload, BASE)[measure].sum())
    return 100 * (estimates(m, workload, BASE, sample)[measure].value / whole - 1)


def warm_error_percent(m: Measured, workload: str, sample: Sample, measure: str) -> float:
    """The same if each frame of the plan came after all frames before it."""
    every, chosen = values(m, workload, BASE), plan(m, workload, sample)
    measured = {frame: {name: every[name][frame] for name in UNITS} for frame in chosen.chosen}
    estimate = next(total.value for total in totals(chosen, measured) if total.name == measure)
    return 100 * (estimate / float(every[measure].sum()) - 1)


def errors_percent(m: Measured, vector: str, measure: str) -> dict[str, list[float]]:
    """The same of every seed, by workload."""
    return {w: [error_percent(m, w, Sample(vector, seed), measure) for seed in SEEDS] for w in m.workloads}


def held_share(m: Measured, vector: str) -> dict[str, float]:
    """Share of the plans whose interval holds the total, by measure."""
    return {
        name: sum(not beyond for beyond in distances) / len(distances) for name, distances in _beyond(m, vector).items()
    }


def most_beyond_percent(m: Measured, vector: str) -> dict[str, float]:
    """Largest distance of the total from the interval of a plan, by measure."""
    return {name: 100 * max(distances) for name, distances in _beyond(m, vector).items()}


def _beyond(m: Measured, vector: str) -> dict[str, list[float]]:
    """Distances of the total from the interval of each plan, as a share of the total, by measure."""
    distances: dict[str, list[float]] = {name: [] for name in UNITS}
    for workload in m.workloads:
        for seed in SEEDS:
            for name, total in estimates(m, workload, BASE, Sample(vector, seed)).items():
                whole = float(values(m, workload, BASE)[name].sum())
                low, high = total.interval
                beyond = max(0.0, low / whole - 1, 1 - high / whole)
                distances[name].append(beyond if beyond > ROUNDING else 0.0)
    return distances


def _cycles(m: Measured, workload: str, machine: str, sample: Sample) -> dict[int, float]:
    """Cycles of the chosen frames of a plan."""
    every = values(m, workload, sample.machine(machine))["cycles"].tolist()
    return dict(zip(plan(m, workload, sample).chosen, every, strict=True))


def speedups(m: Measured, workload: str, name: str) -> tuple[float, list[float]]:
    """Speed-up by a technique over all frames, and by the plan of each seed."""
    pair = TECHNIQUES[name]
    whole = values(m, workload, pair.before)["cycles"].sum() / values(m, workload, pair.after)["cycles"].sum()
    by_plans = []
    for seed in SEEDS:
        sample = Sample(pair.vector, seed, pair.warm_up)
        chosen = plan(m, workload, sample)
        before, after = (_cycles(m, workload, machine, sample) for machine in (pair.before, pair.after))
        by_plans.append(speedup(chosen, before, after, pair.skips))
    return float(whole), by_plans


def technique_workloads(m: Measured, name: str) -> list[str]:
    """Workloads that a technique ran on."""
    pair = TECHNIQUES[name]
    return list(m.with_machine(pair.before, pair.after).workloads)


def fewer(m: Measured, workload: str) -> float:
    """Frames of all over those that are replayed, by the plan that replays most."""
    most = max(len(plan(m, workload, sample).with_warm_up(sample.warm_up)) for sample in samples(workload))
    return length(m, workload) / most
