"""Registers of decoupled access."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import (
    MAX_CACHES,
    MAX_PROCESSORS,
    Record,
    Ring,
    Rows,
    i1,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.tiles import Tiles

from ..shared.prefetched_lines import add_mshrs
from .parameters import MAX_ENTRIES, Parameters

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.cache import Cache


MAX_WAITING = 4096
NAME = "techniques.decoupled_access"

IDLE, QUEUED, UNDER_WAY, ASKS_REMOTE, AWAITS_REMOTE, ARRIVES = range(6)
"""State of an entry: its line has arrived, or it is empty; not looked up yet; asked for below; asked for in another
first-level cache; on its way to that one; about to come from there."""
FROM_L2 = -1


class Waiting(Record):
    """Quad that waits for its lines to be asked for."""

    quad: i4
    tile: i4
    processor: i4


class Entry(Record):
    """Line in the Prefetch Queue."""

    line: i8
    cache: i4
    source: i4
    state: i4
    client: i4
    tile: i4
    mshr: i4
    due: i8


class PrefetchQueue(Record):
    """Registers of a prefetch queue. `waiting`: quads whose addresses have not all been put into the queue;
    `operation`, `line`, `pixel`: how far those of the first one have.

    Entries form a circle: `head` is the oldest active one, `next` the first of the `unsent` ones that are still to be
    looked up. An entry is active until its line has arrived. `client`: what its line is for (`memory.request`).

    `by_bus`: whether lines of other first-level caches take the bus to the L2; `apart`: whether accesses ask themselves
    for lines that are under way.
    """

    id: i8
    waiting: Ring[Waiting] = room(MAX_WAITING)
    operation: i8
    line: i8
    pixel: i8
    entry: Rows[Entry] = room(MAX_ENTRIES)
    entries: i8
    head: i8
    next: i8
    active: i8
    unsent: i8
    polls: i8
    remote: i8
    all: i8
    mask: i8
    latency: i8
    by_bus: i8
    apart: i8
    texture_cache: Rows[i4] = room(MAX_PROCESSORS)
    color_cache: Rows[i4] = room(MAX_PROCESSORS)
    quads: i8
    unseen_quads: i8
    known_operations: i8
    lost_operations: i8
    requests: i8
    hits: i8
    merges: i8
    misses: i8
    in_other_cache: i8
    issued: i8
    predicted: i8
    remote_answers: i8
    remote_refusals: i8
    comparisons: i8


class State(Record):
    """State of the technique. `is_target`: caches that lines are brought into."""

    is_target: Rows[i1] = room(MAX_CACHES)
    useful: i8
    late: i8
    useless: i8
    demand_misses: i8


def cache_of(chip: Chip, port: int) -> int:
    """Number of the cache that a port leads to."""
    return int(chip.gpu.unit[chip.gpu.port[port].server].a)


def setup(chip: Chip, state: Any) -> None:
    """Caches that lines are brought into, and which of them each processor uses."""
    gpu, c = chip.gpu, chip.configuration
    kinds = [kind.name for kind in chip.machine.caches]
    targets = [kinds.index(name) for name in ("texture_cache", "color_cache") if name in kinds]
    extra = c.of(Parameters).queue * c.of(Tiles).raster_units if c.of(Parameters).mshrs == "queue" else 0
    for r in range(c.of(Tiles).raster_units):
        raster_unit = gpu.raster_unit[r]
        queue = raster_unit.prefetch_queue
        for i in range(c.of(FragmentStage).processors):
            core = raster_unit.fragment_processor[i]
            queue.texture_cache[i] = cache_of(chip, gpu.texture_unit[core.texture_unit].port)
            pixels = next((name for name in ("memory_unit", "cached_blending") if name in chip.machine.by_name), "")
            queue.color_cache[i] = cache_of(chip, raster_unit[pixels][i].port) if pixels else -1
    for k in range(int(gpu.caches)):
        cache: Cache = gpu.cache[k]
        if cache.type in targets:
            state.is_target[k] = 1
            cache.apart = c.of(Parameters).late == "missed"
            add_mshrs(cache, extra, "technique.decoupled_access.queue")
