"""Costs of resources: they add up to the frame's statistics on every machine, and are those of hand counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from activity_builder import Clear, Rectangle, Scene

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.charging import HELD_UP
from tilegpu.timing.assembly.frame_starts import begin_frame
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import engine_of
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.engine.work import FIRST_DRAW
from tilegpu.timing.instruments.resource_costs import NAME
from tilegpu.timing.loading.resource_ranges import resource_ranges
from tilegpu.timing.results.resource_notes import RecordedUse
from tilegpu.timing.results.resources import RESOURCES, ResourceMeter
from tilegpu.timing.results.results import Results
from tilegpu.timing.results.statistics import statistics
from tilegpu.timing.results.units import table as spent_by_units

PRESETS = ["ptr-2022", "imr-2018", "dae-2012", "emerald-case2", "mali-g52-mc1", "mali-450-mp2", "vro-2018-dr"]
FRAME = [
    Rectangle(0, 0, 16, 16, 0.9),
    Rectangle(2, 2, 6, 10, 0.5, textured=False),
    Rectangle(2, 2, 6, 10, 0.7),
    Clear(1.0),
    Rectangle(0, 0, 9, 7, 0.8, discards=1),
]
READ, WRITTEN = "memory.dram.read_bytes", "memory.dram.write_bytes"


def configured(preset: str, *settings: str) -> Configuration:
    """A preset without techniques that need pictures."""
    keep = "techniques=" + ("decoupled_access" if preset == "dae-2012" else "none")
    return load_configuration(preset, [keep, *settings])


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scene = Scene(width=16, height=16, frames=[FRAME, FRAME[:2], FRAME], load_depth_from_second=True)
    return scene.write(tmp_path_factory.mktemp("scene") / "activity")


@pytest.fixture(scope="module", params=PRESETS)
def costs(request: pytest.FixtureRequest, activity: Path) -> tuple[Results, Results]:
    """Results with costs of resources and without."""
    with_costs, without = (
        replay(activity, configured(request.param), [0, 1], compiled=False, instrument=instrument)
        for instrument in (NAME, "")
    )
    return with_costs, without


def test_nothing_else_changes(costs: tuple[Results, Results]) -> None:
    by_resource, without = costs
    assert by_resource.by_frame() == without.by_frame()
    assert by_resource.spent == without.spent


def test_sums_are_the_frames_statistics(costs: tuple[Results, Results]) -> None:
    results = costs[0]
    for frame, table in zip(results.frames, results.own[RESOURCES], strict=True):
        values = results.frame(frame)
        names = [name for name in table.schema.names if name in values]
        assert {READ, WRITTEN, "memory.l2_cache.accesses"} <= set(names) and len(names) > 40
        for name in names:
            assert sum(table[name].to_pylist()) == values[name], name
        spent = spent_by_units(results.frames, results.spent)
        waits = sum(
            row["cycles"]
            for row in spent.filter(pc.equal(spent["frame"], frame)).to_pylist()
            if row["cause"] not in ("busy", *HELD_UP)
        )
        assert sum(table["waiting_cycles"].to_pylist()) == waits > 0


def rows_of(results: Results, frame: int) -> dict[str, dict[str, Any]]:
    """Rows of a frame by name."""
    return {row["name"]: row for row in results.own[RESOURCES][frame].to_pylist()}


def test_hand_counts(activity: Path) -> None:
    results = replay(activity, configured("ptr-2022"), [0, 1], compiled=False, instrument=NAME)
    first, second = rows_of(results, 0), rows_of(results, 1)
    pixels = 16 * 16 * 4
    for rows in (first, second):
        color, depth = rows["default color 0"], rows["default depth stencil 1"]
        assert (color[READ], color[WRITTEN]) == (0, pixels)
        # The first frame clears depth, the second loads what the first has stored.
        assert (depth[READ], depth[WRITTEN]) == (pixels * (rows is second), pixels)
        assert (color["kind"], color["width"], color["height"], color["format"]) == ("attachment", 16, 16, "RGBA8")
        assert depth["waiting_cycles"] > 0 if rows is second else depth["waiting_cycles"] == 0
    texture = next(row for row in first.values() if row["kind"] == "texture")
    assert texture["level"] == 0 and texture["memory.texture_cache.accesses"] > 0
    # Only textures go through texture caches.
    assert [row["name"] for row in first.values() if row["memory.texture_cache.accesses"]] == [texture["name"]]
    assert first["parameter buffer"]["memory.tile_cache.accesses"] > 0


@pytest.mark.parametrize("preset", ["ptr-2022", "imr-2018", "emerald-case2"])
def test_reads_are_the_lines_that_the_cache_holds(activity: Path, preset: str) -> None:
    """In a first frame without evictions, what was read of a resource is what the last-level cache holds of it."""
    configuration = configured(preset)
    chip, engine, loader = (
        build(configuration, NAME),
        engine_of(configuration, False, NAME),
        Loader(activity, configuration),
    )
    chip = chip.plain()
    ranges = resource_ranges(loader.source, loader.resources)
    meter = ResourceMeter(
        chip, statistics(configuration), ranges, RecordedUse(loader.source, configuration.memory.line_bytes)
    )
    begin_frame(chip)
    assert engine.run(chip.gpu, plain(loader.load(0)), False, 1 << 34)
    cache = chip.gpu.cache[0]
    lines = range(cache.first_line, cache.first_line + (cache.set_mask + 1) * cache.ways)
    held: Counter[str] = Counter()
    for place in lines:
        if chip.gpu.line.tag[place] >= 0:
            address = chip.gpu.line.tag[place] << cache.line_shift
            account = ranges.account[np.searchsorted(ranges.start, address, side="right") - 1]
            held[ranges.rows[account - FIRST_DRAW]["name"]] += 1 << cache.line_shift
    rows = meter.end_frame(0, {})[RESOURCES].to_pylist()
    textures_and_buffers = [row for row in rows if row["kind"] in ("texture", "buffer", "client_arrays")]
    assert len(textures_and_buffers) >= 2
    for row in textures_and_buffers:
        assert row[READ] == held[row["name"]] > 0


def _run(activity: Path, every: bool) -> list[int]:
    configuration = configured("ptr-2022")
    chip, engine, loader = (
        build(configuration, NAME).plain(),
        engine_of(configuration, False, NAME),
        Loader(activity, configuration),
    )
    ResourceMeter(
        chip,
        statistics(configuration),
        resource_ranges(loader.source, loader.resources),
        RecordedUse(loader.source, configuration.memory.line_bytes),
    )
    begin_frame(chip)
    assert engine.run(chip.gpu, plain(loader.load(0)), every, 1 << 34)
    totals: list[int] = chip.gpu.technique.resource_costs.total
    return totals


def test_skipping_idle_units_changes_no_cost(activity: Path) -> None:
    assert _run(activity, False) == _run(activity, True)


@pytest.mark.engine("tile_based by resource")
def test_compiled_costs_are_the_same(activity: Path) -> None:
    configuration = load_configuration("ptr-2022")
    compiled, interpreted = (
        pa.concat_tables(replay(activity, configuration, compiled=compiled, instrument=NAME).own[RESOURCES])
        for compiled in (True, False)
    )
    assert compiled.equals(interpreted)


def test_labels_of_the_application(tmp_path: Path) -> None:
    with Recorder(tmp_path / "labels.trace", 16, 16) as r:
        reading = (
            "precision mediump float; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(0.5)); }"
        )
        r.glUseProgram(r.program("attribute vec4 p; void main() { gl_Position = p; }", reading, ("p",)))
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(256))
        for parameter in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
            r.glTexParameteri(gl.TEXTURE_2D, parameter, gl.NEAREST)
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, 24, np.array([-1, -1, 1, -1, -1, 1], np.float32).tobytes(), gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, 0)
        r.glObjectLabel(gl.TEXTURE, 1, -1, "bricks")
        r.glObjectLabel(gl.BUFFER, 1, -1, "corners")
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()
    record(tmp_path / "labels.trace", tmp_path / "activity")
    results = replay(tmp_path / "activity", configured("ptr-2022"), compiled=False, instrument=NAME)
    labels = {row["kind"]: row["label"] for row in rows_of(results, 0).values() if row["label"]}
    assert labels == {"texture": "bricks", "buffer": "corners"}
