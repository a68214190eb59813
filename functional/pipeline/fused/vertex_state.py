"""The vertex shader of draws of one state, as kernels take it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, auto

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import VertexKernel
from ..command import DrawCommand
from ..geometry.set_up import STRAIGHT, slots
from ..geometry.vertex_shading import output_places
from .attribute_table import address_of


class VertexField(IntEnum):
    """The vertex shader of a draw, int64 each: addresses of its code and constants, how many
    outputs it has, slots of varyings, and whether all of these and the position are written."""

    SHADER = 0
    CONSTANTS = auto()
    OUTPUTS = auto()
    SLOTS = auto()
    ALL_WRITTEN = auto()


@dataclass(frozen=True, slots=True)
class VertexState:
    """What draws of one state have in common up to set-up.

    Attributes
    ----------
    kernel
        Machine code of the vertex shader.
    fields
        int64: as in `VertexField`.
    places
        See `output_places`.
    slots
        Slots of varyings.
    flat, straight
        int64: those that are not interpolated, and those without perspective.
    """

    kernel: VertexKernel
    fields: NDArray[np.int64]
    places: NDArray[np.int64]
    slots: int
    flat: NDArray[np.int64]
    straight: NDArray[np.int64]


def vertex_state(draw: DrawCommand, kernel: VertexKernel) -> VertexState:
    """What draws of the state have in common; the kernel is that of their vertex shader."""
    places, count, all_written = output_places(draw.program)
    # Uniforms change in place, while the draws of a state share this.
    constants = draw.vertex_constants
    assert constants.dtype == np.float32 and constants.flags.c_contiguous
    fields = kernel.address, address_of(constants), len(draw.program.vertex.outputs), count, all_written
    flat, straight = slots(draw, "flat"), slots(draw, STRAIGHT)
    return VertexState(kernel, np.array(fields, np.int64), places, count, flat, straight)
