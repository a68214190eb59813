"""Columns of other workloads, readings of everything, and figures that are tables: what they run and show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilegpu.tools.studies.declare import (
    Beside,
    Conclusion,
    Experiment,
    Frames,
    Machine,
    Reading,
    Readings,
    Study,
)
from tilegpu.tools.studies.papers.emerald_2019_memory.cpu_map import POINTS, Cpu
from tilegpu.tools.studies.plots import draw_figures
from tilegpu.tools.studies.selection import select
from tilegpu.tools.studies.study_page import _tables

GAMES = ("002-quake2", "002-ibowl")
FIXED = Reading("fixed functions", workloads={name: f"{name}+fixed" for name in GAMES})
WHOLE = Reading("one warp", ("fragment_stage.warps=1",), whole=True)
USUAL, WIDE = Machine("dae-2012-baseline"), Machine("dae-2012-baseline", ("rasterizer.quads_per_cycle=2",))
STUDY = Study(
    name="columns",
    title="Columns",
    source="nobody",
    workloads=GAMES,
    applications=(),
    screen=None,
    frames=Frames((0,), (1, 2, 3, 4)),
    quick_frames=Frames((0,), (1,)),
    experiments=(Experiment({"usual": USUAL, "wide": WIDE}),),
    figures=(),
    conclusions=(Conclusion("a", "A.", 1, "x", "> 1", lambda m: 1.0),),
    readings=Readings(("usual",), GAMES[:1], ("a",), (WHOLE,)),
    beside=Beside(FIXED, ("usual",), "fixed functions"),
)


def test_a_column_of_other_workloads_runs_these_on_its_machines() -> None:
    selection = select(STUDY)
    assert set(selection.workloads) == {*GAMES, *(f"{name}+fixed" for name in GAMES)}
    assert selection.first == list(GAMES)
    for name in GAMES:
        assert [run.name for run in selection.runs_of(f"{name}+fixed")] == ["usual"]
        assert selection.frames_of(f"{name}+fixed").counted == (1, 3)


def test_a_reading_of_everything_runs_all_workloads_and_frames() -> None:
    selection = select(STUDY)
    for name in GAMES:
        batch = next(b for b in selection.batches_of(name) if "usual@one warp" in [run.name for run in b.runs])
        assert batch.frames.counted == (1, 2, 3, 4)
    part = replace(STUDY, readings=replace(STUDY.readings, readings=(replace(WHOLE, whole=False),)))
    assert ["usual@one warp" in [run.name for run in select(part).runs_of(name)] for name in GAMES] == [True, False]


TABLE = {
    "id": "map",
    "title": "A map",
    "unit": "Rows are machines.",
    "drawn": "table",
    "workloads": ["narrow", "wide"],
    "series": {"time": [1.5, 2.0], "hold": [3.0, 7.0]},
    "paper": {},
    "marked": "hold",
}
CURVES = {
    "id": "over",
    "title": "Over share",
    "unit": "x",
    "drawn": "curves",
    "axis": "share",
    "workloads": ["0.1", "0.4"],
    "series": {"DASH": [1.0, 1.2]},
    "paper": {},
    "bands": {"19 to 20 %": [1.14, 1.24]},
}


def test_a_table_marks_the_rows_in_which_most_hold(tmp_path: Path) -> None:
    lines = list(_tables({"figures": [TABLE, CURVES]}))
    assert lines[-3:-1] == ["| narrow | 1.5 | 3 |", "| **wide** | 2 | 7 |"]
    draw_figures({"figures": [TABLE, CURVES]}, tmp_path)
    assert [path.name for path in (tmp_path / "plots").iterdir()] == ["over.svg"]
    assert "19 to 20 %" in (tmp_path / "plots" / "over.svg").read_text()


def test_points_of_the_map_keep_the_volume() -> None:
    """Lines of a core are misses per million cycles times millions of cycles."""
    for point in POINTS:
        fields = dict(setting.removeprefix("technique.soc.").split("=") for setting in point.settings)
        for field, lines in (("frame_kilocycles", 27_000), ("background_kilocycles", point.beside)):
            asked = 4 * int(fields[field]) / 1000 * point.misses
            assert abs(asked / lines - 1) < 0.01
    assert len({point.name for point in POINTS}) == len(POINTS) == 21
    assert Cpu(6_000, 2, 6_750).name == "6,000 per million cycles, 2 under way, 6,750 beside the GPU"
