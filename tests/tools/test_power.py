"""`tilegpu power`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.tools.demo import scene_folder


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("power") / "activity"
    record(scene_folder() / "board.trace", folder, FrameRange(0, 1))
    return folder


def test_the_verb(tilegpu, activity: Path, tmp_path: Path) -> None:
    asked = ("power", activity, "--config", "ptr-2022", "--points", "200:600,400:800", "-j", "1")
    done = tilegpu(*asked, "--json")
    assert done.status == 0
    found = json.loads(done.out)
    assert found["lowest"]["gpu_mhz"] == 200 and [point["gpu_mhz"] for point in found["points"]] == [200, 400]
    printed = tilegpu(*asked, "-o", tmp_path / "curve.svg")
    assert printed.status == 0 and "200 MHz and" in printed.out and (tmp_path / "curve.svg").is_file()


@pytest.mark.parametrize(
    "arguments, told",
    [
        ((), "ptr-2022 has no operating points"),
        (("--points", "a:b"), "--points a:b: write MHZ:MV"),
        (("--points", "200:600,400:800", "--warm-up", "1"), "leave none to count"),
        (("--points", "200:600", "--fps", "inf"), "--fps"),
        (("--points", "400:800,200:600"), "ascending"),
        (("--points", "400:9000"), "400 to 1500 mV"),
        (("--config", "mali-g52-mc2"), "one --config at a time: ptr-2022, mali-g52-mc2 were given"),
        (("--points", "200:600", "--set", "clocks.gpu_mhz=300"), "each operating point has its own"),
    ],
)
def test_points_that_make_no_sense(tilegpu, activity: Path, arguments: tuple[str, ...], told: str) -> None:
    done = tilegpu("power", activity, "--config", "ptr-2022", *arguments)
    assert done.status == 2 and told in done.err
