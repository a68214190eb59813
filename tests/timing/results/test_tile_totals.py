"""Columns of the table of tiles, on each machine: they add up to the frame's totals, and 0 means no work."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from activity_builder import Rectangle, Scene

from tests.compute.programs.life import record as record_life
from tests.tools.conftest import tilegpu  # noqa: F401
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, machines, replay
from tilegpu.timing.registry import machine_names
from tilegpu.tools.demo import scene_folder

PRESETS = {
    "tile_based": "ptr-2022-2ru",
    "unified": "mali-g52-mc1",
    "simt": "emerald-case2",
    "immediate": "imr-2018",
    "programmable_blending": "dae-2012",
}
COLUMNS = {
    "busy_cycles": ("fragment.processor.busy_cycles", "simt.core.busy_cycles"),
    "texture_misses": ("memory.texture_cache.read_misses",),
    "shaded_quads": ("raster.early_depth.survived_quads", "raster.depth.survived_quads", "simt.core.quads"),
    "quads": ("raster.rasterizer.quads",),
}


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two frames with textures, and their pictures."""
    folder = tmp_path_factory.mktemp("tiles") / "activity"
    groups = frozenset(("pass_images",))
    record(scene_folder() / "board.trace", folder, FrameRange(0, 2), groups=groups)
    return folder


def sums(table: pa.Table) -> dict[str, int | None]:
    return {name: pc.sum(table[name]).as_py() for name in COLUMNS}


def test_every_machine_is_tried() -> None:
    assert set(PRESETS) == {path.stem for path in Path(machines.__path__[0]).glob("[a-z]*.py")} & {*machine_names()}


@pytest.mark.parametrize("machine", PRESETS)
def test_columns_add_up(activity: Path, machine: str) -> None:
    configuration = load_configuration(PRESETS[machine])
    assert configuration.machine == machine
    results = replay(activity, configuration)
    for counted, table in zip(results.counted, results.tiles, strict=True):
        whole = sums(table)
        for column, names in COLUMNS.items():
            total = next((counted[name] for name in names if name in counted), None)
            if total is not None and whole[column] is not None:
                assert whole[column] == total > 0, column
        assert whole["busy_cycles"] and whole["texture_misses"] and whole["shaded_quads"]
        check_tiles(table, machine)


def check_tiles(table: pa.Table, machine: str) -> None:
    tiles = table.filter(pc.is_valid(table["tile"])).to_pylist()
    rest = table.filter(pc.is_null(table["tile"])).to_pylist()
    assert all((row["busy_cycles"] > 0) == (row["shaded_quads"] > 0) for row in tiles)
    assert not any(row["texture_misses"] for row in tiles if not row["shaded_quads"])
    if machine in ("unified", "simt"):
        # Of vertices, which these cores shade, too.
        assert [row["busy_cycles"] > 0 and row["x"] is None for row in rest] == [True]
        assert {row["imbalance"] for row in tiles} == {None}
    else:
        assert not rest
        assert any(row["imbalance"] > 0 for row in tiles)


def test_dispatches_belong_to_no_tile(tmp_path: Path) -> None:
    record_life(tmp_path / "life.trace")
    record(tmp_path / "life.trace", tmp_path / "activity", FrameRange(0, 1), groups=frozenset(("pass_images",)))
    results = replay(tmp_path / "activity", load_configuration("mali-g52-mc1"))
    rows = results.tiles[0].to_pylist()
    last = rows[-1]
    assert last["tile"] is None and last["busy_cycles"] > 0
    assert sum(row["busy_cycles"] for row in rows) == results.counted[0]["simt.core.busy_cycles"]


def test_pages_open_on_what_has_values(tilegpu: Any, activity: Path, tmp_path: Path) -> None:  # noqa: F811
    for preset in ("mali-g52-mc1", "emerald-case2"):
        out = tmp_path / preset
        assert tilegpu("replay", activity, "-o", out, "--config", preset).status == 0
        assert tilegpu("report", out, "-o", tmp_path / "r.html").status == 0
        text = (tmp_path / "r.html").read_text("utf-8")
        found = re.search(r'<script type="application/json" id="tiles-data">(.*?)</script>', text, re.S)
        assert found is not None
        data = json.loads(found[1], parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
        names = [metric["name"] for metric in data["metrics"]]
        assert names[0] == "busy_cycles" and "imbalance" not in names
        assert ("quads" in names) == (preset == "mali-g52-mc1")
        assert max(value for value in data["views"][0]["maps"][0]["values"]["busy_cycles"] if value) > 0
        command = ("inspect", scene_folder() / "board.trace", "--results", out, "-o", tmp_path / "page.html")
        done = tilegpu(*command)
        assert done.status == 0, done.err


@pytest.mark.parametrize("preset", ["ptr-2022", "mali-g52-mc1", "imr-2018", "emerald-case2"])
def test_bytes_of_tiles_are_those_of_attachments(tmp_path: Path, preset: str) -> None:
    """No cache holds what a tile loads and stores, so main memory moves the same bytes."""
    rectangle = [Rectangle(0, 0, 16, 16, 0.9)]
    scene = Scene(width=48, height=40, frames=[rectangle, rectangle], load_depth_from_second=True)
    results = replay(scene.write(tmp_path / "a"), load_configuration(preset, ["techniques=none"]), compiled=False)
    for number, frame in enumerate(results.frames):
        rows = [row for row in results.tile_table().to_pylist() if row["frame"] == frame and row["tile"] is not None]
        if preset in ("imr-2018", "emerald-case2"):
            assert {row["stored_bytes"] for row in rows} == {row["loaded_bytes"] for row in rows} == {None}
            continue
        # The second frame loads the depths that the first has stored.
        assert sum(row["loaded_bytes"] for row in rows) == number * 48 * 40 * 4
        for row in rows:
            assert row["stored_bytes"] == 2 * row["width"] * row["height"] * 4
