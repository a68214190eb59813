"""Smaller captures, and what the lines of their shaders execute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from .functional.activity.line_counts import line_counts
from .functional.activity.reader import Activity
from .functional.errors import UserError
from .functional.frame_ranges import FrameRange
from .functional.trimming import Trimmed
from .functional.trimming import trim as write_trimmed
from .interface import Frames, chosen_frames, frame_range, table_of


class Reduced(NamedTuple):
    """A capture that was reduced.

    Attributes
    ----------
    calls
        In it.
    runs
        How often the check was called.
    finished
        Whether no call can go alone; False where the time was used up before.
    personal
        What the check needs of that which `anonymize` replaces otherwise.
    """

    calls: int
    runs: int
    finished: bool
    personal: list[str]


def trim(trace: str | Path, output: str | Path, frames: Frames, draws: Frames = None) -> Trimmed:
    """Write some frames of a capture, or some draws of one, with all that they depend on (docs/any_frame.md).

    Parameters
    ----------
    trace, output
        Capture, and the one to write.
    frames
        Such as "500:510"; the first becomes frame 0.
    draws
        Draws and dispatches of one frame, counted from 0, such as "61:63"; all by default.

    Returns
    -------
    Trimmed
        Frames, calls and sizes before and after.

    Raises
    ------
    UserError
        The capture cannot be read, or has not these frames or draws; or the file to write is the same.

    Examples
    --------
    >>> tilegpu.trim("game.trace", "small.trace", "1:3").frames
    2
    """
    some = None if draws is None else _whole_range(draws)
    return write_trimmed(Path(trace), Path(output), _whole_range(frames), draws=some)


def _whole_range(frames: Frames) -> FrameRange:
    chosen = frame_range(frames)
    if not isinstance(chosen, FrameRange):
        raise UserError("a trimmed capture has frames, or draws, that follow each other: give a range")
    return chosen


def reduce(
    trace: str | Path,
    output: str | Path,
    check: Callable[[Path], object],
    *,
    seconds: float = 600.0,
    anonymize: bool = False,
) -> Reduced:
    """Write the smallest capture for which a function answers what it does for the whole one (docs/any_frame.md).

    Parameters
    ----------
    trace, output
        Capture, and the one to write.
    check
        Is given captures; a `UserError` counts as an answer.
    seconds
        Time for the whole; the smallest capture by then is written.
    anonymize
        Whether to replace names, labels and images in the end.

    Returns
    -------
    Reduced
        Calls, calls of the check, and what stays of a user's own.

    Raises
    ------
    UserError
        The capture cannot be read, is the file to write, or picire is not installed.

    Examples
    --------
    >>> tilegpu.reduce("game.trace", "least.trace", lambda path: len(list(tilegpu.render(path))) > 0).finished
    True
    """
    from .tools.outputs import check_not_input
    from .tools.reduce.check import FunctionCheck
    from .tools.reduce.search import Search

    check_not_input(Path(output), Path(trace))
    with TemporaryDirectory() as scratch:
        asked = FunctionCheck(check)
        search = Search(Path(trace), asked, Path(scratch), seconds, lambda tried, calls: None, anonymize)
        finished = search.run()
        return Reduced(search.write(Path(output)), asked.runs, finished, search.personal)


def executed_lines(activity: str | Path, frames: Frames = None) -> Any:
    """Table of the instructions that each line of the shaders executes (docs/line_costs.md).

    Parameters
    ----------
    activity
        Folder that `record` made.
    frames
        Frames to count, all by default.

    Returns
    -------
    pyarrow.Table or pandas.DataFrame
        A row per program, stage, line, and call that a function was inlined for; a data frame where pandas is
        installed.

    Raises
    ------
    UserError
        If the activity cannot be read or has not these frames.

    Examples
    --------
    >>> lines = tilegpu.executed_lines("activity")
    >>> bool(lines["executed"].sum() > 0)
    True
    """
    return table_of(line_counts(Activity(activity), chosen_frames(Path(activity), frames)))
