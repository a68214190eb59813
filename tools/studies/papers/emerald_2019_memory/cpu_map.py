"""Emerald's first case study: the conclusions by what the CPU asks of memory while the GPU works, which no text tells.

Each point is another CPU: how dense the misses of its threads are, how many of them are under way at a time, and how
many lines they ask for while the GPU works. All four cores run such threads; before the GPU starts they ask for as many
lines as the preset's two intensive ones (docs/model/soc.md). It illustrates, and judges nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ...declare import Conclusion, Machine
from ...measured import Measured
from .measures import BAS, DCB, FRAME_TIME, GPU_TIME, HIGH, HMC, MACHINES, REGULAR, change, rate_change

OWN = "technique.soc."
CORES = 4
LINES_BEFORE = 27_000
"""Lines of all threads before the GPU starts: 6 million cycles of two threads with 2,250 per million."""

SHARE = "the CPU's share of the traffic while the GPU works"
DASH_REGULAR, DASH_HIGH = "DASH: time of the GPU", "DASH: time of the GPU, high load"
HMC_REGULAR, HMC_HIGH = "HMC: time of the GPU", "HMC: time of a frame, high load"
RATE, HOLDING = "DASH: frame rate, high load", "conclusions that hold"

DECIDED_BY_IT = (
    "dcb-gpu", "dtb-gpu", "hmc-gpu", "hmc-frame", "dcb-rate", "dtb-rate", "large-rate", "m1-dcb", "m1-dtb",
    "simpler-less", "latency",
)  # fmt: skip
"""Conclusions that hang on what the CPU asks for, by their ids."""
BANDS = {"HMC, time of the GPU: twice": (1.75, 2.25), "DASH, 19 to 20 %": (1.14625, 1.24375)}
"""Ranges of times in which conclusions hold."""


class Cpu(NamedTuple):
    """A point of the map.

    Attributes
    ----------
    misses
        Of a thread, in lines per million cycles of computing.
    under_way
        At which a thread stalls.
    beside
        Lines of all threads while the GPU works.
    """

    misses: int
    under_way: int
    beside: int

    @property
    def name(self) -> str:
        """As rows of the map and ends of machines' names have it."""
        return f"{self.misses:,} per million cycles, {self.under_way} under way, {self.beside:,} beside the GPU"

    @property
    def settings(self) -> tuple[str, ...]:
        """Fields of the machine."""
        before, beside = (round(1000 * lines / CORES / self.misses) for lines in (LINES_BEFORE, self.beside))
        return (
            f"{OWN}intensive_cores={CORES}",
            f"{OWN}intensive_misses={self.misses}",
            f"{OWN}intensive_outstanding={self.under_way}",
            f"{OWN}frame_kilocycles={before}",
            f"{OWN}background_kilocycles={beside}",
            f"{OWN}background_misses=1000",
        )


WAYS = (6_750, (6, 2, 1)), (20_250, (6, 2, 1)), (30_000, (1,))
"""Lines beside the GPU, and how many are under way: dense threads with one lack lines to slow the GPU further."""

POINTS = tuple(
    Cpu(misses, under_way, beside) for beside, ways in WAYS for misses in (2_250, 6_000, 15_000) for under_way in ways
)


def variant(point: Cpu) -> str:
    """End of the names of a point's machines."""
    return f"@{point.name}"


MAP: dict[str, Machine] = {
    name + variant(point): replace(machine, settings=(*machine.settings, *point.settings))
    for point in POINTS
    for name, machine in MACHINES.items()
}


def share_beside_the_gpu(m: Measured) -> float:
    """Share of the bytes that the CPU moves while the GPU works, FR-FCFS and regular load, mean over workloads."""
    shares = []
    for workload in m.workloads:
        intervals = m.table(workload, BAS + REGULAR, "bandwidth").to_pylist()
        rows = [row for row in intervals if row["phase"] == "renders"]
        moved = {kind: sum(row[f"{kind}_bytes"] for row in rows) for kind in ("cpu", "gpu", "display")}
        shares.append(moved["cpu"] / max(1, sum(moved.values())))
    return m.mean(shares)


def slowdowns(m: Measured) -> dict[str, float]:
    """Times with DASH and HMC over the baseline's, and the frame rate with DASH."""
    return {
        DASH_REGULAR: 1 + change(m, GPU_TIME, DCB, REGULAR) / 100,
        DASH_HIGH: 1 + change(m, GPU_TIME, DCB, HIGH) / 100,
        RATE: 1 + rate_change(m, (DCB,), HIGH) / 100,
        HMC_REGULAR: 1 + change(m, GPU_TIME, HMC, REGULAR) / 100,
        HMC_HIGH: 1 + change(m, FRAME_TIME, HMC, HIGH) / 100,
    }


def under(m: Measured, point: Cpu) -> Measured:
    """The same of the machines with a point's CPU."""
    return replace(m, variant=variant(point), few=True)


def measured_at(m: Measured, point: Cpu) -> dict[str, float]:
    """The CPU's share of the traffic and the slowdowns of a point, measured at the first use."""

    def measure() -> dict[str, float]:
        there = under(m, point)
        return {SHARE: share_beside_the_gpu(there), **slowdowns(there)}

    return m.once(f"map{variant(point)}", measure)


def map_of(m: Measured, conclusions: tuple[Conclusion, ...]) -> dict[str, dict[str, float]]:
    """Columns of the map, by point."""
    some = [c for c in conclusions if c.id in DECIDED_BY_IT]
    columns: dict[str, dict[str, float]] = {}
    for point in POINTS:
        holding = float(sum(c.holds(under(m, point)) for c in some))
        for column, value in {**measured_at(m, point), HOLDING: holding}.items():
            columns.setdefault(column, {})[point.name] = value
    return columns


def over_share(m: Measured) -> dict[str, dict[str, float]]:
    """Slowdowns by the CPU's share of the traffic while the GPU works."""
    series: dict[str, dict[str, float]] = {}
    for row in sorted((measured_at(m, point) for point in POINTS), key=lambda row: row[SHARE]):
        for column in (DASH_REGULAR, DASH_HIGH, HMC_REGULAR, HMC_HIGH):
            series.setdefault(column, {})[f"{row[SHARE]:.4f}"] = row[column]
    return series
