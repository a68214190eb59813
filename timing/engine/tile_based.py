"""The tile-based GPU: its clock, and the one entry point `run`.

A unit is ticked when its wake-up time has come. Ticking every unit in every cycle gives the same result.
"""

from __future__ import annotations

from typing import Any

from ..memory import cache
from ..memory.dram import unit as main_memory
from ..units import (
    blending,
    command_processor,
    early_depth,
    fragment_processor,
    polygon_list_builder,
    primitive_assembly,
    rasterizer,
    texture_unit,
    tile_fetcher,
    tile_flush,
    transfer_unit,
    vertex_fetcher,
    vertex_processor,
)
from .account import SAMPLE_BITS, look_at_queues
from .jit import entry, inline, unit
from .machine import (
    BLENDING_KIND,
    CACHE_KIND,
    COMMAND_PROCESSOR_KIND,
    DRAM_KIND,
    EARLY_DEPTH_KIND,
    FRAGMENT_PROCESSOR_KIND,
    POLYGON_LIST_BUILDER_KIND,
    PRIMITIVE_ASSEMBLY_KIND,
    RASTERIZER_KIND,
    TEXTURE_UNIT_KIND,
    TILE_FETCHER_KIND,
    TILE_FLUSH_KIND,
    TRANSFER_UNIT_KIND,
    VERTEX_FETCHER_KIND,
    VERTEX_PROCESSOR_KIND,
)
from .records import NEVER


@inline
def called(gpu: Any, u: int, t: int, every: bool) -> bool:
    """Whether a unit is ticked in this cycle; if so, the wake-up calls it had are spent."""
    if gpu.wake[u] > t and not every:
        return False
    gpu.wake[u] = NEVER
    gpu.ticks += 1
    return True


@inline
def sleep(gpu: Any, u: int, due: int, t: int) -> bool:
    """A unit sleeps until it is due or, as it may have been called meanwhile, until then; whether it goes on next."""
    if due < gpu.wake[u]:
        gpu.wake[u] = due
    return bool(due == t + 1)


