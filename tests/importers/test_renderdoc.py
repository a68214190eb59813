"""RenderDoc captures of our own making, and pictures that follow from them by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Trace
from tilegpu.functional.importers import import_capture
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player

from .export import (
    Buffers,
    array,
    beginning,
    blend,
    chunk,
    flag,
    frame,
    leaf,
    numbers,
    program,
    real,
    struct,
    text,
    thing,
    whole,
    write,
)

SIZE = 8
VERTEX = "attribute vec4 place; varying vec2 at; void main() { at = place.xy * 0.5 + 0.5; gl_Position = place; }"
COLOR = """precision highp float; uniform vec4 unused[2]; uniform vec4 color;
void main() { gl_FragColor = color + unused[1]; }"""
TEXTURE = """precision highp float; varying vec2 at; uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, at); }"""
CORNERS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], np.float32)


def binding(name: str, location: int) -> str:
    return struct("", text("Name", name), whole("Binding", location))


def uniform(name: str, kind: int, elements: dict[int, list[float]], array_of: bool = False) -> str:
    """Values of a uniform by location."""
    make = leaf if kind == gl.SAMPLER_2D else None
    values = [
        struct("", whole("Type", kind), whole("Location", location), array("data", (
            [make("int", "", int(v)) for v in data] if make else numbers(real, data))))
        for location, data in elements.items()
    ]  # fmt: skip
    return struct("", text("Basename", name), flag("IsArray", array_of), array("Values", values))


def values_of_program(*uniforms: str) -> str:
    """Initial contents of program 30, which the driver gave attribute `place` the location 3."""
    filled = struct(
        "ProgramUniforms", array("ValueUniforms", uniforms), array("UBOBindings", []), array("SSBOBindings", [])
    )
    inputs, outputs = array("InputBindings", [binding("place", 3)]), array("OutputBindings", [])
    return chunk("Internal::Initial Contents", thing("id", 30), whole("Type", 9), inputs, outputs, filled)


def corners(buffers: Buffers) -> list[str]:
    """Chunks that make buffer 40 and let attribute 3 of the standing vertex array read it."""
    size = whole("bytesize", CORNERS.nbytes)
    return [
        chunk("glGenBuffers", whole("n", 1), thing("buffer", 40)),
        chunk(
            "glBufferData", thing("buffer", 40), size, buffers.add("data", CORNERS.tobytes()), whole("usage", 0x88E4)
        ),
    ]


def pointer(buffer: int = 40) -> list[str]:
    members = [
        whole("index", 3),
        whole("size", 2),
        whole("type", gl.FLOAT),
        flag("normalized", False),
        whole("stride", 0),
    ]
    arrays = thing("vaobj", 7)
    return [
        chunk("glVertexAttribPointer", arrays, thing("buffer", buffer), *members, whole("offset", 0)),
        chunk("glEnableVertexAttribArray", arrays, whole("index", 3)),
    ]


def draw() -> str:
    members = [whole("mode", gl.TRIANGLE_STRIP), whole("first", 0), whole("count", 4), array("DebugMessages", [])]
    return chunk("glDrawArrays", *members)


def pictures(path: Path, output: Path) -> list[np.ndarray]:
    import_capture(path, output)
    player = Player(output)
    frames = [picture.pixels[..., :3] for picture in player.run()]
    assert not player.warnings
    return frames


def use(identity: int) -> str:
    return chunk("glUseProgram", thing("program", identity))


def test_frame_0_makes_the_state_and_frame_1_is_the_captured_one(tmp_path: Path) -> None:
    buffers = Buffers()
    contents = values_of_program(
        uniform("unused", gl.FLOAT_VEC4, {5: [9, 9, 9, 9], 6: [0, 0.2, 0, 0]}, array_of=True),
        uniform("color", gl.FLOAT_VEC4, {2: [0.2, 0.4, 0.6, 1.0]}),
    )
    chunks = [*beginning(SIZE), *program(VERTEX, COLOR), *corners(buffers), contents]
    in_use = {"GL_CURRENT_PROGRAM": thing("GL_CURRENT_PROGRAM", 30)}
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame(SIZE, *pointer(), draw(), **in_use)], buffers)
    before, captured = pictures(path, tmp_path / "a.trace")
    assert not before.any()
    assert captured.shape == (SIZE, SIZE, 3)
    assert (captured == (51, 153, 153)).all()


def test_a_call_sets_a_uniform_at_the_captured_drivers_location(tmp_path: Path) -> None:
    buffers = Buffers()
    contents = values_of_program(
        uniform("unused", gl.FLOAT_VEC4, {5: [9, 9, 9, 9], 6: [0, 0, 0, 0]}, array_of=True),
        uniform("color", gl.FLOAT_VEC4, {2: [0, 0, 0, 0]}),
    )
    values = array("values", numbers(real, [1, 0.2, 0, 1]))
    call = [thing("Program", 30), whole("location", 2), whole("type", 13), whole("count", 1), values]
    chunks = [*beginning(SIZE), *program(VERTEX, COLOR), *corners(buffers), contents]
    played = [use(30), chunk("glUniform4fv", *call), *pointer(), draw()]
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame(SIZE, *played)], buffers)
    assert (pictures(path, tmp_path / "a.trace")[1] == (255, 51, 0)).all()


def texture_chunks(buffers: Buffers, texels: np.ndarray, now: np.ndarray) -> list[str]:
    """A texture of 2x2 RGB texels that was made with some and holds others as the frame begins."""
    image = {"target": gl.TEXTURE_2D, "level": 0, "internalformat": gl.RGB, "width": 2, "height": 2, "border": 0,
             "format": gl.RGB, "type": gl.UNSIGNED_BYTE}  # fmt: skip
    members = [whole(name, value) for name, value in image.items()]
    sizes = {"width": 2, "height": 2, "depth": 1, "mips": 1, "baseLevel": 0, "maxLevel": 1000}
    parameters = {
        "type": gl.TEXTURE_2D, "internalformat": gl.RGB, "compareFunc": gl.LEQUAL, "compareMode": 0,
        "minFilter": gl.NEAREST, "magFilter": gl.NEAREST, "minLod": -1000, "maxLod": 1000, "maxAniso": 1,
    }  # fmt: skip
    wrap = array("wrap", numbers(whole, [gl.REPEAT] * 3))
    held = struct("TextureState", *(whole(n, v) for n, v in (sizes | parameters).items()), wrap)
    return [
        chunk("glGenTextures", whole("n", 1), thing("texture", 50)),
        chunk("glTexImage2D", thing("texture", 50), *members, buffers.add("pixels", texels.tobytes())),
        chunk("Internal::Initial Contents", thing("id", 50), whole("Type", 2), held,
              buffers.add("SubresourceContents", now.tobytes())),
    ]  # fmt: skip


def test_a_texture_has_its_contents_as_the_frame_begins(tmp_path: Path) -> None:
    buffers, texels = Buffers(), np.arange(12, dtype=np.uint8).reshape(2, 2, 3) * 20
    contents = values_of_program(uniform("image", gl.SAMPLER_2D, {0: [1]}))
    made = texture_chunks(buffers, np.zeros_like(texels), texels)
    bound = array("GL_TEXTURE_BINDING_2D", [thing("", 0), thing("", 50)])
    chunks = [*beginning(SIZE), *program(VERTEX, TEXTURE), *corners(buffers), *made, contents]
    other = {"GL_TEXTURE_BINDING_2D": bound}
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame(SIZE, use(30), *pointer(), draw(), **other)], buffers)
    expected = texels[::-1].repeat(SIZE // 2, 0).repeat(SIZE // 2, 1)
    assert (pictures(path, tmp_path / "a.trace")[1] == expected).all()


def test_a_call_on_an_object_that_is_not_bound_leaves_bindings_alone(tmp_path: Path) -> None:
    """glBufferData names its buffer, and no target: the one that is bound must be bound afterwards."""
    buffers = Buffers()
    contents = values_of_program(uniform("color", gl.FLOAT_VEC4, {0: [0, 1, 0, 1]}))
    chunks = [*beginning(SIZE), *program(VERTEX, COLOR.replace("+ unused[1]", "")), *corners(buffers), contents]
    bind = chunk("glBindBuffer", whole("target", gl.ARRAY_BUFFER), thing("buffer", 40))
    played = [
        bind,
        chunk("glGenBuffers", whole("n", 1), thing("buffer", 41)),
        chunk(
            "glBufferData",
            thing("buffer", 41),
            whole("bytesize", 4),
            buffers.add("data", b"abcd"),
            whole("usage", 0x88E4),
        ),
        use(30),
        *pointer(),
        draw(),
    ]
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame(SIZE, *played)], buffers)
    assert (pictures(path, tmp_path / "a.trace")[1] == (0, 255, 0)).all()
    after = [call["buffer"] for call in Trace(tmp_path / "a.trace") if call.name == "glBindBuffer"]
    assert after[-3:] == [1, 2, 1]


def test_what_a_program_wrote_to_mapped_memory_is_in_the_buffer(tmp_path: Path) -> None:
    buffers = Buffers()
    contents = values_of_program(uniform("color", gl.FLOAT_VEC4, {0: [0, 0, 1, 1]}))
    empty = chunk(
        "glBufferData",
        thing("buffer", 41),
        whole("bytesize", 40),
        buffers.add("data", bytes(40)),
        whole("usage", 0x88E4),
    )
    written = [whole("offset", 0), whole("length", 40), whole("diffStart", 8), whole("diffEnd", 40)]
    halves = np.concatenate([CORNERS[:2], CORNERS[2:] * np.float32((1, 0))])
    unmap = chunk("glUnmapBuffer", thing("buffer", 41), *written, buffers.add("MapWrittenData", halves.tobytes()))
    strip = chunk("glDrawArrays", whole("mode", gl.TRIANGLE_STRIP), whole("first", 1), whole("count", 4))
    made = chunk("glGenBuffers", whole("n", 1), thing("buffer", 41))
    chunks = [*beginning(SIZE), *program(VERTEX, COLOR.replace("+ unused[1]", "")), made, empty, contents]
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame(SIZE, unmap, use(30), *pointer(41), strip)], buffers)
    picture = pictures(path, tmp_path / "a.trace")[1]
    assert (picture[SIZE // 2 :] == (0, 0, 255)).all()
    assert not picture[: SIZE // 2].any()


def test_blending_of_the_beginning(tmp_path: Path) -> None:
    buffers = Buffers()
    contents = values_of_program(uniform("color", gl.FLOAT_VEC4, {0: [0.2, 0, 0, 1]}))
    chunks = [*beginning(SIZE), *program(VERTEX, COLOR.replace("+ unused[1]", "")), *corners(buffers), contents]
    added = {"GL_BLENDS": array("GL_BLENDS", [blend(gl.ONE, gl.ONE, True)])}
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame(SIZE, use(30), *pointer(), draw(), draw(), **added)], buffers)
    assert (pictures(path, tmp_path / "a.trace")[1] == (102, 0, 0)).all()


def test_groups_and_names_of_objects_stay(tmp_path: Path) -> None:
    buffers = Buffers()
    label = chunk("glObjectLabel", thing("Resource", 40), whole("length", -1), text("Label", "corners"))
    group = chunk("glPushGroupMarkerEXT", whole("length", 0), text("marker", "sky"))
    path = write(
        tmp_path / "a.zip.xml",
        [*beginning(SIZE), *corners(buffers), label, *frame(SIZE, group, chunk("glPopDebugGroup"))],
        buffers,
    )
    import_capture(path, tmp_path / "a.trace")
    calls = {call.name: call for call in Trace(tmp_path / "a.trace")}
    assert (calls["glObjectLabel"]["label"], calls["glObjectLabel"]["name"]) == ("corners", 1)
    assert calls["glPushGroupMarkerEXT"]["marker"] == "sky"
    assert "glPopGroupMarkerEXT" in calls


def test_what_is_not_carried_over_is_named(tmp_path: Path) -> None:
    chunks = [*beginning(SIZE), *frame(SIZE, chunk("glBegin", whole("mode", 4)), chunk("glBegin", whole("mode", 4)))]
    assert import_capture(write(tmp_path / "a.zip.xml", chunks), tmp_path / "a.trace").missing == {"glBegin": 2}


@pytest.mark.parametrize("driver", ["OpenGL", "OpenGLES"])
def test_a_window_has_the_captures_size_whatever_viewports_it_sets(tmp_path: Path, driver: str) -> None:
    large = chunk(
        "glViewport",
        *(whole(side, value) for side, value in zip(("x", "y", "width", "height"), (0, 0, 99, 99), strict=True)),
    )
    path = write(tmp_path / "a.zip.xml", [*beginning(SIZE), *frame(SIZE, large)], driver=driver)
    assert [picture.shape for picture in pictures(path, tmp_path / "a.trace")] == [(SIZE, SIZE, 3)] * 2


@pytest.mark.parametrize("driver", ["OpenGL", "OpenGLES"])
def test_state_of_desktop_is_carried_over_for_desktop(tmp_path: Path, driver: str) -> None:
    """A white point is 5 pixels wide there, as the context says, and else one pixel."""
    source = "void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }"
    white = "void main() { gl_FragColor = vec4(1.0); }"
    chunks = [*beginning(SIZE), *program(source, white)]
    frame_of = frame(
        SIZE,
        chunk("glUseProgram", thing("program", 30)),
        chunk("glDrawArrays", whole("mode", gl.POINTS), whole("first", 0), whole("count", 1)),
        GL_POINT_SIZE=real("GL_POINT_SIZE", 5),
        GL_COLOR_LOGIC_OP=flag("GL_COLOR_LOGIC_OP", True),
        GL_LOGIC_OP_MODE=whole("GL_LOGIC_OP_MODE", gl.SET),
        GL_PROGRAM_POINT_SIZE=flag("GL_PROGRAM_POINT_SIZE", False),
    )
    path = write(tmp_path / "a.zip.xml", [*chunks, *frame_of], driver=driver)
    *_, drawn = pictures(path, tmp_path / "a.trace")
    assert (drawn == 255).all(axis=2).sum() == (25 if driver == "OpenGL" else 1)
    calls = {call.name for call in Trace(tmp_path / "a.trace")}
    assert ({"glPointSize", "glLogicOp"} <= calls) is (driver == "OpenGL")
