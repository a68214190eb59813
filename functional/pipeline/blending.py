"""Blending and writing of shaded quads, in drawing order (OpenGL ES 2.0, 4.1.6 and 4.2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..activity.compiled import helper, kernel
from .command import ColorTarget, DrawCommand
from .logic import COPY, write_logic_quads
from .rasterization import Quads


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


@helper
def to_linear(value: Any) -> Any:
    """sRGB to linear light (OpenGL ES 3.0, 3.8.16)."""
    if value <= np.float32(0.04045):
        return value / np.float32(12.92)
    return ((value + np.float32(0.055)) / np.float32(1.055)) ** np.float32(2.4)


@helper
def to_srgb(value: Any) -> Any:
    """Linear light to sRGB (OpenGL ES 3.0, 4.1.8)."""
    if value <= np.float32(0.0031308):
        return value * np.float32(12.92)
    return np.float32(1.055) * value ** np.float32(1 / 2.4) - np.float32(0.055)


@helper
def blended(blend: Any, channel: Any, source: Any, target: Any, constant: Any) -> Any:
    """New value of a channel, or the source's where blending is off."""
    value = source[channel]
    if blend[0] == 0:
        return value
    which = 1 if channel == 3 else 0
    source_factor = factor(blend[4 if which else 2], channel, source, target, constant)
    target_factor = factor(blend[5 if which else 3], channel, source, target, constant)
    return combine(blend[which], value, source_factor, target[channel], target_factor)


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
    srgb: Any,
    color: Any,
) -> None:
    """Blend quads into a colour buffer of at most 8 bits per channel, one after the other.

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
    srgb
        Whether red, green and blue are stored as sRGB.
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
                if blend[0] != 0:
                    old = np.float32(color[y, x, channel]) / np.float32(255)
                    target[channel] = to_linear(old) if srgb and channel < 3 else old
            if bits[3] == 0:
                target[3] = 1
            for channel in range(4):
                if not channels[channel] or bits[channel] == 0:
                    continue
                value = blended(blend, channel, source, target, constant)
                value = min(max(value, np.float32(0)), np.float32(1))
                if srgb and channel < 3:
                    value = to_srgb(value)
                stored = np.int64(value * scale[channel] + np.float32(0.5))
                if bits[channel] == 8:
                    color[y, x, channel] = stored
                else:
                    top = (1 << bits[channel]) - 1
                    color[y, x, channel] = (stored * 510 + top) // (2 * top)


@kernel
def write_wide_quads(
    quad_x: Any, quad_y: Any, lanes: Any, colors: Any, blend: Any, constant: Any, channels: Any, tops: Any, color: Any
) -> None:
    """Blend quads into a float32 buffer; parameters as for `write_quads`.

    Parameters
    ----------
    tops
        float32, (4,): largest code of a normalized channel, 0 for a float channel, -1 for one that is absent.
    color
        float32, (height, width, 4).
    """
    source = np.zeros(4, np.float32)
    target = np.zeros(4, np.float32)
    for q in range(len(quad_x)):
        for lane in range(4):
            if not lanes[q] >> lane & 1:
                continue
            y, x = 2 * np.int64(quad_y[q]) + (lane >> 1), 2 * np.int64(quad_x[q]) + (lane & 1)
            for channel in range(4):
                source[channel] = colors[channel, 4 * q + lane]
                target[channel] = color[y, x, channel]
            for channel in range(4):
                if not channels[channel] or tops[channel] < 0:
                    continue
                value = blended(blend, channel, source, target, constant)
                if tops[channel] > 0:
                    value = min(max(value, np.float32(0)), np.float32(1))
                    value = np.float32(np.floor(value * tops[channel] + np.float32(0.5))) / tops[channel]
                color[y, x, channel] = value


@kernel
def write_integer_quads(quad_x: Any, quad_y: Any, lanes: Any, colors: Any, channels: Any, color: Any) -> None:
    """Write quads into an integer buffer: `colors` int32 (4, 4 * quads), `color` int32 (height, width, 4)."""
    for q in range(len(quad_x)):
        for lane in range(4):
            if not lanes[q] >> lane & 1:
                continue
            y, x = 2 * np.int64(quad_y[q]) + (lane >> 1), 2 * np.int64(quad_x[q]) + (lane & 1)
            for channel in range(4):
                if channels[channel]:
                    color[y, x, channel] = colors[channel, 4 * q + lane]


def write_color(
    target: ColorTarget, quads: Quads, lanes: NDArray[np.uint16], colors: NDArray[np.float32], draw: DrawCommand
) -> None:
    """Blend a chunk of quads into an attachment of any format.

    Parameters
    ----------
    target
        Attachment.
    quads, lanes
        Places, and the lanes to write.
    colors
        float32, (4, 4 * quads): shaded colour; integers as their bits.
    draw
        Its blend state and colour mask.
    """
    channels = np.array(draw.color_mask)
    constant = np.array(draw.blend.constant if draw.blend else (0, 0, 0, 0), np.float32)
    if target.kind in ("unorm", "srgb"):
        constant = np.clip(constant, np.float32(0), np.float32(1))
    place = (quads.x, quads.y, lanes)
    if target.pixels.dtype == np.int32:
        bits = np.ascontiguousarray(colors).view(np.int32)
        write_integer_quads(*place, bits, channels & np.array([b > 0 for b in target.bits]), target.pixels)
    elif target.pixels.dtype == np.float32:
        top = [-1 if b == 0 else (1 << b) - 1 if target.kind == "unorm" else 0 for b in target.bits]
        write_wide_quads(
            *place, colors, blend_table(draw), constant, channels, np.array(top, np.float32), target.pixels
        )
    else:
        bits = np.array(target.bits, np.int64)
        if draw.logic_operation != COPY:
            write_logic_quads(*place, colors, draw.logic_operation, channels, bits, target.pixels)
            return
        write_quads(*place, colors, blend_table(draw), constant, channels, bits, target.kind == "srgb", target.pixels)
