"""Decoupled Access/Execute: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines
from .energy import energies, energy
from .measures import MOST, NONE, PERFECT, REMOTE, TRAFFIC, machine, own, speeds, useless

PROCESSOR = "fragment.processor"
SPENT = tuple(
    f"{PROCESSOR}.{what}_cycles" for what in ("busy", "texel_stall", "code_stall", "result_stall", "empty", "output")
)
REGISTERS = tuple(
    f"energy.structure.fragment_processor.{file}_registers" for file in ("constant", "input", "temporal", "output")
)


def where_time_goes(m: Measured) -> str:
    """Waiting for texels with one warp, and how far perfect caches lead."""
    stalled = {
        n: m.value(n, machine(NONE), SPENT[1]) / sum(m.value(n, machine(NONE), name) for name in SPENT)
        for n in m.workloads
    }
    return lines(
        by_game("with one warp processors wait for texels in", stalled, ".0%"),
        by_game("times as fast with perfect caches", speeds(m, PERFECT)),
        by_game("with 16 warps", speeds(m, NONE, MOST)),
    )


def prefetched(m: Measured) -> str:
    """Fate of the lines that the decoupled scheme asks for."""
    late = m.shares(machine(REMOTE), f"{own(REMOTE)}.late", f"{own(REMOTE)}.issued")
    return lines(
        by_game(f"lines that {REMOTE} asks for too late", late, ".0%"),
        by_game("for nothing, %", useless(m, REMOTE), ".0f"),
        by_game("accesses to the L2 over those without", m.ratios(TRAFFIC, machine(REMOTE), machine(NONE))),
    )


def where_energy_goes(m: Measured) -> str:
    """Energy over that of one warp without prefetching, and the part of the registers."""
    registers = {
        n: sum(m.value(n, machine(NONE, MOST), name) for name in REGISTERS) / energy(m, n, machine(NONE, MOST))
        for n in m.workloads
    }
    return lines(
        by_game(f"energy with {REMOTE}", energies(m, REMOTE)),
        by_game("with 16 warps", energies(m, NONE, MOST)),
        by_game("registers' share of that", registers, ".0%"),
    )
