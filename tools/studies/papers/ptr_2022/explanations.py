"""Parallel Tile Rendering: what explains a conclusion, measured."""

from __future__ import annotations

from tilegpu.timing.results.energy.report import report as energy_report

from ...measured import Measured
from ...reasons import by_game, lines, share_of
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
)

UNPUBLISHED = "the thesis does not tell how large the textures are that texels come from, nor how they are magnified"


def waits(m: Measured) -> str:
    """Causes that keep two Raster Units from being twice as fast."""
    return lines(
        by_game("processors wait for texels or code in", m.each(PTR, "fragment.processor.memory_share"), ".0%"),
        share_of(m, "of the raster stage flushing takes", PTR, "raster.tile_flush.busy_cycles", RASTER),
        UNPUBLISHED,
    )


def background(m: Measured) -> str:
    """The memory's part, and the saving with other currents."""
    micron = change_percent(m, PTR, BASE, "energy.dram_currents=lpddr4-micron")
    return lines(
        share_of(m, "memory, mostly standby, takes of the baseline's energy", BASE, "energy.dram", ENERGY),
        by_game("with Micron's currents in place of DRAMsim3's (4.2) the change is, %", micron, "+.1f"),
    )


def fewest(m: Measured) -> str:
    """Fragments of tiles, and cycles of flushing."""
    return lines(
        by_game("fragments per tile", m.each(BASE, "fragment.fragments_per_tile"), ",.0f"),
        share_of(m, "of the raster stage flushing takes", DOUBLED, "raster.tile_flush.busy_cycles", RASTER),
    )


def texels(m: Measured) -> str:
    """Share of the textures that comes from memory."""
    megabytes = {n: m.frames(n) * 1e6 for n in m.workloads}
    return lines(
        by_game(
            "MB of texels used in a frame",
            {n: m.value(n, PTR, "texture_blocks.all") * LINE_BYTES / size for n, size in megabytes.items()},
            ".1f",
        ),
        by_game(
            "read from memory",
            {n: m.value(n, PTR, "memory.dram.read_bytes.texture") / size for n, size in megabytes.items()},
            ".1f",
        ),
        UNPUBLISHED,
    )


def least_work(m: Measured) -> str:
    """Fragments per tile."""
    values = m.each(BASE, "fragment.fragments_per_tile")
    return by_game(f"shaded fragments per tile of {4 * QUADS_OF_A_TILE} pixels", values, ",.0f")


def misses(m: Measured) -> str:
    """Cause of many misses per instruction: few instructions, or many misses."""
    quads = "fragment.processor.quads"
    return lines(
        by_game("instructions per quad", m.shares(PTR, "fragment.processor.instructions", quads), ".1f"),
        by_game("misses of texture caches", m.shares(PTR, "memory.texture_cache.misses", quads)),
        UNPUBLISHED,
    )


def blocks(m: Measured) -> str:
    """Extent of a line of texels."""
    quads = m.shares(BASE, "fragment.processor.quads", "texture_blocks.all")
    return lines(by_game(f"quads that read a line, of {QUADS_OF_A_TILE} of a tile", quads, ".0f"), UNPUBLISHED)


def mapped_means(m: Measured) -> str:
    """Differences of the mappings."""
    mapped, speeds = mapped_only(m), means(m, of_mappings(m, CYCLES))
    uneven = {name: m.mean(mapped.each(f"shared-{name}", "fragment.imbalance").values()) for name in speeds}
    return lines(by_game("speed of that with private caches", speeds, ".3f"), by_game("imbalance", uneven))


def blocking_by_game(m: Measured) -> str:
    """Speed with 11-blocking."""
    return by_game("speed of that with private caches", of_mappings(m, CYCLES)["11-blocking"], ".3f")


def evenly(m: Measured) -> str:
    """Balance of the processors in the tiles."""
    most = {name: max(imbalance_by_tile(m, name).values()) for name in ("1-quadrant", "5-UD-Q")}
    tiles = " and ".join(f"{value:.2f} with {name}" for name, value in most.items())
    return f"the least even tiles reach {tiles}; two of four processors with all the work would be 1.0"


def area(m: Measured) -> str:
    """Area that there is to save."""
    report = energy_report(configuration_of(MACHINES[PTR]))
    caches = sum(row.area_mm2 for row in report.structures if row.name == "texture_cache")
    return f"all eight texture caches are {caches:.2f} of {report.area_mm2:.1f} mm2: {caches / report.area_mm2:.1%}"
