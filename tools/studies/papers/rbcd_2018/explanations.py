"""Render-Based Collision Detection: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from . import cpu
from .measures import (
    BASE,
    CYCLES,
    ENERGY,
    FETCHER,
    GEOMETRY,
    LENGTH,
    NAME,
    RASTER,
    TILE_CACHE,
    ZEBS,
    overflow,
    pairs,
    rise,
)

CPU_HZ = 1.5e9
"""Table 5.1."""
GJK_OVER_BROAD = 3500 / 620 - 1
"""Time of the narrow phase over that of the broad one, as the speed-ups over both have it (5.3.1)."""
TWO = ZEBS[2]


def where_time_goes(m: Measured) -> str:
    """What makes the GPU slower, game by game."""
    parts = []
    for n in m.workloads:
        extra = m.value(n, TWO, CYCLES) - m.value(n, BASE, CYCLES)
        waiting = m.value(n, TWO, f"{FETCHER}.waiting_cycles") - m.value(n, BASE, f"{FETCHER}.waiting_cycles")
        primitives = 100 * (m.ratio(n, f"{FETCHER}.primitives", TWO, BASE) - 1)
        parts.append(
            f"{n}: {primitives:+.0f} % primitives to fetch, {100 * extra / m.value(n, BASE, CYCLES):+.1f} % time; the "
            f"Tile Fetcher waits {waiting / 1e6:.2f} of {extra / 1e6:.2f} million cycles more, with "
            f"{m.value(n, TWO, f'{TILE_CACHE}.read_misses'):.0f} read misses for "
            f"{m.value(n, BASE, f'{TILE_CACHE}.read_misses'):.0f}"
        )
    stalls = m.mean(m.shares(TWO, f"{NAME}.insertion.blocked_cycles", CYCLES).values())
    return f"with two ZEBs the RBCD unit itself has no free one in {stalls:.2%} of the cycles: " + "; ".join(parts)


def against_the_cpu(m: Measured) -> str:
    """What both take for a frame, and what the CPU would have to take for the thesis' figure."""
    parts = []
    for n in m.workloads:
        found, count = cpu.frames(m, n), len(cpu.frames(m, n))
        vertices = sum(frame.vertices for frame in found)
        broad, anew = cpu.seconds(m, n, cpu.BROAD), cpu.seconds(m, n, cpu.BROAD, cpu.ANEW)
        narrow = cpu.seconds(m, n, cpu.GJK) - broad
        extra = {zebs: cpu.extra_seconds(m, n, ZEBS[zebs]) for zebs in ZEBS}
        wanted = 620 * extra[2] * CPU_HZ / vertices
        parts.append(
            f"{n}: {vertices / count:.0f} vertices of {found[0].objects} objects, broad phase "
            f"{1e6 * broad / count:.0f} us ({broad * CPU_HZ / vertices:.0f} cycles per vertex), GPU "
            + ", ".join(f"{1e6 * extra[zebs] / count:.0f}" for zebs in ZEBS)
            + f" us longer with 1, 2 and 4 ZEBs; 620 times would take {wanted:.0f} cycles of the CPU per vertex, and "
            f"boxes made anew for each vertex that is added take {anew * CPU_HZ / vertices:.0f}, {anew / extra[2]:.0f} "
            f"times what the GPU takes; the narrow phase takes {narrow / broad:.2f} of the broad one, of which the "
            f"thesis' figures make {GJK_OVER_BROAD:.1f}"
        )
    return (
        "a broad phase reads each vertex once and compares few boxes; the thesis does not tell what its CPU does "
        "besides. If its program hands Bullet the vertices of every frame one by one, each makes the object's box "
        "anew: " + "; ".join(parts)
    )


def energy_against_the_cpu(m: Measured) -> str:
    """Energy of a frame on both."""
    parts = []
    for n in m.workloads:
        count = len(cpu.frames(m, n))
        extra = [1e-6 * (m.value(n, ZEBS[z], ENERGY) - m.value(n, BASE, ENERGY)) / count for z in ZEBS]
        spent = [1e6 * cpu.joules(m, n, which) / count for which in (cpu.BROAD, cpu.GJK)]
        parts.append(
            f"{n}: GPU {', '.join(f'{value:.0f}' for value in extra)} uJ more with 1, 2 and 4 ZEBs; CPU "
            f"{spent[0]:.0f} uJ for the broad phase, {spent[1]:.0f} for both"
        )
    return "energy follows time on both sides: " + "; ".join(parts)


