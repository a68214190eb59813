"""A GPU of SIMT clusters with immediate tiled rendering (Gubran and Aamodt, ISCA 2019: Emerald, 3.3): vertices and
fragments are shaded by the same cores in warps of 32 threads; primitives go to the clusters whose screen they may
cover; depth tests, blending and all accesses to memory are instructions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.tiles import Tiles

from ..engine.calendar import poke, poke_at
from ..engine.jit import inline
from ..engine.machine import Machine
from ..engine.ring import grow
from ..loading.vertices.clusters import read_clusters
from ..memory import cache
from ..memory.dram import unit as main_memory
from ..memory.kinds import COLOR_CACHE, DEPTH_CACHE, INSTRUCTION_CACHE, L2_CACHE, TEXTURE_CACHE, VERTEX_CACHE
from ..memory.lines import forget_above
from ..units import (
    cache_flush,
    cluster_raster,
    command_processor,
    compute_launcher,
    depth_unit,
    load_store,
    pixel_launcher,
    primitive_distribution,
    simt_core,
    tile_coalescing,
    transfer_unit,
    vertex_launcher,
    vpo,
    warp_operations,
)
from ..units.pixel_launcher import PixelLauncherParameters
from ..units.raster_pipeline import clusters, is_central, rasterizers
from ..units.simt_core import SimtCoreParameters
from ..units.tile_coalescing import TileCoalescingParameters
from ..units.vpo import VpoParameters
from . import dispatch_results, immediate
from .shared import STATISTICS, all_binned, caches_kept

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Commands, Depth, RenderPass, Target, TileLog
    from ..engine.vertex_warp_tables import VertexWarp
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from ..units.depth_unit import DepthUnit
    from ..units.tile_coalescing import TileCoalescing
    from .builder import Builder


OWN = tuple(
    replace(kind, count=rasterizers if kind is DEPTH_CACHE else clusters, mpki="")
    for kind in (VERTEX_CACHE, DEPTH_CACHE, COLOR_CACHE, TEXTURE_CACHE, INSTRUCTION_CACHE)
)
"""L1C, L1Z, L1D, L1T and L1I of each cluster (Table 2); one L1Z for all with a depth unit."""
CACHES = (replace(L2_CACHE, mpki=""), *OWN)
DEPTH, COLOR = ([kind.name for kind in CACHES].index(name) for name in ("depth_cache", "color_cache"))
PORTS = ("texture_cache", "depth_cache", "color_cache", "vertex_cache")
"""Caches of a core's load/store units, in their order."""


@inline
def begin_pass(gpu: Gpu, commands: Commands, render_pass: RenderPass, t: int) -> None:
    """A pass is one tile; what only moves data has none."""
    immediate.begin_pass(gpu, commands, render_pass, t)
    gpu.vertex_launcher.tile = gpu.cache_flush.tile


@inline
def geometry_done(gpu: Gpu, render_pass: RenderPass) -> bool:
    """Whether all draws of the pass were handed on."""
    return vertex_launcher.drained(gpu)


@inline
def end_geometry(gpu: Gpu, render_pass: RenderPass) -> None:
    """Let the caches be flushed when all of the pass is drawn; clears behind its last draw come before."""
    if gpu.vertex_launcher.tile >= 0:
        gpu.vertex_launcher.ending = 1
        poke(gpu, gpu.vertex_launcher.id)
    gpu.cache_flush.state = cache_flush.DRAINS
    poke(gpu, gpu.cache_flush.id)


@inline
def all_drawn(gpu: Gpu) -> bool:
    """Whether nothing that was launched is left anywhere."""
    for k in range(gpu.instances.simt_core):
        if gpu.simt_core[k].drawing > 0 or gpu.vpo[k].buffer.count > 0:
            return False
    for k in range(gpu.instances.cluster_raster):
        if not cluster_raster.drained(gpu, k):
            return False
    for k in range(gpu.instances.tile_coalescing):
        if not tile_coalescing.drained(gpu, k):
            return False
    return gpu.instances.depth_unit == 0 or bool(depth_unit.drained(gpu) and pixel_launcher.is_empty(gpu))


@inline
def drained(gpu: Gpu) -> bool:
    """Whether all of the pass is drawn."""
    return bool(gpu.vertex_launcher.ending == 0 and all_drawn(gpu))


@inline
def flushes(gpu: Gpu, of: Cache) -> bool:
    """Whether a cache is flushed at the end of a pass."""
    return bool(of.type in (DEPTH, COLOR))


@inline
def drawn_to(gpu: Gpu, target: Target) -> None:
    """Drop an attachment from first-level caches, whose lines of it are outdated: they are not coherent, and places
    change their cluster."""
    forget_above(gpu, target.address, target.size_bytes)


