"""Boxes of what quads read of a level of a texture: where all of their blocks are marked, nothing is left to do; and
where quads read row by row, as where a picture is drawn unturned, whole rows of blocks are marked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...jit import ZERO, helper
from .marked_places import ALIKE, ALL, FAR

MOST_BLOCKS = 512
"""Blocks of the largest box that is looked at."""
Number = int | np.int64


class Box(NamedTuple):
    """Box of the texels that some lanes read.

    Attributes
    ----------
    level, lowest
        The highest level, -1 if none is read, and the lowest.
    every
        Whether every lane reads.
    linear, plain
        Whether some read 2x2 texels, and some one.
    left, right, bottom, top
        Ends of the base texels.
    """

    level: Number
    lowest: Number
    every: bool
    linear: bool
    plain: bool
    left: Number
    right: Number
    bottom: Number
    top: Number


class Blocks(NamedTuple):
    """First and last block in a row, and in a column."""

    left: int
    right: int
    bottom: int
    top: int


@helper
def box_of(levels: Any, x: Any, y: Any, linear: Any) -> Any:
    """The `Box` of the lanes of some quads."""
    if not _are_alike(levels.view(np.int32), linear.view(np.int32)):
        return _box_of_reading(levels, x, y, linear)
    level = np.int64(levels[0])
    if level < 0:
        return Box(level, level, False, False, False, ZERO, ZERO, ZERO, ZERO)
    left, right = _ends_of(x)
    bottom, top = _ends_of(y)
    return Box(level, level, bool(level >= 0), linear[0], not linear[0], left, right, bottom, top)


@helper
def _are_alike(quad_levels: Any, quad_linear: Any) -> Any:
    """Whether all lanes read one level in one way, or none does, from words of four lanes."""
    levels, linear, other = quad_levels[0], quad_linear[0], np.int32(0)
    for q in range(len(quad_levels)):
        other |= np.int32(quad_levels[q] ^ levels) | np.int32(quad_linear[q] ^ linear)
    return other == 0 and _of_equal_bytes(levels) and _of_equal_bytes(linear)


@helper
def _of_equal_bytes(word: Any) -> Any:
    return np.int32(word) == np.int32((np.int64(word) & 255) * ALIKE)


@helper
def _ends_of(x: Any) -> Any:
    least, most = x[0], x[0]
    for lane in range(len(x)):
        least, most = min(least, x[lane]), max(most, x[lane])
    return np.int64(least), np.int64(most)


@helper
def _box_of_reading(levels: Any, x: Any, y: Any, linear: Any) -> Any:
    """`box_of` of lanes some of which may read nothing, without branches, so that the loop is vectorized."""
    least, most = np.int32(FAR - 1), np.int32(-FAR)
    left, right, bottom, top = least, most, least, most
    highest, lowest, any_less, any_linear, any_plain = np.int8(-1), np.int8(127), np.uint8(0), np.uint8(0), np.uint8(0)
    for lane in range(len(levels)):
        level = levels[lane]
        reads = level >= 0
        highest, lowest = max(highest, level), min(lowest, level if reads else np.int8(127))
        any_less |= np.uint8(not reads)
        any_linear |= np.uint8(reads & linear[lane])
        any_plain |= np.uint8(reads & (not linear[lane]))
        left, right = min(left, x[lane] if reads else least), max(right, x[lane] if reads else most)
        bottom, top = min(bottom, y[lane] if reads else least), max(top, y[lane] if reads else most)
    return Box(
        np.int64(highest),
        np.int64(lowest),
        bool(any_less == 0),
        bool(any_linear != 0),
        bool(any_plain != 0),
        np.int64(left),
        np.int64(right),
        np.int64(bottom),
        np.int64(top),
    )


@helper
def blocks_of(marking: Any, image: Any, box: Any) -> Any:
    """`Blocks` of an `Image` that hold all that is read of a box, perhaps more."""
    more = np.int64(box.linear)
    left, right = _inside(box.left, box.right + more, (image.clamps_x, image.mask_x, image.width - 1))
    bottom, top = _inside(box.bottom, box.top + more, (image.clamps_y, image.mask_y, image.height - 1))
    return Blocks(left >> marking.across, right >> marking.across, bottom >> marking.down, top >> marking.down)


@helper
def _inside(least: Any, most: Any, direction: Any) -> Any:
    """Ends of a range in an image: clamped, or as it is repeated, all of it if that is cut."""
    clamps, mask, last = direction
    if clamps:
        return min(max(least, 0), last), min(max(most, 0), last)
    if mask != ALL and least & ~mask == most & ~mask:
        return least & mask, most & mask
    return (least, most) if least >= 0 and most <= last else (np.int64(0), np.int64(last))


@helper
def are_marked(marking: Any, image: Any, box: Any) -> Any:
    """Whether all blocks of an `Image` that a `Box` may have are marked; large boxes are not looked at."""
    blocks = blocks_of(marking, image, box)
    columns = blocks.right - blocks.left + 1
    if columns * (blocks.top - blocks.bottom + 1) > MOST_BLOCKS:
        return False
    for row in range(blocks.bottom, blocks.top + 1):
        begin, missing = image.first + row * image.row + blocks.left, np.uint8(0)
        # Unsigned, it needs no test for numbers that count from the end.
        for mark in range(np.uint64(begin), np.uint64(begin + columns)):
            missing |= marking.marks[mark] ^ np.uint8(1)
        if missing:
            return False
    return True


@helper
def mark_rows(marking: Any, image: Any, places: Any, box: Any) -> Any:
    """Mark what lanes read that lie side by side, all of one level and in the same way; whether they do.

    Parameters
    ----------
    marking, image
        `Marking` and `Image`.
    places
        By lane: base texels.
    box
        Their `Box`.
    """
    x, y = places
    # Rows of a quad are next to each other unless a picture is made far smaller.
    if not box.every or (box.linear and box.plain) or box.top - box.bottom > 1 << marking.down:
        return False
    if not (_are_rows(y) and _are_near(x, np.int32(1 << marking.across))):
        return False
    for half in range(2):
        left, right = _ends_of_half(x, 2 * half)
        at = np.int64(y[2 * half])
        within = Box(box.level, box.level, True, box.linear, box.plain, left, right, at, at)
        if not _holds(image, within):
            return False
        blocks = blocks_of(marking, image, within)
        for row in range(blocks.bottom, blocks.top + 1):
            begin = image.first + row * image.row
            for column in range(begin + blocks.left, begin + blocks.right + 1):
                marking.marks[column] = 1
    return True


@helper
def _holds(image: Any, box: Any) -> Any:
    """Whether `blocks_of` has no block that is not read."""
    more = np.int64(box.linear)
    across = _is_exact(box.left, box.right + more, (image.clamps_x, image.mask_x, image.width - 1))
    return across and _is_exact(box.bottom, box.top + more, (image.clamps_y, image.mask_y, image.height - 1))


@helper
def _is_exact(least: Any, most: Any, direction: Any) -> Any:
    clamps, mask, last = direction
    return clamps or (least >= 0 and most <= last) or (mask != ALL and least & ~mask == most & ~mask)


@helper
def _are_rows(y: Any) -> Any:
    """Whether the lower lanes of all quads read one row, and the upper lanes one."""
    pairs, other = y.view(np.int64), np.int64(0)
    below, above = pairs[0], pairs[1]
    for q in range(len(pairs) // 2):
        other |= (pairs[2 * q] ^ below) | (pairs[2 * q + 1] ^ above)
    return other == 0 and y[0] == y[1] and y[2] == y[3]


@helper
def _are_near(x: Any, wide: Any) -> Any:
    """Whether no block lies between texels of lanes that follow each other in a half of their quads."""
    farthest = np.uint32(0)
    for q in range(len(x) // 4 - 1):
        lane = 4 * q
        lower = max(_moved(x, lane, 1, wide), _moved(x, lane + 1, 3, wide))
        farthest = max(farthest, max(lower, max(_moved(x, lane + 2, 1, wide), _moved(x, lane + 3, 3, wide))))
    last = len(x) - 4
    farthest = max(farthest, max(_moved(x, last, 1, wide), _moved(x, last + 2, 1, wide)))
    return farthest <= np.uint32(2 * wide)


@helper
def _moved(x: Any, lane: Any, lanes: Any, wide: Any) -> Any:
    """Texels from a lane to one some lanes on, from 0 for the width of a block to the left."""
    return np.uint32(np.int32(x[lane + lanes] - x[lane] + wide))


@helper
def _ends_of_half(x: Any, first: Any) -> Any:
    """Least and greatest texel of two lanes of every quad."""
    least, most = x[first], x[first]
    for q in range(len(x) // 4):
        one, other = x[4 * q + first], x[4 * q + first + 1]
        least, most = min(least, min(one, other)), max(most, max(one, other))
    return np.int64(least), np.int64(most)