@inline
def tick_memory(gpu: Any, t: int, every: bool) -> bool:
    """Main memory and caches; whether one of them goes on in the next cycle."""
    goes_on = False
    for u in range(gpu.first_unit[DRAM_KIND], gpu.first_unit[DRAM_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, main_memory.tick(gpu, t), t)
    for u in range(gpu.first_unit[CACHE_KIND], gpu.first_unit[CACHE_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, cache.tick(gpu, gpu.unit[u].a, t), t)
    return goes_on


@inline
def tick_fragments(gpu: Any, frame: Any, t: int, every: bool) -> bool:
    """From the tile flush back to the Fragment Processors."""
    goes_on = False
    for u in range(gpu.first_unit[TILE_FLUSH_KIND], gpu.first_unit[TILE_FLUSH_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, tile_flush.tick(gpu, frame.commands, t), t)
    for u in range(gpu.first_unit[BLENDING_KIND], gpu.first_unit[BLENDING_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, blending.tick(gpu, frame.commands, frame.depth, gpu.unit[u].a, t), t)
    for u in range(gpu.first_unit[TEXTURE_UNIT_KIND], gpu.first_unit[TEXTURE_UNIT_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, texture_unit.tick(gpu, frame.texturing, gpu.unit[u].a, t), t)
    for u in range(gpu.first_unit[FRAGMENT_PROCESSOR_KIND], gpu.first_unit[FRAGMENT_PROCESSOR_KIND + 1]):
        if called(gpu, u, t, every):
            which = gpu.unit[u]
            goes_on |= sleep(gpu, u, fragment_processor.tick(gpu, frame.shading, which.a, which.b, t), t)
    return goes_on


@inline
def tick_tiles(gpu: Any, frame: Any, t: int, every: bool) -> bool:
    """From the early depth test back to the Tile Fetcher."""
    goes_on = False
    for u in range(gpu.first_unit[EARLY_DEPTH_KIND], gpu.first_unit[EARLY_DEPTH_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, early_depth.tick(gpu, frame.commands, frame.depth, gpu.unit[u].a, t), t)
    for u in range(gpu.first_unit[RASTERIZER_KIND], gpu.first_unit[RASTERIZER_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, rasterizer.tick(gpu, frame.tiling, gpu.unit[u].a, t), t)
    for u in range(gpu.first_unit[TILE_FETCHER_KIND], gpu.first_unit[TILE_FETCHER_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, tile_fetcher.tick(gpu, frame.tiling, t), t)
    return goes_on


@inline
def tick_geometry(gpu: Any, frame: Any, t: int, every: bool) -> bool:
    """From the Polygon List Builder back to the Command Processor."""
    goes_on = False
    for u in range(gpu.first_unit[POLYGON_LIST_BUILDER_KIND], gpu.first_unit[POLYGON_LIST_BUILDER_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, polygon_list_builder.tick(gpu, frame.binning, t), t)
    for u in range(gpu.first_unit[PRIMITIVE_ASSEMBLY_KIND], gpu.first_unit[PRIMITIVE_ASSEMBLY_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, primitive_assembly.tick(gpu, frame.binning, t), t)
    for u in range(gpu.first_unit[VERTEX_PROCESSOR_KIND], gpu.first_unit[VERTEX_PROCESSOR_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, vertex_processor.tick(gpu, frame.shading, gpu.unit[u].a, t), t)
    for u in range(gpu.first_unit[VERTEX_FETCHER_KIND], gpu.first_unit[VERTEX_FETCHER_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, vertex_fetcher.tick(gpu, frame.vertices, t), t)
    for u in range(gpu.first_unit[TRANSFER_UNIT_KIND], gpu.first_unit[TRANSFER_UNIT_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, transfer_unit.tick(gpu, frame.commands, t), t)
    for u in range(gpu.first_unit[COMMAND_PROCESSOR_KIND], gpu.first_unit[COMMAND_PROCESSOR_KIND + 1]):
        if called(gpu, u, t, every):
            goes_on |= sleep(gpu, u, command_processor.tick(gpu, frame.commands, frame.vertices, t), t)
    return goes_on


@inline
def anybody_called(gpu: Any, first: int, last: int, t: int) -> bool:
    """Whether any of some units is ticked in this cycle: without leaving early, so that many are asked at once."""
    some = False
    for u in range(first, last):
        some |= gpu.wake[u] <= t
    return some


@unit
def next_wake(gpu: Any) -> int:
    """Cycle in which some unit has something to do."""
    wake = NEVER
    for u in range(gpu.units):
        wake = min(wake, gpu.wake[u])
    return wake


@inline
def finished(gpu: Any) -> bool:
    """All passes are done and nothing is on its way to or from memory."""
    if gpu.command_processor.phase != command_processor.FINISHED:
        return False
    return not main_memory.busy(gpu)


@entry
def run(gpu: Any, frame: Any, every: bool, cycles: int) -> bool:
    """Run until the frame is finished, but no longer than some cycles.

    Parameters
    ----------
    gpu
        The machine (`engine.machine.gpu_record`); its `cycle` goes on from where it stands.
    frame
        Tables of the frame (`engine.frame.Frame`).
    every
        Tick every unit in every cycle, for tests.
    cycles
        Cycles to run at most.

    Returns
    -------
    bool
        Whether the frame is finished. `gpu.stuck` is set when nothing can happen any more and it is not.
    """
    t = gpu.cycle
    end = t + cycles
    done = False
    units = gpu.units
    geometry = gpu.first_unit[POLYGON_LIST_BUILDER_KIND]
    while t < end and not done:
        # Most cycles have a unit that goes on in the next one: then nobody need be asked when that is.
        goes_on = tick_memory(gpu, t, every)
        goes_on |= tick_fragments(gpu, frame, t, every)
        goes_on |= tick_tiles(gpu, frame, t, every)
        # Geometry and raster stage take turns, so these are at rest most of the time.
        if every or anybody_called(gpu, geometry, units, t):
            goes_on |= tick_geometry(gpu, frame, t, every)
        done = finished(gpu)
        wake = t + 1
        if not done and not goes_on and not every:
            wake = next_wake(gpu)
            if wake == NEVER:
                gpu.stuck = 1
                break
        wake = max(wake, t + 1)
        # Nothing changes until then: as many looks at the queues as multiples of the period lie in between.
        looks = ((wake - 1) >> SAMPLE_BITS) - ((t - 1) >> SAMPLE_BITS)
        if looks > 0:
            look_at_queues(gpu, looks)
        t = wake
    gpu.cycle = t
    if done:
        main_memory.settle(gpu, t)
    return done
