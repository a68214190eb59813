"""Trimmed captures of applications show the pictures of the frames that they are made of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.trimming import trim

from .test_trim import pictures

_FOLDER = Path(os.environ.get("TILEGPU_CAPTURES", "") or "/nonexistent")
CAPTURES = sorted(path.stem for path in _FOLDER.glob("*.trace"))


@pytest.mark.slow
@pytest.mark.parametrize("name", CAPTURES)
def test_frames_of_captures(name: str, tmp_path: Path) -> None:
    path = _FOLDER / f"{name}.trace"
    whole = pictures(path, 0, 12)
    for first in {len(whole) // 2, len(whole) - 1}:
        small = tmp_path / f"{first}.trace"
        trim(path, small, FrameRange(first, first + 2))
        assert pictures(small) == whole[first : first + 2]
