"""Compressed textures: ETC1, ETC2 and EAC (OpenGL ES 3.0, appendix C), ASTC, S3TC; decoded by texture2ddecoder, ASTC by
Arm's codec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import texture2ddecoder as decoder
from numpy.typing import NDArray

from ..opengl import enums as gl
from ..opengl.channel_bits import Bits
from ..opengl.errors import GLError, Unsupported
from ..opengl.formats import Format
from .astc import decode_astc
from .eac import decode_eac

_ASTC_BLOCKS = (
    (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10), (12, 10),
    (12, 12))  # fmt: skip
RGB, RGBA = (8, 8, 8, 0), (8, 8, 8, 8)


@dataclass(frozen=True)
class Compressed:
    """A compressed format and its decoder, from (data, width, height) to texels (height, width, 4)."""

    format: Format
    decode: Callable[[bytes, int, int], NDArray[Any]]


def _eight_bits(decode: Callable[[bytes, int, int], bytes], bits: Bits) -> Callable[[bytes, int, int], NDArray[Any]]:
    """Wrap a decoder of the library, which returns bytes in the order blue, green, red, alpha, to return texels."""

    def function(data: bytes, width: int, height: int) -> NDArray[np.uint8]:
        decoded = np.frombuffer(decode(data, width, height), np.uint8).reshape(height, width, 4)
        # Not by a list of channels, which takes eight times as long, and gives an array in another order.
        texels = decoded.copy()
        texels[..., 0], texels[..., 2] = decoded[..., 2], decoded[..., 0]
        for channel, present in enumerate(bits):
            if not present:
                texels[..., channel] = 255 if channel == 3 else 0
        return texels

    return function


def _dxt5(data: bytes, width: int, height: int) -> bytes:
    """DXT5 always has four colours. The library derives three or four from the order of the end points, as in DXT1."""
    blocks = np.frombuffer(data, "<u2").reshape(-1, 8).copy()
    first, second = blocks[:, 4].copy(), blocks[:, 5].copy()
    turned, same = first < second, first == second
    blocks[turned, 4], blocks[turned, 5] = second[turned], first[turned]
    # Exchanging the end points exchanges the indices 0 and 1, and 2 and 3.
    blocks[turned, 6:] ^= np.uint16(0x5555)
    blocks[same, 6:] = 0
    return bytes(decoder.decode_bc3(blocks.tobytes(), width, height))


def _etc2_a1(data: bytes, width: int, height: int) -> bytes:
    """ETC2 with one bit of alpha: transparent texels are black (OpenGL ES 3.0, C.1.4)."""
    texels = np.frombuffer(decoder.decode_etc2a1(data, width, height), np.uint8).reshape(-1, 4).copy()
    texels[texels[:, 3] == 0] = 0
    return texels.tobytes()


def _dxt3(data: bytes, width: int, height: int) -> bytes:
    """DXT3: the colours are those of DXT5, alpha is four bits per texel (EXT_texture_compression_s3tc)."""
    texels = np.frombuffer(_dxt5(data, width, height), np.uint8).reshape(height, width, 4).copy()
    blocks = np.frombuffer(data, np.uint8).reshape(-(-height // 4), -(-width // 4), 16)[..., :8]
    nibbles = np.stack([blocks & 15, blocks >> 4], -1).reshape(*blocks.shape[:2], 4, 4) * np.uint8(17)
    alpha = nibbles.transpose(0, 2, 1, 3).reshape(4 * blocks.shape[0], 4 * blocks.shape[1])
    texels[..., 3] = alpha[:height, :width]
    return texels.tobytes()


def _table() -> dict[int, Compressed]:
    plain: tuple[tuple[int, str, Any, int, Any, str], ...] = (
        (gl.ETC1_RGB8_OES, "ETC1_RGB8", RGB, 8, decoder.decode_etc1, "unorm"),
        (gl.COMPRESSED_RGB8_ETC2, "ETC2_RGB8", RGB, 8, decoder.decode_etc2, "unorm"),
        (gl.COMPRESSED_SRGB8_ETC2, "ETC2_SRGB8", RGB, 8, decoder.decode_etc2, "srgb"),
        (gl.COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, "ETC2_RGB8_A1", RGBA, 8, _etc2_a1, "unorm"),
        (gl.COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, "ETC2_SRGB8_A1", RGBA, 8, _etc2_a1, "srgb"),
        (gl.COMPRESSED_RGBA8_ETC2_EAC, "ETC2_RGBA8_EAC", RGBA, 16, decoder.decode_etc2a8, "unorm"),
        (gl.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, "ETC2_SRGB8_ALPHA8_EAC", RGBA, 16, decoder.decode_etc2a8, "srgb"),
        (gl.COMPRESSED_SRGB_S3TC_DXT1_EXT, "SRGB_DXT1", RGB, 8, decoder.decode_bc1, "srgb"),
        (gl.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, "SRGB_ALPHA_DXT1", RGBA, 8, decoder.decode_bc1, "srgb"),
        (gl.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, "SRGB_ALPHA_DXT3", RGBA, 16, _dxt3, "srgb"),
        (gl.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, "SRGB_ALPHA_DXT5", RGBA, 16, _dxt5, "srgb"),
        (gl.COMPRESSED_RGB_S3TC_DXT1_EXT, "DXT1_RGB", RGB, 8, decoder.decode_bc1, "unorm"),
        (gl.COMPRESSED_RGBA_S3TC_DXT1_EXT, "DXT1_RGBA", RGBA, 8, decoder.decode_bc1, "unorm"),
        (gl.COMPRESSED_RGBA_S3TC_DXT3_ANGLE, "DXT3_RGBA", RGBA, 16, _dxt3, "unorm"),
        (gl.COMPRESSED_RGBA_S3TC_DXT5_ANGLE, "DXT5_RGBA", RGBA, 16, _dxt5, "unorm"),
    )
    table = {
        n: Compressed(Format(name, bits, size, kind, (4, 4)), _eight_bits(f, bits))  # type: ignore[arg-type]
        for n, name, bits, size, f, kind in plain
    }
    for number, name, channels, signed in (
        (gl.COMPRESSED_R11_EAC, "EAC_R11", 1, False),
        (gl.COMPRESSED_SIGNED_R11_EAC, "EAC_SIGNED_R11", 1, True),
        (gl.COMPRESSED_RG11_EAC, "EAC_RG11", 2, False),
        (gl.COMPRESSED_SIGNED_RG11_EAC, "EAC_SIGNED_RG11", 2, True),
    ):
        bits = (11, 11 if channels == 2 else 0, 0, 0)
        sized = Format(name, bits, 8 * channels, "snorm" if signed else "unorm", (4, 4))
        table[number] = Compressed(sized, partial(decode_eac, channels=channels, signed=signed))
    for i, block in enumerate(_ASTC_BLOCKS):
        name = f"ASTC_{block[0]}x{block[1]}"
        for base, kind in ((gl.COMPRESSED_RGBA_ASTC_4x4, "unorm"), (gl.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4, "srgb")):
            sized = Format(f"{name}_SRGB" if kind == "srgb" else name, RGBA, 16, kind, block)  # type: ignore[arg-type]
            table[base + i] = Compressed(sized, partial(decode_astc, block=block, srgb=kind == "srgb"))
    return table


COMPRESSED = MappingProxyType(_table())
"""Compressed formats by GL enum."""


def compressed_bytes(internal: int, width: int, height: int, depth: int) -> int:
    """Size of images of a format: whole blocks."""
    columns, rows = COMPRESSED[internal].format.block
    return -(-width // columns) * -(-height // rows) * depth * COMPRESSED[internal].format.texel_bytes


def decode_image(internal: int, width: int, height: int, data: bytes) -> tuple[NDArray[Any], Format]:
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
    array (height, width, 4) of the format's type, Format

    Raises
    ------
    Unsupported
        The format is unknown.
    GLError
        There are fewer bytes than the size needs.
    """
    layout = COMPRESSED.get(internal)
    if layout is None:
        raise Unsupported(f"compressed format {internal:#06x}")
    needed = compressed_bytes(internal, width, height, 1)
    if len(data) < needed:
        raise GLError(gl.INVALID_VALUE, f"{width}x{height} texels need {needed} bytes, the stream has {len(data)}")
    if not needed:
        return np.zeros((height, width, 4), layout.format.dtype), layout.format
    return layout.decode(bytes(data[:needed]), width, height), layout.format
