"""Long captures by their verbs: characterize, sample, trace --plan, replay --plan."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.tools.sampling.frames import operations_for
from tilegpu.tools.sampling.plan import read_plan
from tilegpu.tools.sampling.totals import UNITS, measures_in

from ..reference.scenes import quad, use


@pytest.fixture
def counts(tilegpu, scenes: Path, tmp_path: Path) -> Path:
    assert tilegpu("characterize", scenes / "board.trace", "-o", tmp_path / "counts").status == 0
    return tmp_path / "counts"


def test_all_frames_simulated_give_the_sums_of_a_replay(tilegpu, counts: Path, scenes: Path, tmp_path: Path) -> None:
    plan, trace = tmp_path / "plan.json", scenes / "board.trace"
    assert "12 of 12 frames" in tilegpu("sample", counts, "-o", plan, "--per-cluster", "12").out
    assert tilegpu("trace", trace, "-o", tmp_path / "activity", "--plan", plan).status == 0
    done = tilegpu("replay", tmp_path / "activity", "--plan", plan, "--json", "-o", tmp_path / "results")
    sampled = json.loads(done.out)["totals"]
    assert json.loads((tmp_path / "results" / "totals.json").read_text())["totals"] == sampled
    everything = {r["name"]: r["value"] for r in json.loads(tilegpu("replay", tmp_path / "activity", "--json").out)}
    assert sampled["cycles"]["value"] == pytest.approx(everything["gpu.cycles"])
    assert sampled["cycles"]["interval"] == pytest.approx([everything["gpu.cycles"]] * 2)
    moved = everything["memory.dram.read_bytes"] + everything["memory.dram.write_bytes"]
    assert sampled["dram_bytes"]["value"] == pytest.approx(moved)


def test_a_plan_records_some_frames_whole(tilegpu, scenes: Path, tmp_path: Path) -> None:
    plan, trace, counts = tmp_path / "plan.json", scenes / "runner.trace", tmp_path / "counts"
    assert tilegpu("characterize", trace, "-o", counts, "--frames", "1:6").status == 0
    command = "sample", counts, "-o", plan, "--per-cluster", "1"
    assert tilegpu(*command).status == 0
    again = tilegpu(*command)
    assert again.status == 2 and "pass --force" in again.err
    chosen = sorted(n for c in json.loads(plan.read_text())["clusters"] for n in c["chosen"])
    assert tilegpu("trace", trace, "-o", tmp_path / "some", "--plan", plan, "--warm-up", "0").status == 0
    assert tilegpu("trace", trace, "-o", tmp_path / "all", "--frames", "0:6").status == 0
    some, every = Activity(tmp_path / "some"), Activity(tmp_path / "all")
    assert list(some.frames) == chosen and len(chosen) > 1
    for frame in chosen:
        quads = [a.frame("quads", frame).to_pandas() for a in (some, every)]
        pd.testing.assert_frame_equal(*quads)
        # Constants that programs were given between recorded frames are uploaded by the first draw of each.
        assert frame - 1 in chosen or uploaded(some, frame) == uploaded(every, 0)
    lacking = tilegpu("replay", tmp_path / "some", "--plan", plan, "--warm-up", "2")
    assert lacking.status == 2 and "record it with tilegpu trace --plan" in lacking.err
    other = tilegpu("trace", scenes / "board.trace", "-o", tmp_path / "other", "--plan", plan)
    assert other.status == 2 and "another capture than the plan's runner.trace" in other.err


def test_calls_are_executed_once_where_the_counts_are_still_there(tilegpu, scenes: Path, tmp_path: Path) -> None:
    plan, trace, counts = tmp_path / "plan.json", scenes / "runner.trace", tmp_path / "counts"
    assert tilegpu("characterize", trace, "-o", counts).status == 0
    assert tilegpu("sample", counts, "-o", plan, "--per-cluster", "1").status == 0
    assert read_plan(plan).counts == "counts"
    known = operations_for(plan, None, None)
    assert known is not None and operations_for(plan, (32, 32), None) is None
    assert tilegpu("trace", trace, "-o", tmp_path / "known", "--plan", plan).status == 0
    counts.rename(tmp_path / "elsewhere")
    assert operations_for(plan, None, None) is None
    assert tilegpu("trace", trace, "-o", tmp_path / "found", "--plan", plan).status == 0
    files = [{p.name: p.read_bytes() for p in (tmp_path / name).rglob("*.parquet")} for name in ("known", "found")]
    assert files[0] == files[1]


def test_damaged_operations_are_found_again(tilegpu, counts: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    assert tilegpu("sample", counts, "-o", plan).status == 0
    rows = pq.read_table(counts / "operations.parquet")
    endless = {name: rows.schema.get_field_index(name) for name in ("frame", "call")}
    most = {name: pa.array([2**31 - 1] * len(rows), rows.schema.field(name).type) for name in endless}
    too_large = [rows.set_column(place, rows.schema.field(name), most[name]) for name, place in endless.items()]
    for damaged in (rows.take(list(range(len(rows)))[::-1]), rows.slice(1), *too_large):
        pq.write_table(damaged, counts / "operations.parquet")
        assert operations_for(plan, None, None) is None


def uploaded(activity: Activity, frame: int) -> dict[int, int]:
    """Bytes of constants that each program's first draw of a frame uploads."""
    draws = reversed(activity.frame("draws", frame).to_pylist())
    return {draw["program"]: sum(len(upload["data"]) for upload in draw["uploads"]) for draw in draws}


