"""Structures of a Raster Unit, Fragment Processors apart."""

from __future__ import annotations

from .declare import (
    COLOR_BYTES,
    FRAGMENT_BYTES,
    RASTER,
    TRIANGLE_BYTES,
    Structure,
    interpolations,
    stat,
    tile_words,
    units,
)
from .geometry import Logic, Ram

FP = "fragment.processor"

STRUCTURES: tuple[Structure, ...] = (
    Structure(
        "tile_queue",
        RASTER,
        units,
        lambda c: Ram(c.tile_fetcher.tile_queue, TRIANGLE_BYTES * 8),
        stat("raster.rasterizer.primitives"),
        stat("raster.rasterizer.primitives"),
    ),
    Structure(
        "rasterizer.setup",
        RASTER,
        units,
        lambda c: Logic("mul", 12, 12),
        stat("raster.rasterizer.primitives"),
    ),
    Structure(
        "rasterizer.edges",
        RASTER,
        units,
        # Three edges and depth for four pixels, by adding.
        lambda c: Logic("adder", 16 * c.rasterizer.quads_per_cycle, 16),
        stat("raster.rasterizer.quads"),
    ),
    Structure(
        "rasterizer.interpolators",
        RASTER,
        units,
        # Four components of four pixels, by adding.
        lambda c: Logic("adder", 16 * c.rasterizer.attributes_per_cycle, 16),
        interpolations,
    ),
    Structure(
        "rasterizer.queue",
        RASTER,
        units,
        lambda c: Ram(c.rasterizer.queue, FRAGMENT_BYTES * 8),
        stat("raster.rasterizer.quads"),
        stat("raster.rasterizer.quads"),
    ),
    Structure(
        "early_depth.comparators",
        RASTER,
        units,
        lambda c: Logic("comparator", 4 * c.early_depth.quads_per_cycle, 4),
        stat("raster.early_depth.quads"),
    ),
    Structure(
        "early_depth.pipeline",
        RASTER,
        units,
        lambda c: Ram(c.early_depth.in_flight, FRAGMENT_BYTES * 8),
        stat("raster.early_depth.quads"),
        stat("raster.early_depth.quads"),
    ),
    Structure(
        "depth_buffer",
        RASTER,
        units,
        lambda c: Ram(tile_words(c), 128),
        stat("raster.depth_buffer.reads"),
        stat("raster.depth_buffer.writes"),
    ),
    Structure(
        "blending.color_queue",
        RASTER,
        units,
        lambda c: Ram(c.blending.color_queue, COLOR_BYTES * 8),
        stat(f"{FP}.quads"),
        stat(f"{FP}.quads"),
    ),
    Structure(
        "blending.pipeline",
        RASTER,
        units,
        lambda c: Ram(c.blending.in_flight, COLOR_BYTES * 8),
        stat("raster.blending.quads"),
        stat("raster.blending.quads"),
    ),
    Structure(
        "blending.arithmetic",
        RASTER,
        units,
        # Two products of four components for four pixels.
        lambda c: Logic("int8_multiply_add", 32 * c.blending.quads_per_cycle, 32),
        stat("raster.blending.quads"),
    ),
    Structure(
        "color_buffer",
        RASTER,
        units,
        lambda c: Ram(tile_words(c), 128),
        lambda v: v["raster.blending.quads"] + 4 * v["raster.tile_flush.lines"],
        stat("raster.blending.quads"),
    ),
)
