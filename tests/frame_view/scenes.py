"""A scene of triangles that meet every test, and a plain reading of what becomes of each pixel."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.frame_view import outcomes as of
from tilegpu.functional.opengl import enums as gl

SIDE = 32
HOSTILE = '</script><script>document.title="taken"</script><b>&amp;'
VERTEX = "attribute vec2 p; uniform float z; void main() { gl_Position = vec4(p, z, 1.0); }"
FRAGMENT = """precision mediump float; uniform vec4 colour; uniform float last;
// A comment with </script> in it.
void main() { if (gl_FragCoord.x > last) discard; gl_FragColor = colour; }"""


@dataclass(frozen=True)
class Triangle:
    """One draw.

    Attributes
    ----------
    corners
        x and y in pixels, y from the bottom.
    depth
        In the window.
    colour
        Red, green, blue.
    last
        Fragments with greater x are discarded.
    scissor
        x, y, width, height, or None.
    stencil
        Reference that the stencil has to equal, or None for no test; where both tests pass, it is increased.
    cull
        Whether faces seen from behind are culled.
    """

    corners: tuple[tuple[float, float], ...]
    depth: float
    colour: tuple[int, int, int]
    last: float = 100.0
    scissor: tuple[int, int, int, int] | None = None
    stencil: int | None = None
    cull: bool = False


BIG = ((-0.25, 0.25), (45.75, 0.25), (-0.25, 46.25))
TRIANGLES = (
    Triangle(((2.25, 3.25), (20.75, 3.25), (2.25, 25.75)), 0.25, (255, 0, 0)),
    Triangle(BIG, 0.5, (0, 255, 0), stencil=0),
    Triangle(((8.25, 1.25), (30.75, 1.25), (8.25, 30.25)), 0.125, (0, 0, 255), last=17.0, scissor=(4, 4, 24, 12)),
    Triangle(BIG, 0.375, (255, 255, 0), stencil=1),
    Triangle((BIG[0], BIG[2], BIG[1]), 0.0, (255, 0, 255), cull=True),
)
"""Overlapping; no corner or edge meets a pixel's centre."""


def record(path: Path, draws: int = len(TRIANGLES), frames: int = 1) -> Path:
    """Record the scene with its first draws only."""
    with Recorder(path, SIDE, SIDE) as recorder:
        program = recorder.program(VERTEX, FRAGMENT, ("p",))
        recorder.glUseProgram(program)
        recorder.glEnableVertexAttribArray(0)
        recorder.glEnable(gl.DEPTH_TEST)
        for _ in range(frames):
            recorder.glClearColor(0, 0, 0.5, 1)
            recorder.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
            for number, triangle in enumerate(TRIANGLES[:draws]):
                recorder.glPushGroupMarkerEXT(0, f"{HOSTILE} {number}" if number == 1 else f"collisionable:{number}")
                _draw(recorder, program, triangle)
                recorder.glPopGroupMarkerEXT()
            recorder.swap()
    return path


def _draw(recorder: Recorder, program: int, triangle: Triangle) -> None:
    for enum, on in (
        (gl.SCISSOR_TEST, triangle.scissor is not None),
        (gl.STENCIL_TEST, triangle.stencil is not None),
        (gl.CULL_FACE, triangle.cull),
    ):
        (recorder.glEnable if on else recorder.glDisable)(enum)
    recorder.glScissor(*(triangle.scissor or (0, 0, SIDE, SIDE)))
    recorder.glStencilFunc(gl.EQUAL, triangle.stencil or 0, 0xFF)
    recorder.glStencilOp(gl.KEEP, gl.KEEP, gl.INCR)
    recorder.glUniform1f(recorder.glGetUniformLocation(program, "z"), 2 * triangle.depth - 1)
    recorder.glUniform1f(recorder.glGetUniformLocation(program, "last"), triangle.last)
    recorder.glUniform4f(recorder.glGetUniformLocation(program, "colour"), *(c / 255 for c in triangle.colour), 1)
    corners = np.array(triangle.corners, np.float32) * 2 / SIDE - 1
    recorder.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, corners.tobytes())
    recorder.glDrawArrays(gl.TRIANGLES, 0, 3)


def covers(triangle: Triangle, x: float, y: float) -> bool:
    """Whether a triangle covers a point, whichever way round it is."""
    sides = []
    for (x0, y0), (x1, y1) in zip(triangle.corners, triangle.corners[1:] + triangle.corners[:1], strict=True):
        sides.append((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


@dataclass
class Pixel:
    """Content of a pixel."""

    colour: tuple[int, int, int] = (0, 0, 128)
    depth: float = 1.0
    stencil: int = 0

    def draw(self, triangle: Triangle, x: int, y: int) -> int:
        """Outcome of a triangle at the pixel x, y, counted from the bottom; changes the content."""
        if not covers(triangle, x + 0.5, y + 0.5):
            return 0
        if triangle.cull:
            return of.FACE_CULLED
        if triangle.scissor is not None:
            left, bottom, width, height = triangle.scissor
            if not (left <= x < left + width and bottom <= y < bottom + height):
                return of.SCISSORED
        if x + 0.5 > triangle.last:
            return of.DISCARDED
        if triangle.stencil is not None and self.stencil != triangle.stencil:
            return of.STENCIL_FAILED
        if not triangle.depth < self.depth:
            return of.DEPTH_FAILED
        self.stencil += triangle.stencil is not None
        self.colour, self.depth = triangle.colour, triangle.depth
        return of.WRITTEN


def histories() -> dict[tuple[int, int], list[tuple[int, Pixel]]]:
    """Outcome and content after each draw, by x and y from the top."""
    found = {}
    for x in range(SIDE):
        for row in range(SIDE):
            pixel, found[x, row] = Pixel(), []
            for triangle in TRIANGLES:
                outcome = pixel.draw(triangle, x, SIDE - 1 - row)
                found[x, row].append((outcome, Pixel(pixel.colour, pixel.depth, pixel.stencil)))
    return found
