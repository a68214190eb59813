"""Cache: set-associative, banked, lock-up free with merging miss status holding registers (MSHRs).

One model serves every cache of the GPU. A request is looked up `latency` cycles after its bank takes it, at
most one per bank
and cycle, clients in turn. A miss waits in an MSHR while its line comes from below; later requests for the
line join it.
"""

from __future__ import annotations

from typing import Any

from ..engine.calendar import poke_at
from ..engine.jit import inline, unit
from ..engine.records import MAX_CACHE_LINES, MAX_MSHRS, MAX_WAITERS, NEVER, record
from ..engine.ring import front
from ..techniques import hooks
from .request import (
    PREFETCH,
    READ,
    SOURCES,
    WRITE,
    answer,
    can_send,
    has_reply,
    next_reply,
    replies_due,
    send,
    take_reply,
    take_request,
)

LINES = record(
    tag=("i8", (MAX_CACHE_LINES,)),
    used=("i8", (MAX_CACHE_LINES,)),
    tree=("i8", (MAX_CACHE_LINES,)),
    dirty=("i1", (MAX_CACHE_LINES,)),
)
"""Lines of all caches. `used`: when last used (or filled, under FIFO), 0 for empty ones; `tree`: bits of a set's tree,
at its first line."""
REPLACEMENTS = ("lru", "fifo", "plru", "random")
LRU, FIFO, PLRU, RANDOM = range(len(REPLACEMENTS))
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
    served="i8",
    barred="i8",
    first_line="i8",
    set_mask="i8",
    ways="i8",
    line_shift="i8",
    bank_mask="i8",
    latency="i8",
    replacement="i8",
    write_through="i8",
    write_around="i8",
    fetch_on_write="i8",
    chance="i8",
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
    write_throughs="i8",
    forgotten="i8",
    bank_conflicts="i8",
    source_misses=("i8", (len(SOURCES),)),
)


@unit
def tick(gpu: Any, k: int, t: int) -> int:
    cache = gpu.cache[k]
    below = gpu.port[cache.below]
    stuck = has_reply(below, t) and not fill(gpu, cache, below, t)
    wake = serve(gpu, cache, t)
    if not stuck:
        return min(wake, max(next_reply(below), t + 1))
    # The line that has arrived could not be installed: it waits for room below, whose server wakes us up, or for
    # another victim, which may have come with what was served.
    return t + 1 if cache.served == t else wake


@inline
def find(gpu: Any, cache: Any, line: int) -> int:
    """Place of the line in the pool of lines, or -1."""
    place = cache.first_line + (line & cache.set_mask) * cache.ways
    end = place + cache.ways
    while place < end and gpu.line.tag[place] != line:
        place += 1
    return place if place < end else -1


@inline
def touch(gpu: Any, cache: Any, place: int) -> None:
    if cache.replacement == LRU:
        cache.clock += 1
        gpu.line.used[place] = cache.clock
    elif cache.replacement == PLRU:
        base = cache.first_line + (gpu.line.tag[place] & cache.set_mask) * cache.ways
        plru_touch(gpu, cache, base, place - base)


@unit
def install(gpu: Any, cache: Any, line: int, source: int, tile: int, t: int) -> int:
    """Give the line the place of the least recently used one of its set; -1 where that is dirty and nothing
    below takes it."""
    base = cache.first_line + (line & cache.set_mask) * cache.ways
    victim = base
    for w in range(base + 1, base + cache.ways):
        if gpu.line.used[w] < gpu.line.used[victim]:
            victim = w
    if cache.replacement > FIFO and gpu.line.used[victim] != 0:
        victim = base + (plru_victim(gpu, cache, base) if cache.replacement == PLRU else draw(cache))
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
    cache.clock += 1
    gpu.line.used[victim] = cache.clock
    if cache.replacement == PLRU:
        plru_touch(gpu, cache, base, victim - base)
    return victim


