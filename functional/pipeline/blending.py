"""Blending and writing of shaded quads, in drawing order (OpenGL ES 2.0, 4.1.6 and 4.2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..activity.compiled import helper, kernel
from .command import DrawCommand


def blend_table(draw: DrawCommand) -> Any:
    """Blend state as the kernel takes it: equations and factors (int64), all zero when off."""
    b = draw.blend
    if b is None:
        return np.zeros(6, np.int64)
    return np.array(
        [
            b.equation_rgb,
            b.equation_alpha,
            b.source_rgb,
            b.destination_rgb,
            b.source_alpha,
            b.destination_alpha,
        ],
        np.int64,
    )


@helper
def factor(code: Any, channel: Any, source: Any, target: Any, constant: Any) -> Any:
    """Blend factor of a channel; red to alpha are 0 to 3."""
    if code == 0:
        return np.float32(0)
    if code == 1:
        return np.float32(1)
    one = np.float32(1)
    if code == 0x0308:
        return one if channel == 3 else min(source[3], one - target[3])
    value = np.float32(0)
    base = code & ~1
    if base == 0x0300:
        value = source[channel]
    elif base == 0x0302:
        value = source[3]
    elif base == 0x0304:
        value = target[3]
    elif base == 0x0306:
        value = target[channel]
    elif code in (0x8001, 0x8002):
        value = constant[channel]
    else:
        value = constant[3]
    inverted = code in (0x0301, 0x0303, 0x0305, 0x0307, 0x8002, 0x8004)
    return one - value if inverted else value


@helper
def combine(equation: Any, s: Any, sf: Any, d: Any, df: Any) -> Any:
    """Blend equation of one channel."""
    if equation == 0x8007:
        return min(s, d)
    if equation == 0x8008:
        return max(s, d)
    if equation == 0x800A:
        return s * sf - d * df
    if equation == 0x800B:
        return d * df - s * sf
    return s * sf + d * df


@kernel
def write_quads(
    quad_x: Any,
    quad_y: Any,
    lanes: Any,
    colors: Any,
    blend: Any,
    constant: Any,
    channels: Any,
    bits: Any,
    color: Any,
) -> None:
    """Blend quads into a colour buffer one after the other.

    Parameters
    ----------
    quad_x, quad_y
        int, (quads,): place of each quad.
    lanes
        uint16, (quads,): lanes to write.
    colors
        float32, (4, 4 * quads): shaded colour; clamped to 0…1 here.
    blend
        int64, (6,): from `blend_table`.
    constant
        float32, (4,): blend constant.
    channels
        bool, (4,): colour mask.
    bits
        int64, (4,): bits kept per channel; channels with 0 bits keep their content.
    color
        uint8, (height, width, 4).
    """
    source = np.zeros(4, np.float32)
    target = np.zeros(4, np.float32)
    scale = np.zeros(4, np.float32)
    for channel in range(4):
        scale[channel] = (1 << bits[channel]) - 1
    for q in range(len(quad_x)):
        for lane in range(4):
            if not lanes[q] >> lane & 1:
                continue
            y, x = 2 * np.int64(quad_y[q]) + (lane >> 1), 2 * np.int64(quad_x[q]) + (lane & 1)
            i = 4 * q + lane
            for channel in range(4):
                # The order of the comparisons turns a NaN into 0.
                value = colors[channel, i]
                source[channel] = min(value, np.float32(1)) if value > 0 else np.float32(0)
                target[channel] = np.float32(color[y, x, channel]) / np.float32(255)
            if bits[3] == 0:
                target[3] = 1
            for channel in range(4):
                if not channels[channel] or bits[channel] == 0:
                    continue
                value = source[channel]
                if blend[0] != 0:
                    alpha = channel == 3
                    value = combine(
                        blend[1] if alpha else blend[0],
                        value,
                        factor(blend[4] if alpha else blend[2], channel, source, target, constant),
                        target[channel],
                        factor(blend[5] if alpha else blend[3], channel, source, target, constant),
                    )
                    value = min(max(value, np.float32(0)), np.float32(1))
                stored = np.int64(value * scale[channel] + np.float32(0.5))
                if bits[channel] == 8:
                    color[y, x, channel] = stored
                else:
                    top = (1 << bits[channel]) - 1
                    color[y, x, channel] = (stored * 510 + top) // (2 * top)
