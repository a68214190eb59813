"""Prefetch queue: addresses of the quads that wait for their processors, which go to the first-level caches one per
cycle, and know which other cache may hold the line (3.3, 3.4; Fig. 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER

from ...engine import hooks
from ...engine.calendar import poke_at
from ...engine.jit import inline, unit
from ...engine.ring import drop, front
from ...engine.unit import RASTER_UNIT, Unit, Watch
from ...memory import hooks as memory_hooks
from ...memory.lines import find
from ...memory.misses import arrive, fetched_ahead, hold_ahead, request_line, under_way
from ...memory.network import BUS, take_bus
from ...memory.request import COLOR, TEXTURE, can_send
from .addresses import NO_MORE, begin, next_pixel_line, next_texel_line
from .parameters import Parameters
from .state import (
    ARRIVES,
    ASKS_REMOTE,
    AWAITS_REMOTE,
    FROM_L2,
    IDLE,
    QUEUED,
    UNDER_WAY,
    Entry,
    PrefetchQueue,
)
from .statistics import PER_QUEUE, STRUCTURES

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Depth, Quad, Surfaces, Texturing
    from ...memory.cache import Cache
    from ...memory.gpu import Gpu
    from .tables import Tables


@unit
def tick(gpu: Gpu, own: Tables, surfaces: Surfaces, depth: Depth, texturing: Texturing, r: int, t: int) -> int:
    queue: PrefetchQueue = gpu.raster_unit[r].prefetch_queue
    queue.polls = 0
    if queue.apart != 0:
        end_entries(gpu, queue)
    wake = take_from_others(gpu, queue, t)
    while queue.active > queue.unsent and queue.entry[queue.head].state == IDLE:
        queue.head = following(queue, queue.head)
        queue.active -= 1
    moved = look_up_next(gpu, queue, t)
    moved |= insert(gpu, own, surfaces, depth, texturing, queue, t)
    return t + 1 if moved or queue.polls != 0 else wake


@unit
def end_entries(gpu: Gpu, queue: PrefetchQueue) -> None:
    """End the entries whose own request is over, where accesses ask for lines themselves."""
    for i in range(queue.entries):
        entry = queue.entry[i]
        if entry.state == UNDER_WAY and fetched_ahead(gpu.cache[entry.cache], entry.line) != entry.mshr:
            entry.state = IDLE


@inline
def following(queue: PrefetchQueue, at: int) -> int:
    """Place of the next entry."""
    return at + 1 if at + 1 < queue.entries else 0


@inline
def look_up_next(gpu: Gpu, queue: PrefetchQueue, t: int) -> bool:
    """Send the next request to its cache."""
    if queue.unsent == 0:
        return False
    entry = queue.entry[queue.next]
    cache = gpu.cache[entry.cache]
    if find(gpu, cache, entry.line) >= 0:
        queue.hits += 1
        entry.state = IDLE
    elif under_way(cache, entry.line) >= 0:
        queue.merges += 1
        entry.state = IDLE
    elif not fetch(gpu, queue, cache, entry, t):
        queue.polls = 1
        return False
    queue.requests += 1
    queue.next = following(queue, queue.next)
    queue.unsent -= 1
    return True


@inline
def fetch(gpu: Gpu, queue: PrefetchQueue, cache: Cache, entry: Entry, t: int) -> bool:
    """Ask for a line that the cache lacks: in another first-level cache, or below; False where that has no room, or the
    cache no MSHR."""
    ask_other = queue.remote != 0 and entry.source != FROM_L2
    if cache.mshrs_used == cache.mshrs or (not ask_other and not can_send(gpu.port[cache.below])):
        return False
    queue.misses += 1
    queue.in_other_cache += another_has(gpu, int(entry.cache), int(entry.line))
    queue.issued += 1
    memory_hooks.fetch_begins(gpu, cache, int(entry.line))
    entry.mshr = hold_ahead(cache, entry.line, entry.client, entry.tile)
    hooks.notes_work(gpu, cache.id, int(entry.mshr))
    # An access that found no MSHR can wait with this one for the line.
    poke_at(gpu, cache.id, t + 1)
    if ask_other:
        queue.predicted += 1
        entry.state = ASKS_REMOTE
        entry.due = t + queue.latency
        poke_at(gpu, queue.id, t + queue.latency)
    else:
        entry.state = UNDER_WAY
        request_line(gpu, cache, entry.mshr, t)
    return True


@unit
def another_has(gpu: Gpu, k: int, line: int) -> int:
    """1 where another first-level cache of texels or pixels holds a line, or waits for it: it answers then as well."""
    for other in range(gpu.caches):
        is_target = other != k and gpu.technique.decoupled_access.is_target[other] != 0
        if is_target and (find(gpu, gpu.cache[other], line) >= 0 or under_way(gpu.cache[other], line) >= 0):
            return 1
    return 0


@inline
def take_from_others(gpu: Gpu, queue: PrefetchQueue, t: int) -> int:
    """See to requests that were sent to other first-level caches; when the next one is due."""
    wake = NEVER
    at = queue.head
    for _ in range(queue.active - queue.unsent):
        entry = queue.entry[at]
        if entry.state == ASKS_REMOTE or entry.state == AWAITS_REMOTE or entry.state == ARRIVES:
            wake = min(wake, see_to(gpu, queue, entry, t))
        at = following(queue, at)
    return wake


@unit
def see_to(gpu: Gpu, queue: PrefetchQueue, entry: Entry, t: int) -> int:
    """A request to another first-level cache: it has the line, waits for it itself, or has to refuse."""
    cache, other = gpu.cache[entry.cache], gpu.cache[entry.source]
    if entry.due > t:
        return int(entry.due)
    if entry.state != ARRIVES:
        if find(gpu, other, entry.line) >= 0:
            entry.state = ARRIVES
            if queue.by_bus != 0:
                entry.due = take_bus(gpu, t) + gpu.network.cycles - 1
        elif under_way(other, entry.line) >= 0 and not asks_another(gpu, int(entry.source), int(entry.line)):
            # It is called when the line has arrived (`line_placed`).
            entry.state = AWAITS_REMOTE
            return NEVER
    if entry.due > t:
        return int(entry.due)
    if entry.state == ARRIVES:
        if not arrive(gpu, cache, entry.mshr, t):
            return t + 1
        entry.state = IDLE
        queue.remote_answers += 1
        poke_at(gpu, cache.id, t + 1)
        return t + 1
    if not can_send(gpu.port[cache.below]):
        return t + 1
    entry.state = UNDER_WAY
    queue.remote_refusals += 1
    request_line(gpu, cache, entry.mshr, t)
    return NEVER


@unit
def asks_another(gpu: Gpu, k: int, line: int) -> bool:
    """Whether a cache itself waits for another one: if it were waited for, too, caches might wait in a circle."""
    for r in range(gpu.raster_units):
        queue: PrefetchQueue = gpu.raster_unit[r].prefetch_queue
        for i in range(queue.entries):
            entry = queue.entry[i]
            waits = entry.state == ASKS_REMOTE or entry.state == AWAITS_REMOTE
            if waits and entry.cache == k and entry.line == line:
                return True
    return False


@inline
def insert(
    gpu: Gpu, own: Tables, surfaces: Surfaces, depth: Depth, texturing: Texturing, queue: PrefetchQueue, t: int
) -> bool:
    """Put the addresses of waiting quads into free entries."""
    moved = False
    while queue.waiting.count > 0 and queue.active < queue.entries:
        waiting = front(queue.waiting)
        quad = depth.quad[waiting.quad]
        client = TEXTURE
        address = NO_MORE
        if quad.path >= 0:
            address = next_texel_line(queue, own.path[quad.path], quad, texturing)
            if address == NO_MORE and loads_colors(own, depth, quad) and queue.color_cache[waiting.processor] >= 0:
                client = COLOR
                address = next_pixel_line(gpu, queue, surfaces, int(waiting.tile), quad)
        if address == NO_MORE:
            drop(queue.waiting)
            begin(queue)
            continue
        cache = queue.texture_cache[waiting.processor]
        if client == COLOR:
            cache = queue.color_cache[waiting.processor]
        enqueue(gpu, queue, address >> gpu.line_shift, int(cache), client, int(waiting.tile))
        moved = True
    return moved


@inline
def loads_colors(own: Tables, depth: Depth, quad: Quad) -> bool:
    """Whether a quad reads the colours of the attachment."""
    return bool(own.path[quad.path].loads != 0 and depth.state[depth.primitive[quad.primitive].state].blends != 0)


@unit
def enqueue(gpu: Gpu, queue: PrefetchQueue, line: int, cache: int, client: int, tile: int) -> None:
    """A new entry, and the cache that an earlier one sent the same line to."""
    source = FROM_L2
    at = queue.head + queue.active
    if at >= queue.entries:
        at -= queue.entries
    new = queue.entry[at]
    if queue.remote != 0:
        compared = queue.entries if queue.all != 0 else queue.active
        # From the oldest to the newest one: the newest that is alike counts.
        first = at if queue.all != 0 else queue.head
        for n in range(compared):
            entry = queue.entry[(first + n) % queue.entries]
            if entry.line >= 0 and (entry.line ^ line) & queue.mask == 0 and entry.cache != cache:
                source = entry.cache
        queue.comparisons += compared
    new.line = line
    new.cache = cache
    new.source = source
    new.state = QUEUED
    new.client = client
    new.tile = tile
    queue.active += 1
    queue.unsent += 1


def begin_frame(queue: PrefetchQueue) -> None:
    """No quad of the frame before is left."""
    queue.waiting.count = 0
    begin(queue)


def setup(chip: Chip, queue: PrefetchQueue, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c = chip.configuration.of(Parameters)
    queue.waiting.depth = len(queue.waiting.slot)
    queue.entries, queue.latency = c.queue, c.remote_latency_cycles
    queue.remote, queue.all, queue.mask = c.remote == "queue", c.searched == "all", (1 << c.source_bits) - 1
    queue.apart = c.late == "missed"
    queue.by_bus = c.remote_path == "bus" and chip.gpu.network.kind == BUS
    queue.entry["line"] = -1


UNIT = Unit(
    "prefetch_queue",
    __name__,
    PrefetchQueue,
    tick,
    tables=("own", "surfaces", "depth", "texturing"),
    scope=RASTER_UNIT,
    setup=setup,
    begin_frame=begin_frame,
    marks=("requests", "quads"),
    stands=lambda queue: (
        f"{int(queue.active)} of {int(queue.entries)} entries, {int(queue.waiting.count)} quads wait for entries"
    ),
    watches=(Watch("prefetch_queue", "prefetch queue", count="active", depth="entries"),),
    statistics=PER_QUEUE,
    structures=STRUCTURES,
)
