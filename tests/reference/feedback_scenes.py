"""Small scenes of transform feedback and of queries, drawn with the recorder; what is captured is drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from .es3_scenes import COLOR, buffer, quad, use

SCENES: dict[str, Callable[[Recorder], None]] = {}
FEEDBACK, INTERLEAVED, SEPARATE = 0x8C8E, 0x8C8C, 0x8C8D
CAPTURING = """#version 300 es
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
out vec4 v;
out vec2 turned;
flat out int number;
void main() {
    v = value;
    turned = mat2(0.8, 0.6, -0.6, 0.8) * position.xy;
    number = gl_VertexID * 3;
    gl_Position = position;
    gl_PointSize = 1.0;
}
"""
NOTHING = "#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(1.0); }"


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def capturing(r: Recorder, names: list[str], mode: int, fragment: str = NOTHING, vertex: str = CAPTURING) -> int:
    """A program that captures outputs, in use."""
    program: int = r.glCreateProgram()
    for kind, source in ((gl.VERTEX_SHADER, vertex), (gl.FRAGMENT_SHADER, fragment)):
        shader = r.glCreateShader(kind)
        r.glShaderSource(shader, 1, [source], None)
        r.glCompileShader(shader)
        r.glAttachShader(program, shader)
    r.glTransformFeedbackVaryings(program, len(names), names, mode)
    r.glLinkProgram(program)
    r.glUseProgram(program)
    return program


def triangles(r: Recorder) -> int:
    """Attribute arrays of four triangles; gives the number of vertices."""
    at = np.random.default_rng(3).uniform(-0.9, 0.9, (12, 2))
    position = np.concatenate([at, np.zeros((12, 1)), np.ones((12, 1))], 1)
    value = np.concatenate([np.random.default_rng(4).random((12, 3)), np.ones((12, 1))], 1)
    buffer(r, gl.ARRAY_BUFFER, np.concatenate([position, value], 1).astype(np.float32))
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    return 12


def room(r: Recorder, index: int, size: int) -> int:
    """A buffer bound for transform feedback."""
    name: int = r.glGenBuffers(1)[0]
    r.glBindBufferBase(FEEDBACK, index, name)
    r.glBufferData(FEEDBACK, size, np.zeros(size, np.uint8), 0x88E4)
    return name


def attribute(r: Recorder, location: int, name: int, size: int, stride: int, offset: int) -> None:
    """Take an attribute from a buffer."""
    r.glBindBuffer(gl.ARRAY_BUFFER, name)
    r.glEnableVertexAttribArray(location)
    r.glVertexAttribPointer(location, size, gl.FLOAT, False, stride, offset)


@scene
def interleaved(r: Recorder) -> None:
    capturing(r, ["turned", "v", "gl_Position"], INTERLEAVED)
    count = triangles(r)
    name = room(r, 0, 40 * count)
    r.glEnable(gl.RASTERIZER_DISCARD)
    r.glBeginTransformFeedback(gl.TRIANGLES)
    r.glDrawArrays(gl.TRIANGLES, 0, count)
    r.glEndTransformFeedback()
    r.glDisable(gl.RASTERIZER_DISCARD)
    use(r)
    attribute(r, 0, name, 2, 40, 0)
    attribute(r, 1, name, 4, 40, 8)
    r.glDrawArrays(gl.TRIANGLES, 0, count)


@scene
def separate(r: Recorder) -> None:
    capturing(r, ["v", "turned"], SEPARATE, COLOR)
    count = triangles(r)
    names = room(r, 0, 16 * count), room(r, 1, 8 * count)
    r.glBeginTransformFeedback(gl.TRIANGLES)
    r.glDrawArrays(gl.TRIANGLES, 0, count)
    r.glEndTransformFeedback()
    use(r)
    attribute(r, 0, names[1], 2, 0, 0)
    attribute(r, 1, names[0], 4, 0, 0)
    r.glDrawArrays(gl.TRIANGLES, 0, count)


@scene
def paused_and_resumed(r: Recorder) -> None:
    capturing(r, ["turned", "v"], INTERLEAVED)
    count = triangles(r)
    name = room(r, 0, 24 * count)
    objects = r.glGenTransformFeedbacks(1)
    r.glBindTransformFeedback(0x8E22, objects[0])
    r.glBindBufferBase(FEEDBACK, 0, name)
    r.glEnable(gl.RASTERIZER_DISCARD)
    r.glBeginTransformFeedback(gl.TRIANGLES)
    r.glDrawArrays(gl.TRIANGLES, 3, 3)
    r.glPauseTransformFeedback()
    r.glBindTransformFeedback(0x8E22, 0)
    r.glDrawArrays(gl.TRIANGLES, 0, 3)
    r.glBindTransformFeedback(0x8E22, objects[0])
    r.glResumeTransformFeedback()
    r.glDrawArrays(gl.TRIANGLES, 9, 3)
    r.glEndTransformFeedback()
    r.glBindTransformFeedback(0x8E22, 0)
    r.glDisable(gl.RASTERIZER_DISCARD)
    use(r)
    attribute(r, 0, name, 2, 24, 0)
    attribute(r, 1, name, 4, 24, 8)
    r.glDrawArrays(gl.TRIANGLES, 0, 6)


@scene
def integers_and_instances(r: Recorder) -> None:
    vertex = CAPTURING.replace("number = gl_VertexID * 3", "number = gl_VertexID + 4 * gl_InstanceID")
    capturing(r, ["number"], INTERLEAVED, vertex=vertex)
    triangles(r)
    name = room(r, 0, 4 * 8)
    r.glEnable(gl.RASTERIZER_DISCARD)
    r.glBeginTransformFeedback(gl.POINTS)
    r.glDrawArraysInstanced(gl.POINTS, 0, 4, 2)
    r.glEndTransformFeedback()
    r.glDisable(gl.RASTERIZER_DISCARD)
    use(
        r,
        COLOR,
        """#version 300 es
layout(location = 0) in int number;
out vec4 v;
void main() {
    float x = float(number) / 4.0 - 0.9;
    v = vec4(float(number & 1), float(number) / 7.0, 0.5, 1.0);
    gl_Position = vec4(x, (number & 1) == 0 ? -0.71 : 0.83, 0.0, 1.0);
}
""",
    )
    r.glDisableVertexAttribArray(1)
    r.glBindBuffer(gl.ARRAY_BUFFER, name)
    r.glEnableVertexAttribArray(0)
    r.glVertexAttribIPointer(0, 1, gl.INT, 0, 0)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 8)


@scene
def discarded(r: Recorder) -> None:
    use(r)
    quad(r, -0.91, -0.83, 0.19, 0.93)
    r.glEnable(gl.RASTERIZER_DISCARD)
    quad(r, -0.41, -0.83, 0.79, 0.93)
    r.glClearColor(1, 1, 1, 1)
    r.glClear(gl.COLOR_BUFFER_BIT)
    r.glDisable(gl.RASTERIZER_DISCARD)
    quad(r, 0.31, -0.63, 0.79, 0.53)
