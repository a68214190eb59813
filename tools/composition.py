"""Activity of a compositor: one frame that draws the windows of applications on a screen, each from a texture of its
size, which gets the window's address when applications share a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.errors import UserError
from tilegpu.functional.opengl import enums as names
from tilegpu.functional.record import record
from tilegpu.shaders import source
from tilegpu.timing.sharing import Window, window_of

Layout = Literal["side-by-side", "picture-in-picture"]
Box = tuple[float, float, float, float]
"""x, y, width and height in pixels from the lower left corner."""

LARGEST_SIDE = 4096
"""Of a window, in pixels: that of textures on mobile GPUs."""
INSET = 1 / 3
"""Width of a small picture on a large one, as a share of the screen's, which it is apart from others by a tenth of."""


def boxes(windows: Sequence[Window], layout: Layout) -> list[Box]:
    """Places of windows on a screen of the size of the first one; none is distorted.

    Parameters
    ----------
    windows
        The applications'.
    layout
        `side-by-side`: in columns of equal width. `picture-in-picture`: the first fills the screen, the others lie on
        it, small, along the lower edge.
    """
    width, height = windows[0].width, windows[0].height
    if layout == "side-by-side":
        column = width / len(windows)
        return [_fitted(each, (i * column, 0.0, column, float(height))) for i, each in enumerate(windows)]
    side, gap = width * INSET, width * INSET / 10
    small = [
        _fitted(each, (width - i * (side + gap), gap, side, height * INSET)) for i, each in enumerate(windows[1:], 1)
    ]
    return [(0.0, 0.0, float(width), float(height)), *small]


def _fitted(window: Window, room: Box) -> Box:
    """The largest box of a window's shape in the middle of a room."""
    x, y, width, height = room
    scale = min(width / window.width, height / window.height)
    wide, high = window.width * scale, window.height * scale
    return x + (width - wide) / 2, y + (height - high) / 2, wide, high


def write_trace(path: Path, windows: Sequence[Window], layout: Layout) -> None:
    """Write the trace of a compositor's frame.

    Raises
    ------
    UserError
        If a window is larger than a texture can be.
    """
    for window in windows:
        if max(window.width, window.height) > LARGEST_SIDE:
            raise UserError(
                f"a window of {window.width} x {window.height} pixels: a compositor shows {LARGEST_SIDE} a side at most"
            )
    with Recorder(path, windows[0].width, windows[0].height) as gl:
        program = gl.program(source("demo/sprite.vert"), source("demo/window.frag"), ("position", "texture_coordinate"))
        gl.glUseProgram(program)
        gl.glUniform2f(gl.glGetUniformLocation(program, "screen"), windows[0].width, windows[0].height)
        gl.glBindBuffer(names.ARRAY_BUFFER, gl.glGenBuffers(1)[0])
        corners = np.concatenate([_corners(box) for box in boxes(windows, layout)])
        gl.glBufferData(names.ARRAY_BUFFER, corners.nbytes, corners, names.STATIC_DRAW)
        for location in (0, 1):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, 2, names.FLOAT, False, 16, 8 * location)
        textures = [_texture(gl, window) for window in windows]
        gl.glClear(names.COLOR_BUFFER_BIT)
        for i, texture in enumerate(textures):
            gl.glBindTexture(names.TEXTURE_2D, texture)
            gl.glDrawArrays(names.TRIANGLES, 6 * i, 6)
        gl.swap()


def _corners(box: Box) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Two triangles: position in pixels and texture coordinate of each corner."""
    x, y, width, height = box
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)], np.float32)
    return np.concatenate([unit * (width, height) + (x, y), unit], 1).astype(np.float32)


def _texture(gl: Recorder, window: Window) -> int:
    """A texture of a window's size, without contents."""
    name: int = gl.glGenTextures(1)[0]
    gl.glBindTexture(names.TEXTURE_2D, name)
    gl.glTexImage2D(
        names.TEXTURE_2D, 0, names.RGBA, window.width, window.height, 0, names.RGBA, names.UNSIGNED_BYTE, None
    )
    for side in (names.TEXTURE_WRAP_S, names.TEXTURE_WRAP_T):
        gl.glTexParameteri(names.TEXTURE_2D, side, names.CLAMP_TO_EDGE)
    gl.glTexParameteri(names.TEXTURE_2D, names.TEXTURE_MIN_FILTER, names.LINEAR)
    return name


@contextmanager
def composed(activities: Sequence[Path], layout: Layout) -> Iterator[Path]:
    """Activity of a compositor for the windows of some activities, as long as the context is open.

    Parameters
    ----------
    activities
        Folders of the applications' activities.
    layout
        As of `boxes`.

    Raises
    ------
    ActivityError, UserError
        If one draws to no window, or to one that is too large.
    """
    windows = [window_of(Activity(folder)) for folder in activities]
    with TemporaryDirectory() as folder:
        trace, activity = Path(folder) / "compositor.trace", Path(folder) / "compositor"
        write_trace(trace, windows, layout)
        record(trace, activity)
        yield activity
