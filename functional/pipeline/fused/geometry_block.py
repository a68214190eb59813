"""Geometry as kernels take it from Python: by address."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.coverage import Shapes
from ...compile import address, helper, kernel
from ...compile.blocks import Block, FloatRows, Floats, IntegerRows, Integers, Words, place_of, words_in
from ...compile.native import store
from ..fragments.rasterization import RasterInput, unsnapped_corners
from ..geometry.set_up import Geometry
from ..geometry.setup_kernels import Placed


class Drawable(NamedTuple):
    """Primitives to cover and to shade: of ``size`` corners, with varyings of their vertices; whether triangles have
    subpixel bits, the `unsnapped_corners`, and the box of pixels that may be covered."""

    size: int
    outputs: FloatRows
    placed: Placed
    snapped: bool
    window_x: FloatRows
    window_y: FloatRows
    box: Words


class Assembled(NamedTuple):
    """All that is known of a `Geometry`."""

    drawable: Drawable
    clip: FloatRows
    parents: IntegerRows
    weight: Floats
    source: Integers


_BOX, _CULLED = place_of(Assembled, "drawable", "box"), place_of(Assembled, "drawable", "placed", "culled")
_WORDS = words_in(Assembled)


def assembled(geometry: Geometry, box: NDArray[np.int64]) -> tuple[Any, ...]:
    """The fields of `Assembled`; Python passes plain tuples in half the time."""
    g = geometry
    drawable = g.size, g.outputs, tuple(g.placed), g.snapped, *unsnapped_corners(g), box
    return drawable, g.clip, g.parents, g.weight, g.source


def geometry_block(geometry: Geometry, box: NDArray[np.int64]) -> Block:
    """`Assembled`, built once if triangles have subpixel bits."""
    block: Block | None = geometry.block
    if block is None or not geometry.snapped:
        values = assembled(geometry, box)
        block = geometry.block = Block(np.empty(_WORDS, np.int64), values, box)
        describe(block.words, values)
    elif block.kept[0] is not box:
        block.words[_BOX], block.kept = address(box), (box,)
    return block


def part_of(block: Block, box: NDArray[np.int64], culled: NDArray[np.int8]) -> Block:
    """The same geometry with another box and another array of culled primitives."""
    words = block.words.copy()
    words[_BOX], words[_CULLED] = address(box), address(culled)
    return Block(words, None, block, box, culled)


@kernel
def describe(words: Words, values: Annotated[tuple[Any, ...], Assembled]) -> None:
    """Fill a block."""
    store(address(words), values)


@helper
def drawn_of(drawable: Drawable) -> Any:
    """Primitives to rasterize."""
    size, _, placed, snapped, window_x, window_y, box = drawable
    return RasterInput(Shapes(size, snapped, placed.x, placed.y, window_x, window_y, placed.extent), placed.culled, box)
