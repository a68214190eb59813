"""Instances that a compute shader culls by a rectangle: those inside go to a buffer of an attribute per instance, and
their number into the arguments of glDrawElementsIndirect."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import Session, recording

WIDTH = HEIGHT = 64
SIDE = 4
"""Of an instance, in pixels."""
FRAMES = 2
_CULL = """#version 310 es
precision highp int;
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Places { uvec2 place[]; };
layout(std430, binding = 1) writeonly buffer Visible { uvec2 visible[]; };
layout(std430, binding = 2) buffer Command { uint count; uint instances; uint first; int base; uint reserved; };
layout(std140, binding = 0) uniform Window { uvec2 low; uvec2 high; };
void main() {
    uint me = gl_GlobalInvocationID.x;
    if (me >= uint(place.length())) return;
    uvec2 at = place[me];
    if (all(greaterThanEqual(at, low)) && all(lessThan(at, high))) visible[atomicAdd(instances, 1u)] = at;
}
"""
_VERTEX = """#version 310 es
layout(location = 0) in vec2 corner;
layout(location = 1) in uvec2 place;
flat out uvec2 color;
void main() {
    color = place;
    gl_Position = vec4((corner + vec2(place)) / 32.0 - 1.0, 0.0, 1.0);
}
"""
_FRAGMENT = """#version 310 es
precision highp float;
precision highp int;
flat in uvec2 color;
out vec4 shown;
void main() { shown = vec4(vec3(color * 3u, 255) / 255.0, 1.0); }
"""


def inputs(number: int) -> NDArray[np.uint32]:
    """Lower left pixels of instances that do not overlap, in any order; (number, 2), at most 256."""
    cells = np.random.default_rng(8).permutation(WIDTH // SIDE * (HEIGHT // SIDE))[:number]
    return np.asarray(np.stack([cells % (WIDTH // SIDE), cells // (WIDTH // SIDE)], 1) * SIDE, np.uint32)


def rectangle(frame: int) -> NDArray[np.uint32]:
    """Lowest pixels and those behind the highest of a frame's rectangle; (2, 2)."""
    return np.array([[8 + 10 * frame, 4], [50, 40 + 15 * frame]], np.uint32)


def _draw_arrays(session: Session, visible: int) -> None:
    """Corners and indices of a quad, and the place of each instance."""
    gl = session.gl
    gl.glBindVertexArray(gl.glGenVertexArrays(1)[0])
    corners = session.buffer(np.array([[0, 0], [SIDE, 0], [0, SIDE], [SIDE, SIDE]], np.float32))
    gl.glBindBuffer(names.ELEMENT_ARRAY_BUFFER, session.buffer(np.array([0, 1, 2, 2, 1, 3], np.uint16)))
    gl.glBindBuffer(names.ARRAY_BUFFER, corners)
    gl.glVertexAttribPointer(0, 2, names.FLOAT, False, 0, 0)
    gl.glBindBuffer(names.ARRAY_BUFFER, visible)
    gl.glVertexAttribIPointer(1, 2, names.UNSIGNED_INT, 0, 0)
    gl.glVertexAttribDivisor(1, 1)
    gl.glEnableVertexAttribArray(0)
    gl.glEnableVertexAttribArray(1)


def record(path: Path, number: int = 150) -> None:
    """Write the program's trace, for at most 256 instances."""
    with recording(path, WIDTH, HEIGHT) as session:
        gl = session.gl
        cull, drawn = gl.compute_program(_CULL), gl.program(_VERTEX, _FRAGMENT)
        places, visible, command = session.buffer(inputs(number)), session.empty(2 * number), session.empty(5)
        _draw_arrays(session, visible)
        session.bind(places, visible, command)
        gl.glBindBuffer(names.DRAW_INDIRECT_BUFFER, command)
        (window,) = gl.glGenBuffers(1)
        gl.glBindBufferBase(names.UNIFORM_BUFFER, 0, window)
        gl.glClearColor(0, 0, 0, 1)
        for frame in range(FRAMES):
            gl.glBufferData(names.UNIFORM_BUFFER, 16, rectangle(frame), names.STATIC_DRAW)
            session.update(command, np.array([6, 0, 0, 0, 0], np.uint32))
            session.run(cull, -(-number // 64), names.COMMAND_BARRIER_BIT | names.VERTEX_ATTRIB_ARRAY_BARRIER_BIT)
            gl.glClear(names.COLOR_BUFFER_BIT)
            gl.glUseProgram(drawn)
            gl.glDrawElementsIndirect(names.TRIANGLES, names.UNSIGNED_SHORT, 0)
            session.read(command, 20)
            session.read_window()


def expected(number: int = 150) -> list[Answer]:
    """Per frame the arguments of the draw, and the picture of the instances inside."""
    answers = []
    places = inputs(number).astype(np.int64)
    for frame in range(FRAMES):
        low, high = rectangle(frame)
        inside = places[((places >= low) & (places < high)).all(1)]
        shown = np.zeros((HEIGHT, WIDTH, 3), np.int64)
        for x, y in inside.tolist():
            shown[y : y + SIDE, x : x + SIDE] = (3 * x, 3 * y, 255)
        answers += [values(np.array([6, len(inside), 0, 0, 0], np.uint32)), picture(shown)]
    return answers
