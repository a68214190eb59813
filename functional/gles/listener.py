"""Notifications of a context about its work, through which the activity is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..pipeline.command import DrawCommand
    from ..pipeline.compute.dispatch import Dispatch, DispatchSink
    from .context import Context
    from .programs import Program
    from .surfaces import Picture


class Listener:
    """Ignores all notifications; the recorder of the activity overrides it.

    Attributes
    ----------
    restarts
        Whether it can forget what happened.
    sees_skipped
        Whether it has to be notified of draws of which nothing is needed.
    sees_contents
        Whether draws of different contents of a texture have to be draws of different states.
    """

    restarts = False
    sees_skipped = True
    sees_contents = True

    def forget(self) -> None:
        """Forget what happened so far, in which no frame ended: the calls are executed again."""

    def event(self, kind: str, call: int, **fields: Any) -> None:
        """Something other than a draw happened; see the kinds in the events table.

        The fields are the objects involved (`texture`, `buffer`, `framebuffer` with its `context`) and values of the
        table's columns; `box` is x, y, width, height.
        """

    def program_linked(self, program: Program, call: int) -> None:
        """A program was linked."""

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> Any:
        """A draw begins; returns the sink that the pipeline notifies about it, or None."""
        return None

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> DispatchSink | None:
        """A dispatch begins; returns the sink that the pipeline notifies about it, or None."""
        return None

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        """A frame was completed."""
