"""Rendering Elimination: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from .measures import (
    BASE,
    CYCLES,
    ENERGY,
    GEOMETRY,
    GPU,
    MEMORY,
    RE,
    RE_NAME,
    TE,
    change_percent,
    shaded_fragments,
    tile_shares,
)


def games(m: Measured) -> str:
    """What every game comes to."""
    tiles, cycles = tile_shares(m)["equal inputs"], change_percent(m, CYCLES, RE)
    share = m.shares(BASE, GEOMETRY, CYCLES)
    return "; ".join(
        f"{n}: {tiles[n]:.0%} of the tiles left out, cycles {cycles[n]:+.0f} %, geometry {share[n]:.0%} of them before"
        for n in m.workloads
    )


def signing(m: Measured) -> str:
    """Why geometry takes longer."""
    busy = m.shares(RE, f"{RE_NAME}.signature_unit.busy_cycles", GEOMETRY)
    full = m.each(RE, "queues.overlapped_tiles.full_share")
    cycles = change_percent(m, GEOMETRY, RE)
    return "; ".join(
        f"{n}: geometry {cycles[n]:+.1f} %, the Signature Unit busy in {busy[n]:.0%} of it, "
        f"the OT Queue full in {full[n]:.0%}"
        for n in m.workloads
    )


def parts_of_energy(m: Measured) -> str:
    memory = m.shares(BASE, MEMORY, ENERGY)
    gpu, dram = change_percent(m, GPU, RE), change_percent(m, MEMORY, RE)
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
