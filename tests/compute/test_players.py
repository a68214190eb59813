"""This renderer and Mesa answer alike to what OpenGL ES 3.0 has, so that both players can be trusted with the rest."""

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder

from . import mesa, own

ARRAY_BUFFER, COPY_READ, COPY_WRITE = 0x8892, 0x8F36, 0x8F37


def record(path: Path) -> None:
    """Copies between buffers, mapped for reading and for writing, and a picture by a uniform."""
    with Recorder(path, 32, 32, version=3) as gl:
        one, other = gl.glGenBuffers(2)
        gl.glBindBuffer(COPY_READ, one)
        gl.glBufferData(COPY_READ, 64, np.arange(64, dtype=np.uint8), 0x88E4)
        gl.glBindBuffer(COPY_WRITE, other)
        gl.glBufferData(COPY_WRITE, 64, np.zeros(64, np.uint8), 0x88E4)
        gl.glCopyBufferSubData(COPY_READ, COPY_WRITE, 8, 16, 24)
        gl.glMapBufferRange(COPY_WRITE, 12, 32, 0x1)
        gl.glUnmapBuffer(COPY_WRITE)
        gl.write_mapped(gl.glMapBufferRange(COPY_WRITE, 4, 16, 0x2), np.arange(100, 116, dtype=np.uint8))
        gl.glUnmapBuffer(COPY_WRITE)
        gl.glMapBufferRange(COPY_WRITE, 0, 64, 0x3)
        gl.glUnmapBuffer(COPY_WRITE)
        program = gl.program(
            "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 1.0); }",
            "#version 300 es\nprecision highp float; uniform vec4 other; uniform vec4 tint; out vec4 color;"
            "void main() { color = tint + other; }",
        )
        gl.glUseProgram(program)
        for number, name in enumerate(("tint", "other")):
            gl.glUniform4f(gl.glGetUniformLocation(program, name), 0.2, 0.4 * number, 0, 1)
        gl.glDrawArrays(4, 0, 3)
        gl.glReadPixels(8, 8, 16, 16, 0x1908, 0x1401, None)
        gl.swap()


@pytest.mark.parametrize("driver", mesa.DRIVERS)
def test_both_answer_alike(driver: str, tmp_path: Path) -> None:
    record(tmp_path / "a.trace")
    answers = mesa.play(tmp_path / "a.trace", driver)
    assert [len(answer) for answer in answers] == [32, 64, 1024]
    assert answers[0][4:28] == bytes(range(8, 32)) and answers[1][4:20] == bytes(range(100, 116))
    assert answers[2][-4:] == bytes((102, 102, 0, 255)) != answers[2][:4]
    assert own.play(tmp_path / "a.trace") == answers


def test_mesa_tells_why_a_shader_is_refused(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 32, 32, version=(3, 1)) as gl:
        gl.compute_program("#version 310 es\nlayout(local_size_x = 1) in; void main() { wrong(); }")
    with pytest.raises(AssertionError, match="wrong"):
        mesa.play(tmp_path / "a.trace")


def test_mesa_refuses_calls_with_errors(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 32, 32, version=(3, 1)) as gl:
        gl.glDispatchCompute(1, 1, 1)
        gl.swap()
    with pytest.raises(AssertionError, match="an error before call"):
        mesa.play(tmp_path / "a.trace")


def record_pipeline(path: Path) -> None:
    """A compute shader in a program pipeline, with uniforms and blocks that are asked for in another order."""
    source = """#version 310 es
        layout(local_size_x = 4) in;
        layout(std140) uniform A { uint a; };
        layout(std140) uniform B { uint b; };
        layout(std430, binding = 0) buffer C { uvec4 c[]; };
        uniform uint one;
        uniform uint other;
        void main() { c[gl_LocalInvocationID.x] = uvec4(a, b, one, other); }"""
    storage, uniform = 0x90D2, 0x8A11
    with Recorder(path, 32, 32, version=(3, 1)) as gl:
        program = gl.glCreateShaderProgramv(0x91B9, 1, [source])
        (pipeline,) = gl.glGenProgramPipelines(1)
        gl.glUseProgramStages(pipeline, 0x20, program)
        gl.glBindProgramPipeline(pipeline)
        for binding, block in enumerate("BA"):
            gl.glUniformBlockBinding(program, gl.glGetUniformBlockIndex(program, block), binding)
            (buffer,) = gl.glGenBuffers(1)
            gl.glBindBuffer(uniform, buffer)
            gl.glBufferData(uniform, 16, np.array([60 + binding, 0, 0, 0], np.uint32), 0x88E4)
            gl.glBindBufferBase(uniform, binding, buffer)
        gl.glProgramUniform1ui(program, gl.glGetProgramResourceLocation(program, 0x92E1, "other"), 3)
        gl.glProgramUniform1ui(program, gl.glGetUniformLocation(program, "one"), 4)
        (buffer,) = gl.glGenBuffers(1)
        gl.glBindBuffer(storage, buffer)
        gl.glBufferData(storage, 64, None, 0x88E4)
        gl.glBindBufferBase(storage, 0, buffer)
        gl.glDispatchCompute(1, 1, 1)
        gl.glMemoryBarrier(0x200)
        gl.glMapBufferRange(storage, 16, 32, 0x1)
        gl.glUnmapBuffer(storage)
        gl.swap()


def test_both_play_pipelines_and_bindings_of_blocks(tmp_path: Path) -> None:
    record_pipeline(tmp_path / "a.trace")
    expected = [np.array([61, 60, 4, 3] * 2, np.uint32).tobytes()]
    assert mesa.play(tmp_path / "a.trace") == own.play(tmp_path / "a.trace") == expected
