"""Bounded FIFOs: what hardware units talk through."""

from __future__ import annotations

from typing import Any

from .calendar import poke
from .jit import inline


@inline
def full(ring: Any) -> bool:
    return bool(ring.count == ring.depth)


@inline
def front(ring: Any) -> Any:
    return ring.slot[ring.head]


@inline
def wrap(ring: Any, i: int) -> int:
    return i if i < ring.depth else i - ring.depth


@inline
def push(ring: Any, x: int) -> None:
    ring.slot[wrap(ring, ring.head + ring.count)] = x
    ring.count += 1


@inline
def grow(ring: Any) -> Any:
    """New last entry of a ring of records, for the caller to fill in."""
    ring.count += 1
    return ring.slot[wrap(ring, ring.head + ring.count - 1)]


@inline
def push_token(ring: Any, kind: int, tile: int, index: int) -> None:
    token = grow(ring)
    token.kind = kind
    token.tile = tile
    token.index = index


@inline
def drop(ring: Any) -> None:
    ring.head = wrap(ring, ring.head + 1)
    ring.count -= 1


@inline
def release(gpu: Any, ring: Any, filler: int) -> None:
    """Drop the first entry; the unit that fills the ring is woken up if there was no room for its next one."""
    if ring.count == ring.depth:
        poke(gpu, filler)
    drop(ring)
