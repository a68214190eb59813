"""Appendix A: Visibility Rendering Order and Z-prepass on the immediate-mode machine, with eight Fragment Processors
and with one."""

from __future__ import annotations

from ...declare import Conclusion, Figure, Machine
from ...measured import Measured
from ...reasons import by_game, lines
from .measures import CYCLES, ENERGY, NAME, TRAFFIC, TWINS

BASE, VRO, PREPASS = "imr", "imr-vro", "z-prepass"
ONE_BASE, ONE_VRO, ONE_PREPASS = (f"{name}, 1 FP" for name in (BASE, VRO, PREPASS))
PRESETS = {BASE: "imr-2018", VRO: "imr-2018-vro", PREPASS: "imr-2018-z-prepass"}
ONE = ("fragment_stage.processors=1",)

IMMEDIATE = {name: Machine(preset) for name, preset in PRESETS.items()}
ONE_PROCESSOR = {f"{name}, 1 FP": Machine(preset, ONE) for name, preset in PRESETS.items()}

GAMES = tuple(name for name in TWINS if name != "003-sleepy")
"""Table A.1 has eight of the nine games."""

EARLY, LATE = "raster.early_depth.fragments", "raster.early_depth.killed_fragments"
INSTRUCTIONS = "fragment.processor.instructions"


def games(m: Measured, base: str = BASE) -> Measured:
    """Runs with eight Fragment Processors, or with one."""
    return m.with_machine(*(ONE_PROCESSOR if base == ONE_BASE else IMMEDIATE))


def speedups(m: Measured, machine: str, base: str = BASE) -> dict[str, float]:
    return games(m, base).ratios(CYCLES, base, machine)


def speedup(m: Measured, machine: str, base: str = BASE) -> float:
    return m.mean(speedups(m, machine, base).values())


def saved_instructions_bound(m: Measured, base: str = BASE, machine: str = VRO) -> float:
    """Speed-up if time fell as the instructions of the Fragment Processors do."""
    return m.mean(games(m, base).ratios(INSTRUCTIONS, base, machine).values())


def change(m: Measured, statistic: str, machine: str, base: str = BASE) -> float:
    return m.mean(games(m, base).change_percent(statistic, machine, base).values())


def delays(m: Measured, machine: str, base: str = BASE) -> dict[str, float]:
    """Energy-delay product, of the baseline's."""
    energy, cycles = (games(m, base).ratios(what, machine, base) for what in (ENERGY, CYCLES))
    return {name: energy[name] * cycles[name] for name in energy}


def shaded(m: Measured, machine: str) -> dict[str, float]:
    """Fragments that go on to be shaded."""
    fragments = games(m).differences(machine, EARLY, LATE)
    if machine == PREPASS:
        first = games(m).each(machine, "techniques.z_prepass.fragments")
        return {name: fragments[name] - first[name] for name in fragments}
    return fragments


def overshading(m: Measured, machine: str) -> dict[str, float]:
    before, after = shaded(m, BASE), shaded(m, machine)
    return {name: after[name] / before[name] for name in before}


def fragment_traffic(m: Measured) -> float:
    """Share of what comes after the Rasterizer in the traffic of the baseline, in percent."""
    measured = games(m)
    sources = ("texture", "color", "depth", "instruction")
    parts = [
        measured.each(BASE, f"memory.dram.{way}_bytes.{source}") for way in ("read", "write") for source in sources
    ]
    whole = measured.each(BASE, TRAFFIC)
    return 100 * m.mean(sum(part[n] for part in parts) / whole[n] for n in whole)


def sort_percent(m: Measured) -> float:
    """Time of the sort over all time."""
    measured, unit = games(m), f"{NAME}.visibility_sort"
    parts = [measured.each(VRO, f"{unit}.{what}_cycles") for what in ("busy", "waiting", "blocked")]
    whole = measured.each(VRO, CYCLES)
    return 100 * m.mean(sum(part[n] for part in parts) / whole[n] for n in whole)


