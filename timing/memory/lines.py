"""Lines of the caches: where one lies, and which one gives way to another.

All caches have their lines in one pool, each a piece of it, set by set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_CACHE_LINES, Record, Rows, i1, i8, room

from ..engine.jit import inline, unit
from . import hooks as memory_hooks
from .request import WRITE, can_write, send

if TYPE_CHECKING:
    from .cache import Cache
    from .gpu import Gpu


class Lines(Record):
    """Lines of all caches. `used`: when last used (or filled, under FIFO), 0 for empty ones; `tree`: bits of a set's
    tree, at its first line; `unasked`: whether it was fetched and has not been asked for yet
    (`techniques.shared.prefetched_lines`)."""

    tag: Rows[i8] = room(MAX_CACHE_LINES)
    used: Rows[i8] = room(MAX_CACHE_LINES)
    tree: Rows[i8] = room(MAX_CACHE_LINES)
    dirty: Rows[i1] = room(MAX_CACHE_LINES)
    unasked: Rows[i1] = room(MAX_CACHE_LINES)


REPLACEMENTS = ("lru", "fifo", "plru", "random")
LRU, FIFO, PLRU, RANDOM = range(len(REPLACEMENTS))


@inline
def find(gpu: Gpu, cache: Cache, line: int) -> int:
    """Place of the line in the pool of lines, or -1."""
    place = cache.first_line + (line & cache.set_mask) * cache.ways
    end = place + cache.ways
    while place < end and gpu.line.tag[place] != line:
        place += 1
    return place if place < end else -1


@inline
def touch(gpu: Gpu, cache: Cache, place: int) -> None:
    if cache.replacement == LRU:
        cache.clock += 1
        gpu.line.used[place] = cache.clock
    elif cache.replacement == PLRU:
        base = cache.first_line + (gpu.line.tag[place] & cache.set_mask) * cache.ways
        plru_touch(gpu, cache, base, place - base)


@unit
def install(gpu: Gpu, cache: Cache, line: int, source: int, tile: int, t: int) -> int:
    """Give the line the place of the least recently used one of its set; -1 where that is dirty and nothing
    below takes it."""
    base = cache.first_line + (line & cache.set_mask) * cache.ways
    victim = base
    for w in range(base + 1, base + cache.ways):
        if gpu.line.used[w] < gpu.line.used[victim]:
            victim = w
    chance = cache.chance
    if cache.replacement > FIFO and gpu.line.used[victim] != 0:
        if cache.replacement == PLRU:
            victim = base + plru_victim(gpu, cache, base)
        else:
            chance = next_chance(cache)
            victim = base + (chance >> 8) % cache.ways
    victim = memory_hooks.cache_victim(gpu, cache, base, victim)
    if gpu.line.dirty[victim] != 0:
        below = gpu.port[cache.below]
        # Reads that wait for room in this cache must not block the write-back that makes room.
        if not can_write(below):
            return -1
        memory_hooks.gives_way(gpu, cache, int(gpu.line.tag[victim] << cache.line_shift))
        send(
            gpu,
            below,
            t,
            gpu.line.tag[victim] << cache.line_shift,
            1 << cache.line_shift,
            WRITE,
            gpu.line.dirty[victim] - 1,
            tile,
        )
        cache.write_backs += 1
        memory_hooks.gave_way(gpu, cache)
        gpu.line.dirty[victim] = 0
    # Not before: a request that is refused asks again until there is room, and must get the same answer each time.
    cache.chance = chance
    memory_hooks.line_placed(gpu, cache, line, victim, t)
    gpu.line.tag[victim] = line
    cache.clock += 1
    gpu.line.used[victim] = cache.clock
    if cache.replacement == PLRU:
        plru_touch(gpu, cache, base, victim - base)
    return victim


@inline
def next_chance(cache: Cache) -> int:
    """The next random number of a cache: a linear congruential generator, so that runs can be repeated."""
    return int((cache.chance * 1103515245 + 12345) & 0x7FFFFFFF)


@unit
def plru_touch(gpu: Gpu, cache: Cache, base: int, way: int) -> None:
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
def plru_victim(gpu: Gpu, cache: Cache, base: int) -> int:
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
def forget(gpu: Gpu, address: int, size: int) -> None:
    """Invalidate the lines of a range of memory in all caches: it was written without them, or is dead."""
    for k in range(gpu.caches):
        forget_in(gpu, gpu.cache[k], address, size)


@unit
def forget_above(gpu: Gpu, address: int, size: int) -> None:
    """Invalidate them in all caches but the last level, past which nothing was written."""
    for k in range(1, gpu.caches):
        forget_in(gpu, gpu.cache[k], address, size)


@unit
def forget_in(gpu: Gpu, cache: Cache, address: int, size: int) -> None:
    """Invalidate the lines of a range of memory in one cache."""
    if size <= 0:
        return
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
def drop_line(gpu: Gpu, cache: Cache, place: int) -> None:
    gpu.line.tag[place] = -1
    gpu.line.used[place] = 0
    gpu.line.dirty[place] = 0
    cache.forgotten += 1
