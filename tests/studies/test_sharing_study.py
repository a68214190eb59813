"""Studies in which workloads share a GPU: pairs are run once in each way, and asked by pair and way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilegpu.tools.studies.catalogue import find_study
from tilegpu.tools.studies.declare import Experiment, Figure, Frames, Machine, Pairs, Sharing, Study
from tilegpu.tools.studies.measured import Measured, NotMeasured
from tilegpu.tools.studies.outcome import outcome
from tilegpu.tools.studies.pairs import share_pairs
from tilegpu.tools.studies.papers.sharing import conclusions, measures
from tilegpu.tools.studies.selection import select

PAIR = "two games"
STUDY = Study(
    name="mine",
    title="Two games",
    source="none",
    workloads=("000-crs", "001-abi"),
    applications=(),
    screen=(64, 64),
    frames=Frames((20,), (21, 22)),
    quick_frames=Frames((20,), (21,)),
    draws=0,
    experiments=(Experiment({"alone": Machine("ptr-2022")}),),
    pairs=Pairs(
        "ptr-2022",
        {PAIR: ("000-crs", "001-abi"), "with another": ("000-crs", "000-bbr")},
        {"one": Sharing("frame"), "two": Sharing("frame", ("command_processor.quantum_frames=2",))},
    ),
    figures=(
        Figure(
            "slowdown",
            "Slowdown",
            "x",
            lambda m: {way: {PAIR: measures.slowdown(0)(m.shared(PAIR, way))} for way in ("one", "two")},
            over=(PAIR,),
        ),
    ),
    conclusions=(),
)


def test_pairs_are_run_once_in_each_way(tmp_path: Path) -> None:
    selection = select(STUDY, names=["000-crs", "001-abi"])
    share_pairs(selection, tmp_path, lambda step: None)
    paths = sorted(tmp_path.rglob("sharing.json"))
    assert [str(path.relative_to(tmp_path)) for path in paths] == [
        f"runs/{PAIR}/{way}/sharing.json" for way in ("one", "two")
    ]
    times = [path.stat().st_mtime_ns for path in paths]
    share_pairs(selection, tmp_path, lambda step: None)
    assert [path.stat().st_mtime_ns for path in paths] == times

    m = Measured(selection, tmp_path, selection.first)
    one, two = (m.shared(PAIR, way) for way in ("one", "two"))
    assert [each["name"] for each in one["applications"]] == ["000-crs", "001-abi"]
    assert [each["frames"] for each in one["applications"]] == [2, 2]
    # With two frames a turn the first is done before the second begins.
    assert measures.slowdown(0)(two) < measures.slowdown(0)(one)
    assert measures.end_cycle(one) == max(each["end_cycle"] for each in one["applications"])
    for missing in ("three", "one"):
        with pytest.raises(NotMeasured):
            (m.at(0) if missing == "one" else m).shared(PAIR, missing)
    with pytest.raises(NotMeasured):
        m.shared("with another", "one")
    (figure,) = outcome(selection, tmp_path)["figures"]
    assert figure["workloads"] == [PAIR]
    assert figure["series"]["one"] == [pytest.approx(measures.slowdown(0)(one), abs=1e-5)]


def test_whole_study_asks_for_what_it_runs() -> None:
    study = find_study("sharing")
    assert study.pairs is not None
    names = {name for pair in study.pairs.pairs.values() for name in pair}
    assert names == {*study.workloads, *study.applications}
    asked: set[tuple[str, str]] = set()

    class Asked(Measured):
        def shared(self, pair: str, sharing: str) -> dict[str, object]:
            asked.add((pair, sharing))
            figures = dict.fromkeys(("cycles", "quads", "l2_misses", "row_hits", "row_misses", "dram_bytes"), 4.0)
            application = {
                "name": "0-000-rok",
                "slowdown": 2.0,
                "end_cycle": 8.0,
                "alone": figures,
                "together": figures,
            }
            whole = dict.fromkeys(("fairness", "throughput", "time_saved"), 1.0)
            return whole | {"compositor": {"cycles": 2.0}, "applications": [application] * 2}

        def value(self, workload: str, machine: str, statistic: str) -> float:
            return 1.0

    m = Asked(select(study), Path(), study.workloads)
    for figure in study.figures:
        assert figure.series(m)
    for conclusion in study.conclusions:
        conclusion.ours(m)
        assert conclusion.why is None or conclusion.why(m)
    assert asked == {(pair, sharing) for pair in study.pairs.pairs for sharing in study.pairs.sharings}
    # By hand: 2 of 8 cycles of both applications.
    assert measures.compositor_share(m.shared(measures.NAMES[0], "frame, compositor")) == 0.25
    assert {each.id for each in conclusions.CONCLUSIONS if each.standing == "seen"} == {
        "frame-saves-nothing",
        "frame-loses-little",
        "tile-fairer",
    }
