"""Bits of texel formats by the names that an activity has (OpenGL ES 3.0, tables 3.13 and 3.14)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Bits = tuple[int, int, int, int]


def _regular() -> dict[str, Bits]:
    """R8 to RGBA32F: formats whose channels have as many bits each."""
    endings = {8: ("", "_SNORM", "I", "UI"), 16: ("F", "I", "UI"), 32: ("F", "I", "UI")}
    table: dict[str, Bits] = {}
    for count, channels in enumerate(("R", "RG", "RGB", "RGBA"), 1):
        for bits, kinds in endings.items():
            r, g, b, a = (bits if i < count else 0 for i in range(4))
            table |= {f"{channels}{bits}{kind}": (r, g, b, a) for kind in kinds}
    return table


CHANNEL_BITS: Mapping[str, Bits] = MappingProxyType(
    {
        **_regular(),
        "BGRA8": (8, 8, 8, 8),
        "RGB565": (5, 6, 5, 0),
        "RGBA4": (4, 4, 4, 4),
        "RGB5_A1": (5, 5, 5, 1),
        "RGB10_A2": (10, 10, 10, 2),
        "RGB10_A2UI": (10, 10, 10, 2),
        "SRGB8": (8, 8, 8, 0),
        "SRGB8_ALPHA8": (8, 8, 8, 8),
        "R11F_G11F_B10F": (11, 11, 10, 0),
        "RGB9_E5": (9, 9, 9, 0),
        "LUMINANCE8": (8, 8, 8, 0),
        "LUMINANCE16F": (16, 16, 16, 0),
        "LUMINANCE32F": (32, 32, 32, 0),
        "LUMINANCE8_ALPHA8": (8, 8, 8, 8),
        "LUMINANCE_ALPHA16F": (16, 16, 16, 16),
        "LUMINANCE_ALPHA32F": (32, 32, 32, 32),
        "ALPHA8": (0, 0, 0, 8),
        "ALPHA16F": (0, 0, 0, 16),
        "ALPHA32F": (0, 0, 0, 32),
        "DEPTH16": (16, 0, 0, 0),
        "DEPTH24": (24, 0, 0, 0),
        "DEPTH32F": (32, 0, 0, 0),
        "DEPTH24_STENCIL8": (24, 0, 0, 0),
        "DEPTH32F_STENCIL8": (32, 0, 0, 0),
    }
)
"""Bits of red, green, blue, alpha of formats that are not compressed, 0 if a channel is absent. Luminance is in red,
green and blue, depth in red."""
SRGB = frozenset({"SRGB8", "SRGB8_ALPHA8"})
"""Formats that store red, green and blue as sRGB, of those that are not compressed."""
