"""What contexts above OpenGL ES 3.0 give to programs of 3.0: resources, shared images, textures of several samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

from .session import Session
from .test_frames import Program

VERTEX = """#version 310 es
layout(std140) uniform;
uniform Lamps { vec4 place; mat3 turn[2]; vec2 spots[2][3]; } lamps[3];
uniform struct { vec2 scale; float bias[3]; } shape;
layout(location = 2) in vec4 position; in vec2 corner;
out vec4 shade;
void main() {
    shade = lamps[0].place + lamps[1].spots[1][2].xyxy + corner.xyxy;
    shade += vec4(lamps[1].turn[1][0] + lamps[2].turn[0][2], shape.bias[1]);
    gl_Position = position * vec4(shape.scale, 1.0, 1.0);
}"""
FRAGMENT = """#version 310 es
precision highp float;
in vec4 shade; uniform sampler2D images[2]; uniform vec4 tints[3]; uniform vec2 grid[2][3];
layout(location = 0) out vec4 color;
void main() { color = shade * texture(images[1], shade.xy)
    + texture(images[0], shade.yx) * tints[2] + grid[1][1].xyxy; }"""
INTERFACES = {"uniforms": 0x92E1, "blocks": 0x92E2, "inputs": 0x92E3, "outputs": 0x92E4}
PROPERTIES = {
    "uniforms": (0x92FA, 0x92FB, 0x92FC, 0x92FE, 0x92FF, 0x9300, 0x92F9),
    "blocks": (0x9303, 0x9304, 0x9302, 0x9306, 0x930A),
    "inputs": (0x92FA, 0x92FB, 0x930E),
    "outputs": (0x930E,),
}


@pytest.fixture
def both() -> Iterator[tuple[Session, int]]:
    """A program here and on Mesa."""
    session = Session(3, mesa=True)
    yield session, session.program(VERTEX, FRAGMENT)
    assert session.mesa is not None
    session.mesa.close()


def _of_mesa(s: Session, program: int, interface: int, name: bytes, properties: tuple[int, ...]) -> list[float]:
    assert s.mesa is not None
    index = s.mesa.call("glGetProgramResourceIndex", program, interface, name)
    assert index != 0xFFFFFFFF
    length = np.zeros(1, np.int32)
    arguments = (program, interface, index, len(properties), list(properties), 16, length)
    return s.mesa.get("glGetProgramResourceiv", *arguments, count=len(properties))


@pytest.mark.parametrize("kind", INTERFACES)
def test_resources_are_mesas(both: tuple[Session, int], kind: str) -> None:
    s, program = both
    interface, properties = INTERFACES[kind], PROPERTIES[kind]
    count = s.answer("glGetProgramInterfaceiv", program, interface, 0x92F5)
    assert s.mesa is not None
    assert [count] == s.mesa.get("glGetProgramInterfaceiv", program, interface, 0x92F5)
    assert count
    for index in range(count):
        name = s.answer("glGetProgramResourceName", program, interface, index, 100)
        values = s.answer("glGetProgramResourceiv", program, interface, index, len(properties), list(properties), 16)
        assert values == _of_mesa(s, program, interface, name.encode() + b"\0", properties), name
        assert s.answer("glGetProgramResourceIndex", program, interface, name) == index


def test_members_of_arrays_of_blocks_count_once(both: tuple[Session, int]) -> None:
    s, program = both
    assert s.mesa is not None
    for name in (gl.ACTIVE_UNIFORMS, gl.ACTIVE_UNIFORM_BLOCKS, gl.ACTIVE_UNIFORM_MAX_LENGTH):
        assert [s.answer("glGetProgramiv", program, name)] == s.mesa.get("glGetProgramiv", program, name)


ACTIVE = {
    "array to the last element read": ("uniform float a[5];", "color = vec4(a[2]);"),
    "array with an index": ("uniform float a[5]; uniform int i;", "color = vec4(a[i]);"),
    "structures to the last one read": ("uniform struct { float x; vec2 y[2]; } s[3];", "color = vec4(s[1].x);"),
    "arrays of a structure": ("uniform struct { float x; vec2 y[3]; } s;", "color = vec4(s.y[1], 0.0, 0.0);"),
    "samplers": ("uniform sampler2D images[3];", "color = texture(images[1], vec2(0.5));"),
    "arrays of arrays": ("uniform vec2 a[3][4];", "color = a[1][2].xyxy + a[0][3].xyxy;"),
    "chosen arrays of arrays": ("uniform vec2 a[3][4]; uniform int i;", "color = a[i][2].xyxy + a[1][i].xyxy;"),
    "structures of arrays of arrays": (
        "uniform struct { float x[2][2]; vec2 y[3]; } s[2][3];",
        "color = s[1][1].x[1].length() > 0 ? vec4(s[0][1].x[1][0]) : vec4(1);",
    ),
    "samplers in arrays of arrays": ("uniform sampler2D s[2][3];", "color = texture(s[1][1], vec2(0));"),
    "unused": ("uniform float a; uniform float b;", "float t = a; color = vec4(b);"),
}


@pytest.mark.parametrize("name", ACTIVE)
def test_active_uniforms_are_mesas(name: str) -> None:
    s = Session(3, mesa=True)
    assert s.mesa is not None
    declared, body = ACTIVE[name]
    version = "310" if name.endswith("arrays") else "300"
    head = f"#version {version} es\nprecision highp float; out vec4 color;"
    vertex = f"#version {version} es\nin vec4 position; void main() {{ gl_Position = position; }}"
    program = s.program(vertex, f"{head} {declared} void main() {{ {body} }}")
    count = s.answer("glGetProgramiv", program, gl.ACTIVE_UNIFORMS)
    ours = sorted(tuple(s.answer("glGetActiveUniform", program, i, 100)) for i in range(count))
    theirs = []
    for index in range(int(s.mesa.get("glGetProgramiv", program, gl.ACTIVE_UNIFORMS)[0])):
        text, (length, size, kind) = np.zeros(100, np.uint8), (np.zeros(1, np.int32) for _ in range(3))
        s.mesa.call("glGetActiveUniform", program, index, 100, length, size, kind, text)
        theirs.append((text.tobytes().split(b"\0")[0].decode(), int(kind[0]), int(size[0])))
    s.mesa.close()
    assert ours == sorted(theirs)


ARRAYS = """#version 310 es
precision highp float; out vec4 color;
uniform vec4 a[2][3]; uniform int i; uniform struct { float x[2][2]; } s[2][2];
layout(binding = 3) uniform sampler2D t[2][2];
void main() { color = a[i][1] + a[0][2] * s[1][i].x[i][0] + texture(t[1][1], vec2(0.5)); }"""


def test_arrays_of_arrays_have_places() -> None:
    """Uniforms by element and by innermost array, textures at consecutive units: the picture is Mesa's."""
    s = Session(3, mesa=True)
    assert s.mesa is not None
    corners = "vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0"
    vertex = f"#version 310 es\nvoid main() {{ gl_Position = vec4({corners}, 0.0, 1.0); }}"
    program = s.program(vertex, ARRAYS)
    s.glUseProgram(program)
    for name, values in {
        "a[1]": [0.0] * 4 + [0.125, 0.25, 0.0, 0.0] + [9.0] * 4,
        "a[0][2]": [0.0, 0.25, 0.5, 0.0],
    }.items():
        s.glUniform4fv(s.glGetUniformLocation(program, name), len(values) // 4, values)
    s.glUniform1i(s.glGetUniformLocation(program, "i"), 1)
    s.glUniform1fv(s.glGetUniformLocation(program, "s[1][1].x[1]"), 2, [0.5, 0.25])
    for unit in range(6, 2, -1):
        s.glActiveTexture(gl.TEXTURE0 + unit)
        s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
        s.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes([8 * unit, 0, 0, 255]))
    s.glDrawArrays(gl.TRIANGLES, 0, 3)
    theirs = np.zeros(4, np.uint8)
    s.mesa.call("glReadPixels", 3, 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, theirs)
    ours = s.answer("glReadPixels", 3, 3, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, None)
    assert s.error() == s.mesa.error() == 0
    s.mesa.close()
    assert list(ours) == list(theirs) == [80, 96, 64, 255]


