"""Small fully associative tables, whose least recently used entry gives way. Papers silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Rows

from ...engine.jit import inline, unit

if TYPE_CHECKING:
    from .state import Entry, Prefetcher


NOT_FOUND = -1


@unit
def find(table: Rows[Entry], entries: int, key: int, warp: int) -> int:
    """Place of the entry of a key and warp, or NOT_FOUND."""
    for i in range(entries):
        if table[i].used != 0 and table[i].key == key and table[i].warp == warp:
            return i
    return NOT_FOUND


@unit
def take(table: Rows[Entry], entries: int, key: int, warp: int) -> int:
    """Place of a new entry."""
    place = 0
    for i in range(1, entries):
        if table[i].used < table[place].used:
            place = i
    entry = table[place]
    entry.key = key
    entry.warp = warp
    entry.line = 0
    entry.stride = 0
    entry.state = 0
    return place


@inline
def touch(own: Prefetcher, entry: Entry) -> None:
    """The entry is the one used last."""
    own.clock += 1
    entry.used = own.clock


@inline
def predict(own: Prefetcher, line: int) -> None:
    """Let a line be prefetched."""
    if line >= 0:
        own.prediction[own.predictions] = line
        own.predictions += 1


@inline
def predict_stride(own: Prefetcher, line: int, stride: int, degree: int) -> None:
    """Let the next lines of a stride be prefetched."""
    for i in range(degree):
        predict(own, line + stride * (i + 1))
