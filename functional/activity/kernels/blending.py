"""Kernels that blend and write shaded quads, in drawing order (OpenGL ES 2.0, 4.1.6 and 4.2.2)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...compile import helper, kernel
from ...compile.blocks import Flags, Floats, IntegerPlanes, Words
from ...opengl.enums import EQUATIONS, FACTORS
from .advanced_blending import Color, blended_advanced, is_advanced
from .small_floats import small_float

MINIMUM, MAXIMUM, SUBTRACTED, REVERSED = (
    EQUATIONS[n] for n in ("MIN", "MAX", "FUNC_SUBTRACT", "FUNC_REVERSE_SUBTRACT")
)
FIRST_OF_COLORS, FIRST_OF_CONSTANTS, ALPHA_OF_CONSTANTS, SATURATE = (
    FACTORS[n] for n in ("SRC_COLOR", "CONSTANT_COLOR", "CONSTANT_ALPHA", "SRC_ALPHA_SATURATE")
)
ALL, SOURCE_COLOR, SOURCE_ALPHA, TARGET_ALPHA, TARGET_COLOR, CONSTANT_COLOR, CONSTANT_ALPHA, SATURATED = range(8)
"""Source of a blend factor."""


class ShadedQuads(NamedTuple):
    """Quads to write.

    Parameters
    ----------
    x, y
        int, (quads,): position of each quad.
    lanes
        uint16, (quads,): lanes to write.
    colors
        float32, or int32 for integer buffers, (4, 4 * quads): shaded colours.
    """

    x: Any
    y: Any
    lanes: Any
    colors: Any


class BlendRule(NamedTuple):
    """Blending of quads: functions, factors and storage of the colours.

    Parameters
    ----------
    equation_rgb, equation_alpha
        For colour and alpha, as OpenGL ES numbers them; 0: no blending.
    source_rgb, destination_rgb, source_alpha, destination_alpha
        Factors for them, as OpenGL ES numbers them.
    constant
        float32, (4,): blend constant.
    channels
        bool, (4,): colour mask.
    """

    equation_rgb: int
    equation_alpha: int
    source_rgb: int
    destination_rgb: int
    source_alpha: int
    destination_alpha: int
    constant: Floats
    channels: Flags


class Factors(NamedTuple):
    """`planned` factors of a channel."""

    source: Any
    target: Any


class Component(NamedTuple):
    """A channel of a colour, and the colour's alpha."""

    value: Any
    alpha: Any


@helper
def planned(code: int) -> Any:
    """A factor's GL enum as twice the code of its source, plus one if it is subtracted from one."""
    if code == 0:
        return 2 * ALL + 1
    if code == 1:
        return 2 * ALL
    if code == SATURATE:
        return 2 * SATURATED
    if code >= FIRST_OF_CONSTANTS:
        return 2 * (CONSTANT_COLOR if code < ALPHA_OF_CONSTANTS else CONSTANT_ALPHA) + (1 - (code & 1))
    return 2 * (SOURCE_COLOR + (code - FIRST_OF_COLORS >> 1)) + (code & 1)


@helper
def factor(plan: int, source: Component, target: Component, constant: Component) -> Any:
    """Blend factor of a channel, from `planned`. Not for alpha, where a saturated factor is 1."""
    one = np.float32(1)
    kind = plan >> 1
    value = one
    if kind == SOURCE_ALPHA:
        value = source.alpha
    elif kind == SOURCE_COLOR:
        value = source.value
    elif kind == TARGET_ALPHA:
        value = target.alpha
    elif kind == TARGET_COLOR:
        value = target.value
    elif kind == CONSTANT_COLOR:
        value = constant.value
    elif kind == CONSTANT_ALPHA:
        value = constant.alpha
    elif kind == SATURATED:
        value = min(source.alpha, one - target.alpha)
    return one - value if plan & 1 else value


@helper
def combine(equation: int, s: np.float32, sf: np.float32, d: np.float32, df: np.float32) -> Any:
    """Blend equation of one channel."""
    if equation == MINIMUM:
        return min(s, d)
    if equation == MAXIMUM:
        return max(s, d)
    if equation == SUBTRACTED:
        return s * sf - d * df
    if equation == REVERSED:
        return d * df - s * sf
    return s * sf + d * df


@helper
def to_linear(value: np.float32) -> Any:
    """sRGB to linear light (OpenGL ES 3.0, 3.8.16)."""
    if value <= np.float32(0.04045):
        return value / np.float32(12.92)
    return ((value + np.float32(0.055)) / np.float32(1.055)) ** np.float32(2.4)


