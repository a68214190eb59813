"""The texture unit's kernels: level of detail, cube faces, wrapping and filtering (OpenGL ES 2.0, 3.7.7 to 3.7.9)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.wrapping import on_border, wrapped
from ...compile import helper, kernel
from ...compile.blocks import FloatRows, Floats
from ...opengl.enums import LINEAR, NEAREST_MIPMAP_LINEAR, NEAREST_MIPMAP_NEAREST

FAR = float(1 << 30)
LAYERS, CUBE, VOLUME = range(3)


# Coefficients of log2(m) = 2 / ln 2 * atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716, highest power first.
_L9, _L7, _L5, _L3, _L1 = (np.float32(2 / math.log(2) / n) for n in (9, 7, 5, 3, 1))


@helper
def binary_logarithm(x: np.float32) -> Any:
    """Base-2 logarithm of a float32 that is not negative, by the steps of the machine code's LG2.

    This way all back ends choose the same levels and weights.
    """
    if not x > 0:
        return np.float32(-np.inf) if x == 0 else np.float32(np.nan)
    if x == np.float32(np.inf):
        return x
    tiny = x < np.float32(2.0**-126)
    scaled = x * np.float32(2.0**23) if tiny else x
    offset = np.float32(-23) if tiny else np.float32(0)
    shifted = np.int32(np.float32(scaled).view(np.int32) + np.int32(0x3F800000 - 0x3F3504F3))
    exponent = np.float32((shifted >> 23) - 127)
    m = np.int32((shifted & 0x007FFFFF) + 0x3F3504F3).view(np.float32)
    s = (m - np.float32(1)) / (m + np.float32(1))
    q = s * s
    return (exponent + offset) + ((((_L9 * q + _L7) * q + _L5) * q + _L3) * q + _L1) * s


def binary_logarithms(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Base-2 logarithms of float32 values, (n,)."""
    out = np.empty_like(values)
    _fill_logarithms(values, out)
    return out


@kernel
def _fill_logarithms(values: Any, out: Any) -> None:
    for i in range(len(values)):
        out[i] = binary_logarithm(values[i])


