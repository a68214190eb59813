"""The answer of `tilegpu why`: a frame, its dearest draws, and what changes save."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.errors import ActivityError, UserError
from tilegpu.functional.gles.frame_ends import FramesAt, find_frame_ends
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.instruments import draw_costs
from tilegpu.timing.results.draws import DRAWS

from ..what_if.captured import read_frame
from ..what_if.measure import Measured, measure
from ..what_if.recorded import add_states
from .chosen_frame import ChosenFrame, choose
from .outlines import Covered, covered_by
from .trials import DEAR, Bench, Row, Trial, worth


@dataclass(frozen=True)
class Answer:
    """Answer about a frame.

    Attributes
    ----------
    source
        Name of the capture.
    chosen
        The frame.
    machines
        Configurations; the first one orders draws and changes.
    base
        The frame as it is.
    rows
        Rows of `draws.parquet` by machine.
    covered
        Pixels of the picture that the dearest draws cover.
    trials
        Changes that apply, what saves most per loss of picture first, and then those that do not.
    untried
        Number of changes for which there was no time.
    cpu_seconds
        CPU time of the whole.
    """

    source: str
    chosen: ChosenFrame
    machines: Sequence[Configuration]
    base: Measured
    rows: list[list[Row]]
    covered: list[Covered]
    trials: list[Trial]
    untried: int
    cpu_seconds: float

    @property
    def dear(self) -> list[Row]:
        """Rows of the draws that cost most on the first machine, the dearest first."""
        return dear_draws(self.rows[0])[:DEAR]

    def row(self, machine: int, draw: int) -> Row | None:
        """Row of a draw on a machine."""
        return next((row for row in self.rows[machine] if row["kind"] == "draw" and row["draw"] == draw), None)

    def saving(self, trial: Trial, machine: int) -> float:
        """Share of a machine's cycles that a change saves."""
        return trial.saved[machine].cycles / max(1.0, self.base.costs[machine].cycles)


def dear_draws(rows: Sequence[Row]) -> list[Row]:
    """Rows of all draws of the frame that take time, the dearest first."""
    draws = [row for row in rows if row["kind"] == "draw" and row["cycles"] > 0]
    return sorted(draws, key=lambda row: (-row["cycles"], row["draw"]))


@dataclass(frozen=True)
class Question:
    """Question about a capture.

    Parameters
    ----------
    capture
        apitrace file.
    frame
        Number of the frame; None for the dearest of several.
    machines
        Configurations.
    budget_seconds
        CPU time for trying changes; 0 for all of them.
    frames_at
        Calls that end a frame; None finds out.
    """

    capture: Path
    frame: int | None
    machines: Sequence[Configuration]
    budget_seconds: float = 60.0
    frames_at: FramesAt | None = None


def answer(question: Question, folder: Path, report: Callable[[str, float], None]) -> Answer:
    """Find the dearest draws of a frame, the reason, and what changes save.

    Parameters
    ----------
    question
        What is asked.
    folder
        Folder for captures and activities, which stay there.
    report
        Is given what is at work, and the share that is done.

    Raises
    ------
    UserError
        If the capture cannot be read or recorded, or has no such frame or no draw in it.
    """
    began = time.process_time()
    frames_at = question.frames_at or find_frame_ends(question.capture)
    machines = question.machines
    chosen = choose(question.capture, question.frame, frames_at, machines[0], folder, lambda text: report(text, 0.0))
    report(f"recording and replaying frame {chosen.number}", 0.0)
    activity = folder / "activity"
    try:
        base = measure(chosen.capture, chosen.place, activity, machines, frames_at, draw_costs.NAME)
    except ActivityError as error:
        names = ", ".join(machine.name for machine in machines if machine.techniques)
        what = str(error).removeprefix(f"{activity}: ").partition(";")[0]
        raise UserError(f"{names}: {what}, which `why` does not record: choose another machine") from None
    rows: list[list[dict[str, Any]]] = [results.own[DRAWS][0].to_pylist() for results in base.results]
    dear = dear_draws(rows[0])
    if not dear:
        raise UserError(f"{question.capture}: no draw of frame {chosen.number} takes any time")
    frame = read_frame(chosen.capture, chosen.place, frames_at)
    add_states(frame, Activity(activity))
    bench = Bench(frame, base, machines, frames_at, folder)
    bench.run(dear, question.budget_seconds, report)
    tried = [trial for trial in bench.trials if not trial.refused]
    refused = [trial for trial in bench.trials if trial.refused]
    covered = covered_by(Activity(activity), chosen.place, [row["draw"] for row in dear[:DEAR]], base.picture.shape)
    return Answer(
        question.capture.name,
        chosen,
        machines,
        base,
        rows,
        covered,
        [*sorted(tried, key=worth), *refused],
        len(bench.untried),
        time.process_time() - began,
    )