@inline
def draw(cache: Any) -> int:
    """Way by chance: a linear congruential generator, so that runs can be repeated."""
    cache.chance = (cache.chance * 1103515245 + 12345) & 0x7FFFFFFF
    return int((cache.chance >> 8) % cache.ways)


@unit
def plru_touch(gpu: Any, cache: Any, base: int, way: int) -> None:
    """Let the tree's bits on the way's path point away from it."""
    bits = gpu.line.tree[base]
    node = 1
    half = cache.ways >> 1
    while half > 0:
        if way & half:
            bits &= ~(1 << node)
            node = 2 * node + 1
        else:
            bits |= 1 << node
            node = 2 * node
        half >>= 1
    gpu.line.tree[base] = bits


@unit
def plru_victim(gpu: Any, cache: Any, base: int) -> int:
    """Way that the tree's bits point to."""
    bits = gpu.line.tree[base]
    node = 1
    way = 0
    half = cache.ways >> 1
    while half > 0:
        right = bits >> node & 1
        way += half * right
        node = 2 * node + right
        half >>= 1
    return way


@unit
def forget(gpu: Any, address: int, size: int) -> None:
    """Drop the lines of a piece of memory from all caches: something has written it past them."""
    if size <= 0:
        return
    for k in range(gpu.caches):
        cache = gpu.cache[k]
        first = address >> cache.line_shift
        last = (address + size - 1) >> cache.line_shift
        lines = (cache.set_mask + 1) * cache.ways
        if last - first < lines // 8:
            for line in range(first, last + 1):
                place = find(gpu, cache, line)
                if place >= 0:
                    drop_line(gpu, cache, place)
        else:
            for place in range(cache.first_line, cache.first_line + lines):
                if first <= gpu.line.tag[place] <= last:
                    drop_line(gpu, cache, place)


@inline
def drop_line(gpu: Any, cache: Any, place: int) -> None:
    gpu.line.tag[place] = -1
    gpu.line.used[place] = 0
    gpu.line.dirty[place] = 0
    cache.forgotten += 1


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
    cache.barred = 0
    w = mshr.first
    while w >= 0:
        waiter = cache.waiter[w]
        if waiter.kind == READ:
            port = gpu.port[waiter.port]
            answer(gpu, port, port.refill, waiter.slot, waiter.tag, t + 1)
        elif waiter.kind == WRITE and cache.write_through == 0:
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
    """Every bank takes at most one request; ports are asked in turn. When the next request can be looked at."""
    wake = NEVER
    taken = 0
    refused = False
    p = cache.turn
    for _ in range(0 if cache.barred != 0 else cache.ports):
        if gpu.waiting[cache.first_port + p] > 0:
            port = gpu.port[cache.first_port + p]
            request = front(port.request)
            if request.due <= t:
                line = request.address >> cache.line_shift
                bank = 1 << (line & cache.bank_mask)
                if taken & bank != 0:
                    cache.bank_conflicts += 1
                    wake = t + 1
                elif look_up(gpu, cache, port, request, line, t):
                    taken |= bank
                    take_request(gpu, port)
                    if port.request.count > 0:
                        wake = min(wake, max(front(port.request).due, t + 1))
                else:
                    refused = True
            else:
                wake = min(wake, request.due)
        p = p + 1 if p + 1 < cache.ports else 0
    if taken == 0:
        return wake
    cache.served = t
    cache.turn = cache.turn + 1 if cache.turn + 1 < cache.ports else 0
    # What was refused may find its line, now that others were served.
    return t + 1 if refused else wake


@inline
def look_up(gpu: Any, cache: Any, port: Any, request: Any, line: int, t: int) -> bool:
    """Serve the first request of a port; False where it has to wait for an MSHR or for room below."""
    place = find(gpu, cache, line)
    if place < 0 or request.kind != READ:
        return serve_other(gpu, cache, port, line, place, t)
    touch(gpu, cache, place)
    answer(gpu, port, port.reply, request.slot, request.tag, t + cache.latency)
    cache.accesses += 1
    cache.read_hits += 1
    return True


