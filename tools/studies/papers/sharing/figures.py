"""Figures of the study of sharing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...declare import Figure, Series
from ...measured import Measured
from .measures import (
    COMPOSED,
    COSTS,
    DRAINED,
    FRAME,
    IN_ROUNDS,
    NAMES,
    QUANTA,
    TILE,
    compositor_share,
    costly,
    each,
    named,
    over_alone,
    row_hits_over_alone,
    slowdown,
)

WAYS = (FRAME, "frame 2", "tile 1", TILE, "tile 1000", IN_ROUNDS, "tile 1" + DRAINED, TILE + DRAINED)


def _slowdowns(m: Measured) -> Series:
    return {
        f"{place}, {way}": each(m, way, slowdown(k))
        for k, place in enumerate(("first", "second"))
        for way in (FRAME, "tile 1", TILE)
    }


def _over_quanta(m: Measured, name: str) -> Series:
    return {
        pair: {str(quantum): named(name)(m.shared(pair, f"tile {quantum}")) for quantum in QUANTA} for pair in NAMES
    }


def _over_costs(m: Measured) -> Series:
    return {
        f"{pair}, {quantum} tiles": {
            str(cost): named("time_saved")(m.shared(pair, costly(quantum, cost))) for cost in COSTS
        }
        for pair in NAMES
        for quantum in (1, 16)
    }


def _bars(ident: str, title: str, unit: str, value: Callable[[dict[str, Any]], float]) -> Figure:
    return Figure(ident, title, unit, lambda m: {way: each(m, way, value) for way in WAYS}, over=NAMES)


FIGURES = (
    Figure(
        "slowdown", "Slowdown of the first and the second of each pair", "of the time alone", _slowdowns, over=NAMES,
    ),
    _bars("fairness", "Fairness: least slowdown over greatest", "ratio", named("fairness")),
    _bars("throughput", "System throughput: sum of inverse slowdowns", "applications", named("throughput")),
    _bars("time-saved", "Time of both alone over that together", "ratio", named("time_saved")),
    Figure(
        "fairness-quantum", "Fairness over the quantum", "ratio",
        lambda m: _over_quanta(m, "fairness"), curves="quantum, tiles",
    ),
    Figure(
        "time-quantum", "Time of both alone over that together, over the quantum", "ratio",
        lambda m: _over_quanta(m, "time_saved"), curves="quantum, tiles",
    ),
    Figure(
        "time-cost", "Time of both alone over that together, over the cost of a switch", "ratio",
        _over_costs, curves="cycles of a switch",
    ),
    _bars("l2-misses", "L2 misses over those of both alone", "ratio", over_alone("l2_misses")),
    _bars("row-hits", "DRAM row hit rate over that of both alone", "ratio", row_hits_over_alone),
    Figure(
        "compositor", "Time of the compositor's frames", "of the applications'",
        lambda m: {way: each(m, way + COMPOSED, compositor_share) for way in (FRAME, TILE)}, over=NAMES,
    ),
)  # fmt: skip
