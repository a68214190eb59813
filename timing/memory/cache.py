"""Cache: set-associative, LRU, banked, write-back, lock-up free with merging miss status holding registers (MSHRs).

One model serves every cache of the GPU. A request is looked up `latency` cycles after its bank takes it, at
most one per bank
and cycle, clients in turn. A miss waits in an MSHR while its line comes from below; later requests for the
line join it.
"""

from __future__ import annotations

from typing import Any

from ..engine.jit import inline, unit
from ..engine.records import MAX_CACHE_LINES, MAX_MSHRS, MAX_WAITERS, NEVER, record
from ..engine.ring import front, release
from ..techniques import hooks
from .request import PREFETCH, READ, WRITE, answer, can_send, has_reply, next_reply, replies_due, send, take_reply

LINES = record(tag=("i8", (MAX_CACHE_LINES,)), used=("i8", (MAX_CACHE_LINES,)), dirty=("i1", (MAX_CACHE_LINES,)))
CACHE_TYPES = ("vertex_cache", "tile_cache", "texture_cache", "instruction_cache", "l2_cache")

MSHR = record(line="i8", first="i4", last="i4", source="i4", tile="i4")
WAITER = record(port="i4", slot="i4", tag="i4", kind="i4", next="i4")
CACHE = record(
    id="i8",
    type="i8",
    first_port="i8",
    ports="i8",
    below="i8",
    turn="i8",
    first_line="i8",
    set_mask="i8",
    ways="i8",
    line_shift="i8",
    bank_mask="i8",
    latency="i8",
    fetch_on_write="i8",
    clock="i8",
    mshrs="i8",
    mshrs_used="i8",
    free_waiter="i8",
    mshr=(MSHR, (MAX_MSHRS,)),
    waiter=(WAITER, (MAX_WAITERS,)),
    accesses="i8",
    read_hits="i8",
    read_misses="i8",
    write_hits="i8",
    write_misses="i8",
    merges="i8",
    fills="i8",
    write_backs="i8",
    prefetches="i8",
    bank_conflicts="i8",
)


@unit
def tick(gpu: Any, k: int, t: int) -> int:
    cache = gpu.cache[k]
    below = gpu.port[cache.below]
    filled = has_reply(below, t) and fill(gpu, cache, below, t)
    wake = serve(gpu, cache, t)
    if filled:
        return t + 1
    # An answer that is due but could not be installed waits for room below, whose server wakes us up.
    arrival = next_reply(below)
    return min(wake, arrival) if arrival > t else wake


@inline
def find(gpu: Any, cache: Any, line: int) -> int:
    """Place of the line in the pool of lines, or -1."""
    base = cache.first_line + (line & cache.set_mask) * cache.ways
    place = -1
    for w in range(base, base + cache.ways):
        if gpu.line.tag[w] == line:
            place = w
    return place


@inline
def touch(gpu: Any, cache: Any, place: int) -> None:
    cache.clock += 1
    gpu.line.used[place] = cache.clock


@unit
def install(gpu: Any, cache: Any, line: int, source: int, tile: int, t: int) -> int:
    """Give the line the place of the least recently used one of its set; -1 where that is dirty and nothing
    below takes it."""
    base = cache.first_line + (line & cache.set_mask) * cache.ways
    victim = base
    for w in range(base + 1, base + cache.ways):
        if gpu.line.used[w] < gpu.line.used[victim]:
            victim = w
    victim = hooks.cache_victim(gpu, cache, base, victim)
    if gpu.line.dirty[victim] != 0:
        below = gpu.port[cache.below]
        if not can_send(below):
            return -1
        send(
            gpu,
            below,
            t,
            gpu.line.tag[victim] << cache.line_shift,
            1 << cache.line_shift,
            WRITE,
            gpu.line.dirty[victim] - 1,
            tile,
            0,
            -1,
        )
        cache.write_backs += 1
        gpu.line.dirty[victim] = 0
    gpu.line.tag[victim] = line
    touch(gpu, cache, victim)
    return victim


