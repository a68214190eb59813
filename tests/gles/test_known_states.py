"""What was resolved in the same state before gives what resolving it anew gives, whatever changed between."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.gles import resolve, resolve_arrays, resolve_textures
from tilegpu.functional.gles.context import Context
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

SIZE, STEPS, FRAMES = 48, 120, 3
VERTEX = """
attribute vec4 position;
attribute vec4 color;
varying vec4 shade;
void main() { shade = color; gl_Position = position; gl_PointSize = 5.0; }
"""
PLAIN = "precision highp float; varying vec4 shade; void main() { gl_FragColor = shade; }"
TEXTURED = """
precision highp float;
varying vec4 shade;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, 3.0 * shade.xy - 1.0) + 0.25 * shade; }
"""


class Stream:
    """Draws between random calls, each of which sets a part of the state to one of two values."""

    def __init__(self, r: Recorder, seed: int) -> None:
        self.r, self.random = r, np.random.default_rng(seed)
        self.programs = [r.program(VERTEX, fragment, ("position", "color")) for fragment in (PLAIN, TEXTURED)]
        r.glUseProgram(self.programs[1])
        self.unit = r.glGetUniformLocation(self.programs[1], "image")
        self.buffers, self.textures = r.glGenBuffers(2), r.glGenTextures(2)
        for name in self.buffers:
            r.glBindBuffer(gl.ARRAY_BUFFER, name)
            r.glBufferData(gl.ARRAY_BUFFER, 1024, self.vertices(), 0x88E4)
        for unit, name in enumerate(self.textures):
            r.glActiveTexture(0x84C0 + unit)
            r.glBindTexture(gl.TEXTURE_2D, name)
            r.glTexImage2D(gl.TEXTURE_2D, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, self.texels(4))
            r.glTexParameteri(gl.TEXTURE_2D, 0x2801, gl.NEAREST)
        for capability in (gl.CULL_FACE, gl.STENCIL_TEST, gl.DEPTH_TEST):
            r.glEnable(capability)
        self.point(0)
        r.glEnableVertexAttribArray(0)
        r.glEnableVertexAttribArray(1)

    def vertices(self) -> bytes:
        """32 places and colours."""
        return self.random.uniform(-1, 1, (32, 8)).astype(np.float32).tobytes()

    def texels(self, size: int) -> np.ndarray:
        """A square image."""
        return self.random.integers(0, 256, 4 * size * size, np.uint8)

    def point(self, number: int) -> None:
        """Take both arrays from a buffer."""
        self.r.glBindBuffer(gl.ARRAY_BUFFER, self.buffers[number])
        for location in (0, 1):
            self.r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)

    def step(self) -> None:
        """One call and a draw."""
        r, on = self.r, bool(self.random.integers(2))
        data, texels = self.vertices(), self.texels(4)
        calls = (
            lambda: r.glUseProgram(self.programs[on]),
            lambda: self.point(on),
            lambda: r.glBufferSubData(gl.ARRAY_BUFFER, 0, 512, data[:512]),
            lambda: r.glBufferData(gl.ARRAY_BUFFER, 1024, data, 0x88E4),
            lambda: (r.glEnableVertexAttribArray if on else r.glDisableVertexAttribArray)(1),
            lambda: r.glVertexAttrib4f(1, 0.5 * on, -0.0 if on else 0.0, 0.5, 1.0),
            lambda: (r.glEnable if on else r.glDisable)(gl.BLEND),
            lambda: r.glBlendFunc(0x8001 if on else gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA),
            lambda: r.glBlendColor(0.25 + on / 2, 0.5, 0.5, 0.5),
            lambda: r.glBlendEquation(0x8006 if on else 0x800B),
            lambda: r.glViewport(0, 0, SIZE, SIZE // 2 if on else SIZE),
            lambda: r.glScissor(8 * on, 4, SIZE - 16, SIZE - 8),
            lambda: (r.glEnable if on else r.glDisable)(gl.SCISSOR_TEST),
            lambda: r.glDepthRangef(0.0, 0.5 + on / 2),
            lambda: (r.glEnable if on else r.glDisable)(gl.DEPTH_TEST),
            lambda: r.glDepthFunc(gl.LESS if on else gl.ALWAYS),
            lambda: r.glDepthMask(on),
            lambda: (r.glEnable if on else r.glDisable)(gl.STENCIL_TEST),
            lambda: r.glStencilFunc(0x0202 if on else gl.ALWAYS, 1, 3),
            lambda: r.glStencilOp(gl.KEEP, gl.KEEP, 0x1E02 if on else gl.KEEP),
            lambda: (r.glEnable if on else r.glDisable)(gl.CULL_FACE),
            lambda: r.glCullFace(gl.BACK if on else gl.FRONT),
            lambda: r.glFrontFace(0x0901 if on else 0x0900),
            lambda: r.glPolygonOffset(float(on), 4.0),
            lambda: (r.glEnable if on else r.glDisable)(gl.POLYGON_OFFSET_FILL),
            lambda: r.glColorMask(True, on, True, True),
            lambda: r.glLineWidth(1.0 + 2 * on),
            lambda: r.glActiveTexture(0x84C0 + on),
            lambda: r.glBindTexture(gl.TEXTURE_2D, self.textures[on]),
            lambda: r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, 0x1908, 0x1401, texels),
            lambda: r.glTexParameteri(gl.TEXTURE_2D, 0x2800, 0x2601 if on else gl.NEAREST),
            lambda: r.glTexParameteri(gl.TEXTURE_2D, 0x2802, 0x812F if on else gl.REPEAT),
            lambda: r.glUniform1i(self.unit, int(on)),
        )
        calls[self.random.integers(len(calls))]()
        if self.random.integers(2):
            r.glUseProgram(self.programs[1])
        r.glDrawArrays(int(self.random.choice([0, 1, 4, 4, 5])), int(self.random.integers(16)), 12)


def _frames(path: Path) -> tuple[list[np.ndarray], list[str]]:
    player = Player(path)
    return [frame.pixels for frame in player.run()], player.warnings


@pytest.mark.parametrize("seed", range(6))
def test_as_if_resolved_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    trace = tmp_path / "states.trace"
    with Recorder(trace, SIZE, SIZE) as r:
        stream = Stream(r, seed)
        for _ in range(FRAMES):
            r.glClear(0x4500)
            for _ in range(STEPS):
                stream.step()
            r.swap()
    known, warnings = _frames(trace)
    with monkeypatch.context() as patch:
        patch.setattr(resolve, "_keep", lambda *_: None)
        patch.setattr(resolve_textures, "MAX_KEPT", 0)
        patch.setattr(resolve_arrays, "_content", lambda *_: None)
        anew, others = _frames(trace)
    assert warnings == others
    assert any(len(np.unique(frame)) > 8 for frame in known)
    for a, b in zip(known, anew, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_frame_like_the_one_before_resolves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[str] = []
    for module, function in ((resolve, "_keep"), (resolve_arrays, "_resolved")):
        inner = getattr(module, function)

        def noting(*arguments: object, inner: object = inner, name: str = function) -> object:
            resolved.append(name)
            return inner(*arguments)  # type: ignore[operator]

        monkeypatch.setattr(module, function, noting)
    with Recorder(tmp_path / "states.trace", SIZE, SIZE) as r:
        stream = Stream(r, 0)
        for _ in range(FRAMES):
            for number in (0, 1):
                r.glUseProgram(stream.programs[number])
                stream.point(number)
                r.glDrawArrays(4, 0, 12)
            r.swap()
    list(Player(tmp_path / "states.trace").run())
    assert len(resolved) == 4


def test_deleted_objects_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contexts: list[Context] = []
    begin = Context.__init__

    def noting(self: Context, *arguments: object) -> None:
        begin(self, *arguments)  # type: ignore[arg-type]
        contexts.append(self)

    monkeypatch.setattr(Context, "__init__", noting)
    with Recorder(tmp_path / "states.trace", SIZE, SIZE) as r:
        stream = Stream(r, 0)
        r.glDrawArrays(4, 0, 12)
        r.swap()
        r.glDeleteTextures(2, stream.textures)
        r.swap()
    player = Player(tmp_path / "states.trace")
    kept = [(len(contexts[0].states_before), len(contexts[0].arrays_before)) for _ in player.run()]
    assert kept == [(1, 1), (0, 0)]
