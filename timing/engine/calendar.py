"""The calendar: which units are called in which cycle.

It has a page for each of the next cycles, with a bit for every unit that is called then; calls further ahead are stored
in a list. A unit that is called twice is ticked twice, which does no harm: a tick that finds nothing to do changes
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Rows, i8, room

from .jit import inline, unit

if TYPE_CHECKING:
    from .gpu import Gpu

WORD_UNITS = 63
"""Units per word. Unit numbers skip the sign bit."""
WORDS = 4
MAX_UNITS = 64 * WORDS
PAGES = 64


class Page(Record):
    """Set of units, a bit each."""

    word: Rows[i8] = room(WORDS)


class Calendar(Record):
    """Calls of units. `now`: the current cycle; `today`: units still to be ticked in it. A unit that is called again
    after its tick stays there for the next cycle. `later`: calls too far ahead to have a page; `next_later`: the
    earliest of them."""

    now: i8
    next_later: i8
    words: i8
    today: Page
    page: Rows[Page] = room(PAGES)
    everybody: Page
    later: Rows[i8] = room(MAX_UNITS)


def number_of(place: int) -> int:
    """Number of the unit with this place in the order in which units are ticked."""
    return place // WORD_UNITS * 64 + place % WORD_UNITS


@inline
def poke(gpu: Gpu, unit: int) -> None:
    """Call a unit that has something new to look at: in this cycle, or in the next one if it had its turn."""
    gpu.calendar.today.word[unit >> 6] |= 1 << (unit & 63)


@inline
def poke_at(gpu: Gpu, unit: int, t: int) -> None:
    """Call a unit that has something new to look at from cycle t on."""
    ahead = t - gpu.calendar.now
    if ahead <= 0:
        poke(gpu, unit)
    elif ahead < PAGES:
        gpu.calendar.page[t & (PAGES - 1)].word[unit >> 6] |= 1 << (unit & 63)
    else:
        poke_later(gpu, unit, t)


@unit
def poke_later(gpu: Gpu, unit: int, t: int) -> None:
    """Call a unit in a cycle for which there is no page yet."""
    gpu.calendar.later[unit] = min(gpu.calendar.later[unit], t)
    gpu.calendar.next_later = min(gpu.calendar.next_later, t)


@unit
def wake(gpu: Gpu, mask: Page) -> None:
    """Call all units of a mask, as `poke` does."""
    for k in range(gpu.calendar.words):
        gpu.calendar.today.word[k] |= mask.word[k]


@inline
def open_page(gpu: Gpu, t: int) -> None:
    """Begin cycle t: units called for it join those that were called after their tick."""
    calendar = gpu.calendar
    calendar.now = t
    page = calendar.page[t & (PAGES - 1)]
    for k in range(calendar.words):
        calendar.today.word[k] |= page.word[k]
        page.word[k] = 0
    if calendar.next_later <= t:
        open_later(gpu, t)


@unit
def open_later(gpu: Gpu, t: int) -> None:
    """The same for calls that were too far ahead to have a page."""
    calendar = gpu.calendar
    calendar.next_later = NEVER
    for u in range(64 * calendar.words):
        if calendar.later[u] <= t:
            calendar.later[u] = NEVER
            poke(gpu, u)
        else:
            calendar.next_later = min(calendar.next_later, calendar.later[u])


@inline
def called_in(calendar: Calendar, page: Page) -> bool:
    """Whether any unit is called on a page."""
    called = 0
    for k in range(calendar.words):
        called |= page.word[k]
    return bool(called != 0)


@unit
def next_call(gpu: Gpu, t: int) -> int:
    """The first cycle after t in which a unit is called, or NEVER."""
    calendar = gpu.calendar
    if called_in(calendar, calendar.today):
        return t + 1
    for at in range(t + 1, t + PAGES):
        if called_in(calendar, calendar.page[at & (PAGES - 1)]) or at >= calendar.next_later:
            return at
    return int(calendar.next_later)


def enter(mask: Page, unit: int) -> None:
    """Put a unit into a set."""
    mask.word[unit >> 6] |= 1 << (unit & 63)


def next_call_of(gpu: Gpu, unit: int) -> int:
    """The first cycle in which this unit is called, or NEVER."""
    calendar, now = gpu.calendar, int(gpu.calendar.now)
    pages = [calendar.today, *(calendar.page[at & (PAGES - 1)] for at in range(now + 1, now + PAGES))]
    for ahead, page in enumerate(pages):
        if int(page.word[unit >> 6]) >> (unit & 63) & 1:
            return now + ahead
    return int(calendar.later[unit])
