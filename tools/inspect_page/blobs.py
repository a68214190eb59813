"""Binary parts of a page, each in an element that no browser runs; a script decodes those that are shown."""

from __future__ import annotations

import base64
import io
import zlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image, features

PICTURE = "b"
"""Ids of the elements are this and a number."""


def picture_format() -> str:
    """Lossless format of pictures: WebP, or PNG where Pillow lacks it."""
    return "webp" if features.check("webp") else "png"


@dataclass
class Blobs:
    """Parts that were added, as the text of elements.

    Attributes
    ----------
    format
        Of pictures: webp or png.
    """

    format: str = field(default_factory=picture_format)
    _texts: list[str] = field(default_factory=list)
    _known: dict[bytes, int] = field(default_factory=dict)

    def add(self, content: bytes) -> int:
        """Number of a part; equal ones have the same."""
        if content not in self._known:
            self._known[content] = len(self._texts)
            self._texts.append(base64.b64encode(content).decode())
        return self._known[content]

    def picture(self, pixels: NDArray[np.uint8]) -> int:
        """Number of a picture, uint8 (height, width, 4), without loss where alpha is not 0."""
        file = io.BytesIO()
        image = Image.fromarray(pixels)
        if self.format == "webp" and max(pixels.shape[:2]) < 1 << 14:
            image.save(file, "webp", lossless=True, quality=30, method=1)
        else:
            image.save(file, "png", compress_level=6)
        return self.add(file.getvalue())

    def deflated(self, array: NDArray[np.generic]) -> int:
        """Number of the bytes of an array, lowest byte first, deflated."""
        ordered = array.astype(array.dtype.newbyteorder("<"), copy=False)
        return self.add(zlib.compress(np.ascontiguousarray(ordered).tobytes(), 6))

    def html(self) -> str:
        """All parts as elements."""
        return "".join(
            f'<script type="text/plain" id="{PICTURE}{number}">{text}</script>\n'
            for number, text in enumerate(self._texts)
        )
