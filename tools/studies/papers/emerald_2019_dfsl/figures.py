"""Emerald's second case study: the figures."""

from __future__ import annotations

from ...declare import Figure
from .measures import CHURCH, CODE, DFSL, L1, L2, MLB, MLC, TIME, TRAFFIC, curve, optimum, speed_ups

SIZE = "side of a work tile, in TC tiles"

FIGURES = (
    Figure("17", "Time by size of work tiles", "of that with WT 1", lambda m: {
        n: curve(m, n, TIME) for n in m.workloads
    }, curves=SIZE),
    Figure("17-code", "Time by size of work tiles, the authors' public simulator", "of that with WT 1", lambda m: {
        n: curve(m.under(CODE.variant), n, TIME) for n in m.workloads
    }, curves=SIZE),
    Figure("18", "Time and misses of first-level caches, W1", "of those with WT 1", lambda m: {
        "time": curve(m, CHURCH, TIME),
        "all misses": curve(m, CHURCH, *L1.values()),
        **{f"{name} misses": curve(m, CHURCH, misses) for name, misses in L1.items()},
    }, curves=SIZE),
    Figure("18-code", "The same, the authors' public simulator", "of those with WT 1", lambda m: {
        "time": curve(m.under(CODE.variant), CHURCH, TIME),
        **{f"{name} misses": curve(m.under(CODE.variant), CHURCH, misses) for name, misses in L1.items()},
    }, curves=SIZE),
    Figure("L2", "Misses of the L2, W1 (told in 6.2)", "of those with WT 1", lambda m: {
        "misses of the L2": curve(m, CHURCH, L2), "traffic of memory": curve(m, CHURCH, TRAFFIC)
    }, curves=SIZE),
    Figure("19", "Speed-up of frames", "times MLB's speed", lambda m: {
        "MLB": speed_ups(m, MLB), "MLC": speed_ups(m, MLC), "SOPT": speed_ups(m, optimum(m)), DFSL: speed_ups(m, DFSL)
    }),
    Figure("19-code", "Speed-up of frames, the authors' public simulator", "times MLB's speed", lambda m: {
        name: speed_ups(m.under(CODE.variant), machine(m.under(CODE.variant)))
        for name, machine in (("MLC", lambda _: MLC), ("SOPT", optimum), (DFSL, lambda _: DFSL))
    }),
)  # fmt: skip
