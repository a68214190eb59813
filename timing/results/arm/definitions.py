"""Amounts of Arm's counters in statistics of the machine with unified cores: sums, differences and quotients, in the
unit that the counter has.

Names are those of statistics, of fields (`configuration`) and of what the tiles of a frame give (`tiles`). What Arm
derives from these by an equation of its own is not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Definition(NamedTuple):
    """Amount of a counter; `note`: how it differs from the hardware's, if it does."""

    amount: str
    note: str = ""


SC_BEAT_BYTES = 16
"""Beat of the buses in a core: `MaliSCBusBeatSize`."""


def _beats(lines: str) -> str:
    return f"{lines} * configuration.line_bytes / {SC_BEAT_BYTES}"


MEAN = "a core's engines count as one, by their mean"

CONFIGURED = {
    "MALI_CONFIG_EXT_BUS_BYTE_SIZE": Definition("configuration.bus_bytes"),
    "MALI_CONFIG_L2_CACHE_COUNT": Definition("configuration.l2_caches"),
    "MALI_CONFIG_SHADER_CORE_COUNT": Definition("configuration.cores"),
    "MALI_CONFIG_TIME_SPAN": Definition("configuration.seconds"),
    "MaliGPUWarpSize": Definition("configuration.warp_threads"),
}
QUEUES = {
    "MaliGPUActiveCy": Definition("gpu.cycles"),
    "MaliGPUAnyQueueActiveCy": Definition("gpu.cycles"),
    "MaliFragQueueActiveCy": Definition("gpu.raster_cycles"),
    "MaliNonFragQueueActiveCy": Definition("gpu.geometry_cycles + gpu.compute_cycles"),
    "MaliVertQueueActiveCy": Definition("gpu.geometry_cycles"),
    "MaliCompQueueActiveCy": Definition("gpu.compute_cycles", "cycles in which the stream waits for dispatches"),
    "MaliFragQueueJob": Definition("gpu.passes"),
    "MaliFragQueueTask": Definition("tiles.regions_32"),
    "MaliCompQueueJob": Definition("gpu.dispatches"),
}
MEMORY = {
    "MaliL2CacheLookup": Definition("memory.l2_cache.accesses"),
    "MaliL2CacheRdLookup": Definition(
        "memory.l2_cache.accesses - memory.l2_cache.write_hits - memory.l2_cache.write_misses",
        "requests that join a miss under way count as reads",
    ),
    "MaliL2CacheWrLookup": Definition("memory.l2_cache.write_hits + memory.l2_cache.write_misses"),
    "MaliL2CacheRd": Definition(
        "memory.l2_cache.accesses - memory.l2_cache.write_hits - memory.l2_cache.write_misses",
        "each request is looked up once",
    ),
    "MaliL2CacheWr": Definition(
        "memory.l2_cache.write_hits + memory.l2_cache.write_misses", "each request is looked up once"
    ),
    "MaliL2CacheFlush": Definition("gpu.chain_end.chains", "at the ends of chains of jobs"),
    "MaliExtBusRd": Definition("memory.dram.gpu.reads"),
    "MaliExtBusWr": Definition("memory.dram.gpu.writes"),
    "MaliExtBusRdBt": Definition("memory.dram.gpu.read_beats"),
    "MaliExtBusWrBt": Definition("memory.dram.gpu.write_beats"),
    **{
        f"MaliExtBusRdLat{least}": Definition(f"memory.dram.gpu.read_beats_from_{least}")
        for least in (0, 128, 192, 256, 320, 384)
    },
    **{
        f"MaliExtBusRdOTQ{quarter}": Definition(
            f"memory.l2_cache.asked_up_to_{25 * quarter}", "of the L2's reads, by its MSHRs in use"
        )
        for quarter in (1, 2, 3, 4)
    },
}
GEOMETRY = {
    "MaliTilerActiveCy": Definition("gpu.geometry_cycles", "the tiler has work as long as a pass has geometry"),
    "MaliGeomVisiblePrim": Definition(
        "geometry.primitive_assembly.primitives - geometry.primitive_assembly.culled",
        "parts of clipped primitives count each",
    ),
    "MaliGeomTrianglePrim": Definition("geometry.primitive_assembly.triangles"),
    "MaliGeomLinePrim": Definition("geometry.primitive_assembly.lines"),
    "MaliGeomPointPrim": Definition("geometry.primitive_assembly.points"),
    "MaliGeomFrontFacePrim": Definition("geometry.primitive_assembly.front_facing"),
    "MaliGeomBackFacePrim": Definition("geometry.primitive_assembly.back_facing"),
    "MaliGeomFaceXYPlaneCullPrim": Definition("geometry.primitive_assembly.culled_by_sides"),
    "MaliGeomZPlaneCullPrim": Definition("geometry.primitive_assembly.culled_by_depth"),
    "MaliGeomSampleCullPrim": Definition(
        "geometry.primitive_assembly.culled_by_samples", "those without an area among them"
    ),
    "MaliGeomPosShadTask": Definition("simt.core.vertex_tasks", "programs of vertices are not split into two parts"),
    "MaliTilerRdBt": Definition(_beats("geometry.vertex_fetcher.index_requests"), "indices"),
    "MaliTilerPosCacheHit": Definition("geometry.vertex_fetcher.reused"),
    "MaliTilerPosCacheMiss": Definition("geometry.vertex_fetcher.vertices"),
}
FRAGMENTS = {
    "MaliFragActiveCy": Definition("tiles.fragment_cycles"),
    "MaliNonFragActiveCy": Definition("simt.core.non_fragment_cycles"),
    "MaliFragRdPrim": Definition("tiling.tile_fetcher.primitives"),
    "MaliFragRastPrim": Definition("raster.rasterizer.primitives"),
    "MaliFragRastQd": Definition("raster.rasterizer.quads"),
    "MaliFragRastPartQd": Definition("raster.early_depth.partial_quads"),
    "MaliFragOpaqueQd": Definition("techniques.forward_pixel_kill.occluding_quads"),
    "MaliFragEZSTestQd": Definition("raster.early_depth.tested_quads"),
    "MaliFragEZSUpdateQd": Definition("raster.early_depth.updated_quads"),
    "MaliFragEZSKillQd": Definition("raster.early_depth.killed_quads"),
    "MaliFragLZSTestQd": Definition("raster.early_depth.late_quads"),
    "MaliFragLZSKillQd": Definition("raster.late_depth.killed_quads"),
    "MaliFragTile": Definition("tiles.regions"),
    "MaliFragTileKill": Definition("techniques.transaction_elimination.eliminated_tiles"),
}
CORES = {
    "MaliCoreActiveCy": Definition(
        "simt.core.busy_cycles + simt.core.memory_stall_cycles + simt.core.code_stall_cycles"
        " + simt.core.result_stall_cycles + simt.core.output_cycles + simt.core.barrier_stall_cycles"
    ),
    "MaliNonFragWarp": Definition("simt.core.vertex_warps + simt.core.compute_warps"),
    "MaliFragWarp": Definition("simt.core.fragment_warps"),
    "MaliCoreFullWarp": Definition("simt.core.full_warps"),
    "MaliCoreAllRegsWarp": Definition("simt.core.wide_warps", "registers as this compiler allocates them"),
    "MaliEngDivergedInstr": Definition("simt.core.divergent_instructions / configuration.engines", MEAN),
    "MaliEngICacheMiss": Definition("memory.instruction_cache.read_misses"),
    "MaliVarInstr": Definition("simt.core.varying_instructions"),
    "MaliVarIssueCy": Definition("simt.core.varying_cycles"),
}
TEXTURES = {
    "MaliTexQuads": Definition("simt.load_store.texture_quads"),
    "MaliTexQuadPass": Definition("simt.load_store.texture_passes", "a bilinear probe of a quad each"),
    "MaliTexFiltIssueCy": Definition("simt.load_store.filter_cycles"),
    "MaliTexCacheLookup": Definition("memory.texture_cache.accesses"),
    "MaliTexCacheFetch": Definition("memory.texture_cache.fills"),
}
LOAD_STORE = {
    "MaliLSRdCy": Definition(
        "simt.load_store.reads + geometry.vertex_fetcher.vertex_requests", "a line each; attributes among them"
    ),
    "MaliLSWrCy": Definition(
        "simt.load_store.writes + tiling.polygon_list_builder.record_writes", "a line each; varyings among them"
    ),
    "MaliLSAtomic": Definition("simt.load_store.atomics", "a line each"),
}
BUSES = {
    "MaliSCBusFFEL2RdBt": Definition(_beats("memory.tile_cache.fills")),
    "MaliSCBusFFEExtRdBt": Definition(
        f"(memory.dram.read_bytes.primitive_list + memory.dram.read_bytes.primitive_attributes) / {SC_BEAT_BYTES}",
        "without descriptors",
    ),
    "MaliSCBusLSL2RdBt": Definition(
        _beats("(memory.data_cache.fills + memory.vertex_cache.misses.vertex)"), "attributes among them"
    ),
    "MaliSCBusLSExtRdBt": Definition(
        f"(memory.dram.read_bytes.vertex + memory.dram.read_bytes.compute) / {SC_BEAT_BYTES}", "attributes among them"
    ),
    "MaliSCBusLSWrBt": Definition(
        f"(simt.load_store.write_bytes + tiling.polygon_list_builder.record_bytes) / {SC_BEAT_BYTES}",
        "varyings among them",
    ),
    "MaliSCBusTexL2RdBt": Definition(_beats("memory.texture_cache.fills")),
    "MaliSCBusTexExtRdBt": Definition(f"memory.dram.read_bytes.texture / {SC_BEAT_BYTES}"),
    "MaliSCBusOtherL2RdBt": Definition(_beats("memory.instruction_cache.fills"), "code"),
    "MaliSCBusTileWrBt": Definition(
        f"(memory.dram.write_bytes.color + memory.dram.write_bytes.depth) / {SC_BEAT_BYTES}",
        "tiles are written past the L2",
    ),
}

