"""The timeline: it changes nothing, and what it shows adds up to the statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from activity_builder import Rectangle, Scene

from tilegpu.timing import load_configuration, replay
from tilegpu.timing.results.timeline import Timeline


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Small, as some look at each cycle.
    frame = [Rectangle(0, 0, 32, 32, 0.5), Rectangle(5, 5, 20, 15, 0.7), Rectangle(2, 2, 25, 25, 0.2)]
    return Scene(32, 32, frames=[frame, frame]).write(tmp_path_factory.mktemp("timeline") / "activity")


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_a_timeline_adds_up_to_the_statistics(activity: Path, tmp_path: Path, step: int) -> None:
    configuration = load_configuration("ptr-2022", ["raster_units=2", "tiles.width=8", "tiles.height=8"])
    timeline = Timeline(configuration, step, frames=[1])
    watched = replay(activity, configuration, timeline=timeline)
    plain = replay(activity, configuration)
    assert (watched.counted, watched.spent) == (plain.counted, plain.spent)
    timeline.write(tmp_path / "timeline.json")
    events = json.loads((tmp_path / "timeline.json").read_text())["traceEvents"]
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    groups = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    mhz = float(configuration.clocks.gpu)

    spent = plain.spent[1]
    for unit, key in (("rasterizer 1", ("rasterizer", 1, 0)), ("fragment_processor 0.2", ("fragment_processor", 0, 2))):
        looks = [e for e in events if e["ph"] == "C" and tracks[e["pid"], e["tid"]] == unit]
        begins = [round(e["ts"] * mhz) for e in looks]
        end = begins[0] + round(plain.frame(1)["gpu.cycles"])
        lengths = [b - a for a, b in zip(begins, [*begins[1:], end], strict=True)]
        busy = sum(e["args"]["busy"] * length for e, length in zip(looks, lengths, strict=True))
        assert busy == pytest.approx(spent[(*key, "busy")], rel=2e-3, abs=1)

    if step == 1:
        for stage in ("rasterizer", "early_depth", "blending", "tile_flush"):
            spans = [e for e in events if e["ph"] == "X" and tracks[e["pid"], e["tid"]] == stage]
            assert sorted(e["args"]["tile"] for e in spans) == list(range(16))
            for r in (0, 1):
                own = sorted((e["ts"], e["dur"]) for e in spans if groups[e["pid"]] == f"Raster Unit {r}")
                assert len(own) == 8
                ends = [a + d for a, d in own]
                assert all(b >= e - 1e-3 for e, (b, _) in zip(ends, own[1:], strict=False))
