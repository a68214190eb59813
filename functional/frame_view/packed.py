"""Arrays of bytes that are kept compressed: a frame has one or several for each of its draws."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FASTEST = 1


@dataclass(frozen=True, slots=True)
class PackedBytes:
    """An array of bytes.

    Attributes
    ----------
    shape
        Its shape.
    content
        Its bytes, deflated.
    """

    shape: tuple[int, ...]
    content: bytes

    @classmethod
    def of(cls, array: NDArray[np.uint8]) -> PackedBytes:
        """Pack an array."""
        return cls(array.shape, zlib.compress(np.ascontiguousarray(array).tobytes(), FASTEST))

    def array(self) -> NDArray[np.uint8]:
        """The array again."""
        return np.frombuffer(zlib.decompress(self.content), np.uint8).reshape(self.shape)
