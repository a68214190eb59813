"""Contexts of desktop OpenGL: fixed functions and programs in one, and what a core profile lacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.reference.fixed_scenes import MODELVIEW, SCENES, square
from tilegpu.functional.capture import Recorder, Trace
from tilegpu.functional.capture.call import Call, Signature
from tilegpu.functional.capture.writer import TraceWriter
from tilegpu.functional.gles.desktop import DESKTOP, ContextKind, kind_by_attributes, kind_by_egl
from tilegpu.functional.inspection import inspect_stream
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

from .session import Session

CORE = [egl.CONTEXT_CLIENT_VERSION, 3, egl.CONTEXT_MINOR_VERSION, 3, egl.NONE]


def session(attributes: list[int] | None = None) -> Session:
    """A context of desktop OpenGL."""
    s = Session()
    s.execute("eglBindAPI", [egl.OPENGL_API], 1)
    s.execute("eglCreateContext", [1, 1, 0, attributes or [egl.NONE]], 200)
    s.make_current(200)
    return s


@pytest.mark.parametrize(
    ("kind", "core"),
    [
        (kind_by_attributes({}), False),
        (kind_by_attributes({0x2091: 3, 0x2092: 1}), False),
        (kind_by_attributes({0x2091: 3, 0x2092: 1, 0x2094: 2}), True),
        (kind_by_attributes({0x2091: 3, 0x2092: 3}), True),
        (kind_by_attributes({0x2091: 4, 0x2092: 5, 0x9126: 2}), False),
        (kind_by_egl({0x3098: 3, 0x30FB: 3, 0x30FD: 1}, desktop=True), True),
        (kind_by_egl({0x3098: 3, 0x30FB: 3, 0x30FD: 2}, desktop=True), False),
        (kind_by_egl({0x3098: 3, 0x31B1: 1}, desktop=True), True),
    ],
)
def test_profiles(kind: ContextKind, core: bool) -> None:
    assert kind == DESKTOP._replace(core=core)
    assert kind.fixed_functions is not core


def test_contexts_of_opengl_es() -> None:
    assert kind_by_attributes({0x2091: 2, 0x9126: 4}) == kind_by_egl({0x3098: 2}, desktop=False) == ContextKind(2)
    assert [ContextKind(version).fixed_functions for version in (1, 2, 3)] == [True, False, False]


@pytest.mark.parametrize("name", ["transforms", "color_material", "lit_ball", "combiners", "fog_exp2", "clip_plane"])
def test_fixed_functions_are_those_of_es_1(name: str, tmp_path: Path) -> None:
    pictures = []
    for version in (1, None):
        with Recorder(tmp_path / "scene.trace", 32, 32, version) as r:
            r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
            SCENES[name](r)
            r.swap()
        player = Player(tmp_path / "scene.trace")
        pictures += [frame.pixels for frame in player.run()]
        assert not player.warnings
    assert pictures[0].std() > 0
    assert (pictures[0] == pictures[1]).all()


def test_matrices_of_doubles() -> None:
    """(1, 2, 3) is turned by a quarter and moved by thirds, without rounding to 32 bits on the way."""
    s = session()
    s.glMatrixMode(MODELVIEW)
    s.glLoadTransposeMatrixd(np.diag([1.0, 1.0, 1.0, 1.0]).reshape(-1).tolist())
    s.glTranslated(1 / 3, -1 / 3, 0.0)
    s.glRotated(90.0, 0.0, 0.0, 1.0)
    matrix = np.reshape(s.answer("glGetFloatv", gl.MODELVIEW_MATRIX, None), (4, 4)).T
    assert (matrix @ [1, 2, 3, 1]) == pytest.approx([1 / 3 - 2, 1 - 1 / 3, 3, 1], abs=1e-15)
    assert not s.display.report.lines()


def test_doubles_are_kept_in_a_file(tmp_path: Path) -> None:
    for name in ("first", "again"):
        path = tmp_path / f"{name}.trace"
        if name == "first":
            with Recorder(path, 8, 8, None) as r:
                # More than once, as shapes read repeated calls.
                for _ in range(20):
                    r.glTranslated(1 / 3, 1e-9, 2)
        else:
            with TraceWriter(path) as writer:
                for call in Trace(tmp_path / "first.trace"):
                    writer.write(call)
        found = [call.arguments for call in Trace(path) if call.name == "glTranslated"]
        assert found == [[1 / 3, 1e-9, 2.0]] * 20


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("glMatrixMode", [MODELVIEW]),
        ("glLoadIdentity", []),
        ("glRotated", [1.0, 0.0, 0.0, 1.0]),
        ("glColor3f", [1.0, 1.0, 1.0]),
        ("glVertexPointer", [2, gl.FLOAT, 0, None]),
        ("glEnableClientState", [gl.VERTEX_ARRAY]),
        ("glLightfv", [gl.LIGHT0, gl.AMBIENT, [0.0, 0.0, 0.0, 1.0]]),
        ("glTexEnvi", [gl.TEXTURE_ENV, gl.TEXTURE_ENV_MODE, gl.MODULATE]),
        ("glAlphaFunc", [gl.LESS, 0.5]),
    ],
)
def test_a_core_profile_has_no_fixed_functions(name: str, arguments: list[object]) -> None:
    for s in (session(CORE), Session(3)):
        s.execute(name, arguments)
        assert s.error() == gl.INVALID_OPERATION
    s = session()
    s.execute(name, arguments)
    assert s.error() == gl.NO_ERROR


def test_what_a_core_profile_shares_with_es_1() -> None:
    s = session(CORE)
    s.glPointSize(3.0)
    s.glEnable(gl.COLOR_LOGIC_OP)
    s.glLogicOp(gl.SET)
    assert s.error() == gl.NO_ERROR
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    (line,) = s.display.report.lines()
    assert "no linked program" in line


def test_what_desktop_alone_has_is_named(tmp_path: Path) -> None:
    with Recorder(tmp_path / "scene.trace", 8, 8, None) as r:
        square(r, -1, -1, 1, 1)
        r.swap()
    with TraceWriter(tmp_path / "begin.trace") as writer:
        for call in Trace(tmp_path / "scene.trace"):
            if call.name == "eglSwapBuffers":
                for name, *arguments in (("glNewList", 1, 0x1300), ("glBegin", 7), ("glVertex3f", 0.0, 0.0, 0.0),
                                         ("glEnd",), ("glEndList",), ("glCallList", 1)):  # fmt: skip
                    names = tuple(f"a{i}" for i in range(len(arguments)))
                    writer.write(Call(0, Signature(name, names), list(arguments)))
            writer.write(call)
    found = inspect_stream(tmp_path / "begin.trace", check=True)
    named = ["glBegin", "glCallList", "glEnd", "glEndList", "glNewList", "glVertex3f"]
    assert found.desktop and sorted(found.unsupported) == named
    assert found.problems is not None and len(found.problems) == len(named)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("glEnable", 0x0B24), "capability 0x0b24"),
        (("glPolygonMode", gl.FRONT_AND_BACK, gl.LINE), "polygons as points or lines"),
        (("glDrawArrays", gl.QUADS, 0, 4), "GL_QUADS"),
        (("glColorMaterial", gl.BACK, gl.DIFFUSE), "back faces alone"),
    ],
)
def test_what_is_not_supported_is_told_apart_from_errors(call: tuple[object, ...], message: str) -> None:
    s = session()
    name, *arguments = call
    s.execute(str(name), list(arguments))
    s.glDisable(0x0B24)
    s.glPolygonMode(gl.FRONT_AND_BACK, gl.FILL)
    (line,) = s.display.report.lines()
    assert line.startswith("unsupported") and message in line


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 1e200])
def test_matrices_of_no_use_are_no_fault(number: float) -> None:
    """As numbers they are bad, as arguments they are not."""
    s = session()
    vertex = "void main() { gl_Position = gl_ModelViewMatrixInverse * gl_Vertex * gl_NormalScale + gl_Normal.x; }"
    program = s.program(vertex, "void main() { gl_FragColor = gl_Fog.color; }")
    s.glLoadMatrixd([number] * 16)
    s.glRotated(number, 1.0, 1.0, 0.0)
    s.glEnable(gl.RESCALE_NORMAL)
    s.glEnable(gl.LIGHTING)
    for used in (0, program):
        s.glUseProgram(used)
        s.glDrawArrays(gl.TRIANGLES, 0, 3)
    assert not s.display.report.lines()


def test_textures_beyond_those_of_fixed_functions_are_named() -> None:
    s = session()
    s.glActiveTexture(gl.TEXTURE0 + 4)
    s.glTexEnvi(gl.TEXTURE_ENV, gl.TEXTURE_ENV_MODE, gl.MODULATE)
    (line,) = s.display.report.lines()
    assert "unit 4" in line


def test_a_program_that_the_alpha_test_changes_has_the_same_textures_and_uniforms(tmp_path: Path) -> None:
    """Half of the texels pass; what the size of a point was made of is read no longer."""
    with Recorder(tmp_path / "scene.trace", 8, 8, None) as r:
        vertex = """#version 120
        uniform float size; uniform sampler2D sizes; attribute vec2 p;
        void main() { gl_PointSize = size + texture2DLod(sizes, p, 0.0).r; gl_Position = vec4(p, 0.0, 1.0); }"""
        fragment = """#version 120
        uniform vec4 tint; uniform sampler2D image;
        void main() { gl_FragColor = texture2D(image, gl_FragCoord.xy / 8.0) * tint; }"""
        program = r.program(vertex, fragment, ("p",))
        r.glUseProgram(program)
        texels = np.array([[(0, 0, 0, 0), (90, 90, 90, 255)]] * 2, np.uint8)
        r.glActiveTexture(gl.TEXTURE0 + 1)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
        for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
            r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
        r.glUniform1i(r.glGetUniformLocation(program, "image"), 1)
        r.glUniform1i(r.glGetUniformLocation(program, "sizes"), 1)
        tint = r.glGetUniformLocation(program, "tint")
        r.glClear(gl.COLOR_BUFFER_BIT)
        r.glEnable(gl.ALPHA_TEST)
        r.glAlphaFunc(gl.GREATER, 0.5)
        r.glPointSize(8)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, np.zeros(2, np.float32))
        r.glClearColor(0, 0, 1, 1)
        for color in ((0, 1, 0, 1), (1, 0, 0, 1)):
            r.glUniform4f(tint, *color)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glDrawArrays(gl.POINTS, 0, 1)
            r.swap()
    player = Player(tmp_path / "scene.trace")
    first, second = (frame.pixels for frame in player.run())
    assert not player.warnings
    for picture, color in ((first, (0, 90, 0)), (second, (90, 0, 0))):
        assert (picture[:, :4] == (0, 0, 255)).all()
        assert (picture[:, 4:] == color).all()
