"""Frames that are rendered without all before them are those of rendering everything."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.characterize.count import Options
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.dependencies.find import find_dependencies
from tilegpu.functional.frame_ranges import FrameRange, FrameSet
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player
from tilegpu.functional.record import record
from tilegpu.tools.workloads.make import make
from tilegpu.tools.workloads.twin_files import find_twin

from ..reference.scenes import draw, use
from .streams import ACTIONS, record_random

FRAMES = 7
Chosen = FrameRange | FrameSet
ALL = FrameRange()
CHOICES: tuple[Chosen, ...] = (FrameRange(4, 5), FrameRange(6, 7), FrameSet(frozenset({1, 5})))


def pictures(path: Path, frames: Chosen = ALL, from_start: bool = False) -> dict[int, bytes]:
    """Frames by number."""
    return {f.number: f.pixels.tobytes() for f in Player(path, frames, from_start=from_start).run()}


def contents(folder: Path) -> dict[str, str]:
    """Hashes of the files in a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def check(path: Path) -> None:
    """Compare some frames of a stream with those from the start."""
    whole = pictures(path)
    for frames in CHOICES:
        assert pictures(path, frames) == {number: p for number, p in whole.items() if number in frames}


@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=5)
def test_random_streams(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = tmp_path_factory.mktemp("random") / "a.trace"
    record_random(path, seed, FRAMES)
    check(path)


@pytest.mark.slow
@given(seed=st.integers(0, 1 << 30), only=st.sets(st.sampled_from(sorted(ACTIONS)), min_size=4))
@settings(max_examples=300)
def test_many_random_streams(tmp_path_factory: pytest.TempPathFactory, seed: int, only: set[str]) -> None:
    path = tmp_path_factory.mktemp("random") / "a.trace"
    record_random(path, seed, FRAMES, (*sorted(only), "draw"))
    check(path)


@pytest.mark.parametrize("seed", range(3))
def test_the_activity_is_the_same(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "a.trace"
    record_random(path, seed, FRAMES)
    groups = frozenset({"pass_images", "colors", "inputs"})
    for frames in (FrameRange(3, 5), FrameSet(frozenset({2, 6}))):
        found = []
        for from_start in (False, True):
            folder = tmp_path / f"activity {from_start}"
            record(path, folder, frames, groups=groups, replace=True, from_start=from_start)
            found.append(contents(folder))
        assert found[0] == found[1]


def test_counts_are_the_same(tmp_path: Path) -> None:
    record_random(tmp_path / "a.trace", 5, FRAMES)
    found = []
    for from_start in (False, True):
        characterize(tmp_path / "a.trace", tmp_path / str(from_start), Options(FrameRange(4, 7), from_start=from_start))
        found.append(contents(tmp_path / str(from_start)))
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(4))
def test_operations_noted_while_frames_are_counted(tmp_path: Path, seed: int) -> None:
    """They spare recording a second run over the calls, and lead to the same frames."""
    path = tmp_path / "a.trace"
    record_random(path, seed, FRAMES)
    characterize(path, tmp_path / "counts")
    known = Characterization(tmp_path / "counts").operations()
    assert max(known.frames) >= FRAMES - 1
    for frames in CHOICES:
        found, noted = find_dependencies(path, frames, "swap"), known.needed_by(frames)
        calls = range(max(known.calls) + 1)
        assert [call in found.skipped for call in calls] == [call in noted.skipped for call in calls]
        activities = []
        for start, operations in ((True, None), (False, known)):
            folder = tmp_path / f"activity {start}"
            record(path, folder, frames, replace=True, from_start=start, operations=operations)
            activities.append(contents(folder))
        assert activities[0] == activities[1]


def _uniforms(path: Path) -> None:
    """A stream whose uniforms change in some frames, also between draws."""
    with Recorder(path, 16, 16) as r:
        place = r.glGetUniformLocation(use(r), "shift")
        for frame in range(FRAMES):
            r.glClear(gl.COLOR_BUFFER_BIT)
            for step in range(2):
                if (frame + step) % 3:
                    r.glUniform4f(place, 0.1 * frame, 0.2 * step, 0, 0)
                draw(r, gl.POINTS, [(-0.5, 0.5 * step, 0, 1)], [(0, 1, 0, 1)])
            r.swap()


def _fixed_functions(path: Path) -> None:
    make(replace(find_twin("000-crs"), width=32, height=32), path, FRAMES)


@pytest.mark.parametrize("stream", [_uniforms, _fixed_functions])
def test_draws_that_are_passed_over_leave_constants_as_they_were(
    tmp_path: Path, stream: Callable[[Path], None]
) -> None:
    """Those of the next frames that are recorded say which of them changed."""
    path = tmp_path / "a.trace"
    stream(path)
    found = []
    for from_start in (True, False):
        folder = tmp_path / str(from_start)
        record(path, folder, FrameSet(frozenset({2, 3, 6})), from_start=from_start)
        found.append(contents(folder))
    assert found[0] == found[1]
    uploads = Activity(tmp_path / "False").frame("draws", 6, ["uploads"])["uploads"].to_pylist()
    assert any(uploads)


def _swapped(path: Path, cleared: bool) -> Player:
    """The last frame of a stream that draws a triangle and a point that moves."""
    with Recorder(path, 16, 16) as r:
        use(r)
        for frame in range(FRAMES):
            if cleared:
                r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
            draw(r, gl.TRIANGLES, [(-1, -1, 0, 1), (0, 0, 0, 1), (frame / 9, 1, 0, 1)], [(1, 0, 0, 1)] * 3)
            draw(r, gl.POINTS, [(frame / 9, -0.5, 0, 1)], [(0, 1, 0, 1)])
            r.swap()
    player = Player(path, FrameRange(FRAMES - 1, FRAMES))
    assert [f.pixels.tobytes() for f in player.run()] == [pictures(path, from_start=True)[FRAMES - 1]]
    return player


def test_frames_that_begin_with_a_clear_stand_alone(tmp_path: Path) -> None:
    found = _swapped(tmp_path / "a.trace", True).dependencies
    assert found.unneeded == {"draw": 2 * (FRAMES - 1), "clear": FRAMES - 1}
    assert found.operations == {"draw": 2 * FRAMES, "clear": FRAMES}


def test_a_window_that_is_never_cleared_needs_all_draws(tmp_path: Path) -> None:
    """A swap keeps the pixels here, as a copy of buffers does."""
    found = _swapped(tmp_path / "a.trace", False).dependencies
    assert not found.unneeded
    assert found.operations == {"draw": 2 * FRAMES}


@pytest.mark.parametrize("name", ["board", "courtyard", "runner", "sprites"])
def test_bundled_scenes(scenes: Path, name: str) -> None:
    path = scenes / f"{name}.trace"
    frames = FrameSet(frozenset({2, 5}))
    player = Player(path, frames)
    part = {f.number: f.pixels.tobytes() for f in player.run()}
    assert part == {number: p for number, p in pictures(path, FrameRange(0, 6)).items() if number in frames}
    assert player.dependencies.unneeded.total() > player.dependencies.operations.total() // 2


@pytest.mark.parametrize("name", ["life", "light_culling", "particles"])
def test_bundled_compute_programs(scenes: Path, name: str) -> None:
    path = scenes / "compute" / f"{name}.trace"
    whole = pictures(path)
    last = max(whole)
    assert pictures(path, FrameRange(last, last + 1)) == {last: whole[last]}