def buffers(m: Measured) -> str:
    """What a second buffer, and a third and fourth, are good for."""
    parts = []
    for n in m.workloads:
        shares = [
            m.value(n, name, f"{NAME}.insertion.blocked_cycles") / m.value(n, name, CYCLES) for name in ZEBS.values()
        ]
        test = m.value(n, TWO, f"{NAME}.z_overlap_test.busy_cycles") / m.value(n, TWO, f"{NAME}.z_overlap_test.tiles")
        parts.append(
            f"{n}: no free buffer in {', '.join(f'{share:.1%}' for share in shares)} of the cycles; a test takes "
            f"{test:.0f} cycles of the {m.value(n, TWO, RASTER) / m.value(n, TWO, f'{FETCHER}.tiles'):.0f} of a tile"
        )
    return "; ".join(parts)


def tagged(m: Measured) -> str:
    """How many of the primitives and quads are tagged, and what becomes of the Parameter Buffer."""
    parts = []
    for n in m.workloads:
        quads = m.value(n, TWO, f"{NAME}.tagged_quads") / m.value(n, TWO, f"{NAME}.quads")
        primitives = 100 * (m.ratio(n, f"{FETCHER}.primitives", TWO, BASE) - 1)
        misses = [
            m.value(n, which, f"{TILE_CACHE}.misses") / m.value(n, which, f"{TILE_CACHE}.accesses")
            for which in (BASE, TWO)
        ]
        parts.append(
            f"{n}: {primitives:+.0f} % primitives, {quads:.0%} of the RBCD unit's quads are tagged; of the Tile "
            f"Cache's accesses {misses[0]:.1%} miss without and {misses[1]:.1%} with it"
        )
    return "; ".join(parts)


def geometry(m: Measured) -> str:
    """What the Geometry Pipeline does more."""
    return "; ".join(
        f"{n}: {100 * (m.ratio(n, GEOMETRY, TWO, BASE) - 1):+.1f} % time, "
        f"{100 * (m.ratio(n, f'{TILE_CACHE}.write_misses', TWO, BASE) - 1):+.0f} % write misses"
        for n in m.workloads
    )


def lists(m: Measured) -> str:
    """How long lists are, and which pairs go with overflows."""
    parts = []
    for n in m.workloads:
        rates = [overflow(m, length)[n] for length in (4, 8, 16)]
        found = len(pairs(m, n, LENGTH[64]))
        missing = [found - len(pairs(m, n, LENGTH[length]) & pairs(m, n, LENGTH[64])) for length in (4, 8)]
        elements = m.value(n, LENGTH[64], f"{NAME}.z_overlap_test.elements")
        filled = m.value(n, LENGTH[64], f"{NAME}.z_overlap_test.lists_with_fragments")
        parts.append(
            f"{n}: {', '.join(f'{rate:.2f}' for rate in rates)} % with lists of 4, 8, 16; {elements / filled:.1f} "
            f"fragments in a list that has some; of {found} pairs {missing[0]} and {missing[1]} are lost with 4 and 8"
        )
    return "; ".join(parts)


def energy(m: Measured) -> str:
    """Where the energy goes: time, memory, the unit's own."""
    parts = []
    for n in m.workloads:
        extra = m.value(n, TWO, ENERGY) - m.value(n, BASE, ENERGY)
        memory = m.value(n, TWO, "energy.dram") - m.value(n, BASE, "energy.dram")
        zebs = m.value(n, TWO, "energy.structure.rbcd.zebs")
        parts.append(
            f"{n}: {100 * extra / m.value(n, BASE, ENERGY):+.1f} %, of which memory {memory / extra:.0%} and the ZEBs "
            f"{zebs / extra:.1%}"
        )
    return f"time is {rise(m, CYCLES):+.1f} %, and what leaks and refreshes goes with it: " + "; ".join(parts)


def found_pairs(m: Measured) -> str:
    """Pairs by scheme."""
    return f"pairs in all frames: {', '.join(f'{count:.0f} by {name}' for name, count in cpu.pair_counts(m).items())}"


def areas(m: Measured) -> str:
    """Area with lists of 8 and of 64 elements."""
    return (
        f"the baseline has {m.area_mm2(BASE):.3f} mm2; with lists of 8 elements {m.area_mm2(TWO):.3f}, of 64 "
        f"{m.area_mm2(LENGTH[64]):.3f}"
    )
