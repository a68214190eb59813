"""`tilegpu replay --check-images`: pictures that differ fail, whatever is printed and however many runs there are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.record import record

from .conftest import record_square

FRAMES = 4
FALSIFIED = 3 * 5
"""Pixels that `falsify` changes."""


@pytest.fixture
def activity(tmp_path: Path) -> Path:
    """A square that moves in every frame, with colours and pictures."""
    groups = frozenset(("colors", "pass_images"))
    record(record_square(tmp_path / "square.trace", FRAMES), tmp_path / "activity", groups=groups)
    return tmp_path / "activity"


@pytest.fixture
def still(tmp_path: Path) -> Path:
    """Frames without a difference, with pictures and no colours."""
    path = record_square(tmp_path / "still.trace", FRAMES, calls_between=(("glUniform2f", 0, 0, 0),))
    record(path, tmp_path / "still", groups=frozenset(("pass_images",)))
    return tmp_path / "still"


def falsify(activity: Path) -> None:
    """Change some pixels of the last frame's pictures, of the frame and of its pass."""
    for path in activity.rglob(f"*_{FRAMES - 1:04d}.png"):
        pixels = np.array(Image.open(path))
        pixels[2:5, 1:6] ^= 8
        Image.fromarray(pixels).save(path)


def values(done) -> dict[str, float]:
    return {row["name"]: row["value"] for row in json.loads(done.out)}


def test_pictures_of_one_run(tilegpu, activity: Path) -> None:
    run = ("replay", activity, "--check-images")
    done = tilegpu(*run)
    assert done.status == 0 and "pictures as recorded" in done.out
    done = tilegpu(*run, "--json")
    assert done.status == 0 and values(done)["pictures.different_pixels"] == 0 < values(done)["pictures.passes"]
    falsify(activity)
    done = tilegpu(*run)
    assert done.status == 1 and f"{FALSIFIED} of {FRAMES * 32 * 32:,} pixels" in done.err
    assert "pictures.different_pixels" in done.out
    done = tilegpu(*run, "--json")
    assert done.status == 1 and values(done)["pictures.different_pixels"] == FALSIFIED
    assert tilegpu("replay", activity).status == 0


def test_pictures_of_several_runs(tilegpu, activity: Path, tmp_path: Path) -> None:
    run = ("replay", activity, "-o", tmp_path / "out", "--set", "raster_units=1,2", "-j1")
    assert tilegpu(*run).status == 0
    falsify(activity)
    # Runs that are there have not looked at any picture.
    done = tilegpu(*run, "--check-images", "--force")
    assert done.status == 1
    for units in (1, 2):
        assert f"raster_units={units}: {FALSIFIED} of " in " ".join(done.err.split())
    done = tilegpu(*run, "--check-images", "--json")
    assert done.status == 1 and "2 of 2 runs are in" in done.err
    assert [row["pictures.different_pixels"] for row in json.loads(done.out)] == [FALSIFIED] * 2


def test_runs_that_checked_nothing_are_run_again(tilegpu, activity: Path, tmp_path: Path) -> None:
    run = ("replay", activity, "-o", tmp_path / "out", "--set", "raster_units=1,2", "-j1")
    assert tilegpu(*run).status == 0
    done = tilegpu(*run, "--check-images")
    assert done.status == 2 and "other results" in done.err
    done = tilegpu(*run, "--check-images", "--force", "--json")
    assert done.status == 0
    assert all(row["pictures.passes"] == FRAMES for row in json.loads(done.out))


def test_tiles_that_are_left_out_wrongly(tilegpu, still: Path) -> None:
    run = ("replay", still, "--check-images", "--config", "re-2019", "--set", "techniques=rendering_elimination")
    done = tilegpu(*run)
    assert done.status == 0, done.err
    falsify(still)
    done = tilegpu(*run, "--json")
    assert done.status == 1
    assert values(done)["techniques.rendering_elimination.false_positives"] == 1
    assert "techniques.rendering_elimination.false_positives: 1 tiles" in done.err


def test_nothing_to_compare_is_no_success(tilegpu, still: Path) -> None:
    done = tilegpu("replay", still, "--check-images")
    assert done.status == 1 and "no picture of this machine was compared" in done.err and "--with colors" in done.err
