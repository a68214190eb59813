"""Structures of the Fragment Processors and their texture units."""

from __future__ import annotations

from .declare import (
    FRAGMENT,
    FRAGMENT_BYTES,
    Structure,
    cache,
    instructions,
    processors,
    reads_of,
    stat,
    texture_caches,
    units,
    writes_of,
)
from .geometry import Logic, Ram

FP = "fragment.processor"
ALL = ("alu", "sfu", "tex", "flow")

STRUCTURES: tuple[Structure, ...] = (
    Structure(
        "fragment_processor.queue",
        FRAGMENT,
        lambda c: processors(c) if c.fragment_stage.input_queue == "private" else units(c),
        lambda c: Ram(c.fragment_stage.queue, FRAGMENT_BYTES * 8),
        stat(f"{FP}.quads"),
        stat(f"{FP}.quads"),
    ),
    Structure(
        "fragment_processor.fpu",
        FRAGMENT,
        processors,
        lambda c: Logic("fpu", 4 * c.energy.units_per_thread, 4 * c.energy.units_per_thread),
        instructions(FP, "alu"),
    ),
    Structure(
        "fragment_processor.sfu",
        FRAGMENT,
        processors,
        lambda c: Logic("sfu", 1, 4),
        instructions(FP, "sfu"),
    ),
    Structure(
        "fragment_processor.alu",
        FRAGMENT,
        processors,
        lambda c: Logic("alu", 4, 4),
        instructions(FP, "flow"),
    ),
    Structure(
        "fragment_processor.registers",
        FRAGMENT,
        processors,
        lambda c: Ram(c.fragment_stage.warps * c.energy.registers_per_thread, 512, "2r1w"),
        instructions(FP, "alu", "sfu", "tex", factor=2),
        instructions(FP, "alu", "sfu", "tex"),
    ),
    Structure(
        "fragment_processor.instruction_buffer",
        FRAGMENT,
        processors,
        lambda c: Ram(c.fragment_stage.warps, 512),
        instructions(FP, *ALL, factor=0.25),
        stat(f"{FP}.instruction_fetches"),
    ),
    Structure(
        "instruction_cache",
        FRAGMENT,
        lambda c: units(c) * -(-c.fragment_stage.processors // c.fragment_stage.processors_per_instruction_cache),
        lambda c: cache(c.instruction_cache, 512),
        reads_of("instruction_cache"),
        writes_of("instruction_cache"),
    ),
    Structure(
        "texture_unit.address",
        FRAGMENT,
        processors,
        lambda c: Logic("adder", 16, 16),
        stat("fragment.texture_unit.probes"),
    ),
    Structure(
        "texture_unit.filter",
        FRAGMENT,
        processors,
        # Three interpolations of four components for four pixels.
        lambda c: Logic("int8_multiply_add", 48, 48),
        stat("fragment.texture_unit.probes"),
    ),
    Structure(
        "texture_cache",
        FRAGMENT,
        texture_caches,
        lambda c: cache(c.texture_cache, 512),
        reads_of("texture_cache"),
        writes_of("texture_cache"),
    ),
)
