"""Frames that count, intervals, and what they decide."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tilegpu.tools.sampling.first_uses import Fills
from tilegpu.tools.studies.declare import Experiment, Frames, Machine, Phase, Study
from tilegpu.tools.studies.drawing import Decision, decide, draws_of
from tilegpu.tools.studies.measured import Measured, Outcome, Row
from tilegpu.tools.studies.rules import parse_rule
from tilegpu.tools.studies.selection import select


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
    first, second = ([draw.of("a", [7, 8, 9]) for draw in draws_of(50)] for _ in range(2))
    assert first == second
    assert all(len(picked) == 3 and set(picked) <= {7, 8, 9} for picked in first)
    assert len(set(map(tuple, first))) > 10


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
    found = decide(parse_rule(rule), values[1], values)
    assert found.interval is not None
    assert found.holds is decided


@pytest.mark.parametrize(
    ("above", "holds", "tied"),
    [(100, True, False), (60, True, False), (40, True, True), (3, True, True), (0, False, False)],
)
def test_names_that_frames_do_not_tell_apart_are_equal(above: int, holds: bool, tied: bool) -> None:
    """Of 100 draws `a` is above `b` in so many; the mean says what most of them say."""
    rule = parse_rule("a among the highest 1")
    high, low = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    found = decide(rule, high if above > 50 else low, [high] * above + [low] * (100 - above))
    assert (found.holds, found.tied, found.interval) == (holds, tied, None)
    order = decide(parse_rule("a > b"), high if above > 50 else low, [high] * above + [low] * (100 - above))
    assert (order.holds, order.tied) == (holds, tied)


def test_without_draws_the_value_alone_decides() -> None:
    assert decide(parse_rule("> 1"), 1.1, []) == Decision(True)
    assert decide(parse_rule("a among the highest 1"), {"a": 1.0, "b": 1.001}, []) == Decision(False)


class _Told(Measured):
    """Runs whose only statistic is told by workload and frame."""

    def _outcome(self, workload: str, machine: str) -> Outcome:
        rows = [{"frame": float(i), "x": value} for i, value in enumerate(TOLD[workload])]
        return Outcome([Row(row, workload) for row in rows], [], [], pa.table({}), Fills({}, 1))


TOLD = {"000-bbr": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "000-cam": [5.0] * 6, "000-maz": [2.0, 2.0, 2.0, 2.0, 2.0, 8.0]}
HALF, EVEN, STILL = TOLD


def _mean(m: Measured) -> float:
    return m.mean(values / 6 for values in m.each("usual", "x").values())


def _told(names: tuple[str, ...], phases: tuple[Phase, ...] = ()) -> Measured:
    """A study of these twins, six frames each."""
    frames = Frames((), tuple(range(6)))
    study = Study(
        name="told", title="", source="", workloads=names, applications=(), screen=None, frames=frames,
        quick_frames=frames, experiments=(Experiment({"usual": Machine("ptr-2022")}),), figures=(), conclusions=(),
        phases=phases,
    )  # fmt: skip
    return _Told(select(study, scale=0.1), Path(), names)


def _interval(ask: Callable[[Measured], float], m: Measured) -> tuple[float, float]:
    found = decide(parse_rule("> 0"), ask(m), [ask(m.drawn(draw)) for draw in draws_of(2000)]).interval
    assert found is not None
    return found


def test_intervals_of_two_groups_are_as_worked_out() -> None:
    """Of six frames, three of which are 1, a draw has k with the chances of six throws of a coin: the middle 95 % goes
    from 1 to 5. In the mean with a game that has no spread it is half as wide; names are those of the study."""
    both = _told((HALF, EVEN))
    assert _interval(_mean, both.of(HALF)) == pytest.approx((1 / 6, 5 / 6))
    assert _interval(_mean, both) == pytest.approx((2.5 + 1 / 12, 2.5 + 5 / 12))
    assert _interval(lambda m: _mean(m.of(EVEN)), both) == (5.0, 5.0)
    for draw in draws_of(20):
        assert list(both.drawn(draw).workloads) == [HALF, EVEN]
        assert set(both.drawn(draw).each("usual", "x")) == {HALF, EVEN}


def test_a_phase_of_one_frame_has_a_weight_and_no_spread() -> None:
    assert _interval(_mean, _told((STILL,)))[1] > 3
    assert _interval(_mean, _told((STILL,), (Phase((5,)),))) == pytest.approx((3.0, 3.0))


def test_frames_weigh_what_their_phase_lasts() -> None:
    phases = (Phase((0, 1), 2), Phase((2, 3, 4, 5), 100))
    assert _told((HALF,), phases).weights() == [1, 1, 25, 25, 25, 25]
    assert _told((HALF,)).weights() == [1] * 6


def test_both_frames_of_a_pair_make_a_moment() -> None:
    pairs = Frames((), (3, 4, 10, 11, 17, 18), before=1, each=2)
    assert pairs.times == (2, 3, 4, 9, 10, 11, 16, 17, 18)
    assert pairs.few().counted == (3, 4, 17, 18)
    assert pairs.among(Frames((), (4, 18), before=2)).counted == (3, 4, 17, 18)
    study = replace(
        _told((HALF,)).selection.study, frames=Frames((), tuple(range(6))),
        experiments=(Experiment({"usual": Machine("ptr-2022")}, moments={HALF: Frames((), tuple(range(6)), each=2)}),),
    )  # fmt: skip
    m = _Told(select(study, scale=0.1), Path(), (HALF,))
    assert [m.at(moment).value(HALF, "usual", "x") for moment in range(3)] == [0, 1, 2]
    assert _interval(_mean, m) == pytest.approx((0.0, 1.0))


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
