"""However the image of a level comes to be, draws, stores, loads and samplers find its texels where Mesa does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.opengl import enums as gl

from .session import Session

WIDTH, HEIGHT = 16, 8
LEVEL, COLUMNS, ROWS = 1, 8, 4
BACKENDS = {"numpy": NumpyBackend, "llvm": LlvmBackend}
VERTEX = """#version 310 es
layout(location = 0) in vec2 place;
void main() { gl_Position = vec4(place, 0.0, 1.0); gl_PointSize = 1.0; }"""
FRAGMENT = """#version 310 es
precision highp float; out vec4 color; void main() { color = vec4(0.2, 0.4, 0.6, 0.8); }"""
FETCH = """#version 310 es
precision highp float; precision highp sampler2D; uniform sampler2D image; out vec4 color;
void main() { color = texelFetch(image, ivec2(gl_FragCoord.xy) + ivec2(1, 0), 1); }"""
HEAD = "#version 310 es\nlayout(local_size_x = 1) in; precision highp image2D;\n"
STORE = (
    HEAD
    + """layout(rgba8, binding = 0) writeonly uniform image2D image;
void main() { imageStore(image, ivec2(5, 2), vec4(0.25, 0.5, 0.75, 1.0)); }"""
)
LOAD = (
    HEAD
    + """layout(rgba8, binding = 0) readonly uniform image2D image; buffer Out { vec4 texels[]; };
void main() { ivec2 at = ivec2(gl_WorkGroupID.xy); texels[at.y * 8 + at.x] = imageLoad(image, at); }"""
)


def _texels(seed: int, height: int = HEIGHT, width: int = WIDTH) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


def _define(s: Session, level: int, texels: np.ndarray | None) -> None:
    size = (WIDTH >> level, HEIGHT >> level)
    s.glTexImage2D(gl.TEXTURE_2D, level, gl.RGBA8, *size, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)


def _storage(s: Session) -> None:
    s.glTexStorage2D(gl.TEXTURE_2D, 2, gl.RGBA8, WIDTH, HEIGHT)
    s.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, _texels(1))


def _framebuffer(s: Session, level: int, target: int = gl.FRAMEBUFFER) -> int:
    name: int = s.glGenFramebuffers(1)[0]
    s.glBindFramebuffer(target, name)
    texture = s.answer("glGetIntegerv", gl.TEXTURE_BINDING_2D)
    s.glFramebufferTexture2D(target, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, level)
    return name


def uploaded(s: Session) -> None:
    _define(s, 0, _texels(1))
    _define(s, 1, _texels(2, ROWS, COLUMNS))


def stored(s: Session) -> None:
    _storage(s)
    s.glTexSubImage2D(gl.TEXTURE_2D, 1, 0, 0, COLUMNS, ROWS, gl.RGBA, gl.UNSIGNED_BYTE, _texels(3, ROWS, COLUMNS))


def generated(s: Session) -> None:
    _define(s, 0, _texels(1))
    s.glGenerateMipmap(gl.TEXTURE_2D)


def generated_in_storage(s: Session) -> None:
    _storage(s)
    s.glGenerateMipmap(gl.TEXTURE_2D)


def copied(s: Session) -> None:
    _storage(s)
    _framebuffer(s, 0)
    s.glCopyTexSubImage2D(gl.TEXTURE_2D, 1, 0, 0, 3, 2, COLUMNS, ROWS)


def copied_anew(s: Session) -> None:
    _define(s, 0, _texels(1))
    _framebuffer(s, 0)
    s.glCopyTexImage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 3, 2, COLUMNS, ROWS, 0)


def blitted(s: Session) -> None:
    _storage(s)
    _framebuffer(s, 0, gl.READ_FRAMEBUFFER)
    _framebuffer(s, 1, gl.DRAW_FRAMEBUFFER)
    s.glBlitFramebuffer(2, 1, 10, 5, 0, 0, COLUMNS, ROWS, gl.COLOR_BUFFER_BIT, gl.NEAREST)


def cleared(s: Session) -> None:
    _storage(s)
    s.glGenerateMipmap(gl.TEXTURE_2D)
    _framebuffer(s, 1)
    s.glEnable(gl.SCISSOR_TEST)
    s.glScissor(1, 1, 5, 2)
    s.glClearColor(0.5, 0.25, 0.75, 1.0)
    s.glClear(gl.COLOR_BUFFER_BIT)
    s.glDisable(gl.SCISSOR_TEST)
    # softpipe holds clears back, and what is stored in the meantime is lost.
    s.glFinish()


ORIGINS: tuple[Callable[[Session], None], ...] = (
    uploaded, stored, generated, generated_in_storage, copied, copied_anew, blitted, cleared
)  # fmt: skip

IMMUTABLE = (stored, generated_in_storage, copied, blitted, cleared)
"""Those that image units take."""


def _points(s: Session, places: list[tuple[float, float]]) -> None:
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    data = np.array(places, np.float32)
    s.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, gl.STATIC_DRAW)
    s.glEnableVertexAttribArray(0)
    s.glVertexAttribPointer(0, 2, gl.FLOAT, 0, 0, None)


def drawn(s: Session, texture: int) -> None:
    _framebuffer(s, LEVEL)
    s.glViewport(0, 0, COLUMNS, ROWS)
    s.glUseProgram(s.program(VERTEX, FRAGMENT))
    _points(s, [(6.5 / 4 - 1, 1.5 / 2 - 1)])
    s.glDrawArrays(gl.POINTS, 0, 1)


def _compute(s: Session, source: str) -> None:
    program, shader = s.glCreateProgram(), s.glCreateShader(gl.COMPUTE_SHADER)
    s.glShaderSource(shader, 1, [source], None)
    s.glCompileShader(shader)
    s.glAttachShader(program, shader)
    s.glLinkProgram(program)
    s.glUseProgram(program)


def stored_to(s: Session, texture: int) -> None:
    s.glBindImageTexture(0, texture, LEVEL, 0, 0, gl.WRITE_ONLY, gl.RGBA8)
    _compute(s, STORE)
    s.glDispatchCompute(1, 1, 1)
    s.glMemoryBarrier(0xFFFFFFFF)


def sampled(s: Session, texture: int) -> None:
    """The level is fetched into a texture of its size."""
    target = s.glGenTextures(1)[0]
    s.glActiveTexture(gl.TEXTURE0 + 1)
    s.glBindTexture(gl.TEXTURE_2D, target)
    s.glTexStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, COLUMNS, ROWS)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0)
    s.glViewport(0, 0, COLUMNS, ROWS)
    s.glUseProgram(s.program(VERTEX, FETCH))
    _points(s, [(-1, -1), (3, -1), (-1, 3)])
    s.glDrawArrays(gl.TRIANGLES, 0, 3)


def _pixels(s: Session) -> tuple[np.ndarray, np.ndarray]:
    """Ours and Mesa's of the framebuffer."""
    assert s.mesa is not None
    theirs = np.zeros((ROWS, COLUMNS, 4), np.uint8)
    s.mesa.call("glReadPixels", 0, 0, COLUMNS, ROWS, gl.RGBA, gl.UNSIGNED_BYTE, theirs)
    ours = s.answer("glReadPixels", 0, 0, COLUMNS, ROWS, gl.RGBA, gl.UNSIGNED_BYTE, None)
    assert s.error() == s.mesa.error() == 0
    return np.frombuffer(ours, np.uint8).reshape(theirs.shape), theirs


