"""Decoupled Access/Execute: energy of what the paper counts: caches, queues, register files, tables of prefetchers."""

from __future__ import annotations

from tilegpu.timing.results.statistics import structures

from ...measured import Measured, NotMeasured
from ...recounted import recounted
from ...selection import configuration_of
from .measures import GHB, MOST, NONE, REMOTE, SCHEMES, WARPS, machine

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

DEVICES = {
    "itrs-hp": ("energy.device=itrs-hp",),
    "itrs-hp, longer channels": ("energy.device=itrs-hp", "energy.longer_channels=all"),
    "itrs-lop": ("energy.device=itrs-lop",),
    "itrs-lstp": ("energy.device=itrs-lstp",),
}
"""Types of devices. CACTI has the three of ITRS, the first of them where nothing else is said; the second is
McPAT's `longer_channel_device`. The paper names none."""

COMPARED = (
    ("remote over GHB", machine(REMOTE), machine(GHB)),
    ("16 warps over one", machine(NONE, MOST), machine(NONE)),
    ("remote over 16 warps", machine(REMOTE), machine(NONE, MOST)),
    ("remote with two warps over 16 warps", machine(REMOTE, 2), machine(NONE, MOST)),
)
"""Schemes whose energies the sentences of section 5 compare."""


def energy(m: Measured, workload: str, name: str) -> float:
    """Energy of the arrays of a machine's GPU, in pJ."""
    declared = m.selection.study.machines().get(name + m.variant)
    if declared is None:
        raise NotMeasured(f"{workload}: {name}")
    arrays = (s.name for s in structures(configuration_of(declared)) if not _is_logic(s.name))
    return sum(m.value(workload, name, f"energy.structure.{array}") for array in arrays)


def _is_logic(structure: str) -> bool:
    return structure.rpartition(".")[2] in LOGIC


def recounted_arrays(m: Measured, workload: str, name: str, device: str) -> tuple[float, float]:
    """Energy of the arrays with another type of devices, and its static part, in pJ."""
    rows = [row for row in recounted(m, workload, name, *DEVICES[device]).structures if not _is_logic(row.name)]
    return sum(row.energy_pj for row in rows), sum(row.static_pj for row in rows)


def by_device(m: Measured) -> dict[str, dict[str, float]]:
    """Energies that the paper compares, and the static share of one warp's, under each type of devices."""
    energies: dict[str, dict[str, float]] = {}
    for device in DEVICES:
        for words, above, below in COMPARED:
            try:
                both = m.with_machine(above, below)
            except NotMeasured:
                continue
            energies[f"{words}, {device}"] = {
                n: recounted_arrays(both, n, above, device)[0] / recounted_arrays(both, n, below, device)[0]
                for n in both.workloads
            }
        shares = {n: recounted_arrays(m, n, machine(NONE), device) for n in m.workloads}
        energies[f"static share of one warp's, {device}"] = {n: static / whole for n, (whole, static) in shares.items()}
    return energies


def energies(m: Measured, kind: str, warps: int = 1, base: str = NONE, base_warps: int = 1) -> dict[str, float]:
    """Energy over that of another machine, by workload, on the frames that both ran."""
    over, under = machine(kind, warps), machine(base, base_warps)
    both = m.with_machine(over, under)
    return {n: energy(both, n, over) / energy(both, n, under) for n in both.workloads}


def energy_change(m: Measured, kind: str, warps: int = 1, base: str = NONE, base_warps: int = 1) -> float:
    """By how many per cent energy differs."""
    return 100 * (m.mean(energies(m, kind, warps, base, base_warps).values()) - 1)


def saving_games(m: Measured) -> float:
    """Games that take less energy with two or four warps than with one (Fig. 10)."""
    few = [energies(m, NONE, warps) for warps in (2, 4)]
    return float(sum(min(ratios[n] for ratios in few) < 1 for n in m.workloads))


def costly_share(m: Measured) -> float:
    """Share of the games that take more energy with 6 to 16 warps, in their mean, than with one (Fig. 10)."""
    many = [energies(m, NONE, warps) for warps in WARPS if warps >= 6]
    return m.mean(float(m.mean(ratios[n] for ratios in many) > 1) for n in m.workloads)


def savings_in_all(m: Measured) -> float:
    """Energy of the scheme that takes most, over that without prefetching (Fig. 8)."""
    return max(m.mean(energies(m, kind).values()) for kind in SCHEMES)
