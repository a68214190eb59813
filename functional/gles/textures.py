"""Texture objects: images per level and face, parameters, completeness, mipmap generation (OpenGL ES 2.0, 3.7)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from . import enums as gl
from .errors import GLError
from .formats import Format

MAX_SIZE = 8192
MAX_LEVELS = 14


@dataclass(frozen=True)
class Storage:
    """All images of a complete texture in one array, for the texture unit.

    Attributes
    ----------
    texels
        uint8, flat: RGBA texels of level 0 face 0, face 1, …, then level 1.
    offsets
        int64, (levels,): first byte of each level.
    widths, heights
        int64, (levels,): sizes in texels.
    faces
        6 for a cube, else 1.
    """

    texels: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    widths: NDArray[np.int64]
    heights: NDArray[np.int64]
    faces: int


@dataclass
class Texture:
    """A texture object; `images[level, face]` are uint8 (height, width, 4), row 0 at t = 0."""

    name: int
    identity: int
    target: int = 0
    format: Format | None = None
    images: dict[tuple[int, int], NDArray[np.uint8]] = field(default_factory=dict)
    min_filter: int = gl.NEAREST_MIPMAP_LINEAR
    mag_filter: int = gl.LINEAR
    wrap_s: int = gl.REPEAT
    wrap_t: int = gl.REPEAT
    wrap_r: int = gl.REPEAT
    anisotropy: float = 1.0
    version: int = 0
    _storage: Storage | None = None
    _storage_key: tuple[int, bool] = (-1, False)

    @property
    def faces(self) -> int:
        """Images per level."""
        return 6 if self.target == gl.TEXTURE_CUBE_MAP else 1

    @property
    def mipmapped(self) -> bool:
        """Whether the minification filter uses mipmaps."""
        return self.min_filter not in (gl.NEAREST, gl.LINEAR)

    def set_image(self, level: int, face: int, texels: NDArray[np.uint8], texel_format: Format) -> None:
        """Define an image (glTexImage2D)."""
        if not 0 <= level < MAX_LEVELS:
            raise GLError(gl.INVALID_VALUE, f"level {level}")
        self.images[level, face] = texels
        if level == 0 or self.format is None:
            self.format = texel_format
        self.version += 1

    def update(self, level: int, face: int, x: int, y: int, texels: NDArray[np.uint8]) -> None:
        """Overwrite a part of an image (glTexSubImage2D)."""
        image = self.images.get((level, face))
        if image is None:
            raise GLError(gl.INVALID_OPERATION, f"texture {self.name} has no image at level {level}")
        height, width = texels.shape[:2]
        if x < 0 or y < 0 or x + width > image.shape[1] or y + height > image.shape[0]:
            raise GLError(
                gl.INVALID_VALUE,
                f"box {width}x{height} at {x},{y} leaves the image of {image.shape[1]}x{image.shape[0]}",
            )
        image[y : y + height, x : x + width] = texels
        self.version += 1

    def levels(self) -> int:
        """Number of consistent levels from 0 on: each half the size of the one before, all faces there."""
        count = 0
        base = self.images.get((0, 0))
        while base is not None and all((count, f) in self.images for f in range(self.faces)):
            height, width = (max(1, s >> count) for s in base.shape[:2])
            if any(self.images[count, f].shape[:2] != (height, width) for f in range(self.faces)):
                break
            count += 1
            if width == height == 1:
                break
        return count

    def complete(self) -> bool:
        """Whether it can be sampled (OpenGL ES 2.0, 3.7.10 and 3.8.2; NPOT rules relaxed as by OES_texture_npot)."""
        levels = self.levels()
        if not levels:
            return False
        height, width = self.images[0, 0].shape[:2]
        if self.target == gl.TEXTURE_CUBE_MAP and width != height:
            return False
        return not self.mipmapped or levels > max(width, height).bit_length() - 1

    def storage(self) -> Storage:
        """Images as the texture unit takes them; packed again only after a change."""
        key = (self.version, self.mipmapped)
        if self._storage is None or self._storage_key != key:
            levels = self.levels() if self.mipmapped else 1
            images = [self.images[level, face] for level in range(levels) for face in range(self.faces)]
            sizes = np.array([image.size for image in images[:: self.faces]], np.int64) * self.faces
            shapes = np.array([image.shape for image in images[:: self.faces]], np.int64)
            self._storage = Storage(
                np.concatenate([i.reshape(-1) for i in images]),
                np.concatenate([[0], np.cumsum(sizes)[:-1]]),
                shapes[:, 1].copy(),
                shapes[:, 0].copy(),
                self.faces,
            )
            self._storage_key = key
        return self._storage

    def generate_mipmap(self) -> None:
        """Derive all levels from level 0 by 2x2 box filtering (OpenGL ES 2.0, 3.7.11), odd sizes by clamping."""
        if not all((0, f) in self.images for f in range(self.faces)):
            raise GLError(gl.INVALID_OPERATION, f"texture {self.name} has no level 0")
        for face in range(self.faces):
            level, image = 0, self.images[0, face]
            while image.shape[0] > 1 or image.shape[1] > 1:
                level += 1
                image = self.images[level, face] = _half(image)
        self.version += 1


def _half(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = (max(1, s // 2) for s in image.shape[:2])
    rows = [np.minimum(2 * np.arange(height) + i, image.shape[0] - 1) for i in (0, 1)]
    columns = [np.minimum(2 * np.arange(width) + i, image.shape[1] - 1) for i in (0, 1)]
    total = sum((image[r][:, c].astype(np.uint16) for r in rows for c in columns), np.zeros(1, np.uint16))
    return np.asarray((total + 2) // 4, np.uint8)
