"""A texture that is drawn to, or its depths, and a window that shows it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.record import record

VERTEX = "attribute vec3 p; void main() { gl_Position = vec4(p, 1.0); }"
CONSTANT = "precision mediump float; void main() { gl_FragColor = vec4(0.25, 0.5, 0.75, 1.0); }"
RAMP = "precision highp float; void main() { gl_FragColor = vec4(floor(gl_FragCoord.x) / 255.0, 0.0, 0.0, 1.0); }"
"""Red is the column."""
NOISE = """
precision highp float;
void main() {
    vec2 p = floor(gl_FragCoord.xy);
    gl_FragColor = fract(vec4(0.61803, 0.75487, 0.56984, 0.32471) * (p.x * 7.0 + p.y * p.y * 3.0 + p.x * p.y));
}
"""
SHOW = """
precision highp float;
uniform sampler2D image;
uniform vec2 size;
void main() { gl_FragColor = texture2D(image, gl_FragCoord.xy / size); }
"""

TEXTURE_2D, FRAMEBUFFER, NEAREST, CLAMP = 0x0DE1, 0x8D40, 0x2600, 0x812F
RGBA, BYTE, DEPTH, SHORT, INT = 0x1908, 0x1401, 0x1902, 0x1403, 0x1405
Box = tuple[int, int, int, int, float]
"""Pixels from x to x + width, y to y + height, and a depth of 0 to 1."""


class DrawnTexture:
    """What is needed to draw boxes to a texture and to show it.

    Parameters
    ----------
    gl
        Recorder.
    side
        Of texture and window, in pixels.
    depth
        Type of a depth texture's texels (SHORT, INT); colours are drawn to where it is 0.
    mipmaps
        Whether the texture's smaller levels are made from what was drawn.
    """

    def __init__(self, gl: Recorder, side: int, depth: int = 0, mipmaps: bool = False) -> None:
        self.gl, self.side, self.mipmaps = gl, side, mipmaps
        self.buffer = gl.glGenBuffers(1)[0]
        gl.glBindBuffer(0x8892, self.buffer)
        self.texture, self.target = gl.glGenTextures(1)[0], gl.glGenFramebuffers(1)[0]
        gl.glBindTexture(TEXTURE_2D, self.texture)
        kind, texel = (DEPTH, depth) if depth else (RGBA, BYTE)
        gl.glTexImage2D(TEXTURE_2D, 0, kind, side, side, 0, kind, texel, None)
        for name, value in ((0x2801, NEAREST), (0x2800, NEAREST), (0x2802, CLAMP), (0x2803, CLAMP)):
            gl.glTexParameteri(TEXTURE_2D, name, value)
        gl.glBindFramebuffer(FRAMEBUFFER, self.target)
        gl.glFramebufferTexture2D(FRAMEBUFFER, 0x8D00 if depth else 0x8CE0, TEXTURE_2D, self.texture, 0)
        self.show = gl.program(VERTEX, SHOW, ("p",))
        gl.glUseProgram(self.show)
        gl.glUniform2f(gl.glGetUniformLocation(self.show, "size"), float(side), float(side))

    def frame(self, fragment: str, boxes: list[Box], clear: bool = True) -> None:
        """Draw boxes to the texture, on a clear or on what is there, and show it."""
        gl = self.gl
        gl.glBindFramebuffer(FRAMEBUFFER, self.target)
        gl.glEnable(0x0B71)
        if clear:
            gl.glClearColor(0.5, 0.25, 0.125, 1.0)
            gl.glClear(0x4100)
        gl.glUseProgram(gl.program(VERTEX, fragment, ("p",)))
        for box in boxes:
            self._draw(box)
        gl.glBindFramebuffer(FRAMEBUFFER, 0)
        if self.mipmaps:
            gl.glGenerateMipmap(TEXTURE_2D)
        gl.glDisable(0x0B71)
        gl.glClear(0x4000)
        gl.glUseProgram(self.show)
        self._draw((0, 0, self.side, self.side, 0.5))
        gl.swap()

    def _draw(self, box: Box) -> None:
        x, y, width, height, depth = box
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y), (x + width, y + height), (x, y + height)]
        at = np.array([(2 * u / self.side - 1, 2 * v / self.side - 1, 2 * depth - 1) for u, v in corners], np.float32)
        self.gl.glBufferData(0x8892, at.nbytes, at.tobytes(), 0x88E4)
        self.gl.glEnableVertexAttribArray(0)
        self.gl.glVertexAttribPointer(0, 3, 0x1406, False, 0, 0)
        self.gl.glDrawArrays(4, 0, 6)


def record_drawn(
    folder: Path,
    fragment: str,
    frames: list[list[Box]],
    side: int = 64,
    depth: int = 0,
    clear: bool = True,
    mipmaps: bool = False,
) -> Path:
    """Activity of frames of boxes, with the pictures of its passes; `clear`: of frames after the first."""
    with Recorder(folder / "drawn.trace", side, side) as gl:
        drawn = DrawnTexture(gl, side, depth, mipmaps)
        for number, boxes in enumerate(frames):
            drawn.frame(fragment, boxes, clear or number == 0)
    record(folder / "drawn.trace", folder / "activity", groups=frozenset({"colors", "pass_images"}), replace=True)
    return folder / "activity"
