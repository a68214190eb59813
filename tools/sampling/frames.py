"""Frames that a plan needs, of a capture to record and of an activity to replay."""

from __future__ import annotations

from pathlib import Path

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.manifest import CharacterizationError
from tilegpu.functional.dependencies.operations import Operations
from tilegpu.functional.frame_ranges import FrameSet
from tilegpu.functional.gles.frame_ends import FramesAt
from tilegpu.functional.provenance import sha256_of

from .plan import Plan, PlanError, read_plan


def frames_of_plan(path: Path, warm_up: int, trace: Path, frames: str = "") -> FrameSet:
    """Frames of a capture that a plan needs, with a number of frames to warm up before each.

    Raises
    ------
    PlanError
        The plan cannot be read or is of another capture, or frames are named besides.
    """
    if frames:
        raise PlanError(f"--frames {frames}: the plan says which frames; give one of both")
    plan = read_plan(path)
    check_source(plan, sha256_of(trace), str(trace))
    return FrameSet(frozenset(plan.with_warm_up(warm_up)))


def operations_for(path: Path, size: tuple[int, int] | None, frames_at: FramesAt | None) -> Operations | None:
    """Operations of the stream as they were found for the counts that a plan was made from; None if they are not there
    any more, or are of other options.

    Parameters
    ----------
    path
        The plan.
    size, frames_at
        As for `Player`.
    """
    plan = read_plan(path)
    folder = path.absolute().parent / plan.counts
    try:
        counts = Characterization(folder) if plan.counts else None
        if counts is None or counts.manifest.source_sha256 != plan.source.sha256:
            return None
        manifest = counts.manifest
        last = manifest.first_frame + manifest.frames
        same = (manifest.size, manifest.frames_at) == (size, frames_at) and max(plan.chosen) < last
        return counts.operations() if same else None
    except CharacterizationError:
        return None


def frames_to_replay(plan: Plan, activity: Activity, warm_up: int) -> list[int]:
    """Frames of an activity that a plan needs, with a number of frames to warm up before each.

    Raises
    ------
    PlanError
        The activity is of another capture, or lacks some of them.
    """
    check_source(plan, activity.manifest.source_sha256, str(activity.folder))
    frames = plan.with_warm_up(warm_up)
    missing = sorted(set(frames) - set(activity.frames))
    if missing:
        advice = f"record it with tilegpu trace --plan and --warm-up {warm_up}"
        raise PlanError(f"{activity.folder}: lacks frame {missing[0]}, which the plan needs: {advice}")
    return list(frames)


def check_source(plan: Plan, sha256: str, name: str) -> None:
    """PlanError if a plan is of another capture."""
    if plan.source.sha256 != sha256:
        raise PlanError(f"{name}: another capture than the plan's {plan.source.name}; characterize and sample this one")
