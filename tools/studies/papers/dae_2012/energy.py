"""Decoupled Access/Execute: energy of what the paper counts: caches, queues, register files, tables of prefetchers."""

from __future__ import annotations

from tilegpu.timing.results.statistics import structures

from ...measured import Measured, NotMeasured
from ...selection import configuration_of
from .measures import NONE, SCHEMES, WARPS, machine

LOGIC = frozenset(
    {
        "fpu",
        "sfu",
        "alu",
        "setup",
        "edges",
        "interpolators",
        "comparators",
        "pipeline",
        "arithmetic",
        "address",
        "filter",
    }
)
"""Last words of the names of structures that hold nothing; all others are arrays."""


def energy(m: Measured, workload: str, name: str) -> float:
    """Energy of the arrays of a machine's GPU, in pJ."""
    declared = m.selection.study.machines().get(name)
    if declared is None:
        raise NotMeasured(f"{workload}: {name}")
    arrays = (s.name for s in structures(configuration_of(declared)) if s.name.rpartition(".")[2] not in LOGIC)
    return sum(m.value(workload, name, f"energy.structure.{array}") for array in arrays)


def energies(m: Measured, kind: str, warps: int = 1, base: str = NONE, base_warps: int = 1) -> dict[str, float]:
    """Energy over that of another machine, by workload."""
    over, under = machine(kind, warps), machine(base, base_warps)
    return {n: energy(m, n, over) / energy(m, n, under) for n in m.workloads}


def energy_change(m: Measured, kind: str, warps: int = 1, base: str = NONE, base_warps: int = 1) -> float:
    """By how many per cent energy differs."""
    return 100 * (m.mean(energies(m, kind, warps, base, base_warps).values()) - 1)


def saving_games(m: Measured) -> float:
    """Games that take less energy with two or four warps than with one (Fig. 10)."""
    few = [energies(m, NONE, warps) for warps in (2, 4)]
    return float(sum(min(found[n] for found in few) < 1 for n in m.workloads))


def costly_share(m: Measured) -> float:
    """Share of the games that take more energy with 6 to 16 warps, in their mean, than with one (Fig. 10)."""
    many = [energies(m, NONE, warps) for warps in WARPS if warps >= 6]
    return m.mean(float(m.mean(found[n] for found in many) > 1) for n in m.workloads)


def savings_in_all(m: Measured) -> float:
    """Energy of the scheme that takes most, over that without prefetching (Fig. 8)."""
    return max(m.mean(energies(m, kind).values()) for kind in SCHEMES)
