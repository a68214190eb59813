"""Outstanding misses: miss status holding registers (MSHRs) and the requests that wait for their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.cache_kinds import OCCUPANCIES
from tilegpu.timing.declare.records import Record, i1, i4

from ..engine import hooks
from ..engine.jit import inline, lowest_bit, unit
from ..engine.ring import front, last_place
from . import hooks as memory_hooks
from .lines import find, install
from .request import PREFETCH, READ, WRITE, Port, Request, answer, can_send, replies_due, send, take_reply

if TYPE_CHECKING:
    from .cache import Cache
    from .gpu import Gpu


class Mshr(Record):
    """Miss under way. `ahead`: whether its line is fetched before it was asked for, and whether it has been by now."""

    first: i4
    last: i4
    tile: i4
    source: i1
    ahead: i1


DEMANDED, UNASKED, ASKED = range(3)


class Waiter(Record):
    """Request that waits for a missing line; the next one for it."""

    port: i4
    slot: i4
    tag: i4
    kind: i4
    next: i4


@inline
def under_way(cache: Cache, line: int) -> int:
    """MSHR that waits for the line, or -1."""
    busy = cache.mshrs_busy
    while busy != 0:
        m = lowest_bit(busy)
        if cache.mshr_line[m] == line:
            return int(m)
        busy &= busy - 1
    return -1


@inline
def awaited(cache: Cache, line: int) -> int:
    """MSHR that accesses to the line can join, or -1."""
    m = under_way(cache, line)
    return other_under_way(cache, line, False) if cache.apart != 0 and m >= 0 else m


@inline
def fetched_ahead(cache: Cache, line: int) -> int:
    """MSHR of the prefetch that waits for the line, or -1."""
    m = under_way(cache, line)
    if m < 0 or cache.mshr[m].ahead != DEMANDED:
        return m
    return other_under_way(cache, line, True) if cache.apart != 0 else -1


@unit
def other_under_way(cache: Cache, line: int, ahead: bool) -> int:
    """MSHR of a prefetch, or of accesses, that waits for the line, or -1; there can be one of each."""
    busy = cache.mshrs_busy
    while busy != 0:
        m = lowest_bit(busy)
        if cache.mshr_line[m] == line and (cache.mshr[m].ahead != DEMANDED) == ahead:
            return int(m)
        busy &= busy - 1
    return -1


@inline
def miss(gpu: Gpu, cache: Cache, port: Port, request: Request, line: int, t: int) -> bool:
    """Take a free MSHR and ask below for the line, once the look-up is over."""
    below = gpu.port[cache.below]
    if cache.mshrs_used - min(cache.mshrs_ahead, cache.mshrs_extra) == cache.mshrs - cache.mshrs_extra:
        bar(cache)
        return False
    if not can_send(below):
        return False
    m = free_mshr(cache)
    cache.mshr[m].first = -1
    cache.mshr[m].ahead = DEMANDED
    if not wait(cache, m, port, request):
        return False
    ask_below(gpu, cache, m, line, request.source, request.tile, t)
    cache.accesses += 1
    port.misses += 1
    if request.kind == WRITE:
        cache.write_misses += 1
    elif request.kind == PREFETCH:
        cache.prefetches += 1
    else:
        cache.read_misses += 1
    return True


@inline
def free_mshr(cache: Cache) -> int:
    """The first free MSHR; the caller knows that there is one."""
    return int(lowest_bit(~cache.mshrs_busy))


@inline
def ask_below(gpu: Gpu, cache: Cache, m: int, line: int, source: int, tile: int, t: int) -> None:
    """Let MSHR m wait for a line, and ask below for it."""
    hooks.notes_work(gpu, cache.id, m)
    hold(cache, m, line, source, tile)
    request_line(gpu, cache, m, t)


@inline
def hold(cache: Cache, m: int, line: int, source: int, tile: int) -> None:
    """Let MSHR m wait for a line."""
    mshr = cache.mshr[m]
    cache.mshr_line[m] = line
    cache.mshrs_busy |= 1 << m
    mshr.source = source
    mshr.tile = tile
    cache.mshrs_used += 1
    if cache.blocks != 0 and cache.mshrs_used == cache.mshrs:
        cache.barred = 1
    cache.source_misses[source] += 1


@inline
def request_line(gpu: Gpu, cache: Cache, m: int, t: int) -> None:
    """Ask below for the line that MSHR m waits for."""
    mshr = cache.mshr[m]
    cache.asked_at[min(OCCUPANCIES - 1, (OCCUPANCIES * cache.mshrs_used - 1) // cache.mshrs)] += 1
    line, source, tile = cache.mshr_line[m], mshr.source, mshr.tile
    due, size = t + cache.latency, 1 << cache.line_shift
    address = memory_hooks.line_asked(gpu, cache, m, source, line << cache.line_shift)
    sent = send(gpu, gpu.port[cache.below], due, address, size, READ, source, tile)
    sent.slot = m


@unit
def fetch_ahead(gpu: Gpu, cache: Cache, line: int, source: int, tile: int, t: int) -> int:
    """Prefetch a line that has not been requested and is not on its way; its MSHR. The caller knows that there is one,
    and room below. It is no access."""
    memory_hooks.fetch_begins(gpu, cache, line)
    m = hold_ahead(cache, line, source, tile)
    hooks.notes_work(gpu, cache.id, m)
    request_line(gpu, cache, m, t)
    return m


@inline
def hold_ahead(cache: Cache, line: int, source: int, tile: int) -> int:
    """Reserve a free MSHR for a prefetch that the caller sends itself; the MSHR."""
    m = free_mshr(cache)
    cache.mshr[m].first = -1
    cache.mshr[m].ahead = UNASKED
    cache.mshrs_ahead += 1
    hold(cache, m, line, source, tile)
    return m


@inline
def bar(cache: Cache) -> None:
    """The first request waits for a line to arrive: with a single client, nothing else can be done for it before."""
    cache.barred = cache.ports == 1


@inline
def wait(cache: Cache, m: int, port: Port, request: Request) -> bool:
    """Append the request to the waiters of MSHR m; False where there is no room for another waiter."""
    w = cache.free_waiter
    if w < 0:
        bar(cache)
        return False
    waiter = cache.waiter[w]
    cache.free_waiter = waiter.next
    waiter.port = port.number
    waiter.slot = request.slot
    waiter.tag = request.tag
    waiter.kind = request.kind
    waiter.next = -1
    mshr = cache.mshr[m]
    if mshr.first < 0:
        mshr.first = w
    else:
        cache.waiter[mshr.last].next = w
    mshr.last = w
    return True


@inline
def fill(gpu: Gpu, cache: Cache, below: Port, t: int) -> bool:
    """Install one line that has arrived and answer all clients that wait for it; False where there is no room."""
    replies = replies_due(below, t)
    m = front(replies).slot
    decision = memory_hooks.line_arrived(gpu, cache, m, t)
    if decision == hooks.WAIT:
        return False
    if decision == hooks.SKIP:
        take_reply(gpu, below, replies)
        return True
    if not arrive(gpu, cache, m, t):
        return False
    take_reply(gpu, below, replies)
    return True


@inline
def arrive(gpu: Gpu, cache: Cache, m: int, t: int) -> bool:
    """Install the line that MSHR m waits for, unless it has come by another one; False where there is no room."""
    mshr = cache.mshr[m]
    hooks.resumes_work(gpu, cache.id, m)
    memory_hooks.line_arrives(gpu, cache, m)
    place = find(gpu, cache, cache.mshr_line[m]) if cache.apart != 0 else -1
    if place < 0:
        place = install(gpu, cache, cache.mshr_line[m], mshr.source, mshr.tile, t)
        if place < 0:
            return False
        cache.fills += 1
    cache.barred = 0
    w = mshr.first
    while w >= 0:
        waiter = cache.waiter[w]
        if waiter.kind == READ:
            port = gpu.port[waiter.port]
            answer(gpu, port, port.refill, waiter.slot, waiter.tag, t + 1)
            port.refill.slot[last_place(port.refill)].missed = w == mshr.first and mshr.ahead == DEMANDED
        elif waiter.kind == WRITE and cache.write_through == 0:
            gpu.line.dirty[place] = mshr.source + 1
        following = waiter.next
        waiter.next = cache.free_waiter
        cache.free_waiter = w
        w = following
    cache.mshrs_busy &= ~(1 << m)
    cache.mshrs_ahead -= mshr.ahead != DEMANDED
    cache.mshrs_used -= 1
    return True
