"""Frames that are rendered in pairs, tile by tile in turn, through one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import lut
from .fragments import Fragments, fragments_of
from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]
KNOWN = lut.Table | lut.Unbounded


class Pair(NamedTuple):
    """Two frames that are rendered together: counts of each, and what is in the table after them."""

    number: int
    counts: dict[int, tuple[int, ...]]
    table: KNOWN
    clock: int


def render_pair(source: Any, configuration: Hardware, frames: list[int], number: int, before: Pair | None) -> Pair:
    """Send the fragments of two frames through the table, in turn tile by tile.

    Parameters
    ----------
    source
        A `loading.loaded.Loaded`.
    configuration
        Hardware.
    frames, number
        The frames of the pair (the last one may be alone), and the pair's number in the recording.
    before
        The last pair that was rendered; its table is kept where it is the one before.
    """
    parameters = configuration.of(Parameters)
    table: KNOWN = lut.empty(parameters.entries, parameters.ways) if parameters.entries else lut.nothing()
    clock = 0
    if before is not None and before.number == number - 1:
        table, clock = before.table, before.clock
    fragments = []
    for frame in frames:
        constants = source.carried.before(source.activity, frame)
        fragments.append(fragments_of(source.activity, frame, constants, configuration))
    kept = [Fragments(*(column[f.kept] for column in f)) for f in fragments]
    if isinstance(table, lut.Unbounded):
        table, outcomes = _unbounded(table, kept)
    else:
        outcomes = _bounded(table, kept, clock)
        clock += sum(len(f.hashes) for f in kept)
    counts = {
        frame: (len(f.hashes), int(np.count_nonzero(~f.kept)), *outcome)
        for frame, f, outcome in zip(frames, fragments, outcomes, strict=True)
    }
    return Pair(number, counts, table, clock)


def _bounded(table: lut.Table, kept: list[Fragments], clock: int) -> list[tuple[int, ...]]:
    """Fragments of each frame that were found, and collisions among them."""
    outcomes = [[0, 0] for _ in kept]
    tiles = 1 + max((int(f.tile[-1]) for f in kept if len(f.tile)), default=-1)
    bounds = [np.searchsorted(f.tile, np.arange(tiles + 1)) for f in kept]
    for tile in range(tiles):
        for own, f, bound in zip(outcomes, kept, bounds, strict=True):
            begin, end = int(bound[tile]), int(bound[tile + 1])
            reused, collisions = lut.look_up(*table, clock, f.hashes, f.identities, begin, end)
            own[0] += reused
            own[1] += collisions
            clock += end - begin
    return [tuple(own) for own in outcomes]


def _unbounded(table: lut.Unbounded, kept: list[Fragments]) -> tuple[lut.Unbounded, list[tuple[int, ...]]]:
    """The same of a table that never forgets, and what it knows then."""
    which = np.repeat(np.arange(len(kept)), [len(f.hashes) for f in kept])
    hashes, identities, _, tile = (np.concatenate(column) for column in zip(*kept, strict=True))
    order = np.lexsort((which, tile))
    table, reused, collided = lut.look_up_all(table, hashes[order], identities[order])
    outcomes = [(reused & (which[order] == i), collided & (which[order] == i)) for i in range(len(kept))]
    return table, [tuple(int(np.count_nonzero(rows)) for rows in outcome) for outcome in outcomes]
