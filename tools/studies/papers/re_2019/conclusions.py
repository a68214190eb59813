"""Rendering Elimination: the conclusions and their rules.

The rules follow the paper's words. Means of time and energy are to be met within a quarter, bounds ("less than 1 %") as
they stand; where the paper ranks games, the rank decides.
"""

from __future__ import annotations

from ...declare import Conclusion, Correction
from .explanations import colors, games, hardware, parts_of_energy, reuse, signing
from .measures import (
    BASE,
    CYCLES,
    ENERGY,
    GEOMETRY,
    GPU,
    MEMORY,
    RASTER,
    RE,
    TE,
    UNLIMITED,
    ahead_of_memoization,
    false_positives,
    found_percent,
    mean_change,
    mean_speedup,
    mean_tiles_percent,
    overhead_percent,
    papers_area_percent,
    potential_percent,
    traffic_change,
)

INVERSE = Correction(
    '"an average execution time reduction of 42% (1.74x speedup)" (V): 1 / (1 - 0.42), the inverse of the mean of '
    "normalized times",
    "the same bounds on the mean of the games' speed-ups",
)

STALLS = Correction(
    '"the pipeline is only stalled when computing signatures for primitives that cover a large amount of tiles" (V): '
    "stalls of the unit, so against one that stalls nothing",
    "the same bound on all of the geometry's time beside the baseline, whose lists the raster stage has pushed out of "
    "the caches where here it is left out",
)

CONCLUSIONS = (
    Conclusion(
        "speedup", "Rendering Elimination is 1.74 times as fast on average (V).",
        1.74, "x", "within 25 % of 1.74", lambda m: mean_speedup(m, CYCLES), games, correction=INVERSE,
    ),
    Conclusion(
        "raster-speedup", "The raster stage is twice as fast on average (V).",
        2, "x", "within 25 % of 2", lambda m: mean_speedup(m, RASTER), games, correction=INVERSE,
    ),
    Conclusion(
        "raster-speedup-most", "The raster stage is more than ten times as fast at most (V).",
        10, "x", "> 10", lambda m: max(m.ratios(RASTER, BASE, RE).values()), games,
    ),
    Conclusion(
        "speedup-most", "The largest speed-up is 6.9 (VII).",
        6.9, "x", "within 25 % of 6.9", lambda m: max(m.ratios(CYCLES, BASE, RE).values()), games,
        standing="seen",
    ),
    Conclusion(
        "cycles-cde", "cde takes 86 % fewer cycles, the most of all (V).",
        -86, "%", "001-cde among the lowest 1", lambda m: m.change_percent(CYCLES, RE, BASE), games,
        standing="seen",
    ),
    Conclusion(
        "energy", "Energy of GPU and memory falls by 43 % on average (V).",
        -43, "%", "within 25 % of -43", lambda m: mean_change(m, ENERGY, RE), parts_of_energy,
    ),
    Conclusion(
        "energy-gpu", "The GPU's energy falls by 38 % on average (V).",
        -38, "%", "within 25 % of -38", lambda m: mean_change(m, GPU, RE), parts_of_energy,
    ),
    Conclusion(
        "energy-memory", "The memory's energy falls by 48 % on average (V).",
        -48, "%", "within 25 % of -48", lambda m: mean_change(m, MEMORY, RE), parts_of_energy,
    ),
    Conclusion(
        "energy-ccs-cde", "ccs and cde save 90 % of their energy (V).",
        -90, "%", "within 10 % of -90",
        lambda m: mean_change(m.of("001-ccs", "001-cde"), ENERGY, RE), parts_of_energy, standing="seen",
    ),
    Conclusion(
        "geometry", "Signing adds 0.64 % of geometry cycles on average (V).",
        0.64, "%", "< 1", lambda m: m.mean(m.change_percent(GEOMETRY, RE, UNLIMITED).values()), signing,
        standing="seen", correction=STALLS,
    ),
    Conclusion(
        "mst-time", "mst, which has nothing redundant, loses less than 1 % of time (V).",
        1, "%", "< 1", lambda m: mean_change(m.of("001-mst"), CYCLES, RE), lambda m: signing(m.of("001-mst")),
        standing="seen",
    ),
    Conclusion(
        "mst-energy", "mst loses less than 1 % of energy (V).",
        1, "%", "< 1", lambda m: mean_change(m.of("001-mst"), ENERGY, RE), lambda m: parts_of_energy(m.of("001-mst")),
        standing="seen",
    ),
    Conclusion(
        "tiles-skipped", "Half of the tiles are left out on average (Fig. 15a).",
        50, "%", "within 20 % of 50", lambda m: mean_tiles_percent(m, "equal inputs"), games, standing="set",
    ),
    Conclusion(
        "redundant-found", "These are 81 % of the redundant ones (V).",
        81, "%", "within 10 % of 81", found_percent, games, standing="set",
    ),
    Conclusion(
        "equal-colors", "12 % of the tiles have equal colours and other inputs (Fig. 15a).",
        12, "%", "within 50 % of 12", lambda m: mean_tiles_percent(m, "equal colours, other inputs"), games,
        standing="set",
    ),
    Conclusion(
        "false-positives", "No tile that is left out has changed (V).", 0, "tiles", "<= 0", false_positives,
    ),
    Conclusion(
        "traffic", "Main memory traffic of the raster stage falls by 48 % on average (Fig. 15b).",
        -48, "%", "within 25 % of -48", traffic_change,
    ),
    Conclusion(
        "overhead", "The hardware takes less than 0.5 % of the GPU's energy (VII).",
        0.5, "%", "< 0.5", overhead_percent,
    ),
    Conclusion(
        "area", "It takes less than 1 % of the area (V), with the two sets of signatures of IV-C.",
        1, "%", "< 1", papers_area_percent, hardware,
    ),
    Conclusion(
        "te-energy", "Transaction Elimination saves 9 % of the energy on average (V-A).",
        -9, "%", "within 50 % of -9", lambda m: mean_change(m, ENERGY, TE),
        colors,
    ),
    Conclusion(
        "te-abi", "On abi Transaction Elimination may save slightly more than Rendering Elimination (Fig. 17b).",
        None, "% of the baseline's energy that TE is ahead", "> 0",
        lambda m: mean_change(m.of("001-abi"), ENERGY, RE) - mean_change(m.of("001-abi"), ENERGY, TE),
        lambda m: parts_of_energy(m.of("001-abi")),
    ),
    Conclusion(
        "te-cde", "On cde Rendering Elimination saves 65 % more than Transaction Elimination (V-A).",
        65, "% of TE's energy", "within 30 % of 65",
        lambda m: 100 * (1 - m.of("001-cde").ratio("001-cde", ENERGY, RE, TE)), parts_of_energy,
    ),
    Conclusion(
        "memoization-behind", "Memoization reuses fewer fragments in most games (Fig. 16).",
        None, "games of ten", "> 5",
        lambda m: float(sum(ahead < 0 for ahead in ahead_of_memoization(m).values())),
        reuse,
    ),
    Conclusion(
        "memoization-hop", "The only notable exception is hop (V-A).",
        "hop", "fragments shaded more than memoization, share", "001-hop among the highest 1", ahead_of_memoization,
        reuse, standing="set",
    ),
    Conclusion(
        "memoization-potential", "A table of limited size catches 60 % of the potential on average (V-A).",
        60, "%", "within 25 % of 60", potential_percent, reuse,
    ),
)  # fmt: skip
