"""The immediate-mode GPU of the TEAPOT papers (thesis of 2018, 2.2.1 and appendix A; Decoupled Access/Execute, 2):
primitives go from assembly straight to the Rasterizer, in drawing order; depth and colour lie in memory behind caches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.records import CLEAR, PRIMITIVE
from tilegpu.timing.declare.tiles import Tiles

from ..engine.calendar import poke
from ..engine.jit import inline
from ..engine.machine import Machine
from ..engine.ring import push_token
from ..memory import cache
from ..memory.dram import unit as main_memory
from ..memory.kinds import (
    COLOR_CACHE,
    DEPTH_CACHE,
    INSTRUCTION_CACHE,
    L2_CACHE,
    TEXTURE_CACHE,
    VERTEX_CACHE,
    VERTEX_INSTRUCTION_CACHE,
)
from ..memory.lines import forget_in
from ..units import (
    cache_flush,
    cached_blending,
    cached_depth,
    command_processor,
    fragment_processor,
    primitive_assembly,
    rasterizer,
    texture_unit,
    tile_end,
    transfer_unit,
    vertex_fetcher,
    vertex_processor,
)
from .shared import (
    STATISTICS,
    all_binned,
    caches_kept,
    join_processors,
    no_dispatches,
    no_memory_unit,
    no_pixels,
    none_left,
    processor_caches,
    processor_of,
    texture_unit_of,
)

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.frame import Binning, Commands, RenderPass, Target, TileLog
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from ..units.cache_flush import CacheFlush
    from ..units.cached_depth import CachedDepth
    from ..units.rasterizer import Rasterizer
    from .builder import Builder


CACHES = (
    L2_CACHE,
    VERTEX_CACHE,
    DEPTH_CACHE,
    COLOR_CACHE,
    TEXTURE_CACHE,
    INSTRUCTION_CACHE,
    VERTEX_INSTRUCTION_CACHE,
)
L2, DEPTH, COLOR = CACHES.index(L2_CACHE), CACHES.index(DEPTH_CACHE), CACHES.index(COLOR_CACHE)


@inline
def begin_pass(gpu: Gpu, commands: Commands, render_pass: RenderPass, t: int) -> None:
    """A pass is one tile; what only moves data has none."""
    cache_flush.begin(
        gpu, commands, render_pass.first_tile if render_pass.first_tile < render_pass.last_tile else -1, t
    )


@inline
def to_rasterizer(gpu: Gpu, binning: Binning, primitive: int) -> None:
    """Hand an assembled primitive, or a clear, on to be rasterized."""
    row = binning.primitive[primitive]
    flush: CacheFlush = gpu.cache_flush
    queue = gpu.raster_unit[0].rasterizer.queue
    push_token(queue, PRIMITIVE if row.clear < 0 else CLEAR, flush.tile, binning.bin[row.first_bin].entry)
    poke(gpu, queue.consumer)
    flush.primitives += 1


@inline
def geometry_done(gpu: Gpu, render_pass: RenderPass) -> bool:
    """Whether all primitives of the pass are assembled."""
    return vertex_fetcher.drained(gpu) and primitive_assembly.drained(gpu, render_pass)


@inline
def end_geometry(gpu: Gpu, render_pass: RenderPass) -> None:
    """Let the caches be flushed when the quads of the pass are through."""
    gpu.cache_flush.state = cache_flush.DRAINS
    poke(gpu, gpu.cache_flush.id)


@inline
def drained(gpu: Gpu) -> bool:
    """Whether no quad is left between Rasterizer and blending."""
    rasterizing: Rasterizer = gpu.raster_unit[0].rasterizer
    stage: CachedDepth = gpu.raster_unit[0].cached_depth
    queued = rasterizing.queue.count + rasterizing.last_quad - rasterizing.quad
    return bool(queued + stage.queue.count + stage.flight.count + stage.beyond == 0)


@inline
def note_work(gpu: Gpu, log: TileLog) -> None:
    """Note the work of the Fragment Processors for a pass."""
    tile_end.note_work(gpu, gpu.raster_unit[0], log)


@inline
def flushes(gpu: Gpu, of: Cache) -> bool:
    """Whether a cache is flushed at the end of a pass."""
    return bool(of.type in (DEPTH, COLOR))


@inline
def raster_done(gpu: Gpu) -> bool:
    """Whether what the pass has drawn is in the L2."""
    return bool(gpu.cache_flush.state == cache_flush.RESTS)


@inline
def drawn_to(gpu: Gpu, target: Target) -> None:
    """Drop an attachment from caches that are only read, whose lines of it are outdated."""
    for k in range(gpu.caches):
        if gpu.cache[k].type not in (L2, DEPTH, COLOR):
            forget_in(gpu, gpu.cache[k], target.address, target.size_bytes)


@inline
def finished(gpu: Gpu) -> bool:
    """Whether all passes are done and nothing is on its way to or from memory."""
    if gpu.command_processor.phase != command_processor.FINISHED or main_memory.busy(gpu):
        return False
    under_way = 0
    for k in range(gpu.caches):
        under_way += gpu.cache[k].mshrs_used
        for p in range(gpu.cache[k].first_port, gpu.cache[k].first_port + gpu.cache[k].ports):
            under_way += gpu.waiting[p]
    return bool(under_way == 0)


def check(configuration: Hardware) -> None:
    """One Raster Unit, and quads to processors by their place alone."""
    if configuration.of(Tiles).raster_units != 1:
        raise UserError(f"the immediate-mode machine has 1 Raster Unit, not {configuration.of(Tiles).raster_units}")


def connect(builder: Builder, pixels: str = "cached_blending") -> None:
    """Units to first-level caches, these to the L2, the L2 to main memory; `pixels`: units with a Colour Cache each."""
    gpu = builder.gpu
    for name in ("l2_cache", "vertex_cache", "depth_cache"):
        builder.cache(name)
    for r, i in builder.places(pixels):
        builder.cache("color_cache", r, i)
    processor_caches(builder)
    builder.attach(gpu.command_processor, "l2_cache")
    builder.attach(gpu.vertex_fetcher.lane[0], "vertex_cache", gpu.vertex_fetcher)
    join_processors(builder)
    builder.attach(gpu.transfer_unit, "dram")
    for (r,) in builder.places("cached_depth"):
        builder.attach(gpu.raster_unit[r].cached_depth, "depth_cache")
    for r, i in builder.places(pixels):
        owner = gpu.raster_unit[r][pixels][i]
        builder.attach(owner, ("color_cache", r, i))
        builder.attach(owner, "depth_cache", field="depth_port")


MACHINE = Machine(
    "immediate",
    "immediate-mode: primitives are rasterized as they come, depth and colour lie in memory behind caches",
    units=(
        main_memory.UNIT,
        cache.UNIT,
        cache_flush.UNIT,
        cached_blending.UNIT,
        texture_unit.UNIT,
        fragment_processor.UNIT,
        cached_depth.UNIT,
        rasterizer.UNIT,
        primitive_assembly.UNIT,
        vertex_processor.UNIT,
        vertex_fetcher.UNIT,
        transfer_unit.UNIT,
        command_processor.UNIT,
    ),
    wires={
        "command_processor.draws": "vertex_fetcher.queue",
        "command_processor.transfer_unit": "transfer_unit",
        "command_processor.start_dispatches": no_dispatches,
        "command_processor.dispatches_done": none_left,
        "command_processor.geometry_done": geometry_done,
        "command_processor.draws_binned": all_binned,
        "command_processor.chain_ended": caches_kept,
        "command_processor.start_tiles": end_geometry,
        "command_processor.raster_done": raster_done,
        "command_processor.begin_pass": begin_pass,
        "command_processor.drawn_to": drawn_to,
        "vertex_processor.front_end": "vertex_fetcher",
        "vertex_processor.vertices": "vertex_fetcher.input",
        "vertex_processor.window": "vertex_fetcher.window",
        "primitive_assembly.shaded": "vertex_fetcher.window",
        "primitive_assembly.primitives": "rasterizer.queue",
        "primitive_assembly.hand_on": to_rasterizer,
        "rasterizer.quads": "cached_depth.queue",
        "cached_depth.shading_queue": "fragment_processor.queue",
        "cached_depth.shared_queue": "raster_unit.input",
        "fragment_processor.color_queue": "cached_blending.queue",
        "processor.texture_unit": texture_unit_of,
        "processor.has_memory_room": no_memory_unit,
        "processor.access_pixels": no_pixels,
        "texture_unit.processor_of": processor_of,
        "cached_blending.depth_stage": "cached_depth",
        "cache_flush.drained": drained,
        "cache_flush.flushes": flushes,
        "cache_flush.note_work": note_work,
    },
    caches=CACHES,
    connect=connect,
    finished=finished,
    settle=main_memory.settle,
    listens={"progress": ("command_processor", "cache_flush")},
    callers={
        "pass_begin": "command_processor",
        "draw_begin": "command_processor",
        "geometry_done": "command_processor",
        "pass_done": "command_processor",
        "rasterized": "rasterizer",
        "quad_begin": "cached_depth",
        "quad_ready": "cached_depth",
    },
    statistics=STATISTICS,
    sorts=False,
    check=check,
    parameters=(Tiles,),
    untold=("loaded_bytes", "stored_bytes"),
)