@helper
def to_srgb(value: np.float32) -> Any:
    """Linear light to sRGB (OpenGL ES 3.0, 4.1.8)."""
    if value <= np.float32(0.0031308):
        return value * np.float32(12.92)
    return np.float32(1.055) * value ** np.float32(1 / 2.4) - np.float32(0.055)


@helper
def blended(equation: int, factors: Factors, source: Component, target: Component, constant: Component) -> Any:
    """New value of a channel, or the source's if blending is off."""
    if equation == 0:
        return source.value
    source_factor = factor(factors.source, source, target, constant)
    target_factor = factor(factors.target, source, target, constant)
    return combine(equation, source.value, source_factor, target.value, target_factor)


@helper
def alpha_plan(code: int) -> Any:
    """`planned` for the alpha channel, where a saturated factor is 1."""
    return 2 * ALL if code == SATURATE else planned(code)


@helper
def factors_of(rule: BlendRule) -> Any:
    """`Factors` of a `BlendRule` for colour and for alpha."""
    of_rgb = Factors(planned(rule.source_rgb), planned(rule.destination_rgb))
    return of_rgb, Factors(alpha_plan(rule.source_alpha), alpha_plan(rule.destination_alpha))


@helper
def unit_interval(value: np.float32) -> Any:
    """A shaded colour clamped to 0…1; the order of the comparisons turns a NaN into 0."""
    return min(value, np.float32(1)) if value > 0 else np.float32(0)


@helper
def encoded(value: np.float32, bits: int, srgb: bool) -> Any:
    """A blended value in stored form: rounded to its bits, then expanded to eight."""
    value = min(max(value, np.float32(0)), np.float32(1))
    if srgb:
        value = to_srgb(value)
    if bits == 8:
        return int(value * np.float32(255) + np.float32(0.5))
    top = (1 << bits) - 1
    stored = int(value * np.float32(top) + np.float32(0.5))
    return (stored * 510 + top) // (2 * top)


def stored_byte(value: float, bits: int, srgb: bool) -> int:
    """A clear value in the stored form of a channel of at most 8 bits: rounded to its bits, then expanded to eight; 0
    for NaN, as in `unit_interval`."""
    value, top = min(max(0.0, value), 1.0), (1 << bits) - 1
    if srgb:
        value = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
    return (math.floor(value * top + 0.5) * 510 + top) // (2 * top)


@kernel
def write_quads(quads: ShadedQuads, rule: BlendRule, bits: Words, srgb: bool, color: Any) -> None:
    """Blend quads in order into a colour buffer of at most 8 bits per channel.

    Parameters
    ----------
    quads
        Quads to blend; their colours are clamped to 0…1 here.
    rule
        The blending rule.
    bits
        int64, (4,): bits kept per channel; channels with 0 bits keep their content.
    srgb
        Whether red, green and blue are stored as sRGB.
    color
        uint8, (height, width, 4).
    """
    # Local scalars throughout: arrays would be read and written again at every step.
    stored = np.empty(256, np.float32)
    for i in range(256):
        stored[i] = np.float32(i) / np.float32(255)
        if srgb:
            stored[i] = to_linear(stored[i])
    constant, channels, of_rgb, of_alpha = rule.constant, rule.channels, rule.equation_rgb, rule.equation_alpha
    rgb_factors, alpha_factors = factors_of(rule)
    c0, c1, c2, c3 = constant[0], constant[1], constant[2], constant[3]
    on0, on1 = channels[0] and bits[0] > 0, channels[1] and bits[1] > 0
    on2, on3 = channels[2] and bits[2] > 0, channels[3] and bits[3] > 0
    r, g, b, a = np.float32(0), np.float32(0), np.float32(0), np.float32(1)
    for q in range(len(quads.x)):
        mask = quads.lanes[q]
        for lane in range(4):
            if not mask >> lane & 1:
                continue
            y, x = 2 * int(quads.y[q]) + (lane >> 1), 2 * int(quads.x[q]) + (lane & 1)
            i = 4 * q + lane
            s0, s1 = unit_interval(quads.colors[0, i]), unit_interval(quads.colors[1, i])
            s2, s3 = unit_interval(quads.colors[2, i]), unit_interval(quads.colors[3, i])
            if of_rgb != 0:
                r, g, b = stored[color[y, x, 0]], stored[color[y, x, 1]], stored[color[y, x, 2]]
                if bits[3] != 0:
                    a = np.float32(color[y, x, 3]) / np.float32(255)
            equation_rgb, equation_alpha = of_rgb, of_alpha
            if is_advanced(of_rgb):
                s0, s1, s2, s3 = blended_advanced(of_rgb, Color(s0, s1, s2), s3, Color(r, g, b), a)
                equation_rgb, equation_alpha = 0, 0
            if on0:
                value = blended(equation_rgb, rgb_factors, Component(s0, s3), Component(r, a), Component(c0, c3))
                color[y, x, 0] = encoded(value, bits[0], srgb)
            if on1:
                value = blended(equation_rgb, rgb_factors, Component(s1, s3), Component(g, a), Component(c1, c3))
                color[y, x, 1] = encoded(value, bits[1], srgb)
            if on2:
                value = blended(equation_rgb, rgb_factors, Component(s2, s3), Component(b, a), Component(c2, c3))
                color[y, x, 2] = encoded(value, bits[2], srgb)
            if on3:
                value = blended(equation_alpha, alpha_factors, Component(s3, s3), Component(a, a), Component(c3, c3))
                color[y, x, 3] = encoded(value, bits[3], False)


