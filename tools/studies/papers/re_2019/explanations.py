"""Rendering Elimination: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines, share_of
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

SIGNATURE_UNIT = f"{RE_NAME}.signature_unit"


def games(m: Measured) -> str:
    """Tiles that are left out, and geometry, which is not."""
    return lines(
        by_game("tiles left out", tile_shares(m)["equal inputs"], ".0%"),
        share_of(m, "geometry's share of the cycles before", BASE, GEOMETRY, CYCLES),
    )


def signing(m: Measured) -> str:
    """Cause of a longer geometry phase."""
    overlaps = {n: m.value(n, RE, f"{SIGNATURE_UNIT}.tiles") / m.frames(n) for n in m.workloads}
    return lines(
        "the Accumulate CRC unit takes a cycle per block that is added to a tile; the letter of Algorithm 3 "
        'contradicts that "the pipeline is only stalled" by primitives that cover many tiles (V)',
        by_game("overlaps a frame", overlaps, ",.0f"),
        share_of(m, "the unit is busy in", RE, f"{SIGNATURE_UNIT}.busy_cycles", GEOMETRY),
    )


def hardware(_: Measured) -> str:
    """Area of the hardware with the paper's sets of signatures and with ours."""
    whole, added = area().area_mm2, []
    for settings in ((PAPERS_SETS,), ()):
        structures = area(*MACHINES[RE].settings, *settings).structures
        added.append(sum(row.area_mm2 for row in structures if row.name in STRUCTURES))
    two, three = added
    return (
        f"of {whole:.1f} mm2 {two:.3f} with two sets of signatures for 1196x768, as the paper counts (IV-C), "
        f"{three:.3f} with three, of which one is the frame's between those that are compared"
    )


def parts_of_energy(m: Measured) -> str:
    """Changes of both parts, and the share of one."""
    return lines(
        by_game("GPU, %", m.change_percent(GPU, RE, BASE), "+.0f"),
        by_game("memory, %", m.change_percent(MEMORY, RE, BASE), "+.0f"),
        share_of(m, "memory's share before", BASE, MEMORY, ENERGY),
    )


def colors(m: Measured) -> str:
    """Share of the traffic that Transaction Elimination can save, and how much it does."""
    written = "memory.dram.write_bytes.color"
    kept = m.ratios(written, TE, BASE)
    return lines(
        share_of(m, "colours' share of the traffic", BASE, written, "memory.dram.bytes"),
        by_game("of them not written", {n: 1 - ratio for n, ratio in kept.items()}, ".0%"),
    )


def reuse(m: Measured) -> str:
    """Fragments that each scheme shades."""
    return lines(*(by_game(f"shaded by {name}", values, ".0%") for name, values in shaded_fragments(m).items()))
