"""Advanced blend equations (KHR_blend_equation_advanced, "Advanced Blending Equations"; OpenGL ES 3.2, 15.1.5.1).

They take colours that are multiplied by their alpha, and weigh the function of both by how much source and destination
cover each other, which are taken as independent.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...compile import helper
from ...opengl.enums import ADVANCED_EQUATIONS

(
    MULTIPLY,
    SCREEN,
    OVERLAY,
    DARKEN,
    LIGHTEN,
    COLOR_DODGE,
    COLOR_BURN,
    HARD_LIGHT,
    SOFT_LIGHT,
    DIFFERENCE,
    EXCLUSION,
    HUE,
    SATURATION,
    COLOR,
    LUMINOSITY,
) = ADVANCED_EQUATIONS.values()
ZERO, HALF, ONE, TWO = np.float32(0), np.float32(0.5), np.float32(1), np.float32(2)


class Color(NamedTuple):
    """Red, green and blue."""

    r: Any
    g: Any
    b: Any


@helper
def is_advanced(equation: int) -> Any:
    """Whether an equation is one of this file."""
    return equation >= MULTIPLY


@helper
def blended_advanced(equation: int, source: Color, alpha: np.float32, target: Color, target_alpha: np.float32) -> Any:
    """Blended red, green, blue and alpha of two colours, multiplied by their alphas."""
    s, d = divided(source, alpha), divided(target, target_alpha)
    if equation >= HUE:
        mixed = of_colors(equation, s, d)
    else:
        mixed = Color(of_channel(equation, s.r, d.r), of_channel(equation, s.g, d.g), of_channel(equation, s.b, d.b))
    both, only_source, only_target = alpha * target_alpha, alpha * (ONE - target_alpha), target_alpha * (ONE - alpha)
    return (
        mixed.r * both + s.r * only_source + d.r * only_target,
        mixed.g * both + s.g * only_source + d.g * only_target,
        mixed.b * both + s.b * only_source + d.b * only_target,
        both + only_source + only_target,
    )


@helper
def divided(color: Color, alpha: np.float32) -> Color:
    """A colour without its alpha; black without any."""
    if alpha == ZERO:
        return Color(ZERO, ZERO, ZERO)
    return Color(color.r / alpha, color.g / alpha, color.b / alpha)


@helper
def of_channel(equation: int, s: np.float32, d: np.float32) -> Any:
    """Function of one channel."""
    if equation == MULTIPLY:
        return s * d
    if equation == SCREEN:
        return s + d - s * d
    if equation == OVERLAY:
        return hard_light(d, s)
    if equation == DARKEN:
        return min(s, d)
    if equation == LIGHTEN:
        return max(s, d)
    if equation == COLOR_DODGE:
        return dodged(s, d)
    if equation == COLOR_BURN:
        return burnt(s, d)
    if equation == HARD_LIGHT:
        return hard_light(s, d)
    if equation == SOFT_LIGHT:
        return soft_light(s, d)
    if equation == DIFFERENCE:
        return abs(d - s)
    return s + d - TWO * s * d


@helper
def hard_light(s: np.float32, d: np.float32) -> Any:
    """Multiplies below one half of the first, screens above."""
    return TWO * s * d if s <= HALF else ONE - TWO * (ONE - s) * (ONE - d)


@helper
def dodged(s: np.float32, d: np.float32) -> Any:
    """COLORDODGE."""
    if d <= ZERO:
        return ZERO
    return min(ONE, d / (ONE - s)) if s < ONE else ONE


@helper
def burnt(s: np.float32, d: np.float32) -> Any:
    """COLORBURN."""
    if d >= ONE:
        return ONE
    return ONE - min(ONE, (ONE - d) / s) if s > ZERO else ZERO


@helper
def soft_light(s: np.float32, d: np.float32) -> Any:
    """SOFTLIGHT."""
    if s <= HALF:
        return d - (ONE - TWO * s) * d * (ONE - d)
    if d <= np.float32(0.25):
        return d + (TWO * s - ONE) * d * ((np.float32(16) * d - np.float32(12)) * d + np.float32(3))
    return d + (TWO * s - ONE) * (np.sqrt(d) - d)


@helper
def of_colors(equation: int, s: Color, d: Color) -> Color:
    """Function of all channels at once: hue, saturation, colour or luminosity of the source."""
    if equation == HUE:
        return with_saturation(s, spread(d), luminosity(d))
    if equation == SATURATION:
        return with_saturation(d, spread(s), luminosity(d))
    if equation == COLOR:
        return with_luminosity(s, luminosity(d))
    return with_luminosity(d, luminosity(s))


@helper
def luminosity(c: Color) -> Any:
    """Weighted sum of the channels."""
    return c.r * np.float32(0.30) + c.g * np.float32(0.59) + c.b * np.float32(0.11)


@helper
def spread(c: Color) -> Any:
    """Saturation: the distance of the largest and the least channel."""
    return max(c.r, c.g, c.b) - min(c.r, c.g, c.b)


@helper
def with_luminosity(c: Color, wanted: np.float32) -> Color:
    """A colour of another luminosity; channels that leave 0…1 are pulled towards it."""
    more = wanted - luminosity(c)
    r, g, b = c.r + more, c.g + more, c.b + more
    grey = luminosity(Color(r, g, b))
    low, high = min(r, g, b), max(r, g, b)
    if low < ZERO:
        scale = grey / (grey - low)
        r, g, b = grey + (r - grey) * scale, grey + (g - grey) * scale, grey + (b - grey) * scale
    if high > ONE:
        scale = (ONE - grey) / (high - grey)
        r, g, b = grey + (r - grey) * scale, grey + (g - grey) * scale, grey + (b - grey) * scale
    return Color(r, g, b)


@helper
def with_saturation(c: Color, saturation: np.float32, wanted: np.float32) -> Color:
    """A colour of another saturation and luminosity; grey stays grey."""
    low, before = min(c.r, c.g, c.b), spread(c)
    if before > ZERO:
        scale = saturation / before
        stretched = Color((c.r - low) * scale, (c.g - low) * scale, (c.b - low) * scale)
    else:
        stretched = Color(ZERO, ZERO, ZERO)
    return with_luminosity(stretched, wanted)