@kernel
def write_wide_quads(quads: ShadedQuads, rule: BlendRule, tops: Floats, bits: Words, color: Any) -> None:
    """Blend quads into a float32 buffer.

    Parameters
    ----------
    quads, rule
        As for `write_quads`.
    tops
        float32, (4,): largest code of a normalized channel, 0 for a float channel, -1 for an absent one.
    bits
        int64, (4,): bits of each channel.
    color
        float32, (height, width, 4).
    """
    constant, channels, (rgb_factors, alpha_factors) = rule.constant, rule.channels, factors_of(rule)
    source = np.zeros(4, np.float32)
    target = np.zeros(4, np.float32)
    for q in range(len(quads.x)):
        for lane in range(4):
            if not quads.lanes[q] >> lane & 1:
                continue
            y, x = 2 * int(quads.y[q]) + (lane >> 1), 2 * int(quads.x[q]) + (lane & 1)
            for channel in range(4):
                source[channel] = quads.colors[channel, 4 * q + lane]
                if tops[channel] > 0:
                    source[channel] = unit_interval(source[channel])
                target[channel] = color[y, x, channel]
            if is_advanced(rule.equation_rgb):
                mixed = blended_advanced(
                    rule.equation_rgb,
                    Color(source[0], source[1], source[2]),
                    source[3],
                    Color(target[0], target[1], target[2]),
                    target[3] if tops[3] >= 0 else np.float32(1),
                )
                source[0], source[1], source[2], source[3] = mixed
            for channel in range(4):
                if not channels[channel] or tops[channel] < 0:
                    continue
                value = source[channel]
                if not is_advanced(rule.equation_rgb):
                    value = blended(
                        rule.equation_alpha if channel == 3 else rule.equation_rgb,
                        alpha_factors if channel == 3 else rgb_factors,
                        Component(source[channel], source[3]),
                        Component(target[channel], target[3]),
                        Component(constant[channel], constant[3]),
                    )
                if tops[channel] > 0:
                    value = min(max(value, np.float32(0)), np.float32(1))
                    value = np.float32(np.floor(value * tops[channel] + np.float32(0.5))) / tops[channel]
                else:
                    value = small_float(np.float32(value), bits[channel])
                color[y, x, channel] = value


@helper
def limited(value: int, bits: int, signed: bool) -> Any:
    """The bits of an integer limited to what a channel can hold, as Mesa does it; OpenGL ES leaves it undefined."""
    if bits >= 32:
        return value
    if signed:
        top = (1 << (bits - 1)) - 1
        return min(max(value, -top - 1), top)
    return min(int(value) & 0xFFFFFFFF, (1 << bits) - 1)


@kernel
def limit_integers(values: Any, bits: Any, signed: Any) -> None:
    """Limit the channels of integer texels, int32 (n, 4), in place to their bits, int64 (4,)."""
    for i in range(len(values)):
        for channel in range(4):
            if bits[channel] > 0:
                values[i, channel] = limited(values[i, channel], bits[channel], signed)


@kernel
def write_integer_quads(quads: ShadedQuads, channels: Flags, bits: Words, signed: bool, color: IntegerPlanes) -> None:
    """Write quads with int32 colours into an integer buffer, int32 (height, width, 4), of some bits per channel."""
    for q in range(len(quads.x)):
        for lane in range(4):
            if not quads.lanes[q] >> lane & 1:
                continue
            y, x = 2 * int(quads.y[q]) + (lane >> 1), 2 * int(quads.x[q]) + (lane & 1)
            for channel in range(4):
                if channels[channel]:
                    color[y, x, channel] = limited(quads.colors[channel, 4 * q + lane], bits[channel], signed)
