"""Compressed textures: ETC1, ETC2 and EAC (OpenGL ES 3.0, appendix C), ASTC, S3TC; decoded by texture2ddecoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import texture2ddecoder as decoder
from numpy.typing import NDArray

from . import enums as gl
from .errors import GLError, Unsupported
from .formats import Format

_ASTC_BLOCKS = (
    (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10),
    (12, 12))  # fmt: skip
RGB, RGBA = (8, 8, 8, 0), (8, 8, 8, 8)


@dataclass(frozen=True)
class Compressed:
    """A compressed format and what decodes it: (data, width, height) to bytes of blue, green, red, alpha."""

    format: Format
    decode: Callable[[bytes, int, int], bytes]


def _astc(block: tuple[int, int]) -> Callable[[bytes, int, int], bytes]:
    def decode(data: bytes, width: int, height: int) -> bytes:
        return bytes(decoder.decode_astc(data, width, height, *block))

    return decode


def _table() -> dict[int, Compressed]:
    plain: tuple[tuple[int, str, Any, int, Any, str], ...] = (
        (0x8D64, "ETC1_RGB8", RGB, 8, decoder.decode_etc1, "unorm"),
        (0x9274, "ETC2_RGB8", RGB, 8, decoder.decode_etc2, "unorm"),
        (0x9275, "ETC2_SRGB8", RGB, 8, decoder.decode_etc2, "srgb"),
        (0x9276, "ETC2_RGB8_A1", RGBA, 8, decoder.decode_etc2a1, "unorm"),
        (0x9277, "ETC2_SRGB8_A1", RGBA, 8, decoder.decode_etc2a1, "srgb"),
        (0x9278, "ETC2_RGBA8_EAC", RGBA, 16, decoder.decode_etc2a8, "unorm"),
        (0x9279, "ETC2_SRGB8_ALPHA8_EAC", RGBA, 16, decoder.decode_etc2a8, "srgb"),
        (0x9270, "EAC_R11", (8, 0, 0, 0), 8, decoder.decode_eacr, "unorm"),
        (0x9272, "EAC_RG11", (8, 8, 0, 0), 16, decoder.decode_eacrg, "unorm"),
        (0x83F0, "DXT1_RGB", RGB, 8, decoder.decode_bc1, "unorm"),
        (0x83F1, "DXT1_RGBA", RGBA, 8, decoder.decode_bc1, "unorm"),
        (0x83F3, "DXT5_RGBA", RGBA, 16, decoder.decode_bc3, "unorm"),
    )
    table = {n: Compressed(Format(name, bits, size, kind, (4, 4)), f) for n, name, bits, size, f, kind in plain}  # type: ignore[arg-type]
    for i, block in enumerate(_ASTC_BLOCKS):
        name = f"ASTC_{block[0]}x{block[1]}"
        table[0x93B0 + i] = Compressed(Format(name, RGBA, 16, "unorm", block), _astc(block))
        table[0x93D0 + i] = Compressed(Format(f"{name}_SRGB", RGBA, 16, "srgb", block), _astc(block))
    return table


COMPRESSED = MappingProxyType(_table())
"""Compressed formats by GL enum."""


def decode_image(internal: int, width: int, height: int, data: bytes) -> tuple[NDArray[np.uint8], Format]:
    """Decode one image.

    Parameters
    ----------
    internal
        GL enum of the compressed format.
    width, height
        Size in texels.
    data
        Blocks, row by row.

    Returns
    -------
    uint8 (height, width, 4), Format

    Raises
    ------
    Unsupported
        The format is unknown.
    GLError
        There are fewer bytes than the size needs.
    """
    found = COMPRESSED.get(internal)
    if found is None:
        raise Unsupported(f"compressed format {internal:#06x}")
    columns, rows = found.format.block
    needed = -(-width // columns) * -(-height // rows) * found.format.texel_bytes
    if len(data) < needed:
        raise GLError(gl.INVALID_VALUE, f"{width}x{height} texels need {needed} bytes, the stream has {len(data)}")
    if not needed:
        return np.zeros((height, width, 4), np.uint8), found.format
    texels = np.frombuffer(found.decode(bytes(data[:needed]), width, height), np.uint8).reshape(height, width, 4)
    texels = texels[..., [2, 1, 0, 3]].copy()
    for channel, bits in enumerate(found.format.bits):
        if bits == 0:
            texels[..., channel] = 255 if channel == 3 else 0
    return texels, found.format
