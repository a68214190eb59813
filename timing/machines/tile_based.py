"""The tile-based GPU of the TEAPOT papers: geometry is binned, then the tiles are rasterized (sort-middle)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tilegpu.timing.declare.tiles import Tiles

from ..engine import wiring
from ..engine.jit import inline
from ..engine.machine import Machine
from ..engine.ring import hand
from ..memory import cache
from ..memory.dram import unit as main_memory
from ..memory.kinds import (
    INSTRUCTION_CACHE,
    L2_CACHE,
    TEXTURE_CACHE,
    TILE_CACHE,
    VERTEX_CACHE,
    VERTEX_INSTRUCTION_CACHE,
)
from ..memory.lines import forget
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
    tile_scheduler,
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
    from ..engine.frame import Binning, Commands, RenderPass, Target
    from ..memory.gpu import Gpu
    from .builder import Builder


@inline
def to_polygon_list_builder(gpu: Gpu, binning: Binning, primitive: int) -> None:
    """Hand an assembled primitive on to be binned."""
    hand(gpu, gpu.polygon_list_builder.queue, primitive)


@inline
def geometry_done(gpu: Gpu, render_pass: RenderPass) -> bool:
    """Whether all primitives of the pass are in the lists of their tiles."""
    return (
        vertex_fetcher.drained(gpu)
        and primitive_assembly.drained(gpu, render_pass)
        and polygon_list_builder.drained(gpu)
    )


@inline
def draws_binned(gpu: Gpu, primitives: int) -> bool:
    """Whether the first primitives of the frame, up to a number, are in the lists of their tiles, and nothing is under
    way."""
    if primitives == 0:
        return True
    assembled = gpu.primitive_assembly.primitive >= primitives
    return bool(assembled and vertex_fetcher.drained(gpu) and polygon_list_builder.drained(gpu))


@inline
def start_tiles(gpu: Gpu, render_pass: RenderPass) -> None:
    """Set the raster stage on the tiles of the pass."""
    gpu.tile_flush.done = 0
    tile_fetcher.start(gpu, render_pass)


@inline
def begin_pass(gpu: Gpu, commands: Commands, render_pass: RenderPass, t: int) -> None:
    """Nothing to prepare: each tile is, when it begins."""


@inline
def drawn_to(gpu: Gpu, target: Target) -> None:
    """Drop an attachment from caches, whose lines of it are outdated: the flush bypassed them."""
    forget(gpu, target.address, target.size_bytes)


@inline
def raster_done(gpu: Gpu) -> bool:
    """Whether the colours of all tiles of the pass are written."""
    return tile_fetcher.drained(gpu, gpu.tile_flush.done)


@inline
def all_written(gpu: Gpu) -> bool:
    """Whether nothing is on its way to or from main memory."""
    return not main_memory.busy(gpu)


@inline
def finished(gpu: Gpu) -> bool:
    """Whether all is done and nothing is on its way to or from memory; or the next frame's tables are needed."""
    phase = gpu.command_processor.phase
    if phase == command_processor.HANDED:
        return True
    if phase != command_processor.FINISHED and phase != command_processor.READY:
        return False
    return not main_memory.busy(gpu)


def connect(builder: Builder) -> None:
    """Units to first-level caches, these to the L2, the L2 and the tiles' pixels to main memory."""
    connect_around(builder, processor_caches, join_processors)


def connect_around(
    builder: Builder, core_caches: Callable[[Builder], None], join_cores: Callable[[Builder], None]
) -> None:
    """Connect what surrounds the cores of a tile-based machine, and these as the functions say: `core_caches` makes
    their caches, `join_cores` joins them to these."""
    gpu = builder.gpu
    for name in ("l2_cache", "vertex_cache", "tile_cache"):
        builder.cache(name)
    core_caches(builder)
    builder.attach(gpu.command_processor, "l2_cache")
    builder.attach(gpu.vertex_fetcher.lane[0], "vertex_cache", gpu.vertex_fetcher)
    for owner in (gpu.polygon_list_builder, gpu.tile_fetcher):
        builder.attach(owner, "tile_cache")
    join_cores(builder)
    builder.attach(gpu.tile_flush.transfer, "dram", gpu.tile_flush)
    builder.attach(gpu.transfer_unit, "dram")
    for (r,) in builder.places("early_depth"):
        for owner in (gpu.raster_unit[r].early_depth, gpu.raster_unit[r].blending):
            builder.attach(owner.transfer, "dram", owner)


