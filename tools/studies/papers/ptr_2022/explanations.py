"""Parallel Tile Rendering: what explains a conclusion, measured."""

from __future__ import annotations

from tilegpu.timing.results.energy.report import report as energy_report

from ...measured import Measured
from ...recounted import change_percent
from ...selection import configuration_of
from .measures import (
    BASE,
    CYCLES,
    DOUBLED,
    ENERGY,
    LINE_BYTES,
    MACHINES,
    PTR,
    QUADS_OF_A_TILE,
    RASTER,
    imbalance_by_tile,
    mapped_only,
    means,
    of_mappings,
    raster_speedups,
)

L2_MISSES = "l2_cache.misses.texture"


UNPUBLISHED = (
    "the thesis tells how many texels a fragment takes, not how large the textures are that they come from, nor how "
    "they are magnified: a twin cannot follow it there"
)
NAMED = ("000-ccs", "000-gra", "000-rok", "000-s3d")
"""Games that the text of section 5.2 speaks of."""


def told(m: Measured, ordered: list[str]) -> list[str]:
    """The first four of an order, and the games that the text speaks of."""
    return list(dict.fromkeys([*ordered[:4], *(name for name in NAMED if name in m.workloads)]))


def waits(m: Measured) -> str:
    """What keeps two Raster Units from being twice as fast, measured."""
    speedups = raster_speedups(m, PTR)
    parts = []
    for name in told(m, sorted(speedups, key=lambda n: speedups[n])):
        cycles = m.value(name, PTR, RASTER)
        waiting = m.value(name, PTR, "fragment.processor.memory_share")
        flushing = m.value(name, PTR, "raster.tile_flush.busy_cycles") / cycles
        fetching = m.value(name, PTR, "tiling.tile_fetcher.busy_cycles") / cycles
        parts.append(f"{name} {speedups[name]:.2f}x: {waiting:.0%} / {flushing:.0%} / {fetching:.0%}")
    return (
        "of the processors' active time waiting for texels or code / of the raster stage flushing / fetching: "
        + "; ".join(parts)
        + f"; {UNPUBLISHED}"
    )


def background(m: Measured) -> str:
    """Where the saving comes from, and what it would be with other currents of the memory."""
    saved = m.mean(m.value(n, BASE, ENERGY) - m.value(n, PTR, ENERGY) for n in m.workloads)
    memory = m.mean(m.value(n, BASE, "energy.dram") - m.value(n, PTR, "energy.dram") for n in m.workloads)
    share = m.mean(m.shares(BASE, "energy.dram", ENERGY).values())
    micron = m.mean(change_percent(m, PTR, BASE, "energy.dram_currents=lpddr4-micron").values())
    return (
        f"memory is {share:.0%} of the baseline's energy, most of it standby, which ends with the frame; "
        f"{memory / saved:.0%} of what is saved is saved there; currents are DRAMsim3's, as in the thesis (4.2): with "
        f"Micron's (energy.dram_currents=lpddr4-micron) the change is {micron:+.1f} %"
        if saved
        else "nothing is saved"
    )


def fewest(m: Measured) -> str:
    parts = []
    for name in told(m, sorted(m.workloads, key=lambda n: m.ratio(n, RASTER, BASE, DOUBLED))):
        parts.append(
            f"{name}: {m.value(name, BASE, 'fragment.fragments_per_tile'):,.0f} fragments per tile, "
            f"{m.value(name, DOUBLED, 'memory.texture_cache.mpki'):.0f} MPKI, "
            f"{m.value(name, DOUBLED, 'raster.tile_flush.busy_cycles') / m.value(name, DOUBLED, RASTER):.0%} flushing"
        )
    return "; ".join(parts)


def texels(m: Measured) -> str:
    """How much of the textures comes from memory."""
    used, fetched, colors = [], [], []
    for name in m.workloads:
        frames = m.frames(name) * 1e6
        used.append(m.value(name, PTR, "texture_blocks.all") * LINE_BYTES / frames)
        fetched.append(m.value(name, PTR, "memory.dram.read_bytes.texture") / frames)
        colors.append(m.value(name, PTR, "memory.dram.write_bytes.color") / frames)
    return (
        f"a frame uses {m.mean(used):.1f} MB of texels in the mean ({max(used):.1f} at most), reads "
        f"{m.mean(fetched):.1f} MB of them from memory, and writes {m.mean(colors):.1f} MB of colours; opaque textures "
        f"of the twins are compressed to half a byte per texel; {UNPUBLISHED}"
    )


