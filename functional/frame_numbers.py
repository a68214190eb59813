"""Numbers of the frames that calls belong to, without rendering."""

from __future__ import annotations

from .capture import FRAME_ENDS, Call
from .gles.display import Display
from .gles.frame_ends import FramesAt
from .gles.listener import Listener
from .gles.routes import BLITS
from .gles.surfaces import Picture
from .pipeline.draw import Outcome

_SYSTEMS = ("egl", "glX", "wgl", "CGL")
_WINDOW_SYSTEM = frozenset({"glViewport", "glBindFramebuffer", *BLITS})


class FrameNumbers:
    """Follows a stream and counts its frames as `Player` does.

    Parameters
    ----------
    frames_at
        Calls that end a frame; see `Display`.
    every_call
        Whether to execute everything but the draws, to find errors.
    listener
        Notified of what is executed.

    Attributes
    ----------
    display
        Executes the calls on which windows and frames depend.
    sizes
        Width and height of each frame that has ended, in pixels.
    """

    def __init__(self, frames_at: FramesAt, every_call: bool = False, listener: Listener | None = None) -> None:
        self.sizes: list[tuple[int, int]] = []
        self._every_call = every_call or frames_at != "swap"
        self._listener = listener or Listener()
        self.display = Display(lambda draw, sink: Outcome(), self._listener, self._ended, frames_at=frames_at)

    def _ended(self, picture: Picture, call: Call) -> None:
        self._listener.frame_ended(len(self.sizes), picture, call.number)
        self.sizes.append((picture.width, picture.height))

    @property
    def number(self) -> int:
        """Number of the frame that the next call belongs to."""
        return len(self.sizes)

    def follow(self, call: Call) -> int:
        """Number of the frame that a call belongs to, from 0; the calls have to come in order."""
        number, name = self.number, call.signature.name
        if self._every_call or name in FRAME_ENDS or name in _WINDOW_SYSTEM or name.startswith(_SYSTEMS):
            self.display.execute(call)
        return number
