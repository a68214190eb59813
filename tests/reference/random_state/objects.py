"""Scenes of kind "objects": vertex bindings, program pipelines, indirect draws, storage buffers (OpenGL ES 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilegpu.functional.opengl import enums as gl

from .scene import Choices, texels
from .stage import Stage

BYTES, INSTANCES, ATTRIBUTE, TINT = 4096, 4, 1, 2
VERTEX = """#version 310 es
layout(location = 1) in highp vec4 value;
layout(location = 5) uniform highp vec4 scale;
layout(location = 2) out highp vec4 v;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 0.97;
    gl_Position = vec4(corner.x * 2.0 - 1.0, (corner.y + float(gl_InstanceID)) * 0.5 - 1.0, 0.0, 1.0);
    v = value * scale;
}"""
FRAGMENT = """#version 310 es
precision highp float;
layout(location = 2) in highp vec4 v;
layout(std430, binding = 2) readonly buffer Tint { vec4 tints[]; };
layout(location = 7) uniform vec4 color;
out vec4 result;
void main() { result = vec4(fract(v.xyz * 0.9 + tints[1].xyz * 0.5 + color.xyz), 1.0); }"""
Steps = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Objects:
    """A draw of several instances whose attribute was pointed and bound in some order.

    Attributes
    ----------
    steps
        Calls that set up the attribute, and their numbers.
    pipeline
        Whether the stages are programs of their own.
    how
        The kind of draw.
    """

    number: int
    steps: Steps
    pipeline: bool
    how: str
    first: int
    offset: int
    scale: tuple[float, ...]
    color: tuple[float, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, generator = stage.r, texels(self.number)
        arrays = r.glGenVertexArrays(1)[0]
        r.glBindVertexArray(arrays)
        buffers = [stage.buffer(gl.ARRAY_BUFFER, generator.random(BYTES // 4, np.float32)) for _ in range(2)]
        r.glEnableVertexAttribArray(ATTRIBUTE)
        r.glVertexAttribPointer(ATTRIBUTE, 4, gl.FLOAT, False, 16, 0)
        for name, numbers in self.steps:
            getattr(self, f"_{name}")(stage, buffers, *numbers)
        self._programs(stage)
        tints = stage.buffer(gl.SHADER_STORAGE_BUFFER, generator.random(BYTES // 4, np.float32))
        r.glBindBufferRange(gl.SHADER_STORAGE_BUFFER, TINT, tints, 256 * self.offset, 64)
        self._draw(stage)
        r.glBindVertexArray(0)
        r.glBindProgramPipeline(0)

    def _pointer(self, stage: Stage, buffers: list[int], which: int, stride: int, offset: int) -> None:
        stage.r.glBindBuffer(gl.ARRAY_BUFFER, buffers[which])
        stage.r.glVertexAttribPointer(ATTRIBUTE, 3, gl.FLOAT, False, stride, offset)

    def _format(self, stage: Stage, buffers: list[int], size: int, byte: int, offset: int) -> None:
        kind = gl.UNSIGNED_BYTE if byte else gl.FLOAT
        stage.r.glVertexAttribFormat(ATTRIBUTE, size, kind, bool(byte), offset)

    def _binding(self, stage: Stage, buffers: list[int], number: int) -> None:
        stage.r.glVertexAttribBinding(ATTRIBUTE, number)

    def _buffer(self, stage: Stage, buffers: list[int], number: int, which: int, offset: int, stride: int) -> None:
        stage.r.glBindVertexBuffer(number, buffers[which], offset, stride)

    def _divisor(self, stage: Stage, buffers: list[int], number: int, divisor: int) -> None:
        stage.r.glVertexBindingDivisor(number, divisor)

    def _attribute_divisor(self, stage: Stage, buffers: list[int], divisor: int) -> None:
        stage.r.glVertexAttribDivisor(ATTRIBUTE, divisor)

    def _programs(self, stage: Stage) -> None:
        r = stage.r
        if not self.pipeline:
            stage.use(FRAGMENT, VERTEX)
            r.glUniform4f(5, *self.scale)
            r.glUniform4f(7, *self.color)
            return
        first, second = stage.separate(gl.VERTEX_SHADER, VERTEX), stage.separate(gl.FRAGMENT_SHADER, FRAGMENT)
        (pipeline,) = r.glGenProgramPipelines(1)
        r.glUseProgram(0)
        r.glUseProgramStages(pipeline, 1, first)
        r.glUseProgramStages(pipeline, 2, second)
        r.glBindProgramPipeline(pipeline)
        r.glProgramUniform4f(first, 5, *self.scale)
        r.glActiveShaderProgram(pipeline, second)
        r.glUniform4f(7, *self.color)

    def _draw(self, stage: Stage) -> None:
        r = stage.r
        if self.how == "arrays":
            r.glDrawArraysInstanced(gl.TRIANGLE_STRIP, self.first, 4, INSTANCES)
        elif self.how == "indirect":
            stage.buffer(gl.DRAW_INDIRECT_BUFFER, np.array([0, 4, INSTANCES, self.first, 0], np.uint32))
            r.glDrawArraysIndirect(gl.TRIANGLE_STRIP, 4)
        else:
            indices = np.array([9, 9, *range(self.first, self.first + 4)], np.uint16)
            stage.buffer(gl.ELEMENT_ARRAY_BUFFER, indices)
            if self.how == "elements":
                r.glDrawElementsInstanced(gl.TRIANGLE_STRIP, 4, gl.UNSIGNED_SHORT, 4, INSTANCES)
            else:
                stage.buffer(gl.DRAW_INDIRECT_BUFFER, np.array([4, INSTANCES, 2, 0, 0], np.uint32))
                r.glDrawElementsIndirect(gl.TRIANGLE_STRIP, gl.UNSIGNED_SHORT, 0)


def _step(pick: Choices) -> tuple[str, tuple[int, ...]]:
    number, stride, offset = pick.randrange(4), pick.one(0, 16, 20, 32), 4 * pick.randrange(50)
    return pick.choice(
        (
            ("pointer", (pick.randrange(2), pick.one(0, 12, 24, 28), offset)),
            ("format", (pick.randint(1, 4), pick.randrange(2), 4 * pick.randrange(5))),
            ("binding", (number,)),
            ("buffer", (number, pick.randrange(2), offset, stride)),
            ("divisor", (number, pick.randrange(4))),
            ("attribute_divisor", (pick.randrange(4),)),
        )
    )


def objects(pick: Choices) -> Objects:
    """Random choices; every binding has a buffer."""
    bound = [("buffer", (number, pick.randrange(2), 4 * pick.randrange(50), 16)) for number in range(4)]
    steps = [*bound, *(_step(pick) for _ in range(pick.randint(1, 7)))]
    return Objects(
        pick.number(),
        tuple(steps),
        pick.chance(0.5),
        pick.one("arrays", "indirect", "elements", "indirect elements"),
        4 * pick.randrange(3),
        pick.randrange(4),
        pick.reals(4, 0.2, 1.2),
        pick.reals(4, 0, 1),
    )