@unit
def serve_other(gpu: Any, cache: Any, port: Any, line: int, place: int, t: int) -> bool:
    """Serve a request that is no read of a line that is here; `place`: of the line, or -1."""
    if front(port.request).kind != WRITE or cache.write_through + cache.write_around == 0:
        return serve_request(gpu, cache, port, line, place, t)
    return pass_on(gpu, cache, port, line, place, t)


@unit
def pass_on(gpu: Any, cache: Any, port: Any, line: int, place: int, t: int) -> bool:
    """Serve a write that goes on to the level below: all of them (write-through), or those that miss (write-around)."""
    below = gpu.port[cache.below]
    request = front(port.request)
    # Room for the write, for the line that it may fetch, and for the one that may give way.
    if below.request.count + 3 > below.request.depth or not can_send(below):
        # Nobody tells of room for three.
        poke_at(gpu, cache.id, t + 1)
        return False
    if cache.write_around != 0 and place < 0 and under_way(cache, line) < 0:
        cache.accesses += 1
        cache.write_misses += 1
        cache.source_misses[request.source] += 1
    elif not serve_request(gpu, cache, port, line, place, t):
        return False
    elif cache.write_through == 0:
        return True
    cache.write_throughs += 1
    due = t + cache.latency
    send(gpu, below, due, request.address, request.size, WRITE, request.source, request.tile, 0, -1)
    return True


@inline
def under_way(cache: Any, line: int) -> int:
    """MSHR that waits for the line, or -1."""
    if cache.mshrs_used == 0:
        return -1
    m = 0
    while m < cache.mshrs and cache.mshr[m].line != line:
        m += 1
    return m if m < cache.mshrs else -1


@unit
def serve_request(gpu: Any, cache: Any, port: Any, line: int, place: int, t: int) -> bool:
    request = front(port.request)
    if place >= 0:
        touch(gpu, cache, place)
        cache.accesses += 1
        if request.kind == WRITE:
            if cache.write_through == 0:
                gpu.line.dirty[place] = request.source + 1
            cache.write_hits += 1
        else:
            cache.prefetches += 1
        return True
    m = under_way(cache, line)
    if m >= 0:
        if not wait(cache, m, port, request):
            return False
        cache.accesses += 1
        cache.merges += 1
        return True
    if request.kind == WRITE and (cache.fetch_on_write == 0 or request.size == 1 << cache.line_shift):
        place = install(gpu, cache, line, request.source, request.tile, t)
        if place < 0:
            return False
        if cache.write_through == 0:
            gpu.line.dirty[place] = request.source + 1
        cache.accesses += 1
        cache.write_misses += 1
        cache.source_misses[request.source] += 1
        return True
    return miss(gpu, cache, port, request, line, t)


@inline
def miss(gpu: Any, cache: Any, port: Any, request: Any, line: int, t: int) -> bool:
    """Take a free MSHR and ask below for the line, once the look-up is over."""
    below = gpu.port[cache.below]
    if cache.mshrs_used == cache.mshrs:
        bar(cache)
        return False
    if not can_send(below):
        return False
    m = 0
    while cache.mshr[m].line >= 0:
        m += 1
    mshr = cache.mshr[m]
    mshr.first = -1
    if not wait(cache, m, port, request):
        return False
    mshr.line = line
    mshr.source = request.source
    mshr.tile = request.tile
    cache.mshrs_used += 1
    due = t + cache.latency
    size = 1 << cache.line_shift
    send(gpu, below, due, line << cache.line_shift, size, READ, request.source, request.tile, 0, m)
    cache.accesses += 1
    cache.source_misses[request.source] += 1
    if request.kind == WRITE:
        cache.write_misses += 1
    elif request.kind == PREFETCH:
        cache.prefetches += 1
    else:
        cache.read_misses += 1
    return True


@inline
def bar(cache: Any) -> None:
    """The first request waits for a line to arrive: with a single client, nothing else can be done for it before."""
    cache.barred = cache.ports == 1


@inline
def wait(cache: Any, m: int, port: Any, request: Any) -> bool:
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
