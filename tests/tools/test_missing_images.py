"""`tilegpu compare` where a folder lacks images of the other: what is missing does not count as right."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .test_bad_input import refused

STRICT = ("--max-difference", "0", "--min-psnr", "99", "--max-over-2", "0")


@pytest.fixture
def folders(tilegpu, square: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with the same two images."""
    tilegpu("render", square, "-o", tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    return tmp_path / "a", tmp_path / "b"


@pytest.mark.parametrize("short", [0, 1])
@pytest.mark.parametrize(("thresholds", "status"), [(STRICT, 1), (STRICT[:2], 1), ((), 2)])
def test_a_missing_image_is_no_success(tilegpu, folders, short: int, thresholds: tuple[str, ...], status: int) -> None:
    (folders[short] / "frame_0001.png").unlink()
    done = tilegpu("compare", *folders, *thresholds)
    assert done.status == status
    assert f"only in {folders[1 - short]}: frame_0001.png" in done.err and "--subset" in done.err
    assert "frame_0000.png" in done.out
    found = json.loads(tilegpu("compare", *folders, *thresholds, "--json").out)
    assert found["within"] is False and found["frame_0000.png"]["within"] is True
    assert [found["only_in_a"], found["only_in_b"]] == ([["frame_0001.png"], []] if short else [[], ["frame_0001.png"]])
    assert tilegpu("compare", *folders, *thresholds, "--video", "--json").status == status


def test_missing_images_on_both_sides(tilegpu, folders) -> None:
    shutil.copy(folders[0] / "frame_0000.png", folders[0] / "more.png")
    shutil.copy(folders[0] / "frame_0000.png", folders[1] / "other.png")
    done = tilegpu("compare", *folders, *STRICT)
    assert done.status == 1
    assert f"only in {folders[0]}: more.png; only in {folders[1]}: other.png" in done.err
    assert len([line for line in done.err.splitlines() if line]) == 1


def test_a_subset_is_compared_when_asked_for(tilegpu, folders) -> None:
    (folders[0] / "frame_0001.png").unlink()
    for thresholds in (STRICT, ()):
        done = tilegpu("compare", *folders, *thresholds, "--subset", "--json")
        assert (done.status, done.err) == (0, "")
        found = json.loads(done.out)
        assert found["within"] is True and found["only_in_b"] == ["frame_0001.png"]
    shutil.copy(folders[1] / "frame_0001.png", folders[0] / "frame_0000.png")
    done = tilegpu("compare", *folders, "--max-difference", "0", "--subset", "--json")
    assert done.status == 1 and json.loads(done.out)["within"] is False


def test_whole_folders_are_within(tilegpu, folders) -> None:
    found = json.loads(tilegpu("compare", *folders, *STRICT, "--json").out)
    assert (found["within"], found["only_in_a"], found["only_in_b"]) == (True, [], [])
    refused(tilegpu("compare", *folders, "--min-psnr", "nan"), "--min-psnr")
    one = folders[0] / "frame_0000.png"
    refused(tilegpu("compare", one, one, "--subset"), "two folders")
