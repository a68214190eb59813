"""A window that is cleared, left for a texture that is drawn to, and drawn on then."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder

WIDTH, HEIGHT, TEXTURE = 64, 32, 16
VERTEX = "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"
FRAGMENT = "precision mediump float; void main() { gl_FragColor = vec4(gl_FragCoord.xy / 64.0, 0.5, 1.0); }"


def write_window_and_texture(path: Path) -> Path:
    """Trace of one frame; a triangle goes to the texture, and one to the window, whose quads lie beyond the texture."""
    with Recorder(path, WIDTH, HEIGHT) as gl:
        gl.glUseProgram(gl.program(VERTEX, FRAGMENT, ("p",)))
        buffer = gl.glGenBuffers(1)[0]
        gl.glBindBuffer(0x8892, buffer)
        corners = np.array([(-1, -1), (1, -1), (1, 1)], np.float32).tobytes()
        gl.glBufferData(0x8892, len(corners), corners, 0x88E4)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, 0)
        texture, target = gl.glGenTextures(1)[0], gl.glGenFramebuffers(1)[0]
        gl.glBindTexture(0x0DE1, texture)
        gl.glTexImage2D(0x0DE1, 0, 0x1908, TEXTURE, TEXTURE, 0, 0x1908, 0x1401, None)
        gl.glClearColor(0.25, 0.5, 0.75, 1)
        gl.glClearDepthf(0.25)
        gl.glClear(0x4100)
        gl.glBindFramebuffer(0x8D40, target)
        gl.glFramebufferTexture2D(0x8D40, 0x8CE0, 0x0DE1, texture, 0)
        gl.glViewport(0, 0, TEXTURE, TEXTURE)
        gl.glClear(0x4000)
        gl.glDrawArrays(4, 0, 3)
        gl.glBindFramebuffer(0x8D40, 0)
        gl.glViewport(0, 0, WIDTH, HEIGHT)
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    return path
