"""The frame that is looked into, as a capture of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tilegpu.functional.capture import CaptureError, Trace
from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_numbers import FrameNumbers
from tilegpu.functional.frame_ranges import FrameRange, FrameSet
from tilegpu.functional.gles.frame_ends import FramesAt
from tilegpu.functional.record import record
from tilegpu.functional.trimming import trim
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.instruments import draw_costs
from tilegpu.timing.replay import replay

from ..what_if.measure import GROUPS

TRIED = 8
"""Frames of which the dearest is chosen."""

Report = Callable[[str], None]


class ChosenFrame(NamedTuple):
    """A frame: its number, that of a capture which has it and what it depends on, that capture, and the GPU cycles of
    the frames that it was chosen among."""

    number: int
    place: int
    capture: Path
    among: dict[int, float]


def count_frames(capture: Path, frames_at: FramesAt) -> int:
    """Frames of a capture.

    Raises
    ------
    CaptureError
        If it has none.
    """
    numbers = FrameNumbers(frames_at)
    for call in Trace(capture):
        numbers.follow(call)
    if not numbers.number:
        raise CaptureError(f"{capture}: no frame ends in it")
    return numbers.number


def spread(count: int) -> list[int]:
    """Numbers of up to `TRIED` of so many frames, as far apart as they can be, the last one among them."""
    chosen = min(TRIED, count)
    return sorted({(place + 1) * count // chosen - 1 for place in range(chosen)})


def dearest(
    capture: Path, frames_at: FramesAt, machine: Configuration, folder: Path, report: Report
) -> dict[int, float]:
    """GPU cycles of frames spread over a capture, which follow one another on the machine."""
    numbers = spread(count_frames(capture, frames_at))
    report(f"recording {len(numbers)} frames")
    record(capture, folder / "frames", FrameSet(frozenset(numbers)), groups=GROUPS, replace=True, frames_at=frames_at)
    report(f"replaying {len(numbers)} frames")
    results = replay(folder / "frames", machine, instrument=draw_costs.NAME)
    return {number: results.frame(number)["gpu.cycles"] for number in results.frames}


def choose(
    capture: Path, number: int | None, frames_at: FramesAt, machine: Configuration, folder: Path, report: Report
) -> ChosenFrame:
    """Choose a frame, and write a capture of it and the one before.

    Parameters
    ----------
    capture
        apitrace file.
    number
        Of the frame; None for the dearest of several.
    frames_at
        Calls that end a frame.
    machine
        By whose cycles it is chosen.
    folder
        Folder for files.
    report
        Is given what is at work.

    Raises
    ------
    UserError
        If the capture cannot be read, or has no such frame.
    """
    among: dict[int, float] = {}
    if number is None:
        among = dearest(capture, frames_at, machine, folder, report)
        number = max(among, key=lambda each: (among[each], -each))
    report(f"cutting out frame {number}")
    place, cut = min(number, 1), folder / "base.trace"
    try:
        trim(capture, cut, FrameRange(number - place, number + 1), frames_at)
    except UserError:
        if frames_at == "swap":
            raise
        # Frames that end at reads may need the pixels of those before.
        return ChosenFrame(number, number, capture, among)
    return ChosenFrame(number, place, cut, among)