@pytest.fixture(params=BACKENDS)
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    """A context of each back end beside Mesa's."""
    made = Session(3, mesa=True, minor=1, backend=BACKENDS[request.param]())
    yield made
    assert made.mesa is not None
    made.mesa.close()


def _texture(s: Session, origin: Callable[[Session], None]) -> int:
    name: int = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, name)
    s.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
    s.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    s.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 1)
    origin(s)
    return name


PAIRS = [(o, u) for o in ORIGINS for u in (drawn, stored_to, sampled) if u is not stored_to or o in IMMUTABLE]


@pytest.mark.parametrize(("origin", "use"), PAIRS, ids=lambda function: function.__name__)
def test_uses(session: Session, origin: Callable[[Session], None], use: Callable[[Session, int], None]) -> None:
    texture = _texture(session, origin)
    use(session, texture)
    if use is stored_to:
        _framebuffer(session, LEVEL)
    ours, theirs = _pixels(session)
    assert np.abs(ours.astype(int) - theirs).max() <= 1
    assert len(np.unique(theirs)) > 3


@pytest.mark.parametrize("origin", IMMUTABLE, ids=lambda origin: origin.__name__)
def test_loads(session: Session, origin: Callable[[Session], None]) -> None:
    s = session
    texture = _texture(s, origin)
    s.glBindImageTexture(0, texture, LEVEL, 0, 0, gl.READ_ONLY, gl.RGBA8)
    s.glBindBuffer(gl.SHADER_STORAGE_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.SHADER_STORAGE_BUFFER, 16 * COLUMNS * ROWS, None, gl.STATIC_DRAW)
    s.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, s.answer("glGetIntegerv", gl.SHADER_STORAGE_BUFFER_BINDING))
    _compute(s, LOAD)
    s.glDispatchCompute(COLUMNS, ROWS, 1)
    context = s.display.current[0]
    words = np.frombuffer(context.state.buffers[gl.SHADER_STORAGE_BUFFER].data, np.float32)
    _framebuffer(s, LEVEL)
    _, theirs = _pixels(s)
    assert np.abs(words.reshape(ROWS, COLUMNS, 4) * 255 - theirs).max() <= 1
