"""Set of a channel's command queues that have entries. Queues are visited in turn, and most are empty."""

from __future__ import annotations

from ...engine.jit import inline, lowest_bit
from .state import MAX_BANKS, QUEUE_WORD_BITS, Channel

WORDS = MAX_BANKS >> QUEUE_WORD_BITS
LAST_BIT = (1 << QUEUE_WORD_BITS) - 1


@inline
def next_filled(channel: Channel, q: int) -> int:
    """The queue with entries that comes next in turn after queue q; the caller knows that there is one."""
    k = (q + 1) >> QUEUE_WORD_BITS
    ahead = (q + 1) & LAST_BIT
    mask = channel.filled[k] >> ahead << ahead if k < WORDS else 0
    while mask == 0:
        k = k + 1 if k + 1 < WORDS else 0
        mask = channel.filled[k]
    return int(k << QUEUE_WORD_BITS | lowest_bit(mask))


@inline
def note_filled(channel: Channel, q: int) -> None:
    """Note that queue q has gained or lost an entry."""
    k = q >> QUEUE_WORD_BITS
    bit = 1 << (q & LAST_BIT)
    if channel.queue[q].count == 0:
        channel.filled[k] &= ~bit
        channel.filled_queues -= 1
    elif channel.filled[k] & bit == 0:
        channel.filled[k] |= bit
        channel.filled_queues += 1
