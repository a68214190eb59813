"""Numbers of the frames that calls belong to, without rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .capture import FRAME_ENDS, Call
from .followed_windows import FOLLOWED, SYSTEMS, FollowedWindows
from .gles.listener import Listener

if TYPE_CHECKING:
    from .gles.display import Display
    from .gles.frame_ends import FramesAt
    from .gles.surfaces import Picture


class FrameNumbers:
    """Follows a stream and counts its frames as `Player` does.

    Parameters
    ----------
    frames_at
        Calls that end a frame; see `Display`.
    every_call
        Whether to execute everything but the draws, to find errors.
    listener
        Notified of what is executed, with `every_call`.

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
        self.display: Display | FollowedWindows
        if self._every_call:
            self.display = self._executing(frames_at)
        else:
            self.display = FollowedWindows(lambda width, height, call: self.sizes.append((width, height)))

    def _executing(self, frames_at: FramesAt) -> Display:
        # The state machine stands on all of the renderer, and most streams need it only to be rendered.
        from .gles.display import Display
        from .pipeline.draw import Outcome

        return Display(lambda draw, sink: Outcome(), self._listener, self._ended, frames_at=frames_at)

    def _ended(self, picture: Picture, call: Call) -> None:
        self._listener.frame_ended(len(self.sizes), picture, call.number)
        self.sizes.append((picture.width, picture.height))

    @property
    def number(self) -> int:
        """Number of the frame that the next call belongs to."""
        return len(self.sizes)

    @property
    def problems(self) -> list[str]:
        """Lines about what could not be executed as asked, with `every_call`."""
        return [] if isinstance(self.display, FollowedWindows) else self.display.report.lines()

    def follow(self, call: Call) -> int:
        """Number of the frame that a call belongs to, from 0; the calls have to come in order."""
        number, name = self.number, call.signature.name
        if self._every_call or name in FRAME_ENDS or name in FOLLOWED or name.startswith(SYSTEMS):
            self.display.execute(call)
        return number
