"""Marks the blocks of texels that quads read, so that it is known which parts of a texture a frame uses."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...activity.kernels.cube import face_texel
from ...activity.kernels.wrapping import wrapped
from ...compile import helper
from ...compile.blocks import Bytes, Integers, Signed, WordRows, Words, places
from ...compile.native import load

LAYERS, CUBE, VOLUME = range(3)


class MarkedLevel(NamedTuple):
    """A level of a texture: its first mark, its size in texels, blocks in a row and in a layer."""

    first: int
    width: int
    height: int
    layers: int
    row: int
    layer: int


class Marking(NamedTuple):
    """Marks of a texture, and how a sampler reads it.

    Attributes
    ----------
    marks
        A byte per block, 1 if it was read: level by level, layer by layer, row by row.
    levels
        int64, (levels, 6): a `MarkedLevel` each.
    texels_across, texels_down
        Texels that the format stores as one, if that is no power of two.
    across, down
        Log2 of how many of these a block has.
    shape
        LAYERS, CUBE or VOLUME.
    wrap_s, wrap_t, wrap_r
        Codes of `WRAPS`.
    """

    marks: Bytes
    levels: WordRows
    texels_across: int
    texels_down: int
    across: int
    down: int
    shape: int
    wrap_s: int
    wrap_t: int
    wrap_r: int


LEVEL = places(MarkedLevel)
"""Columns of its fields."""


@helper
def mark_quads(address: int, read: tuple[Signed, Integers, Integers, Integers], base: int, quads: int) -> None:
    """Mark a block for each quad that reads a level: that of the base texel of its first lane that does.

    The texels of a quad lie next to each other, and quads overlap, so these are nearly all blocks that are read.

    Parameters
    ----------
    address
        Of a `Marking`.
    read
        By lane: levels (-1 for none), base texels before wrapping, and images.
    base
        The level that is the first of the marking.
    quads
        How many.
    """
    marking, (levels, x, y, image) = load(address, Marking), read
    # Most quads read the level of the one before.
    level, row = (-1), marking.levels[0]
    for quad in range(quads):
        lane = _first_reading(levels, 4 * quad)
        if lane < 0:
            continue
        if levels[lane] != level:
            level = int(levels[lane])
            row = marking.levels[level - base]
        _mark(marking, row, int(x[lane]), int(y[lane]), int(image[lane]))


@helper
def _first_reading(levels: Signed, first: int) -> Any:
    """First lane of a quad that reads; -1 if none does."""
    for lane in range(first, first + 4):
        if levels[lane] >= 0:
            return lane
    return -1


@helper
def _mark(marking: Marking, level: Words, x: int, y: int, layer: int) -> None:
    """Mark the block of a texel before wrapping."""
    width, height, layers = level[LEVEL.width], level[LEVEL.height], level[LEVEL.layers]
    if marking.shape == CUBE:
        layer, x, y = face_texel(layer, x, y, width)
        if layer < 0:
            return
    else:
        if x < 0 or x >= width:
            x = wrapped(x, width, marking.wrap_s)
        if y < 0 or y >= height:
            y = wrapped(y, height, marking.wrap_t)
        if marking.shape == VOLUME:
            layer = wrapped(layer, layers, marking.wrap_r)
    layer = min(max(layer, 0), layers - 1)
    column = (x if marking.texels_across == 1 else x // marking.texels_across) >> marking.across
    line = (y if marking.texels_down == 1 else y // marking.texels_down) >> marking.down
    marking.marks[level[LEVEL.first] + layer * level[LEVEL.layer] + line * level[LEVEL.row] + column] = 1
