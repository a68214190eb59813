"""Render-Based Collision Detection: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines, share_of
from . import cpu
from .measures import BASE, CYCLES, ENERGY, FETCHER, LENGTH, NAME, TILE_CACHE, ZEBS, overflow

CPU_HZ = 1.5e9
"""Table 5.1."""
TWO = ZEBS[2]


def _extra(m: Measured, statistic: str) -> dict[str, float]:
    """By how much a statistic is more with the unit."""
    return {n: m.value(n, TWO, statistic) - m.value(n, BASE, statistic) for n in m.workloads}


def where_time_goes(m: Measured) -> str:
    """Primitives to fetch, and waiting for them."""
    extra, waiting = _extra(m, CYCLES), _extra(m, f"{FETCHER}.waiting_cycles")
    return lines(
        by_game("primitives to fetch, %", m.change_percent(f"{FETCHER}.primitives", TWO, BASE), "+.0f"),
        by_game("million cycles more", {n: value / 1e6 for n, value in extra.items()}),
        by_game("million of waiting for memory to fetch", {n: value / 1e6 for n, value in waiting.items()}),
    )


def against_the_cpu(m: Measured) -> str:
    """Cycles of the CPU for a vertex, as each reading has them, and time of the GPU."""
    vertices = {n: sum(frame.vertices for frame in cpu.frames(m, n)) for n in m.workloads}
    each_way = {
        way: {n: cpu.seconds(m, n, cpu.BROAD, way) * CPU_HZ / vertices[n] for n in m.workloads}
        for way in (cpu.EACH_ONCE, cpu.ANEW)
    }
    longer = {n: 1e6 * cpu.extra_seconds(m, n, TWO) / len(cpu.frames(m, n)) for n in m.workloads}
    return lines(
        by_game("the broad phase's cycles per vertex", each_way[cpu.EACH_ONCE], ".0f"),
        by_game("if each vertex makes its box anew", each_way[cpu.ANEW], ".0f"),
        by_game("microseconds that a frame takes the GPU longer", longer, ".0f"),
    )


def energy_against_the_cpu(m: Measured) -> str:
    """Energy of a frame on both."""
    count = {n: len(cpu.frames(m, n)) for n in m.workloads}
    gpu = {n: 1e-6 * value / count[n] for n, value in _extra(m, ENERGY).items()}
    return lines(
        by_game("uJ more of the GPU in a frame", gpu, ".0f"),
        by_game("of the CPU's broad phase", {n: 1e6 * cpu.joules(m, n, cpu.BROAD) / count[n] for n in gpu}, ".0f"),
    )


def buffers(m: Measured) -> str:
    """Share of the time in which no buffer is free."""
    blocked = f"{NAME}.insertion.blocked_cycles"
    return lines(
        *(by_game(f"no free buffer with {name} in", m.shares(name, blocked, CYCLES), ".1%") for name in ZEBS.values())
    )


def tagged(m: Measured) -> str:
    """Share of the quads that are tagged, and misses of the Tile Cache."""
    return lines(
        share_of(m, "tagged quads", TWO, f"{NAME}.tagged_quads", f"{NAME}.quads"),
        *(
            by_game(
                f"misses of the Tile Cache, {name}",
                m.shares(name, f"{TILE_CACHE}.misses", f"{TILE_CACHE}.accesses"),
                ".1%",
            )
            for name in (BASE, TWO)
        ),
    )


def geometry(m: Measured) -> str:
    """Write misses of the Geometry Pipeline."""
    return by_game("write misses, %", m.change_percent(f"{TILE_CACHE}.write_misses", TWO, BASE), "+.0f")


def lists(m: Measured) -> str:
    """Lengths of lists."""
    test = f"{NAME}.z_overlap_test"
    return lines(
        by_game("fragments of a list", m.shares(LENGTH[64], f"{test}.elements", f"{test}.lists_with_fragments"), ".1f"),
        by_game("% that overflow lists of 8", overflow(m, 8)),
    )


def energy(m: Measured) -> str:
    """Parts of the energy that is spent more."""
    extra, memory = _extra(m, ENERGY), _extra(m, "energy.dram")
    return by_game("memory's share of what is spent more", {n: memory[n] / extra[n] for n in extra}, ".0%")


def found_pairs(m: Measured) -> str:
    """Pairs by scheme."""
    return f"pairs in all frames: {', '.join(f'{count:.0f} by {name}' for name, count in cpu.pair_counts(m).items())}"


def areas(m: Measured) -> str:
    """Area with lists of 8 and of 64 elements."""
    base, eight, most = (m.area_mm2(name) for name in (BASE, TWO, LENGTH[64]))
    return f"the baseline has {base:.3f} mm2; with lists of 8 elements {eight:.3f}, of 64 {most:.3f}"
