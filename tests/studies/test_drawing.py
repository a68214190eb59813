"""Frames that count, intervals, and what they decide."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tilegpu.tools.studies.declare import Frames
from tilegpu.tools.studies.drawing import draws, spread
from tilegpu.tools.studies.rules import parse_rule


def test_each_frame_after_one_that_warms_up() -> None:
    frames = Frames((), (5, 20, 21, 50), before=1)
    assert frames.times == (4, 5, 19, 20, 21, 49, 50)
    assert frames.places_in(frames) == (1, 3, 4, 6)
    assert frames.few().times == (4, 5, 20, 21)
    assert frames.of_application() == Frames((0,), (1, 2, 3, 4))


def test_frames_that_warm_up_once_stay_first() -> None:
    frames = Frames((19,), (20, 40))
    assert (frames.times, frames.places_in(frames)) == ((19, 20, 40), (1, 2))
    assert frames.of_application() == Frames((0,), (1, 2))


def test_draws_are_the_same_every_time_and_with_replacement() -> None:
    first, second = list(draws(("a", "b", "c"), 50)), list(draws(("a", "b", "c"), 50))
    assert first == second
    assert len({draw.workloads for draw in first}) > 10
    assert any(len({name[0] for name in draw.workloads}) < 3 for draw in first)
    for draw in first:
        assert len(set(draw.workloads)) == 3
        picked = draw.frames_of("a~0", [7, 8, 9])
        assert picked == draw.frames_of("a~0", [7, 8, 9])
        assert len(picked) == 3 and set(picked) <= {7, 8, 9}


@pytest.mark.parametrize(
    ("rule", "values", "decided"),
    [
        ("> 1", [1.2, 1.3, 1.4], True),
        ("> 1", [0.2, 0.3, 0.4], False),
        ("> 1", [0.9, 1.1, 1.2], None),
        ("within 10 % of 2", [1.9, 2.0, 2.1], True),
        ("within 10 % of 2", [1.5, 1.6, 1.7], False),
        # Its ends miss the range on either side.
        ("1.9 to 2.1", [1.0, 1.5, 3.0], None),
    ],
)
def test_an_interval_that_crosses_the_bound_decides_nothing(rule: str, values: list[float], decided: bool) -> None:
    found = spread(parse_rule(rule), values)
    assert found is not None and found.interval is not None
    assert found.decides(parse_rule(rule), values[1]) is decided


def test_ranks_are_decided_by_nearly_all_draws() -> None:
    rule = parse_rule("a among the highest 1")
    high, low = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    for often, decided in ((100, True), (98, True), (90, None), (10, None), (0, False)):
        found = spread(rule, [high] * often + [low] * (100 - often))
        assert found is not None and found.interval is None
        assert found.decides(rule, high if often > 50 else low) is decided, often


def test_nothing_drawn_is_no_interval() -> None:
    assert spread(parse_rule("> 1"), []) is None


def test_only_counted_frames_are_kept(tilegpu, own: Path, tmp_path: Path) -> None:
    """A frame before each counted one is drawn and counts nowhere; an experiment on a few frames has every other."""
    text = own.read_text().replace("frames=Frames((0,), (1, 2))", "frames=Frames((), (1, 4, 7, 9, 11), before=1)", 1)
    own.write_text(text.replace("with_applications=False)", "with_applications=False, few=True)"))
    folder = tmp_path / "out"
    done = tilegpu("study", own, "-o", folder, "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert found["frames"] == {"warm_up": [], "counted": [1, 4, 7, 9, 11], "before": 1, "fewer": {"square": 1}}

    def cycles(workload: str, machine: str) -> dict[int, float]:
        rows = pq.read_table(folder / "runs" / workload / machine / "stats.parquet").to_pylist()
        return {row["frame"]: row["value"] for row in rows if row["name"] == "gpu.cycles"}

    # Of frames 0, 1, 3, 4, 6 to 11 of the animation, numbered from 0 in the activity.
    assert set(cycles("small", "usual")) == {1, 3, 5, 7, 9}
    assert set(cycles("small", "two")) == {1, 5, 9}
    narrow, usual = cycles("small", "narrow"), cycles("small", "usual")
    slower = found["conclusions"][0]
    assert slower["ours"] == pytest.approx(sum(narrow.values()) / sum(usual.values()), abs=1e-5)
    low, high = slower["interval"]
    assert low <= slower["ours"] <= high
    # The ends are ratios of sums over five drawn frames.
    by_frame = [narrow[f] / usual[f] for f in usual]
    assert min(by_frame) - 1e-6 <= low and high <= max(by_frame) + 1e-6
    assert slower["holds"] is True and slower["undecided"] is False


def test_slow_workloads_have_every_other_moment(tilegpu, own: Path, tmp_path: Path) -> None:
    """All of their machines take these, and nothing else is recorded."""
    text = own.read_text().replace("frames=Frames((0,), (1, 2))", 'frames=Frames((), (1, 4, 7)), slow=("small",)', 1)
    own.write_text(text)
    folder = tmp_path / "out"
    done = tilegpu("study", own, "-o", folder, "--json")
    assert done.status == 0, done.err
    for machine in ("usual", "two"):
        rows = pq.read_table(folder / "runs" / "small" / machine / "stats.parquet").to_pylist()
        assert {row["frame"] for row in rows} == {0, 1}
