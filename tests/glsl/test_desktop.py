"""Desktop GLSL 1.10 to 3.30, compiled for what GLSL ES has as well."""

from __future__ import annotations

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder, Trace
from tilegpu.functional.capture.writer import TraceWriter
from tilegpu.functional.glsl.dialects import desktop_version, is_embedded
from tilegpu.functional.glsl.errors import ShaderError
from tilegpu.functional.glsl.link import compile_shader, link_program
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.player import Player

OLD_VERTEX = """
attribute vec2 p; varying vec2 at;
void main() { at = p; gl_Position = vec4(p, 0.0, 1.0); }
"""
OLD_FRAGMENT = """
#ifdef GL_ES
#error desktop GLSL has no GL_ES
#endif
uniform sampler2D image; varying vec2 at;
void main() { float near = at.x; gl_FragColor = texture2D(image, at) * near; gl_FragDepth = 0.5; }
"""
MIXED_FRAGMENT = """#version 130
in vec2 at; uniform sampler2D image;
void main() { int n = 2; float half_ = 1 / 2.0; gl_FragColor = texture2D(image, at * n) + half_ + vec4(1, 0, n, 1u); }
"""
CORE_VERTEX = """#version 330 core
layout(location = 0) in vec2 p; out vec2 at; uniform float scale;
float twice(float x) { return 2 * x; }
void main() { at = p; gl_Position = vec4(p * twice(3), max(scale, 1), 1); }
"""
CORE_FRAGMENT = """#version 330 core
in vec2 at; layout(location = 0) out vec4 color; uniform sampler2D image;
void main() { color = texture(image, at) * (at.x > 0 ? 1 : 0.5); }
"""


@pytest.mark.parametrize(
    ("vertex", "fragment"),
    [
        (OLD_VERTEX, OLD_FRAGMENT),
        ("#version 120\n" + OLD_VERTEX, "#version 120\n" + OLD_FRAGMENT),
        (OLD_VERTEX.replace("\n", "#version 130\n", 1), MIXED_FRAGMENT),
        (CORE_VERTEX, CORE_FRAGMENT),
    ],
)
def test_what_both_languages_have_is_compiled(vertex: str, fragment: str) -> None:
    linked = link_program(
        compile_shader(vertex, "vertex", dialect="desktop"), compile_shader(fragment, "fragment", dialect="desktop"), {}
    )
    assert "image" in {uniform.name for uniform in linked.uniforms}
    for source, stage in ((vertex, "vertex"), (fragment, "fragment")):
        with pytest.raises(ShaderError):
            compile_shader(source if "varying" not in source else source + "float f = 1;", stage, dialect="strict")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#version 400\nvoid main() {}", "version 400 of desktop GLSL is not supported"),
        ("#extension GL_ARB_gpu_shader5 : require\nvoid main() {}", "GL_ARB_gpu_shader5"),
        ("#version 110\nvoid main() { float x = 1; gl_FragColor = vec4(x); }", "cannot initialize float with int"),
        ("#version 120\nvoid main() { int x = 1.0; gl_FragColor = vec4(x); }", "cannot initialize int with float"),
        ("#version 330 core\nout vec4 c; void main() { c = gl_Color; }", "gl_FrontColor is not declared"),
        ("void main() { gl_FragColor = gl_FogCoord; }", "gl_FogCoord is not declared"),
    ],
)
def test_what_is_refused(source: str, message: str) -> None:
    with pytest.raises(ShaderError, match=message):
        compile_shader(source, "fragment", dialect="desktop")


def test_versions() -> None:
    assert desktop_version("// nothing\nvoid main() {}", "shader") == 110
    assert desktop_version("/* first */ #version 150 compatibility\n", "shader") == 150
    assert [is_embedded(f"#version {text}\n") for text in ("100", "300 es", "310 es", "330 core", "120")] == [
        True, True, True, False, False,
    ]  # fmt: skip


def test_a_shadow_comparison_is_a_vector() -> None:
    found = "shadow2D(s, vec3(0.5)).rrra * shadow2D(s, vec3(1)).r"
    source = f"uniform sampler2DShadow s; void main() {{ gl_FragColor = {found}; }}"
    compile_shader("#version 120\n" + source, "fragment", dialect="desktop")


def test_a_desktop_context_draws(tmp_path) -> None:
    """Integers in float expressions give what the floats would: a red of 64/255 over the whole window."""
    path = tmp_path / "desktop.trace"
    with Recorder(tmp_path / "embedded.trace", 8, 8) as gl:
        fragment = "#version 120\nvoid main() { float x = 64; gl_FragColor = vec4(x / 255, 0, 0, 1); }"
        gl.glUseProgram(
            gl.program("attribute vec2 p; void main() { gl_Position = vec4(p, 0., 1.); }", fragment, ("p",))
        )
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, np.array([-1, -1, 3, -1, -1, 3], np.float32))
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    with TraceWriter(path) as writer:
        for call in Trace(tmp_path / "embedded.trace"):
            if call.name == "eglBindAPI":
                call.arguments[0] = egl.OPENGL_API
            writer.write(call)
    (frame,) = Player(path).run()
    assert (frame.pixels[..., :3] == (64, 0, 0)).all()