def where(m: Measured) -> str:
    """Fragments that each technique shades, and draws that one has twice."""
    measured = games(m)
    twice = {n: draws - 1 for n, draws in measured.ratios("gpu.draws", PREPASS, BASE).items()}
    return lines(
        by_game("VRO shades", overshading(m, VRO)),
        by_game("Z-prepass", overshading(m, PREPASS)),
        by_game("of the draws twice", twice, ".0%"),
    )


CONCLUSIONS = (
    Conclusion(
        "imr-speedup", "On the immediate-mode GPU VRO is 1.16 to 1.17 times as fast on average (A.3).",
        1.165, "x", "1.125 to 1.21", lambda m: speedup(m, VRO), where, bound=saved_instructions_bound,
    ),
    Conclusion(
        "imr-least", "300 gains least there, 1.015 times (A.3).",
        "003-300", "x", "003-300 among the lowest 1", lambda m: speedups(m, VRO), where,
    ),
    Conclusion(
        "imr-most", "Striker gains most there, 1.32 times (A.3).",
        "003-striker", "x", "003-striker among the highest 1", lambda m: speedups(m, VRO), where,
    ),
    Conclusion(
        "imr-energy", "Energy falls to 0.85 on average (A.3).",
        -15, "%", "within 25 % of -15", lambda m: change(m, ENERGY, VRO), where,
    ),
    Conclusion(
        "imr-overshading", "Fragments that pass early depth fall to 0.77 on average (Fig. A.7).",
        0.77, "of the baseline's", "0.71 to 0.83", lambda m: m.mean(overshading(m, VRO).values()), where,
        standing="set",
    ),
    Conclusion(
        "imr-instructions", "Instructions of the Fragment Processors fall to 0.71 on average (Fig. A.7).",
        0.71, "of the baseline's", "0.64 to 0.78",
        lambda m: m.mean(games(m).ratios(INSTRUCTIONS, VRO, BASE).values()), where, standing="set",
    ),
    Conclusion(
        "imr-traffic", "Memory traffic falls by 15 % on average (Fig. A.10).",
        -15, "%", "within 25 % of -15", lambda m: change(m, TRAFFIC, VRO), where,
    ),
    Conclusion(
        "imr-fragments", "98.5 % of the traffic comes after the Rasterizer (Fig. A.1).",
        98.5, "%", "within 2 % of 98.5", fragment_traffic, where,
    ),
    Conclusion(
        "imr-sort", "The sort, which nothing hides, takes 0.06 % of the time (A.1.2).",
        0.06, "%", "within 50 % of 0.06", sort_percent, where,
    ),
    Conclusion(
        "imr-area", "It takes less than 1 % of the area (A.1.2).",
        1, "%", "< 1", lambda m: m.area_change_percent(VRO, BASE), None,
    ),
    Conclusion(
        "prepass-every", "Z-prepass makes every game slower (A.3.1).",
        None, "x", "< 1", lambda m: max(speedups(m, PREPASS).values()), where,
    ),
    Conclusion(
        "prepass-speedup", "Z-prepass is 0.82 times as fast on average (A.3.1).",
        0.82, "x", "0.775 to 0.865", lambda m: speedup(m, PREPASS), where,
    ),
    Conclusion(
        "prepass-energy", "Z-prepass takes 1.28 times the energy on average (A.3.1).",
        28, "%", "within 25 % of 28", lambda m: change(m, ENERGY, PREPASS), where,
    ),
    Conclusion(
        "prepass-delay", "Its energy-delay product is 1.56 times the baseline's (A.3.1).",
        1.56, "of the baseline's", "1.42 to 1.7", lambda m: m.mean(delays(m, PREPASS).values()), where,
    ),
    Conclusion(
        "prepass-shades-less", "Z-prepass shades less than VRO (A.3.1).",
        None, "of the baseline's", "VRO > Z-prepass",
        lambda m: {
            "VRO": m.mean(overshading(m, VRO).values()), "Z-prepass": m.mean(overshading(m, PREPASS).values())
        }, where,
    ),
    Conclusion(
        "one-vro-speedup", "With one Fragment Processor VRO is 1.31 times as fast (Fig. A.17).",
        1.31, "x", "1.23 to 1.39", lambda m: speedup(m, ONE_VRO, ONE_BASE), where,
        bound=lambda m: saved_instructions_bound(m, ONE_BASE, ONE_VRO),
    ),
    Conclusion(
        "one-prepass-speedup", "With one Fragment Processor Z-prepass is 1.18 times as fast (Fig. A.17).",
        1.18, "x", "1.135 to 1.225", lambda m: speedup(m, ONE_PREPASS, ONE_BASE), where,
    ),
    Conclusion(
        "one-vro-no-slowdown", "With one Fragment Processor VRO slows no game down (A.3.1).",
        None, "x", ">= 1", lambda m: min(speedups(m, ONE_VRO, ONE_BASE).values()), where,
    ),
    Conclusion(
        "one-prepass-300", "Z-prepass slows 300 down even so (A.3.1).",
        None, "x", "< 1", lambda m: games(m, ONE_BASE).ratio("003-300", CYCLES, ONE_BASE, ONE_PREPASS), where,
    ),
    Conclusion(
        "one-vro-energy", "With one Fragment Processor VRO takes 0.81 of the energy (Fig. A.18).",
        -19, "%", "within 25 % of -19", lambda m: change(m, ENERGY, ONE_VRO, ONE_BASE), where,
    ),
    Conclusion(
        "one-prepass-energy", "Z-prepass takes 1.17 times the energy then (Fig. A.18).",
        17, "%", "within 25 % of 17", lambda m: change(m, ENERGY, ONE_PREPASS, ONE_BASE), where,
    ),
    Conclusion(
        "one-vro-delay", "VRO's energy-delay product is 0.62 of the baseline's then (Fig. A.19).",
        0.62, "of the baseline's", "0.525 to 0.715", lambda m: m.mean(delays(m, ONE_VRO, ONE_BASE).values()), where,
    ),
    Conclusion(
        "one-prepass-delay", "That of Z-prepass is 0.99 (Fig. A.19).",
        0.99, "of the baseline's", "within 10 % of 0.99",
        lambda m: m.mean(delays(m, ONE_PREPASS, ONE_BASE).values()), where,
    ),
)  # fmt: skip

