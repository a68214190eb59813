"""Expectations of sharing, with the rules that judge them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...declare import Conclusion
from ...measured import Measured
from ...text import every_value
from .measures import (
    ALONE,
    BANDWIDTHS,
    COMPOSED,
    COMPUTE_BANDWIDTH,
    FRAME,
    GAME_BOARD,
    LIGHT_HEAVY,
    NAMES,
    QUANTA,
    SHARINGS,
    TILE,
    compositor_share,
    each,
    end_cycle,
    lost,
    mean,
    named,
    over_alone,
    row_hits_over_alone,
    slowdown,
    total,
)


def _other_work(m: Measured) -> float:
    """Quads shaded together more or less than alone, in all pairs and ways."""
    found = (m.shared(pair, sharing) for pair in NAMES for sharing in SHARINGS)
    return sum(abs(total(each, "together", "quads") - total(each, "alone", "quads")) for each in found)


def _fairer(m: Measured) -> float:
    return mean(m, TILE, named("fairness")) / mean(m, FRAME, named("fairness"))


def _saved(m: Measured, pair: str, sharing: str = "tile 1") -> float:
    return named("time_saved")(m.shared(pair, sharing))


def _values(m: Measured, value: Callable[[dict[str, Any]], float], *sharings: str) -> str:
    return "; ".join(f"{sharing}: {every_value(each(m, sharing, value))}" for sharing in sharings)


def _told(name: str, *sharings: str) -> Callable[[Measured], str]:
    return lambda m: _values(m, named(name), *sharings)


def _told_bandwidth(m: Measured) -> str:
    alone = {name: m.value(name, ALONE, "memory.dram.bytes_per_cycle") for name in m.workloads}
    quanta = {f"{quantum} tiles": _saved(m, COMPUTE_BANDWIDTH, f"tile {quantum}") for quantum in QUANTA}
    misses = {
        f"{each['name'].partition('-')[2]} {where}": each[where]["l2_misses"]
        for each in m.shared(COMPUTE_BANDWIDTH, TILE)["applications"]
        for where in ("alone", "together")
    }
    return (
        f"L2 misses: {every_value(misses)}; bytes per cycle alone: {every_value(alone)}; time saved by the pair bound "
        f"by computing and by memory: {every_value(quanta)}; by frame {_saved(m, COMPUTE_BANDWIDTH, FRAME):.3f}"
    )


TURNS_OF_TILES = (
    "turns have as many tiles, not as much time: with as many tiles in both frames, the last tile of the light one is "
    "written when the heavy one is almost done"
)
LOST_IN_THE_L2 = (
    "what one gains where the other waits, it loses in the L2: the application bound by computing finds nearly all of "
    "its lines there when it is alone, and the stream of the other replaces them. Tried on this pair, by tile: with an "
    "L2 of 64 KiB, too small for either alone, nothing is lost (0.995), and nothing gained, as both then wait for "
    "memory; more Raster Units do not help (0.835 with two, 0.916 with tiles assigned dynamically)"
)
WRITTEN_APART = (
    "where they gain most, light and heavy, they miss more in the L2, as the rule expects, but move fewer bytes: lines "
    "that they leave dirty are written back while the compositor works, whose time is counted apart"
)
AHEAD = "the Tile Fetcher is ahead of the Rasterizer, so that most switches pass while that has work"


def _explained(reason: str, told: Callable[[Measured], str]) -> Callable[[Measured], str]:
    """An explanation, with what was measured."""
    return lambda m: f"{reason}; {told(m)}"


def _turns_of_tiles(m: Measured) -> str:
    """Why tiles in turns are less fair: the same for all that is said of it."""
    ways = FRAME, *(f"tile {quantum}" for quantum in QUANTA)
    each_way = {way: [slowdown(k)(m.shared(LIGHT_HEAVY, way)) for k in (0, 1)] for way in (FRAME, TILE)}
    slowdowns = "; ".join(f"{way}: light {light:.2f}, heavy {heavy:.2f}" for way, (light, heavy) in each_way.items())
    return f"{TURNS_OF_TILES}; fairness, {_values(m, named('fairness'), *ways)}; slowdowns, {slowdowns}"


def _disturbed(m: Measured) -> str:
    ways = FRAME + COMPOSED, FRAME
    time = {pair: end_cycle(m.shared(pair, ways[0])) / end_cycle(m.shared(pair, ways[1])) for pair in NAMES}
    misses, moved = (_values(m, over_alone(name), *ways) for name in ("l2_misses", "dram_bytes"))
    found = f"time with it over that without: {every_value(time)}; L2 misses over alone: {misses}"
    return f"{WRITTEN_APART}; {found}; bytes of main memory over alone: {moved}"


CONCLUSIONS = (
    Conclusion(
        "same-work", "Sharing decides who waits, and not what is drawn: both shade the quads that they shade alone.",
        None, "quads more or less", "<= 0", _other_work,
    ),
    Conclusion(
        "frame-saves-nothing", "By frame the GPU has one application at a time, so it does not finish sooner than one "
        "after the other.", None, "of the time together", "<= 1", lambda m: mean(m, FRAME, named("time_saved")),
        _told("time_saved", FRAME, "frame 2"), standing="seen",
    ),
    Conclusion(
        "frame-loses-little", "By frame, caches that the other leaves cold cost less than a tenth.",
        None, "of the time together", "0.9 to 1", lambda m: mean(m, FRAME, named("time_saved")),
        _told("time_saved", FRAME, "frame 2"), standing="seen",
    ),
    Conclusion(
        "tile-fairer", "Tiles in turns are fairer than frames in turns, as light frames do not wait for heavy ones.",
        None, "over that by frame", "> 1", _fairer,
        _turns_of_tiles, standing="seen",
    ),
    Conclusion(
        "light-gains", "The light one of a pair is slowed down less by tile than by frame.",
        None, "over that by frame", "< 1",
        lambda m: slowdown(0)(m.shared(LIGHT_HEAVY, TILE)) / slowdown(0)(m.shared(LIGHT_HEAVY, FRAME)),
        _turns_of_tiles,
    ),
    Conclusion(
        "heavy-pays", "The heavy one pays for it.",
        None, "over that by frame", "> 1",
        lambda m: slowdown(1)(m.shared(LIGHT_HEAVY, TILE)) / slowdown(1)(m.shared(LIGHT_HEAVY, FRAME)),
    ),
    Conclusion(
        "finer-fairer", "The finer the turns, the fairer: with one tile a turn more than with all tiles of a frame.",
        None, "over that with whole frames", "> 1",
        lambda m: mean(m, "tile 1", named("fairness")) / mean(m, f"tile {QUANTA[-1]}", named("fairness")),
        _turns_of_tiles,
    ),
    Conclusion(
        "compute-and-bandwidth", "An application bound by computing and one bound by memory finish sooner together, "
        "tile by tile: each works where the other waits.", None, "of the time together", "> 1",
        lambda m: _saved(m, COMPUTE_BANDWIDTH), _explained(LOST_IN_THE_L2, _told_bandwidth),
    ),
    Conclusion(
        "two-bandwidths", "Two that are bound by memory do not.", None, "of the time together", "<= 1",
        lambda m: _saved(m, BANDWIDTHS), _told_bandwidth,
    ),
    Conclusion(
        "l2", "By tile, the working sets of both compete for the L2: it misses more often than by frame.",
        None, "over those by frame", "> 1",
        lambda m: mean(m, "tile 1", over_alone("l2_misses")) / mean(m, FRAME, over_alone("l2_misses")),
        lambda m: _values(m, over_alone("l2_misses"), FRAME, "tile 1", TILE),
    ),
    Conclusion(
        "rows", "By tile, fewer accesses to main memory find their row open than alone.",
        None, "of the rate alone", "< 1", lambda m: mean(m, "tile 1", row_hits_over_alone),
        lambda m: _values(m, row_hits_over_alone, FRAME, "tile 1", TILE),
    ),
    Conclusion(
        "switches-cost", "Switches of 1000 cycles at every tile cost more than a tenth of the time.",
        None, "of the time with free ones", "> 0.1", lambda m: sum(lost(m, pair, 1) for pair in NAMES) / len(NAMES),
        _explained(AHEAD, lambda m: every_value({pair: lost(m, pair, 1) for pair in NAMES})),
    ),
    Conclusion(
        "longer-turns-hide-them", "With 16 tiles a turn they cost less than a twentieth.",
        None, "of the time with free ones", "< 0.05", lambda m: sum(lost(m, pair, 16) for pair in NAMES) / len(NAMES),
        lambda m: every_value({pair: lost(m, pair, 16) for pair in NAMES}),
    ),
    Conclusion(
        "draining-costs", "Emptying the Raster Unit before each switch takes longer than switching while tiles are "
        "under way, with one tile a turn.", None, "over the time under way", "> 1",
        lambda m: mean(m, "tile 1, drained", end_cycle) / mean(m, "tile 1", end_cycle),
        _told("time_saved", "tile 1", "tile 1, drained"),
    ),
    Conclusion(
        "compositor-is-small", "A compositor's frame takes less than a quarter of the time of those that it shows.",
        None, "of the applications' time", "< 0.25", lambda m: mean(m, FRAME + COMPOSED, compositor_share),
        lambda m: every_value(each(m, FRAME + COMPOSED, compositor_share)),
    ),
    Conclusion(
        "compositor-disturbs", "The applications take longer with it, as it goes through the L2.",
        None, "over the time without", ">= 1",
        lambda m: mean(m, FRAME + COMPOSED, end_cycle) / mean(m, FRAME, end_cycle), _disturbed,
    ),
    Conclusion(
        "small-window", "A 2D window beside a game waits for it most of its time, by frame: it takes more than five "
        "times as long as alone.", None, "of its time alone", "> 5", lambda m: slowdown(1)(m.shared(GAME_BOARD, FRAME)),
    ),
)  # fmt: skip
