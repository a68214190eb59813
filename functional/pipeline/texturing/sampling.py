"""Sampling of textures of every shape: levels are filtered and blended, or depths compared (OpenGL ES 3.0, 3.8.10 and
3.8.15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.depth import compare
from ...activity.kernels.wrapping import on_border, wrapped
from ...compile import helper, kernel
from ...compile.blocks import FloatRows, Floats
from .cube import base_texel, compare_face, filter_face
from .filter import CUBE, VOLUME, Texture, bounded, choose_levels, filter_level, image_of, nearest_texel
from .reads import SamplingNotes


@helper
def filter_image(
    texture: Texture, level: int, layer: int, linear: bool, place: tuple[np.float32, np.float32], out: Floats
) -> Any:
    """Filter one image into `out` (float32, (4,)) and give the base texel before wrapping."""
    wraps, shift = (texture.wraps[0], texture.wraps[1]), (texture.shift[0], texture.shift[1])
    return filter_level(texture, image_of(texture, level, layer), linear, place, wraps, shift, out)


@helper
def filter_slices(
    texture: Texture,
    level: int,
    linear: bool,
    place: tuple[np.float32, np.float32],
    r: np.float32,
    part: Floats,
    out: Floats,
) -> Any:
    """Filter one level of a volume into `out`: the base texel, and the nearer slice; `part` (float32, (4,)) is room to
    work."""
    depth = texture.layers[level]
    r = bounded(r * depth - (0.5 if linear else 0.0))
    z = int(np.floor(r))
    weight = np.float32(r - z)
    z += texture.shift[2]
    near = wrapped(z, depth, texture.wraps[2])
    x, y = filter_image(texture, level, near, linear, place, out)
    if on_border(z, depth, texture.wraps[2]):
        for channel in range(4):
            out[channel] = texture.border[channel]
    if linear:
        filter_image(texture, level, wrapped(z + 1, depth, texture.wraps[2]), linear, place, part)
        if on_border(z + 1, depth, texture.wraps[2]):
            for channel in range(4):
                part[channel] = texture.border[channel]
        for channel in range(4):
            out[channel] += weight * (part[channel] - out[channel])
    return x, y, near


@kernel
def sample(
    texture: Texture, s: Floats, t: Floats, r: Floats, lod: Floats, out: FloatRows, noted: SamplingNotes
) -> None:
    """Sample a texture.

    Parameters
    ----------
    texture
        `Texture`.
    s, t, r
        float32, (n,): coordinates, 0…1 across the image; r counts for volumes only.
    lod
        float32, (n,): level of detail.
    out
        float32, (4, n): filtered texel, to fill.
    noted
        `SamplingNotes`, to fill except for images that are no slices: these are to be read.
    """
    levels, texel_x, texel_y, face, is_linear = noted.levels, noted.x, noted.y, noted.face, noted.linear
    low, high, taps = np.zeros(4, np.float32), np.zeros(4, np.float32), np.zeros((4, 4), np.float32)
    for i in range(len(s)):
        first, second, blend, linear = choose_levels(texture, lod[i])
        is_linear[i], levels[0, i], levels[1, i] = linear, first, second
        for number in range(1 if second < 0 else 2):
            level, target = (second, high) if number else (first, low)
            if texture.shape == CUBE:
                x, y = filter_face(texture, level, face[i], linear, s[i], t[i], taps, target)
            elif texture.shape == VOLUME:
                x, y, near = filter_slices(texture, level, linear, (s[i], t[i]), r[i], taps[0], target)
                if number == 0:
                    face[i] = near
            else:
                x, y = filter_image(texture, level, face[i], linear, (s[i], t[i]), target)
            texel_x[number, i], texel_y[number, i] = x, y
        for channel in range(4):
            value = low[channel]
            if second >= 0:
                value += blend * (high[channel] - value)
            out[channel, i] = value * texture.scale


@kernel
def sample_whole(texture: Any, s: Any, t: Any, r: Any, lod: Any, out: Any, noted: Any) -> None:
    """Sample a texture of integers, which is never filtered; parameters as for `sample`.

    Parameters
    ----------
    out
        int32, (4, n): texels, to fill.
    """
    levels, texel_x, texel_y, face = noted.levels, noted.x, noted.y, noted.face
    wraps, shift = (texture.wraps[0], texture.wraps[1]), (texture.shift[0], texture.shift[1])
    for i in range(len(s)):
        level, _, _, _ = choose_levels(texture, lod[i])
        if texture.shape == CUBE:
            size = texture.widths[level]
            x, y, _, _ = base_texel(s[i], t[i], size, False)
            at = texture.offsets[level] + 4 * ((face[i] * size + y) * size + x)
        else:
            outside = False
            if texture.shape == VOLUME:
                depth = texture.layers[level]
                z = int(np.floor(bounded(r[i] * depth))) + texture.shift[2]
                outside = on_border(z, depth, texture.wraps[2])
                face[i] = wrapped(z, depth, texture.wraps[2])
            image = image_of(texture, level, face[i])
            x, y, at = nearest_texel(image, (s[i], t[i]), wraps, shift)
            if outside or on_border(x, image.width, wraps[0]) or on_border(y, image.height, wraps[1]):
                at = -1
        levels[0, i], texel_x[0, i], texel_y[0, i] = level, x, y
        for channel in range(4):
            out[channel, i] = texture.texels[at + channel] if at >= 0 else texture.border[channel]


@helper
def compare_image(texture: Any, level: Any, layer: Any, linear: Any, place: Any, value: Any, function: Any) -> Any:
    """Share of the texels of an image that pass a depth comparison, and the base texel."""
    image = image_of(texture, level, layer)
    width, height = image.width, image.height
    half = 0.5 if linear else 0.0
    u, v = bounded(place[0] * width - half), bounded(place[1] * height - half)
    x, y = int(np.floor(u)), int(np.floor(v))
    fu, fv = np.float32(u - x), np.float32(v - y)
    x, y = x + texture.shift[0], y + texture.shift[1]
    total = np.float32(0)
    for tap in range(4 if linear else 1):
        dx, dy = tap & 1, tap >> 1
        column, row = wrapped(x + dx, width, texture.wraps[0]), wrapped(y + dy, height, texture.wraps[1])
        weight = np.float32(1)
        if linear:
            weight = (fu if dx else np.float32(1) - fu) * (fv if dy else np.float32(1) - fv)
        depth = texture.texels[image.start + 4 * (row * width + column)]
        if on_border(x + dx, width, texture.wraps[0]) or on_border(y + dy, height, texture.wraps[1]):
            depth = texture.border[0]
        if compare(function, value, depth):
            total += weight
    return total, x, y


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
    levels, texel_x, texel_y, face, is_linear = noted.levels, noted.x, noted.y, noted.face, noted.linear
    for i in range(len(s)):
        first, second, blend, linear = choose_levels(texture, lod[i])
        is_linear[i], levels[0, i], levels[1, i] = linear, first, second
        value, place = min(max(reference[i], np.float32(0)), np.float32(1)), (s[i], t[i])
        for number in range(1 if second < 0 else 2):
            level = second if number else first
            if texture.shape == CUBE:
                share, x, y = compare_face(texture, level, face[i], linear, place, value, function)
            else:
                share, x, y = compare_image(texture, level, face[i], linear, place, value, function)
            texel_x[number, i], texel_y[number, i] = x, y
            out[i] = out[i] + blend * (share - out[i]) if number else share
