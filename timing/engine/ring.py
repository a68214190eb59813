"""Bounded FIFOs: what hardware units talk through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import Item, Ring, Token, i4

from .calendar import Page, poke, wake
from .jit import inline

if TYPE_CHECKING:
    from .gpu import Gpu


class Queue(Ring[Item]):
    """Bounded FIFO between units; it knows its producers and consumers from the machine's wiring.

    `consumer` is the (first) unit that empties it.
    """

    consumer: i4
    producers: Page
    consumers: Page


@inline
def full(ring: Ring[Any]) -> bool:
    return bool(ring.count == ring.depth)


@inline
def front(ring: Ring[Item]) -> Item:
    return ring.slot[ring.head]


@inline
def wrap(ring: Ring[Any], i: int) -> int:
    return i if i < ring.depth else i - ring.depth


@inline
def last_place(ring: Ring[Any]) -> int:
    """Place of the last entry."""
    return wrap(ring, ring.head + ring.count - 1)


@inline
def push(ring: Ring[int], x: int) -> None:
    ring.slot[wrap(ring, ring.head + ring.count)] = x
    ring.count += 1


@inline
def grow(ring: Ring[Item]) -> Item:
    """New last entry of a ring of records, for the caller to fill in."""
    ring.count += 1
    return ring.slot[wrap(ring, ring.head + ring.count - 1)]


@inline
def push_token(ring: Ring[Token], kind: int, tile: int, index: int) -> None:
    token = grow(ring)
    token.kind = kind
    token.tile = tile
    token.index = index


@inline
def drop(ring: Ring[Any]) -> None:
    ring.head = wrap(ring, ring.head + 1)
    ring.count -= 1


@inline
def drop_to_front(ring: Ring[Any]) -> None:
    """The same for a ring whose slots are not referred to: once empty it starts over, so that few slots are in use."""
    drop(ring)
    if ring.count == 0:
        ring.head = 0


@inline
def release(gpu: Gpu, queue: Queue[Any]) -> None:
    """Drop the first entry of a queue; if it was full, wake up its producers."""
    if queue.count == queue.depth:
        wake(gpu, queue.producers)
    drop(queue)


@inline
def release_to(gpu: Gpu, ring: Ring[Any], filler: int) -> None:
    """The same for a ring that one unit fills and whose slots are not referred to."""
    if ring.count == ring.depth:
        poke(gpu, filler)
    drop_to_front(ring)


@inline
def hand(gpu: Gpu, queue: Queue[int], x: int) -> None:
    """Put an entry into a queue and wake up the unit that empties it."""
    push(queue, x)
    poke(gpu, queue.consumer)
