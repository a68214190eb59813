"""ASTC textures (KHR_texture_compression_astc_ldr), decoded by Arm's codec, which accepts any content of a file."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from astc_encoder import ASTCConfig, ASTCContext, ASTCImage, ASTCProfile, ASTCSwizzle, ASTCType
from numpy.typing import NDArray

ILLEGAL = (255, 0, 255, 255)
"""Colour of invalid blocks: the specification asks for magenta."""


@cache
def _context(columns: int, rows: int, srgb: bool) -> ASTCContext:
    profile = ASTCProfile.LDR_SRGB if srgb else ASTCProfile.LDR
    return ASTCContext(ASTCConfig(profile, columns, rows, 1, 0.0))


def decode_astc(data: bytes, width: int, height: int, block: tuple[int, int], srgb: bool) -> NDArray[np.uint8]:
    """Decode an image.

    Parameters
    ----------
    data
        Blocks of 16 bytes, row by row.
    width, height
        Size in texels.
    block
        Texels per block, width and height.
    srgb
        Whether the colours are sRGB; they stay encoded.

    Returns
    -------
    uint8 (height, width, 4)
    """
    context = _context(*block, srgb)

    def decoded(kind: Any, dtype: type) -> NDArray[Any]:
        image = context.decompress(data, ASTCImage(kind, width, height), ASTCSwizzle.from_str("RGBA"))
        return np.frombuffer(image.data or b"", dtype).reshape(height, width, 4).copy()

    texels = decoded(ASTCType.U8, np.uint8)
    if (texels == 255).all(-1).any():
        # The codec marks invalid blocks only in its float output, by NaN.
        texels[np.isnan(decoded(ASTCType.F32, np.float32)).any(-1)] = ILLEGAL
    return np.asarray(texels, np.uint8)
