"""Cache: set-associative, banked, lock-up free with merging miss status holding registers (MSHRs).

One model serves every cache of the GPU. A request is looked up `latency` cycles after its bank takes it, at most one
per bank and cycle, clients in turn. A miss waits in an MSHR while its line comes from below; later requests for the
line join it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.cache_kinds import OCCUPANCIES
from tilegpu.timing.declare.records import MAX_CACHES, MAX_MSHRS, MAX_WAITERS, NEVER, Record, Rows, i8, room
from tilegpu.timing.declare.sources import SOURCES

from ..engine import hooks
from ..engine.calendar import poke_at
from ..engine.jit import inline, unit
from ..engine.ring import front
from ..engine.unit import Unit, Watch
from . import hooks as memory_hooks
from .lines import find, install, touch
from .misses import Mshr, Waiter, awaited, fill, miss, under_way, wait
from .request import READ, WRITE, Port, Request, answer, can_send, has_reply, next_reply, send, take_request

if TYPE_CHECKING:
    from .gpu import Gpu


class Cache(Record):
    """Registers of a cache. `served`: cycle in which it last served a request; `taken`: the banks that it took then.
    `mshrs_busy`: MSHRs in use, a bit each, and `mshr_line` the lines that they wait for. `mshrs_ahead`: MSHRs whose
    lines were fetched before they were asked for; `mshrs_extra`: how many of `mshrs` are for such lines alone.
    `blocks`: whether nothing is served while all MSHRs are in use; `barred`: whether that is so now, or the first
    request waits for a line. `apart`: whether accesses know nothing of lines that are fetched ahead, and ask for them
    once more."""

    id: i8
    type: i8
    first_port: i8
    ports: i8
    below: i8
    turn: i8
    served: i8
    taken: i8
    barred: i8
    apart: i8
    first_line: i8
    set_mask: i8
    ways: i8
    line_shift: i8
    bank_mask: i8
    latency: i8
    replacement: i8
    write_through: i8
    write_around: i8
    fetch_on_write: i8
    blocks: i8
    chance: i8
    clock: i8
    mshrs: i8
    mshrs_used: i8
    mshrs_ahead: i8
    mshrs_extra: i8
    free_waiter: i8
    mshrs_busy: i8
    mshr_line: Rows[i8] = room(MAX_MSHRS)
    mshr: Rows[Mshr] = room(MAX_MSHRS)
    waiter: Rows[Waiter] = room(MAX_WAITERS)
    accesses: i8
    read_hits: i8
    read_misses: i8
    write_hits: i8
    write_misses: i8
    merges: i8
    asked_at: Rows[i8] = room(OCCUPANCIES)
    fills: i8
    write_backs: i8
    prefetches: i8
    write_throughs: i8
    forgotten: i8
    bank_conflicts: i8
    source_misses: Rows[i8] = room(len(SOURCES))


@unit
def tick(gpu: Gpu, k: int, t: int) -> int:
    cache: Cache = gpu.cache[k]
    below = gpu.port[cache.below]
    stuck = has_reply(below, t) and not fill(gpu, cache, below, t)
    wake = serve(gpu, cache, t)
    if not stuck:
        return min(wake, max(next_reply(below), t + 1))
    # The line that has arrived could not be installed: it waits for room below, whose server wakes us up, or for
    # another victim, which may have come with what was served.
    return t + 1 if cache.served == t else wake


@inline
def serve(gpu: Gpu, cache: Cache, t: int) -> int:
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
    cache.taken = taken
    cache.turn = cache.turn + 1 if cache.turn + 1 < cache.ports else 0
    # What was refused may find its line, now that others were served.
    return t + 1 if refused else wake


@inline
def look_up(gpu: Gpu, cache: Cache, port: Port, request: Request, line: int, t: int) -> bool:
    """Serve the first request of a port; False where it has to wait for an MSHR or for room below."""
    memory_hooks.request_begins(gpu, cache.id, port)
    place = find(gpu, cache, line)
    if place < 0:
        decision = memory_hooks.cache_missed(gpu, cache, port, line, t)
        if decision == hooks.WAIT:
            return False
        if decision == hooks.SKIP:
            place = find(gpu, cache, line)
    if place < 0 or request.kind != READ:
        served = serve_other(gpu, cache, port, line, place, t)
        if served:
            memory_hooks.cache_accessed(gpu, cache, port, line, place, t)
        return served
    memory_hooks.cache_accessed(gpu, cache, port, line, place, t)
    touch(gpu, cache, place)
    answer(gpu, port, port.reply, request.slot, request.tag, t + cache.latency)
    cache.accesses += 1
    cache.read_hits += 1
    return True


@unit
def serve_other(gpu: Gpu, cache: Cache, port: Port, line: int, place: int, t: int) -> bool:
    """Serve any request but the read of a line that is present; `place`: of the line, or -1."""
    if front(port.request).kind != WRITE or cache.write_through + cache.write_around == 0:
        return serve_request(gpu, cache, port, line, place, t)
    return pass_on(gpu, cache, port, line, place, t)


@unit
def pass_on(gpu: Gpu, cache: Cache, port: Port, line: int, place: int, t: int) -> bool:
    """Serve a write that goes on to the level below: all of them (write-through), or those that miss (write-around)."""
    below = gpu.port[cache.below]
    request = front(port.request)
    # Room for the write, for the line that it may fetch, and for the one that may give way.
    if below.request.count + 3 > below.request.depth or not can_send(below):
        # No one signals room for three, so it asks again in the next cycle.
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
    send(gpu, below, due, request.address, request.size, WRITE, request.source, request.tile)
    return True


@unit
def serve_request(gpu: Gpu, cache: Cache, port: Port, line: int, place: int, t: int) -> bool:
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
    m = awaited(cache, line)
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


def stands(cache: Cache) -> str:
    """Misses under way."""
    return f"{int(cache.mshrs_used)} of {int(cache.mshrs)} MSHRs in use" if cache.mshrs_used else ""


UNIT = Unit(
    "cache",
    __name__,
    Cache,
    tick,
    most=MAX_CACHES,
    count=lambda c: 0,
    marks=("accesses", "fills"),
    stands=stands,
    watches=(Watch("l2_mshrs", "L2 MSHRs", count="mshrs_used", depth="mshrs", unless="type"),),
)
"""Caches are made by the machine, kind by kind (`memory.kinds`); the last level has type 0."""
