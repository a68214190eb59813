"""Marks the blocks of texels that quads read, so that it is known which parts of a texture a frame uses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.cube import face_texel
from ...activity.kernels.wrapping import wrapped
from ...jit import ZERO, helper
from ...jit.blocks import load
from .marked_boxes import are_marked, box_of, mark_rows
from .marked_places import (
    ALIKE,
    ALL,
    CUBE,
    LAYERS,
    LEVEL,
    NOWHERE,
    STRIP,
    VOLUME,
    Marking,
    block_of_texel,
    directions_of,
    ends_of,
    image_of,
    layer_of_quad,
    place_lanes,
    place_quads,
)

MANY = 4 * STRIP
"""Quads that are looked at together as long as there is nothing to mark."""
FEW = 6
"""Quads that are rather marked each by itself than lane by lane with the others."""
MOST_LEVELS = 2
"""Levels above the lowest that quads read together."""


@helper
def mark_quads(address: Any, read: Any, base: Any, quads: Any) -> None:
    """Mark what quads read of one level.

    Parameters
    ----------
    address
        Of a `Marking`.
    read
        By lane: levels (-1 for none), base texels before wrapping, whether 2x2 texels are read, and images.
    base
        The level that is the first of the marking.
    quads
        How many.
    """
    marking = load(address, Marking)
    rows = marking.corners
    # Not unpacked, which would make arrays of unknown strides: their loop is not vectorized.
    places = rows[0], rows[1], rows[2], rows[3]
    for start in range(0, quads, MANY):
        end, marked = min(start + MANY, quads), True
        # Where all was marked before, it often is again.
        if marking.lately[0] and _are_all_marked(marking, read, base, (start, end)):
            continue
        for begin in range(start, end, STRIP):
            marked &= _mark_strip(marking, read, base, (begin, min(begin + STRIP, end)), places)
        marking.lately[0] = marked


@helper
def _are_all_marked(marking: Any, read: Any, base: Any, strip: Any) -> Any:
    """Whether it is easily found that all that some quads read of one level is marked."""
    levels, x, y, linear, _ = read
    begin, end = 4 * strip[0], 4 * strip[1]
    box = box_of(levels[begin:end], x[begin:end], y[begin:end], linear[begin:end])
    if box.level < 0:
        return True
    image = image_of(marking, box.level - base)
    return box.level == box.lowest and _is_flat(marking, image) and are_marked(marking, image, box)


@helper
def _is_flat(marking: Any, image: Any) -> Any:
    """Whether an image is the only one of its level, with blocks of a power of two of texels."""
    return image.layers == 1 and marking.shape == LAYERS and marking.texels_across * marking.texels_down == 1


@helper
def _mark_strip(marking: Any, read: Any, base: Any, strip: Any, places: Any) -> Any:
    """Mark what some quads read, level by level; whether all of it was marked before."""
    levels, x, y, linear, _ = read
    begin, end = strip
    lanes = levels[4 * begin : 4 * end], x[4 * begin : 4 * end], y[4 * begin : 4 * end], linear[4 * begin : 4 * end]
    box = box_of(*lanes)
    if box.level < 0:
        return True
    if box.level - box.lowest > MOST_LEVELS:
        _mark_each(marking, read, base, strip)
        return False
    for level in range(box.lowest, box.level + 1):
        image = image_of(marking, level - base)
        if not _is_flat(marking, image):
            _mark_each(marking, read, base, strip)
            return False
        if box.level > box.lowest:
            _mark_lanes(marking, (image, level), read, (base, begin), lanes, places)
        elif are_marked(marking, image, box):
            return True
        elif not mark_rows(marking, image, (lanes[1], lanes[2]), box):
            _mark_together(marking, (image, box), read, (base, begin), lanes, places)
    return False


@helper
def _mark_each(marking: Any, read: Any, base: Any, strip: Any) -> None:
    """Mark what each of some quads reads by itself."""
    levels = read[0].view(np.int32)
    for q in range(strip[0], strip[1]):
        if levels[q] != -1:
            _mark_alone(marking, read, base, q)


@helper
def _mark_together(marking: Any, of: Any, read: Any, start: Any, lanes: Any, places: Any) -> None:
    """Mark what quads from one on read of one level, at once those whose lanes read near each other.

    Parameters
    ----------
    marking
        `Marking`.
    of
        `Image` of the level, and `Box` of the lanes.
    read, start
        As in `mark_quads`, with the level that is the first, and the first quad.
    lanes
        Levels, base texels and whether 2x2 texels are read, of the quads from the first on.
    places
        See `place_quads`.
    """
    (image, box), (base, begin), (levels, x, y, linear) = of, start, lanes
    more, nowhere = np.int64(box.linear), np.int32(len(marking.marks) - 1)
    quad_levels = levels.view(np.int32)
    own, like = (quad_levels, linear.view(np.int32), x, y), (np.int32(box.level * ALIKE), np.int32(more * ALIKE))
    place_quads(own, like, image, (marking.across, marking.down, more, nowhere), places)
    others = _mark_places(marking.marks, nowhere, places, len(quad_levels))
    if others > FEW:
        _mark_lanes(marking, (image, box.level), read, start, lanes, places)
        return
    for q in range(len(quad_levels) if others else 0):
        if quad_levels[q] != -1 and places[0][q] == nowhere:
            _mark_alone(marking, read, base, begin + q)


@helper
def _mark_lanes(marking: Any, of: Any, read: Any, start: Any, lanes: Any, places: Any) -> None:
    """Mark what quads read of a level lane by lane; parameters are those of `_mark_together`, but for the level in
    place of the box."""
    (image, level), (base, begin), levels = of, start, lanes[0]
    nowhere = np.int32(len(marking.marks) - 1)
    place_lanes(lanes, level, image, (marking.across, marking.down, nowhere), places)
    _mark_places(marking.marks, nowhere, places, len(levels))
    row, left = places[0], ZERO
    for lane in range(len(levels)):
        left += (levels[lane] == level) & (row[lane] == nowhere)
    for q in range(len(levels) // 4 if left else 0):
        if _is_left(levels, row, (level, nowhere), 4 * q):
            _mark_alone(marking, read, base, begin + q)


@helper
def _is_left(levels: Any, row: Any, of: Any, first: Any) -> Any:
    """Whether a lane of a quad reads a level and has no mark."""
    (level, nowhere), left = of, False
    for lane in range(first, first + 4):
        left |= levels[lane] == level and row[lane] == nowhere
    return left


@helper
def _mark_places(marks: Any, nowhere: Any, places: Any, count: Any) -> Any:
    """Mark what was found for some quads or lanes, and the last mark for others; how many these are."""
    for corner in range(4):
        row = places[corner]
        for q in range(count):
            # Unsigned, it needs no test for numbers that count from the end.
            marks[np.uint32(row[q])] = 1
    row, others = places[0], ZERO
    for q in range(count):
        others += row[q] == nowhere
    return others


@helper
def _mark_alone(marking: Any, read: Any, base: Any, quad: Any) -> None:
    """Mark what a quad reads, wherever its lanes do."""
    levels, x, y, linear, face = read
    first = 4 * quad
    level, more = np.int64(levels[first]), np.int64(linear[first])
    # Four lanes at a time: most quads read one image.
    if level >= 0 and levels.view(np.int32)[quad] == level * ALIKE and linear.view(np.int32)[quad] == more * ALIKE:
        image = image_of(marking, level - base)
        begin = layer_of_quad(marking, image, face, first)
        if begin != NOWHERE and _mark_quad(marking, image, begin, x, y, more, first):
            return
    for lane in range(first, first + 4):
        if levels[lane] >= 0:
            place = np.int64(x[lane]), np.int64(y[lane]), np.int64(face[lane])
            _mark_lane(marking, np.int64(levels[lane]) - base, place, np.int64(linear[lane]))


@helper
def _mark_quad(marking: Any, image: Any, begin: Any, x: Any, y: Any, linear: Any, first: Any) -> Any:
    """Mark what a quad reads of a layer, if all of it is in the image or that is repeated or clamped; whether it is."""
    left, right = ends_of(x, first, linear)
    bottom, top = ends_of(y, first, linear)
    if image.mask_x == ALL and not image.clamps_x and (left < 0 or right >= image.width):
        return False
    if image.mask_y == ALL and not image.clamps_y and (bottom < 0 or top >= image.height):
        return False
    across, down = directions_of(marking, image)
    begin_left, begin_right = begin + block_of_texel(left, across), begin + block_of_texel(right, across)
    below, above = block_of_texel(bottom, down) * image.row, block_of_texel(top, down) * image.row
    near = right - left <= 1 << marking.across and top - bottom <= 1 << marking.down
    if near and (begin_left == begin_right or below == above):
        marking.marks[begin_left + below] = marking.marks[begin_right + above] = 1
        return True
    for lane in range(first, first + 4):
        column, row = np.int64(x[lane]), np.int64(y[lane])
        begin_left, begin_right = (
            begin + block_of_texel(column, across),
            begin + block_of_texel(column + linear, across),
        )
        below, above = block_of_texel(row, down) * image.row, block_of_texel(row + linear, down) * image.row
        marking.marks[begin_left + below] = marking.marks[begin_right + below] = 1
        marking.marks[begin_left + above] = marking.marks[begin_right + above] = 1
    return True


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
            begin += (
                block_of_texel(row, (marking.texels_down, marking.down, ALL, ALL)) * marking.levels[level, LEVEL.row]
            )
            marking.marks[begin + block_of_texel(column, (marking.texels_across, marking.across, ALL, ALL))] = 1
