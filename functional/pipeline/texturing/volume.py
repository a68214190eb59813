"""Texture kernels beyond plain images: 3D textures and depth comparison (OpenGL ES 3.0, 3.8.10 and 3.8.15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.compiled import kernel
from ...activity.kernels.depth import compare
from ...activity.kernels.wrapping import wrapped
from .filter import bounded, choose_levels, filter_level


@kernel
def sample_volume(texture: Any, coordinates: Any, lod: Any, out: Any, noted: Any, slices: Any) -> None:
    """Sample a 3D texture; parameters as for `sample`.

    Parameters
    ----------
    coordinates
        float32, (3, n).
    slices
        int32, (2, n): slices that the first level's read uses, the same twice if it uses one; to fill.
    """
    texels, sizes, filters = texture.texels, texture.sizes, texture.filters
    wraps, shift = texture.wraps, texture.shift
    levels, texel_x, texel_y, linear = noted.levels, noted.x, noted.y, noted.linear
    flat_wraps, flat_shift = (wraps[0], wraps[1]), (shift[0], shift[1])
    top = len(sizes) - 1
    low, high, part = np.zeros(4, np.float32), np.zeros(4, np.float32), np.zeros(4, np.float32)
    for i in range(coordinates.shape[1]):
        first, second, blend, is_linear = choose_levels(lod[i], top, filters[0], filters[1])
        linear[i] = is_linear
        levels[0, i] = first
        levels[1, i] = second
        for number in range(2):
            level = second if number else first
            if level < 0:
                continue
            target = high if number else low
            width, height, depth = sizes[level, 1], sizes[level, 2], sizes[level, 3]
            r = bounded(coordinates[2, i] * depth - (0.5 if is_linear else 0.0))
            z = np.int64(np.floor(r))
            weight = np.float32(r - z)
            z += shift[2]
            near = wrapped(z, depth, wraps[2])
            far = wrapped(z + 1, depth, wraps[2]) if is_linear else near
            image = width * height * 4
            place = (coordinates[0, i], coordinates[1, i])
            face = (sizes[level, 0] + near * image, width, height)
            x, y = filter_level(texels, face, is_linear, place, flat_wraps, flat_shift, target)
            if is_linear:
                face = (sizes[level, 0] + far * image, width, height)
                filter_level(texels, face, is_linear, place, flat_wraps, flat_shift, part)
                for channel in range(4):
                    target[channel] += weight * (part[channel] - target[channel])
            texel_x[number, i] = x
            texel_y[number, i] = y
            if number == 0:
                slices[0, i] = near
                slices[1, i] = far
        for channel in range(4):
            value = low[channel]
            if second >= 0:
                value += blend * (high[channel] - value)
            out[channel, i] = value * texture.scale


@kernel
def sample_compared(
    texture: Any, s: Any, t: Any, lod: Any, reference: Any, function: Any, out: Any, noted: Any
) -> None:
    """Compare depths with a reference and filter the outcomes; parameters as for `sample`.

    Parameters
    ----------
    reference
        float32, (n,): reference for the comparison, clamped to 0…1.
    function
        Code of `COMPARISONS`.
    out
        float32, (n,): share of the texels that pass, to fill.
    """
    texels, sizes, filters, wraps, shift, _ = texture
    levels, texel_x, texel_y, layer, linear = noted
    top = len(sizes) - 1
    for i in range(len(s)):
        first, _, _, is_linear = choose_levels(lod[i], top, filters[0], filters[1])
        linear[i] = is_linear
        levels[0, i] = first
        levels[1, i] = -1
        width, height = sizes[first, 1], sizes[first, 2]
        start = sizes[first, 0] + layer[i] * width * height * 4
        half = 0.5 if is_linear else 0.0
        u, v = bounded(s[i] * width - half), bounded(t[i] * height - half)
        x, y = np.int64(np.floor(u)), np.int64(np.floor(v))
        fu, fv = np.float32(u - x), np.float32(v - y)
        x, y = x + shift[0], y + shift[1]
        texel_x[0, i] = x
        texel_y[0, i] = y
        value = min(max(reference[i], np.float32(0)), np.float32(1))
        total = np.float32(0)
        for dy in range(2 if is_linear else 1):
            for dx in range(2 if is_linear else 1):
                column, row = wrapped(x + dx, width, wraps[0]), wrapped(y + dy, height, wraps[1])
                depth = texels[start + 4 * (row * width + column)]
                weight = np.float32(1)
                if is_linear:
                    weight = (fu if dx else np.float32(1) - fu) * (fv if dy else np.float32(1) - fv)
                if compare(function, value, depth):
                    total += weight
        out[i] = total
