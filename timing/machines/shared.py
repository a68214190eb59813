"""Parts that machines have in common: the connections of first-level caches, texture units and processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.stages import FragmentStage, VertexStage
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.tiles import Tiles

from ..engine.jit import inline

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.frame import Instruction
    from ..memory.gpu import Gpu
    from ..units.processor import Processor
    from ..units.texture_unit import TextureUnit
    from .builder import Builder


STATISTICS = (
    Stat("gpu.cycles", "cycles", "GPU cycles the frame took", "cycle"),
    Stat(
        "memory.network.delayed_cycles",
        "cycles",
        "cycles that answers of the L2 waited for the way to a first-level cache, summed",
        "port[].delayed",
    ),
    ratio(
        "gpu.raster_share",
        "ratio",
        "share of the time that is spent in raster stages (Fig. 5.1)",
        "gpu.raster_cycles",
        "gpu.cycles",
    ),
)


@inline
def texture_unit_of(gpu: Gpu, core: Processor) -> TextureUnit:
    """Texture unit of a Vertex or Fragment Processor."""
    unit: TextureUnit = gpu.texture_unit[core.texture_unit]
    return unit


@inline
def processor_of(gpu: Gpu, unit: TextureUnit) -> Processor:
    """Processor that a texture unit works for."""
    core: Processor = gpu.vertex_processor[unit.processor]
    if unit.vertex == 0:
        core = gpu.raster_unit[unit.raster_unit].fragment_processor[unit.processor]
    return core


@inline
def no_memory_unit(gpu: Gpu, core: Processor) -> bool:
    """Processors that access no pixels have no Memory Unit with room."""
    return False


@inline
def no_pixels(gpu: Gpu, core: Processor, w: int, instruction: Instruction) -> None:
    """Their programs have no instructions that do."""


@inline
def no_dispatches(gpu: Gpu, dispatches: int, t: int) -> None:
    """Machines without unified cores have none, as frames with some are refused."""


@inline
def none_left(gpu: Gpu, dispatches: int) -> bool:
    """So nothing is left of them."""
    return True


@inline
def all_binned(gpu: Gpu, primitives: int) -> bool:
    """Draws of machines without a job manager do not wait for each other."""
    return True


@inline
def caches_kept(gpu: Gpu) -> bool:
    """Their caches keep their lines at the end of a pass."""
    return True


def texture_cache(c: Hardware, r: int, i: int) -> tuple[str, int, int]:
    """Texture cache of a Fragment Processor."""
    stage = c.of(FragmentStage)
    return "texture_cache", r // stage.raster_units_per_texture_cache, i // stage.processors_per_texture_cache


def instruction_cache(c: Hardware, r: int, i: int) -> tuple[str, int, int]:
    """Instruction cache of a Fragment Processor."""
    return "instruction_cache", r, i // c.of(FragmentStage).processors_per_instruction_cache


def vertex_instruction_cache(c: Hardware, p: int) -> tuple[str, int, int]:
    """Instruction cache of a Vertex Processor."""
    return "vertex_instruction_cache", 0, p // c.of(VertexStage).processors_per_instruction_cache


def processor_caches(builder: Builder) -> None:
    """Texture and instruction caches of the processors."""
    for (p,) in builder.places("vertex_processor"):
        builder.cache(*vertex_instruction_cache(builder.configuration, p))
    for r, i in builder.places("fragment_processor"):
        for key in (texture_cache(builder.configuration, r, i), instruction_cache(builder.configuration, r, i)):
            builder.cache(*key)


def join_processors(builder: Builder) -> None:
    """Give every processor its texture unit, and both of them their caches."""
    gpu, c = builder.gpu, builder.configuration
    per_unit = c.of(FragmentStage).processors
    for r, i in builder.places("fragment_processor"):
        core = gpu.raster_unit[r].fragment_processor[i]
        core.texture_unit = r * per_unit + i
        builder.attach(gpu.texture_unit[core.texture_unit], texture_cache(c, r, i))
        builder.attach(core, instruction_cache(c, r, i))
    for (p,) in builder.places("vertex_processor"):
        core = gpu.vertex_processor[p]
        core.texture_unit = c.of(Tiles).raster_units * per_unit + p
        builder.attach(core, vertex_instruction_cache(c, p))
        builder.attach(gpu.texture_unit[core.texture_unit], ("vertex_cache", 0, 0))
