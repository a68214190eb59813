"""Gathering one component of the four texels that a filter would blend (OpenGL ES 3.1, 8.14.3 and ESSL 3.10, 8.9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.cube import face_texel
from ...activity.kernels.depth import compare
from ...activity.kernels.wrapping import on_border, wrapped
from ...compile import kernel
from .cube import base_texel
from .filter import CUBE, Texture, bounded, image_of

BORDER, MISSING = -1, -2
"""Instead of places: texels outside of the image, and the one that a corner of a cube lacks."""
ORDER = (2, 3, 1, 0)
"""Texels in the order of the result's components: counted row by row, upwards."""


@kernel
def gather_places(texture: Any, s: Any, t: Any, places: Any, noted: Any) -> None:
    """First elements of the 2x2 texels of the base level around each place.

    Parameters
    ----------
    texture
        `Texture`.
    s, t
        float32, (n,): coordinates, 0…1 across the image.
    places
        int64, (4, n): to fill, row by row; or `BORDER`, or `MISSING`.
    noted
        `SamplingNotes`, to fill except for images, which are to be read.
    """
    wraps, shift, face = texture.wraps, texture.shift, noted.face
    for i in range(len(s)):
        if texture.shape == CUBE:
            start, width = texture.offsets[0], texture.widths[0]
            x, y, _, _ = base_texel(s[i], t[i], width, True)
        else:
            image = image_of(texture, 0, face[i])
            start, width, height = image.start, image.width, image.height
            x = int(np.floor(bounded(s[i] * width - 0.5))) + shift[0]
            y = int(np.floor(bounded(t[i] * height - 0.5))) + shift[1]
        for tap in range(4):
            column, row = x + (tap & 1), y + (tap >> 1)
            if texture.shape == CUBE:
                to, column, row = face_texel(face[i], column, row, width)
                place = start + 4 * ((to * width + row) * width + column) if to >= 0 else MISSING
            elif on_border(column, width, wraps[0]) or on_border(row, height, wraps[1]):
                place = BORDER
            else:
                place = start + 4 * (wrapped(row, height, wraps[1]) * width + wrapped(column, width, wraps[0]))
            places[tap, i] = place
        noted.levels[0, i], noted.x[0, i], noted.y[0, i], noted.linear[i] = 0, x, y, True


@kernel
def compare_all(function: Any, reference: Any, depths: Any, out: Any) -> None:
    """Outcomes of depth comparisons, 0 or 1: float32 (n,) with (4, n), into (4, n)."""
    for i in range(len(reference)):
        value = min(max(reference[i], np.float32(0)), np.float32(1))
        for tap in range(4):
            out[tap, i] = np.float32(1) if compare(function, value, depths[tap, i]) else np.float32(0)


def gathered(texture: Texture, places: NDArray[np.int64], channel: int) -> NDArray[Any]:
    """One channel of the texels at `gather_places`, as stored, (4, n); one that is missing is the others' mean."""
    values: NDArray[Any] = texture.texels[np.maximum(places, 0) + channel]
    values = np.where(places == BORDER, texture.border[channel], values)
    missing = places == MISSING
    if missing.any():
        rest = np.where(missing, 0, values).sum(axis=0, dtype=np.float64) / 3
        values = np.where(missing, rest.astype(values.dtype), values)
    return values
