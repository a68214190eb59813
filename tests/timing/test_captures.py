"""Captured applications through both passes: live outcomes are the recorded ones, and the accounts balance."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.config.load import preset_names
from tilegpu.timing.instruments import line_costs, resource_costs
from tilegpu.timing.results.lines import LINES
from tilegpu.timing.results.resources import RESOURCES

TWENTY = 20


@pytest.mark.parametrize("name", ("es2gears_360p", "texture_mipmap_360p", "ideas_360p", "desktop_shadow_360p"))
def test_a_captured_application(captures: Path, tmp_path: Path, name: str) -> None:
    # One frame of the largest, which has as many quads as all the others.
    frames = FrameRange(0, 1 if name == "desktop_shadow_360p" else 2)
    record(captures / f"{name}.trace", tmp_path / "activity", frames)
    one = replay(tmp_path / "activity", load_configuration())
    two = replay(tmp_path / "activity", load_configuration("ptr-2022", ["raster_units=2", "tiles.height=16"]))
    immediate = [replay(tmp_path / "activity", load_configuration(name)) for name in ("imr-2018", "dae-2012-baseline")]
    a, b, c, d = (results.totals() for results in (one, two, *immediate))
    rows = Activity(tmp_path / "activity").manifest.rows
    for s in (a, b, c, d):
        assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
        assert s["fragment.processor.unrecorded_quads"] == 0
        assert s["raster.rasterizer.quads"] == rows["quads"]
        assert s["geometry.primitive_assembly.primitives"] == rows["primitives"]
        assert s["fragment.texture_unit.probes"] == rows["texture_reads"]
        assert s["memory.dram.bytes"] == s["memory.dram.read_bytes"] + s["memory.dram.write_bytes"] > 0
    for name in ("raster.blending.quads", "fragment.processor.quads"):
        assert a[name] == b[name] == c[name] == d[name]
    e = replay(tmp_path / "activity", load_configuration("emerald-case2")).totals()
    assert e["raster.late_depth.mismatched_quads"] == e["simt.raster.wrongly_hidden_quads"] == 0
    assert e["simt.tile_coalescing.quads"] + e["simt.raster.hidden_quads"] == rows["quads"]
    assert e["raster.blending.quads"] == a["raster.blending.quads"]
    assert e["raster.blending.fragments"] == a["raster.blending.fragments"]


TABLES = {resource_costs.NAME: RESOURCES, line_costs.NAME: LINES}
"""Tables of the instruments."""


def _summed(activity: Path, preset: str, instrument: str, *settings: str) -> None:
    """Sums over resources are the frames' traffic, those over lines what units counted."""
    results = replay(activity, load_configuration(preset, list(settings)), instrument=instrument)
    for frame, table in zip(results.frames, results.own[TABLES[instrument]], strict=True):
        values = results.frame(frame)
        shared = [name for name in table.schema.names if name in values]
        assert "memory.dram.read_bytes" in shared and len(shared) > 40
        for name in shared:
            assert sum(table[name].to_pylist()) == values[name], name


@pytest.mark.slow
@pytest.mark.parametrize("instrument", TABLES)
@pytest.mark.parametrize("preset", preset_names())
def test_costs_of_every_preset(captures: Path, tmp_path: Path, preset: str, instrument: str) -> None:
    groups = frozenset({"pass_images"})
    record(captures / "desktop_shadow_360p.trace", tmp_path / "activity", FrameRange(1, 2), "all", groups)
    _summed(tmp_path / "activity", preset, instrument)


@pytest.mark.slow
def test_costs_of_twenty_captures(captures: Path, tmp_path: Path) -> None:
    chosen = sorted(captures.glob("*.trace"))[:TWENTY]
    assert len(chosen) == TWENTY
    for capture in chosen:
        record(capture, tmp_path / capture.stem, FrameRange(0, 1))
        for preset in ("ptr-2022", "mali-g52-mc1"):
            for instrument in TABLES:
                _summed(tmp_path / capture.stem, preset, instrument, "techniques=none")
