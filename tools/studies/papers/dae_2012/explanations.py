"""Decoupled Access/Execute: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured, NotMeasured
from .energy import energies, energy
from .measures import (
    MOST,
    NONE,
    PERFECT,
    SCHEMES,
    TRAFFIC,
    WARPS,
    machine,
    own,
    speeds,
    useless,
)

PROCESSOR = "fragment.processor"

REGISTERS = tuple(
    f"energy.structure.fragment_processor.{file}_registers" for file in ("constant", "input", "temporal", "output")
)


def _ran(m: Measured, n: str, kinds: tuple[str, ...], of: str) -> str:
    """A statistic of each scheme that was run, over that without prefetching."""
    found = []
    for kind in kinds:
        try:
            found.append(f"{kind} {m.ratio(n, of, machine(kind), machine(NONE)):.2f}")
        except NotMeasured:
            continue
    return ", ".join(found)


def where_time_goes(m: Measured) -> str:
    """What one warp waits for in each game, and how far perfect caches lead."""
    fast, many = speeds(m, PERFECT), speeds(m, NONE, MOST)
    parts = []
    for n in m.workloads:
        value = {
            what: m.value(n, machine(NONE), f"{PROCESSOR}.{what}_cycles")
            for what in ("busy", "texel_stall", "code_stall", "result_stall", "empty", "output")
        }
        total = sum(value.values())
        waits = ", ".join(
            f"{words} {value[what] / total:.0%}"
            for what, words in (
                ("texel_stall", "for texels"),
                ("result_stall", "for results"),
                ("output", "to hand quads on"),
                ("empty", "for quads"),
            )
        )
        parts.append(
            f"{n}: with one warp processors wait {waits}; perfect caches {fast[n]:.2f}x, 16 warps {many[n]:.2f}x; "
            f"cycles, of those without prefetching: {_ran(m, n, SCHEMES, 'gpu.cycles')}"
        )
    return "; ".join(parts)


def prefetched(m: Measured) -> str:
    """What each scheme asks for, and what becomes of it."""
    parts = []
    for n in m.workloads:
        told = []
        for kind in SCHEMES:
            try:
                found = {
                    what: m.value(n, machine(kind), f"{own(kind)}.{what}") for what in ("issued", "useful", "late")
                }
                lost = useless(m, kind)[n]
            except NotMeasured:
                continue
            issued = max(1.0, found["issued"])
            told.append(
                f"{kind} {issued / 1e3:.0f} thousand lines, {found['useful'] / issued:.0%} in time, "
                f"{found['late'] / issued:.0%} late, {lost:.0f} % for nothing"
            )
        parts.append(f"{n}: {'; '.join(told)}; accesses to the L2: {_ran(m, n, SCHEMES, TRAFFIC)}")
    return "; ".join(parts)


def where_energy_goes(m: Measured) -> str:
    """Energy of each scheme and number of warps, over that of one warp without prefetching."""
    many = {warps: energies(m, NONE, warps) for warps in WARPS}
    schemes = {}
    for kind in SCHEMES:
        try:
            schemes[kind] = energies(m, kind)
        except NotMeasured:
            continue
    parts = []
    for n in m.workloads:
        whole = {count: energy(m, n, machine(NONE, count)) for count in (1, MOST)}
        registers = {
            count: sum(m.value(n, machine(NONE, count), name) for name in REGISTERS) / whole[count] for count in whole
        }
        told = [f"{kind} {found[n]:.2f}" for kind, found in schemes.items()]
        told += [f"{count} warps {many[count][n]:.2f}" for count in (2, 4, MOST)]
        memory = m.value(n, machine(NONE), "energy.dram") / whole[1]
        parts.append(
            f"{n}: {', '.join(told)}; registers of the Fragment Processors take {registers[1]:.0%} with one warp, "
            f"{registers[MOST]:.0%} with 16; memory, which is not counted, takes {memory:.1f} times as much as all"
        )
    return "; ".join(parts)
