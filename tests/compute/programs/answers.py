"""Answers of programs: the bytes that they read back, and how near other bytes have to be."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Answer(NamedTuple):
    """Bytes that one glMapBufferRange or glReadPixels gives.

    Attributes
    ----------
    data
        The bytes, as numpy computes them.
    dtype
        numpy's name of the type of the numbers in them.
    tolerance
        How far a number may be away from the expected one, as a fraction of the largest of all; 0: the same bytes.
    """

    data: bytes
    dtype: str = "u1"
    tolerance: float = 0.0

    def agrees(self, given: bytes) -> bool:
        """Whether bytes that a driver gives are near enough."""
        if self.tolerance == 0.0 or len(given) != len(self.data):
            return given == self.data
        wanted, numbers = (np.frombuffer(data, self.dtype).astype(np.float64) for data in (self.data, given))
        return bool((np.abs(wanted - numbers) <= self.tolerance * np.abs(wanted).max()).all())


def values(array: NDArray[Any], tolerance: float = 0.0) -> Answer:
    """The answer that is an array in memory."""
    return Answer(np.ascontiguousarray(array).tobytes(), array.dtype.str, tolerance)


def picture(colors: NDArray[np.integer[Any]], tolerance: float = 0.0) -> Answer:
    """The answer that is an opaque picture.

    Parameters
    ----------
    colors
        Red, green and blue (0…255), rows from bottom to top; (height, width, 3).
    tolerance
        As for `Answer`.
    """
    if colors.min() < 0 or colors.max() > 255:
        raise ValueError("colors are 0 to 255")
    pixels = np.full((*colors.shape[:2], 4), 255, np.uint8)
    pixels[..., :3] = colors
    return values(pixels, tolerance)


def picture_of_words(array: NDArray[Any], width: int, height: int) -> Answer:
    """The picture that `Session.show_words` draws of an array of 32-bit numbers."""
    words = np.resize(np.ascontiguousarray(array).reshape(-1).view(np.uint32), (height, width))
    return picture(np.stack([words >> shift & 255 for shift in (0, 8, 16)], -1))
