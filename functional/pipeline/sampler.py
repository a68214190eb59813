"""Textures as draws sample them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.wrapping import WRAPS
from ..opengl import enums as gl

WRAP_CODES = {number: WRAPS.index(name) for number, name in gl.WRAPS.items()}
"""Codes of wrap modes in kernels, by the enums of a `Sampler`."""


@dataclass(frozen=True, eq=False)
class Storage:
    """All images of a complete texture in one array, for the texture unit.

    Parameters
    ----------
    pack
        Makes `texels`; called when a draw first reads them, before any draw changes the texture.
    offsets
        int64, (levels,): first element of each level.
    widths, heights, layers
        int64, (levels,): sizes in texels, and images per level (slices of a 3D texture, faces of a cube).
    """

    pack: Callable[[], NDArray[Any]]
    offsets: NDArray[np.int64]
    widths: NDArray[np.int64]
    heights: NDArray[np.int64]
    layers: NDArray[np.int64]

    @cached_property
    def texels(self) -> NDArray[Any]:
        """uint8 (0…255 for 0…1), float32 or int32, flat: RGBA texels of the base level's layer 0, layer 1, … then of
        the next level."""
        return self.pack()

    @property
    def size(self) -> int:
        """Number of elements of `texels`."""
        return int(self.offsets[-1] + 4 * self.widths[-1] * self.heights[-1] * self.layers[-1])

    @cached_property
    def first_texels(self) -> NDArray[np.int32]:
        """First texel of each level, int32 (levels,)."""
        return (self.offsets // 4).astype(np.int32)


class Versioned(Protocol):
    """A texture with contents that have versions."""

    @property
    def version(self) -> int:
        """Version of its present content."""


@dataclass(frozen=True, eq=False)
class Sampler:
    """A texture with the parameters of one sampler of a program; the same object while both do not change.

    Attributes
    ----------
    storage
        None for an incomplete texture: it reads (0, 0, 0, 1).
    target
        2d, cube, 3d, 2d_array or 2d_ms, whose layers are samples.
    swizzle
        Channel per component: 0 to 3, 4 for zero, 5 for one.
    compare
        Comparison code of `COMPARISONS`, or -1 without depth comparison.
    base_level
        Level of the texture that is the first in the storage.
    border
        Border colour as the storage would have it (0 to 255 for bytes).
    block
        Texels across and down, and bytes, of what the texture's format stores as one; single texels if it is not
        compressed.
    source
        The texture, if the sampler sees its later contents, too; None if it sees that of its own version.
    """

    storage: Storage | None
    surface: int
    version: int
    target: str
    min_filter: int
    mag_filter: int
    wrap_s: int
    wrap_t: int
    wrap_r: int = gl.REPEAT
    min_lod: float = -1000.0
    max_lod: float = 1000.0
    lod_bias: float = 0.0
    anisotropy: float = 1.0
    swizzle: tuple[int, int, int, int] = (0, 1, 2, 3)
    compare: int = -1
    base_level: int = 0
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    block: tuple[int, int, int] = (1, 1, 4)
    source: Versioned | None = None

    @cached_property
    def words(self) -> dict[tuple[object, ...], NDArray[np.int64]]:
        """Its words in `fused.sampler_blocks`, by what else they depend on."""
        return {}

    @property
    def bordered(self) -> bool:
        """Whether texels outside of the image have the border colour."""
        return gl.CLAMP_TO_BORDER in (self.wrap_s, self.wrap_t, self.wrap_r)
