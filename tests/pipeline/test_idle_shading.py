"""Fragments whose colours go nowhere are not shaded, unless someone looks; the picture is the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.gles import textures
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from ..reference.es3_scenes import quad, use

SIZE = 32
HEAD = (
    "#version 300 es\nprecision highp float; precision highp sampler2D; in vec4 v; out vec4 o; uniform sampler2D s;\n"
)
SAMPLING = HEAD + "void main() { o = texture(s, gl_FragCoord.xy / 32.0) + 0.1 * v; }"
DISCARDING = HEAD + "void main() { if (texture(s, gl_FragCoord.xy / 32.0).r < 0.9) discard; o = v; }"
WRITING = HEAD + "void main() { gl_FragDepth = 0.25 * texture(s, vec2(0.5)).r; o = v; }"


def _depth_texture(r: Recorder) -> None:
    """A framebuffer with nothing but depth, in a texture that is bound, too."""
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glTexImage2D(gl.TEXTURE_2D, 0, 0x81A6, SIZE, SIZE, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, None)
    for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
        r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, 1, 0)
    r.glClear(gl.DEPTH_BUFFER_BIT)


def _trace(path: Path, fragment: str) -> Path:
    """Two draws into the texture that they sample, and one of the texture onto the window."""
    with Recorder(path, SIZE, SIZE, 3) as r:
        r.glViewport(0, 0, SIZE, SIZE)
        _depth_texture(r)
        r.glEnable(gl.DEPTH_TEST)
        use(r, fragment)
        quad(r, -0.5, -0.5, 0.5, 0.5)
        r.glDepthFunc(gl.LEQUAL)
        quad(r, 0.0, 0.0, 1.0, 1.0)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        r.glDisable(gl.DEPTH_TEST)
        use(r, SAMPLING)
        quad(r, -1.0, -1.0, 1.0, 1.0)
        r.swap()
    return path


def _picture(trace: Path, backend: str) -> np.ndarray:
    (frame,) = Player(trace, backend=choose_backend(backend)[0]).run()
    return frame.pixels


@pytest.mark.parametrize(("fragment", "idle"), [(SAMPLING, 2), (DISCARDING, 0), (WRITING, 0)])
def test_shading_that_changes_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fragment: str, idle: int
) -> None:
    trace, left_out, packed = _trace(tmp_path / "scene.trace", fragment), [], []
    plan, texels = Renderer.plan, textures.packed_texels
    monkeypatch.setattr(
        Renderer,
        "plan",
        lambda self, draw, sink: left_out.append(not draw.state.samplers.fragment) or plan(self, draw, sink),
    )
    monkeypatch.setattr(textures, "packed_texels", lambda *images: packed.append(images) or texels(*images))
    pictures = [_picture(trace, name) for name in ("llvm", "numpy")]
    assert left_out == 2 * ([True] * idle + [False] * (3 - idle))
    assert len(packed) == 2 * (3 - idle)
    np.testing.assert_array_equal(*pictures)
    assert len(np.unique(pictures[0][..., 0])) > 1


def test_recorded_draws_are_shaded(tmp_path: Path) -> None:
    trace = _trace(tmp_path / "scene.trace", SAMPLING)
    recorded: list[np.ndarray] = []
    record(trace, tmp_path / "activity", on_frame=lambda frame, _: recorded.append(frame.pixels))
    np.testing.assert_array_equal(recorded[0], _picture(trace, "llvm"))
