"""Particles that a compute shader moves: those alive go to a vertex buffer, and an atomic counter within the arguments
of glDrawArraysIndirect counts them. Positions are in sixteenths of a pixel."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as names

from .answers import Answer, picture, values
from .session import recording

WIDTH = HEIGHT = 64
EDGE = WIDTH * 16 - 1
FRAMES = 3
_UPDATE = """#version 310 es
precision highp float;
precision highp int;
layout(local_size_x = 64) in;
struct Particle { ivec2 place; ivec2 speed; int life; };
layout(std430, binding = 0) buffer Particles { Particle particle[]; };
layout(std430, binding = 1) writeonly buffer Points { vec2 point[]; };
layout(binding = 0, offset = 0) uniform atomic_uint alive;
const int edge = 64 * 16 - 1;

void main() {
    uint me = gl_GlobalInvocationID.x;
    if (me >= uint(particle.length()) || particle[me].life == 0) return;
    Particle moved = particle[me];
    moved.place += moved.speed;
    for (int axis = 0; axis < 2; axis++)
        if (moved.place[axis] < 0 || moved.place[axis] > edge) {
            moved.place[axis] = clamp(moved.place[axis], 0, edge);
            moved.speed[axis] = -moved.speed[axis];
        }
    moved.life--;
    particle[me] = moved;
    if (moved.life == 0) return;
    point[atomicCounterIncrement(alive)] = (vec2(moved.place >> 4) + 0.5) / 32.0 - 1.0;
}
"""
_VERTEX = """#version 310 es
layout(location = 0) in vec2 point;
void main() {
    gl_Position = vec4(point, 0.0, 1.0);
    gl_PointSize = 1.0;
}
"""
_FRAGMENT = """#version 310 es
precision highp float;
out vec4 color;
void main() { color = vec4(0.4, 0.2, 0.2, 0.0); }
"""
_COLOR = np.array([102, 51, 51])


class Particles(NamedTuple):
    """Particles as the buffer holds them: place and speed (number, 2), frames to live (number,)."""

    place: NDArray[np.int32]
    speed: NDArray[np.int32]
    life: NDArray[np.int32]

    def words(self) -> NDArray[np.int32]:
        """The buffer's words, with one that pads every particle; (number, 6)."""
        return np.column_stack([self.place, self.speed, self.life, np.zeros_like(self.life)]).astype(np.int32)

    def moved(self) -> Particles:
        """Those of the next frame."""
        place = self.place + self.speed
        outside = (place < 0) | (place > EDGE)
        speed = np.where(outside, -self.speed, self.speed)
        lives = (self.life > 0)[:, None]
        return Particles(
            np.where(lives, place.clip(0, EDGE), self.place),
            np.where(lives, speed, self.speed),
            (self.life - 1).clip(0),
        )


def inputs(number: int) -> Particles:
    """Particles at the beginning; some die in every frame."""
    random = np.random.default_rng(5)
    place, speed = random.integers(0, EDGE + 1, (number, 2)), random.integers(-90, 91, (number, 2))
    return Particles(*(a.astype(np.int32) for a in (place, speed, random.integers(1, 2 * FRAMES, number))))


def record(path: Path, number: int = 500) -> None:
    """Write the program's trace, for that many particles."""
    with recording(path, WIDTH, HEIGHT) as session:
        gl = session.gl
        update, drawn = gl.compute_program(_UPDATE), gl.program(_VERTEX, _FRAGMENT)
        particles, points, command = session.buffer(inputs(number).words()), session.empty(2 * number), session.empty(4)
        gl.glBindVertexArray(gl.glGenVertexArrays(1)[0])
        gl.glBindBuffer(names.ARRAY_BUFFER, points)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, names.FLOAT, False, 0, 0)
        gl.glBindBufferBase(names.ATOMIC_COUNTER_BUFFER, 0, command)
        gl.glBindBuffer(names.DRAW_INDIRECT_BUFFER, command)
        gl.glEnable(names.BLEND)
        gl.glBlendFunc(names.ONE, names.ONE)
        gl.glClearColor(0, 0, 0, 1)
        session.bind(particles, points)
        done = names.COMMAND_BARRIER_BIT | names.VERTEX_ATTRIB_ARRAY_BARRIER_BIT | names.SHADER_STORAGE_BARRIER_BIT
        for _ in range(FRAMES):
            session.update(command, np.array([0, 1, 0, 0], np.uint32))
            session.run(update, -(-number // 64), done)
            gl.glClear(names.COLOR_BUFFER_BIT)
            gl.glUseProgram(drawn)
            gl.glDrawArraysIndirect(names.POINTS, 0)
            session.read(command, 16)
            session.read(particles, 24 * number)
            session.read_window()


def expected(number: int = 500) -> list[Answer]:
    """Per frame the arguments of the draw, the particles, and the picture of those alive."""
    answers = []
    particles = inputs(number)
    for _ in range(FRAMES):
        particles = particles.moved()
        alive = particles.place[particles.life > 0] >> 4
        hits = np.zeros((HEIGHT, WIDTH), np.int64)
        np.add.at(hits, (alive[:, 1], alive[:, 0]), 1)
        answers += [
            values(np.array([len(alive), 1, 0, 0], np.uint32)),
            values(particles.words()),
            picture((hits[..., None] * _COLOR).clip(0, 255)),
        ]
    return answers
