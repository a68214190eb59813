"""Scenes of kind "raster": primitives under viewports, scissors, culling, clipping, perspective, indices, instances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilegpu.functional.opengl import enums as gl

from .scene import Choices, value_of
from .stage import CELL, Stage

MODES = ("TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN")
SMOOTH = "#version 300 es\nprecision highp float;\nin highp vec4 v; out vec4 color;\nvoid main() { color = v; }"
FLAT = SMOOTH.replace("in highp", "flat in highp")
FACING = SMOOTH.replace("color = v;", "color = gl_FrontFacing ? v : v.bgra * 0.5;")
VERTEX = """#version 300 es
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
out highp vec4 v;
void main() { v = fract(value + float(gl_InstanceID) * 0.3);
    gl_Position = position + vec4(0.3, -0.2, 0, 0) * float(gl_InstanceID); }
"""


@dataclass(frozen=True)
class Rasterizing:
    """Random vertices as triangles."""

    mode: str
    shading: str
    places: tuple[tuple[float, ...], ...]
    colors: tuple[tuple[float, ...], ...]
    indices: tuple[int, ...]
    index_type: str
    instances: int
    viewport: tuple[int, int, int, int]
    scissor: tuple[int, int, int, int] | None
    cull: str
    front: str
    stride: int

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        r.glEnable(gl.SCISSOR_TEST)
        x, y, width, height = self.scissor or (0, 0, CELL, CELL)
        r.glScissor(stage.x + x, stage.y + y, min(width, CELL - x), min(height, CELL - y))
        r.glViewport(stage.x + self.viewport[0], stage.y + self.viewport[1], *self.viewport[2:])
        if self.cull:
            r.glEnable(gl.CULL_FACE)
            r.glCullFace(value_of(self.cull))
        r.glFrontFace(value_of(self.front))
        fragment = {"smooth": SMOOTH, "flat": FLAT, "facing": FACING}[self.shading]
        stage.use(fragment, VERTEX.replace("out highp", "flat out highp") if self.shading == "flat" else VERTEX)
        data = np.zeros((len(self.places), self.stride // 4), np.float32)
        data[:, :4], data[:, 4:8] = self.places, self.colors
        stage.buffer(gl.ARRAY_BUFFER, data)
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 4, gl.FLOAT, False, self.stride, 16 * location)
        self._draw(stage)
        r.glDisable(gl.SCISSOR_TEST)

    def _draw(self, stage: Stage) -> None:
        r, mode = stage.r, value_of(self.mode)
        if not self.indices:
            r.glDrawArraysInstanced(mode, 0, len(self.places), self.instances)
            return
        dtype = {"UNSIGNED_BYTE": np.uint8, "UNSIGNED_SHORT": np.uint16, "UNSIGNED_INT": np.uint32}[self.index_type]
        r.glEnable(gl.PRIMITIVE_RESTART_FIXED_INDEX)
        numbers = np.array([i if i >= 0 else np.iinfo(dtype).max for i in self.indices]).astype(dtype)
        stage.buffer(gl.ELEMENT_ARRAY_BUFFER, numbers)
        r.glDrawElementsInstanced(mode, len(numbers), value_of(self.index_type), 0, self.instances)
        r.glDisable(gl.PRIMITIVE_RESTART_FIXED_INDEX)
        r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, 0)


def rasterizing(pick: Choices) -> Rasterizing:
    """Random choices; vertices lie off the centres of pixels, so that no edge meets one."""
    count = pick.randint(3, 8)
    wide = pick.chance(0.4)
    places = []
    for _ in range(count):
        w = pick.real(-0.3, 2.5) if pick.chance(0.3) else pick.one(1.0, 1.0, pick.real(0.6, 2))
        reach = 3.0 if wide else 1.0
        # Thirds of a sixteenth never meet centres or edges of pixels.
        x, y = (pick.randint(-48, 48) / 48 * reach + 1 / 96 for _ in range(2))
        z = pick.real(-0.9, 0.9) * (1.6 if wide else 1.0)
        places.append((x * abs(w), y * abs(w), z * abs(w), w))
    indices: tuple[int, ...] = ()
    if pick.chance(0.4):
        indices = tuple(pick.randrange(count) if pick.chance(0.85) else -1 for _ in range(pick.randint(3, 12)))
    viewport = (0, 0, CELL, CELL)
    if pick.chance(0.4):
        viewport = pick.randint(-8, 16), pick.randint(-8, 16), pick.randint(1, 48), pick.randint(1, 48)
    scissor = None
    if pick.chance(0.4):
        scissor = pick.randint(0, 20), pick.randint(0, 20), pick.randint(0, 32), pick.randint(0, 32)
    return Rasterizing(
        pick.choice(MODES),
        pick.one("smooth", "flat", "facing"),
        tuple(places),
        tuple(pick.reals(4, 0, 1) for _ in range(count)),
        indices,
        pick.one("UNSIGNED_BYTE", "UNSIGNED_SHORT", "UNSIGNED_INT"),
        pick.one(1, 1, 2),
        viewport,
        scissor,
        pick.one("", "FRONT", "BACK", "FRONT_AND_BACK") if pick.chance(0.5) else "",
        pick.one("CW", "CCW"),
        pick.one(32, 32, 36, 48),
    )
