"""The tile-based GPU with unified cores, as Arm's since Midgard: geometry is binned and tiles are rasterized as on the
machine of the TEAPOT papers, but vertices, fragments and compute programs are executed by the same cores in warps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.tiles import Tiles

from ..engine.calendar import poke
from ..engine.jit import inline
from ..engine.machine import Machine
from ..loading.vertices.unified import read_unified
from ..memory import cache
from ..memory.dram import unit as main_memory
from ..memory.kinds import DATA_CACHE, INSTRUCTION_CACHE, L2_CACHE, TEXTURE_CACHE, TILE_CACHE, VERTEX_CACHE
from ..units import (
    blending,
    command_processor,
    compute_launcher,
    early_depth,
    fragment_warp_launcher,
    job_manager,
    load_store,
    polygon_list_builder,
    primitive_assembly,
    rasterizer,
    simt_core,
    tile_fetcher,
    tile_flush,
    transfer_unit,
    vertex_fetcher,
    vertex_warp_launcher,
    warp_operations,
)
from ..units.command_processor import CommandProcessorParameters
from ..units.raster_pipeline import clusters
from . import dispatch_results, tile_based
from .shared import STATISTICS

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.frame import Depth
    from ..engine.unified_tables import Unified
    from ..memory.gpu import Gpu
    from .builder import Builder


OWN = tuple(replace(kind, count=clusters, mpki="") for kind in (TEXTURE_CACHE, DATA_CACHE, INSTRUCTION_CACHE))
"""First-level caches of each core."""
CACHES = (replace(L2_CACHE, mpki=""), replace(VERTEX_CACHE, count=vertex_warp_launcher.lanes), TILE_CACHE, *OWN)


@inline
def fragments_shaded(gpu: Gpu, depth: Depth, unified: Unified, k: int, w: int, t: int) -> None:
    """Hand a warp of fragments on to blending."""
    fragment_warp_launcher.fragments_shaded(gpu, k, w)


@inline
def no_outputs(gpu: Gpu, row: int, slot: int) -> int:
    """Programs of this machine store no outputs."""
    return 0


@inline
def room_made(gpu: Gpu, k: int) -> None:
    """A warp has left a core."""
    poke(gpu, gpu.vertex_warp_launcher.id)
    for r in range(gpu.raster_units):
        poke(gpu, gpu.raster_unit[r].fragment_warp_launcher.id)
    compute_launcher.room_made(gpu)


def check(configuration: Hardware) -> None:
    """No overlap of passes, for cores hold the programs of one frame."""
    if configuration.of(CommandProcessorParameters).overlap != "none":
        raise UserError("cores that vertices and fragments share need command_processor.overlap = none")


def core_caches(builder: Builder) -> None:
    """First-level caches of the cores."""
    for k in range(1, vertex_warp_launcher.lanes(builder.configuration)):
        builder.cache("vertex_cache", k)
    for (k,) in builder.places("simt_core"):
        for kind in OWN:
            builder.cache(kind.name, k)


def join_cores(builder: Builder) -> None:
    """Each core's units to its caches; stores and atomic operations past them to the L2."""
    gpu = builder.gpu
    for k in range(1, vertex_warp_launcher.lanes(builder.configuration)):
        builder.attach(gpu.vertex_fetcher.lane[k], ("vertex_cache", k, 0), gpu.vertex_fetcher)
    for (k,) in builder.places("simt_core"):
        builder.attach(gpu.simt_core[k], ("instruction_cache", k, 0))
        for number in range(warp_operations.KINDS):
            unit = gpu.load_store[warp_operations.KINDS * k + number]
            name = "texture_cache" if number == warp_operations.TEXTURES else "data_cache"
            builder.attach(unit, (name, k, 0))
            if number in (warp_operations.VERTICES, warp_operations.COLORS):
                builder.attach(unit, "l2_cache", field="below")


def connect(builder: Builder) -> None:
    """Units to first-level caches, these to the L2, the L2 and the tiles' pixels to main memory."""
    tile_based.connect_around(builder, core_caches, join_cores)


MACHINE = Machine(
    "unified",
    "tile-based with unified cores: warps of vertices, fragments and compute programs on the same cores",
    units=(
        main_memory.UNIT,
        cache.UNIT,
        tile_flush.UNIT,
        blending.UNIT,
        load_store.UNIT,
        replace(simt_core.UNIT, statistics=simt_core.COUNTED),
        fragment_warp_launcher.UNIT,
        early_depth.UNIT,
        rasterizer.UNIT,
        replace(tile_fetcher.UNIT, parameters=job_manager.TILE_PARAMETERS, setup=job_manager.setup_tiles),
        polygon_list_builder.UNIT,
        primitive_assembly.UNIT,
        vertex_warp_launcher.UNIT,
        vertex_fetcher.UNIT,
        compute_launcher.UNIT,
        transfer_unit.UNIT,
        job_manager.UNIT,
        replace(command_processor.UNIT, parameters=job_manager.PARAMETERS, setup=job_manager.setup),
    ),
    wires=tile_based.WIRES
    | {
        "command_processor.draws_binned": tile_based.draws_binned,
        "command_processor.chain_ended": job_manager.chain_ended,
        "command_processor.start_dispatches": compute_launcher.start,
        "command_processor.dispatches_done": compute_launcher.done,
        "compute_launcher.core_of": "simt_core",
        "work_groups.group_ends": compute_launcher.group_ends,
        "vertex_warp_launcher.front_end": "vertex_fetcher",
        "vertex_warp_launcher.vertices": "vertex_fetcher.input",
        "vertex_warp_launcher.window": "vertex_fetcher.window",
        "vertex_warp_launcher.core_of": "simt_core",
        "early_depth.shading_queue": "fragment_warp_launcher.queue",
        "fragment_warp_launcher.color_queue": "blending.queue",
        "fragment_warp_launcher.core_of": "simt_core",
        "simt_core.has_operation_room": load_store.has_room,
        "simt_core.operations_reason": load_store.of_core,
        "simt_core.accept_operation": load_store.accept,
        "simt_core.vertices_shaded": vertex_warp_launcher.vertices_shaded,
        "simt_core.fragments_shaded": fragments_shaded,
        "simt_core.room_made": room_made,
        "load_store.core_of": "simt_core",
        "load_store.output_address": no_outputs,
    },
    caches=CACHES,
    connect=connect,
    finished=tile_based.finished,
    settle=main_memory.settle,
    listens={"progress": ("command_processor",), "tile_done": ("tile_fetcher",)},
    callers=tile_based.MACHINE.callers,
    statistics=STATISTICS,
    results=dispatch_results.TABLES,
    scalar=True,
    computes=True,
    load=read_unified,
    check=check,
    parameters=(Tiles,),
    reads={FragmentStage: ("instruction_bytes",)},
    untold=("imbalance",),
)
