"""Cube maps: filtering across the edges of faces (OpenGL ES 3.0, 3.8.10.1), as in Mesa for every version.

At a corner, where only three texels exist, their mean replaces the fourth, as the specification recommends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.cube import face_texel
from ...activity.kernels.depth import compare
from ...compile import helper
from ...compile.blocks import FloatRows, Floats
from .filter import Texture, bounded


@helper
def base_texel(s: np.float32, t: np.float32, size: int, linear: bool) -> Any:
    """Base texel of a read, and the weights of the next column and row."""
    half = 0.5 if linear else 0.0
    u, v = bounded(s * size - half), bounded(t * size - half)
    x, y = int(np.floor(u)), int(np.floor(v))
    fu, fv = np.float32(u - x), np.float32(v - y)
    low = -1 if linear else 0
    # Coordinates exactly at the edge may round to a texel beyond the face.
    return min(max(x, low), size - 1), min(max(y, low), size - 1), fu, fv


@helper
def filter_face(
    texture: Texture, level: int, face: int, linear: bool, s: np.float32, t: np.float32, taps: FloatRows, out: Floats
) -> Any:
    """Filter one level into `out` (float32, (4,)) and give the base texel; `taps` (float32, (4, 4)) is room to
    work."""
    texels, start, size = texture.texels, texture.offsets[level], texture.widths[level]
    x, y, fu, fv = base_texel(s, t, size, linear)
    if not linear:
        at = start + 4 * ((face * size + y) * size + x)
        for channel in range(4):
            out[channel] = texels[at + channel]
        return x, y
    corner = -1
    for tap in range(4):
        to, column, row = face_texel(face, x + (tap & 1), y + (tap >> 1), size)
        if to < 0:
            corner = tap
            continue
        at = start + 4 * ((to * size + row) * size + column)
        for channel in range(4):
            taps[tap, channel] = texels[at + channel]
    for channel in range(4):
        if corner >= 0:
            taps[corner, channel] = np.float32(0)
            total = taps[0, channel] + taps[1, channel] + taps[2, channel] + taps[3, channel]
            taps[corner, channel] = total / np.float32(3)
        low = taps[0, channel] + fu * (taps[1, channel] - taps[0, channel])
        high = taps[2, channel] + fu * (taps[3, channel] - taps[2, channel])
        out[channel] = low + fv * (high - low)
    return x, y


@helper
def compare_face(texture: Any, level: Any, face: Any, linear: Any, place: Any, value: Any, function: Any) -> Any:
    """Share of the texels of a face that pass a depth comparison, and the base texel."""
    start, size = texture.offsets[level], texture.widths[level]
    x, y, fu, fv = base_texel(place[0], place[1], size, linear)
    passed, weights = np.float32(0), np.float32(0)
    for tap in range(4 if linear else 1):
        to, column, row = face_texel(face, x + (tap & 1), y + (tap >> 1), size)
        if to < 0:
            continue
        weight = np.float32(1)
        if linear:
            weight = (fu if tap & 1 else np.float32(1) - fu) * (fv if tap >> 1 else np.float32(1) - fv)
        weights += weight
        if compare(function, value, texture.texels[start + 4 * ((to * size + row) * size + column)]):
            passed += weight
    # The weight of a missing fourth texel is distributed to the other three.
    return passed / weights if weights > 0 else np.float32(0), x, y