DEFINITIONS = MappingProxyType(
    {**CONFIGURED, **QUEUES, **MEMORY, **GEOMETRY, **FRAGMENTS, **CORES, **TEXTURES, **LOAD_STORE, **BUSES}
)
"""By counter."""
PIPES = {
    "MaliEngFMAInstr": Definition("simt.core.fma_pipe_instructions / configuration.engines", MEAN),
    "MaliEngCVTInstr": Definition("simt.core.cvt_pipe_instructions / configuration.engines", MEAN),
    "MaliEngSFUInstr": Definition("simt.core.sfu_pipe_instructions / configuration.engines", MEAN),
}
BY_GPU: Mapping[str, Mapping[str, Definition]] = MappingProxyType(
    {
        "G52": {"MaliEngInstr": Definition("simt.core.scalar_instructions / configuration.engines", f"tuples; {MEAN}")},
        "G77": PIPES | {"MaliTexOutMsg": Definition("simt.load_store.texture_quads", "a message per quad")},
        "G78": PIPES | {"MaliTexOutMsg": Definition("simt.load_store.texture_quads", "a message per quad")},
        "G710": PIPES,
    }
)
"""Counters of single GPUs."""


def definition(name: str, gpu: str) -> Definition | None:
    """The amount of a counter of a GPU, if it is defined by statistics."""
    return BY_GPU.get(gpu, {}).get(name) or DEFINITIONS.get(name)
