"""Where scenes are drawn: a recorder, a cell of its window, and what scenes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

CELL = 32
"""Width and height of a scene's picture in pixels."""
VERTEX = """#version 300 es
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
out highp vec4 v;
void main() { v = value; gl_Position = position; }
"""
HEAD = """#version 300 es
precision highp float; precision highp int;
in highp vec4 v;
uniform mat4 channels; uniform vec4 offset;
vec4 bytes(uvec4 n) { return vec4((n ^ (n >> 8u) ^ (n >> 16u) ^ (n >> 24u)) & 255u) / 255.0; }
vec4 seen(vec4 c) { return channels * c + offset; }
vec4 seen(uvec4 c) { return channels * bytes(c); }
vec4 seen(ivec4 c) { return channels * bytes(uvec4(c)); }
"""
"""Start of most fragment shaders: `seen` makes any result visible; of integers, the exclusive or of their bytes."""
TOP = 0.98
WHOLE = (-1.0, -1.0, 1.0, TOP)
"""A rectangle that covers a cell; its diagonal meets no centre of a pixel, where drivers settle ties differently."""
_TARGETS = (gl.TEXTURE_2D, gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY, gl.TEXTURE_CUBE_MAP)
_CAPABILITIES = (
    gl.CULL_FACE, gl.DEPTH_TEST, gl.STENCIL_TEST, gl.BLEND, gl.SCISSOR_TEST, gl.DITHER, gl.POLYGON_OFFSET_FILL,
    gl.SAMPLE_ALPHA_TO_COVERAGE, gl.SAMPLE_COVERAGE, gl.PRIMITIVE_RESTART_FIXED_INDEX, gl.RASTERIZER_DISCARD,
)  # fmt: skip
_PIXEL_STORE = (
    gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_ROWS, gl.UNPACK_SKIP_PIXELS, gl.UNPACK_IMAGE_HEIGHT, gl.UNPACK_SKIP_IMAGES,
    gl.PACK_ROW_LENGTH, gl.PACK_SKIP_ROWS, gl.PACK_SKIP_PIXELS,
)  # fmt: skip


