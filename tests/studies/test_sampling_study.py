"""The study of sampling, on measures made up here: errors by hand, frames of plans, and curves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.tools.sampling.clustering import Clusters
from tilegpu.tools.sampling.first_uses import Fills
from tilegpu.tools.sampling.plan import Source, new_plan
from tilegpu.tools.sampling.totals import UNITS
from tilegpu.tools.studies.catalogue import find_study
from tilegpu.tools.studies.measured import Measured, NotMeasured
from tilegpu.tools.studies.papers.sampling import measures
from tilegpu.tools.studies.papers.sampling.curves import NAMES, RANDOM, UNIFORM, curves
from tilegpu.tools.studies.papers.sampling.measures import BASE, SPRITES, Sample
from tilegpu.tools.studies.selection import select

SAMPLE = Sample("rich", 0)


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Measured:
    """300 frames in two phases, of 100 and 300 cycles each, and plans of two frames each."""
    selection = select(find_study("sampling"), names=[SPRITES])
    m = Measured(selection, tmp_path, selection.first)
    label = np.repeat([0, 1], 150)
    cycles = np.where(label, 300.0, 100.0)
    cycles[0] = 160

    def plan_of(m: Measured, workload: str, sample: Sample, frames: int, warm_ups: tuple[int, ...] = ()) -> object:
        known = {"versions": {}, "source": Source(name="a", sha256=""), "vector": sample.vector}
        known |= {"groups": (), "first_frame": 0, "seed": sample.seed}
        return new_plan(Clusters(label, np.zeros(300), {}), 2, **known)

    for module in (measures, __import__(curves.__module__, fromlist=["plan_of"])):
        monkeypatch.setattr(module, "plan_of", plan_of)
    chosen = plan_of(m, SPRITES, SAMPLE, 4).chosen  # type: ignore[attr-defined]
    runs = {BASE: cycles, SAMPLE.machine(BASE): 1.1 * cycles[list(chosen)]}
    # A frame that warms up filled 7 empty lines.
    m.once(f"fills of {SPRITES}, {SAMPLE.machine(BASE)}", lambda: Fills({"others": {chosen[0] - 1: 7.0}}, 64))
    for machine, found in runs.items():
        m.once(f"values of {SPRITES}, {machine}", lambda found=found: dict.fromkeys(UNITS, found))  # type: ignore[misc]
    return m


def test_errors_by_hand(measured: Measured) -> None:
    # Frame 0, of 60 cycles more, is not among those that the plan took; each of these was measured a tenth too high.
    assert 0 not in measures.plan(measured, SPRITES, SAMPLE).chosen
    whole = 150 * 100 + 60 + 150 * 300
    off = 100 * (1.1 * 150 * 400 / whole - 1)
    assert measures.error_percent(measured, SPRITES, SAMPLE, "cycles") == pytest.approx(off)
    off = 100 * ((1.1 * 150 * 400 + 7) / whole - 1)
    assert measures.error_percent(measured, SPRITES, SAMPLE, "l2_misses") == pytest.approx(off)
    with pytest.raises(NotMeasured):
        measures.values(measured.at(3), SPRITES, BASE)


def test_frames_of_plans_are_replayed_after_those_that_warm_up(measured: Measured) -> None:
    extended = measured.selection.extended(measures.sampled(measured))
    batches = {run.name: batch.frames for batch in extended.batches_of(SPRITES) for run in batch.runs}
    chosen = measures.plan(measured, SPRITES, SAMPLE).chosen
    assert batches[SAMPLE.machine(BASE)].counted == chosen
    three = batches[Sample("reuse", 0, 3).machine("re-2019")]
    assert set(three.times) == {max(0, n - k) for n in chosen for k in range(4)}
    assert len(batches[BASE].times) == 300
    assert measures.fewer(measured, SPRITES) == 300 / len(three.times)


def test_curves_are_errors_of_means(measured: Measured) -> None:
    found = curves(measured, SPRITES, "cycles")
    whole = 150 * 100 + 60 + 150 * 300
    # Four frames of two phases give 60,000 whatever the seed.
    assert found[NAMES["rich"]]["4"] == pytest.approx(100 * 60 / whole)
    assert found[UNIFORM]["4"] < 0.4 < found[RANDOM]["40"] < found[RANDOM]["4"]
