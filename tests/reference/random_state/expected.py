"""Kinds of scenes in which our picture may differ from both of Mesa's, and why. Tolerances stay as they are elsewhere.

Measured with Mesa 22.3.6. A difference that no rule covers is a fault.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .blending import Blending
from .blits import Blits
from .comparing import Comparing
from .sampling import Sampling
from .stage import CELL
from .texturing import Texturing

NARROW = {"RGB565": 9, "RGBA4": 17, "RGB5_A1": 9, "SRGB8_ALPHA8": 3}
"""Largest step from code to code in linear light, 0 to 255, of formats where it exceeds 1."""
ALPHA_OF_TWO_BITS = 85
"""The same for the alpha of RGB10_A2."""
_PACKED = {
    "UNSIGNED_SHORT_5_6_5": "RGB565",
    "UNSIGNED_SHORT_4_4_4_4": "RGBA4",
    "UNSIGNED_SHORT_5_5_5_1": "RGB5_A1",
}
"""Formats of textures by the type of their pixels."""


@dataclass(frozen=True)
class Rule:
    """A kind of difference.

    Attributes
    ----------
    reason
        What Mesa does and why ours may stay.
    covers
        Whether it covers a scene.
    largest
        Largest difference of a channel from the nearer driver, 0 to 255.
    disputed
        Whether the two drivers must differ from each other in some pixel.
    """

    reason: str
    covers: Callable[[Any], bool]
    largest: Callable[[Any], int] = lambda scene: 255
    disputed: bool = False


def _narrow(scene: Any) -> str:
    """The format of fewer than eight bits that a scene shows, or nothing."""
    name = ""
    if isinstance(scene, Blending):
        name = scene.formats[scene.shown]
    elif isinstance(scene, Sampling):
        name = scene.format
    elif isinstance(scene, Blits):
        name = scene.formats[1]
    elif isinstance(scene, Texturing) and "mipmap" in scene.images.how:
        name = _PACKED.get(scene.images.layout.type, scene.images.layout.internal)
    return name if name in NARROW else ""


def _two_bits_of_alpha(scene: Any) -> bool:
    if not isinstance(scene, Texturing) or "mipmap" not in scene.images.how:
        return False
    return scene.images.layout.internal == "RGB10_A2"


def _codes(scene: Any) -> int:
    """Difference of as many codes as there are roundings, 0 to 255."""
    roundings = 1
    if isinstance(scene, Blending):
        roundings = len(scene.layers)
    elif isinstance(scene, Sampling):
        roundings += sum(piece.blend for piece in scene.pieces)
    return roundings * (NARROW[_narrow(scene)] + 1)


def _from_outside(scene: Any) -> bool:
    if not isinstance(scene, Blits):
        return False
    for blit in scene.blits:
        cut = blit.scissor is not None or not 0 <= min(blit.destination) <= max(blit.destination) <= CELL
        for axis in range(2):
            source, destination = blit.source[axis::2], blit.destination[axis::2]
            outside = min(source) < 0 or max(source) > scene.size[axis]
            scaled = abs(source[1] - source[0]) != abs(destination[1] - destination[0])
            if outside and (scaled or cut):
                return True
    return False


def _integer_without_mipmaps(scene: Any) -> bool:
    if not isinstance(scene, Texturing) or not scene.images.layout.integer:
        return False
    return scene.parameters.min_filter == "NEAREST" and "Fetch" not in scene.lookup and "Size" not in scene.lookup


def _depth_from_a_later_level(scene: Any) -> bool:
    if not isinstance(scene, Texturing | Comparing) or scene.images.layout.kind != "depth":
        return False
    return "storage" in scene.images.how and scene.images.base > 0


def _filtered_comparison(scene: Any) -> bool:
    if not isinstance(scene, Comparing):
        return False
    filters = scene.parameters.min_filter, scene.parameters.mag_filter
    return any("LINEAR" in name for name in filters)


def _border_of_incomplete(scene: Any) -> bool:
    if not isinstance(scene, Texturing | Comparing) or "CLAMP_TO_BORDER" not in scene.parameters.wraps:
        return False
    return scene.images.may_be_incomplete


def _corners_of_cubes(scene: Any) -> bool:
    if not isinstance(scene, Texturing) or scene.images.target != "cube":
        return False
    return "LINEAR" in scene.parameters.min_filter and "MIPMAP" in scene.parameters.min_filter


RULES = (
    Rule(
        "blends, resolves, blits and generated levels that fall between two codes of a channel of 4 to 6 bits or of "
        "bright sRGB, a code for each rounding: softpipe blends layers in floats and rounds once, llvmpipe calculates "
        "with bytes; ours rounds each layer to the nearest code",
        lambda scene: bool(_narrow(scene)),
        _codes,
    ),
    Rule(
        "generated levels whose alpha of two bits falls between two codes: the drivers round it differently, too",
        _two_bits_of_alpha,
        lambda scene: ALPHA_OF_TWO_BITS,
        disputed=True,
    ),
    Rule(
        "integer textures whose minification filter has no mipmaps: both drivers read the level nearest to the level "
        "of detail; ES 3.0, 3.8.10, says the base level, which they read of all other textures",
        _integer_without_mipmaps,
    ),
    Rule(
        "depth textures of immutable storage whose base level was raised: both drivers read them as luminance; ES 3.0 "
        "says red, which they read at base level 0 and of images from glTexImage2D",
        _depth_from_a_later_level,
    ),
    Rule(
        "filtered depth comparisons: softpipe compares in one level, and often one texel; llvmpipe blends levels with "
        "weights of its own (brilinear), texels with weights of eight bits, which add up at the corners of cubes",
        _filtered_comparison,
        disputed=True,
    ),
    Rule(
        "blits whose source leaves the framebuffer, scaled or cut at the destination, too: Mesa cuts both rectangles "
        "to whole pixels, and reads those of the edge where none are left; ES 3.0, 4.3.3, leaves exactly those alone "
        "that would be read from outside",
        _from_outside,
    ),
    Rule(
        "incomplete textures with a border: both drivers sample the border of a black texture that they put in their "
        "place; ES 3.0, 3.8.13, says (0, 0, 0, 1) everywhere",
        _border_of_incomplete,
    ),
    Rule(
        "corners of filtered cubes with mipmaps: softpipe weighs the three texels of a corner in a way of its own, "
        "also without mipmaps, where llvmpipe equals ours; it chooses and blends levels otherwise (brilinear)",
        _corners_of_cubes,
        disputed=True,
    ),
)


def rule_for(scene: Any, largest: int, disputed: bool) -> Rule | None:
    """The rule that covers a difference.

    Parameters
    ----------
    scene
        What is drawn.
    largest
        Largest difference of any channel from the nearer driver.
    disputed
        Whether the drivers differ from each other in some pixel.
    """
    for rule in RULES:
        if rule.covers(scene) and largest <= rule.largest(scene) and (disputed or not rule.disputed):
            return rule
    return None
