"""Workers keep memory for framebuffers of few sizes."""

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fused.batch_memory import MOST_SIZES
from tilegpu.functional.player import Player

from ...reference.es3_scenes import quad, use

SIZES = [(4 + 2 * i, 30 - 2 * i) for i in range(MOST_SIZES + 3)]
COLOR = """#version 300 es
precision highp float; uniform vec4 c; out vec4 color; void main() { color = c; }"""


def test_targets_of_more_sizes_than_are_kept(tmp_path: Path) -> None:
    """Each of many targets is drawn to twice, in turn, and its last colour copied to the window."""
    with Recorder(tmp_path / "scene.trace", 4, len(SIZES), 3) as r:
        place = r.glGetUniformLocation(use(r, COLOR), "c")
        targets = [_target(r, *size) for size in SIZES]
        for color in (0.2, 1.0):
            for i, (target, (width, height)) in enumerate(zip(targets, SIZES, strict=True)):
                r.glBindFramebuffer(gl.FRAMEBUFFER, target)
                r.glViewport(0, 0, width, height)
                r.glUniform4f(place, color, i / 10, 0, 1)
                quad(r, -1, -1, 1, 1)
        r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
        for i, (target, (width, height)) in enumerate(zip(targets, SIZES, strict=True)):
            r.glBindFramebuffer(gl.READ_FRAMEBUFFER, target)
            r.glBlitFramebuffer(width - 4, height - 1, width, height, 0, i, 4, i + 1, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        r.swap()
    (frame,) = Player(tmp_path / "scene.trace").run()
    rows = frame.pixels[::-1, :, :2].astype(int)
    assert (rows[:, :, 0] == 255).all()
    assert (abs(rows[:, :, 1] - np.arange(len(SIZES))[:, None] * 25.5) <= 1).all()


def _target(r: Recorder, width: int, height: int) -> int:
    """A framebuffer with a colour buffer."""
    target, colors = r.glGenFramebuffers(1)[0], r.glGenRenderbuffers(1)[0]
    r.glBindRenderbuffer(gl.RENDERBUFFER, colors)
    r.glRenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, width, height)
    r.glBindFramebuffer(gl.FRAMEBUFFER, target)
    r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colors)
    return int(target)
