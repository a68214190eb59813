"""Observes a stream of whose frame some draws and dispatches are wanted, not the picture."""

from __future__ import annotations

from typing import Any

from ..gles.context import Context
from ..gles.programs import Program
from ..pipeline.command import DrawCommand
from ..pipeline.compute.dispatch import Dispatch, DispatchSink
from .accesses import dispatch_access, draw_inputs
from .frames import Frames
from .memory import Numbers
from .observer import Observer


class WorkObserver(Observer):
    """Notes what draws and dispatches depend on.

    Parameters
    ----------
    frames
        The frame.
    works
        Numbers of the draws and dispatches, which are counted from 0 in each frame.

    Attributes
    ----------
    inputs
        Memory that what they write depends on, by call.
    count
        Number of draws and dispatches of the frame.
    """

    def __init__(self, frames: Frames, works: range) -> None:
        self._works = works
        super().__init__(frames)

    def _begin(self) -> None:
        super()._begin()
        self.inputs: dict[int, Numbers] = {}
        self.count = 0

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> Any:
        """Note a draw."""
        if self._is_wanted():
            self._note_inputs(call, draw_inputs(self.memory, context, program, command))
        return super().draw(context, program, command, call)

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> DispatchSink | None:
        """Note a dispatch."""
        if self._is_wanted():
            self._note_inputs(call, dispatch_access(self.memory, context, program).reads)
        return super().dispatch(context, program, dispatch, call)

    def _unseen(self, name: str) -> bool:
        """Note a draw or dispatch that a buffer steers whose content is not known, and have it executed all the same:
        it counts if the content that is there makes it valid, as where calls are listed."""
        super()._unseen(name)
        return False

    def _is_wanted(self) -> bool:
        self.count += self.wanted
        return self.wanted and self.count - 1 in self._works

    def _note_inputs(self, call: int, inputs: Numbers) -> None:
        self.inputs[call] = self.inputs.get(call, frozenset()) | inputs
