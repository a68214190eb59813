"""Decoupled Access/Execute: the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...declare import Figure
from ...measured import Measured, NotMeasured
from .energy import by_device, energies
from .measures import (
    FEW,
    GHB,
    NONE,
    SCHEMES,
    TRAFFIC,
    WARPS,
    curve,
    machine,
    speeds,
    useless,
)

Values = Mapping[str, float]


def _measured(kinds: Iterable[str], of: Callable[[str], Values]) -> dict[str, Values]:
    """Series of the schemes that were run."""
    series = {}
    for kind in kinds:
        try:
            series[kind] = of(kind)
        except NotMeasured:
            continue
    return series


def _curves(m: Measured) -> dict[str, Values]:
    curves = _measured((NONE, *SCHEMES), lambda kind: curve(m, kind, WARPS if kind == NONE else FEW))
    return {kind: values for kind, values in curves.items() if values}


def _energy_over_speed(m: Measured) -> dict[str, Values]:
    """Mean energy by mean speed-up: a point for each number of warps."""

    def points(kind: str) -> Values:
        fast = curve(m, kind, WARPS if kind == NONE else FEW)
        return {f"{value:.4f}": m.mean(energies(m, kind, int(warps)).values()) for warps, value in fast.items()}

    return {kind: values for kind, values in _measured((NONE, *SCHEMES), points).items() if values}


FIGURES = (
    Figure("6", "Speed-up over the Global History Buffer, one warp", "times the GHB's speed", lambda m: _measured(
        (NONE, *SCHEMES), lambda kind: speeds(m, kind, base=GHB)
    )),
    Figure("7", "Prefetched lines that nobody asks for", "%", lambda m: _measured(
        SCHEMES, lambda kind: useless(m, kind)
    )),
    Figure("8", "Energy, one warp", "of the GHB's", lambda m: _measured(
        (NONE, *SCHEMES), lambda kind: energies(m, kind, base=GHB)
    )),
    Figure("9", "Speed-up by warps, without prefetching", "times one warp's speed", lambda m: {
        f"{warps} warps": speeds(m, NONE, warps) for warps in WARPS[1:]
    }),
    Figure("10", "Energy by warps, without prefetching", "of one warp's", lambda m: {
        f"{warps} warps": energies(m, NONE, warps) for warps in WARPS[1:]
    }),
    Figure("11", "Speed-up by warps", "times one warp's speed without prefetching", _curves, curves="warps"),
    Figure(
        "12", "Energy over speed-up, a point for each number of warps", "of one warp's energy without prefetching",
        _energy_over_speed, curves="speed-up over one warp without prefetching",
    ),
    Figure("devices", "Energy by type of devices", "of the other machine's", by_device, means=True),
    Figure("13", "Accesses to the L2 cache, one warp", "of those without prefetching", lambda m: _measured(
        SCHEMES, lambda kind: m.ratios(TRAFFIC, machine(kind), machine(NONE))
    )),
)  # fmt: skip
