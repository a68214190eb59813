"""Pictures of frames that a call completes."""

from __future__ import annotations

from ..capture import Call
from ..opengl.errors import GLError
from .context import Context
from .frame_ends import FLUSHES, READS, FramesAt
from .surfaces import Picture, Window
from .window_system import WindowSystem

COMPLETING: dict[FramesAt, frozenset[str]] = {"swap": frozenset(), "flush": FLUSHES, "read": READS}
"""Functions of OpenGL ES after which a picture may be complete, by where frames end."""


class CompleteFrames:
    """Finds the pictures of frames.

    Parameters
    ----------
    system
        The window system.
    frames_at
        Calls that complete a frame; see `Display`.
    """

    def __init__(self, system: WindowSystem[Context, Window], frames_at: FramesAt) -> None:
        self.system, self.frames_at = system, frames_at
        self._shown = -1, -1
        """Surface of the last frame that no swap ended, and its version."""

    def at_swap(self, call: Call) -> Picture | None:
        """The picture that a swap shows; None if it does not end a frame."""
        window = self.system.drawables.get(call.thread)
        surface = call.at(1) if len(call.arguments) > 1 else None
        if isinstance(surface, int) and surface in self.system.windows:
            window = self.system.windows[surface]
        return window.picture() if window is not None and self.frames_at == "swap" else None

    def at(self, call: Call, context: Context) -> Picture | None:
        """The picture at a flush or a read, if it is complete and new."""
        picture = self._flushed(call.thread) if self.frames_at == "flush" else _read_whole(call, context)
        if picture is None or picture.state == self._shown:
            return None
        self._shown = picture.state
        return picture

    def _flushed(self, thread: int) -> Picture | None:
        window = self.system.drawables.get(thread)
        if window is None or window.framebuffer is None:
            return None
        shows = window.single_buffered or not any(w.single_buffered for w in self.system.windows.values())
        return window.picture(swapped=False) if shows else None


def _read_whole(call: Call, context: Context) -> Picture | None:
    """The picture of a framebuffer of which a call read all pixels."""
    try:
        framebuffer = context.read_framebuffer
        size = framebuffer.size
    except GLError:
        return None
    attachment = framebuffer.colors.get(framebuffer.read_buffer)
    if attachment is None or call.arguments[:4] != [0, 0, *size]:
        return None
    return Picture(attachment, swapped=False)
