"""Emerald's second case study: the conclusions and their rules."""

from __future__ import annotations

from ...declare import Conclusion, Correction
from .explanations import by_size, chosen
from .measures import (
    BLOB,
    CHURCH,
    HEAD,
    L1,
    L2,
    MLB,
    TEAPOT,
    TRAFFIC,
    TRANSLUCENT,
    best_size,
    correlation,
    gain_percent,
    optimum,
    sizes_in_common,
    spread_of,
    variation_percent,
    variations,
)

BEST = "for W5, the best-performing WT size is 1, and for W2 and W4 the best performing WT size is 5"
EVEN = Correction(BEST, "the same of the fastest size alone, without others within 1 % of it")
"""Nobody reads a difference of a hundredth off Fig. 17, and the model's own figures move by as much."""

CONCLUSIONS = (
    Conclusion(
        "least", "Time varies least with the size of work tiles in W6: by 25 % (Fig. 17).",
        25, "%", "within 25 % of 25", lambda m: variation_percent(m, TEAPOT), by_size,
    ),
    Conclusion(
        "least-in", "W6 is where it varies least (Fig. 17).",
        TEAPOT, "%", "004-w6 among the lowest 1", variations, by_size,
    ),
    Conclusion(
        "most", "It varies most in W5: by 88 % (Fig. 17).",
        88, "%", "within 25 % of 88", lambda m: variation_percent(m, TRANSLUCENT), by_size, "seen",
    ),
    Conclusion(
        "most-in", "W5 is where it varies most (Fig. 17).",
        TRANSLUCENT, "%", "004-w5 among the highest 1", variations, by_size, "seen",
    ),
    Conclusion(
        "best-w5", "The best size for W5 is 1 (6.2).",
        1, "TC tiles", "1 to 1", lambda m: best_size(m, TRANSLUCENT, 1), by_size, "seen", EVEN,
    ),
    Conclusion(
        "best-w2", "The best size for W2 is 5 (6.2).",
        5, "TC tiles", "5 to 5", lambda m: best_size(m, BLOB, 5), by_size, "seen", EVEN,
    ),
    Conclusion(
        "best-w4", "The best size for W4 is 5 (6.2).",
        5, "TC tiles", "5 to 5", lambda m: best_size(m, HEAD, 5), by_size, "seen", EVEN,
    ),
    Conclusion(
        "sizes-differ", "The best size differs from workload to workload (6.2).",
        None, "sizes in common", "<= 0", lambda m: float(sizes_in_common(m)), by_size, "seen",
        Correction(BEST, "more than one fastest size, without others within 1 % of it"),
    ),
    Conclusion(
        "misses", "In W1 time correlates with the misses of first-level caches by 0.78 (6.2).",
        0.78, "", "within 25 % of 0.78", lambda m: correlation(m, CHURCH, *L1.values()), by_size, "seen",
    ),
    Conclusion(
        "depth-misses", "With those of depth by 0.79 (6.2).",
        0.79, "", "within 25 % of 0.79", lambda m: correlation(m, CHURCH, L1["depth"]), by_size,
    ),
    Conclusion(
        "texture-misses", "With those of textures by 0.82 (6.2).",
        0.82, "", "within 25 % of 0.82", lambda m: correlation(m, CHURCH, L1["texture"]), by_size, "seen",
    ),
    Conclusion(
        "l2", "Misses of the L2 are very similar with all sizes (6.2).",
        None, "x", "<= 1.1", lambda m: spread_of(m, L2), by_size,
    ),
    Conclusion(
        "traffic", "So is the traffic of memory (6.2).", None, "x", "<= 1.1", lambda m: spread_of(m, TRAFFIC), by_size
    ),
    Conclusion(
        "dfsl-mlb", "DFSL is 19 % faster than most load-balance (Fig. 19).",
        19, "%", "within 25 % of 19", lambda m: gain_percent(m, MLB), chosen,
    ),
    Conclusion(
        "dfsl-sopt", "It is 7.3 % faster than the one size that is best on average (Fig. 19).",
        7.3, "%", "within 25 % of 7.3", lambda m: gain_percent(m, optimum(m)), chosen,
    ),
)  # fmt: skip
