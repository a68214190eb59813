"""Clearing attachments (OpenGL ES 3.0, 4.2.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...activity.kernels.blending import limit_integers, stored_byte
from ...activity.kernels.depth import quantized_depths
from ...activity.kernels.small_floats import round_floats
from ..target import ColorTarget, Target

Box = tuple[int, int, int, int]


def clear_color(target: ColorTarget, box: Box, value: Sequence[float], mask: Sequence[bool]) -> None:
    """Fill a box of a colour attachment.

    Parameters
    ----------
    target
        Attachment.
    box
        x0, y0, x1, y1 in pixels.
    value
        Red, green, blue, alpha: 0…1, any float, or integers, according to the attachment's kind.
    mask
        Channels to write.
    """
    x0, y0, x1, y1 = box
    pixels = target.pixels[..., y0:y1, x0:x1, :]
    written = [channel for channel in range(4) if mask[channel] and target.bits[channel]]
    texel = np.zeros(4, pixels.dtype)
    for channel in written:
        texel[channel] = _stored(target, channel, value[channel])
    bits = np.array(target.bits, np.int64)
    if target.kind == "float":
        round_floats(texel[None], bits)
    elif target.pixels.dtype == np.int32:
        limit_integers(texel[None], bits, target.kind == "int")
    # Filling whole pixels is many times faster than filling channel by channel.
    whole = np.dtype(np.uint32 if texel.nbytes == 4 else f"V{texel.nbytes}")
    if len(written) == 4:
        pixels.view(whole)[...] = texel.view(whole)
    elif texel.nbytes == 4:
        kept = np.array([0 if channel in written else 0xFF for channel in range(4)], np.uint8)
        words = pixels.view(whole)
        words &= kept.view(whole)
        words |= texel.view(whole)
    else:
        pixels[..., written] = texel[written]


def _stored(target: ColorTarget, channel: int, value: float) -> float:
    """A channel's value in the attachment's format."""
    bits = target.bits[channel]
    top = (1 << bits) - 1
    if target.pixels.dtype == np.uint8:
        return stored_byte(value, bits, target.kind == "srgb" and channel < 3)
    if target.pixels.dtype == np.int32:
        return int(np.uint32(int(value) & 0xFFFFFFFF).view(np.int32))
    if target.kind == "unorm":
        return float(np.floor(min(max(0.0, value), 1.0) * top + 0.5)) / top
    return value


def clear_depth(target: Target, box: Box, depth: float) -> None:
    """Fill a box of the depth attachment with a depth 0…1."""
    x0, y0, x1, y1 = box
    if target.depth is not None:
        target.depth[..., y0:y1, x0:x1] = quantized_depths(np.array([depth]), target.depth_format)


def clear_stencil(target: Target, box: Box, stencil: int, mask: int) -> None:
    """Fill the bits `mask` of a box of the stencil attachment."""
    x0, y0, x1, y1 = box
    if target.stencil is not None and mask:
        part = target.stencil[..., y0:y1, x0:x1]
        if mask == 0xFF:
            part.fill(stencil)
        else:
            part[...] = (part & ~np.uint8(mask)) | np.uint8(stencil & mask)
