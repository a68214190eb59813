"""Parallel Tile Rendering: the thesis of 2022, chapters 4 to 6.

The rules follow the thesis' words. Figures that its text gives are to be met within ten per cent for speed, within half
for energy, whose models tell less; "most" is more than half; ranks are the ones it names.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilegpu.timing.config.quad_mappings import MAPPINGS

from ..declare import Conclusion, Experiment, Figure, Frames, Machine, Study
from ..measured import Measured

GAMES = (
    "bbr", "ccs", "cam", "cra", "coc", "cos", "crs", "dds", "fo2", "gob",
    "gra", "how", "maz", "mcs", "rst", "rok", "s3d", "sod", "sus",
)  # fmt: skip
TWINS = tuple(f"000-{game}" for game in GAMES)
APPLICATIONS = (
    "scene:courtyard", "scene:runner", "scene:board", "scene:sprites",
    "capture:game_etr_720p", "capture:game_chromiumbsu_480p", "capture:qtquick", "capture:gtk4_factory",
)  # fmt: skip
MAPPED = ("000-bbr", "000-ccs", "000-rok")
"""Twins that all mappings run on: the one of Fig. 6.5, and the two that the text says wait for memory."""
MAPPED_QUICKLY = ("000-bbr", "000-rok")

BASE, PTR, DOUBLED, SEQUENTIAL = "baseline", "ptr", "doubled", "sequential"
ASSIGNED = {"static": PTR, "dynamic": "ptr-dynamic", "mixed": "ptr-mixed"}
MACHINES = {
    BASE: Machine("ptr-2022"),
    PTR: Machine("ptr-2022-2ru"),
    "ptr-dynamic": Machine("ptr-2022-2ru", ("tiles.assignment=dynamic",)),
    "ptr-mixed": Machine("ptr-2022-2ru", ("tiles.assignment=mixed",)),
    DOUBLED: Machine("ptr-2022-doubled"),
    SEQUENTIAL: Machine("ptr-2022", ("tile_fetcher.design=sequential",)),
}
NAMES = tuple(mapping.name for mapping in MAPPINGS if mapping.told)
SHARING = "fragment_stage.raster_units_per_texture_cache=2"


def _mapped() -> dict[str, Machine]:
    found = {}
    for name in NAMES:
        setting = f"fragment_stage.quad_mapping={name}"
        found[f"private-{name}"] = Machine("ptr-2022-2ru", (setting,))
        found[f"shared-{name}"] = Machine("ptr-2022-2ru", (setting, SHARING))
    return found


CYCLES, RASTER, ENERGY = "gpu.cycles", "gpu.raster_cycles", "energy.total"
SOURCES = ("texture", "primitive_list", "primitive_attributes", "vertex", "index", "color", "depth", "instruction")


def _raster_speedups(m: Measured, machine: str, base: str = BASE) -> dict[str, float]:
    return m.ratios(RASTER, base, machine)


def _mean_raster_speedup(m: Measured, machine: str, base: str = BASE) -> float:
    return m.mean(_raster_speedups(m, machine, base).values())


def _saving_percent(m: Measured, machine: str, base: str = BASE) -> dict[str, float]:
    return {name: 100 * (ratio - 1) for name, ratio in m.ratios(ENERGY, machine, base).items()}


def _furthest_assignment_percent(m: Measured) -> float:
    static = _mean_raster_speedup(m, PTR)
    return max(abs(_mean_raster_speedup(m, machine) / static - 1) * 100 for machine in ASSIGNED.values())


def _imbalance_of_units_percent(m: Measured) -> dict[str, float]:
    """Difference of the active cycles of two Raster Units, as a share of their mean."""
    found = {}
    for name in m.workloads:
        first, second = m.active_cycles(name, PTR, 2)
        found[name] = 100 * abs(first - second) / max(1.0, (first + second) / 2)
    return found


def _bandwidth(m: Measured) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for source in SOURCES:
        reads, writes = (m.each(PTR, f"memory.dram.{kind}_bytes.{source}") for kind in ("read", "write"))
        found[source] = {name: (reads[name] + writes[name]) / 1e6 / m.frames(name) for name in m.workloads}
    return found


def _shares_of_bandwidth(m: Measured) -> dict[str, float]:
    found = _bandwidth(m)
    whole = {name: sum(values[name] for values in found.values()) for name in m.workloads}
    shares = {source: m.mean(v[name] / whole[name] for name in m.workloads) for source, v in found.items()}
    lists = shares.pop("primitive_list") + shares.pop("primitive_attributes")
    return shares | {"parameter buffer": lists}


def _reuse(m: Measured) -> dict[str, dict[str, float]]:
    kinds = {"next tile": "next_tile", "second tile": "second_tile", "later tile": "later_tile"}
    return {told: m.each(BASE, f"texture_blocks.{kind}_share") for told, kind in kinds.items()}


def _reused_percent(m: Measured) -> float:
    return 100 * m.mean(1 - single for single in m.each(BASE, "texture_blocks.single_tile_share").values())


def _next_among_reused(m: Measured) -> float:
    single, following = (m.each(BASE, f"texture_blocks.{kind}_tile_share") for kind in ("single", "next"))
    return m.mean(following[name] / (1 - single[name]) for name in m.workloads if single[name] < 1)


def _mapped_only(m: Measured) -> Measured:
    return m.with_machine(f"shared-{NAMES[0]}")


def _of_mappings(m: Measured, statistic: str, base: str = "") -> dict[str, dict[str, float]]:
    """Shared caches over private ones of the same mapping, or over a machine; above 1 is better."""
    chosen = _mapped_only(m)
    return {name: chosen.ratios(statistic, base or f"private-{name}", f"shared-{name}") for name in NAMES}


def _means(m: Measured, series: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {name: m.mean(values.values()) for name, values in series.items()}


def _imbalance(m: Measured, mapping: str) -> float:
    return m.of("000-bbr").mean(m.of("000-bbr").each(f"shared-{mapping}", "fragment.imbalance").values())


def _spread_of_blocking(m: Measured) -> float:
    values = _of_mappings(m, CYCLES, PTR)["11-blocking"].values()
    return max(values) - min(values)


def _area_percent(m: Measured, machine: str, base: str) -> float:
    return 100 * (m.area_mm2(machine) / m.area_mm2(base) - 1)


def _table_percent(m: Measured) -> dict[str, float]:
    shares = m.shares(BASE, "energy.structure.tile_fetcher.primitive_table", ENERGY)
    return {name: 100 * share for name, share in shares.items()}


FIGURES = (
    Figure(
        "4.6", "Energy of the Primitive Table", "% of GPU and memory",
        lambda m: {"Primitive Table": _table_percent(m)},
    ),
    Figure(
        "5.1", "Where the time goes", "share of the cycles",
        lambda m: {
            "geometry": m.shares(BASE, "gpu.geometry_cycles", CYCLES),
            "raster": m.shares(BASE, RASTER, CYCLES),
        },
        stacked=True,
    ),
    Figure(
        "5.3", "Two Raster Units: speed-up of the raster stage", "x",
        lambda m: {told: _raster_speedups(m, machine) for told, machine in ASSIGNED.items()},
        {"static": {"000-ccs": 1.71, "000-rok": 1.54, "000-s3d": 1.94}},
    ),
    Figure(
        "5.4", "Active cycles of two Raster Units: difference over mean", "%",
        lambda m: {"static": _imbalance_of_units_percent(m)},
    ),
    Figure(
        "5.5", "Two Raster Units: energy of GPU and memory", "% of change",
        lambda m: {"two Raster Units": _saving_percent(m, PTR)},
        {"two Raster Units": {"000-s3d": -13.09}},
    ),
    Figure(
        "5.7", "Two Raster Units and doubled resources: speed-up of the raster stage", "x",
        lambda m: {"two Raster Units": _raster_speedups(m, PTR), "doubled resources": _raster_speedups(m, DOUBLED)},
    ),
    Figure(
        "5.8", "Time in which a quad waits for memory", "share of active cycles",
        lambda m: {"two Raster Units": m.each(PTR, "fragment.processor.memory_share")},
    ),
    Figure(
        "5.9", "Misses per 1000 instructions", "MPKI",
        lambda m: {
            "texture caches": m.each(PTR, "memory.texture_cache.mpki"),
            "L2, by texels": m.each(PTR, "memory.l2_cache.mpki"),
        },
    ),
    Figure(
        "5.10", "Fragments per tile", "fragments",
        lambda m: {"fragments": m.each(BASE, "fragment.fragments_per_tile")},
    ),
    Figure("5.11", "Main memory traffic per frame, two Raster Units", "MB", _bandwidth, stacked=True),
    Figure("5.12", "Texture blocks used by several tiles", "share of the blocks", _reuse, stacked=True),
    Figure(
        "6.4", "Shared texture caches: speed-up over private ones of the same mapping", "x",
        lambda m: _of_mappings(m, CYCLES),
        means=True,
    ),
    Figure(
        "6.4a", "Shared texture caches: speed-up over Parallel Tile Rendering as it is", "x",
        lambda m: _of_mappings(m, CYCLES, PTR),
        means=True,
    ),
    Figure(
        "6.5", "Imbalance of the Fragment Processors (deviation over mean of active cycles)", "ratio",
        lambda m: {name: _mapped_only(m).each(f"shared-{name}", "fragment.imbalance") for name in NAMES},
        {"1-quadrant": {"000-bbr": 0.8}, "5-UD-Q": {"000-bbr": 0.2}},
        means=True,
    ),
    Figure(
        "6.6", "Shared texture caches: energy of private ones of the same mapping over theirs", "x",
        lambda m: _of_mappings(m, ENERGY),
        means=True,
    ),
    Figure(
        "6.8", "11-blocking: misses of the texture caches per 1000 instructions", "MPKI",
        lambda m: {
            kind: _mapped_only(m).each(f"{kind}-11-blocking", "memory.texture_cache.mpki")
            for kind in ("private", "shared")
        },
    ),
    Figure(
        "4.1.2", "Pipelined Tile Fetcher: speed-up of the raster stage over the sequential one", "x",
        lambda m: {"pipelined": _raster_speedups(m, BASE, SEQUENTIAL)},
    ),
)  # fmt: skip


def _one(game: str, paper: float) -> Conclusion:
    return Conclusion(
        f"raster-speedup-{game}",
        f"Two Raster Units speed up the raster stage of {game.upper()} by {paper}.",
        paper,
        "x",
        f"within 10 % of {paper}",
        lambda m: _mean_raster_speedup(m.of(f"000-{game}"), PTR),
        lambda m: _waits(m.of(f"000-{game}")),
    )


def _waits(m: Measured) -> str:
    """What keeps two Raster Units from being twice as fast, measured."""
    told = []
    for name in m.workloads:
        cycles = m.value(name, PTR, RASTER)
        waiting = m.value(name, PTR, "fragment.processor.memory_share")
        parts = {
            "flushing": m.value(name, PTR, "raster.tile_flush.busy_cycles") / cycles,
            "fetching primitives": m.value(name, PTR, "tiling.tile_fetcher.busy_cycles") / cycles,
            "of the processors' active time waiting for texels or code": waiting,
        }
        told.append(f"{name}: " + ", ".join(f"{share:.0%} {what}" for what, share in parts.items()))
    return "; ".join(told) + " (of the raster stage with two Raster Units)"


def _background(m: Measured) -> str:
    """Where the saving comes from."""
    saved = m.mean(m.value(n, BASE, ENERGY) - m.value(n, PTR, ENERGY) for n in m.workloads)
    memory = m.mean(m.value(n, BASE, "energy.dram") - m.value(n, PTR, "energy.dram") for n in m.workloads)
    share = m.mean(m.shares(BASE, "energy.dram", ENERGY).values())
    return (
        f"memory is {share:.0%} of the baseline's energy, most of it standby, which ends with the frame; "
        f"{memory / saved:.0%} of what is saved is saved there"
        if saved
        else "nothing is saved"
    )


CONCLUSIONS = (
    Conclusion(
        "raster-speedup", "Two Raster Units speed up the raster stage by 83 % on average (Fig. 5.3).",
        1.83, "x", "within 10 % of 1.83", lambda m: _mean_raster_speedup(m, PTR), _waits,
    ),
    _one("ccs", 1.71),
    _one("rok", 1.54),
    _one("s3d", 1.94),
    Conclusion(
        "no-game-twice-as-fast", "No game becomes twice as fast, as L2 and DRAM are not doubled (5.2).",
        None, "x", "< 2", lambda m: max(_raster_speedups(m, PTR).values()),
    ),
    Conclusion(
        "furthest-from-two", "CCS and RoK are further from twice the speed (5.2).",
        "CCS, RoK", "x", "000-ccs, 000-rok among the lowest 4", lambda m: _raster_speedups(m, PTR), _waits,
    ),
    Conclusion(
        "assignments-equal", "All policies of assigning tiles are equally effective (Fig. 5.3).",
        None, "%", "<= 3", _furthest_assignment_percent,
    ),
    Conclusion(
        "raster-units-balanced", "With static assignment both Raster Units are well balanced (Fig. 5.4).",
        None, "%", "<= 10", lambda m: m.mean(_imbalance_of_units_percent(m).values()),
    ),
    Conclusion(
        "energy", "Two Raster Units save 9.86 % of the energy on average (Fig. 5.5).",
        -9.86, "%", "within 50 % of -9.86", lambda m: m.mean(_saving_percent(m, PTR).values()), _background,
    ),
    Conclusion(
        "energy-s3d", "They save 13.09 % of S3D's energy.",
        -13.09, "%", "within 50 % of -13.09",
        lambda m: m.mean(_saving_percent(m.of("000-s3d"), PTR).values()), lambda m: _background(m.of("000-s3d")),
    ),
    Conclusion(
        "ahead-of-doubling", "Two Raster Units are 8.3 % ahead of one with doubled resources on average (5.2).",
        8.3, "%", "3 to 15", lambda m: 100 * (_mean_raster_speedup(m, PTR, DOUBLED) - 1), _waits,
    ),
    Conclusion(
        "least-from-doubling", "Gra and RoK gain least from doubled resources, significantly less than others (5.2).",
        "Gra, RoK", "x", "000-gra, 000-rok among the lowest 2", lambda m: _raster_speedups(m, DOUBLED),
        lambda m: _fewest(m),
    ),
    Conclusion(
        "raster-dominates", "Rasterization is the most time-consuming part of the pipeline (Fig. 5.1).",
        None, "share", "> 0.5", lambda m: m.mean(m.shares(BASE, RASTER, CYCLES).values()),
    ),
    Conclusion(
        "memory-bound", "CCS and RoK are memory-bound (Fig. 5.8).",
        "CCS, RoK", "share", "000-ccs, 000-rok among the highest 4",
        lambda m: m.each(PTR, "fragment.processor.memory_share"),
    ),
    Conclusion(
        "l1-mpki", "CCS has the most misses of the texture caches per 1000 instructions (Fig. 5.9).",
        "CCS", "MPKI", "000-ccs among the highest 1", lambda m: m.each(PTR, "memory.texture_cache.mpki"),
    ),
    Conclusion(
        "l1-mpki-gra", "Gra's misses per 1000 instructions are high, too (5.2).",
        "Gra", "MPKI", "000-gra among the highest 6", lambda m: m.each(PTR, "memory.texture_cache.mpki"),
    ),
    Conclusion(
        "l2-mpki", "RoK has the most misses of the L2 by texels per 1000 instructions (Fig. 5.9).",
        "RoK", "MPKI", "000-rok among the highest 1", lambda m: m.each(PTR, "memory.l2_cache.mpki"),
    ),
    Conclusion(
        "fewest-fragments", "CrS, Gra, RoK and SoD have the fewest fragments per tile (Fig. 5.10).",
        "CrS, Gra, RoK, SoD", "fragments", "000-crs, 000-gra, 000-rok, 000-sod among the lowest 4",
        lambda m: m.each(BASE, "fragment.fragments_per_tile"),
    ),
    Conclusion(
        "bandwidth", "Textures are one of the main causes of memory accesses (Fig. 5.11).",
        "texture", "share", "texture among the highest 2", _shares_of_bandwidth,
    ),
    Conclusion(
        "blocks-reused", "Almost half of the texture blocks are used by several tiles of a frame (Fig. 5.12).",
        50, "%", "within 20 % of 50", _reused_percent,
    ),
    Conclusion(
        "reused-by-the-next", "Most of these are used by the next tile (Fig. 5.12).",
        None, "share of the reused", "> 0.5", _next_among_reused,
    ),
    Conclusion(
        "pipelined-fetcher", "Pipelining the Tile Fetcher takes away unnecessary stalls (4.1.2).",
        None, "x", "> 1", lambda m: _mean_raster_speedup(m, BASE, SEQUENTIAL),
    ),
    Conclusion(
        "primitive-table", "The Primitive Table's energy is negligible (Fig. 4.6).",
        None, "%", "< 1", lambda m: m.mean(_table_percent(m).values()),
    ),
    Conclusion(
        "sharing-gains-nothing", "With shared texture caches every mapping loses a bit of performance (Fig. 6.4).",
        1, "x", "<= 1", lambda m: max(_means(m, _of_mappings(m, CYCLES)).values()),
    ),
    Conclusion(
        "most-close-to-one", "Most mappings are very close to private caches (Fig. 6.4).",
        None, "of 17 mappings within 3 %", "> 8",
        lambda m: float(sum(abs(v - 1) <= 0.03 for v in _means(m, _of_mappings(m, CYCLES)).values())),
    ),
    Conclusion(
        "worst-mappings", "1-quadrant and 12-snake are the worst, against the same mapping with private caches.",
        "1-quadrant, 12-snake", "x", "1-quadrant, 12-snake among the lowest 2",
        lambda m: _means(m, _of_mappings(m, CYCLES)),
    ),
    Conclusion(
        "worst-mappings-over-ptr", "1-quadrant and 12-snake are the worst, against PTR as it is (Fig. 6.4).",
        "1-quadrant, 12-snake", "x", "1-quadrant, 12-snake among the lowest 2",
        lambda m: _means(m, _of_mappings(m, CYCLES, PTR)),
    ),
    Conclusion(
        "blocking-fast", "11-blocking is one of the fastest (6.4).",
        "11-blocking", "x", "11-blocking among the highest 5", lambda m: _means(m, _of_mappings(m, CYCLES, PTR)),
    ),
    Conclusion(
        "blocking-saves", "11-blocking saves most energy (6.4).",
        "11-blocking", "x", "11-blocking among the highest 3", lambda m: _means(m, _of_mappings(m, ENERGY, PTR)),
    ),
    Conclusion(
        "blocking-alike", "All games come to a similar speed with 11-blocking (Fig. 6.7).",
        None, "largest - smallest", "<= 0.1", _spread_of_blocking,
    ),
    Conclusion(
        "sharing-mpki", "Sharing caches lowers the misses of the texture caches, with 11-blocking (Fig. 6.8).",
        None, "shared over private", "< 1",
        lambda m: m.mean(
            _mapped_only(m)
            .ratios("memory.texture_cache.mpki", "shared-11-blocking", "private-11-blocking").values()
        ),
    ),
    Conclusion(
        "imbalance-coarse", "The imbalance of 1-quadrant on BBR is near 0.8 (Fig. 6.5).",
        0.8, "ratio", "0.6 to 1.0", lambda m: _imbalance(m, "1-quadrant"),
    ),
    Conclusion(
        "imbalance-fine", "The imbalance of 5-UD-Q on BBR is 0.2 (Fig. 6.5).",
        0.2, "ratio", "0.1 to 0.3", lambda m: _imbalance(m, "5-UD-Q"),
    ),
    Conclusion(
        "area", "Two Raster Units take 40 % more area (5.1).",
        40, "%", "within 25 % of 40", lambda m: _area_percent(m, PTR, BASE),
    ),
    Conclusion(
        "area-shared", "Shared texture caches take 4 % less area (6.4).",
        -4, "%", "within 50 % of -4", lambda m: _area_percent(m, "shared-11-blocking", "private-11-blocking"),
    ),
)  # fmt: skip


def _fewest(m: Measured) -> str:
    told = []
    for name in sorted(m.workloads, key=lambda n: m.ratio(n, RASTER, BASE, DOUBLED))[:4]:
        told.append(
            f"{name}: {m.value(name, BASE, 'fragment.fragments_per_tile'):,.0f} fragments per tile, "
            f"{m.value(name, DOUBLED, 'memory.texture_cache.mpki'):.0f} MPKI, "
            f"{m.value(name, DOUBLED, 'raster.tile_flush.busy_cycles') / m.value(name, DOUBLED, RASTER):.0%} flushing"
        )
    return "gaining least: " + "; ".join(told)


STUDY = Study(
    name="ptr-2022",
    title="Parallel Tile Rendering",
    source="Tomás, Master's thesis, UPC 2022",
    workloads=TWINS,
    applications=APPLICATIONS,
    screen=(1920, 1080),
    frames=Frames((19,), (20, 40)),
    quick_frames=Frames((19,), (20, 40)),
    experiments=(
        Experiment(MACHINES),
        Experiment(_mapped(), MAPPED, MAPPED_QUICKLY, with_applications=False),
    ),
    figures=FIGURES,
    conclusions=CONCLUSIONS,
)
