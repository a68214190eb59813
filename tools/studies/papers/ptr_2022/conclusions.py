"""Parallel Tile Rendering: the conclusions and their rules.

The rules follow the thesis' words. Figures that its text gives are to be met within ten per cent for speed, within half
for energy, whose models tell less; "most" is more than half; ranks are the ones it names.
"""

from __future__ import annotations

from ...declare import Conclusion, Correction
from .explanations import (
    area,
    background,
    blocking_by_game,
    blocks,
    evenly,
    fewest,
    least_work,
    mapped_means,
    misses,
    texels,
    waits,
)
from .measures import (
    BASE,
    CYCLES,
    DOUBLED,
    ENERGY,
    PTR,
    RASTER,
    SEQUENTIAL,
    furthest_assignment_percent,
    imbalance,
    imbalance_of_units_percent,
    mapped_only,
    mean_raster_speedup,
    means,
    next_among_reused,
    of_mappings,
    raster_speedups,
    reused_percent,
    shares_of_bandwidth,
    spread_of_blocking,
    table_percent,
)


def one(game: str, paper: float) -> Conclusion:
    return Conclusion(
        f"raster-speedup-{game}",
        f"Two Raster Units speed up the raster stage of {game.upper()} by {paper}.",
        paper,
        "x",
        f"within 10 % of {paper}",
        lambda m: mean_raster_speedup(m.of(f"000-{game}"), PTR),
        lambda m: waits(m.of(f"000-{game}")),
    )


OVER_PTR = Correction(
    '"Average speedup for all the games for each configuration with respect to the baseline PTR, which owns 8 private '
    'texture caches" (Fig. 6.4)',
    "the same, over private caches of the same mapping, on three games",
)
ALL_GAMES = Correction('"Average speedup for all the games" (Fig. 6.4; 6.6 and 6.7 alike)', "the same, on three games")
REACHES = Correction(
    '"in a given frame ... with coarser grain we reach near 0.8, whereas with the fine-grained combination it reaches '
    '0.2" (6.4)',
    "the same bounds on the mean over the tiles, and then on their 98th percentile, instead of what it reaches",
)