def _texture(s: Session, texels: bytes) -> int:
    name: int = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, name)
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    return name


def _pixels(s: Session, name: int) -> bytes:
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    pixels: bytes = s.answer("glReadPixels", 0, 0, 2, 1, gl.RGBA, gl.UNSIGNED_BYTE, None)
    return pixels


def test_siblings_of_an_image_see_each_others_updates() -> None:
    s = Session(3)
    source = _texture(s, b"abcdefgh")
    s.execute("eglCreateImageKHR", [1, 100, egl.GL_TEXTURE_2D, source, [egl.NONE]], 0x700)
    sibling = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, sibling)
    s.glEGLImageTargetTexture2DOES(gl.TEXTURE_2D, 0x700)
    assert s.error() == 0
    texture = s.display.current[0].group.textures[sibling]
    before = texture.version
    s.glBindTexture(gl.TEXTURE_2D, source)
    s.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, b"WXYZ")
    assert texture.version > before
    assert _pixels(s, sibling) == b"WXYZefgh"
    # Drawing to the sibling reaches the source.
    s.glClearColor(1.0, 1.0, 1.0, 1.0)
    s.glClear(gl.COLOR_BUFFER_BIT)
    assert _pixels(s, source) == b"\xff" * 8
    # A new image of the source is the source's alone.
    s.glBindTexture(gl.TEXTURE_2D, source)
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, b"ijklmnop")
    assert _pixels(s, sibling) == b"\xff" * 8