@kernel
def quad_lod(coordinates: FloatRows, sizes: Floats, lod: Floats) -> None:
    """Level of detail from differences inside each quad.

    The scale factor is the largest change of a texel coordinate to the next pixel right or up, the lower bound that the
    specification allows (OpenGL ES 2.0, 3.7.7), and what Mesa's software drivers use.

    Parameters
    ----------
    coordinates
        float32, (k, 4 * quads): texture coordinates.
    sizes
        float32, (k,): texels per unit of each coordinate.
    lod
        float32, (4 * quads,): base-2 logarithm of the scale factor, the same in a quad's lanes; -inf if nothing
        changes.
    """
    for q in range(coordinates.shape[1] // 4):
        rho = np.float32(0)
        for k in range(coordinates.shape[0]):
            base = coordinates[k, 4 * q]
            change = max(abs(coordinates[k, 4 * q + 1] - base), abs(coordinates[k, 4 * q + 2] - base))
            rho = max(rho, change * sizes[k])
        value = binary_logarithm(rho)
        for lane in range(4):
            lod[4 * q + lane] = value


@kernel
def cube_faces(direction: Any, face: Any, s: Any, t: Any) -> None:
    """Face of a cube that a direction points at, and the position on it (OpenGL ES 2.0, table 3.10).

    Parameters
    ----------
    direction
        float32, (3, n).
    face
        int32, (n,): 0 to 5 for +x, -x, +y, -y, +z, -z, to fill.
    s, t
        float32, (n,): coordinates 0…1 on the face, to fill.
    """
    for i in range(direction.shape[1]):
        x, y, z = direction[0, i], direction[1, i], direction[2, i]
        ax, ay, az = abs(x), abs(y), abs(z)
        if ax >= ay and ax >= az:
            face[i] = 0 if x >= 0 else 1
            major, u, v = ax, -z if x >= 0 else z, -y
        elif ay >= az:
            face[i] = 2 if y >= 0 else 3
            major, u, v = ay, x, z if y >= 0 else -z
        else:
            face[i] = 4 if z >= 0 else 5
            major, u, v = az, x if z >= 0 else -x, -y
        if major > 0:
            s[i] = (u / major + np.float32(1)) * np.float32(0.5)
            t[i] = (v / major + np.float32(1)) * np.float32(0.5)
        else:
            s[i] = 0.5
            t[i] = 0.5


@helper
def bounded(value: float | np.floating[Any]) -> Any:
    """Coordinate clamped to the range of an int; NaN becomes 0."""
    return min(max(value, -FAR), FAR) if value == value else 0.0


class Image(NamedTuple):
    """One image of a texture: its first element in the storage, and its size."""

    start: Any
    width: Any
    height: Any


@helper
def image_of(texture: Texture, level: int, layer: int) -> Any:
    """An image of a `Texture` that is no cube."""
    width, height = texture.widths[level], texture.heights[level]
    return Image(texture.offsets[level] + layer * width * height * 4, width, height)


@helper
def nearest_texel(
    image: Image, place: tuple[np.float32, np.float32], wraps: tuple[int, int], shift: tuple[int, int]
) -> Any:
    """Base texel of an unfiltered read before wrapping, and its first element; parameters as for `filter_level`."""
    width, height = image.width, image.height
    x = int(np.floor(bounded(place[0] * width))) + shift[0]
    y = int(np.floor(bounded(place[1] * height))) + shift[1]
    return x, y, image.start + 4 * (wrapped(y, height, wraps[1]) * width + wrapped(x, width, wraps[0]))


@helper
def filter_level(
    texture: Texture,
    image: Image,
    linear: bool,
    place: tuple[np.float32, np.float32],
    wraps: tuple[int, int],
    shift: tuple[int, int],
    out: Floats,
) -> Any:
    """Filter one image into `out` (float32, (4,)) and give the base texel before wrapping.

    Parameters
    ----------
    texture
        `Texture`.
    image
        `Image`.
    linear
        2x2 texels or one.
    place
        Coordinates s and t.
    wraps, shift
        Wrap modes in s and t, and texel offsets of the operation.
    """
    start, width, height = image.start, image.width, image.height
    s, t = place
    wrap_s, wrap_t = wraps
    shift_x, shift_y = shift
    texels, border = texture.texels, texture.border
    if not linear:
        x, y, at = nearest_texel(image, place, wraps, shift)
        outside = on_border(x, width, wrap_s) or on_border(y, height, wrap_t)
        for channel in range(4):
            out[channel] = border[channel] if outside else texels[at + channel]
        return x, y
    u, v = bounded(s * width - 0.5), bounded(t * height - 0.5)
    x, y = int(np.floor(u)), int(np.floor(v))
    fu, fv = np.float32(u - x), np.float32(v - y)
    x, y = x + shift_x, y + shift_y
    x0, x1 = 4 * wrapped(x, width, wrap_s), 4 * wrapped(x + 1, width, wrap_s)
    y0 = start + 4 * width * wrapped(y, height, wrap_t)
    y1 = start + 4 * width * wrapped(y + 1, height, wrap_t)
    left, right = on_border(x, width, wrap_s), on_border(x + 1, width, wrap_s)
    low_row, high_row = on_border(y, height, wrap_t), on_border(y + 1, height, wrap_t)
    for channel in range(4):
        a, b = np.float32(texels[y0 + x0 + channel]), np.float32(texels[y0 + x1 + channel])
        c, d = np.float32(texels[y1 + x0 + channel]), np.float32(texels[y1 + x1 + channel])
        if left or right or low_row or high_row:
            edge = np.float32(border[channel])
            a, b = edge if left or low_row else a, edge if right or low_row else b
            c, d = edge if left or high_row else c, edge if right or high_row else d
        low, high = a + fu * (b - a), c + fu * (d - c)
        out[channel] = low + fv * (high - low)
    return x, y


@helper
def choose_levels(texture: Texture, detail: np.float32) -> Any:
    """Levels to read (ES 3.0, 3.8.11): first, second or -1, weight of the second, whether to filter linearly."""
    top, min_filter = len(texture.widths) - 1, texture.min_filter
    first: Any = 0
    second: Any = -1
    blend = np.float32(0)
    if not detail > 0:
        return first, second, blend, texture.mag_filter == LINEAR
    if min_filter >= NEAREST_MIPMAP_LINEAR:
        detail = min(detail, np.float32(top))
        first = int(detail)
        blend = detail - np.float32(first)
        second = first + 1 if first < top else -1
    elif min_filter >= NEAREST_MIPMAP_NEAREST:
        first = min(int(min(detail, np.float32(top)) + np.float32(0.5)), top)
    return first, second, blend, (min_filter & 1) != 0


class Texture(NamedTuple):
    """A texture and how it is sampled, as kernels take it.

    Attributes
    ----------
    texels
        All images; see `Storage`.
    offsets, widths, heights, layers
        int64, (levels,): as in `Storage`.
    min_filter, mag_filter
        GL enums.
    wraps, shift
        int64, (3,): codes of `WRAPS`, and texel offsets of the operation.
    scale
        float32: value of a stored 1 (1/255 for uint8).
    border
        float32 or int32, (4,): border colour, as stored.
    shape
        ``CUBE``, ``VOLUME``, or ``LAYERS`` of images, of which there may be one.
    """

    texels: Any
    offsets: Any
    widths: Any
    heights: Any
    layers: Any
    min_filter: Any
    mag_filter: Any
    wraps: Any
    shift: Any
    scale: Any
    border: Any
    shape: Any