@dataclass
class Stage:
    """A recorder with the programs made so far; scenes move from cell to cell.

    Attributes
    ----------
    r
        The recorder, in a context of OpenGL ES 3.1.
    x, y
        Lower left corner of the current scene's cell.
    """

    r: Recorder
    x: int = 0
    y: int = 0
    _programs: dict[tuple[str, str], int] = field(default_factory=dict)

    def begin(self, x: int, y: int) -> None:
        """Go to a cell, with all state as in a new context."""
        self.x, self.y, r = x, y, self.r
        for capability in _CAPABILITIES:
            r.glDisable(capability)
        self._reset_pixels()
        r.glDepthFunc(gl.LESS)
        r.glDepthMask(True)
        r.glDepthRangef(0, 1)
        r.glColorMask(1, 1, 1, 1)
        r.glCullFace(gl.BACK)
        r.glFrontFace(gl.CCW)
        r.glPolygonOffset(0, 0)
        r.glStencilMask(0xFF)
        r.glStencilFunc(gl.ALWAYS, 0, 0xFF)
        r.glStencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
        r.glBlendEquation(gl.FUNC_ADD)
        r.glBlendFunc(gl.ONE, gl.ZERO)
        r.glBlendColor(0, 0, 0, 0)
        r.glSampleCoverage(1.0, False)
        r.glClearDepthf(1.0)
        r.glClearStencil(0)
        r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        self.window()

    def _reset_pixels(self) -> None:
        r = self.r
        for name in _PIXEL_STORE:
            r.glPixelStorei(name, 0)
        for name in (gl.UNPACK_ALIGNMENT, gl.PACK_ALIGNMENT):
            r.glPixelStorei(name, 4)
        for target in (gl.PIXEL_UNPACK_BUFFER, gl.PIXEL_PACK_BUFFER):
            r.glBindBuffer(target, 0)
        r.glActiveTexture(gl.TEXTURE0)
        for target in _TARGETS:
            r.glBindTexture(target, 0)
        r.glBindSampler(0, 0)

    def end(self) -> None:
        """Leave nothing behind that would garble eglretrace's snapshot of the frame."""
        self.r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        self._reset_pixels()

    def window(self) -> None:
        """Draw into the cell."""
        self.r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
        self.r.glViewport(self.x, self.y, CELL, CELL)

    def use(self, fragment: str, vertex: str = VERTEX) -> int:
        """Use a program, made at its first use."""
        key = vertex, fragment
        if key not in self._programs:
            self._programs[key] = self.r.program(vertex, fragment)
        self.r.glUseProgram(self._programs[key])
        return self._programs[key]

    def compute(self, source: str) -> int:
        """Use a compute program, made at its first use."""
        key = "compute", source
        if key not in self._programs:
            self._programs[key] = self.r.compute_program(source)
        self.r.glUseProgram(self._programs[key])
        return self._programs[key]

    def separate(self, kind: int, source: str) -> int:
        """A program of one stage for pipelines, made at its first use."""
        key = str(kind), source
        if key not in self._programs:
            self._programs[key] = self.r.glCreateShaderProgramv(kind, 1, [source])
        return self._programs[key]

    def uniform(self, program: int, name: str, *values: float) -> None:
        """Set a uniform of one to four floats, or a matrix."""
        r = self.r
        location = r.glGetUniformLocation(program, name)
        if len(values) == 16:
            r.glUniformMatrix4fv(location, 1, False, [float(v) for v in values])
        else:
            getattr(r, f"glUniform{len(values)}f")(location, *(float(v) for v in values))

    def buffer(self, target: int, data: np.ndarray | bytes) -> int:
        """Make, bind and fill a buffer."""
        name: int = self.r.glGenBuffers(1)[0]
        self.r.glBindBuffer(target, name)
        content = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
        self.r.glBufferData(target, content.nbytes, content, gl.STATIC_DRAW)
        return name

    def triangles(self, places: Sequence[Sequence[float]], values: Sequence[Sequence[float]], mode: int) -> None:
        """Draw vertices (x, y, z, w) with four values each."""
        r = self.r
        data = np.concatenate([np.array(places, np.float32), np.array(values, np.float32)], 1)
        self.buffer(gl.ARRAY_BUFFER, data)
        for location in (0, 1):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
        r.glDrawArrays(mode, 0, len(data))

    def quad(
        self,
        values: Sequence[Sequence[float]],
        box: tuple[float, float, float, float] = WHOLE,
        z: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Draw a rectangle in clip coordinates with values and depths at its corners, row by row from below."""
        x0, y0, x1, y1 = box
        places = [(x, y, z[i], 1.0) for i, (x, y) in enumerate(((x0, y0), (x1, y0), (x0, y1), (x1, y1)))]
        self.triangles(places, values, gl.TRIANGLE_STRIP)

    def texture(self, target: int = gl.TEXTURE_2D) -> int:
        """Make and bind a texture."""
        name: int = self.r.glGenTextures(1)[0]
        self.r.glBindTexture(target, name)
        return name

    def nearest(self, target: int = gl.TEXTURE_2D) -> None:
        """Sample the bound texture without filtering."""
        for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
            self.r.glTexParameteri(target, name, gl.NEAREST)

    def show(
        self,
        fragment: str,
        channels: Sequence[float],
        offset: float,
        size: tuple[int, int] = (CELL, CELL),
        vertex: str = VERTEX,
    ) -> None:
        """Fill the cell with what a shader makes of positions in pixels of a picture, at the picture's scale."""
        self.window()
        for capability in _CAPABILITIES:
            self.r.glDisable(capability)
        self.r.glColorMask(1, 1, 1, 1)
        program = self.use(fragment, vertex)
        self.uniform(program, "channels", *channels)
        self.uniform(program, "offset", *[offset] * 4)
        width, height = size[0], size[1] * (1 + TOP) / 2
        self.quad([(0, 0, 0, 1), (width, 0, 0, 1), (0, height, 0, 1), (width, height, 0, 1)])
