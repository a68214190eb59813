"""Texels of one format seen in another one of the same size (OpenGL ES 3.1, 8.22: image units)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..opengl.formats import Format

_STORED: MappingProxyType[tuple[str, int], np.dtype[Any]] = MappingProxyType(
    {
        ("unorm", 8): np.dtype(np.uint8),
        ("srgb", 8): np.dtype(np.uint8),
        ("snorm", 8): np.dtype(np.int8),
        ("float", 16): np.dtype("<f2"),
        ("float", 32): np.dtype("<f4"),
        **{("int", bits): np.dtype(f"<i{bits // 8}") for bits in (8, 16, 32)},
        **{("uint", bits): np.dtype(f"<u{bits // 8}") for bits in (8, 16, 32)},
    }
)
"""Type of a channel in memory, by kind and bits."""
_SNORM = np.float32(127)


def viewable(form: Format) -> bool:
    """Whether a format's texels can be seen in another one: its channels are of one size, without colours in blocks."""
    sizes = {bits for bits in form.bits if bits}
    return form.block == (1, 1) and len(sizes) == 1 and (form.kind, max(sizes)) in _STORED


def texel_bytes(texels: NDArray[Any], form: Format) -> NDArray[np.uint8]:
    """Bytes of texels as memory has them.

    Parameters
    ----------
    texels
        (..., 4), as `Format.dtype` says.
    form
        A viewable format.

    Returns
    -------
    ndarray
        uint8 (..., bytes of a texel), little-endian, red first.
    """
    there = [channel for channel, bits in enumerate(form.bits) if bits]
    values = texels[..., there]
    if form.kind == "snorm":
        values = np.rint(values * _SNORM)
    elif form.kind == "uint":
        values = np.ascontiguousarray(values).view(np.uint32)
    stored = np.ascontiguousarray(values.astype(_STORED[form.kind, max(form.bits)]))
    return stored.view(np.uint8).reshape(*texels.shape[:-1], -1)


def texels_of_bytes(data: NDArray[np.uint8], form: Format) -> NDArray[Any]:
    """Texels of a viewable format, (..., 4), whose bytes `texel_bytes` gives; absent channels are 0, alpha 1.

    A signed normalized -128 becomes -1, as -127 is.
    """
    there = [channel for channel, bits in enumerate(form.bits) if bits]
    stored = np.ascontiguousarray(data).view(_STORED[form.kind, max(form.bits)])
    texels = np.zeros((*data.shape[:-1], 4), form.dtype)
    texels[..., 3] = form.one
    if form.kind == "snorm":
        texels[..., there] = np.maximum(stored.astype(np.float32) / _SNORM, np.float32(-1))
    elif form.kind == "uint":
        texels[..., there] = stored.astype(np.uint32).view(np.int32)
    else:
        texels[..., there] = stored
    return texels