def test_a_renderbuffer_shares_the_image_of_a_texture() -> None:
    s = Session(3)
    source = _texture(s, b"abcdefgh")
    s.execute("eglCreateImage", [1, 100, egl.GL_TEXTURE_2D, source, [egl.NONE]], 0x700)
    s.glBindRenderbuffer(gl.RENDERBUFFER, s.glGenRenderbuffers(1)[0])
    s.glEGLImageTargetRenderbufferStorageOES(gl.RENDERBUFFER, 0x700)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, 1)
    version = s.display.current[0].group.textures[source].version
    s.glClearColor(0.0, 0.0, 0.0, 0.0)
    s.glClear(gl.COLOR_BUFFER_BIT)
    assert s.error() == 0
    assert s.display.current[0].group.textures[source].version > version
    assert _pixels(s, source) == bytes(8)


def test_a_texture_takes_the_pixels_of_a_pbuffer() -> None:
    s = Session(3)
    s.glClearColor(0.2, 0.4, 0.6, 0.8)
    s.glClear(gl.COLOR_BUFFER_BIT)
    name = s.glGenTextures(1)[0]
    s.glBindTexture(gl.TEXTURE_2D, name)
    s.execute("eglBindTexImage", [1, 77, egl.BACK_BUFFER], 1)
    assert _pixels(s, name) == bytes([51, 102, 153, 204] * 2)
    s.execute("eglReleaseTexImage", [1, 77, egl.BACK_BUFFER], 1)
    assert not s.display.current[0].group.textures[name].images


def test_textures_of_several_samples_are_drawn_to(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace") as r:
        plain = r.target(gl.RGBA8, 4, 4)
        texture, framebuffer = r.glGenTextures(1)[0], r.glGenFramebuffers(1)[0]
        r.glBindTexture(0x9100, texture)
        r.glTexStorage2DMultisample(0x9100, 4, gl.RGBA8, 4, 4, True)
        r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, 0x9100, texture, 0)
        r.fill(0.2)
        r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, plain)
        r.glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, plain)
        r.read(4, 4)
    player = Player(tmp_path / "a.trace")
    (frame,) = player.run()
    assert not player.warnings
    assert (frame.pixels == [51, 102, 153]).all()


def test_client_side_integers_are_read_as_integers(tmp_path: Path) -> None:
    """apitrace writes glVertexAttribIPointer of client-side arrays as glVertexAttribPointer."""
    vertex = """#version 300 es
layout(location = 0) in vec2 position; layout(location = 1) in ivec4 value; flat out ivec4 v;
void main() { v = value; gl_Position = vec4(position, 0.0, 1.0); }"""
    fragment = """#version 300 es
precision highp float; flat in highp ivec4 v; out vec4 color;
void main() { color = vec4(v) / 255.0; }"""
    with Recorder(tmp_path / "a.trace", 4, 4, 3) as r:
        r.glUseProgram(r.program(vertex, fragment))
        places = np.array([(-1, -1), (3, -1), (-1, 3)], np.float32)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, places.tobytes())
        r.glVertexAttribPointer(1, 4, gl.INT, False, 0, np.array([[51, 102, 153, 255]] * 3, np.int32).tobytes())
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()
    (frame,) = Player(tmp_path / "a.trace").run()
    assert (frame.pixels == [51, 102, 153]).all()


def test_uploads_to_a_drawn_depth_texture_keep_the_rest(tmp_path: Path) -> None:
    vertex = "#version 300 es\nin vec4 p; out vec2 c; void main() { c = p.xy * 0.5 + 0.5; gl_Position = p; }"
    fragment = (
        "#version 300 es\nprecision highp float; in vec2 c; uniform sampler2D depth; out vec4 color;"
        "void main() { color = vec4(texture(depth, c).rrr, 1.0); }"
    )
    with Recorder(tmp_path / "a.trace", 4, 4, 3) as r:
        r.glBindTexture(gl.TEXTURE_2D, texture := r.glGenTextures(1)[0])
        r.glTexStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT16, 4, 4)
        for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
            r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
        r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0)
        r.glClearDepthf(0.2)
        r.glClear(gl.DEPTH_BUFFER_BIT)
        part = np.full((4, 2), 0.8 * 65535, np.uint16)
        r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2, 4, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, part)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        r.glUseProgram(r.program(vertex, fragment, ("p",)))
        corners = np.array([(-1, -1, 0, 1), (3, -1, 0, 1), (-1, 3, 0, 1)], np.float32)
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, corners.nbytes, corners, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 4, gl.FLOAT, False, 0, 0)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()
    (frame,) = Player(tmp_path / "a.trace").run()
    assert frame.pixels[0, :, 0].tolist() == [204, 204, 51, 51]