WIRES: dict[str, wiring.Target] = {
    "command_processor.draws": "vertex_fetcher.queue",
    "command_processor.transfer_unit": "transfer_unit",
    "command_processor.geometry_done": geometry_done,
    "command_processor.start_tiles": start_tiles,
    "command_processor.raster_done": raster_done,
    "command_processor.begin_pass": begin_pass,
    "command_processor.drawn_to": drawn_to,
    "primitive_assembly.shaded": "vertex_fetcher.window",
    "primitive_assembly.primitives": "polygon_list_builder.queue",
    "primitive_assembly.hand_on": to_polygon_list_builder,
    "tile_fetcher.tile_queue": "rasterizer.queue",
    "tile_fetcher.tile_flush": "tile_flush",
    "tile_fetcher.ask_tile": tile_fetcher.ask_techniques,
    "tile_fetcher.all_written": all_written,
    "tile_fetcher.assign": tile_scheduler.choose,
    "tile_scheduler.tile_queue": "rasterizer.queue",
    "rasterizer.quads": "early_depth.queue",
    "early_depth.shared_queue": "raster_unit.input",
    "blending.depth_stage": "early_depth",
    "blending.tile_flush": "tile_flush",
    "tile_flush.colors": "blending",
}
"""Wires of what surrounds the cores of a tile-based machine."""

MACHINE = Machine(
    "tile_based",
    "tile-based: geometry is binned, then tiles are rasterized by one or more Raster Units",
    units=(
        main_memory.UNIT,
        cache.UNIT,
        tile_flush.UNIT,
        blending.UNIT,
        texture_unit.UNIT,
        fragment_processor.UNIT,
        early_depth.UNIT,
        rasterizer.UNIT,
        tile_fetcher.UNIT,
        polygon_list_builder.UNIT,
        primitive_assembly.UNIT,
        vertex_processor.UNIT,
        vertex_fetcher.UNIT,
        transfer_unit.UNIT,
        command_processor.UNIT,
    ),
    wires=WIRES
    | {
        "command_processor.draws_binned": all_binned,
        "command_processor.chain_ended": caches_kept,
        "command_processor.start_dispatches": no_dispatches,
        "command_processor.dispatches_done": none_left,
        "vertex_processor.front_end": "vertex_fetcher",
        "vertex_processor.vertices": "vertex_fetcher.input",
        "vertex_processor.window": "vertex_fetcher.window",
        "early_depth.shading_queue": "fragment_processor.queue",
        "fragment_processor.color_queue": "blending.queue",
        "processor.texture_unit": texture_unit_of,
        "processor.has_memory_room": no_memory_unit,
        "processor.access_pixels": no_pixels,
        "texture_unit.processor_of": processor_of,
    },
    caches=(L2_CACHE, VERTEX_CACHE, TILE_CACHE, TEXTURE_CACHE, INSTRUCTION_CACHE, VERTEX_INSTRUCTION_CACHE),
    connect=connect,
    finished=finished,
    settle=main_memory.settle,
    listens={"progress": ("command_processor",), "tile_done": ("tile_fetcher",)},
    callers={
        "pass_begin": "command_processor",
        "draw_begin": "command_processor",
        "geometry_done": "command_processor",
        "pass_done": "command_processor",
        "primitive_begin": "polygon_list_builder",
        "binned": "polygon_list_builder",
        "next_tile": "tile_fetcher",
        "next_primitive": "tile_fetcher",
        "tile_request": "tile_fetcher",
        "depth_load": "early_depth",
        "quad_begin": "early_depth",
        "rasterized": "rasterizer",
        "tile_rasterized": "rasterizer",
        "quad_ready": "early_depth",
        "tile_flush": "tile_flush",
    },
    statistics=STATISTICS,
    parameters=(Tiles,),
)