def test_a_budget_counts_frames_that_warm_up(tilegpu, counts: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    assert tilegpu("sample", counts, "-o", plan, "--budget", "6", "--warm-up", "1").status == 0
    assert len(read_plan(plan).with_warm_up(1)) <= 6
    small = tilegpu("sample", counts, "-o", tmp_path / "b.json", "--budget", "2", "--warm-up", "2")
    assert small.status == 2 and "choose 3 at least" in small.err


def test_what_is_no_plan_is_told(tilegpu, scenes: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    done = tilegpu("trace", scenes / "board.trace", "-o", tmp_path / "a", "--plan", tmp_path / "plan.json")
    assert done.status == 2 and "make one with `tilegpu sample`" in done.err
    none = tilegpu("sample", tmp_path, "-o", tmp_path / "p.json")
    assert none.status == 2 and "tilegpu characterize" in none.err


def test_a_plan_is_replayed_on_several_machines(tilegpu, counts: Path, scenes: Path, tmp_path: Path) -> None:
    plan, results = tmp_path / "plan.json", tmp_path / "results"
    assert tilegpu("sample", counts, "-o", plan, "--budget", "4").status == 0
    assert tilegpu("trace", scenes / "board.trace", "-o", tmp_path / "activity", "--plan", plan).status == 0
    command = "replay", tmp_path / "activity", "--plan", plan, "--json"
    both = json.loads(tilegpu(*command, "--set", "raster_units=1,2", "-o", results).out)
    assert both == {name: json.loads((results / name / "totals.json").read_text()) for name in both} and len(both) == 2
    assert list(both.values())[1] == json.loads(tilegpu(*command, "--set", "raster_units=2").out)
    written = {path: path.stat().st_mtime_ns for path in results.glob("*/stats.parquet")}
    again = tilegpu("replay", tmp_path / "activity", "--plan", plan, "--set", "raster_units=1,2", "-o", results)
    assert again.status == 0 and "speed-up" in again.out
    assert written == {path: path.stat().st_mtime_ns for path in written}


def test_a_plan_names_what_it_does_not_take(tilegpu, tmp_path: Path) -> None:
    for options in (("--by-draw",), ("--set", "tiles.width=16,32", "--all")):
        done = tilegpu("replay", tmp_path, "--plan", tmp_path / "plan.json", "--frames", "0:2", *options)
        assert done.status == 2
        assert f"leave out --frames, {options[-1]}" in " ".join(done.err.replace("│", " ").split())


def test_a_plan_without_room_for_first_frames_warns(tilegpu, tmp_path: Path) -> None:
    """Three programs, the second from frame 4 on and the third from frame 8 on."""
    record_changes(tmp_path / "a.trace")
    counts, plan = tmp_path / "counts", tmp_path / "plan.json"
    assert tilegpu("characterize", tmp_path / "a.trace", "-o", counts).status == 0
    short = tilegpu("sample", counts, "-o", plan, "--budget", "8", "--warm-up", "0")
    assert "uses programs first: frame 8;" in short.err and "--budget 12 --max-clusters 12" in short.err
    assert short.status == 0
    enough = tilegpu("sample", counts, "-o", plan, "--budget", "12", "--warm-up", "0", "--force")
    assert enough.status == 0 and "first" not in enough.err
    assert {0, 4, 8} <= set(read_plan(plan).chosen)
    few = tilegpu("sample", counts, "-o", plan, "--max-clusters", "1", "--per-cluster", "1", "--force")
    assert few.status == 0 and "totals may be too low. --max-clusters 12 has room" in few.err


def record_changes(trace: Path) -> None:
    """Twelve frames of a quad, which every four frames another program draws."""
    with Recorder(trace, 16, 16, 2) as r:
        for frame in range(12):
            if frame % 4 == 0:
                use(r, f"precision mediump float; void main() {{ gl_FragColor = vec4({frame / 12}); }}")
            quad(r, -1, -1, 1, 1, 0, (1, 1, 1, 1))
            r.swap()


PLANS, HELD = 20, 0.9


@pytest.mark.slow
def test_intervals_of_twenty_plans_hold_the_sum_of_all_frames(tilegpu, tmp_path: Path) -> None:
    """Of a twin by which nothing about sampling was chosen, with and without a budget."""
    trace, counts, activity, plan = (tmp_path / name for name in ("a.trace", "counts", "activity", "plan.json"))
    size = "--scale", "0.1", "--frames", "80"
    for command in (
        ("workloads", "make", "000-maz+session", *size, "-o", trace),
        ("characterize", trace, "-o", counts),
        ("trace", trace, "-o", activity),
    ):
        assert tilegpu(*command).status == 0
    assert tilegpu("replay", activity, "-o", tmp_path / "every").status == 0
    every = measures_in(tmp_path / "every").values()
    sums = {name: sum(frame[name] for frame in every) for name in UNITS}
    held = 0
    for seed in range(PLANS):
        chosen = "--seed", str(seed), "--vector", "rich", "--budget", str(seed % 4 * 12), "--force"
        assert tilegpu("sample", counts, "-o", plan, *chosen).status == 0
        totals = json.loads(tilegpu("replay", activity, "--plan", plan, "--json").out)["totals"]
        intervals = {name: totals[name]["interval"] for name in sums}
        held += sum(low <= sums[name] <= high for name, (low, high) in intervals.items())
    assert held >= HELD * PLANS * len(sums)