def least_work(m: Measured) -> str:
    """Fragments per tile of every workload."""
    values = m.each(BASE, "fragment.fragments_per_tile")
    told = "; ".join(f"{name} {values[name]:,.0f}" for name in sorted(values, key=lambda n: values[n]))
    return f"shaded fragments per tile of {4 * QUADS_OF_A_TILE} pixels: {told}"


def misses(m: Measured) -> str:
    """Why misses per instruction are high: few instructions, or many misses."""
    parts = []
    for name in told(m, sorted(m.workloads, key=lambda n: -m.value(n, PTR, "memory.texture_cache.mpki"))):
        quads = m.value(name, PTR, "fragment.processor.quads")
        instructions = m.value(name, PTR, "fragment.processor.instructions") / quads
        first, second = (m.value(name, PTR, f"memory.{kind}") / quads for kind in ("texture_cache.misses", L2_MISSES))
        parts.append(f"{name} {instructions:.1f} / {first:.2f} / {second:.3f}")
    return (
        "instructions / misses of texture caches / misses of the L2 by texels, per quad: "
        + "; ".join(parts)
        + f"; {UNPUBLISHED}"
    )


def blocks(m: Measured) -> str:
    """How far a line of texels reaches."""
    quads = m.shares(BASE, "fragment.processor.quads", "texture_blocks.all").values()
    return (
        f"a line of texels that a frame uses is read by {m.mean(quads):.0f} shaded quads in the mean ({min(quads):.0f} "
        f"to {max(quads):.0f}) of the {QUADS_OF_A_TILE} of a tile: a line holds 128 compressed texels, which full HD "
        f"magnifies, and few of such patches lie within a tile; {UNPUBLISHED}"
    )


def mapped_means(m: Measured) -> str:
    """What the mappings are apart in."""
    speeds, mapped = means(m, of_mappings(m, CYCLES)), mapped_only(m)
    told = []
    for name in sorted(speeds, key=lambda n: -speeds[n]):
        uneven = m.mean(mapped.each(f"shared-{name}", "fragment.imbalance").values())
        misses = m.mean(mapped.ratios("memory.texture_cache.mpki", f"shared-{name}", PTR).values())
        told.append(
            f"{name}: {speeds[name]:.3f} of the speed with private caches, imbalance {uneven:.2f}, {misses:.2f} of "
            "the misses"
        )
    return "; ".join(told)


def blocking_by_game(m: Measured) -> str:
    """Speed with 11-blocking, game by game."""
    speeds = of_mappings(m, CYCLES)["11-blocking"]
    return ", ".join(f"{name} {speeds[name]:.3f}" for name in sorted(speeds, key=lambda n: speeds[n]))


def evenly(m: Measured) -> str:
    """How evenly the processors share the tiles."""
    quads = m.value("000-bbr", "shared-1-quadrant", "fragment.quads_per_tile")
    found = {mapping: imbalance_by_tile(m, mapping) for mapping in ("1-quadrant", "5-UD-Q")}
    told = "; ".join(
        f"{mapping}: " + ", ".join(f"{share} % of the tiles up to {value:.2f}" for share, value in by_share.items())
        for mapping, by_share in found.items()
    )
    return (
        f"{told}; two of four processors with all the work would be 1.0, and a tile of this twin has {quads:,.0f} "
        f"shaded quads in {QUADS_OF_A_TILE} places"
    )


def area(m: Measured) -> str:
    """How much there is to save."""
    found = energy_report(configuration_of(MACHINES[PTR]))
    caches = sum(row.area_mm2 for row in found.structures if row.name == "texture_cache")
    return f"all eight texture caches are {caches:.2f} of {found.area_mm2:.1f} mm2: {caches / found.area_mm2:.1%}"
