"""Expectations of sharing, with the rules that judge them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...declare import Cause, Conclusion
from ...measured import Measured
from ...reasons import by_game, lines
from .measures import (
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
    outcomes = (m.shared(pair, sharing) for pair in NAMES for sharing in SHARINGS)
    return sum(abs(total(each, "together", "quads") - total(each, "alone", "quads")) for each in outcomes)


def _fairer(m: Measured) -> float:
    return mean(m, TILE, named("fairness")) / mean(m, FRAME, named("fairness"))


def _saved(m: Measured, pair: str, sharing: str = "tile 1") -> float:
    return named("time_saved")(m.shared(pair, sharing))


def _told(name: str, *sharings: str) -> Callable[[Measured], str]:
    return _over(named(name), *sharings)


def _over(value: Callable[[dict[str, Any]], float], *sharings: str) -> Callable[[Measured], str]:
    """A value of the pairs in each way to share."""
    return lambda m: lines(*(by_game(sharing, each(m, sharing, value), ".3g") for sharing in sharings))


def _lost(quantum: int) -> Callable[[Measured], str]:
    """Time that switches take of each pair."""
    return lambda m: by_game("of the time", {pair: lost(m, pair, quantum) for pair in NAMES}, ".3g")


def _misses(m: Measured) -> str:
    """Misses in the L2 of the pair bound by computing and by memory."""
    applications = m.shared(COMPUTE_BANDWIDTH, TILE)["applications"]
    misses = ((one["name"], *(one[where]["l2_misses"] for where in ("alone", "together"))) for one in applications)
    return lines(
        *(f"{name} misses {alone:,.0f} times in the L2 alone, {both:,.0f} together" for name, alone, both in misses)
    )


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
        _told("fairness", FRAME, TILE), standing="seen",
    ),
    Conclusion(
        "light-gains", "The light one of a pair is slowed down less by tile than by frame.",
        None, "over that by frame", "< 1",
        lambda m: slowdown(0)(m.shared(LIGHT_HEAVY, TILE)) / slowdown(0)(m.shared(LIGHT_HEAVY, FRAME)),
        _told("fairness", FRAME, TILE),
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
        _told("fairness", FRAME, TILE),
    ),
    Conclusion(
        "compute-and-bandwidth", "An application bound by computing and one bound by memory finish sooner together, "
        "tile by tile: each works where the other waits.", None, "of the time together", "> 1",
        lambda m: _saved(m, COMPUTE_BANDWIDTH), _misses,
    ),
    Conclusion(
        "two-bandwidths", "Two that are bound by memory do not.", None, "of the time together", "<= 1",
        lambda m: _saved(m, BANDWIDTHS), _told("time_saved", TILE),
    ),
    Conclusion(
        "l2", "By tile, the working sets of both compete for the L2: it misses more often than by frame.",
        None, "over those by frame", "> 1",
        lambda m: mean(m, "tile 1", over_alone("l2_misses")) / mean(m, FRAME, over_alone("l2_misses")),
        _over(over_alone("l2_misses"), FRAME, "tile 1", TILE),
    ),
    Conclusion(
        "rows", "By tile, fewer accesses to main memory find their row open than alone.",
        None, "of the rate alone", "< 1", lambda m: mean(m, "tile 1", row_hits_over_alone),
        _over(row_hits_over_alone, FRAME, "tile 1", TILE),
    ),
    Conclusion(
        "switches-cost", "Switches of 1000 cycles at every tile cost more than a tenth of the time.",
        None, "of the time with free ones", "> 0.1", lambda m: sum(lost(m, pair, 1) for pair in NAMES) / len(NAMES),
        _lost(1),
    ),
    Conclusion(
        "longer-turns-hide-them", "With 16 tiles a turn they cost less than a twentieth.",
        None, "of the time with free ones", "< 0.05", lambda m: sum(lost(m, pair, 16) for pair in NAMES) / len(NAMES),
        _lost(16),
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
        _over(compositor_share, FRAME + COMPOSED),
    ),
    Conclusion(
        "compositor-disturbs", "The applications take longer with it, as it goes through the L2.",
        None, "over the time without", ">= 1",
        lambda m: mean(m, FRAME + COMPOSED, end_cycle) / mean(m, FRAME, end_cycle),
        _over(over_alone("dram_bytes"), FRAME + COMPOSED, FRAME),
    ),
    Conclusion(
        "small-window", "A 2D window beside a game waits for it most of its time, by frame: it takes more than five "
        "times as long as alone.", None, "of its time alone", "> 5", lambda m: slowdown(1)(m.shared(GAME_BOARD, FRAME)),
    ),
)  # fmt: skip

CAUSES = (
    Cause(
        ("heavy-pays",),
        "the light one has no more frames than the heavy one and is done early, when the other has the GPU for itself",
    ),
    Cause(
        ("finer-fairer",),
        "with turns of whole frames the first of a pair waits for nothing; in two of the four that is the light one",
        "In rounds of a frame each, the light one's last tile is late: fairness is 0.29, not 0.52 (16 tiles).",
    ),
    Cause(
        ("l2",),
        "frames of the light one follow each other, and each finds lines of the one before in the L2",
    ),
    Cause(
        ("compute-and-bandwidth",),
        "what one gains where the other waits, it loses in the L2, whose lines the stream of the other replaces",
        "The application bound by computing misses 16 times alone and 39,700 times together. With an L2 of 64 KiB, too "
        "small for either alone, nothing is lost (0.995) and nothing gained; more Raster Units do not help (0.835 with "
        "two, 0.916 with tiles assigned dynamically).",
    ),
    Cause(
        ("switches-cost",),
        "the Tile Fetcher is ahead of the Rasterizer, and that of the processors: most switches pass while these work",
    ),
    Cause(
        ("compositor-disturbs",),
        "lines that they leave dirty are written back while the compositor works, whose time is counted apart",
        "Where they gain most, light and heavy, they miss more in the L2 (1.78 times alone, 1.55 without it), as the "
        "rule expects, but move fewer bytes (1.23 and 1.32 times).",
    ),
)  # fmt: skip
