"""Blocks of texels that draws read, marked by kernels: one for each quad and level.

A block is 64 bytes of a level, as square as a power of two of texels allows: with textures stored in tiles of a cache
line, or along a Z curve, it is a line of 64 bytes.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from ...compile.blocks import Block, block_of
from ..sampler import WRAP_CODES, Sampler, Storage
from .marking_kernels import CUBE, LAYERS, VOLUME, MarkedLevel, Marking

BLOCK_BYTES = 64
_SHAPES = {"cube": CUBE, "3d": VOLUME}


class MarkedTexture(NamedTuple):
    """A texture by its number, and the level from which on it is marked."""

    surface: int
    first_level: int


class TexelMarks:
    """Marks of a texture.

    Parameters
    ----------
    texture
        Which.
    levels
        int64, (levels, 6): a `MarkedLevel` each.
    """

    def __init__(self, texture: MarkedTexture, levels: NDArray[np.int64]) -> None:
        self.texture, self.levels = texture, levels
        last = MarkedLevel(*levels[-1].tolist())
        self.marks = np.zeros(last.first + last.layers * last.layer, np.uint8)

    def take(self) -> NDArray[np.uint8]:
        """Blocks that were read since the last call: bits, the lowest first."""
        bits = np.packbits(self.marks, bitorder="little")
        self.marks[:] = 0
        return bits


class MarkedTextures:
    """Makes the marks of textures, one for all samplers of the same."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[object, TexelMarks] = WeakValueDictionary()
        self._samplers: WeakKeyDictionary[Sampler, tuple[TexelMarks, Block]] = WeakKeyDictionary()

    def of(self, sampler: Sampler) -> tuple[TexelMarks, Block]:
        """Marks of a sampler's texture, and its `Marking`; the texture is complete."""
        marks_and_block = self._samplers.get(sampler)
        if marks_and_block is None:
            marks_and_block = self._samplers[sampler] = self._new(sampler)
        return marks_and_block

    def _new(self, sampler: Sampler) -> tuple[TexelMarks, Block]:
        assert sampler.storage is not None
        across, down = _bits(sampler.block[2])
        levels = _levels(sampler.storage, (sampler.block[0] << across, sampler.block[1] << down))
        texture = MarkedTexture(sampler.surface, sampler.base_level)
        key = texture, levels.tobytes()
        marks = self._known.get(key)
        if marks is None:
            marks = self._known[key] = TexelMarks(texture, levels)
        wraps = (WRAP_CODES[mode] for mode in (sampler.wrap_s, sampler.wrap_t, sampler.wrap_r))
        shape = _SHAPES.get(sampler.target, LAYERS)
        texels_across, across = _shifted(sampler.block[0], across)
        texels_down, down = _shifted(sampler.block[1], down)
        blocks = texels_across, texels_down, across, down
        marking = Marking(marks.marks, marks.levels, *blocks, shape, *wraps)
        return marks, block_of(marking, marks)


def _bits(stored: int) -> tuple[int, int]:
    """Log2 of what a block has across and down of that which is stored as one: as square as possible, or wide."""
    bits = max(0, BLOCK_BYTES.bit_length() - 1 - (stored - 1).bit_length())
    return (bits + 1) // 2, bits // 2


def _shifted(texels: int, bits: int) -> tuple[int, int]:
    """Texels by which a coordinate is divided, and bits by which it is then shifted, which is faster."""
    return (texels, bits) if texels & texels - 1 else (1, bits + texels.bit_length() - 1)


def _levels(storage: Storage, block: tuple[int, int]) -> NDArray[np.int64]:
    """Rows of the levels of a texture, for blocks of some texels across and down."""
    rows, first = [], 0
    for sizes in zip(storage.widths, storage.heights, storage.layers, strict=True):
        width, height, layers = map(int, sizes)
        columns, lines = -(-width // block[0]), -(-height // block[1])
        rows.append(MarkedLevel(first, width, height, layers, columns, columns * lines))
        first += layers * columns * lines
    return np.array(rows, np.int64)
