"""Cube maps: filtering across the edges of faces (OpenGL ES 3.0, 3.8.10.1), as in Mesa for every version.

At a corner, where only three texels exist, their mean replaces the fourth, as the specification recommends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import helper, kernel
from ...activity.kernels.cube import face_texel
from ...activity.kernels.depth import compare
from .filter import bounded, choose_levels


@helper
def base_texel(s: Any, t: Any, size: Any, linear: Any) -> Any:
    """Base texel of a read, and the weights of the next column and row."""
    half = 0.5 if linear else 0.0
    u, v = bounded(s * size - half), bounded(t * size - half)
    x, y = np.int64(np.floor(u)), np.int64(np.floor(v))
    fu, fv = np.float32(u - x), np.float32(v - y)
    low = -1 if linear else 0
    # Coordinates exactly at the edge may round to a texel beyond the face.
    return min(max(x, low), size - 1), min(max(y, low), size - 1), fu, fv


@helper
def filter_face(texels: Any, image: Any, face: Any, linear: Any, s: Any, t: Any, taps: Any, out: Any) -> Any:
    """Filter one level into `out` (float32, (4,)) and give the base texel; `image`: its first element, and its size;
    `taps` (float32, (4, 4)) is room to work."""
    start, size = image
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


@kernel
def sample_cube(texture: Any, s: Any, t: Any, lod: Any, out: Any, noted: Any) -> None:
    """Sample a cube map; parameters as for `filter.sample`, the face being the image."""
    texels, sizes, filters = texture.texels, texture.sizes, texture.filters
    levels, texel_x, texel_y, face, linear = noted
    top = len(sizes) - 1
    low, high, taps = np.zeros(4, np.float32), np.zeros(4, np.float32), np.zeros((4, 4), np.float32)
    for i in range(len(s)):
        first, second, blend, is_linear = choose_levels(lod[i], top, filters[0], filters[1])
        linear[i] = is_linear
        levels[0, i] = first
        levels[1, i] = second
        image = (sizes[first, 0], sizes[first, 1])
        x, y = filter_face(texels, image, face[i], is_linear, s[i], t[i], taps, low)
        texel_x[0, i] = x
        texel_y[0, i] = y
        if second >= 0:
            image = (sizes[second, 0], sizes[second, 1])
            x, y = filter_face(texels, image, face[i], is_linear, s[i], t[i], taps, high)
            texel_x[1, i] = x
            texel_y[1, i] = y
            for channel in range(4):
                low[channel] += blend * (high[channel] - low[channel])
        for channel in range(4):
            out[channel, i] = low[channel] * texture.scale


@kernel
def sample_cube_compared(
    texture: Any, s: Any, t: Any, lod: Any, reference: Any, function: Any, out: Any, noted: Any
) -> None:
    """Compare depths of a cube map with a reference and filter the outcomes; see `volume.sample_compared`."""
    texels, sizes, filters = texture.texels, texture.sizes, texture.filters
    levels, texel_x, texel_y, face, linear = noted
    top = len(sizes) - 1
    for i in range(len(s)):
        first, _, _, is_linear = choose_levels(lod[i], top, filters[0], filters[1])
        linear[i] = is_linear
        levels[0, i] = first
        levels[1, i] = -1
        size = sizes[first, 1]
        x, y, fu, fv = base_texel(s[i], t[i], size, is_linear)
        texel_x[0, i] = x
        texel_y[0, i] = y
        value = min(max(reference[i], np.float32(0)), np.float32(1))
        passed, weights = np.float32(0), np.float32(0)
        for tap in range(4 if is_linear else 1):
            to, column, row = face_texel(face[i], x + (tap & 1), y + (tap >> 1), size)
            if to < 0:
                continue
            weight = np.float32(1)
            if is_linear:
                weight = (fu if tap & 1 else np.float32(1) - fu) * (fv if tap >> 1 else np.float32(1) - fv)
            weights += weight
            if compare(function, value, texels[sizes[first, 0] + 4 * ((to * size + row) * size + column)]):
                passed += weight
        # The weight of a missing fourth texel is distributed to the other three.
        out[i] = passed / weights if weights > 0 else np.float32(0)
