"""The manifest of an activity: what was recorded, from which source, and how."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ..errors import UserError
from .errors import ActivityError
from .schema import FORMAT_VERSION

NAME = "manifest.json"


class Manifest(BaseModel):
    """Content of manifest.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["tilegpu-activity"] = "tilegpu-activity"
    format_version: int = FORMAT_VERSION
    tool_version: str = Field(description="version of tilegpu that wrote it")
    source_name: str = Field(description="file name of the captured stream")
    source_sha256: str = Field(description="hash of the captured stream's bytes")
    level: Literal["summary", "visible", "all"] = Field(description="which quads are shaded; summary: counts only")
    groups: tuple[str, ...] = Field(
        default=(), description="optional groups that are filled: inputs, colors, pass_images"
    )
    back_end: str = Field(description="shader back end that executed it")
    snap: Literal["8", "none"] = Field(description="8: window coordinates have 8 subpixel bits; none: float32")
    frames: tuple[int, ...] = Field(description="numbers of the recorded frames, ascending")
    row_groups: tuple[int, ...] = Field(description="number of frames, in this order, in each row group of a table")
    rows: dict[str, int] = Field(description="rows per table")

    @model_validator(mode="after")
    def _check_frames(self) -> Self:
        if any(a >= b for a, b in pairwise(self.frames)):
            raise ValueError("frames do not ascend")
        if any(count < 1 for count in self.row_groups) or sum(self.row_groups) != len(self.frames):
            raise ValueError("row groups do not hold the frames")
        return self


def read_manifest(folder: Path) -> Manifest:
    """Read and check a folder's manifest.

    Raises
    ------
    ActivityError
        There is no manifest, or it is of another kind or version.
    """
    path = folder / NAME
    if folder.is_file():
        raise ActivityError(f"{folder}: a capture is recorded first: tilegpu trace {folder} -o activity")
    content = read_content(path, "tilegpu trace", ActivityError)
    if not isinstance(content, dict) or content.get("format") != "tilegpu-activity":
        raise ActivityError(f"{path}: not the manifest of an activity; record one with `tilegpu trace`")
    version = content.get("format_version")
    if version != FORMAT_VERSION:
        age = "an older" if isinstance(version, int) and version < FORMAT_VERSION else "another"
        raise ActivityError(
            f"{path}: written by {age} tilegpu (format version {version}, this one reads {FORMAT_VERSION}): record the "
            "capture again with `tilegpu trace`"
        )
    return checked(Manifest, content, path, ActivityError)


M = TypeVar("M", bound=BaseModel)


def read_content(path: Path, verb: str, error: type[UserError]) -> Any:
    """Content of a folder's manifest in JSON; `error` if the verb that writes such folders has left none."""
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        raise error(f"{path.parent}: no {path.name}; is this a folder written by `{verb}`?") from None
    except (OSError, ValueError) as unreadable:
        raise error(f"{path}: cannot be read ({unreadable})") from None


def checked(model: type[M], content: Any, path: Path, error: type[UserError]) -> M:
    """A manifest from its content; `error` with the first field that is wrong."""
    try:
        return model.model_validate(content)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        raise error(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
