"""Where a machine stands: which unit waits for what, in words, for when it cannot go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..memory.cache import CACHE_TYPES
from .account import BLOCKED, IDLE, WAITING
from .build import accounted
from .calendar import next_call_of
from .records import NEVER

PHASES = (
    "at the next pass",
    "waits for the Transfer Unit",
    "reads commands",
    "hands a draw on",
    "waits for the geometry",
)
PHASES_LATER = ("waits for the tiles", "has finished")
CAUSES = {
    WAITING: "waits for memory or other results",
    BLOCKED: "cannot hand on what it has",
    IDLE: "has nothing to do",
}


def progress_marks(gpu: Any) -> tuple[int, ...]:
    """Counters of which one at least moves whenever work is done; refreshes of the memory do not count."""
    marks = [int(gpu.command_processor.phase), int(gpu.command_processor.batch), int(gpu.command_processor.cursor)]
    for owner in (gpu.vertex_fetcher, gpu.primitive_assembly, gpu.polygon_list_builder, gpu.tile_fetcher):
        marks.append(int(owner.spent[0]))
    marks += [int(gpu.dram.reads), int(gpu.dram.writes), int(gpu.tile_flush.done), int(gpu.transfer_unit.moves)]
    marks += [int(gpu.cache[k].accesses) + int(gpu.cache[k].fills) for k in range(gpu.caches)]
    for r in range(gpu.raster_units):
        unit = gpu.raster_unit[r]
        marks += [int(unit.rasterizer.quads), int(unit.early_depth.survived_quads), int(unit.blending.quads)]
        marks += [int(sum(unit.processor[i].instructions)) for i in range(gpu.fragment_processors)]
    marks += [int(sum(gpu.vertex_processor[p].instructions)) for p in range(gpu.vertex_processors)]
    return tuple(marks)


def waiting_units(gpu: Any) -> Iterator[str]:
    """One line per unit that has something left to do."""
    processor = gpu.command_processor
    phase = (*PHASES, *PHASES_LATER)[int(processor.phase)]
    yield f"command processor {phase}: pass {int(processor.render_pass)}, batch {int(processor.batch)}"
    fetcher = gpu.vertex_fetcher
    yield _line(gpu, "vertex fetcher", fetcher, f"{_of(fetcher.window)} vertices in the window")
    builder = gpu.polygon_list_builder
    yield _line(gpu, "polygon list builder", builder, f"{_of(builder.queue)} primitives queued")
    tiles = gpu.tile_fetcher
    yield _line(gpu, "tile fetcher", tiles, f"tile {int(tiles.tile)}, {_of(tiles.table)} primitives under way")
    for r in range(gpu.raster_units):
        unit = gpu.raster_unit[r]
        yield _line(gpu, f"rasterizer {r}", unit.rasterizer, f"{_of(unit.rasterizer.queue)} primitives queued")
        flight = f"{_of(unit.early_depth.flight)} in flight, {int(unit.early_depth.late_total)} quads tested late"
        yield _line(gpu, f"early depth {r}", unit.early_depth, f"{_of(unit.early_depth.queue)} quads queued, {flight}")
        for i in range(gpu.fragment_processors):
            core = unit.processor[i]
            stands = f"{_of(core.queue)} quads queued, {_of(core.warp)} warps, {int(core.fetch.count)} want code"
            at_barrier = ", at the barrier" if core.arrived else ""
            yield f"fragment processor {r}.{i}: {stands}{at_barrier}{_due(gpu, core)}"
        flushing = ", waits for the tile flush" if unit.blending.flushing else ""
        yield _line(gpu, f"blending {r}", unit.blending, f"{_of(unit.blending.queue)} quads queued{flushing}")
    for k in range(gpu.caches):
        cache = gpu.cache[k]
        requests = sum(int(gpu.port[cache.first_port + p].request.count) for p in range(cache.ports))
        if requests or cache.mshrs_used:
            misses = f"{int(cache.mshrs_used)} of {int(cache.mshrs)} MSHRs in use"
            yield f"{CACHE_TYPES[int(cache.type)]} {k}: {requests} requests wait, {misses}{_due(gpu, cache)}"
    if gpu.dram.queue.count:
        yield f"dram: {_of(gpu.dram.queue)} requests queued{_due(gpu, gpu.dram)}"
    idle = sum(1 for owner in accounted(gpu) if owner.cause == IDLE)
    yield f"{idle} units have nothing to do"


def _of(ring: Any) -> str:
    return f"{int(ring.count)} of {int(ring.depth)}"


def _due(gpu: Any, owner: Any) -> str:
    wake = next_call_of(gpu, int(owner.id))
    return ", to be woken by another" if wake >= NEVER else f", next at cycle {wake}"


def _line(gpu: Any, name: str, owner: Any, stands: str) -> str:
    return f"{name}: {CAUSES.get(int(owner.cause), 'at work')}; {stands}{_due(gpu, owner)}"
