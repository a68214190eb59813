"""Draws see the texels that a texture had before them, also where they write to it themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.player import Player

SIZE = 32
RGBA, BYTES = 0x1908, 0x1401
VERTEX = """
attribute vec2 position;
varying vec2 place;
void main() { place = 0.5 - 0.5 * position; gl_Position = vec4(position, 0.0, 1.0); }
"""
MIRRORED = """
precision highp float;
varying vec2 place;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, place) + vec4(16.0 / 255.0, 0.0, 0.0, 0.0); }
"""
RED = np.array([16, 0, 0, 0], np.uint8)
Change = Callable[[Recorder, np.ndarray], np.ndarray]
"""Changes a texture in a frame; returns its new texels."""


def _texels(number: int) -> np.ndarray:
    """A square image, with room for a little more red and opaque."""
    texels = np.random.default_rng(number).integers(0, 128, (SIZE, SIZE, 4), np.uint8)
    texels[..., 3] = 255
    return texels


def _mirrored(texels: np.ndarray) -> np.ndarray:
    """What the program makes of an image."""
    return texels[::-1, ::-1] + RED


def _part(r: Recorder, texels: np.ndarray) -> np.ndarray:
    changed = texels.copy()
    changed[4:12, 8:24] = _texels(int(texels[0, 0, 1]))[4:12, 8:24]
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 8, 4, 16, 8, RGBA, BYTES, np.ascontiguousarray(changed[4:12, 8:24]))
    return changed


def _whole(r: Recorder, texels: np.ndarray) -> np.ndarray:
    changed = _texels(int(texels[0, 0, 2]))
    r.glTexImage2D(gl.TEXTURE_2D, 0, RGBA, SIZE, SIZE, 0, RGBA, BYTES, changed)
    return changed


def _cleared(r: Recorder, texels: np.ndarray) -> np.ndarray:
    r.glBindFramebuffer(gl.FRAMEBUFFER, 1)
    r.glClearColor(239 / 255, 0.0, 0.2, 1.0)
    r.glClear(gl.COLOR_BUFFER_BIT)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    return np.broadcast_to(np.array([239, 0, 51, 255], np.uint8), texels.shape)


def _drawn_to_itself(r: Recorder, texels: np.ndarray) -> np.ndarray:
    r.glBindFramebuffer(gl.FRAMEBUFFER, 1)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    return _mirrored(texels)


def _drawn_to_itself_again(r: Recorder, texels: np.ndarray) -> np.ndarray:
    return _drawn_to_itself(r, _drawn_to_itself(r, texels))


@pytest.mark.parametrize("unobserved", [True, False])
@pytest.mark.parametrize("change", [_part, _whole, _cleared, _drawn_to_itself, _drawn_to_itself_again])
def test_texels_are_those_before_the_draw(change: Change, unobserved: bool, tmp_path: Path) -> None:
    expected = []
    with Recorder(tmp_path / "a.trace", SIZE, SIZE) as r:
        r.glUseProgram(r.program(VERTEX, MIRRORED, ("position",)))
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        texels = _texels(0)
        r.glTexImage2D(gl.TEXTURE_2D, 0, RGBA, SIZE, SIZE, 0, RGBA, BYTES, texels)
        for name in (0x2800, 0x2801):
            r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
        assert r.glGenFramebuffers(1)[0] == 1
        r.glBindFramebuffer(gl.FRAMEBUFFER, 1)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 0)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32)
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, corners.nbytes, corners, 0x88E4)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, 0)
        for number in range(4):
            if number:
                texels = change(r, texels)
            r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
            expected.append(_mirrored(texels))
            r.swap()
    player = Player(tmp_path / "a.trace", renderer=None if unobserved else Renderer(choose_backend()[0]))
    for frame, image in zip(player.run(), expected, strict=True):
        np.testing.assert_array_equal(frame.pixels, image[::-1, :, :3])
    assert not player.warnings
