"""`tilegpu collisions` on a recorded scene, and on what it cannot take."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from tilegpu.collisions import Options, detect, load_cpu, sensitivity
from tilegpu.collisions.sensitivity import plausible

from ..full_disk import full_disk
from ..tools.conftest import Done, tilegpu
from .scenes import moved, recorded

__all__ = ["tilegpu"]
CAR, BALL, WALL = (f"collisionable:{name}" for name in ("car", "ball", "wall"))
EIGHTH = 0.7853981633974483


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ball comes nearer to a car: apart; in the corner of a turned box; in the car. A wall is far."""
    frames = [
        [(CAR, moved(0, turn=EIGHTH)), ("ground", moved(0)), (BALL, moved(x, x, scale=0.5)), (WALL, moved(9))]
        for x in (3.0, 1.6, 1.0)
    ]
    return recorded(tmp_path_factory.mktemp("collisions"), frames)


def test_pairs_counts_and_costs_are_written(tilegpu, activity: Path, tmp_path: Path) -> None:
    done: Done = tilegpu("collisions", activity, "--world-matrix", "u_world", "--by-frame", "-o", tmp_path / "found")
    assert (done.status, done.err.strip()) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    # It fits a terminal of 80 columns.
    assert ["frame", "objects", "vertices", "boxes", "hulls", "broad", "us", "GJK", "us"] in [x[:9] for x in lines]
    assert [line[:5] for line in lines if line and line[0] == "2"] == [["2", "3", "24", "1", "1"]]
    pairs = pd.read_parquet(tmp_path / "found" / "cpu_collisions.parquet")
    # The turned car's box reaches 1.41, the ball's begins at 1.1 in the second frame; its corner is outside of the car.
    assert pairs.values.tolist() == [[1, CAR, BALL, True, False], [2, CAR, BALL, True, True]]
    found = json.loads((tmp_path / "found" / "cpu_collisions.json").read_text())
    assert [frame["objects"] for frame in found["frames"]] == [3, 3, 3]
    assert found["frames"][0]["narrow"]["seconds"] == 0 < found["frames"][1]["narrow"]["seconds"]
    for phase in ("broad", "narrow"):
        for unit in ("seconds", "joules"):
            total = sum(frame[phase][unit] for frame in found["frames"])
            assert found["totals"][f"{phase}_{unit}"] == pytest.approx(total)
    assert found["cpu"]["core"]["clock_mhz"] == 1500


def test_pixels_of_a_replay_are_set_beside(tilegpu, activity: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    stats = {"format": "tilegpu-results", "frames": [{"frame": number} for number in (1, 2)]}
    (results / "stats.json").write_text(json.dumps(stats))
    options = ("--world-matrix", "u_world", "--results", results, "-o", tmp_path / "found")
    done = tilegpu("collisions", activity, *options)
    assert done.status == 2 and "rbcd-2018-rbcd" in done.err and not (tmp_path / "found").exists()
    # At one of three pixels fragments were lost; at another the pair is found twice.
    rows = [(2, CAR, BALL, x, y, lost) for x, y, lost in ((3, 0, False), (4, 0, True), (3, 1, False), (3, 1, False))]
    table = pd.DataFrame(rows, columns=["frame", "label_a", "label_b", "x", "y", "overflow"])
    table.to_parquet(results / "collisions.parquet")
    done = tilegpu("collisions", activity, *options)
    assert done.status == 0, done.err
    # The frame before has a pair of boxes, and the first one was not replayed.
    lines = [line.split() for line in done.out.splitlines() if "ball and car" in line]
    assert lines == [
        ["1", "ball", "and", "car", "overlap", "apart", "0"], ["2", "ball", "and", "car", "overlap", "overlap", "3"]
    ]  # fmt: skip
    (path,) = (tmp_path / "found" / "pictures").iterdir()
    picture = np.asarray(Image.open(path))
    assert path.name == "frame_0002.png" and picture.any(axis=2).sum() == 3
    assert picture[-1, 4].tolist() == [255, 255, 255] and picture[-1, 3].tolist() == picture[-2, 3].tolist()


def test_a_full_disk_leaves_nothing(tilegpu, activity: Path, tmp_path: Path) -> None:
    detected = ("collisions", activity, "--world-matrix", "u_world", "-o", tmp_path / "found")
    with full_disk(100):
        done = tilegpu(*detected)
    assert done.status == 2 and "cpu_collisions" in done.err and "File too large" in done.err
    assert not [path for path in tmp_path.iterdir() if "found" in path.name]


def test_the_same_input_gives_the_same_bytes(tilegpu, activity: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        assert tilegpu("collisions", activity, "--world-matrix", "u_world", "-o", folder).status == 0
    for name in ("cpu_collisions.parquet", "cpu_collisions.json"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_the_broad_phase_alone(tilegpu, activity: Path, tmp_path: Path) -> None:
    options = ("--world-matrix", "u_world", "--broad-only", "-o", tmp_path)
    printed = tilegpu("collisions", activity, *options, "--json")
    assert printed.status == 0 and printed.out == (tmp_path / "cpu_collisions.json").read_text()
    pairs = pd.read_parquet(tmp_path / "cpu_collisions.parquet")
    assert pairs.narrow.isna().all() and len(pairs) == 2
    found = json.loads((tmp_path / "cpu_collisions.json").read_text())
    assert found["totals"]["narrow_joules"] == 0 < found["totals"]["broad_joules"]
    done = tilegpu("collisions", activity, *options)
    assert done.status == 2 and "--force" in done.err
    assert tilegpu("collisions", activity, *options, "--force").status == 0


def test_sensitivity_tries_every_uncertain_value(tilegpu, activity: Path, tmp_path: Path) -> None:
    options = Options("u_world")
    found = detect(activity, options)
    outcomes = sensitivity(activity, found)
    assert [(outcome.field, outcome.value) for outcome in outcomes] == plausible(options.cpu)
    by_field = {(outcome.field, outcome.value): outcome for outcome in outcomes}
    slow = by_field["memory.memory_ns", 250]
    assert slow.broad_seconds == detect(activity, Options("u_world", cpu=load_cpu(["memory.memory_ns=250"]))).total(
        "broad_seconds"
    )
    assert by_field["bounding_box", "support"].broad_seconds > found.total("broad_seconds")
    done = tilegpu("collisions", activity, "--world-matrix", "u_world", "--sensitivity", "-o", tmp_path)
    assert "memory.memory_ns" in done.out
    assert len(json.loads((tmp_path / "cpu_collisions.json").read_text())["sensitivity"]) == len(outcomes)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--world-matrix"),
        (("--world-matrix", "u_world", "--position", "p"), "tint, a_position"),
        (("--world-matrix", "u_world", "--set", "core.speed=1"), "core.speed=1"),
        (("--world-matrix", "u_world", "--objects", "mesh"), "choose label or draw"),
    ],
)
def test_what_cannot_be_done_ends_in_one_line(
    tilegpu, activity: Path, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    done = tilegpu("collisions", activity, *arguments, "-o", tmp_path / "found")
    assert done.status == 2
    assert told in done.err and "\n" not in done.err.strip()
    assert not list(tmp_path.iterdir())


def test_a_folder_of_something_else_is_left_alone(tilegpu, activity: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = tilegpu("collisions", activity, "--world-matrix", "u_world", "-o", tmp_path, "--force")
    assert done.status == 2 and "holds no collisions" in done.err
    assert (tmp_path / "mine.txt").read_text() == "mine"