@inline
def fill(gpu: Any, cache: Any, below: Any, t: int) -> bool:
    """Install one line that has arrived and answer everybody who waits for it."""
    replies = replies_due(below, t)
    m = front(replies).slot
    mshr = cache.mshr[m]
    place = install(gpu, cache, mshr.line, mshr.source, mshr.tile, t)
    if place < 0:
        return False
    take_reply(below, replies)
    cache.fills += 1
    w = mshr.first
    while w >= 0:
        waiter = cache.waiter[w]
        if waiter.kind == READ:
            port = gpu.port[waiter.port]
            answer(gpu, port, port.refill, waiter.slot, waiter.tag, t + 1)
        elif waiter.kind == WRITE:
            gpu.line.dirty[place] = mshr.source + 1
        following = waiter.next
        waiter.next = cache.free_waiter
        cache.free_waiter = w
        w = following
    mshr.line = -1
    cache.mshrs_used -= 1
    return True


@inline
def serve(gpu: Any, cache: Any, t: int) -> int:
    """Every bank takes at most one request; ports are asked in turn."""
    wake = NEVER
    taken = 0
    p = cache.turn
    for _ in range(cache.ports):
        port = gpu.port[cache.first_port + p]
        if port.request.count > 0:
            request = front(port.request)
            if request.due > t:
                wake = min(wake, request.due)
            else:
                bank = 1 << ((request.address >> cache.line_shift) & cache.bank_mask)
                if taken & bank != 0:
                    cache.bank_conflicts += 1
                    wake = t + 1
                elif look_up(gpu, cache, cache.first_port + p, t):
                    taken |= bank
                    release(gpu, port.request, port.client, t)
        p = p + 1 if p + 1 < cache.ports else 0
    if taken == 0:
        return wake
    cache.turn = cache.turn + 1 if cache.turn + 1 < cache.ports else 0
    return t + 1


@unit
def look_up(gpu: Any, cache: Any, p: int, t: int) -> bool:
    """Serve the first request of port p; False where it has to wait for an MSHR or for room below."""
    port = gpu.port[p]
    request = front(port.request)
    line = request.address >> cache.line_shift
    place = find(gpu, cache, line)
    if place >= 0:
        touch(gpu, cache, place)
        cache.accesses += 1
        if request.kind == WRITE:
            gpu.line.dirty[place] = request.source + 1
            cache.write_hits += 1
        elif request.kind == READ:
            answer(gpu, port, port.reply, request.slot, request.tag, t + cache.latency)
            cache.read_hits += 1
        else:
            cache.prefetches += 1
        return True
    m = -1
    if cache.mshrs_used > 0:
        for e in range(cache.mshrs):
            if cache.mshr[e].line == line:
                m = e
    if m >= 0:
        if not wait(cache, m, p, request):
            return False
        cache.accesses += 1
        cache.merges += 1
        return True
    if request.kind == WRITE and (cache.fetch_on_write == 0 or request.size == 1 << cache.line_shift):
        place = install(gpu, cache, line, request.source, request.tile, t)
        if place < 0:
            return False
        gpu.line.dirty[place] = request.source + 1
        cache.accesses += 1
        cache.write_misses += 1
        return True
    return miss(gpu, cache, p, request, line, t)


@inline
def miss(gpu: Any, cache: Any, p: int, request: Any, line: int, t: int) -> bool:
    """Take a free MSHR and ask below for the line, once the look-up is over."""
    below = gpu.port[cache.below]
    if cache.mshrs_used == cache.mshrs or not can_send(below):
        return False
    m = 0
    while cache.mshr[m].line >= 0:
        m += 1
    mshr = cache.mshr[m]
    mshr.first = -1
    if not wait(cache, m, p, request):
        return False
    mshr.line = line
    mshr.source = request.source
    mshr.tile = request.tile
    cache.mshrs_used += 1
    send(
        gpu,
        below,
        t + cache.latency,
        line << cache.line_shift,
        1 << cache.line_shift,
        READ,
        request.source,
        request.tile,
        0,
        m,
    )
    cache.accesses += 1
    if request.kind == WRITE:
        cache.write_misses += 1
    elif request.kind == PREFETCH:
        cache.prefetches += 1
    else:
        cache.read_misses += 1
    return True


@inline
def wait(cache: Any, m: int, p: int, request: Any) -> bool:
    """Append the request to the waiters of MSHR m; False where there is no room for another waiter."""
    w = cache.free_waiter
    if w < 0:
        return False
    waiter = cache.waiter[w]
    cache.free_waiter = waiter.next
    waiter.port = p
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
