"""Marks the blocks of texels that quads read, so that it is known which parts of a texture a frame uses."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ...activity.kernels.cube import face_texel
from ...activity.kernels.wrapping import wrapped
from ...jit import ZERO, helper, kernel
from ...jit.blocks import Words, load
from ..texturing.reads import OPERATION, LoggedReads
from .marked_places import (
    ALL,
    CUBE,
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
    place_quads,
)

ALIKE = 0x01010101
"""Four lanes with the same byte hold this times it."""


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
    rows = marking.corners
    # Not unpacked, which would make arrays of unknown strides: their loop is not vectorized.
    places = rows[0], rows[1], rows[2], rows[3]
    for begin in range(0, quads, STRIP):
        _mark_strip(marking, read, base, (begin, min(begin + STRIP, quads)), places)


@helper
def _mark_strip(marking: Any, read: Any, base: Any, strip: Any, places: Any) -> None:
    """Mark what some quads read: at once those that read the same image in the same way as the first that reads."""
    levels, x, y, linear, face = read
    begin, end = strip
    quad_levels, quad_linear = levels.view(np.int32)[begin:end], linear.view(np.int32)[begin:end]
    first = ZERO
    while first < end - begin and quad_levels[first] == -1:
        first += 1
    if first == end - begin:
        return
    like = quad_levels[first], quad_linear[first]
    level, more = np.int64(levels[4 * (begin + first)]), np.int64(linear[4 * (begin + first)])
    at_once = level >= 0 and like[0] == level * ALIKE and like[1] == more * ALIKE
    if at_once:
        image = image_of(marking, level - base)
        at_once = image.layers == 1 and marking.shape != VOLUME and marking.texels_across * marking.texels_down == 1
        if at_once:
            own = quad_levels, quad_linear, x[4 * begin : 4 * end], y[4 * begin : 4 * end]
            nowhere = np.int32(len(marking.marks) - 1)
            place_quads(own, like, image, (marking.across, marking.down, more, nowhere), places)
            if _mark_places(marking.marks, nowhere, places, end - begin):
                return
    for q in range(end - begin):
        if quad_levels[q] != -1 and not (at_once and places[0][q] != len(marking.marks) - 1):
            _mark_alone(marking, read, base, begin + q)


@helper
def _mark_places(marks: Any, nowhere: Any, places: Any, quads: Any) -> Any:
    """Mark what was found for some quads, and the last mark for others; whether there are none of these."""
    for corner in range(4):
        row = places[corner]
        for q in range(quads):
            # Unsigned, it needs no test for numbers that count from the end.
            marks[np.uint32(row[q])] = 1
    row, others = places[0], False
    for q in range(quads):
        others |= row[q] == nowhere
    return not others


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


@kernel
def mark_logged(records: Annotated[tuple[Any, ...], LoggedReads], part: Annotated[tuple[Any, ...], MarkedPart]) -> None:
    """Mark what records read: `LoggedReads`, whose last quads may be beyond those of the part, a `MarkedPart`."""
    logged, of = LoggedReads(*records), MarkedPart(*part)
    if logged.levels.shape[2] < 4 * STRIP:
        _mark_short(logged, of)
        return
    for record in range(len(logged.first)):
        operation = logged.operations[logged.operation[record]]
        address = of.marking[operation[OPERATION.sampler]] if operation[OPERATION.told] else 0
        quads = _quads_of(logged, of, record)
        read = logged.levels[record], logged.x[record], logged.y[record], logged.linear[record], logged.face[record]
        mark_read(address, read, of.first_level[operation[OPERATION.sampler]], quads)


@helper
def _quads_of(logged: Any, of: Any, record: Any) -> Any:
    """Quads of a record."""
    return min(logged.levels.shape[2] // 4, of.quads - logged.first[record] // 4)


@helper
def _mark_short(logged: Any, of: Any) -> None:
    """Mark what records of a few quads read: together those of an operation, as many as are looked at together."""
    levels, x, y = (
        np.empty((2, 4 * STRIP), np.int8),
        np.empty((2, 4 * STRIP), np.int32),
        np.empty((2, 4 * STRIP), np.int32),
    )
    linear, face = np.empty(4 * STRIP, np.bool_), np.empty(4 * STRIP, np.int32)
    read, width = (levels, x, y, linear, face), logged.levels.shape[2]
    for number in range(len(logged.operations)):
        operation, lanes = logged.operations[number], ZERO
        address = of.marking[operation[OPERATION.sampler]] if operation[OPERATION.told] else 0
        base = of.first_level[operation[OPERATION.sampler]]
        for record in range(len(logged.first) if address else 0):
            if logged.operation[record] != number:
                continue
            if lanes + width > 4 * STRIP:
                mark_read(address, read, base, lanes // 4)
                lanes = ZERO
            for lane in range(4 * _quads_of(logged, of, record)):
                for level in range(2):
                    levels[level, lanes] = logged.levels[record, level, lane]
                    x[level, lanes], y[level, lanes] = logged.x[record, level, lane], logged.y[record, level, lane]
                linear[lanes], face[lanes] = logged.linear[record, lane], logged.face[record, lane]
                lanes += 1
        if lanes:
            mark_read(address, read, base, lanes // 4)
