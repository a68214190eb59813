"""Draws whose fragments may be tested in another order than they were drawn in, and the winner of two equal depths
then.

Draws of a segment may change places: neighbours that may move, with depths that win in the same direction. Everything
else keeps its place, and is a segment of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.records import MAX_TILE_SAMPLES, Record, Rows, i4, room

from ...engine.jit import inline, unit
from .depth_ties import NO_PRIORITY, TOWARDS, may_move, priority_of, wins

if TYPE_CHECKING:
    from ...engine.frame import Depth
    from ...engine.hooks import Compared

Array = np.ndarray[Any, Any]

DRAW = np.dtype([("priority", "i4"), ("segment", "i4"), ("towards", "i4")], align=True)
"""`priority`: of `depth_ties`; `segment`: draws of one may change places; `towards`: -1 where nearer fragments have
lesser depths, 1 where they have greater ones, 0 for draws that keep their place."""


class Occluder(Record):
    """Priority of the draw that each depth of a tile's buffer is of."""

    priority: Rows[i4] = room(MAX_TILE_SAMPLES)


def segments(rows: Any, states: Array) -> Array:
    """Draws of a frame, rows of DRAW.

    Parameters
    ----------
    rows
        The draws table, a mapping per row.
    states
        Rows of `engine.frame.DrawState` with the draws' order constraints.
    """
    draws = np.zeros(len(rows), DRAW)
    segment, before = 0, (-1, 0)
    for place, row in enumerate(rows):
        constraint = int(states[place]["constraint"])
        moves = may_move(row, constraint)
        kind = (row["pass"], TOWARDS[row["depth_function"]] if moves else 0)
        segment += not moves or kind != before
        before = kind
        draws[place] = priority_of(place, constraint) if moves else NO_PRIORITY, segment, kind[1]
    return draws


def entry_segments(frame: Any, draws: Array) -> Array:
    """Segment of each entry of the tiles' lists; a clear is one of its own, and what follows it another."""
    primitive = frame.tiling.primitive[frame.tiling.entry["primitive"]]
    clears = np.cumsum(frame.tiling.primitive["clear"] >= 0)[frame.tiling.entry["primitive"]]
    drawn = primitive["clear"] < 0
    segment = np.zeros(len(primitive), np.int64)
    if len(draws):
        segment[drawn] = draws["segment"][primitive["state"][drawn]]
    numbers: Array = (2 * clears + drawn) * (int(draws["segment"].max(initial=0)) + 1) + segment
    return numbers


def undivided(frame: Any) -> Array:
    """Whether each tile is without a clear between its draws, int64."""
    tiles, entry = frame.tiling.tile, frame.tiling.entry
    clears = np.append(0, np.cumsum(frame.tiling.primitive["clear"][entry["primitive"]] >= 0))
    whole: Array = (clears[tiles["last_entry"]] == clears[tiles["first_entry"]]).astype(np.int64)
    return whole


@unit
def begin_tile(occluder: Occluder, samples: int) -> None:
    """The depths of a new tile are of no draw yet."""
    for place in range(samples):
        occluder.priority[place] = NO_PRIORITY


@inline
def priority(draws: Any, depth: Depth, quad: int) -> int:
    """Priority of a quad's draw."""
    return int(draws[depth.primitive[depth.quad[quad].primitive].state].priority)


@inline
def tested(own: int, occluder: Occluder, place: int, compared: Compared, passed: bool) -> bool:
    """Outcome of a test for a draw of a priority: between equal depths it decides."""
    if own == NO_PRIORITY or compared.z != compared.held:
        return passed
    return wins(own, occluder.priority[place])
