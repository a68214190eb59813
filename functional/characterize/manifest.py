"""The manifest of a characterization: which frames of which source were counted, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ..activity.manifest import checked, read_content
from ..errors import UserError
from ..gles.frame_ends import FramesAt
from .schema import FORMAT_VERSION

NAME = "characterization.json"


class CharacterizationError(UserError):
    """A folder is not a characterization that can be read, or cannot be written."""


class Manifest(BaseModel):
    """Content of characterization.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["tilegpu-characterization"] = "tilegpu-characterization"
    format_version: int = FORMAT_VERSION
    tool_version: str = Field(description="version of tilegpu that wrote it")
    source_name: str = Field(description="file name of the captured stream")
    source_sha256: str = Field(description="hash of the captured stream's bytes")
    back_end: str = Field(description="shader back end that executed it")
    snap: Literal["8", "none"] = Field(description="8: window coordinates have 8 subpixel bits; none: float32")
    size: tuple[int, int] | None = Field(description="size of the window that was asked for, null: the stream's own")
    frames_at: FramesAt | None = Field(description="calls that end frames as asked for, null: found out")
    tile: tuple[int, int] = Field(description="width and height of the tiles that entries are counted for")
    first_frame: int = Field(description="number of the first frame")
    frames: int = Field(description="number of frames, one after the other")
    rows: dict[str, int] = Field(description="rows per table")


def read_manifest(folder: Path) -> Manifest:
    """Read and check a folder's manifest.

    Raises
    ------
    CharacterizationError
        There is no manifest, or it is of another kind or version.
    """
    path = folder / NAME
    if folder.is_file():
        raise CharacterizationError(
            f"{folder}: a capture is characterized first: tilegpu characterize {folder} -o frames"
        )
    content = read_content(path, "tilegpu characterize", CharacterizationError)
    version = content.get("format_version") if isinstance(content, dict) else None
    if version != FORMAT_VERSION:
        raise CharacterizationError(
            f"{path}: format version {version}; this tilegpu reads {FORMAT_VERSION}: characterize the capture again"
        )
    return checked(Manifest, content, path, CharacterizationError)


def check_folder(folder: Path, replace: bool) -> None:
    """CharacterizationError if a folder exists and may not be replaced, or is something else."""
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        if not (folder / NAME).is_file():
            raise CharacterizationError(f"{folder}: exists and is no characterization; choose another folder")
        if not replace:
            raise CharacterizationError(
                f"{folder}: already holds a characterization; choose another folder or pass --force"
            )
