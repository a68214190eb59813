"""`--profile`: stages cover the time, nested ones are not counted twice, and results stay the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from tilegpu.functional.player import Player
from tilegpu.functional.stage_clock import STAGES, StageClock
from tilegpu.tools.main import app


def test_a_stage_inside_another_stops_its_time() -> None:
    ticks = iter([0.0, 1.0, 4.0, 6.0])
    clock = StageClock(lambda: next(ticks))
    with clock.stage("outer"), clock.stage("inner"):
        pass
    assert clock.seconds == {"outer": 3.0, "inner": 3.0}


def test_getting_items_is_timed_and_working_on_them_is_not() -> None:
    ticks = iter(range(100))
    clock = StageClock(lambda: float(next(ticks)))
    seen = []
    for item in clock.iterate("get", [1, 2]):
        clock._now()
        seen.append(item)
    assert (seen, clock.seconds) == ([1, 2], {"get": 3.0})


def test_measuring_changes_no_image(scenes: Path) -> None:
    clock = StageClock()
    plain, measured = (
        [frame.pixels for frame in Player(scenes / "sprites.trace", **options).run()]
        for options in ({}, {"clock": clock})
    )
    np.testing.assert_array_equal(plain, measured)
    assert set(clock.seconds) <= set(STAGES)
    assert clock.seconds["shading, late tests, blending"] > 0


def test_the_table_names_every_stage(scenes: Path, tmp_path: Path) -> None:
    for verb in ("render", "trace"):
        done = CliRunner().invoke(
            app, [verb, str(scenes / "sprites.trace"), "-o", str(tmp_path / verb), "--profile", "--frames", "0:2"]
        )
        assert done.exit_code == 0, done.output
        assert all(stage in done.output for stage in STAGES)
        assert "vertices and primitives" in done.output and "fused" in done.output
