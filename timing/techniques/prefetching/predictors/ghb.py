"""Distance prefetching with a Global History Buffer (Nesbit and Smith, HPCA 2004).

The buffer holds the last lines in their order. Each is linked to the last one before it that came at the same distance
from its forerunner; a table leads from a distance to the newest of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.jit import inline, unit
from ..parameters import Parameters
from ..predicting import Predictor
from ..state import DEPTH, Prefetcher
from ..tables import NOT_FOUND, find, predict, take, touch

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

NO_LINK = -1


@unit
def train(own: Prefetcher, instruction: int, warp: int, line: int) -> None:
    """A line was asked for, whoever did. The same line again says nothing."""
    own.history_reads += 1
    if own.pushed > 0 and line_of(own, own.pushed - 1) == line:
        return
    before = NO_LINK
    if own.pushed > 0:
        before = enter(own, line - line_of(own, own.pushed - 1))
    own.history[own.pushed % own.history_entries] = line
    own.link[own.pushed % own.history_entries] = before
    own.pushed += 1
    own.history_writes += 1
    if own.walk == DEPTH:
        go_on_from(own, line, before)
    else:
        go_back_from(own, line, before)


@inline
def line_of(own: Prefetcher, number: int) -> int:
    """Line of a number in the order in which they came."""
    return int(own.history[number % own.history_entries])


@inline
def held(own: Prefetcher, number: int) -> bool:
    """Whether a line of this number is still in the buffer; its link, too."""
    return bool(number >= 0 and number >= own.pushed - own.history_entries)


@unit
def enter(own: Prefetcher, distance: int) -> int:
    """Put a distance into the index table; number of the line that it came to last, or NO_LINK."""
    own.table_reads += 1
    own.table_writes += 1
    before = NO_LINK
    place = find(own.index, own.index_entries, distance, 0)
    if place == NOT_FOUND:
        place = take(own.index, own.index_entries, distance, 0)
    else:
        before = own.index[place].line
    own.index[place].line = own.pushed
    touch(own, own.index[place])
    return before


@unit
def go_on_from(own: Prefetcher, line: int, before: int) -> None:
    """Predict that what followed the same distance before follows it again."""
    at = before
    ahead = line
    while held(own, at) and at + 1 < own.pushed and own.predictions < own.degree:
        own.history_reads += 1
        ahead += line_of(own, at + 1) - line_of(own, at)
        if ahead < 0:
            return
        predict(own, ahead)
        at += 1


@unit
def go_back_from(own: Prefetcher, line: int, before: int) -> None:
    """Predict each of the distances that followed the same one before."""
    at = before
    steps = 0
    while held(own, at) and steps < own.degree:
        own.history_reads += 1
        predict(own, line + line_of(own, at + 1) - line_of(own, at))
        at = own.link[at % own.history_entries]
        steps += 1


def set_up(own: Prefetcher, configuration: Hardware) -> None:
    """Sizes from the configuration."""
    own.degree = configuration.of(Parameters).distance_degree


PREDICTOR = Predictor("ghb", "by distances between lines in a Global History Buffer", train, set_up)
