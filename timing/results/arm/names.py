"""Arm's public counter names (libGPUCounters) of the statistics that have one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from .definitions import DEFINITIONS
from .expressions import names

if TYPE_CHECKING:
    from ...config.schema import Configuration

ARM_NAMES = MappingProxyType(
    {
        "gpu.cycles": "MaliGPUActiveCy",
        "geometry.primitive_assembly.primitives": "MaliGeomTotalPrim",
        "geometry.primitive_assembly.culled": "MaliGeomTotalCullPrim",
        "geometry.vertex_processor.vertices": "MaliGeomPosShadThread",
        "tiling.polygon_list_builder.primitives": "MaliGeomVisiblePrim",
        "raster.rasterizer.quads": "MaliFragRastQd",
        "raster.early_depth.tested_quads": "MaliFragEZSTestQd",
        "raster.early_depth.killed_quads": "MaliFragEZSKillQd",
        "raster.early_depth.late_quads": "MaliFragLZSTestQd",
        "fragment.processor.quads": "MaliFragShadedQd",
        "fragment.processor.busy_cycles": "MaliCoreActiveCy",
        "fragment.texture_unit.operations": "MaliTexQuads",
        "fragment.texture_unit.probes": "MaliTexFiltIssueCy",
        "raster.tile_flush.tiles": "MaliFragTile",
        "memory.l2_cache.accesses": "MaliL2CacheLookup",
        "memory.dram.reads": "MaliExtBusRd",
        "memory.dram.writes": "MaliExtBusWr",
    }
)
"""Counters of Arm's to compare a statistic with, not equal ones, on machines without Arm's unified cores; for those the
counters are in `values`."""


def arm_names(configuration: Configuration) -> Mapping[str, str]:
    """Names of Arm's counters by statistic: with unified cores, those that one statistic makes up; else the nearest
    ones."""
    if configuration.machine != "unified":
        return ARM_NAMES
    amounts = ((counter.amount, name) for name, counter in DEFINITIONS.items())
    return {amount: name for amount, name in reversed([*amounts]) if names(amount) == [amount]}
