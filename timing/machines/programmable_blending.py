"""An immediate-mode GPU with programmable blending (Decoupled Access/Execute, 2): Fragment Processors read and write
pixels themselves, with a Memory Unit and a pixel cache each; else as `immediate`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..engine.jit import inline
from ..engine.ring import full
from ..units import cached_blending, memory_unit
from . import immediate

if TYPE_CHECKING:
    from ..engine.frame import Instruction
    from ..memory.gpu import Gpu
    from ..units.memory_unit import MemoryUnit
    from ..units.processor import Processor


@inline
def memory_unit_of(gpu: Gpu, core: Processor) -> MemoryUnit:
    """Memory Unit of a Fragment Processor."""
    place = gpu.unit[core.id]
    unit: MemoryUnit = gpu.raster_unit[place.a].memory_unit[place.b]
    return unit


@inline
def has_memory_room(gpu: Gpu, core: Processor) -> bool:
    """Whether a processor's Memory Unit takes another operation."""
    return not full(memory_unit_of(gpu, core).operation)


@inline
def access_pixels(gpu: Gpu, core: Processor, w: int, instruction: Instruction) -> None:
    """Hand the access of a warp's next lane on."""
    memory_unit.accept(gpu, memory_unit_of(gpu, core), core, w, instruction)


MACHINE = replace(
    immediate.MACHINE,
    name="programmable_blending",
    title="immediate-mode with programmable blending: Fragment Processors read and write pixels themselves",
    units=tuple(memory_unit.UNIT if unit is cached_blending.UNIT else unit for unit in immediate.MACHINE.units),
    wires={
        **{name: to for name, to in immediate.MACHINE.wires.items() if not name.startswith("cached_blending.")},
        "fragment_processor.color_queue": "memory_unit.queue",
        "processor.has_memory_room": has_memory_room,
        "processor.access_pixels": access_pixels,
        "memory_unit.depth_stage": "cached_depth",
        "memory_unit.processor_of": "fragment_processor",
    },
    connect=lambda builder: immediate.connect(builder, "memory_unit"),
    blends_in_shader=True,
)
