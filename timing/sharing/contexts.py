"""State that an application keeps while others are at work, and progress over several runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..engine.chip import Chip
from ..replay import Progress


@dataclass
class Context:
    """State that techniques keep of an application while another one is at work."""

    registers: Any
    kept: dict[str, Any]

    @classmethod
    def of(cls, chip: Chip) -> Context:
        """That of an application which has not begun."""
        return cls(chip.gpu.technique.copy() if chip.techniques else None, {})

    def enter(self, chip: Chip) -> None:
        """Restore it."""
        if self.registers is not None:
            chip.gpu["technique"] = self.registers
        chip.kept = self.kept

    def leave(self, chip: Chip) -> None:
        """Save it."""
        if self.registers is not None:
            self.registers = chip.gpu.technique.copy()


class Overall:
    """Progress over several runs of some frames in all."""

    def __init__(self, progress: Callable[[Progress], None] | None, frames: int) -> None:
        self._progress, self._frames, self._done = progress, frames, 0

    def of_run(self, frames: int) -> Callable[[Progress], None]:
        """Function that a run of some frames notifies."""
        before, self._done = self._done, self._done + frames

        def on_progress(run: Progress) -> None:
            if self._progress is not None:
                self._progress(Progress(before + run.done, self._frames, run.frame, run.cycles))

        return on_progress
