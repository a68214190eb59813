"""The beginning of a frame on a chip."""

from __future__ import annotations

from ..engine.calendar import poke
from ..engine.chip import Chip
from ..units import command_processor


def begin_frame(chip: Chip, switches: bool = False) -> None:
    """Prepare the machine for a new frame, of another application if it `switches`; caches, DRAM rows and what
    techniques remember stay as they are.

    Units whose part of its first pass is done already, in parallel with the frame before, go on.
    """
    chip.began = int(chip.gpu.cycle)
    ahead = chip.gpu.command_processor.phase == command_processor.READY
    for unit, _, owner in chip.owners:
        if unit.begin_frame is not None and not (ahead and unit.before_parameter_buffer):
            unit.begin_frame(owner)
            # A clear of a part that comes before all draws has no vertex that would wake it.
            poke(chip.gpu, owner.id)
    if switches:
        command_processor.switch_application(chip.gpu.command_processor)
    poke(chip.gpu, chip.gpu.command_processor.id)


def wants_next_frame(chip: Chip) -> bool:
    """Whether the run has ended because the geometry stage is through and may go on with another frame."""
    return bool(chip.gpu.command_processor.phase == command_processor.HANDED)


def look_ahead(chip: Chip, further: bool) -> None:
    """Let the geometry stage go on with the tables of the next frame, or not, if there is no further one."""
    for unit, _, owner in chip.owners:
        if unit.begin_frame is not None and unit.before_parameter_buffer:
            unit.begin_frame(owner)
            poke(chip.gpu, owner.id)
    command_processor.look_ahead(chip.gpu.command_processor, further)
    poke(chip.gpu, chip.gpu.command_processor.id)
