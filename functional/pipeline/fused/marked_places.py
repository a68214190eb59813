"""Marks of blocks of texels: where they are, and which of them quads read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...activity.kernels.wrapping import CLAMP_TO_BORDER, CLAMP_TO_EDGE, REPEAT
from ...jit import helper
from ...jit.blocks import Bytes, IntegerRows, WordRows, Words, places
from ...jit.vectors import shift_right

LAYERS, CUBE, VOLUME = range(3)
CLAMPS = CLAMP_TO_EDGE, CLAMP_TO_BORDER
"""Modes by which coordinates outside count as the nearest edge."""
ALL, NOWHERE = -1, -1
STRIP = 64
"""Quads that are looked at together."""
ALIKE = 0x01010101
"""Four lanes with the same byte hold this times it."""
FAR = 1 << 31
"""No coordinate is."""


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
        A byte per block, 1 if it was read: level by level, layer by layer, row by row; and a last one of nothing.
    corners
        int32, (4, 4 * STRIP): room for the marks of quads, or of lanes. Memory that a kernel allocates is counted
        atomically at every use.
    lately
        int64, one element: whether all that quads read lately was marked before.
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
    corners: IntegerRows
    lately: Words
    levels: WordRows
    texels_across: int
    texels_down: int
    across: int
    down: int
    shape: int
    wrap_s: int
    wrap_t: int
    wrap_r: int


class Image(NamedTuple):
    """A level of a texture as quads read it: fields of `MarkedLevel`, bits of a coordinate that place it in the image,
    or ALL, and whether coordinates outside are those of its edge."""

    first: int
    layers: int
    layer: int
    row: int
    width: int
    height: int
    mask_x: int
    mask_y: int
    clamps_x: bool
    clamps_y: bool


LEVEL = places(MarkedLevel)
"""Columns of its fields."""


@helper
def _block_of(texel: Any, bits: Any) -> Any:
    return shift_right(np.int32(texel), bits)


@helper
def image_of(marking: Any, level: Any) -> Any:
    """The `Image` of a level."""
    of, flat = marking.levels[level], marking.shape == LAYERS
    width, height = of[LEVEL.width], of[LEVEL.height]
    return Image(
        of[LEVEL.first],
        of[LEVEL.layers],
        of[LEVEL.layer],
        of[LEVEL.row],
        width,
        height,
        _mask(width, flat and marking.wrap_s == REPEAT),
        _mask(height, flat and marking.wrap_t == REPEAT),
        flat and marking.wrap_s in CLAMPS,
        flat and marking.wrap_t in CLAMPS,
    )


@helper
def _mask(size: Any, repeated: Any) -> Any:
    """Bits of a coordinate that place it in an image, if it is repeated and its size a power of two."""
    return size - 1 if repeated and size & size - 1 == 0 else ALL


@helper
def layer_of_quad(marking: Any, image: Any, face: Any, first: Any) -> Any:
    """First mark of the layer that a quad reads; NOWHERE if there are several."""
    if marking.shape == VOLUME:
        return NOWHERE
    if image.layers == 1:
        return image.first
    layer = face[first]
    same = face[first + 1] == layer and face[first + 2] == layer and face[first + 3] == layer
    return image.first + np.int64(layer) * image.layer if same else NOWHERE


@helper
def place_quads(own: Any, like: Any, image: Any, how: Any, places: Any) -> None:
    """Find the marks of quads that read at most two blocks in a row and two in a column.

    In 32 bits and without branches, so that the loop is vectorized.

    Parameters
    ----------
    own
        By quad: levels of the lanes and whether 2x2 texels are read, in a word each; by lane: base texels.
    like
        Levels and whether 2x2 texels are read, of quads that are placed.
    image
        `Image` of these.
    how
        Log2 of the texels of a block across and down, whether 2x2 texels are read, and a mark of nothing.
    places
        Four times int32, by quad, to fill with marks, perhaps the same ones; with that of nothing for quads that read
        another image, or more.
    """
    quad_levels, quad_linear, x, y = own
    across, down, more, nowhere = np.int32(how[0]), np.int32(how[1]), np.int32(how[2]), how[3]
    wide, high = np.int32(1 << how[0]), np.int32(1 << how[1])
    last_x, last_y = np.int32(image.width - 1), np.int32(image.height - 1)
    mask_x, mask_y, row = np.int32(image.mask_x), np.int32(image.mask_y), np.int32(image.row)
    any_x, any_y = image.mask_x != ALL or image.clamps_x, image.mask_y != ALL or image.clamps_y
    least_x, most_x = _range(image.clamps_x, last_x)
    least_y, most_y = _range(image.clamps_y, last_y)
    start = np.int32(image.first)
    level, linear = like
    lower_left, lower_right, upper_left, upper_right = places
    for q in range(len(quad_levels)):
        lane = 4 * q
        xs, ys = (x[lane], x[lane + 1], x[lane + 2], x[lane + 3]), (y[lane], y[lane + 1], y[lane + 2], y[lane + 3])
        left, right = min(min(xs[0], xs[1]), min(xs[2], xs[3])), max(max(xs[0], xs[1]), max(xs[2], xs[3]))
        bottom, top = min(min(ys[0], ys[1]), min(ys[2], ys[3])), max(max(ys[0], ys[1]), max(ys[2], ys[3]))
        # Coordinates may overflow here; how far they are apart does not.
        right, top = np.int32(right + more), np.int32(top + more)
        inside = (any_x | ((left >= 0) & (right <= last_x))) & (any_y | ((bottom >= 0) & (top <= last_y)))
        near = (np.uint32(right - left) <= np.uint32(wide)) & (np.uint32(top - bottom) <= np.uint32(high))
        right, top = min(max(right, least_x), most_x), min(max(top, least_y), most_y)
        first = _block_of(min(max(left, least_x), most_x) & mask_x, across)
        below = _block_of(min(max(bottom, least_y), most_y) & mask_y, down) * row
        last, above = _block_of(right & mask_x, across), _block_of(top & mask_y, down) * row
        lefts, rights = _sides(xs, left, np.int32((right & -wide) - left), more)
        belows, aboves = _sides(ys, bottom, np.int32((top & -high) - bottom), more)
        reads = _any_both(lefts, belows), _any_both(rights, belows), _any_both(lefts, aboves), _any_both(rights, aboves)
        below_left, below_right = np.int32(start + first + below), np.int32(start + last + below)
        above_left, above_right = np.int32(start + first + above), np.int32(start + last + above)
        # One that is read, in the place of those that are not.
        some = below_right if reads[1] else above_left if reads[2] else above_right
        some = below_left if reads[0] else some
        found = inside & near & (quad_levels[q] == level) & (quad_linear[q] == linear)
        some = some if found else nowhere
        lower_left[q] = some
        lower_right[q] = below_right if reads[1] & found else some
        upper_left[q] = above_left if reads[2] & found else some
        upper_right[q] = above_right if reads[3] & found else some


@helper
def place_lanes(own: Any, level: Any, image: Any, how: Any, places: Any) -> None:
    """Find the marks of lanes, as `place_quads`.

    Parameters
    ----------
    own
        By lane: levels, base texels and whether 2x2 texels are read.
    level
        Level of lanes that are placed.
    image
        `Image` of it.
    how
        Log2 of the texels of a block across and down, and a mark of nothing.
    places
        Four times int32, by lane, to fill with marks; with that of nothing for lanes that read another image, or
        texels outside of it that are neither clamped nor repeated in it.
    """
    levels, x, y, linear = own
    across, down, nowhere = np.int32(how[0]), np.int32(how[1]), how[2]
    last_x, last_y = np.int32(image.width - 1), np.int32(image.height - 1)
    mask_x, mask_y, row = np.int32(image.mask_x), np.int32(image.mask_y), np.int32(image.row)
    any_x, any_y = image.mask_x != ALL or image.clamps_x, image.mask_y != ALL or image.clamps_y
    least_x, most_x = _range(image.clamps_x, last_x)
    least_y, most_y = _range(image.clamps_y, last_y)
    start, of = np.int32(image.first), np.int8(level)
    lower_left, lower_right, upper_left, upper_right = places
    for lane in range(len(levels)):
        more = np.int32(linear[lane])
        left, bottom = x[lane], y[lane]
        right, top = np.int32(left + more), np.int32(bottom + more)
        inside = (any_x | ((left >= 0) & (right <= last_x))) & (any_y | ((bottom >= 0) & (top <= last_y)))
        first = _block_of(min(max(left, least_x), most_x) & mask_x, across)
        last = _block_of(min(max(right, least_x), most_x) & mask_x, across)
        below = _block_of(min(max(bottom, least_y), most_y) & mask_y, down) * row
        above = _block_of(min(max(top, least_y), most_y) & mask_y, down) * row
        found = inside & (levels[lane] == of)
        lower_left[lane] = np.int32(start + first + below) if found else nowhere
        lower_right[lane] = np.int32(start + last + below) if found else nowhere
        upper_left[lane] = np.int32(start + first + above) if found else nowhere
        upper_right[lane] = np.int32(start + last + above) if found else nowhere


@helper
def _range(clamps: Any, last: Any) -> Any:
    """Least and greatest coordinate that are not clamped."""
    return np.int32(0 if clamps else -FAR), last if clamps else np.int32(FAR - 1)


@helper
def _sides(lanes: Any, least: Any, border: Any, more: Any) -> Any:
    """Whether each lane reads texels before a border, and from it on, which is as far from the least coordinate."""
    a, b, c, d = lanes
    a, b, c, d = np.int32(a - least), np.int32(b - least), np.int32(c - least), np.int32(d - least)
    beyond = np.int32(border - more)
    return (a < border, b < border, c < border, d < border), (a >= beyond, b >= beyond, c >= beyond, d >= beyond)


@helper
def _any_both(some: Any, others: Any) -> Any:
    """Whether any lane has both."""
    return (some[0] & others[0]) | (some[1] & others[1]) | (some[2] & others[2]) | (some[3] & others[3])


@helper
def ends_of(place: Any, first: Any, linear: Any) -> Any:
    """First and last texel of a quad in one direction."""
    a, b, c, d = place[first], place[first + 1], place[first + 2], place[first + 3]
    return np.int64(min(min(a, b), min(c, d))), np.int64(max(max(a, b), max(c, d))) + linear


@helper
def block_of_texel(texel: Any, direction: Any) -> Any:
    """Column or row of the block of a texel, with the texels stored as one, the bits of a block, a mask, and the
    greatest coordinate if it is clamped, or ALL."""
    texels, bits, mask, last = direction
    texel = texel & mask if last == ALL else min(max(texel, 0), last)
    return (texel if texels == 1 else texel // texels) >> bits


@helper
def directions_of(marking: Any, image: Any) -> Any:
    """Directions for `block_of_texel` across and down an image."""
    last_x, last_y = image.width - 1 if image.clamps_x else ALL, image.height - 1 if image.clamps_y else ALL
    across = marking.texels_across, marking.across, image.mask_x, last_x
    return across, (marking.texels_down, marking.down, image.mask_y, last_y)
