"""A small scene that fills every table of the activity: overlap, clipping, culling, textures, discard, blending,
points, lines."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

SIZE = 64
VERTEX = """
attribute vec4 position;
attribute vec2 coordinate;
uniform vec4 shift;
varying vec2 place;
void main() { place = coordinate; gl_Position = position + shift * position.w; gl_PointSize = 5.0; }
"""
PLAIN = """
precision highp float;
uniform vec4 tint;
varying vec2 place;
void main() { gl_FragColor = tint * vec4(place, 1.0, 1.0); }
"""
TEXTURED = """
precision highp float;
uniform sampler2D image;
varying vec2 place;
void main() { gl_FragColor = texture2D(image, place); }
"""
HOLED = """
precision highp float;
uniform vec4 tint;
varying vec2 place;
void main() {
    if (fract(place.x * 8.0) < 0.5) discard;
    float sum = 0.0;
    for (int i = 0; i < 4; i++) { if (place.y * 4.0 > float(i)) sum += 0.2; }
    gl_FragColor = vec4(sum) * tint;
}
"""


def texels() -> np.ndarray:
    """Texture of the scene, uint8 (16, 16, 4)."""
    return np.random.default_rng(3).integers(0, 256, (16, 16, 4), np.uint8)


def corners(points: list[tuple[float, float, float, float]]) -> np.ndarray:
    """Interleaved clip position and coordinate; the coordinate follows x and y."""
    return np.array([[*p, p[0] / p[3] / 2 + 0.5, p[1] / p[3] / 2 + 0.5] for p in points], np.float32)


def draw(gl: Recorder, mode: int, vertices: np.ndarray, indices: np.ndarray | None = None) -> None:
    """Draw from client-side arrays."""
    for location, (size, offset) in enumerate(((4, 0), (2, 16))):
        gl.glEnableVertexAttribArray(location)
        gl.glVertexAttribPointer(location, size, 0x1406, False, 24, vertices.tobytes()[offset:])
    if indices is None:
        gl.glDrawArrays(mode, 0, len(vertices))
    else:
        gl.glDrawElements(mode, len(indices), 0x1401, indices.astype(np.uint8))


def record_scene(path: Path, frames: int = 2) -> None:
    """Write the scene's trace."""
    with Recorder(path, SIZE, SIZE) as gl:
        programs = [gl.program(VERTEX, fragment, ("position", "coordinate")) for fragment in (PLAIN, TEXTURED, HOLED)]
        uniforms = {p: {n: gl.glGetUniformLocation(p, n) for n in ("shift", "tint", "image")} for p in programs}
        plain, textured, holed = programs
        name = gl.glGenTextures(1)[0]
        gl.glBindTexture(0x0DE1, name)
        gl.glTexImage2D(0x0DE1, 0, 0x1908, 16, 16, 0, 0x1908, 0x1401, texels())
        for parameter in (0x2800, 0x2801):
            gl.glTexParameteri(0x0DE1, parameter, 0x2600)
        for number in range(frames):
            gl.glClearColor(0.1, 0.2, 0.3, 1)
            gl.glClear(0x4100)
            gl.glEnable(0x0B71)
            gl.glDisable(0x0BE2)

            def use(program: int, tint: tuple[float, ...] = (1, 1, 1, 1), shift: float = 0.01 * number) -> None:
                gl.glUseProgram(program)
                gl.glUniform4f(uniforms[program]["shift"], shift, 0, 0, 0)
                if program != textured:
                    gl.glUniform4f(uniforms[program]["tint"], *tint)

            use(textured)
            draw(gl, 4, corners([(-0.8, -0.8, 0.2, 1), (0.6, -0.7, 0.2, 1), (-0.3, 0.9, 0.2, 1)]))
            use(plain)
            # Crosses the first triangle in depth, and is drawn with indices.
            draw(
                gl,
                4,
                corners([(-0.9, 0.2, -0.6, 1), (0.9, 0.0, 0.9, 1), (0.1, 0.8, 0.1, 1), (0.3, -0.9, 0.5, 1)]),
                np.array([0, 1, 2, 1, 0, 3]),
            )
            # Leaves the view volume on three sides and through the near plane.
            draw(gl, 4, corners([(0.5, -3.0, 0.6, 1.5), (4.0, 0.5, 0.4, 1.2), (-0.5, 0.4, -2.0, 1.0)]))
            gl.glEnable(0x0B44)
            draw(
                gl,
                5,
                corners([(-0.9, -0.9, 0, 1), (-0.9, -0.5, 0, 1), (-0.5, -0.9, 0, 1), (-0.5, -0.5, 0, 1)]),
            )
            gl.glDisable(0x0B44)
            use(holed)
            draw(
                gl,
                5,
                corners([(-0.6, -0.6, 0.3, 1), (0.7, -0.6, 0.3, 1), (-0.6, 0.7, 0.0, 1), (0.7, 0.7, 0.0, 1)]),
            )
            gl.glEnable(0x0BE2)
            gl.glBlendFunc(0x0302, 0x0303)
            use(plain, (1, 0.5, 0.2, 0.5))
            draw(
                gl,
                5,
                corners([(-0.2, -1, -0.9, 1), (0.2, -1, -0.9, 1), (-0.2, 1, -0.9, 1), (0.2, 1, -0.9, 1)]),
            )
            draw(gl, 1, corners([(-0.9, -0.95, -0.95, 1), (0.9, 0.5, -0.95, 1)]))
            draw(gl, 0, corners([(0.7, 0.7, -0.95, 1), (0.72, 0.72, -0.9, 1)]))
            gl.swap()


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scene's trace."""
    path = tmp_path_factory.mktemp("scene") / "scene.trace"
    record_scene(path)
    return path


@pytest.fixture(scope="session")
def visible(scene: Path, tmp_path_factory: pytest.TempPathFactory) -> Activity:
    """The scene at level visible with all groups."""
    folder = tmp_path_factory.mktemp("visible") / "activity"
    record(scene, folder, groups=frozenset({"inputs", "colors", "pass_images"}))
    return Activity(folder)


@pytest.fixture(scope="session")
def everything(scene: Path, tmp_path_factory: pytest.TempPathFactory) -> Activity:
    """The scene at level all."""
    folder = tmp_path_factory.mktemp("all") / "activity"
    record(scene, folder, level="all", groups=frozenset({"colors"}))
    return Activity(folder)


@pytest.fixture(scope="session")
def images(scene: Path) -> list[np.ndarray]:
    """The scene's frames with alpha, row 0 at the top."""
    return [frame.pixels for frame in Player(scene, alpha=True).run()]
