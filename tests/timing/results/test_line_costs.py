"""Costs of shader lines: they add up to the frame's statistics on every machine, and are those of hand counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from activity_builder import Rectangle, Scene

from tests.quick import quick_ones
from tilegpu.functional.errors import UserError
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.instruments import instrument_of
from tilegpu.timing.instruments.line_costs import NAME
from tilegpu.timing.registry import find_machine
from tilegpu.timing.results import lines
from tilegpu.timing.results.lines import LINES
from tilegpu.timing.results.results import Results
from tilegpu.timing.results.units import table as spent_by_units

PRESETS = quick_ones(
    ("ptr-2022", "imr-2018", "dae-2012", "emerald-case2", "mali-g52-mc1", "mali-450-mp2", "vro-2018-dr"),
    ("ptr-2022", "dae-2012", "emerald-case2", "mali-g52-mc1"),
)
FRAME = [
    Rectangle(0, 0, 16, 16, 0.9),
    Rectangle(2, 2, 6, 10, 0.5, textured=False),
    Rectangle(0, 0, 9, 7, 0.4, discards=1),
]
FIRST_LINE, TEXTURE_LINE, LAST_LINE = 1, 2, 3
"""Of the fragment shaders of a `Scene`: only those that are textured execute the second."""


def configured(preset: str, *settings: str) -> Configuration:
    """A preset without techniques that need pictures."""
    keep = "techniques=" + ("decoupled_access" if preset == "dae-2012" else "none")
    return load_configuration(preset, [keep, *settings])


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scene = Scene(width=16, height=16, frames=[FRAME, FRAME[:2]])
    return scene.write(tmp_path_factory.mktemp("scene") / "activity")


@pytest.fixture(scope="module", params=PRESETS)
def costs(request: pytest.FixtureRequest, activity: Path) -> tuple[Results, Results]:
    """Results with costs of lines and without."""
    with_costs, without = (
        replay(activity, configured(request.param), compiled=False, instrument=instrument) for instrument in (NAME, "")
    )
    return with_costs, without


def test_nothing_else_changes(costs: tuple[Results, Results]) -> None:
    by_line, without = costs
    assert by_line.by_frame() == without.by_frame()
    assert by_line.spent == without.spent


def test_sums_are_the_frames_statistics(costs: tuple[Results, Results]) -> None:
    results = costs[0]
    programmable = {unit.name for unit in find_machine(results.configuration.machine).units if unit.programmable}
    for frame, table in zip(results.frames, results.own[LINES], strict=True):
        values = results.frame(frame)
        names = [name for name in table.schema.names if name in values]
        assert len(names) > 40
        for name in names:
            assert sum(table[name].to_pylist()) == values[name], name
        spent = spent_by_units(results.frames, results.spent)
        rows = [row for row in spent.filter(pc.equal(spent["frame"], frame)).to_pylist() if row["unit"] in programmable]
        issues = sum(row["cycles"] for row in rows if row["cause"] == "busy")
        stalls = sum(row["cycles"] for row in rows if row["cause"] not in ("busy", "idle", "empty"))
        assert pc.sum(table["issue_cycles"]).as_py() == issues > 0
        assert pc.sum(table["stall_cycles"]).as_py() == stalls > 0


def rows_of(results: Results, frame: int) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Rows of a frame's lines by program, stage and line."""
    rows = results.own[LINES][frame].to_pylist()
    return {(r["program"], r["stage"], r["line"]): r for r in rows if r["kind"] == "line"}


def test_hand_counts(tmp_path: Path) -> None:
    """A quad is a warp, which issues an instruction a cycle; so are up to four vertices."""
    small_one = Rectangle(0, 0, 4, 4, 0.5, textured=False)
    scene = Scene(width=16, height=16, frames=[[Rectangle(0, 0, 16, 16, 0.9), small_one]])
    results = replay(scene.write(tmp_path / "a"), configured("ptr-2022"), compiled=False, instrument=NAME)
    rows = rows_of(results, 0)
    # Two triangles each, which share the quads of the diagonal.
    whole, small = 8 * 8 + 8, 2 * 2 + 2
    by_line = {line: rows[0, "fragment", line] for line in (FIRST_LINE, TEXTURE_LINE, LAST_LINE)}
    # Both rectangles have the same program; without texture its path leaves the second line out.
    assert [row["issue_cycles"] for row in by_line.values()] == [whole + small, whole, whole + small]
    assert [row["executed"] for row in by_line.values()] == [256 + 16, 256, 256 + 16]
    lanes = [row["executed"] + row["executed_by_helpers"] for row in by_line.values()]
    assert lanes == [4 * (whole + small), 4 * whole, 4 * (whole + small)]
    assert [row["text"] for row in by_line.values()] == ["a;", "b;", "c;"]
    misses = {line: row["texture_misses"] for line, row in by_line.items()}
    assert misses[TEXTURE_LINE] == results.frame(0)["memory.texture_cache.misses"] > 0
    assert misses[FIRST_LINE] == misses[LAST_LINE] == 0
    # What waits for texels is the instruction that takes them.
    assert by_line[LAST_LINE]["fragment.processor.texel_stall_cycles"] > 0
    assert by_line[FIRST_LINE]["fragment.processor.texel_stall_cycles"] == 0
    vertices = [rows[0, "vertex", line] for line in range(1, 5)]
    warps = results.frame(0)["geometry.vertex_processor.warps"]
    assert [row["issue_cycles"] for row in vertices] == [warps] * 4
    assert {row["executed"] for row in vertices} == {8}


def test_instructions_of_several_cycles_keep_the_processor(tmp_path: Path) -> None:
    scene = Scene(width=16, height=16, frames=[[Rectangle(0, 0, 16, 16, 0.9)]])
    configuration = configured("ptr-2022", "fragment_stage.issue_cycles=3")
    results = replay(scene.write(tmp_path / "a"), configuration, compiled=False, instrument=NAME)
    rows = rows_of(results, 0)
    quads = 8 * 8 + 8
    assert [rows[0, "fragment", line]["issue_cycles"] for line in (FIRST_LINE, LAST_LINE)] == [3 * quads, 3 * quads]


def test_one_instrument_at_a_time() -> None:
    assert (instrument_of(by_line=True), instrument_of()) == (NAME, "")
    with pytest.raises(UserError, match="by_draw and by_line count on engines of their own"):
        instrument_of(by_draw=True, by_line=True)


def test_too_many_lines_are_refused(activity: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_INSTRUCTIONS", 3)
    with pytest.raises(UserError, match="replay it without --by-line"):
        replay(activity, configured("ptr-2022"), compiled=False, instrument=NAME)