@inline
def reserve_room(gpu: Gpu, warp: VertexWarp) -> bool:
    """Keep room for what becomes of a warp of vertices: a mask in all clusters, or its vertices in a central buffer."""
    launched = gpu.vertex_launcher.launched
    if gpu.instances.vpo == 0:
        return bool(primitive_distribution.reserve(gpu, launched, warp.last_lane - warp.first_lane))
    retired = gpu.cluster_raster[0].pmrb.row
    for k in range(1, gpu.vertex_launcher.tiles.clusters):
        retired = min(retired, gpu.cluster_raster[k].pmrb.row)
    return bool(launched - retired < gpu.vertex_launcher.masks)


@inline
def vertices_shaded(gpu: Gpu, k: int, w: int) -> bool:
    """Hand a warp of vertices on from cluster k, if there is room for it."""
    row = gpu.simt_core[k].warp[w].row
    if gpu.instances.vpo > 0:
        return bool(vpo.accept(gpu, k, row))
    primitive_distribution.accept(gpu, row)
    return True


@inline
def note_work(gpu: Gpu, log: TileLog) -> None:
    """Cores have noted it themselves."""


@inline
def fragments_shaded(gpu: Gpu, depth: Depth, clusters: Clusters, k: int, w: int, t: int) -> None:
    """Count the quads of a warp as blended, and let others shade at their place."""
    simt_core.count_blended(gpu, depth, gpu.simt_core[k], w, t)
    depth.log[gpu.simt_core[k].warp[w].tile].shaded_quads += gpu.simt_core[k].warp[w].items
    clusters.busy[gpu.simt_core[k].warp[w].place] -= 1
    vertex_launcher.fragments_end(gpu, t)


@inline
def draw_launched(gpu: Gpu) -> None:
    """All vertices of a draw are under way."""
    if gpu.instances.primitive_distribution > 0:
        primitive_distribution.close(gpu)


@inline
def has_tile_room(gpu: Gpu, k: int) -> bool:
    """Whether what follows a rasterizer takes another raster tile."""
    if gpu.instances.depth_unit > 0:
        return depth_unit.has_room(gpu)
    return tile_coalescing.has_room(gpu, k)


@inline
def accept_tile(gpu: Gpu, k: int, tile: int, hidden: int, due: int) -> None:
    """Hand a raster tile on."""
    if gpu.instances.depth_unit > 0:
        put_tile(gpu, gpu.depth_unit, tile, hidden, due)
    else:
        put_tile(gpu, gpu.tile_coalescing[k], tile, hidden, due)


@inline
def put_tile(gpu: Gpu, stage: DepthUnit | TileCoalescing, tile: int, hidden: int, due: int) -> None:
    """Put a raster tile into a stage's queue."""
    token = grow(stage.input)
    token.tile, token.hidden, token.due = tile, hidden, due
    poke_at(gpu, stage.id, due)


@inline
def room_made(gpu: Gpu, k: int) -> None:
    """A warp has left a core."""
    if gpu.instances.pixel_launcher > 0:
        poke(gpu, gpu.pixel_launcher.id)
        depth_unit.room_for_quads(gpu)
    else:
        poke(gpu, gpu.tile_coalescing[k].id)
    poke(gpu, gpu.vertex_launcher.id)
    compute_launcher.room_made(gpu)


def check(configuration: Hardware) -> None:
    """No Raster Units, and cores that can hold a TC tile."""
    if configuration.of(Tiles).raster_units != 1:
        raise UserError(f"the SIMT machine has clusters, not {configuration.of(Tiles).raster_units} Raster Units")
    spec = configuration.of(VpoParameters)
    if spec.distribution != "central" and (is_central(configuration) or spec.phases == "apart"):
        raise UserError("raster.pipeline = central and vpo.phases = apart need vpo.distribution = central")
    threads = configuration.of(SimtCoreParameters).max_threads
    if is_central(configuration):
        block_threads = configuration.of(PixelLauncherParameters).block_threads
        if block_threads > threads:
            raise UserError(
                f"a block of {block_threads} threads does not fit into a core of {threads}: lower "
                "pixel_launcher.block_threads"
            )
        return
    pixels = configuration.of(TileCoalescingParameters).side_pixels ** 2
    if pixels > threads:
        raise UserError(
            f"a TC tile of {pixels} pixels does not fit into a core of {threads} threads: lower "
            "tile_coalescing.raster_tiles or raise simt_core.max_threads"
        )


