"""Machines, techniques and numbers of applications with which a GPU can be shared."""

from __future__ import annotations

from collections.abc import Sequence

from ..assembly.loader import Loader
from ..config.schema import Configuration
from ..engine.technique import Technique
from ..loading.chosen_frames import check_frames
from ..loading.source import ActivityError
from ..memory.address_map import MOST_APPLICATIONS
from ..registry import components
from ..units.command_processor import CommandProcessorParameters
from .outcome import Application, By


def check(applications: Sequence[Application], configuration: Configuration, by: By, compositor: bool) -> None:
    """Check whether applications can share the GPU of a configuration.

    Raises
    ------
    ActivityError
        If there are too many or too few, or the machine or a technique works for one application only.
    """
    most = MOST_APPLICATIONS - compositor
    if not 2 <= len(applications) <= most:
        beside = " beside a compositor" if compositor else ""
        raise ActivityError(f"{len(applications)} applications: 2 to {most} can share a GPU{beside}")
    machine, techniques = components(configuration)
    for technique in techniques:
        if reason := refusal(technique, by):
            raise ActivityError(f"{technique.name} {reason}: share the GPU without it")
    if by == "tile" and not machine.sorts:
        raise ActivityError(f"the machine {machine.name} does not sort geometry into tiles: share it by frame")
    if configuration.of(CommandProcessorParameters).overlap != "none":
        raise ActivityError("applications that share a GPU need command_processor.overlap = none")


def refusal(technique: Technique, by: By) -> str:
    """Reason why applications cannot share a GPU with a technique; empty if they can."""
    if technique.one_application:
        return "is modelled for one application"
    if by == "tile" and (technique.load is not None or technique.amend is not None or technique.rewrite is not None):
        return "has tables of its own of one application's frame, which cannot be merged by tile"
    return ""


def chosen(application: Application, loader: Loader, warm_up: int) -> list[int]:
    """Frames of an application that are run.

    Raises
    ------
    ActivityError
        If it lacks some, or none is left to count.
    """
    frames = list(loader.frames if application.frames is None else application.frames)
    check_frames(frames, loader.frames)
    if not 0 <= warm_up < len(frames):
        raise ActivityError(
            f"{loader.source.folder}: {len(frames)} frames, {warm_up} of them to warm up, leave none to count"
        )
    return frames
