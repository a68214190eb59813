"""Parallel Tile Rendering: machines and workloads, and what is measured of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilegpu.timing.declare.quad_mappings import MAPPINGS

from ...declare import Machine
from ...measured import Measured

GAMES = (
    "bbr", "ccs", "cam", "cra", "coc", "cos", "crs", "dds", "fo2", "gob",
    "gra", "how", "maz", "mcs", "rst", "rok", "s3d", "sod", "sus",
)  # fmt: skip

TWINS = tuple(f"000-{game}" for game in GAMES)

APPLICATIONS = (
    "scene:courtyard", "scene:runner", "scene:board", "scene:sprites",
    "capture:game_etr_720p", "capture:game_chromiumbsu_480p", "capture:qtquick", "capture:gtk4_factory",
)  # fmt: skip

READ = ("000-ccs", "000-bbr", "000-rok", "000-gra", "000-crs", "000-s3d")
"""Twins that other readings of the text are judged on: those that sections 5.1 and 5.2 name."""
TEXTURED = "000-ccs", "000-bbr", "000-rok", "000-s3d"
"""Those that other textures are read with: the games that 5.1 names."""
HEADLINE = (
    "raster-speedup", "raster-speedup-ccs", "raster-speedup-rok", "raster-speedup-s3d", "energy", "ahead-of-doubling",
    "raster-dominates",
)  # fmt: skip

MAPPED_QUICKLY = ("000-bbr", "000-rok")

BASE, PTR, DOUBLED, SEQUENTIAL = "baseline", "ptr", "doubled", "sequential"

ASSIGNED = {"static": PTR, "dynamic": "ptr-dynamic", "mixed": "ptr-mixed"}

OLDER_FETCHER = (
    "tile_fetcher.primitive_table=1", "tile_fetcher.attribute_requests=answered", "tile_fetcher.next_tile=rendered",
)  # fmt: skip
"""The design before the thesis (4.1.2)."""

MACHINES = {BASE: Machine("ptr-2022"), PTR: Machine("ptr-2022-2ru"), DOUBLED: Machine("ptr-2022-doubled")}

VARIED = {
    "ptr-dynamic": Machine("ptr-2022-2ru", ("tiles.assignment=dynamic",)),
    "ptr-mixed": Machine("ptr-2022-2ru", ("tiles.assignment=mixed",)),
    SEQUENTIAL: Machine("ptr-2022", OLDER_FETCHER),
}

NAMES = tuple(mapping.name for mapping in MAPPINGS if mapping.thesis)

SHARING = "fragment_stage.raster_units_per_texture_cache=2"


def mapped() -> dict[str, Machine]:
    """Two Raster Units that share texture caches, one machine for each mapping."""
    return {
        f"shared-{name}": Machine("ptr-2022-2ru", (f"fragment_stage.quad_mapping={name}", SHARING)) for name in NAMES
    }


LINE_BYTES, QUADS_OF_A_TILE = 64, 256

PERCENTILES, REACHED = (5, 25, 50, 75, 90, 95, 98, 100), "100"

CYCLES, RASTER, ENERGY = "gpu.cycles", "gpu.raster_cycles", "energy.total"

SOURCES = ("texture", "primitive_list", "primitive_attributes", "vertex", "index", "color", "depth", "instruction")


def raster_speedups(m: Measured, machine: str, base: str = BASE) -> dict[str, float]:
    return m.ratios(RASTER, base, machine)


def mean_raster_speedup(m: Measured, machine: str, base: str = BASE) -> float:
    return m.mean(raster_speedups(m, machine, base).values())


def furthest_assignment_percent(m: Measured) -> float:
    chosen = m.with_machine(BASE, *ASSIGNED.values())
    static = mean_raster_speedup(chosen, PTR)
    return max(abs(mean_raster_speedup(chosen, machine) / static - 1) * 100 for machine in ASSIGNED.values())


def imbalance_of_units_percent(m: Measured) -> dict[str, float]:
    """Difference of the active cycles of two Raster Units, as a share of their mean."""
    differences = {}
    for name in m.workloads:
        first, second = m.active_cycles(name, PTR, 2)
        differences[name] = 100 * abs(first - second) / max(1.0, (first + second) / 2)
    return differences


def bandwidth(m: Measured) -> dict[str, dict[str, float]]:
    megabytes: dict[str, dict[str, float]] = {}
    for source in SOURCES:
        reads, writes = (m.each(PTR, f"memory.dram.{kind}_bytes.{source}") for kind in ("read", "write"))
        megabytes[source] = {name: (reads[name] + writes[name]) / 1e6 / m.frames(name) for name in m.workloads}
    return megabytes


def shares_of_bandwidth(m: Measured) -> dict[str, float]:
    by_source = bandwidth(m)
    whole = {name: sum(values[name] for values in by_source.values()) for name in m.workloads}
    shares = {source: m.mean(v[name] / whole[name] for name in m.workloads) for source, v in by_source.items()}
    lists = shares.pop("primitive_list") + shares.pop("primitive_attributes")
    return shares | {"parameter buffer": lists}


def reuse(m: Measured) -> dict[str, dict[str, float]]:
    kinds = {"next tile": "next_tile", "second tile": "second_tile", "later tile": "later_tile"}
    return {words: m.each(BASE, f"texture_blocks.{kind}_share") for words, kind in kinds.items()}


def reused_percent(m: Measured) -> float:
    return 100 * m.mean(1 - single for single in m.each(BASE, "texture_blocks.single_tile_share").values())


def next_among_reused(m: Measured) -> float:
    single, following = (m.each(BASE, f"texture_blocks.{kind}_tile_share") for kind in ("single", "next"))
    return m.mean(following[name] / (1 - single[name]) for name in m.workloads if single[name] < 1)


def mapped_only(m: Measured) -> Measured:
    return m.with_machine(f"shared-{NAMES[0]}")


def of_mappings(m: Measured, statistic: str) -> dict[str, dict[str, float]]:
    """Parallel Tile Rendering with private caches over shared ones, mapping by mapping; above 1 is better."""
    chosen = mapped_only(m)
    return {name: chosen.ratios(statistic, PTR, f"shared-{name}") for name in NAMES}


def means(m: Measured, series: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {name: m.mean(values.values()) for name, values in series.items()}


def imbalance_by_tile(m: Measured, mapping: str) -> dict[str, float]:
    """Deviation over mean of active cycles of BBR's processors: what so many per cent of the tiles do not exceed."""
    tiles = np.sort(mapped_only(m.of("000-bbr")).tile_values("000-bbr", f"shared-{mapping}", "imbalance"))
    return {f"{share}": float(np.quantile(tiles, share / 100)) for share in PERCENTILES}


def imbalance(m: Measured, mapping: str) -> float:
    """Peak: the most of all tiles."""
    return imbalance_by_tile(m, mapping)[REACHED]


def spread_of_blocking(m: Measured) -> float:
    values = of_mappings(m, CYCLES)["11-blocking"].values()
    return max(values) - min(values)


def table_percent(m: Measured) -> dict[str, float]:
    shares = m.shares(BASE, "energy.structure.tile_fetcher.primitive_table", ENERGY)
    return {name: 100 * share for name, share in shares.items()}
