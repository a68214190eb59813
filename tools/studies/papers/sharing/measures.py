"""Pairs, ways to share the GPU, and what is measured of them."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Any

from ...declare import Pairs, Sharing
from ...measured import Measured

PRESET, ALONE = "ptr-2022", "alone"
COMPUTE_BANDWIDTH, BANDWIDTHS = "compute and bandwidth", "bandwidth and bandwidth"
LIGHT_HEAVY, GAME_BOARD = "light and heavy", "game and 2D board"
TWINS = ("000-rok", "000-ccs", "003-gravity", "000-crs", "000-bbr")
"""Bound by computing (processors are busy for 81 % of the time), by memory (6.6 and 4.7 bytes a cycle), light, heavy:
measured alone, at 640 x 360, before the pairs were chosen."""
APPLICATIONS = ("scene:board",)
FRAME, TILE = "frame", "tile 16"
QUANTA = (1, 4, 16, 64, 1000)
"""Tiles; the last is more than a frame has."""
COSTS = (0, 100, 1000)
DRAINED, COMPOSED = ", drained", ", compositor"
IN_ROUNDS = "tile 16, rounds of a frame each"


def _tiles(quantum: int, *settings: str, turns: str = "time", cost: int = 100) -> Sharing:
    """By tile, with turns of about the same time, or rounds of a frame each. Whatever has state takes that of another
    application up: the Tile Fetcher, and each Raster Unit with its processors."""
    switches = (f"{unit}.context_switch_cycles={cost}" for unit in ("tile_fetcher", "rasterizer"))
    turn = f"tile_fetcher.quantum_tiles={quantum}", f"tile_fetcher.turns={turns}"
    return Sharing("tile", (*turn, *switches, *settings))


def costly(quantum: int, cost: int) -> str:
    """Name of sharing with a quantum and a cost of a switch, which is 100 cycles as it is."""
    return f"tile {quantum}" if cost == 100 else f"tile {quantum}, {cost} cycles"


SHARINGS = {
    FRAME: Sharing("frame"),
    "frame 2": Sharing("frame", ("command_processor.quantum_frames=2",)),
    **{f"tile {quantum}": _tiles(quantum) for quantum in QUANTA},
    **{costly(quantum, cost): _tiles(quantum, cost=cost) for quantum in (1, 16) for cost in COSTS},
    IN_ROUNDS: _tiles(16, turns="tiles"),
    **{f"tile {quantum}{DRAINED}": _tiles(quantum, "tile_fetcher.context_switch=drained") for quantum in (1, 16)},
    FRAME + COMPOSED: Sharing("frame", (), "picture-in-picture"),
    TILE + COMPOSED: Sharing("tile", _tiles(16).settings, "picture-in-picture"),
}
PAIRS = Pairs(
    PRESET,
    {
        COMPUTE_BANDWIDTH: ("000-rok", "000-ccs"),
        BANDWIDTHS: ("003-gravity", "000-ccs"),
        LIGHT_HEAVY: ("000-crs", "000-bbr"),
        GAME_BOARD: ("000-bbr", "scene:board"),
    },
    SHARINGS,
)
NAMES = tuple(PAIRS.pairs)


def each(m: Measured, sharing: str, value: Callable[[dict[str, Any]], float]) -> dict[str, float]:
    """Something of every pair that shares the GPU in a way."""
    return {pair: value(m.shared(pair, sharing)) for pair in NAMES}


def mean(m: Measured, sharing: str, value: Callable[[dict[str, Any]], float]) -> float:
    """The same, mean over the pairs."""
    return fmean(each(m, sharing, value).values())


def named(name: str) -> Callable[[dict[str, Any]], float]:
    """A figure of the pair as a whole: `fairness`, `throughput`, `time_saved` …"""
    return lambda outcome: float(outcome[name])


def slowdown(k: int) -> Callable[[dict[str, Any]], float]:
    """Slowdown of an application of the pair."""
    return lambda outcome: float(outcome["applications"][k]["slowdown"])


def total(outcome: dict[str, Any], where: str, name: str) -> float:
    """A statistic of both applications, `together` or `alone`."""
    return sum(float(each[where][name]) for each in outcome["applications"])


def over_alone(name: str) -> Callable[[dict[str, Any]], float]:
    """A statistic of both together over that of both alone."""
    return lambda outcome: total(outcome, "together", name) / max(1.0, total(outcome, "alone", name))


def row_hit_rate(outcome: dict[str, Any], where: str) -> float:
    """Share of accesses to main memory that find their row open, of both applications."""
    hits, misses = (total(outcome, where, name) for name in ("row_hits", "row_misses"))
    return hits / (hits + misses)


def row_hits_over_alone(outcome: dict[str, Any]) -> float:
    """Row hit rate together over that alone."""
    return row_hit_rate(outcome, "together") / row_hit_rate(outcome, "alone")


def end_cycle(outcome: dict[str, Any]) -> float:
    """Cycles until both are done."""
    return float(max(each["end_cycle"] for each in outcome["applications"]))


def compositor_share(outcome: dict[str, Any]) -> float:
    """Cycles of the compositor over those of the applications."""
    return float(outcome["compositor"]["cycles"]) / total(outcome, "together", "cycles")


def lost(m: Measured, pair: str, quantum: int) -> float:
    """Time that switches of 1000 cycles cost over free ones, as a share."""
    dear, free = (end_cycle(m.shared(pair, costly(quantum, cost))) for cost in (1000, 0))
    return dear / free - 1
