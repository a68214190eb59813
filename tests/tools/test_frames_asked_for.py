"""Frames that a capture does not have, and captures that break off: an error, and nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilegpu as api
from tilegpu.functional.capture import CaptureError, Trace

from .conftest import record_square
from .test_bad_input import refused


@pytest.mark.parametrize("frames", ["0:3", "1:100", "0:9"])
@pytest.mark.parametrize("verb", ["render", "trace", "characterize", "trim"])
def test_frames_beyond_the_end(tilegpu, square: Path, tmp_path: Path, verb: str, frames: str) -> None:
    """As in a replay: what was asked for is not there."""
    out = tmp_path / "new" / "out"
    last = int(frames.partition(":")[2]) - 1
    refused(tilegpu(verb, square, "-o", out, "--frames", frames), "has 2 frames", f"no frame {last}", "to the end")
    assert not (tmp_path / "new").exists()
    assert tilegpu(verb, square, "-o", out, "--frames", frames.partition(":")[0] + ":").status == 0
    assert out.exists()


def test_frames_of_several_processes(tilegpu, square: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    refused(tilegpu("characterize", square, "-o", out, "--frames", "0:5", "--jobs", 2), "has 2 frames", "no frame 4")
    assert not out.exists()


def test_calls_of_frames_beyond_the_end(tilegpu, square: Path) -> None:
    done = tilegpu("dump", square, "--frames", "1:9")
    assert done.status == 2 and "no frame 8" in done.err
    assert tilegpu("dump", square, "--frames", "1:2").status == 0


def test_frames_beyond_the_end_in_python(square: Path, tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="no frame 8"):
        list(api.render(square, "0:9"))
    with pytest.raises(CaptureError, match="no frame 8"):
        api.record(square, tmp_path / "out", "0:9")
    assert len(list(api.render(square, "0:2"))) == 2


def test_pictures_from_before_stay(tilegpu, square: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert tilegpu("render", square, "-o", out, "--frames", "0").status == 0
    before = (out / "frame_0000.png").read_bytes()
    assert tilegpu("render", square, "-o", out, "--frames", "0:5").status == 2
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {"frame_0000.png": before}


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    """A capture that breaks off within a frame."""
    whole = record_square(tmp_path / "whole.trace", frames=1000)
    path = tmp_path / "cut.trace"
    path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    return path


@pytest.mark.parametrize("verb", [("trace",), ("characterize",), ("characterize", "--jobs", 2)])
def test_a_capture_that_breaks_off(tilegpu, cut: Path, tmp_path: Path, verb: tuple) -> None:
    frames = sum(call.ends_frame for call in Trace(cut))
    run = (*verb, cut, "-o", tmp_path / "out", "--frames")
    refused(tilegpu(*run, f"{frames - 2}:"), "breaks off after call", "--allow-truncated")
    assert not (tmp_path / "out").exists()
    # What comes before is whole.
    assert tilegpu(*run, f"{frames - 2}:{frames - 1}").status == 0
    done = tilegpu(*run, f"{frames - 2}:", "--allow-truncated", "--force")
    assert done.status == 0 and "2 frames in" in done.out


def test_a_capture_that_breaks_off_in_python(cut: Path, tmp_path: Path) -> None:
    frames = sum(call.ends_frame for call in Trace(cut))
    with pytest.raises(CaptureError, match="breaks off"):
        api.record(cut, tmp_path / "out", f"{frames - 1}:")
    assert api.record(cut, tmp_path / "out", f"{frames - 1}:", allow_truncated=True).frames == 1
