"""Pictures of frames and passes, from an activity or from a folder of rendered images."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from tilegpu.functional.activity.reader import Activity

from .runs import ReportError, Run

HOW = (
    "No pictures are at hand. Record the activity with `tilegpu trace --with pass_images` and name it with --activity, "
    "or render the capture with `tilegpu render` and name that folder with --images."
)
MAX_PICTURE_BYTES = 1 << 26


@dataclass(frozen=True)
class Pictures:
    """PNG files: `frames` by number, `passes` by frame and pass; `notes`: lines about those that are missing."""

    frames: dict[int, bytes] = field(default_factory=dict)
    passes: dict[tuple[int, int], bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def find_pictures(frames: Sequence[int], runs: Sequence[Run], activity: Path | None, images: Path | None) -> Pictures:
    """Pictures of these frames; those of the activity go before rendered ones.

    Raises
    ------
    ReportError
        If the activity is of another capture than a run, or a folder holds none of the pictures.
    ActivityError
        If it is no activity.
    """
    pictures = Pictures()
    if images is not None:
        if not images.is_dir():
            raise ReportError(f"{images}: no such folder; name one that `tilegpu render` wrote")
        for number in frames:
            path = images / f"frame_{number:04d}.png"
            if path.is_file():
                pictures.frames[number] = _read(path)
        if not pictures.frames:
            raise ReportError(f"{images}: holds no picture of these frames, such as frame_{frames[0]:04d}.png")
    if activity is not None:
        _add_recorded(pictures, Activity(activity), frames, runs)
    return pictures


def _add_recorded(pictures: Pictures, activity: Activity, frames: Sequence[int], runs: Sequence[Run]) -> None:
    for run in runs:
        if run.stats.source.get("sha256") != activity.manifest.source_sha256:
            raise ReportError(
                f"{activity.folder}: recorded from {activity.manifest.source_name}, but {run.folder} is of another "
                f"capture, {run.stats.source.get('name', 'unknown')}"
            )
    if "pass_images" not in activity.manifest.groups:
        pictures.notes.append(f"{activity.folder}: was recorded without pictures; record with --with pass_images")
        return
    for number in frames:
        if number not in activity.frames:
            continue
        (name,) = activity.frame("frames", number, ["image"])["image"].to_pylist()
        if name is not None:
            pictures.frames[number] = _read(_inside(activity.folder, name))
        for row in activity.frame("passes", number, ["pass", "image"]).to_pylist():
            if row["image"] is not None:
                pictures.passes[number, row["pass"]] = _read(_inside(activity.folder, row["image"]))


def _inside(folder: Path, name: str) -> Path:
    if Path(name).name != name:
        raise ReportError(f"{folder}: names a picture {name!r}, which is no file of its own")
    return folder / name


def _read(path: Path) -> bytes:
    if path.stat().st_size > MAX_PICTURE_BYTES:
        raise ReportError(f"{path}: has {path.stat().st_size:,} bytes, too many for a picture")
    try:
        with Image.open(path) as picture:
            if picture.mode != "RGBA":
                return path.read_bytes()
            # A display ignores the alpha of windows; a browser would show its own background through it.
            opaque = io.BytesIO()
            picture.convert("RGB").save(opaque, "PNG")
            return opaque.getvalue()
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: is no picture ({error})") from None
