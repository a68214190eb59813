"""What the recorder writes: read back equal, and accepted by apitrace's own tools."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tilegpu.functional.capture import Call, Pointer, Recorder, Signature, Trace, TraceWriter

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**60),
    st.floats(width=32, allow_nan=False),
    st.text(max_size=20),
    st.binary(max_size=40),
    st.integers(0, 2**60).map(Pointer),
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=5), max_leaves=12)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    names = tuple(
        draw(st.lists(st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=8), max_size=4))
    )
    call = Call(
        0,
        Signature("f" + draw(st.sampled_from("abc")) + str(len(names)), names),
        [draw(values) for _ in names],
        draw(st.integers(0, 300)),
    )
    call.result = draw(values)
    call.fake = draw(st.booleans())
    return call


@given(st.lists(calls(), max_size=20))
def test_calls_read_back_equal(tmp_path_factory: pytest.TempPathFactory, written: list[Call]) -> None:
    path = tmp_path_factory.mktemp("round") / "a.trace"
    with TraceWriter(path, {"process.name": "test"}) as writer:
        for call in written:
            writer.write(call)
    trace = Trace(path)
    read = list(trace)
    assert read == written
    assert [c.number for c in read] == list(range(len(written)))
    assert trace.properties == {"process.name": "test"}
    assert not trace.warnings


def record_triangle(path: Path) -> None:
    """A yellow triangle on blue in the left half of 64x32 pixels."""
    with Recorder(path, 64, 32) as gl:
        program = gl.program(
            "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
            "precision mediump float; uniform vec4 tint; void main() { gl_FragColor = tint; }",
            ("p",),
        )
        gl.glUseProgram(program)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, np.array([-1, -1, 0, -1, -1, 1], np.float32))
        gl.glUniform4f(gl.glGetUniformLocation(program, "tint"), 1, 1, 0, 1)
        gl.glClearColor(0, 0, 1, 1)
        gl.glClear(0x4000)
        gl.glDrawArrays(4, 0, 3)
        gl.swap()


def test_apitrace_dumps_what_was_recorded(tmp_path: Path, apitrace: str) -> None:
    path = tmp_path / "triangle.trace"
    record_triangle(path)
    done = subprocess.run([apitrace, "dump", "--color=never", str(path)], capture_output=True, text=True)
    assert done.returncode == 0
    assert "glDrawArrays(mode = 4, first = 0, count = 3)" in done.stdout


def replayed(path: Path, eglretrace: str) -> np.ndarray:
    """The only frame of a recorded file, as apitrace's replayer draws it on Mesa's softpipe."""
    environment = dict(
        os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="softpipe"
    )
    done = subprocess.run(
        [eglretrace, "--headless", "-s", str(path.parent / "image_"), str(path)],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (image,) = path.parent.glob("image_*.png")
    return np.asarray(Image.open(image).convert("RGB"))


def record_count(path: Path) -> None:
    """A compute shader counts its 128 invocations, and a fragment shader shows the number as a grey."""
    with Recorder(path, 32, 32, version=(3, 1)) as gl:
        buffer = gl.glGenBuffers(1)[0]
        gl.glBindBuffer(0x90D2, buffer)
        gl.glBufferData(0x90D2, 4, np.zeros(1, np.uint32), 0x88EA)
        gl.glBindBufferBase(0x90D2, 0, buffer)
        gl.glUseProgram(
            gl.compute_program(
                "#version 310 es\nlayout(local_size_x = 16, local_size_y = 4) in;"
                "layout(std430, binding = 0) buffer B { uint n; }; void main() { atomicAdd(n, 1u); }"
            )
        )
        gl.glDispatchCompute(1, 2, 1)
        gl.glMemoryBarrier(0x2000)
        gl.glUseProgram(
            gl.program(
                "#version 310 es\nvoid main() { gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0,"
                "float(gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0); }",
                "#version 310 es\nprecision highp float; layout(std430, binding = 0) readonly buffer B { uint n; };"
                "out vec4 color; void main() { color = vec4(vec3(float(n) / 255.0), 1.0); }",
            )
        )
        gl.glDrawArrays(4, 0, 3)
        gl.swap()


def test_eglretrace_runs_compute_shaders_that_were_recorded(tmp_path: Path, eglretrace: str) -> None:
    record_count(tmp_path / "count.trace")
    pixels = replayed(tmp_path / "count.trace", eglretrace)
    assert pixels.shape == (32, 32, 3) and (pixels == 128).all()


def test_eglretrace_renders_what_was_recorded(tmp_path: Path, eglretrace: str) -> None:
    path = tmp_path / "triangle.trace"
    record_triangle(path)
    pixels = replayed(path, eglretrace)
    assert pixels.shape == (32, 64, 3)
    assert tuple(pixels[28, 2]) == (255, 255, 0)
    assert tuple(pixels[2, 28]) == (0, 0, 255)


def test_wrong_numbers_of_arguments_and_unknown_functions_are_refused(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 8, 8) as gl:
        with pytest.raises(TypeError, match="glClear takes 1 arguments"):
            gl.glClear()
        with pytest.raises(AttributeError, match="no function glNothing"):
            gl.glNothing()


def test_resources_of_programs_are_numbered_by_interface(tmp_path: Path) -> None:
    uniform, block = 0x92E1, 0x92E2
    with Recorder(tmp_path / "a.trace", 8, 8, version=(3, 1)) as gl:
        assert [gl.glGetUniformLocation(1, name) for name in "aba"] == [0, 1, 0]
        assert [gl.glGetProgramResourceLocation(1, uniform, name) for name in "bac"] == [1, 0, 2]
        assert [gl.glGetUniformBlockIndex(1, name) for name in "xy"] == [0, 1]
        assert [gl.glGetProgramResourceIndex(1, block, name) for name in "yx"] == [1, 0]
        assert gl.glGetProgramResourceIndex(1, uniform, "c") == gl.glGetUniformLocation(2, "c") == 0
    (context,) = (call for call in Trace(tmp_path / "a.trace") if call.name == "eglCreateContext")
    assert context["attrib_list"] == [0x3098, 3, 0x30FB, 1, 0x3038]


def test_whole_numbers_become_floats_and_offsets_where_functions_take_them(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 8, 8) as gl:
        gl.glClearBufferfi(0x84F9, 0, 1, 2)
        gl.glSampleCoverage(1, True)
        gl.glDrawTexfOES(1, 2, 3, 4, 5)
        gl.glGetClipPlanef(0x3000)
        gl.glTexParameterfv(0x0DE1, 0x2801, [0x2600])
        gl.glPointSizePointerOES(0x1406, 0, 16)
        gl.glCompressedTexSubImage2D(0x0DE1, 0, 0, 0, 4, 4, 0x9274, 8, 32)
        gl.glBufferData(0x8892, 4, np.array([1, 2], np.uint16), 0x88E4)
    written = {call.name: call.arguments for call in Trace(tmp_path / "a.trace")}
    expected = {
        "glClearBufferfi": [0x84F9, 0, 1.0, 2],
        "glSampleCoverage": [1.0, True],
        "glDrawTexfOES": [1.0, 2.0, 3.0, 4.0, 5.0],
        "glGetClipPlanef": [0x3000, None],
        "glTexParameterfv": [0x0DE1, 0x2801, [float(0x2600)]],
        "glPointSizePointerOES": [0x1406, 0, Pointer(16)],
        "glCompressedTexSubImage2D": [0x0DE1, 0, 0, 0, 4, 4, 0x9274, 8, Pointer(32)],
        "glBufferData": [0x8892, 4, b"\1\0\2\0", 0x88E4],
    }
    for name, arguments in expected.items():
        assert list(map(repr, written[name])) == list(map(repr, arguments)), name
        assert list(map(type, written[name])) == list(map(type, arguments)), name
