"""State that draws share up to set-up, as kernels take it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.compiled import helper
from ...execute.backend import VertexKernel
from ...execute.native_calls import address, carray, pointer
from ..command import DrawCommand
from ..geometry.set_up import STRAIGHT, SetUp, slots
from ..geometry.vertex_shading import output_places


class VertexField(IntEnum):
    """State that draws share up to set-up, int64 each; fields named after an array hold its address.

    ``SHADE_VERTICES`` is the kernel of `vertex_kernels`. ``SHADER`` is the code of the vertex shader, ``CONSTANTS`` its
    constants. Its ``OUTPUTS`` outputs go to ``PLACES`` (see `output_places`). It has ``SLOTS`` slots of varyings;
    ``ALL_WRITTEN`` says whether all of these and the position are written. ``FLAT`` and ``STRAIGHT`` are slots that are
    not interpolated, and those without perspective, ``FLATS`` and ``STRAIGHTS`` many. ``ROUNDED``, ``EXACT``, ``MODES``
    and ``BOX`` are those of `RasterState`. ``SNAP`` says whether facing and area come from snapped corners.
    """

    SHADE_VERTICES = 0
    SHADER = auto()
    CONSTANTS = auto()
    OUTPUTS = auto()
    PLACES = auto()
    SLOTS = auto()
    ALL_WRITTEN = auto()
    FLAT = auto()
    FLATS = auto()
    STRAIGHT = auto()
    STRAIGHTS = auto()
    ROUNDED = auto()
    EXACT = auto()
    MODES = auto()
    BOX = auto()
    SNAP = auto()


_F = VertexField


@dataclass(frozen=True, slots=True)
class VertexState:
    """State that draws share up to set-up.

    Attributes
    ----------
    fields
        int64: as in `VertexField`.
    slots
        Slots of varyings.
    kept
        Objects that the addresses point into.
    """

    fields: NDArray[np.int64]
    slots: int
    kept: tuple[object, ...]


def vertex_state(draw: DrawCommand, kernel: VertexKernel, snap: bool, shade_vertices: int) -> VertexState:
    """What draws of the state have in common.

    Parameters
    ----------
    draw
        One of them.
    kernel
        Kernel of their vertex shader.
    snap
        Whether window coordinates are snapped.
    shade_vertices
        Address of the kernel of `vertex_kernels`.
    """
    program, constants, raster = draw.state.program, draw.state.constants.vertex, draw.raster_state
    places, count, all_written = output_places(program)
    # Uniforms change in place; all draws of a state share this.
    assert constants.dtype == np.float32 and constants.flags.c_contiguous
    flat, straight = slots(program, "flat"), slots(program, STRAIGHT)
    values = {
        _F.SHADE_VERTICES: shade_vertices,
        _F.SHADER: kernel.address,
        _F.CONSTANTS: address(constants),
        _F.OUTPUTS: len(places),
        _F.PLACES: address(places),
        _F.SLOTS: count,
        _F.ALL_WRITTEN: all_written,
        _F.FLAT: address(flat),
        _F.FLATS: len(flat),
        _F.STRAIGHT: address(straight),
        _F.STRAIGHTS: len(straight),
        _F.ROUNDED: address(raster.rounded),
        _F.EXACT: address(raster.exact),
        _F.MODES: address(raster.modes),
        _F.BOX: address(raster.box),
        _F.SNAP: snap,
    }
    fields = np.array([values[field] for field in VertexField], np.int64)
    return VertexState(fields, count, (kernel, constants, places, flat, straight, raster))


@helper
def set_up_state(fields: Any) -> Any:
    """State of set-up."""
    return SetUp(
        carray(pointer(fields[_F.ROUNDED]), 8, np.float32),
        carray(pointer(fields[_F.EXACT]), 8, np.float64),
        carray(pointer(fields[_F.MODES]), 3, np.int64),
        fields[_F.SNAP] != 0,
    )
