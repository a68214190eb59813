"""Marks the blocks of texels that quads read, so that it is known which parts of a texture a frame uses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.cube import face_texel
from ...activity.kernels.wrapping import wrapped
from ...jit import ZERO, helper
from ...jit.blocks import load
from .marked_boxes import are_marked, blocks_of, box_of, mark_rows
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
    rows = marking.corners
    # Not unpacked, which would make arrays of unknown strides: their loop is not vectorized.
    places = rows[0], rows[1], rows[2], rows[3]
    for start in range(0, quads, MANY):
        end = min(start + MANY, quads)
        if end - start > STRIP and _are_all_marked(marking, read, base, (start, end)):
            continue
        for begin in range(start, end, STRIP):
            _mark_strip(marking, read, base, (begin, min(begin + STRIP, end)), places)


@helper
def _are_all_marked(marking: Any, read: Any, base: Any, strip: Any) -> Any:
    """Whether it is easily found that all that some quads read of one level is marked."""
    levels, x, y, linear, _ = read
    begin, end = 4 * strip[0], 4 * strip[1]
    box = box_of(levels[begin:end], x[begin:end], y[begin:end], linear[begin:end])
    if box.level < 0:
        return True
    image = image_of(marking, box.level - base)
    return not box.mixed and _is_flat(marking, image) and are_marked(marking, image, blocks_of(marking, image, box))


@helper
def _is_flat(marking: Any, image: Any) -> Any:
    """Whether an image is the only one of its level, with blocks of a power of two of texels."""
    return image.layers == 1 and marking.shape == LAYERS and marking.texels_across * marking.texels_down == 1


@helper
def _mark_strip(marking: Any, read: Any, base: Any, strip: Any, places: Any) -> None:
    """Mark what some quads read: at once those that read the same image in the same way as the first that reads."""
    levels, x, y, linear, face = read
    begin, end = strip
    xs, ys = x[4 * begin : 4 * end], y[4 * begin : 4 * end]
    box = box_of(levels[4 * begin : 4 * end], xs, ys, linear[4 * begin : 4 * end])
    if box.level < 0:
        return
    image = image_of(marking, box.level - base)
    at_once = _is_flat(marking, image) and not box.mixed
    if at_once:
        if are_marked(marking, image, blocks_of(marking, image, box)) or mark_rows(marking, image, (xs, ys), box):
            return
        more, nowhere = np.int64(box.linear), np.int32(len(marking.marks) - 1)
        quad_levels, quad_linear = levels.view(np.int32)[begin:end], linear.view(np.int32)[begin:end]
        like = np.int32(box.level * ALIKE), np.int32(more * ALIKE)
        own = quad_levels, quad_linear, xs, ys
        place_quads(own, like, image, (marking.across, marking.down, more, nowhere), places)
        if _mark_places(marking.marks, nowhere, places, end - begin) == 0:
            return
        by_lane = levels[4 * begin : 4 * end], xs, ys, linear[4 * begin : 4 * end]
        place_lanes(by_lane, box.level, image, (marking.across, marking.down, nowhere), places)
        if _mark_places(marking.marks, nowhere, places, 4 * (end - begin)) == 0:
            return
    for q in range(begin, end):
        if levels.view(np.int32)[q] != -1 and not (at_once and _is_placed(marking, levels, places[0], q, begin)):
            _mark_alone(marking, read, base, q)


@helper
def _is_placed(marking: Any, levels: Any, row: Any, quad: Any, begin: Any) -> Any:
    """Whether all lanes of a quad that read have a mark; marks are those of the quads from one on."""
    for lane in range(4 * quad, 4 * quad + 4):
        if levels[lane] >= 0 and row[lane - 4 * begin] == len(marking.marks) - 1:
            return False
    return True


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
