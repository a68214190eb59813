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
from .calendar import next_call, open_page, poke_at
from .jit import entry, inline, lowest_bit
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
def tick(gpu: Any, frame: Any, u: int, t: int) -> int:
    """Tick one unit; the cycle in which it next has something to do, as far as it knows."""
    which = gpu.unit[u]
    kind = which.kind
    if kind == FRAGMENT_PROCESSOR_KIND:
        return fragment_processor.tick(gpu, frame.shading, which.a, which.b, t)
    if kind == CACHE_KIND:
        return cache.tick(gpu, which.a, t)
    if kind == TEXTURE_UNIT_KIND:
        return texture_unit.tick(gpu, frame.texturing, which.a, t)
    if kind == DRAM_KIND:
        return main_memory.tick(gpu, t)
    if kind == BLENDING_KIND:
        return blending.tick(gpu, frame.commands, frame.depth, which.a, t)
    if kind == EARLY_DEPTH_KIND:
        return early_depth.tick(gpu, frame.commands, frame.depth, which.a, t)
    if kind == RASTERIZER_KIND:
        return rasterizer.tick(gpu, frame.tiling, which.a, t)
    if kind == TILE_FETCHER_KIND:
        return tile_fetcher.tick(gpu, frame.tiling, t)
    if kind == TILE_FLUSH_KIND:
        return tile_flush.tick(gpu, frame.commands, t)
    if kind == VERTEX_PROCESSOR_KIND:
        return vertex_processor.tick(gpu, frame.shading, which.a, t)
    if kind == POLYGON_LIST_BUILDER_KIND:
        return polygon_list_builder.tick(gpu, frame.binning, t)
    if kind == PRIMITIVE_ASSEMBLY_KIND:
        return primitive_assembly.tick(gpu, frame.binning, t)
    if kind == VERTEX_FETCHER_KIND:
        return vertex_fetcher.tick(gpu, frame.vertices, t)
    if kind == TRANSFER_UNIT_KIND:
        return transfer_unit.tick(gpu, frame.commands, t)
    if kind == COMMAND_PROCESSOR_KIND:
        return command_processor.tick(gpu, frame.commands, frame.vertices, t)
    return NEVER


@inline
def tick_called(gpu: Any, frame: Any, k: int, t: int) -> None:
    """Tick the units that are called in this cycle, word k of them, in order; they may call others that come later."""
    today = gpu.calendar.today
    left = today.word[k]
    while left != 0:
        bit = lowest_bit(left)
        today.word[k] &= ~(1 << bit)
        due = tick(gpu, frame, k << 6 | bit, t)
        if due == t + 1:
            today.word[k] |= 1 << bit
        elif due < NEVER:
            poke_at(gpu, k << 6 | bit, due)
        gpu.ticks += 1
        left = today.word[k] & -(2 << bit)


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
    while t < end and not done:
        open_page(gpu, t)
        for k in range(gpu.calendar.words):
            if every:
                gpu.calendar.today.word[k] = gpu.calendar.everybody.word[k]
            tick_called(gpu, frame, k, t)
        done = finished(gpu)
        wake = t + 1
        if not done and not every:
            wake = next_call(gpu, t)
            if wake == NEVER:
                gpu.stuck = 1
                break
            # Where a run ends does not depend on what there is to skip.
            wake = min(wake, end)
        # Nothing changes until then: as many looks at the queues as multiples of the period lie in between.
        looks = ((wake - 1) >> SAMPLE_BITS) - ((t - 1) >> SAMPLE_BITS)
        if looks > 0:
            look_at_queues(gpu, looks)
        t = wake
    gpu.cycle = t
    if done:
        main_memory.settle(gpu, t)
    return done
