"""Small scenes of gl_HelperInvocation (ESSL 3.10, 7.1.2)."""

from __future__ import annotations

from collections.abc import Callable

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import VERTEX, quad, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
FRAGMENT = """#version 310 es
precision highp float;
in vec4 v; out vec4 color;
void main() {{ {0} }}"""


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def _draw(r: Recorder, body: str) -> None:
    use(r, FRAGMENT.format(body), VERTEX.replace("300 es", "310 es"))
    quad(r, -0.77, -0.83, 0.69, 0.91)


@scene
def no_fragment_is_a_helper(r: Recorder) -> None:
    _draw(r, "color = gl_HelperInvocation ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(v.xy, 1.0, 1.0);")


@scene
def helpers_behind_depth(r: Recorder) -> None:
    r.glEnable(gl.DEPTH_TEST)
    _draw(r, "color = vec4(v.xyx, 1.0);")
    _draw(r, "color = gl_HelperInvocation ? vec4(1.0) : vec4(v.yxy, 1.0);")
