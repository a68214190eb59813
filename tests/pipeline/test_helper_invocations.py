"""Fragments know whether they are helpers (ESSL 3.10, 7.1.2)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

VERTEX = "#version 310 es\nvoid main() { gl_Position = vec4(-0.25, -0.25, 0.0, 1.0); gl_PointSize = 1.0; }"
FRAGMENT = """#version 310 es
precision highp float; out vec4 color;
void main() { float helper = gl_HelperInvocation ? 1.0 : 0.0;
    color = vec4(dFdx(helper), dFdy(helper), helper, 1.0); }"""


def test_the_other_lanes_of_a_quad_are_helpers(tmp_path: Path) -> None:
    """A point covers the first lane of its quad alone, so that both neighbours differ from it."""
    with Recorder(tmp_path / "point.trace", 8, 8, (3, 1)) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT))
        r.glClear(gl.COLOR_BUFFER_BIT)
        r.glDrawArrays(gl.POINTS, 0, 1)
        r.swap()
    (frame,) = Player(tmp_path / "point.trace").run()
    drawn = np.argwhere(frame.pixels[..., :3].any(-1))
    assert len(drawn) == 1
    y, x = drawn[0]
    column, row = int(x) % 2, (7 - int(y)) % 2
    sign = np.array([1 - column, 1 - row])
    assert frame.pixels[y, x, :3].tolist() == [255 * sign[0], 255 * sign[1], 0]
