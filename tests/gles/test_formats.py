"""The table of texel formats against what OpenGL ES allows, as random scenes have it for Mesa."""

from __future__ import annotations

import pytest

from tests.reference.random_state.formats import LAYOUTS, RENDERABLE, Layout
from tests.reference.random_state.scene import value_of
from tilegpu.functional.opengl.channel_bits import SRGB
from tilegpu.functional.opengl.formats import SIZED, texture_format

PADDED = {"DEPTH24", "DEPTH24_STENCIL8", "DEPTH32F_STENCIL8"}
"""Formats with bits beside those of depth."""


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_pixels_that_are_allowed_have_a_format(layout: Layout) -> None:
    found = texture_format(*layout.enums)
    assert found.kind == layout.kind
    assert found.client == layout.enums[1] or layout.client == "BGRA"


def test_renderable_formats() -> None:
    # Those scenes do not draw to; extensions make the first two renderable.
    also = {"BGRA8", "RGB16F", "RGB32F"}
    wanted = {value_of(name) for name in RENDERABLE}
    assert {number for number, f in SIZED.items() if f.renderable and f.name not in also} == wanted


def test_the_activity_knows_which_formats_are_srgb() -> None:
    assert {f.name for f in SIZED.values() if f.kind == "srgb"} == SRGB


@pytest.mark.parametrize("name", sorted(f.name for f in SIZED.values() if f.name not in PADDED))
def test_channels_fill_the_texel(name: str) -> None:
    sized = next(f for f in SIZED.values() if f.name == name)
    # Luminance is stored once.
    bits = sum(sized.bits) - (sum(sized.bits[:2]) if sized.luminance else 0)
    assert bits + (5 if name == "RGB9_E5" else 0) == 8 * sized.texel_bytes
