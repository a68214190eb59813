"""Emerald's second case study: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines
from .measures import DFSL, L1, MLC, SIZES, TIME, curve, optimum, per_frame, speed_ups


def by_size(m: Measured) -> str:
    """Time and misses with the largest work tiles, of those with the smallest."""
    statistics = {"time": TIME} | {f"{name} misses": statistic for name, statistic in L1.items()}
    return lines(
        *(
            by_game(
                f"{what} with WT 10 of that with WT 1", {n: curve(m, n, statistic)[str(SIZES[-1])] for n in m.workloads}
            )
            for what, statistic in statistics.items()
        )
    )


def chosen(m: Measured) -> str:
    """Speed of DFSL and of static sizes, and the sizes that it chooses."""
    best = optimum(m)
    sizes = {n: per_frame(m, n, DFSL, "techniques.dfsl.work_tile") for n in m.workloads}
    speeds = (by_game(f"{name} of MLB's speed", speed_ups(m, name), ".3f") for name in (DFSL, best, MLC))
    return lines(*speeds, by_game("work tiles that DFSL chooses", sizes, ".1f"))
