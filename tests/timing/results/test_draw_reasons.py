"""Reasons for which draws hold the frame, against cycles counted by hand where memory takes almost all of the time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from activity_builder import Rectangle, Scene

from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.charging import HELD_UP, accounted_units
from tilegpu.timing.config.load import preset_names
from tilegpu.timing.declare.reasons import ASKED, REASONS
from tilegpu.timing.instruments.draw_costs import NAME
from tilegpu.timing.registry import find_machine, package_machines
from tilegpu.timing.results.draws import DRAWS
from tilegpu.timing.results.held_cycles import held_cycles

LATENCY = 10_000
"""Cycles of each access of main memory: far more than all else takes."""
NEAR = 130
"""Cycles that a look every 64 may be wrong by at both ends, and what caches take."""
MEMORY = ["techniques=none", "dram.model=simple", *(f"dram.row_{row}_latency={LATENCY}" for row in ("hit", "miss"))]


def held(tmp_path: Path, preset: str, *items: Rectangle) -> dict[str, int]:
    """Cycles by reason, of all draws of a frame of 16x16 pixels."""
    activity = Scene(width=16, height=16, frames=[list(items)]).write(tmp_path / "activity")
    table = replay(activity, load_configuration(preset, MEMORY), [0], compiled=False, instrument=NAME).own[DRAWS][0]
    rows = [row for row in table.to_pylist() if row["kind"] == "draw"]
    return {name: sum(row[f"cycles.{name}"] for row in rows) for name in REASONS}


@pytest.mark.parametrize("preset", ["ptr-2022", "imr-2018", "mali-g52-mc1", "dae-2012-baseline"])
def test_one_line_of_texels_takes_one_access(tmp_path: Path, preset: str) -> None:
    # Four pixels read 2x2 texels each of one line, and both triangles' quads wait for it at the same time.
    cycles = held(tmp_path, preset, Rectangle(0, 0, 2, 2, 0.9))
    assert cycles["texture_misses"] == pytest.approx(LATENCY, abs=NEAR)
    # Attributes of four vertices lie in one line.
    assert cycles["vertex_fetch"] == pytest.approx(LATENCY, abs=NEAR)


@pytest.mark.parametrize("preset", ["ptr-2022", "imr-2018"])
def test_programs_take_an_access_each(tmp_path: Path, preset: str) -> None:
    cycles = held(tmp_path, preset, Rectangle(0, 0, 2, 2, 0.9, textured=False))
    # Four instructions of 16 bytes are a line, for vertices and for fragments.
    assert cycles["code"] == pytest.approx(2 * LATENCY, abs=2 * NEAR)
    assert cycles["texture_misses"] == cycles["texture_filtering"] == 0


@pytest.mark.parametrize("preset", ["ptr-2022", "imr-2018"])
def test_results_of_a_draw_are_waited_for(tmp_path: Path, preset: str) -> None:
    # Two instructions that need nothing of each other, and one warp: a quad leaves when the results are there, and a
    # rectangle of 2x2 pixels has a quad of each triangle.
    slow = [*MEMORY, "fragment_stage.warps=1", "fragment_stage.processors=1", "fragment_stage.alu_latency=1000"]
    activity = Scene(width=16, height=16, frames=[[Rectangle(0, 0, 2, 2, 0.9, textured=False)]])
    results = replay(
        activity.write(tmp_path / "activity"), load_configuration(preset, slow), compiled=False, instrument=NAME
    )
    (row,) = (row for row in results.own[DRAWS][0].to_pylist() if row["kind"] == "draw")
    assert row["cycles.results"] == pytest.approx(2 * 1000, abs=2 * NEAR)


@pytest.mark.parametrize("name", package_machines())
def test_every_unit_says_why_it_works(name: str) -> None:
    for unit in accounted_units(find_machine(name)):
        reasons = {unit.reasons.get(cause, unit.reason) for cause in unit.causes if cause not in HELD_UP}
        assert reasons <= {*REASONS, ASKED} - {"other", "idle"}, unit.name
        assert (ASKED in reasons) == (unit.asks is not None), unit.name


@pytest.mark.slow
@pytest.mark.parametrize("preset", preset_names())
def test_reasons_of_all_draws_are_the_frames_cycles(tmp_path: Path, preset: str) -> None:
    items = Rectangle(0, 0, 16, 16, 0.9), Rectangle(2, 2, 6, 10, 0.5, discards=1), Rectangle(2, 2, 8, 8, 0.4)
    activity = Scene(width=16, height=16, frames=[list(items)] * 2).write(tmp_path / "activity")
    configuration = load_configuration(preset, ["techniques=none"])
    results = replay(activity, configuration, compiled=False, instrument=NAME)
    for frame, table in zip(results.frames, results.own[DRAWS], strict=True):
        rows = table.to_pylist()
        assert sum(row[f"cycles.{name}"] for row in rows for name in REASONS) == results.frame(frame)["gpu.cycles"]
        assert min(row[f"cycles.{name}"] for row in rows for name in REASONS) == 0


def test_cycles_are_split_in_whole_numbers() -> None:
    # 10 cycles by samples of 1 to 2 to 3: 1.67, 3.33 and 5; the first lost most when rounded down.
    assert held_cycles(np.array([[1.0, 2.0], [3.0, 0.0]]), 10).tolist() == [[2, 3], [5, 0]]
    # Equal parts: the first ones get what is missing.
    assert held_cycles(np.full((1, 3), 0.1), 5).tolist() == [[2, 2, 1]]
    assert held_cycles(np.zeros((2, 2)), 5).sum() == 0


@pytest.mark.parametrize("seed", range(5))
def test_no_cycle_is_lost(seed: int) -> None:
    generator = np.random.default_rng(seed)
    time, cycles = generator.random((300, 18)) ** 9, int(generator.integers(1, 1 << 40))
    parts = held_cycles(time, cycles)
    assert parts.sum() == cycles and (parts >= 0).all()
    assert np.abs(parts - time * (cycles / time.sum())).max() < 1.01


def test_the_page_has_every_reason() -> None:
    page = (Path(__file__).parents[3] / "docs" / "draw_costs.md").read_text()
    for name, meaning in REASONS.items():
        assert f"| `{name}` | {meaning} |" in page
