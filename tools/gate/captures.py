"""Captures of a gate: recorded and replayed alike, with the cost of each draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.interface import ReplayOptions, record, replay
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.results.results import check_folder

from ..console import progress, warn


class Replaying(NamedTuple):
    """Settings of the replay of captures: hardware, frames, and the number of those that warm up."""

    configuration: Configuration
    frames: FrameRange
    warm_up: int


@contextmanager
def replayed(
    captures: tuple[Path, Path], settings: Replaying, output: Path | None, force: bool
) -> Iterator[list[Path]]:
    """Folders with the results of two captures, in `output` or for as long as the context.

    Raises
    ------
    UserError
        A capture cannot be read or replayed, or something else is where results go.
    """
    with TemporaryDirectory(prefix="tilegpu-gate-") as temporary:
        folders = [(output or Path(temporary)) / name for name in ("before", "after")]
        for folder in folders:
            check_folder(folder, force)
        for capture, folder in zip(captures, folders, strict=True):
            activity = Path(temporary) / f"activity-{folder.name}"
            _replay(capture, activity, folder, settings)
        yield folders


def _replay(capture: Path, activity: Path, results: Path, settings: Replaying) -> None:
    with progress(f"recording {capture.name}") as (bar, task):
        recorded = record(
            capture,
            activity,
            settings.frames,
            # Some presets read the pictures of passes.
            groups=("pass_images",),
            on_frame=lambda frame, share: bar.update(task, completed=share, note=f"frame {frame.number}"),
        )
    for line in recorded.warnings:
        warn(f"{capture}: {line}")
    with progress(f"replaying {capture.name}") as (bar, task):
        measured = replay(
            activity,
            settings.configuration,
            warm_up=settings.warm_up,
            progress=lambda p: bar.update(task, completed=p.done / p.frames),
            options=ReplayOptions(by_draw=True),
        )
    measured.write(results, replace=True)
