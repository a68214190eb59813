"""Visibility Rendering Order: the conclusions and their rules."""

from __future__ import annotations

from ...declare import Conclusion, Correction
from . import immediate
from .explanations import cycles_of_games, deferred, deferred_area, hidden, lists, where_time_goes
from .measures import (
    BASE,
    CYCLES,
    DR,
    ENERGY,
    NAME,
    SEQUENTIAL,
    VRO,
    extra_fetch,
    extra_raster,
    extra_stalls,
    extra_tile_misses,
    fetch_cycles,
    graph_percent,
    list_sizes,
    mean_change,
    mean_overshading,
    mean_percent,
    naive,
    of_perfect,
    ordered,
    saved_by_perfect_order,
    sort_percent,
    speedups,
    table_4_1,
    traffic_ratios,
    unordered,
)

ONE_IS_ORDERED = Correction(
    '"If the reduction in overshading between an ideal front-to-back rendering order at object granularity and the '
    'execution using Early-depth is smaller than 0.5%, then the benchmark is categorized as ordered" (4.1); "0.943x in '
    'the worst case" of eight games (A.3): all but Sleepy Jack save more',
    "the same rule; Air Attack, Crazy Snowboard and Striker counted as ordered, too",
)

CONCLUSIONS = (
    Conclusion(
        "speedup", "Games that do not draw from front to back are 1.27 times as fast on average (4.5.1).",
        1.27, "x", "1.2 to 1.34", lambda m: m.mean(speedups(unordered(m)).values()), where_time_goes,
        bound=lambda m: m.mean(unordered(m).ratios("fragment.processor.instructions", BASE, VRO).values()),
    ),
    Conclusion(
        "speedup-least", "Captain America gains least, 1.14 times (4.5.1).",
        "003-captain", "x", "003-captain among the lowest 1", lambda m: speedups(unordered(m)), where_time_goes,
    ),
    Conclusion(
        "speedup-most", "Forest 2 gains most, 1.42 times (4.5.1).",
        "003-forest2", "x", "003-forest2 among the highest 1", lambda m: speedups(unordered(m)), where_time_goes,
    ),
    Conclusion(
        "energy", "Energy falls to 0.84 on average (4.5.1).",
        -16, "%", "within 25 % of -16", lambda m: mean_change(unordered(m), ENERGY), where_time_goes,
    ),
    Conclusion(
        "overshading", "Overshading falls to 0.81 on average (4.5.1).",
        0.81, "of the baseline's", "0.76 to 0.86", lambda m: mean_overshading(unordered(m)), hidden,
        standing="seen",
    ),
    Conclusion(
        "ordered-time", "Games that draw from front to back lose no time (4.1).",
        1, "x", ">= 0.995", lambda m: min(speedups(ordered(m)).values()), cycles_of_games,
        correction=ONE_IS_ORDERED,
    ),
    Conclusion(
        "ordered-energy", "Games that draw from front to back lose no energy (4.1).",
        0, "%", "<= 0.5", lambda m: max(ordered(m).change_percent(ENERGY, VRO, BASE).values()), cycles_of_games,
        correction=ONE_IS_ORDERED,
    ),
    Conclusion(
        "fetch", "A primitive is fetched in 50 cycles on average (Fig. 4.19).",
        50, "cycles", "within 25 % of 50", lambda m: m.mean(fetch_cycles(unordered(m), VRO).values()), where_time_goes,
    ),
    Conclusion(
        "traffic", "Memory traffic falls to 0.98 (Fig. 4.20).",
        0.98, "of the baseline's", "0.94 to 1",
        lambda m: m.mean(traffic_ratios(unordered(m)).values()), lists,
    ),
    Conclusion(
        "graph-traffic", "The Visibility Graph adds less than 0.005 % to the traffic (4.5.1).",
        0.005, "%", "< 0.005", lambda m: graph_percent(unordered(m)), hidden,
    ),
    Conclusion(
        "edge-filter", "The Edge Filter drops 99.9 % of the edges (4.3.2).",
        99.9, "%", "within 0.5 % of 99.9", lambda m: mean_percent(unordered(m), f"{NAME}.filtered_share"), hidden,
    ),
    Conclusion(
        "lists", "95 % of the lists have 35 edges or less, so that they fit an entry (4.3.2).",
        35, "edges", "<= 35", lambda m: max(list_sizes(unordered(m), 95).values()), hidden,
    ),
    Conclusion(
        "graph-cache", "92.6 % of the accesses hit in the Graph Cache (4.3.2).",
        92.6, "%", "within 5 % of 92.6", lambda m: mean_percent(unordered(m), "memory.graph_cache.hit_rate"), hidden,
    ),
    Conclusion(
        "sort", "The sort takes almost two orders of magnitude less time than the geometry, at worst (4.3.2).",
        1, "%", "<= 2", lambda m: sort_percent(unordered(m)), hidden,
    ),
    Conclusion(
        "broken-cycles", "About 13 % of the objects are taken to break a cycle (4.2.3).",
        13, "%", "within 50 % of 13", lambda m: mean_percent(unordered(m), f"{NAME}.broken_cycle_share"), hidden,
    ),
    Conclusion(
        "unordered", "In perfect order unordered games shade at least 0.5 % less (4.1).",
        0.5, "%", ">= 0.5", lambda m: min(saved_by_perfect_order(unordered(m)).values()), hidden,
        standing="set", correction=ONE_IS_ORDERED,
    ),
    Conclusion(
        "ordered", "In perfect order ordered games shade less than 0.5 % less (4.1).",
        0.5, "%", "< 0.5", lambda m: max(saved_by_perfect_order(ordered(m)).values()), hidden,
        correction=ONE_IS_ORDERED,
    ),
    Conclusion(
        "c-h1-perfect", "C_H1 saves nearly what the perfect order saves (Fig. 4.23).",
        1, "of the saving", ">= 0.9", lambda m: of_perfect(unordered(m)), hidden,
    ),
    Conclusion(
        "c-h1", "C_H1 saves most of all (Fig. 4.23).",
        "C_H1", "of the baseline's", "C_H1 among the lowest 1", table_4_1, hidden,
    ),
    Conclusion(
        "po-h1-second", "PO_H1 saves second most (4.5.2).",
        "PO_H1", "of the baseline's", "PO_H1 among the lowest 2", table_4_1, hidden,
    ),
    Conclusion(
        "c-h2", "With counters, too, fewest edges are the better way out (Fig. 4.23).",
        "C_H1", "of the baseline's", "C_H2 > C_H1", table_4_1, hidden,
    ),
    Conclusion(
        "minz", "MinZ saves least (Fig. 4.23).",
        "MinZ", "of the baseline's", "MinZ among the highest 1", table_4_1, hidden,
    ),
    Conclusion(
        "po-h1", "Fewest edges are a better way out of a cycle than least depth (Fig. 4.23).",
        "PO_H1", "of the baseline's", "PO_H2 > PO_H1", table_4_1, hidden,
    ),
    Conclusion(
        "area", "It takes less than 1 % of the area (4.4.1).",
        1, "%", "< 1", lambda m: m.area_change_percent(VRO, BASE), None,
    ),
    Conclusion(
        "two-requests", "The gain is one of the order, not of the two primitives fetched side by side (4.3.2).",
        None, "x", "> 1", lambda m: m.mean(speedups(unordered(m), "two-requests").values()), where_time_goes,
    ),
    Conclusion(
        "dr-speedup", "Deferred Rendering is 1.17 times as fast on average (4.5.1).",
        1.17, "x", "1.13 to 1.21", lambda m: m.mean(speedups(unordered(m), BASE, DR).values()), deferred,
    ),
    Conclusion(
        "dr-energy", "Deferred Rendering lowers the energy to 0.88 on average (4.5.1).",
        -12, "%", "within 25 % of -12", lambda m: mean_change(unordered(m), ENERGY, DR), deferred,
    ),
    Conclusion(
        "dr-overshading", "Its overshading falls to 0.7 (Fig. 4.18).",
        0.7, "of the baseline's", "0.625 to 0.775", lambda m: mean_overshading(unordered(m), DR), deferred,
        standing="set",
    ),
    Conclusion(
        "dr-shades-less", "Deferred Rendering shades less than VRO, which sorts objects, not pixels (4.5.1).",
        None, "of the baseline's", "VRO > DR",
        lambda m: {"VRO": mean_overshading(unordered(m)), "DR": mean_overshading(unordered(m), DR)}, deferred,
        standing="set",
    ),
    Conclusion(
        "vro-ahead-time", "Yet VRO is faster (4.5.1).",
        None, "x", "VRO > DR",
        lambda m: {
            "VRO": m.mean(speedups(unordered(m)).values()), "DR": m.mean(speedups(unordered(m), BASE, DR).values())
        }, deferred,
    ),
    Conclusion(
        "vro-ahead-energy", "VRO takes less energy (4.5.1).",
        None, "%", "DR > VRO",
        lambda m: {"VRO": mean_change(unordered(m), ENERGY), "DR": mean_change(unordered(m), ENERGY, DR)}, deferred,
    ),
    Conclusion(
        "sequential-every", "With a stage of its own for hidden surfaces every game takes longer (4.3.1).",
        None, "%", "> 0",
        lambda m: min(naive(m).change_percent(CYCLES, SEQUENTIAL, BASE).values()), deferred,
    ),
    Conclusion(
        "sequential-time", "It takes 23 % longer on average (4.3.1).",
        23, "%", "within 25 % of 23", lambda m: mean_change(naive(unordered(m)), CYCLES, SEQUENTIAL), deferred,
    ),
    Conclusion(
        "sequential-energy", "It takes 6 % more energy on average (4.3.1).",
        6, "%", "within 25 % of 6", lambda m: mean_change(naive(unordered(m)), ENERGY, SEQUENTIAL), deferred,
    ),
    Conclusion(
        "dr-fetch", "Deferred Rendering fetches a primitive in 68 cycles on average (Fig. 4.19).",
        68, "cycles", "within 25 % of 68", lambda m: m.mean(fetch_cycles(unordered(m), DR).values()), deferred,
    ),
    Conclusion(
        "dr-tile-misses", "It has 11 % more primary misses of the Tile Cache than VRO (4.5.1).",
        11, "%", "within 25 % of 11",
        lambda m: extra_tile_misses(unordered(m)), deferred,
    ),
    Conclusion(
        "dr-fetches-longer", "It spends many more cycles than VRO on fetching, 27 million (Fig. 4.21).",
        None, "cycles", "> 0", lambda m: m.mean(extra_fetch(unordered(m)).values()), deferred,
    ),
    Conclusion(
        "dr-stalls-less", "It stalls less behind the Fragment Processors, by 2.85 million (Fig. 4.21).",
        None, "cycles", "< 0", lambda m: m.mean(extra_stalls(unordered(m)).values()), deferred,
    ),
    Conclusion(
        "dr-fetch-shows", "Of these cycles of fetching 80 % become time: 21.6 of 27 million (Fig. 4.21).",
        0.8, "of the cycles", "within 25 % of 0.8",
        lambda m: m.mean(extra_raster(unordered(m)).values()) / m.mean(extra_fetch(unordered(m)).values()), deferred,
    ),
    Conclusion(
        "dr-traffic", "Its memory traffic falls to 0.96, below that of VRO (Fig. 4.20).",
        0.96, "of the baseline's", "VRO > DR",
        lambda m: {
            "VRO": m.mean(traffic_ratios(unordered(m)).values()),
            "DR": m.mean(traffic_ratios(unordered(m), DR).values()),
        }, deferred,
    ),
    Conclusion(
        "dr-area", "Deferred Rendering takes about 6 % of the area (4.3.1).",
        6, "%", "within 25 % of 6", lambda m: m.area_change_percent(DR, BASE), deferred_area,
    ),
    *immediate.CONCLUSIONS,
)  # fmt: skip
