"""Numbers of draws and dispatches in their frames, of a stream whose calls are executed without drawing."""

from __future__ import annotations

from typing import Any

from .gles.context import Context
from .gles.listener import Listener
from .gles.programs import Program
from .gles.surfaces import Picture


class WorkNumbers(Listener):
    """Counts the draws and dispatches of each frame from 0; a call that draws nothing valid is none.

    Attributes
    ----------
    latest
        Number of the last call that drew or dispatched, and what it is, such as "draw 60"; some draw several times.
    """

    def __init__(self) -> None:
        self.latest: tuple[int, list[str]] = -1, []
        self._works = 0

    def draw(self, context: Context, program: Program, command: Any, call: int) -> None:
        """Number a draw."""
        self._count("draw", call)

    def dispatch(self, context: Context, program: Program, dispatch: Any, call: int) -> None:
        """Number a dispatch."""
        self._count("dispatch", call)

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        """Begin another frame."""
        self._works = 0

    def _count(self, kind: str, call: int) -> None:
        if self.latest[0] != call:
            self.latest = call, []
        self.latest[1].append(f"{kind} {self._works}")
        self._works += 1
