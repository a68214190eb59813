"""Gathered texels are those that the specification's formulas name, and are noted as a filter's would be."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tilegpu.functional.execute.backend import TextureRequest
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.sampler import Sampler, Storage
from tilegpu.functional.pipeline.texturing.reads import Reads
from tilegpu.functional.pipeline.texturing.unit import TextureUnit

WIDTH, HEIGHT = 7, 5
LANES = 200


def _wrapped(place: int, size: int, mode: int) -> int:
    """OpenGL ES 3.0, table 3.22."""
    if mode == gl.REPEAT:
        return place % size
    if mode == gl.CLAMP_TO_EDGE:
        return min(max(place, 0), size - 1)
    place %= 2 * size
    return place if place < size else 2 * size - 1 - place


@pytest.mark.parametrize("wrap", [gl.REPEAT, gl.CLAMP_TO_EDGE, gl.MIRRORED_REPEAT])
@pytest.mark.parametrize("offsets", [None, (-3, 6)])
def test_texels_and_notes(wrap: int, offsets: tuple[int, int] | None) -> None:
    random = np.random.default_rng(4)
    texels = random.random((HEIGHT, WIDTH, 4)).astype(np.float32)
    one = np.array([0], np.int64)
    storage = Storage(lambda: texels.reshape(-1), one, one + WIDTH, one + HEIGHT, one + 1)
    sampler = Sampler(storage, 1, 1, "2d", gl.NEAREST, gl.NEAREST, wrap, wrap, base_level=2)
    places = random.uniform(-2, 3, (2, LANES)).astype(np.float32)
    reads: list[Reads] = []
    request = TextureRequest(3, 0, "gather", places, offsets=offsets, component=2)
    found = TextureUnit((sampler,), True, reads)(request)
    dx, dy = offsets or (0, 0)
    for lane, (s, t) in enumerate(places.T):
        i, j = (
            math.floor(s * np.float32(WIDTH) - np.float32(0.5)) + dx,
            math.floor(t * np.float32(HEIGHT) - np.float32(0.5)) + dy,
        )
        expected = [
            texels[_wrapped(j + b, HEIGHT, wrap), _wrapped(i + a, WIDTH, wrap), 2]
            for a, b in ((0, 1), (1, 1), (1, 0), (0, 0))
        ]
        assert list(found[:, lane]) == expected
        assert (reads[0].x[0, lane], reads[0].y[0, lane]) == (i, j)
    assert len(reads) == 1
    assert reads[0].linear.all()
    np.testing.assert_array_equal(reads[0].levels, [[2] * LANES, [-1] * LANES])