CONCLUSIONS = (
    Conclusion(
        "raster-speedup", "Two Raster Units speed up the raster stage by 83 % on average (Fig. 5.3).",
        1.83, "x", "within 10 % of 1.83", lambda m: mean_raster_speedup(m, PTR), waits,
    ),
    one("ccs", 1.71),
    one("rok", 1.54),
    one("s3d", 1.94),
    Conclusion(
        "no-game-twice-as-fast", "No game becomes twice as fast, as L2 and DRAM are not doubled (5.2).",
        None, "x", "< 2", lambda m: max(raster_speedups(m, PTR).values()),
    ),
    Conclusion(
        "furthest-from-two", "CCS and RoK are further from twice the speed (5.2).",
        "CCS, RoK", "x", "000-ccs, 000-rok among the lowest 4", lambda m: raster_speedups(m, PTR), waits,
    ),
    Conclusion(
        "assignments-equal", "All policies of assigning tiles are equally effective (Fig. 5.3).",
        None, "%", "<= 3", furthest_assignment_percent,
    ),
    Conclusion(
        "raster-units-balanced", "With static assignment both Raster Units are well balanced (Fig. 5.4).",
        None, "%", "<= 10", lambda m: m.mean(imbalance_of_units_percent(m).values()),
    ),
    Conclusion(
        "energy", "Two Raster Units save 9.86 % of the energy on average (Fig. 5.5).",
        -9.86, "%", "within 50 % of -9.86", lambda m: m.mean(m.change_percent(ENERGY, PTR, BASE).values()), background,
    ),
    Conclusion(
        "energy-s3d", "They save 13.09 % of S3D's energy.",
        -13.09, "%", "within 50 % of -13.09",
        lambda m: m.mean(m.of("000-s3d").change_percent(ENERGY, PTR, BASE).values()),
        lambda m: background(m.of("000-s3d")),
    ),
    Conclusion(
        "ahead-of-doubling", "Two Raster Units are 8.3 % ahead of one with doubled resources on average (5.2).",
        8.3, "%", "3 to 15", lambda m: 100 * (mean_raster_speedup(m, PTR, DOUBLED) - 1), waits,
    ),
    Conclusion(
        "least-from-doubling", "Gra and RoK gain least from doubled resources, significantly less than others (5.2).",
        "Gra, RoK", "x", "000-gra, 000-rok among the lowest 2", lambda m: raster_speedups(m, DOUBLED),
        fewest,
    ),
    Conclusion(
        "raster-dominates", "Rasterization is the most time-consuming part of the pipeline (Fig. 5.1).",
        None, "share", "> 0.5", lambda m: m.mean(m.shares(BASE, RASTER, CYCLES).values()),
    ),
    Conclusion(
        "memory-bound", "CCS and RoK are memory-bound (Fig. 5.8).",
        "CCS, RoK", "share", "000-ccs, 000-rok among the highest 4",
        lambda m: m.each(PTR, "fragment.processor.memory_share"), misses,
    ),
    Conclusion(
        "l1-mpki", "CCS has the most misses of the texture caches per 1000 instructions (Fig. 5.9).",
        "CCS", "MPKI", "000-ccs among the highest 1", lambda m: m.each(PTR, "memory.texture_cache.mpki"), misses,
    ),
    Conclusion(
        "l1-mpki-gra", "Gra's misses per 1000 instructions are high, too (5.2).",
        "Gra", "MPKI", "000-gra among the highest 6", lambda m: m.each(PTR, "memory.texture_cache.mpki"), misses,
    ),
    Conclusion(
        "l2-mpki", "RoK has the most misses of the L2 by texels per 1000 instructions (Fig. 5.9).",
        "RoK", "MPKI", "000-rok among the highest 1", lambda m: m.each(PTR, "memory.l2_cache.mpki"), misses,
    ),
    Conclusion(
        "fewest-fragments", "CrS, Gra, RoK and SoD have the fewest fragments per tile (Fig. 5.10).",
        "CrS, Gra, RoK, SoD", "fragments", "000-crs, 000-gra, 000-rok, 000-sod among the lowest 4",
        lambda m: m.each(BASE, "fragment.fragments_per_tile"), least_work,
    ),
    Conclusion(
        "bandwidth", "Textures are one of the main causes of memory accesses (Fig. 5.11).",
        "texture", "share", "texture among the highest 2", shares_of_bandwidth, texels,
    ),
    Conclusion(
        "blocks-reused", "Almost half of the texture blocks are used by several tiles of a frame (Fig. 5.12).",
        50, "%", "within 20 % of 50", reused_percent, blocks, standing="set",
    ),
    Conclusion(
        "reused-by-the-next", "Most of these are used by the next tile (Fig. 5.12).",
        None, "share of the reused", "> 0.5", next_among_reused,
    ),
    Conclusion(
        "pipelined-fetcher", "Pipelining the Tile Fetcher takes away unnecessary stalls (4.1.2).",
        None, "x", "> 1", lambda m: mean_raster_speedup(m.with_machine(BASE, SEQUENTIAL), BASE, SEQUENTIAL),
    ),
    Conclusion(
        "primitive-table", "The Primitive Table's energy is negligible (Fig. 4.6).",
        None, "%", "< 1", lambda m: m.mean(table_percent(m).values()),
    ),
    Conclusion(
        "sharing-gains-nothing", "With shared texture caches every mapping loses a bit of performance (Fig. 6.4).",
        1, "x", "<= 1", lambda m: max(means(m, of_mappings(m, CYCLES)).values()), mapped_means,
        correction=OVER_PTR,
    ),
    Conclusion(
        "most-close-to-one", "Most mappings are very close to private caches (Fig. 6.4).",
        None, "of 17 mappings within 3 %", "> 8",
        lambda m: float(sum(abs(v - 1) <= 0.03 for v in means(m, of_mappings(m, CYCLES)).values())),
        mapped_means, correction=OVER_PTR,
    ),
    Conclusion(
        "worst-mappings", "1-quadrant and 12-snake are the worst (Fig. 6.4).",
        "1-quadrant, 12-snake", "x", "1-quadrant, 12-snake among the lowest 2",
        lambda m: means(m, of_mappings(m, CYCLES)), mapped_means, correction=OVER_PTR,
    ),
    Conclusion(
        "blocking-fast", "11-blocking is one of the fastest (6.4).",
        "11-blocking", "x", "11-blocking among the highest 5", lambda m: means(m, of_mappings(m, CYCLES)),
        mapped_means, correction=ALL_GAMES,
    ),
    Conclusion(
        "blocking-saves", "11-blocking saves most energy (6.4).",
        "11-blocking", "x", "11-blocking among the highest 3", lambda m: means(m, of_mappings(m, ENERGY)),
        mapped_means, correction=ALL_GAMES,
    ),
    Conclusion(
        "blocking-alike", "All games come to a similar speed with 11-blocking (Fig. 6.7).",
        None, "largest - smallest", "<= 0.1", spread_of_blocking, blocking_by_game, correction=ALL_GAMES,
    ),
    Conclusion(
        "sharing-mpki", "Sharing caches lowers the misses of the texture caches, with 11-blocking (Fig. 6.8).",
        None, "shared over private", "< 1",
        lambda m: m.mean(
            mapped_only(m)
            .ratios("memory.texture_cache.mpki", "shared-11-blocking", PTR).values()
        ),
        correction=Correction(
            '"MPKI for the L1 texture caches when employing PTR with private caches compared to shared caches with the '
            '11-blocking combination" (Fig. 6.8)',
            "< 1, over private caches of the same mapping",
        ),
    ),
    Conclusion(
        "imbalance-order", "The coarse 1-quadrant is less balanced on BBR than the fine 5-UD-Q (Fig. 6.5).",
        "1-quadrant > 5-UD-Q", "ratio", "1-quadrant > 5-UD-Q",
        lambda m: {mapping: imbalance(m, mapping) for mapping in ("1-quadrant", "5-UD-Q")},
    ),
    Conclusion(
        "imbalance-coarse", "The imbalance of 1-quadrant on BBR reaches near 0.8 (Fig. 6.5).",
        0.8, "ratio", "0.6 to 1.0", lambda m: imbalance(m, "1-quadrant"), evenly, correction=REACHES,
    ),
    Conclusion(
        "imbalance-fine", "The imbalance of 5-UD-Q on BBR reaches 0.2 (Fig. 6.5).",
        0.2, "ratio", "0.1 to 0.3", lambda m: imbalance(m, "5-UD-Q"), evenly, correction=REACHES,
    ),
    Conclusion(
        "area", "Two Raster Units take 40 % more area (5.1).",
        40, "%", "within 25 % of 40", lambda m: m.area_change_percent(PTR, BASE),
    ),
    Conclusion(
        "area-shared", "Shared texture caches take 4 % less area (6.4).",
        -4, "%", "within 50 % of -4",
        lambda m: m.area_change_percent("shared-11-blocking", PTR), area,
    ),
)  # fmt: skip
