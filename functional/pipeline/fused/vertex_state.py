"""The vertex shader of draws of one state, as kernels take it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, auto

import numpy as np
from numpy.typing import NDArray

from ...activity.compiled import COMPILED
from ...execute.backend import Backend, VertexKernel
from ..command import DrawCommand
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
    """The vertex shader of draws of one state.

    Attributes
    ----------
    kernel
        Its machine code.
    fields
        int64: as in `VertexField`.
    places
        See `output_places`.
    slots
        Slots of varyings.
    """

    kernel: VertexKernel
    fields: NDArray[np.int64]
    places: NDArray[np.int64]
    slots: int


def vertex_state(draw: DrawCommand, backend: Backend) -> VertexState | None:
    """The vertex shader of a draw as kernels take it; None where it does not go by kernels. Made once per state."""
    known: tuple[VertexState | None] | None = draw.derived.get("vertex")
    if known is None:
        known = draw.derived["vertex"] = (_vertex_state(draw, backend),)
    return known[0]


def _vertex_state(draw: DrawCommand, backend: Backend) -> VertexState | None:
    if not COMPILED or draw.program.captured or draw.rasterizer_discard:
        return None
    kernel = backend.vertex_kernel(draw.program.vertex)
    if kernel is None:
        return None
    places, slots, all_written = output_places(draw.program)
    # Uniforms change in place, while the draws of a state share this.
    constants = draw.vertex_constants
    assert constants.dtype == np.float32 and constants.flags.c_contiguous
    fields = kernel.address, address_of(constants), len(draw.program.vertex.outputs), slots, all_written
    return VertexState(kernel, np.array(fields, np.int64), places, slots)
