"""A technique for tests: primitives in a random order where they may change places, tiles shuffled, skipped, repeated.

The test writes its wishes into the technique's registers. It lies outside the package, as a user's own would.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.declare.records import Record, Rows, i4, i8, room

from ..engine.jit import inline, unit
from ..engine.technique import Technique

MAX_LIST = 4096
TIES = 16


class State(Record):
    """Wishes of the test, and the list at hand."""

    seed: i8
    shuffle: i8
    skip: i8
    repeat: i8
    again: i8
    moved: i8
    first: i8
    length: i8
    order: Rows[i4] = room(MAX_LIST)


def setup(chip: Any, state: Any) -> None:
    """Nothing to shuffle yet."""
    state.seed, state.length = 1, 0


TECHNIQUE = Technique("reordering", "primitives and tiles in another order", record=State, setup=setup)


@inline
def next_tile(gpu: Any, own: Any, tiling: Any, position: int) -> int:
    """Skip positions with odd numbers, or take each twice, if so wished."""
    state = gpu.technique.reordering
    if state.skip != 0 and position % 2 == 1:
        return -1
    if state.repeat != 0:
        state.again = 1 - state.again
        if state.again == 1:
            gpu.tile_fetcher.position = position
    return position


@unit
def next_primitive(gpu: Any, own: Any, tiling: Any, entry: int, t: int) -> int:
    """Primitive of the tile's list to take now: another of the run of primitives that may change places."""
    state = gpu.technique.reordering
    if state.shuffle == 0:
        return entry
    if state.length == 0 or entry < state.first or entry >= state.first + state.length:
        begin_run(state, tiling, entry)
    place = state.order[entry - state.first]
    if place != entry:
        state.moved += 1
    return int(place)


@unit
def begin_run(state: Any, tiling: Any, entry: int) -> None:
    """Find how far the run goes (same comparison, no constraint but ties), and shuffle it (Fisher, Yates)."""
    state.first = entry
    state.length = 1
    last = len(tiling.entry)
    for t in range(len(tiling.tile)):
        if tiling.tile[t].first_entry <= entry < tiling.tile[t].last_entry:
            last = tiling.tile[t].last_entry
    end = entry + 1
    while end < last and end - entry < MAX_LIST and together(tiling, entry, end):
        end += 1
    state.length = end - entry
    for i in range(state.length):
        state.order[i] = entry + i
    for i in range(state.length - 1, 0, -1):
        state.seed = (state.seed * 1103515245 + 12345) & 0x7FFFFFFF
        j = (state.seed >> 8) % (i + 1)
        kept = state.order[i]
        state.order[i] = state.order[j]
        state.order[j] = kept


@inline
def together(tiling: Any, a: int, b: int) -> bool:
    one = tiling.primitive[tiling.entry[a].primitive]
    other = tiling.primitive[tiling.entry[b].primitive]
    if one.clear >= 0 or other.clear >= 0:
        return False
    s = tiling.state[one.state]
    t = tiling.state[other.state]
    if s.depth_test == 0 or t.depth_test == 0 or s.depth_function != t.depth_function:
        return False
    return bool((s.constraint & ~TIES) == 0 and (t.constraint & ~TIES) == 0)
