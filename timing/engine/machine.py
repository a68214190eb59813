"""All registers of a tile-based GPU in one record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..memory.cache import CACHE
from ..memory.dram.unit import DRAM
from ..memory.lines import LINES
from ..memory.request import PORTS
from ..units.blending import BLENDING
from ..units.command_processor import COMMAND_PROCESSOR
from ..units.early_depth import EARLY_DEPTH
from ..units.polygon_list_builder import POLYGON_LIST_BUILDER
from ..units.primitive_assembly import PRIMITIVE_ASSEMBLY
from ..units.processor import PROCESSOR
from ..units.rasterizer import RASTERIZER
from ..units.texture_unit import TEXTURE_UNIT
from ..units.tile_fetcher import TILE_FETCHER
from ..units.tile_flush import TILE_FLUSH
from ..units.transfer_unit import TRANSFER_UNIT
from ..units.vertex_fetcher import VERTEX_FETCHER
from .account import OCCUPANCY, QUEUES
from .calendar import CALENDAR, MAX_UNITS
from .records import (
    MAX_MAPPINGS,
    MAX_PORTS,
    MAX_PROCESSORS,
    MAX_RASTER_UNITS,
    MAX_TEXTURE_UNITS,
    MAX_TILE_QUADS,
    TOKEN,
    record,
    ring,
)

MAX_CACHES = 80

UNIT_KINDS = (
    "dram",
    "cache",
    "tile_flush",
    "blending",
    "texture_unit",
    "fragment_processor",
    "early_depth",
    "rasterizer",
    "tile_fetcher",
    "polygon_list_builder",
    "primitive_assembly",
    "vertex_processor",
    "vertex_fetcher",
    "transfer_unit",
    "command_processor",
)
"""Kinds of units. A unit is ticked before those that feed it, so what is handed over is seen one cycle later."""
(
    DRAM_KIND,
    CACHE_KIND,
    TILE_FLUSH_KIND,
    BLENDING_KIND,
    TEXTURE_UNIT_KIND,
    FRAGMENT_PROCESSOR_KIND,
    EARLY_DEPTH_KIND,
    RASTERIZER_KIND,
    TILE_FETCHER_KIND,
    POLYGON_LIST_BUILDER_KIND,
    PRIMITIVE_ASSEMBLY_KIND,
    VERTEX_PROCESSOR_KIND,
    VERTEX_FETCHER_KIND,
    TRANSFER_UNIT_KIND,
    COMMAND_PROCESSOR_KIND,
) = range(len(UNIT_KINDS))

UNIT = record(kind="i4", a="i4", b="i4")
"""Unit as the clock knows it; a and b say which of its kind (Raster Unit and processor)."""

INPUT_TOKEN = record(token=TOKEN, processor="i8")
"""Quad, or end of a tile, in the queue that all Fragment Processors of a Raster Unit share."""

RASTER_UNIT = record(
    rasterizer=RASTERIZER,
    early_depth=EARLY_DEPTH,
    processor=(PROCESSOR, (MAX_PROCESSORS,)),
    input=ring(INPUT_TOKEN, 1024),
    input_taken="i8",
    arrived="i8",
    busy_tiles="i8",
    imbalance_ppm="i8",
    blending=BLENDING,
)


def gpu_record(states: Mapping[str, np.dtype[Any]]) -> np.dtype[Any]:
    """Record of a machine whose techniques have registers of these types."""
    return record(
        technique=record(none="i8", **states),
        cycle="i8",
        stuck="i8",
        ticks="i8",
        calendar=CALENDAR,
        unit=(UNIT, (MAX_UNITS,)),
        line_bytes="i8",
        line_shift="i8",
        tile_width="i8",
        tile_height="i8",
        raster_units="i8",
        tile_assignment="i8",
        fragment_processors="i8",
        vertex_processors="i8",
        quad_processor=("i4", (MAX_MAPPINGS * MAX_TILE_QUADS,)),
        shared_input="i8",
        caches="i8",
        looks="i8",
        occupancy=(OCCUPANCY, (len(QUEUES),)),
        command_processor=COMMAND_PROCESSOR,
        vertex_fetcher=VERTEX_FETCHER,
        vertex_processor=(PROCESSOR, (MAX_PROCESSORS,)),
        primitive_assembly=PRIMITIVE_ASSEMBLY,
        polygon_list_builder=POLYGON_LIST_BUILDER,
        tile_fetcher=TILE_FETCHER,
        raster_unit=(RASTER_UNIT, (MAX_RASTER_UNITS,)),
        texture_unit=(TEXTURE_UNIT, (MAX_TEXTURE_UNITS,)),
        tile_flush=TILE_FLUSH,
        transfer_unit=TRANSFER_UNIT,
        waiting=("i4", (MAX_PORTS,)),
        port=PORTS,
        cache=(CACHE, (MAX_CACHES,)),
        line=LINES,
        dram=DRAM,
    )
