"""Arm's public names (libGPUCounters) of what some statistics count, where there is one."""

from types import MappingProxyType

ARM_NAMES = MappingProxyType(
    {
        "gpu.cycles": "MaliGPUActiveCy",
        "geometry.primitive_assembly.primitives": "MaliGeomTotalPrim",
        "geometry.primitive_assembly.culled": "MaliGeomTotalCullPrim",
        "geometry.vertex_processor.vertices": "MaliGeomPosShadThread",
        "tiling.polygon_list_builder.primitives": "MaliGeomVisiblePrim",
        "raster.rasterizer.quads": "MaliFragRastQd",
        "raster.early_depth.quads": "MaliFragEZSTestQd",
        "raster.early_depth.killed_quads": "MaliFragEZSKillQd",
        "raster.early_depth.late_quads": "MaliFragLZSTestTd",
        "fragment.processor.quads": "MaliFragWarp",
        "fragment.processor.busy_cycles": "MaliCoreActiveCy",
        "fragment.texture_unit.operations": "MaliTexQuads",
        "fragment.texture_unit.probes": "MaliTexFiltIssueCy",
        "raster.tile_flush.tiles": "MaliFragTile",
        "memory.l2_cache.accesses": "MaliL2CacheLookup",
        "memory.l2_cache.read_misses": "MaliExtBusRd",
        "memory.dram.reads": "MaliExtBusRdBt",
        "memory.dram.writes": "MaliExtBusWrBt",
    }
)
"""Our counts are of our machine: the names say which of Arm's a figure can be compared with, not that they are
equal."""
