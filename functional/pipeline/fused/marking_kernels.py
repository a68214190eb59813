"""Marks the blocks of texels that quads read, so that it is known which parts of a texture a frame uses."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...activity.kernels.cube import face_texel
from ...activity.kernels.wrapping import REPEAT, wrapped
from ...jit import helper, kernel
from ...jit.blocks import Bytes, WordRows, Words, load, places
from ..texturing.reads import OPERATION, LoggedReads

LAYERS, CUBE, VOLUME = range(3)
ALL, NOWHERE = -1, -1
ALIKE = 0x01010101
"""Four lanes with the same byte hold this times it."""
STRIP = 64
"""Quads that are looked at together."""


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


class Image(NamedTuple):
    """A level of a texture as quads read it: fields of `MarkedLevel`, and bits of a coordinate that place it in the
    image, or ALL."""

    first: int
    layers: int
    layer: int
    row: int
    width: int
    height: int
    mask_x: int
    mask_y: int


LEVEL = places(MarkedLevel)
"""Columns of its fields."""


class MarkedPart(NamedTuple):
    """Shaded quads of a batch; by sampler the address of a `Marking` or 0, and the level that is its first."""

    quads: int
    marking: Words
    first_level: Words


@helper
def mark_read(address: Any, read: Any, base: Any, quads: Any) -> None:
    """Mark what quads read of both levels of an operation, at the address of a `Marking`; nothing at 0."""
    levels, x, y, linear, face = read
    for level in range(2 if address else 0):
        mark_quads(load(address, Marking), (levels[level], x[level], y[level], linear, face), base, quads)


@helper
def mark_quads(marking: Any, read: Any, base: Any, quads: Any) -> None:
    """Mark what quads read of one level.

    Parameters
    ----------
    marking
        `Marking`.
    read
        By lane: levels (-1 for none), base texels before wrapping, whether 2x2 texels are read, and images.
    base
        The level that is the first of the marking.
    quads
        How many.
    """
    places = np.empty((2, STRIP), np.int32)
    for begin in range(0, quads, STRIP):
        _mark_strip(marking, read, base, (begin, min(begin + STRIP, quads)), places)


@helper
def _mark_strip(marking: Any, read: Any, base: Any, strip: Any, places: Any) -> None:
    """Mark what some quads read: at once those that read the same image in the same way as the first one."""
    levels, x, y, linear, face = read
    begin, end = strip
    quad_levels, quad_linear = levels.view(np.int32)[begin:end], linear.view(np.int32)[begin:end]
    level, more = np.int64(levels[4 * begin]), np.int64(linear[4 * begin])
    at_once = level >= 0 and quad_levels[0] == level * ALIKE and quad_linear[0] == more * ALIKE
    firsts, seconds = places[0], places[1]
    if at_once:
        image = _image(marking, level - base)
        at_once = image.layers == 1 and marking.shape != VOLUME and marking.texels_across * marking.texels_down == 1
        if at_once:
            own = quad_levels, quad_linear, x[4 * begin : 4 * end], y[4 * begin : 4 * end]
            _place_quads(own, image, (marking.across, marking.down, more), firsts, seconds)
    for q in range(end - begin):
        if at_once and firsts[q] >= 0:
            marking.marks[firsts[q]] = marking.marks[seconds[q]] = 1
        elif quad_levels[q] != -1:
            _mark_alone(marking, read, base, begin + q)


@helper
def _place_quads(own: Any, image: Any, how: Any, firsts: Any, seconds: Any) -> None:
    """Find the marks of quads that read one or two blocks, in a row or column of blocks.

    In 32 bits and without branches, so that the loop is vectorized.

    Parameters
    ----------
    own
        By quad: levels of the lanes and whether 2x2 texels are read, in a word each; by lane: base texels.
    image
        `Image` of the first quad.
    how
        Log2 of the texels of a block across and down, and whether 2x2 texels are read.
    firsts, seconds
        int32, by quad, to fill with both marks; the first is -1 for quads that read another image, or more.
    """
    quad_levels, quad_linear, x, y = own
    across, down, more = np.int32(how[0]), np.int32(how[1]), np.int32(how[2])
    wide, high = np.uint32(1 << how[0]), np.uint32(1 << how[1])
    last_x, last_y = np.int32(image.width - 1 - how[2]), np.int32(image.height - 1 - how[2])
    mask_x, mask_y, row = np.int32(image.mask_x), np.int32(image.mask_y), np.int32(image.row)
    repeats_x, repeats_y, start = image.mask_x != ALL, image.mask_y != ALL, np.int32(image.first)
    level, linear = quad_levels[0], quad_linear[0]
    for q in range(len(quad_levels)):
        lane = 4 * q
        a, b, c, d = x[lane], x[lane + 1], x[lane + 2], x[lane + 3]
        left, right = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
        a, b, c, d = y[lane], y[lane + 1], y[lane + 2], y[lane + 3]
        bottom, top = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
        inside = (repeats_x | ((left >= 0) & (right <= last_x))) & (repeats_y | ((bottom >= 0) & (top <= last_y)))
        # Repeated coordinates may overflow here; how far they are apart does not.
        right, top = np.int32(right + more), np.int32(top + more)
        near = (np.uint32(right - left) <= wide) & (np.uint32(top - bottom) <= high)
        first, last = np.int32((left & mask_x) >> across), np.int32((right & mask_x) >> across)
        below, above = np.int32(((bottom & mask_y) >> down) * row), np.int32(((top & mask_y) >> down) * row)
        same = (quad_levels[q] == level) & (quad_linear[q] == linear)
        found = same & inside & near & ((first == last) | (below == above))
        firsts[q] = np.int32(start + first + below) if found else np.int32(-1)
        seconds[q] = np.int32(start + last + above)


@helper
def _mark_alone(marking: Any, read: Any, base: Any, quad: Any) -> None:
    """Mark what a quad reads, wherever its lanes do."""
    levels, x, y, linear, face = read
    first = 4 * quad
    level, more = np.int64(levels[first]), np.int64(linear[first])
    # Four lanes at a time: most quads read one image.
    if level >= 0 and levels.view(np.int32)[quad] == level * ALIKE and linear.view(np.int32)[quad] == more * ALIKE:
        image = _image(marking, level - base)
        begin = _layer_of_quad(marking, image, face, first)
        if begin != NOWHERE and _mark_quad(marking, image, begin, x, y, more, first):
            return
    for lane in range(first, first + 4):
        if levels[lane] >= 0:
            place = np.int64(x[lane]), np.int64(y[lane]), np.int64(face[lane])
            _mark_lane(marking, np.int64(levels[lane]) - base, place, np.int64(linear[lane]))


@helper
def _image(marking: Any, level: Any) -> Any:
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
    )


@helper
def _mask(size: Any, repeated: Any) -> Any:
    """Bits of a coordinate that place it in an image, if it is repeated and its size a power of two."""
    return size - 1 if repeated and size & size - 1 == 0 else ALL


@helper
def _layer_of_quad(marking: Any, image: Any, face: Any, first: Any) -> Any:
    """First mark of the layer that a quad reads; NOWHERE if there are several."""
    if marking.shape == VOLUME:
        return NOWHERE
    if image.layers == 1:
        return image.first
    layer = face[first]
    same = face[first + 1] == layer and face[first + 2] == layer and face[first + 3] == layer
    return image.first + np.int64(layer) * image.layer if same else NOWHERE


@helper
def _mark_quad(marking: Any, image: Any, begin: Any, x: Any, y: Any, linear: Any, first: Any) -> Any:
    """Mark what a quad reads of a layer, if all of it is in the image or that is repeated; whether it is."""
    left, right = _ends(x, first, linear)
    bottom, top = _ends(y, first, linear)
    if image.mask_x == ALL and (left < 0 or right >= image.width):
        return False
    if image.mask_y == ALL and (bottom < 0 or top >= image.height):
        return False
    across = marking.texels_across, marking.across, image.mask_x
    down = marking.texels_down, marking.down, image.mask_y
    begin_left, begin_right = begin + _block(left, across), begin + _block(right, across)
    below, above = _block(bottom, down) * image.row, _block(top, down) * image.row
    near = right - left <= 1 << marking.across and top - bottom <= 1 << marking.down
    if near and (begin_left == begin_right or below == above):
        marking.marks[begin_left + below] = marking.marks[begin_right + above] = 1
        return True
    for lane in range(first, first + 4):
        column, row = np.int64(x[lane]), np.int64(y[lane])
        begin_left, begin_right = begin + _block(column, across), begin + _block(column + linear, across)
        below, above = _block(row, down) * image.row, _block(row + linear, down) * image.row
        marking.marks[begin_left + below] = marking.marks[begin_right + below] = 1
        marking.marks[begin_left + above] = marking.marks[begin_right + above] = 1
    return True


@helper
def _ends(place: Any, first: Any, linear: Any) -> Any:
    """First and last texel of a quad in one direction."""
    a, b, c, d = place[first], place[first + 1], place[first + 2], place[first + 3]
    return np.int64(min(min(a, b), min(c, d))), np.int64(max(max(a, b), max(c, d))) + linear


@helper
def _block(texel: Any, direction: Any) -> Any:
    """Column or row of the block of a texel, with the texels stored as one, the bits of a block, and a mask."""
    texels, bits, mask = direction
    texel &= mask
    return (texel if texels == 1 else texel // texels) >> bits


@helper
def _mark_lane(marking: Any, level: Any, place: Any, linear: Any) -> None:
    """Mark what a lane reads, wherever it lies."""
    x, y, z = place
    width, height = marking.levels[level, LEVEL.width], marking.levels[level, LEVEL.height]
    layers = marking.levels[level, LEVEL.layers]
    for slice_ in range(1 + linear if marking.shape == VOLUME else 1):
        for corner in range(1 + 3 * linear):
            layer, column, row = z + slice_, x + (corner & 1), y + (corner >> 1)
            if marking.shape == CUBE:
                layer, column, row = face_texel(layer, column, row, width)
                if layer < 0:
                    continue
            else:
                column, row = wrapped(column, width, marking.wrap_s), wrapped(row, height, marking.wrap_t)
                if marking.shape == VOLUME:
                    layer = wrapped(layer, layers, marking.wrap_r)
            layer = min(max(layer, 0), layers - 1)
            begin = marking.levels[level, LEVEL.first] + layer * marking.levels[level, LEVEL.layer]
            begin += _block(row, (marking.texels_down, marking.down, ALL)) * marking.levels[level, LEVEL.row]
            marking.marks[begin + _block(column, (marking.texels_across, marking.across, ALL))] = 1


@kernel
def mark_logged(records: Annotated[tuple[Any, ...], LoggedReads], part: Annotated[tuple[Any, ...], MarkedPart]) -> None:
    """Mark what records read: `LoggedReads`, whose last quads may be beyond those of the part, a `MarkedPart`."""
    logged, of = LoggedReads(*records), MarkedPart(*part)
    for record in range(len(logged.first)):
        operation, begin = logged.operations[logged.operation[record]], logged.first[record] // 4
        address = of.marking[operation[OPERATION.sampler]] if operation[OPERATION.told] else 0
        quads = min(logged.levels.shape[2] // 4, of.quads - begin)
        read = logged.levels[record], logged.x[record], logged.y[record], logged.linear[record], logged.face[record]
        mark_read(address, read, of.first_level[operation[OPERATION.sampler]], quads)
