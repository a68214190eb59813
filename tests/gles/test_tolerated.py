"""What drivers take though the specification does not: executed with a warning, unless this driver did not take it."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.player import Player

VERTEX = "attribute vec4 p; void main() { gl_Position = p; }"
COMPILE_STATUS = 0x8B81


def _drawn(path: Path, fragment: str, status: int | None) -> tuple[np.ndarray, list[str]]:
    """A frame that a shader fills, where the stream says or does not say whether the driver compiled it."""
    with Recorder(path, 8, 8) as r:
        program = r.glCreateProgram()
        for kind, source in ((0x8B31, VERTEX), (0x8B30, fragment)):
            shader = r.glCreateShader(kind)
            r.glShaderSource(shader, 1, [source], None)
            r.glCompileShader(shader)
            if status is not None:
                r._record("glGetShaderiv", [shader, COMPILE_STATUS, [status if kind == 0x8B30 else 1]])
            r.glAttachShader(program, shader)
        r.glBindAttribLocation(program, 0, "p")
        r.glLinkProgram(program)
        r.glUseProgram(program)
        r.glEnableVertexAttribArray(0)
        r.glBindBuffer(0x8892, r.glGenBuffers(1)[0])
        corners = np.array([-1, -1, 3, -1, -1, 3], np.float32)
        r.glBufferData(0x8892, corners.nbytes, corners, 0x88E4)
        r.glVertexAttribPointer(0, 2, 0x1406, False, 0, 0)
        r.glDrawArrays(4, 0, 3)
        r.swap()
    player = Player(path)
    (frame,) = player.run()
    return frame.pixels, player.warnings


@pytest.mark.parametrize("status", [None, 1])
@pytest.mark.parametrize(
    "body",
    ["gl_FragColor = vec4(1.0f, 0.0, 0.0, 1.0);", "float[2] x; x[1] = 1.0; gl_FragColor = vec4(x[1], 0.0, 0.0, 1.0);"],
)
def test_drawn_with_a_warning(body: str, status: int | None, tmp_path: Path) -> None:
    pixels, warnings = _drawn(tmp_path / "a.trace", f"precision highp float; void main() {{ {body} }}", status)
    assert (pixels[..., :3] == (255, 0, 0)).all()
    assert len(warnings) == 1
    assert "tolerated GLSL beyond the specification (1 call)" in warnings[0]
    assert "fragment shader" in warnings[0]


def test_what_the_driver_did_not_compile_is_not_drawn(tmp_path: Path) -> None:
    source = "precision highp float; void main() { gl_FragColor = vec4(1.0f); }"
    pixels, warnings = _drawn(tmp_path / "a.trace", source, 0)
    assert (pixels[..., :3] == 0).all()
    assert any("needs a compiled" in line for line in warnings)


def test_multisample_textures_may_be_bound(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 8, 8) as r:
        r._record("glBindTexture", [0x9100, 0])
        r._record("glBindTexture", [0x9100, 5])
        r._record("glBindTexture", [0x9101, 0])
        r.swap()
    player = Player(tmp_path / "a.trace")
    list(player.run())
    (warning,) = player.warnings
    assert "GL_INVALID_ENUM in glBindTexture (1 call)" in warning and "0x9101" in warning
