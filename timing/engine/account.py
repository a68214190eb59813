"""What units spend their cycles on, and how full the queues between them are."""

from __future__ import annotations

from typing import Any

from .jit import inline, unit
from .records import Field, record

BUSY, WAITING, BLOCKED, IDLE = range(4)
"""At work; waiting for memory or for another unit's results; unable to hand on; with nothing to do."""
CAUSES = ("busy", "waiting", "blocked", "idle")

ACCOUNT: dict[str, Field] = {"cause": "i8", "since": "i8", "spent": ("i8", (len(CAUSES),))}
"""Registers of a unit whose cycles are accounted for."""

QUEUES = (
    "vertex_input",
    "primitive",
    "primitive_table",
    "tile",
    "post_rasterization",
    "fragment",
    "color",
    "texture_operations",
    "l2_mshrs",
    "dram",
)
"""Queues that are looked at every SAMPLE_CYCLES; those of several units of a kind count together."""
(
    VERTEX_INPUT,
    PRIMITIVE_QUEUE,
    PRIMITIVE_TABLE,
    TILE_QUEUE,
    POST_RASTERIZATION,
    FRAGMENT_QUEUE,
    COLOR_QUEUE,
    TEXTURE_OPERATIONS,
    L2_MSHRS,
    DRAM_QUEUE,
) = range(len(QUEUES))

SAMPLE_BITS = 6
SAMPLE_CYCLES = 1 << SAMPLE_BITS
OCCUPANCY = record(entries="i8", full="i8", looks="i8")


@inline
def become(owner: Any, cause: int, t: int) -> None:
    """From cycle t on the unit is found doing this; where that is news, book the time before on what it did then."""
    if cause != owner.cause:
        owner.spent[owner.cause] += t - owner.since
        owner.since = t
        owner.cause = cause


@inline
def account(owner: Any, t: int) -> None:
    """Book the time since the last tick on what the unit was found doing then."""
    owner.spent[owner.cause] += t - owner.since
    owner.since = t


@unit
def look(gpu: Any, queue: int, entries: int, depth: int, times: int) -> None:
    occupancy = gpu.occupancy[queue]
    occupancy.entries += entries * times
    occupancy.looks += times
    if entries >= depth:
        occupancy.full += times


@unit
def look_at_queues(gpu: Any, times: int) -> None:
    """Add up how full the queues are, for some looks between which nothing happened."""
    vertices = gpu.vertex_fetcher.input
    look(gpu, VERTEX_INPUT, vertices.count, vertices.depth, times)
    builder = gpu.polygon_list_builder
    look(gpu, PRIMITIVE_QUEUE, builder.queue.count, builder.queue.depth, times)
    table = gpu.tile_fetcher.table
    look(gpu, PRIMITIVE_TABLE, table.count, table.depth, times)
    for r in range(gpu.raster_units):
        raster_unit = gpu.raster_unit[r]
        look(gpu, TILE_QUEUE, raster_unit.rasterizer.queue.count, raster_unit.rasterizer.queue.depth, times)
        look(gpu, POST_RASTERIZATION, raster_unit.early_depth.queue.count, raster_unit.early_depth.queue.depth, times)
        look(gpu, COLOR_QUEUE, raster_unit.blending.queue.count, raster_unit.blending.queue.depth, times)
        if gpu.shared_input != 0:
            look(gpu, FRAGMENT_QUEUE, raster_unit.input.count, raster_unit.input.depth, times)
        for i in range(gpu.fragment_processors):
            core = raster_unit.processor[i]
            operations = gpu.texture_unit[core.texture_unit].operation
            look(gpu, TEXTURE_OPERATIONS, operations.count, operations.depth, times)
            if gpu.shared_input == 0:
                look(gpu, FRAGMENT_QUEUE, core.queue.count, core.queue.depth, times)
    look(gpu, L2_MSHRS, gpu.cache[0].mshrs_used, gpu.cache[0].mshrs, times)
    look(gpu, DRAM_QUEUE, gpu.dram.queue.count, gpu.dram.queue.depth, times)
