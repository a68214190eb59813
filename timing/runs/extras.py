"""Tables and timelines that runs take down beside their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..config.schema import Configuration
from ..replay import FrameLoader, Progress, replay
from ..results.results import Results
from ..results.timeline import DEFAULT_STEP_CYCLES, Timeline


@dataclass(frozen=True)
class Extras:
    """Choice of what runs take down.

    Parameters
    ----------
    instrument
        Module of `timing.instruments` whose costs are counted; "" for none.
    watched
        Frames of which a timeline is made.
    step_cycles
        Cycles between two looks at the machine for it.
    """

    instrument: str = ""
    watched: tuple[int, ...] = ()
    step_cycles: int = DEFAULT_STEP_CYCLES


NONE = Extras()


def replay_with(
    extras: Extras,
    activity: Path | FrameLoader,
    configuration: Configuration,
    frames: Sequence[int] | None,
    warm_up: int,
    progress: Callable[[Progress], None] | None = None,
    check_images: bool = False,
) -> Results:
    """`timing.replay` with what is to be taken down; the results have it."""
    timeline = Timeline(configuration, extras.step_cycles, extras.watched) if extras.watched else None
    return replay(
        activity,
        configuration,
        frames,
        warm_up,
        progress,
        timeline=timeline,
        check_images=check_images,
        instrument=extras.instrument,
    )
