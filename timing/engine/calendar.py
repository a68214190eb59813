"""The calendar: which units are called in which cycle.

It has a page for each of the next cycles, with a bit for every unit that is called then; calls further ahead stand in a
list. A unit that is called twice is ticked twice, which does no harm: a tick that finds nothing to do changes nothing.
"""

from __future__ import annotations

from typing import Any

from .jit import inline, unit
from .records import NEVER, record

WORD_UNITS = 63
"""Units whose bits stand in one word. Numbers of units leave out those that would fall on its sign."""
WORDS = 4
MAX_UNITS = 64 * WORDS
PAGES = 64

PAGE = record(word=("i8", (WORDS,)))
CALENDAR = record(
    now="i8",
    next_later="i8",
    words="i8",
    page=(PAGE, (PAGES,)),
    everybody=PAGE,
    later=("i8", (MAX_UNITS,)),
)
"""`now`: the cycle at work; `later`: calls of units that no page is there for yet; `next_later`: the first of them."""


def number_of(place: int) -> int:
    """Number of the unit with this place in the order in which units are ticked."""
    return place // WORD_UNITS * 64 + place % WORD_UNITS


@inline
def poke(gpu: Any, unit: int, t: int) -> None:
    """Call a unit that has something new to look at from cycle t on (the next one, if it already ran this cycle)."""
    at = max(t, gpu.calendar.now)
    if at < gpu.calendar.now + PAGES:
        gpu.calendar.page[at & (PAGES - 1)].word[unit >> 6] |= 1 << (unit & 63)
    else:
        poke_later(gpu, unit, at)


@unit
def poke_later(gpu: Any, unit: int, t: int) -> None:
    """Call a unit in a cycle for which there is no page yet."""
    gpu.calendar.later[unit] = min(gpu.calendar.later[unit], t)
    gpu.calendar.next_later = min(gpu.calendar.next_later, t)


@unit
def open_page(gpu: Any, t: int) -> None:
    """Begin cycle t: calls that stood in the list for it go into its page."""
    calendar = gpu.calendar
    calendar.now = t
    if calendar.next_later > t:
        return
    calendar.next_later = NEVER
    for u in range(64 * calendar.words):
        if calendar.later[u] <= t:
            calendar.later[u] = NEVER
            poke(gpu, u, t)
        else:
            calendar.next_later = min(calendar.next_later, calendar.later[u])


@inline
def close_page(gpu: Any, t: int) -> None:
    """End cycle t: units that were called after they had run come first thing in the next one."""
    old = gpu.calendar.page[t & (PAGES - 1)]
    following = gpu.calendar.page[(t + 1) & (PAGES - 1)]
    for k in range(gpu.calendar.words):
        following.word[k] |= old.word[k]
        old.word[k] = 0


@unit
def next_call(gpu: Any, t: int) -> int:
    """The first cycle after t in which a unit is called, or NEVER."""
    calendar = gpu.calendar
    for at in range(t + 1, t + PAGES):
        page = calendar.page[at & (PAGES - 1)]
        called = 0
        for k in range(calendar.words):
            called |= page.word[k]
        if called != 0 or at >= calendar.next_later:
            return at
    return int(calendar.next_later)


def next_call_of(gpu: Any, unit: int) -> int:
    """The first cycle in which this unit is called, or NEVER."""
    calendar = gpu.calendar
    for at in range(int(calendar.now), int(calendar.now) + PAGES):
        if int(calendar.page[at & (PAGES - 1)].word[unit >> 6]) >> (unit & 63) & 1:
            return at
    return int(calendar.later[unit])
