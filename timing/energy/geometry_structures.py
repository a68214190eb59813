"""Structures of the Geometry Pipeline and the tiling engine."""

from __future__ import annotations

from .declare import (
    GEOMETRY,
    PRIMITIVE_TABLE_WORDS,
    TILING,
    TRIANGLE_BYTES,
    VERTEX_BYTES,
    Structure,
    cache,
    instructions,
    once,
    reads_of,
    stat,
    writes_of,
)
from .geometry import Logic, Ram

VP = "geometry.vertex_processor"

STRUCTURES: tuple[Structure, ...] = (
    Structure(
        "vertex_fetcher.queues",
        GEOMETRY,
        lambda c: 2,
        lambda c: Ram(c.vertex_fetcher.queue, VERTEX_BYTES * 8),
        stat(f"{VP}.vertices", 2),
        stat(f"{VP}.vertices", 2),
    ),
    Structure(
        "vertex_cache",
        GEOMETRY,
        once,
        lambda c: cache(c.vertex_cache, 128),
        reads_of("vertex_cache"),
        writes_of("vertex_cache", 4),
    ),
    Structure(
        "vertex_processor.fpu",
        GEOMETRY,
        lambda c: c.vertex_stage.processors,
        lambda c: Logic("fpu", c.energy.units_per_thread, c.energy.units_per_thread),
        instructions(VP, "alu"),
    ),
    Structure(
        "vertex_processor.sfu",
        GEOMETRY,
        lambda c: c.vertex_stage.processors,
        lambda c: Logic("sfu", 1),
        instructions(VP, "sfu", "tex"),
    ),
    Structure(
        "vertex_processor.alu",
        GEOMETRY,
        lambda c: c.vertex_stage.processors,
        lambda c: Logic("alu", 1),
        instructions(VP, "flow"),
    ),
    Structure(
        "vertex_processor.registers",
        GEOMETRY,
        lambda c: c.vertex_stage.processors,
        lambda c: Ram(c.vertex_stage.warps * c.energy.registers_per_thread, 128, "2r1w"),
        instructions(VP, "alu", "sfu", "tex", factor=2),
        instructions(VP, "alu", "sfu", "tex"),
    ),
    Structure(
        "primitive_assembly.queue",
        GEOMETRY,
        once,
        lambda c: Ram(c.primitive_assembly.queue, TRIANGLE_BYTES * 8),
        stat("geometry.primitive_assembly.primitives"),
        stat("geometry.primitive_assembly.primitives"),
    ),
    Structure(
        "polygon_list_builder.overlap",
        TILING,
        once,
        lambda c: Logic("adder", 12, 12),
        stat("tiling.polygon_list_builder.pointers"),
    ),
    Structure(
        "tile_cache",
        TILING,
        once,
        lambda c: cache(c.tile_cache, 512),
        reads_of("tile_cache"),
        writes_of("tile_cache"),
    ),
    Structure(
        "tile_fetcher.primitive_table",
        TILING,
        once,
        lambda c: Ram(c.tile_fetcher.primitive_table * PRIMITIVE_TABLE_WORDS, 128),
        stat("tiling.tile_fetcher.attribute_requests", 4),
        stat("tiling.tile_fetcher.attribute_requests", 4),
    ),
)
