"""Streams of a few draws of 16x16 pixels, and their frames with the state that changes need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Call, Recorder, Trace
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.tools.what_if.captured import CapturedFrame, read_frame
from tilegpu.tools.what_if.measure import write_calls
from tilegpu.tools.what_if.recorded import add_states

SIZE = 16
VERTEX = """
attribute vec2 place;
uniform vec4 box;
uniform float depth;
varying highp vec2 at;
void main() { at = place; gl_Position = vec4(mix(box.xy, box.zw, place), depth, 1.0); }
"""
PLAIN = "precision highp float; uniform vec4 color; void main() { gl_FragColor = color; }"
TEXTURED = """
precision highp float;
varying highp vec2 at;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, at); }
"""
CORNERS = np.array([0, 0, 1, 0, 0, 1, 1, 1], np.float32)
WHOLE = -1.0, -1.0, 1.0, 1.0


class Scene:
    """A recorder with a program of one of the fragment shaders, and boxes to draw."""

    def __init__(self, path: Path, fragment: str, config: dict[int, int] | None = None, version: int = 2) -> None:
        self.gl = Recorder(path, SIZE, SIZE, version=version, config=config)
        self.path = path
        self.program = self.gl.program(VERTEX, fragment, ("place",))
        self.gl.glUseProgram(self.program)
        names = "box", "depth", "color", "image"
        self.place = {name: self.gl.glGetUniformLocation(self.program, name) for name in names}
        (buffer,) = self.gl.glGenBuffers(1)
        self.gl.glBindBuffer(gl.ARRAY_BUFFER, buffer)
        self.gl.glBufferData(gl.ARRAY_BUFFER, CORNERS.nbytes, CORNERS, gl.STATIC_DRAW)
        self.gl.glEnableVertexAttribArray(0)
        self.gl.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, 0)
        self.gl.glEnable(gl.DEPTH_TEST)
        self.clear()

    def clear(self) -> None:
        """Clear colour and depth."""
        self.gl.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)

    def box(self, box: Sequence[float], depth: float, color: Sequence[float] | None = None) -> None:
        """Draw a box: left, bottom, right, top and depth, each -1 to 1."""
        self.gl.glUniform4f(self.place["box"], *box)
        self.gl.glUniform1f(self.place["depth"], depth)
        if color is not None:
            self.gl.glUniform4f(self.place["color"], *color)
        self.gl.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)

    def texture(self, texels: NDArray[np.uint8], min_filter: int = gl.LINEAR) -> int:
        """Upload RGBA texels without mipmaps; the name of the texture, which is bound."""
        (name,) = self.gl.glGenTextures(1)
        self.gl.glBindTexture(gl.TEXTURE_2D, name)
        height, width = texels.shape[:2]
        self.gl.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
        self.gl.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, min_filter)
        self.gl.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
        self.gl.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
        return int(name)

    def end(self) -> None:
        """End the only frame, and the stream."""
        self.gl.swap()
        self.gl.close()


def picture(path: Path, folder: Path, frame: int = 0) -> NDArray[np.uint8]:
    """Picture of a frame; its activity goes to a folder."""
    shown: list[NDArray[np.uint8]] = []
    frames = FrameRange(frame, frame + 1)
    record(path, folder, frames, replace=True, on_frame=lambda each, fraction: shown.append(each.pixels))
    return shown[-1]


def opened(path: Path, frame: int = 0) -> tuple[CapturedFrame, NDArray[np.uint8]]:
    """A frame with the states of its draws, and its picture."""
    folder = path.with_suffix(".activity")
    shown = picture(path, folder, frame)
    captured = read_frame(path, frame, "swap")
    add_states(captured, Activity(folder))
    return captured, shown


Apply = Callable[[CapturedFrame, int | None], list[Call]]


def changed(frame: CapturedFrame, apply: Apply, draw: int | None) -> tuple[CapturedFrame, NDArray[np.uint8]]:
    """The frame of the capture that a change writes, and its picture."""
    before = [(call.number, call.name, list(call.arguments)) for call in frame.calls]
    path = frame.path.with_name("changed.trace")
    write_calls(frame.path, path, apply(frame, draw), "change")
    assert before == [(call.number, call.name, call.arguments) for call in frame.calls]
    return opened(path, frame.number)


def names_of(path: Path) -> list[str]:
    """Names of all calls of a capture."""
    return [call.name for call in Trace(path)]
