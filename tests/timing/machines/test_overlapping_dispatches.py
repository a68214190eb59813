"""Dispatches beside draws on SIMT clusters, as memory barriers, targets and copies allow."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from ordered_work import ordered_work
from test_compute import compute

from tilegpu.timing import load_configuration, replay

pytestmark = pytest.mark.engine("simt")

IN_TURN = "work_groups.synchronization=in_turn"
NO_LAUNCH = "work_groups.launch_cycles=0"
APART = "dispatch", "barrier", "draw"
TOGETHER = "dispatch", "draw"
EARLY = "target 1", "draw", "window", "dispatch", "draw"
SAMPLING = "target 0", "draw", "window", "sample", "draw"


def test_a_barrier_makes_draws_wait_for_dispatches() -> None:
    apart, together = (compute(ordered_work(*steps), NO_LAUNCH) for steps in (APART, TOGETHER))
    assert together["gpu.cycles"] < apart["gpu.cycles"]
    # They share caches, not work.
    for name in ("gpu.dispatches", "simt.core.compute_warps", "simt.core.fragment_warps", "simt.core.quads"):
        assert together[name] == apart[name] > 0
    assert apart["gpu.compute_cycles"] > together["gpu.compute_cycles"]


def test_in_turn_barriers_do_not_matter() -> None:
    apart, together = (compute(ordered_work(*steps), NO_LAUNCH, IN_TURN) for steps in (APART, TOGETHER))
    assert apart == together == compute(ordered_work(*APART), NO_LAUNCH)


def test_the_longer_of_two_that_run_at_the_same_time_decides() -> None:
    # The launch alone takes longer than the draw.
    settings = "work_groups.launch_cycles=20000"
    alone, together = (compute(ordered_work(*steps), settings) for steps in (("dispatch",), TOGETHER))
    assert 20000 < together["gpu.cycles"] < alone["gpu.cycles"] + 500


@pytest.mark.parametrize(("steps", "early"), [(EARLY, True), (SAMPLING, False)])
def test_dispatches_begin_early_unless_they_sample_a_target(
    steps: tuple[str, ...], early: bool, tmp_path: Path
) -> None:
    settings = ["dram=simple", NO_LAUNCH]
    begins = []
    for k, more in enumerate(([], [IN_TURN])):
        configuration = load_configuration("emerald-case2", [*settings, *more])
        replay(ordered_work(*steps), configuration, frames=[0, 1]).write(tmp_path / str(k))
        begins.append(pq.read_table(tmp_path / str(k) / "dispatches.parquet")["first_cycle"][0].as_py())
    assert (begins[0] < begins[1]) == early
    if not early:
        assert begins[0] == begins[1]


@pytest.mark.parametrize("steps", [TOGETHER, EARLY])
def test_engines_agree_on_what_overlaps(steps: tuple[str, ...]) -> None:
    usual = compute(ordered_work(*steps), NO_LAUNCH)
    assert compute(ordered_work(*steps), NO_LAUNCH, every=True) == usual
    assert compute(ordered_work(*steps), NO_LAUNCH, compiled=False) == usual
