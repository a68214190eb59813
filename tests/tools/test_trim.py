"""`tilegpu trim` from the command line."""

from __future__ import annotations

from pathlib import Path

from .test_bad_input import refused


def test_a_smaller_capture(tilegpu, scenes: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.trace"
    done = tilegpu("trim", scenes / "runner.trace", "--frames", "3:5", "-o", small)
    assert done.status == 0
    assert done.out.startswith(f"2 frames in {small}: ")
    assert "2 frames" in tilegpu("info", small).out


def test_wrong_ranges(tilegpu, scenes: Path, tmp_path: Path) -> None:
    trace, small = scenes / "runner.trace", tmp_path / "small.trace"
    refused(tilegpu("trim", trace, "--frames", "5:3", "-o", small), "'5:3'", "A:B")
    refused(tilegpu("trim", trace, "--frames", "9000:", "-o", small), "frames, none of the requested ones")
    refused(tilegpu("trim", tmp_path / "absent.trace", "--frames", "1", "-o", small), "absent.trace")
    assert not small.exists()
