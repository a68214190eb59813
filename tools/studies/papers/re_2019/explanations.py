"""Rendering Elimination: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from .measures import (
    BASE,
    CYCLES,
    ENERGY,
    GEOMETRY,
    GPU,
    MACHINES,
    MEMORY,
    PAPERS_SETS,
    RE,
    RE_NAME,
    STRUCTURES,
    TE,
    area,
    shaded_fragments,
    tile_shares,
)


def games(m: Measured) -> str:
    """What every game comes to."""
    tiles, cycles = tile_shares(m)["equal inputs"], m.change_percent(CYCLES, RE, BASE)
    share = m.shares(BASE, GEOMETRY, CYCLES)
    return "; ".join(
        f"{n}: {tiles[n]:.0%} of the tiles left out, cycles {cycles[n]:+.0f} %, geometry {share[n]:.0%} of them before"
        for n in m.workloads
    )


def signing(m: Measured) -> str:
    """Why geometry takes longer."""
    unit = f"{RE_NAME}.signature_unit"
    cycles, before = m.change_percent(GEOMETRY, RE, BASE), m.each(BASE, GEOMETRY)
    busy = m.shares(RE, f"{unit}.busy_cycles", GEOMETRY)
    overlaps, steps, signed = (m.each(RE, f"{unit}.{name}") for name in ("tiles", "accumulate_steps", "compute_steps"))
    parts = [
        f"{n} {cycles[n]:+.1f} %, busy in {busy[n]:.0%}: {overlaps[n] / m.frames(n):,.0f} overlaps a frame of "
        f"{steps[n] / max(1.0, overlaps[n]):.1f} blocks, {signed[n] / m.frames(n):,.0f} subblocks signed, before them "
        f"{before[n] / m.frames(n):,.0f} cycles of geometry"
        for n in m.workloads
    ]
    return (
        "the Accumulate CRC unit takes a cycle per block that is added to a tile. The paper's 0.64 % was seen before "
        'this was chosen, for the letter of Algorithm 3 contradicts that "the pipeline is only stalled when computing '
        'signatures for primitives that cover a large amount of tiles" (V): ' + "; ".join(parts)
    )


def hardware(_: Measured) -> str:
    """What of the hardware takes most area, with the paper's sets of signatures and with ours."""
    whole = area().area_mm2
    told = []
    for sets, settings in (
        ("two sets of signatures for 1196x768, as the paper counts (IV-C)", (PAPERS_SETS,)),
        ("three, for the frame between the two that are compared keeps its own for the next one", ()),
    ):
        found = area(*MACHINES[RE].settings, *settings)
        own = {row.name: row.area_mm2 for row in found.structures if row.name in STRUCTURES}
        largest = max(own, key=lambda name: own[name])
        told.append(
            f"{sum(own.values()):.3f} mm2, {100 * (found.area_mm2 / whole - 1):.2f} % of {whole:.1f}, with {sets}: "
            f"{own[largest]:.3f} of them {largest}"
        )
    return "; ".join(told)


def parts_of_energy(m: Measured) -> str:
    memory = m.shares(BASE, MEMORY, ENERGY)
    gpu, dram = m.change_percent(GPU, RE, BASE), m.change_percent(MEMORY, RE, BASE)
    return "; ".join(
        f"{n}: GPU {gpu[n]:+.0f} %, memory {dram[n]:+.0f} % ({memory[n]:.0%} of the baseline's)" for n in m.workloads
    )


def colors(m: Measured) -> str:
    written = "memory.dram.write_bytes.color"
    share = m.mean(m.shares(BASE, written, "memory.dram.bytes").values())
    left = m.mean(1 - ratio for ratio in m.ratios(written, TE, BASE).values())
    return f"colours are {share:.0%} of the baseline's traffic, and {left:.0%} of them are not written"


def reuse(m: Measured) -> str:
    shaded = shaded_fragments(m)
    return "fragments shaded by RE / memoization / with an unbounded table: " + "; ".join(
        f"{n} " + " / ".join(f"{series[n]:.0%}" for series in shaded.values()) for n in m.workloads
    )