FIGURES = (
    Figure("A.4", "Speed-up on the immediate-mode GPU", "times the baseline", lambda m: {
        "VRO": speedups(m, VRO), "Z-prepass": speedups(m, PREPASS),
    }),
    Figure("A.5", "Energy on the immediate-mode GPU", "of the baseline's", lambda m: {
        "VRO": games(m).ratios(ENERGY, VRO, BASE), "Z-prepass": games(m).ratios(ENERGY, PREPASS, BASE),
    }),
    Figure("A.7", "Overshading and instructions on the immediate-mode GPU", "of the baseline's", lambda m: {
        "VRO, fragments": overshading(m, VRO), "VRO, instructions": games(m).ratios(INSTRUCTIONS, VRO, BASE),
        "Z-prepass, fragments": overshading(m, PREPASS),
    }),
    Figure("A.10", "Memory traffic on the immediate-mode GPU", "of the baseline's", lambda m: {
        "VRO": games(m).ratios(TRAFFIC, VRO, BASE), "Z-prepass": games(m).ratios(TRAFFIC, PREPASS, BASE),
    }),
    Figure("A.17", "Speed-up with one Fragment Processor", "times the baseline", lambda m: {
        "VRO": speedups(m, ONE_VRO, ONE_BASE), "Z-prepass": speedups(m, ONE_PREPASS, ONE_BASE),
    }),
    Figure("A.19", "Energy-delay product with one Fragment Processor", "of the baseline's", lambda m: {
        "VRO": delays(m, ONE_VRO, ONE_BASE), "Z-prepass": delays(m, ONE_PREPASS, ONE_BASE),
    }),
)  # fmt: skip
