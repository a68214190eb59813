"""State of a draw as the kernels of a batch take it, and its views in kernels: arrays and blocks of arguments."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.compiled import helper
from ...execute.kernel_arguments import BlendField, FragmentField
from ...execute.native_calls import carray, pointer
from ..fragments.rasterization import Quads

CHUNK_QUADS = 256
"""Quads that are shaded before they are written, few enough for their colours to stay in the cache."""

ANY = 1 << 62
"""Limit for draws that may cover any number of pixels."""


class BatchField(IntEnum):
    """State of a draw for `raster`, int64 each; fields named after an array hold its address.

    ``CAPACITY`` quads fit into ``PRIMITIVE`` (int32), ``QUAD_X``, ``QUAD_Y``, ``COVERAGE``, ``PASSED`` (uint16), and
    ``WHICH`` (int64). ``LEFT`` and ``RIGHT`` are the ends of spans. ``MOST_PIXELS`` are what a draw may cover.
    ``RASTER`` and ``COVER`` are kernels of `batch_kernels`; the latter says how many quads it ``COVERED``, and how many
    are ``CHOSEN`` to be shaded. Fields from ``SHADE`` on change with every draw. ``SHADE`` is a kernel; ``TARGETS`` has
    ``BLENDS`` rows of kernel, row of the colour, and address of the pixels, one per draw buffer that is written.
    ``EARLY`` says whether tests come before shading. ``DEPTH`` and ``STENCIL`` are 0 without such an attachment.
    ``DEPTH_OUTPUT`` is the row of the depth that the shader writes, or -1.
    """

    CAPACITY = 0
    PRIMITIVE = auto()
    QUAD_X = auto()
    QUAD_Y = auto()
    COVERAGE = auto()
    PASSED = auto()
    WHICH = auto()
    LEFT = auto()
    RIGHT = auto()
    KILLED = auto()
    RESULTS = auto()
    WIDTH = auto()
    HEIGHT = auto()
    LIMIT = auto()
    MOST_PIXELS = auto()
    RASTER = auto()
    COVER = auto()
    COVERED = auto()
    CHOSEN = auto()
    SHADE = auto()
    BLENDS = auto()
    TARGETS = auto()
    CONSTANTS = auto()
    SAMPLERS = auto()
    OUTPUTS = auto()
    DISCARDS = auto()
    DEPTH_OUTPUT = auto()
    CONSTANT = auto()
    EARLY = auto()
    DEPTH = auto()
    DEPTH_FORMAT = auto()
    DEPTH_TEST = auto()
    DEPTH_FUNCTION = auto()
    DEPTH_WRITE = auto()
    STENCIL = auto()
    STENCIL_TEST = auto()
    FACES = auto()
    FLIP = auto()


_F = BatchField
_FRAGMENT_FIELDS, _BLEND_FIELDS = len(FragmentField), len(BlendField)


class Block(NamedTuple):
    """Fields of 64 bits as kernels take them, and the objects that the addresses among them point into."""

    fields: NDArray[np.int64]
    kept: tuple[Any, ...]


class Surface(NamedTuple):
    """Primitives to shade, as kernels take them; see `Geometry`."""

    corners: Any
    window: Any
    outputs: Any
    planes: Any
    front: Any
    extent: Any


class Batch(NamedTuple):
    """Quads of a batch, lanes of each that passed, and which of them are shaded."""

    quads: Any
    passed: Any
    which: Any


@helper
def batch_of(state: Any) -> Any:
    """The arrays of a batch."""
    capacity = state[_F.CAPACITY]
    quads = Quads(
        carray(pointer(state[_F.PRIMITIVE]), capacity, np.int32),
        carray(pointer(state[_F.QUAD_X]), capacity, np.uint16),
        carray(pointer(state[_F.QUAD_Y]), capacity, np.uint16),
        carray(pointer(state[_F.COVERAGE]), capacity, np.uint16),
    )
    passed = carray(pointer(state[_F.PASSED]), capacity, np.uint16)
    return Batch(quads, passed, carray(pointer(state[_F.WHICH]), capacity, np.int64))


@helper
def fragment_block(state: Any, surface: Any) -> Any:
    """Arguments of the fragment kernel, without the quads."""
    block = np.zeros(_FRAGMENT_FIELDS, np.int64)
    block[FragmentField.PRIMITIVE] = state[_F.PRIMITIVE]
    block[FragmentField.QUAD_X] = state[_F.QUAD_X]
    block[FragmentField.QUAD_Y] = state[_F.QUAD_Y]
    block[FragmentField.CORNERS] = surface.corners.ctypes.data
    block[FragmentField.WINDOW] = surface.window.ctypes.data
    block[FragmentField.OUTPUTS] = surface.outputs.ctypes.data
    block[FragmentField.OUTPUT_STRIDE] = surface.outputs.shape[1]
    block[FragmentField.PLANES] = surface.planes.ctypes.data
    block[FragmentField.FRONT] = surface.front.ctypes.data
    block[FragmentField.EXTENT] = surface.extent.ctypes.data
    block[FragmentField.CONSTANTS] = state[_F.CONSTANTS]
    block[FragmentField.SAMPLERS] = state[_F.SAMPLERS]
    block[FragmentField.RESULTS] = state[_F.RESULTS]
    block[FragmentField.ROW] = 4 * CHUNK_QUADS
    block[FragmentField.KILLED] = state[_F.KILLED]
    block[FragmentField.LIMIT] = state[_F.LIMIT]
    return block


@helper
def blend_block(state: Any) -> Any:
    """Arguments of the blend kernels, without quads, colours and pixels."""
    block = np.zeros(_BLEND_FIELDS, np.int64)
    block[BlendField.QUAD_X] = state[_F.QUAD_X]
    block[BlendField.QUAD_Y] = state[_F.QUAD_Y]
    block[BlendField.LANES] = state[_F.PASSED]
    block[BlendField.ROW] = 4 * CHUNK_QUADS
    block[BlendField.WIDTH] = state[_F.WIDTH]
    block[BlendField.CONSTANT] = state[_F.CONSTANT]
    return block
