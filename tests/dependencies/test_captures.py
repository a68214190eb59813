"""The last frames of captured applications, rendered without all before them, are those of rendering everything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tilegpu.functional.frame_ranges import FrameRange, FrameSet
from tilegpu.functional.record import record

from .test_dependencies import contents, pictures

_FOLDER = Path(os.environ.get("TILEGPU_CAPTURES", "") or "/nonexistent")
CAPTURES = sorted(path.stem for path in _FOLDER.glob("*.trace"))
WITH_ACTIVITY = {"es3", "gst_effects", "imgui_es2", "prog_tf", "prog_persist", "qtquick", "desktop_shadow_360p"}


@pytest.mark.slow
@pytest.mark.parametrize("name", CAPTURES)
def test_frames_of_captures(name: str, tmp_path: Path) -> None:
    path = _FOLDER / f"{name}.trace"
    whole = pictures(path, FrameRange(0, 12))
    last = max(whole)
    if last < 2:
        pytest.skip("fewer than three frames")
    for frames in (FrameRange(last, last + 1), FrameSet(frozenset({1, last // 2, last}))):
        assert pictures(path, frames) == {number: p for number, p in whole.items() if number in frames}
    if name not in WITH_ACTIVITY:
        return
    found = []
    for from_start in (False, True):
        folder = tmp_path / str(from_start)
        some = FrameRange(last, last + 1)
        record(path, folder, some, groups=frozenset({"pass_images"}), from_start=from_start)
        found.append(contents(folder))
    assert found[0] == found[1]
