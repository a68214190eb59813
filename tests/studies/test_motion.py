"""Moments of a run: frames made from a captured one, against frames that were captured."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import FRAME_ENDS, Trace
from tilegpu.tools.studies.boards.motion import MATRIX, MOTIONS, RUN, motion_of, write_moments

BOARDS = os.environ.get("TILEGPU_BOARDS", "")
SCENES = sorted(
    path for path in Path(BOARDS).glob("*/*.trace") if BOARDS and path.stem.partition("_")[0] in MOTIONS
)  # fmt: skip


def frames(path: Path) -> list[list[tuple[str, object]]]:
    found: list[list[tuple[str, object]]] = [[]]
    for call in Trace(path):
        found[-1].append((call.name, call.arguments))
        if call.name in FRAME_ENDS:
            found.append([])
    return found


def test_a_run_has_moments_at_equal_distances() -> None:
    # Ten seconds of sixty frames: every 75th from the 37th, and the one before each.
    assert RUN.counted == (37, 112, 187, 262, 337, 412, 487, 562)
    assert RUN.times[:5] == (0, 36, 37, 111, 112)


def test_turns_by_hand() -> None:
    motion = motion_of("build:use-vbo=false")
    assert motion is not None
    # A quarter of a turn about y in two and a half seconds: x goes to -z.
    quarter = motion.from_to(1.0, 3.5, 0)
    assert np.allclose(quarter @ [1, 0, 0, 1], [0, 0, -1, 1])
    assert np.allclose(motion.from_to(0.0, 10.0, 0), np.eye(4))
    assert motion_of("ideas") is None


@pytest.mark.skipif(not SCENES, reason="TILEGPU_BOARDS names the folder of the boards' captures")
@pytest.mark.parametrize("path", SCENES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_captured_frames_follow_from_each_other(path: Path, tmp_path: Path) -> None:
    """The third frame, made from the second, is the captured one; the second is what it was."""
    motion = motion_of(path.stem.partition("_")[0])
    assert motion is not None
    write_moments(motion, path, tmp_path / "made.trace", (0, 1, 2))
    captured, made = frames(path), frames(tmp_path / "made.trace")
    assert made[0] == captured[0]
    for mine, theirs in zip(made[1:3], captured[1:3], strict=True):
        assert len(mine) == len(theirs)
        for (name, arguments), (expected_name, expected) in zip(mine, theirs, strict=True):
            assert name == expected_name
            if name == MATRIX:
                a, b = np.array(arguments[3]), np.array(expected[3])
                assert np.abs(a - b).max() <= 2e-6 * np.abs(b).max()


@pytest.mark.skipif(not SCENES, reason="TILEGPU_BOARDS names the folder of the boards' captures")
def test_a_scene_that_moves_otherwise_is_left_as_it_is(tmp_path: Path) -> None:
    path = next(path for path in SCENES if path.stem == "build_vbo")
    write_moments(MOTIONS["texture"], path, tmp_path / "same.trace", RUN.times)
    assert (tmp_path / "same.trace").read_bytes() == path.read_bytes()
