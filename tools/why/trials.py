"""Changes of a frame, tried one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tilegpu.functional.errors import UserError
from tilegpu.functional.gles.frame_ends import FramesAt
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.instruments import draw_costs

from ..draw_reasons import LEAST, reasons_of
from ..what_if.captured import CapturedFrame
from ..what_if.catalogue import transformations
from ..what_if.declare import Transformation
from ..what_if.measure import Cost, Loss, Measured, loss_of, measure, write_calls

DEAR = 5
"""Draws that are changed."""
Row = dict[str, Any]


class Trial(NamedTuple):
    """A change that was tried: of a draw, or of the whole frame where that is None.

    Attributes
    ----------
    change, draw
        Which one.
    refused
        Reason why it does not apply, or an empty string.
    loss
        Difference of the picture.
    saved
        What it saves on each machine; negative where it costs more.
    capture
        Name of the file of the changed capture.
    """

    change: Transformation
    draw: int | None
    refused: str = ""
    loss: Loss | None = None
    saved: tuple[Cost, ...] = ()
    capture: str = ""

    @property
    def keeps_picture(self) -> bool:
        """Whether the picture is known to stay as it is."""
        return self.loss is not None and not self.loss.pixels and self.change.pictured


@dataclass
class Bench:
    """A frame that changes are tried on.

    Parameters
    ----------
    frame
        With the states of its draws.
    base
        As it is.
    machines
        Configurations.
    frames_at
        Calls that end a frame.
    folder
        Folder of changed captures.
    """

    frame: CapturedFrame
    base: Measured
    machines: Sequence[Configuration]
    frames_at: FramesAt
    folder: Path
    trials: list[Trial] = field(default_factory=list)
    untried: list[tuple[Transformation, int | None]] = field(default_factory=list)

    def run(self, draws: Sequence[Row], budget_seconds: float, report: Callable[[str, float], None]) -> None:
        """Try changes until the time is used up.

        Parameters
        ----------
        draws
            Rows of draws, the dearest first.
        budget_seconds
            CPU time; 0 for all changes.
        report
            Is given what is tried, and the share that is done.
        """
        began = time.process_time()
        chosen = candidates(self.frame, draws)
        for number, (change, draw) in enumerate(chosen):
            used = time.process_time() - began
            if budget_seconds and used > budget_seconds:
                self.untried = chosen[number:]
                return
            share = number / len(chosen)
            report(title_of(change, draw), max(share, used / budget_seconds) if budget_seconds else share)
            self.trials.append(self._try(change, draw))

    def _try(self, change: Transformation, draw: int | None) -> Trial:
        try:
            calls = change.apply(self.frame, draw)
        except UserError as error:
            return Trial(change, draw, str(error))
        name = change.name + ("" if draw is None else f"_draw{draw}")
        written = self.folder / f"{name}.trace"
        write_calls(self.frame.path, written, calls, name)
        changed = measure(
            written, self.frame.number, self.folder / "changed", self.machines, self.frames_at, draw_costs.NAME
        )
        kinds = {_kind(line) for line in self.base.warnings}
        wrong = [line for line in changed.warnings if _kind(line) not in kinds]
        if wrong:
            return Trial(change, draw, f"the changed capture is wrong: {wrong[0].partition(': ')[2]}")
        if changed.picture.shape != self.base.picture.shape:
            return Trial(change, draw, "the picture has another size")
        loss = loss_of(self.base.picture, changed.picture)
        if change.exact and loss.pixels:
            return Trial(change, draw, f"the picture changes, in {loss.pixels:,} pixels", loss)
        saved = tuple(before.less(after) for before, after in zip(self.base.costs, changed.costs, strict=True))
        return Trial(change, draw, "", loss, saved, written.name)


def _kind(warning: str) -> str:
    """A warning without the file that it names, and without the numbers of calls."""
    return warning.partition(": ")[2].partition(" (")[0]


def title_of(change: Transformation, draw: int | None) -> str:
    """Words for a change of a draw."""
    return change.title if draw is None else f"draw {draw}: {change.title}"


def candidates(frame: CapturedFrame, draws: Sequence[Row]) -> list[tuple[Transformation, int | None]]:
    """Changes of the dearest draws in the order in which they are tried: those first whose reasons hold the frame for
    most cycles, of all draws that they change; then draws left out, and last what no reason suggests.

    Parameters
    ----------
    frame
        Says which draws share textures and programs.
    draws
        Rows of all draws, the dearest first.
    """
    held = {row["draw"]: dict(reasons_of(row)) for row in draws}
    entries: dict[tuple[str, tuple[int, ...]], tuple[float, Transformation, int | None]] = {}
    for change in transformations():
        for row in draws[:1] if change.whole_frame else draws[:DEAR]:
            together = tuple(held) if change.whole_frame else sharing(frame, change, row["draw"], tuple(held))
            cycles = sum(_suited(change, held[draw]) for draw in together)
            draw = None if change.whole_frame else row["draw"]
            # What one draw shares with a dearer one is changed once.
            entries.setdefault((change.name, together), (cycles, change, draw))
    ordered = sorted(entries.values(), key=lambda one: (-one[0], bool(one[1].reasons)))
    return [(change, draw) for _, change, draw in ordered]


def sharing(frame: CapturedFrame, change: Transformation, draw: int, others: Sequence[int]) -> tuple[int, ...]:
    """Draws that a change of one draw changes, in order."""

    def key(number: int) -> object:
        call = frame.draws.get(frame.states[number]["call"]) if number in frame.states else None
        if call is None or not change.shares:
            return number
        return (call.around.group, call.textures) if change.shares == "textures" else frame.states[number]["program"]

    mine = key(draw)
    return tuple(sorted(number for number in others if key(number) == mine))


def _suited(change: Transformation, held: dict[str, int]) -> float:
    """Cycles in which a draw holds the frame for reasons that suggest a change, none for those that do not matter."""
    total = sum(held.values())
    return sum(cycles for name, cycles in held.items() if name in change.reasons and cycles >= LEAST * total)


def worth(trial: Trial) -> tuple[float, float]:
    """Order of trials: what they save on the first machine per loss of picture, most first; without loss before all
    others, then what no picture shows, and what saves nothing last."""
    assert trial.loss is not None
    saved = trial.saved[0].cycles
    if saved <= 0:
        return (3.0, -saved)
    if trial.keeps_picture:
        return (0.0, -saved)
    return (2.0, -saved / trial.loss.mse) if trial.loss.pixels else (1.0, -saved)