def connect(builder: Builder) -> None:
    """Each core's units to their caches, these to the L2; setup, and what vertices become, to the L2 itself."""
    gpu = builder.gpu
    builder.cache("l2_cache")
    for (k,) in builder.places("simt_core"):
        for kind in OWN:
            builder.cache(kind.name, k if kind.count(builder.configuration) > 1 else 0)
    builder.attach(gpu.command_processor, "l2_cache")
    builder.attach(gpu.vertex_launcher, "l2_cache")
    builder.attach(gpu.transfer_unit, "dram")
    for () in builder.places("depth_unit"):
        builder.attach(gpu.depth_unit, "depth_cache")
    for (k,) in builder.places("simt_core"):
        builder.attach(gpu.simt_core[k], ("instruction_cache", k, 0))
        if k < gpu.instances.cluster_raster:
            builder.attach(gpu.cluster_raster[k], "l2_cache")
        for number, name in enumerate(PORTS):
            unit = gpu.load_store[warp_operations.KINDS * k + number]
            builder.attach(unit, (name, k if (name, k, 0) in builder.made else 0, 0))
            if number in (warp_operations.VERTICES, warp_operations.COLORS):
                builder.attach(unit, "l2_cache", field="below")


MACHINE = Machine(
    "simt",
    "SIMT clusters with immediate tiled rendering: one kind of cores for all shaders, depth and blending in them",
    units=(
        main_memory.UNIT,
        cache.UNIT,
        cache_flush.UNIT,
        load_store.UNIT,
        simt_core.UNIT,
        tile_coalescing.UNIT,
        pixel_launcher.UNIT,
        depth_unit.UNIT,
        cluster_raster.UNIT,
        vpo.UNIT,
        primitive_distribution.UNIT,
        vertex_launcher.UNIT,
        compute_launcher.UNIT,
        transfer_unit.UNIT,
        command_processor.UNIT,
    ),
    wires={
        "command_processor.draws": "vertex_launcher.queue",
        "command_processor.transfer_unit": "transfer_unit",
        "command_processor.start_dispatches": compute_launcher.start,
        "command_processor.dispatches_done": compute_launcher.done,
        "compute_launcher.core_of": "simt_core",
        "work_groups.group_ends": compute_launcher.group_ends,
        "command_processor.geometry_done": geometry_done,
        "command_processor.draws_binned": all_binned,
        "command_processor.chain_ended": caches_kept,
        "command_processor.start_tiles": end_geometry,
        "command_processor.raster_done": immediate.raster_done,
        "command_processor.begin_pass": begin_pass,
        "command_processor.drawn_to": drawn_to,
        "vertex_launcher.core_of": "simt_core",
        "vertex_launcher.raster_of": "cluster_raster",
        "vertex_launcher.reserve_room": reserve_room,
        "vertex_launcher.all_drawn": all_drawn,
        "simt_core.has_operation_room": load_store.has_room,
        "simt_core.operations_reason": load_store.of_core,
        "simt_core.accept_operation": load_store.accept,
        "simt_core.vertices_shaded": vertices_shaded,
        "simt_core.room_made": room_made,
        "simt_core.fragments_shaded": fragments_shaded,
        "tile_coalescing.fragments_begin": vertex_launcher.fragments_begin,
        "load_store.core_of": "simt_core",
        "load_store.output_address": warp_operations.output_address,
        "vpo.raster_of": "cluster_raster",
        "primitive_distribution.raster_of": "cluster_raster",
        "vpo.core_of": "simt_core",
        "vertex_launcher.draw_launched": draw_launched,
        "cluster_raster.has_tile_room": has_tile_room,
        "cluster_raster.accept_tile": accept_tile,
        "depth_unit.raster_of": "cluster_raster",
        "depth_unit.has_launch_room": pixel_launcher.has_launch_room,
        "depth_unit.nothing_waits": pixel_launcher.is_empty,
        "depth_unit.accept_quad": pixel_launcher.accept_quad,
        "depth_unit.end_of_pixel_tile": pixel_launcher.end_of_pixel_tile,
        "pixel_launcher.core_of": "simt_core",
        "pixel_launcher.room_for_quads": depth_unit.room_for_quads,
        "pixel_launcher.fragments_begin": vertex_launcher.fragments_begin,
        "primitive_distribution.all_drawn": all_drawn,
        "tile_coalescing.core_of": "simt_core",
        "tile_coalescing.raster_of": "cluster_raster",
        "cache_flush.drained": drained,
        "cache_flush.flushes": flushes,
        "cache_flush.note_work": note_work,
    },
    caches=CACHES,
    connect=connect,
    finished=immediate.finished,
    settle=main_memory.settle,
    listens={"progress": ("command_processor", "cache_flush", "vertex_launcher", "primitive_distribution")},
    callers={
        "pass_begin": "command_processor",
        "draw_begin": "command_processor",
        "geometry_done": "command_processor",
        "pass_done": "command_processor",
    },
    statistics=STATISTICS,
    results=dispatch_results.TABLES,
    sorts=False,
    blends_in_shader=True,
    tests_in_shader=True,
    scalar=True,
    computes=True,
    load=read_clusters,
    raster_tile=4,
    check=check,
    reads={FragmentStage: ("instruction_bytes",)},
    untold=("primitives", "quads", "imbalance", "loaded_bytes", "stored_bytes"),
)
