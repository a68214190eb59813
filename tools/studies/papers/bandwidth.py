"""Readings of a paper's bandwidth, and the conclusions that depend on them.

All TEAPOT tables have a memory of "4 bytes/cycle (dual channel)". In Parallel Tile Rendering that is 4.8 GB/s of a
memory at 1200 MHz, twice as much if it is said of each channel, and 3.2 GB/s if the cycles are the GPU's; in Rendering
Elimination and on visibility, at 400 MHz, 3.2 or 1.6 GB/s. The presets have the readings that docs/dram.md argues for.
Here each other reading is tried on some twins of each paper: what the machines take with it, over their baseline with
the same memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..declare import Experiment, Figure, Frames, Machine, Study
from ..measured import Measured
from .ptr_2022 import measures as ptr_measures
from .re_2019 import measures as re_measures
from .vro_2018 import measures as vro_measures

BASE, CYCLES, ENERGY = "baseline", "gpu.cycles", "energy.total"
SINGLE = ("dram.model=lpddr4-2400-single", "dram.simple_device=lpddr4-2400-single")
TABLES = ("dram.model=simple", "dram.bytes_per_memory_cycle=4")


@dataclass(frozen=True)
class Paper:
    """A paper's machines under each reading.

    Attributes
    ----------
    name
        Of its study, and in the names of machines.
    machines
        Those that its conclusions compare, as in its study.
    readings
        Settings by bandwidth; the first is that of the presets.
    twins
        Workloads.
    """

    name: str
    machines: Mapping[str, Machine]
    readings: Mapping[str, tuple[str, ...]]
    twins: tuple[str, ...]

    def variant(self, reading: str) -> str:
        """Ends of the names of its machines."""
        return f"@{self.name}, {reading}"

    def measured(self, m: Measured, reading: str) -> Measured:
        """Its twins on its machines under a reading."""
        return m.of(*self.twins).under(self.variant(reading))


PAPERS = (
    Paper(
        "ptr-2022",
        {name: ptr_measures.MACHINES[name] for name in (BASE, ptr_measures.PTR, ptr_measures.DOUBLED)},
        {"9.6 GB per second": (), "4.8 GB per second": SINGLE, "3.2 GB per second": (*SINGLE, "clocks.memory_mhz=800")},
        ("000-ccs", "000-bbr", "000-rok", "000-gra", "000-crs"),
    ),
    Paper(
        "re-2019",
        {name: re_measures.MACHINES[name] for name in (BASE, re_measures.RE, re_measures.TE)},
        {"3.2 GB per second": (), "1.6 GB per second": TABLES},
        ("001-ccs", "001-cde", "001-abi", "001-mst"),
    ),
    Paper(
        "vro-2018",
        {name: vro_measures.MACHINES[name] for name in (BASE, vro_measures.VRO, vro_measures.DR)},
        {"3.2 GB per second": (), "1.6 GB per second": TABLES},
        ("003-captain", "003-gravity", "003-forest2", "003-air"),
    ),
)


def _machines(paper: Paper) -> dict[str, Machine]:
    return {
        name + paper.variant(reading): Machine(machine.preset, (*machine.settings, *settings))
        for reading, settings in paper.readings.items()
        for name, machine in paper.machines.items()
    }


def _gains(m: Measured, statistic: str) -> dict[str, dict[str, float]]:
    """Cycles of each machine over those of its baseline under the same reading."""
    return {
        f"{paper.name}, {name}, {reading}": paper.measured(m, reading).ratios(statistic, name, BASE)
        for paper in PAPERS
        for reading in paper.readings
        for name in paper.machines
        if name != BASE
    }


STUDY = Study(
    name="bandwidth",
    title="What hangs on how the papers' bandwidth is read",
    source="machines of the studies ptr-2022, re-2019 and vro-2018",
    workloads=tuple(twin for paper in PAPERS for twin in paper.twins),
    applications=(),
    screen=None,
    frames=Frames((), (11, 34, 49), before=2),
    quick_frames=Frames((), (34,), before=2),
    draws=0,
    experiments=tuple(
        Experiment(_machines(paper), paper.twins, paper.twins[:1], with_applications=False) for paper in PAPERS
    ),
    figures=(
        Figure("time", "Cycles", "of the baseline's with the same memory", lambda m: _gains(m, CYCLES), means=True),
        Figure("energy", "Energy", "of the baseline's with the same memory", lambda m: _gains(m, ENERGY), means=True),
    ),
    conclusions=(),
    level="all",
    # Transaction Elimination looks at them.
    groups=frozenset({"pass_images"}),
)
