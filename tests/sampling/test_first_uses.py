"""First uses: what a plan knows of them and makes of it, against sets and sums worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.run import characterize
from tilegpu.tools.sampling.first_uses import Fills, variance_of_ratio
from tilegpu.tools.sampling.plan import Cluster, FirstUses, Plan, PlanError, Source, read_plan, write_plan
from tilegpu.tools.sampling.planning import PlanLimits, planned
from tilegpu.tools.sampling.totals import Total, totals
from tilegpu.tools.sampling.vectors import vectors

from ..characterize import buffers, texels
from ..characterize.scenes import record_ways

SOURCE = Source(name="game.trace", sha256="00")
PLAN = Plan(
    versions={},
    source=SOURCE,
    vector="paper",
    groups=("primitives",),
    seed=0,
    scores={},
    first_frame=10,
    cluster_of_frame=(0, 0, 0, 1),
    clusters=(Cluster(frames=3, chosen=(10, 12), spread=0), Cluster(frames=1, chosen=(13,), spread=0)),
    first_uses={"texels": FirstUses(all_frames=60, by_warm_up={0: (3, 2, 45)})},
)
BY_KIND = {
    "parameter_buffer": {10: 2, 12: 0, 13: 8},
    "texels": {10: 6, 12: 4, 13: 90},
    "buffers": {10: 1, 12: 1, 13: 1},
}
FILLS = Fills(BY_KIND, line_bytes=2)


BLOCKS: dict[str, Callable[[Characterization, int], Any]] = {"texels": texels.found, "buffers": buffers.found}


def measured(plan: Plan, fills: Fills) -> tuple[Total, Total]:
    """Totals of DRAM bytes and L2 misses, of 10, 14 and 100 of everything."""
    every = {10: 20.0, 12: 28.0, 13: 200.0}
    by_frame = {f: {"cycles": v, "energy": v, "dram_bytes": v, "l2_misses": v / 2} for f, v in every.items()}
    _, _, moved, misses = totals(plan, by_frame, fills)
    return moved, misses


def test_totals_by_hand() -> None:
    """Of 60 blocks, the replayed frames read 50, which came to 100 fills: 20 are missing."""
    moved, misses = measured(PLAN, FILLS)
    # Of 10, 14 and 100 misses, 8, 4 and 98 are first fills: 3 times the mean of 2 and 10, and 2; 110 and 20 once.
    assert misses.value == 18 + 2 + 110 + 20
    # Of 20, 28 and 200 bytes, 12, 8 and 180 were read by such misses: 3 times the mean of 8 and 20, and 20; 200 and 40.
    assert moved.value == 42 + 20 + 200 + 40
    # The interval reaches up to where first uses happen again, 3 times the mean of 10 and 14, and 100: less than this.
    # And up by the 10 blocks, 320 lines of 2 bytes, as far as they are more than the 20 that are counted.
    low, high = misses.interval
    assert high - misses.value == pytest.approx(misses.value - low + 320 - 20)


def test_fills_beyond_marked_blocks_lower_an_interval() -> None:
    """Of 114 blocks, the replayed frames mark 95, which came to 100 fills of a block each: 20 are missing, of which 5
    may be those that the replayed frames read without a mark."""
    texels = FirstUses(all_frames=114, by_warm_up={0: (50, 20, 25)})
    plan = PLAN.model_copy(update={"first_uses": PLAN.first_uses | {"texels": texels}})
    (_, wide), (_, whole) = measured(plan, FILLS), measured(plan, replace(FILLS, line_bytes=64))
    assert whole.value == wide.value == 18 + 2 + 110 + 20
    # Lines of 2 bytes: a block may come to 32 fills, so none is beyond the marked ones.
    assert wide.interval[0] - whole.interval[0] == pytest.approx(5)


def test_the_parameter_buffer_by_hand() -> None:
    """Of 30 lines, replayed frames take 20, which came to 10 fills: 5 are missing. They are written, not read."""
    lists = FirstUses(all_frames=30, by_warm_up={0: (4, 0, 16)})
    plan = PLAN.model_copy(update={"first_uses": PLAN.first_uses | {"parameter_buffer": lists}})
    moved, misses = measured(plan, FILLS)
    assert misses.value == 18 + 2 + 110 + 20 + 5
    assert moved.value == measured(PLAN, FILLS)[0].value


def test_buffers_by_hand() -> None:
    """Of 8 blocks, the replayed frames use 4, which came to 3 fills: 3 are missing."""
    buffers = FirstUses(all_frames=8, by_warm_up={0: (1, 1, 2)})
    moved, misses = measured(PLAN.model_copy(update={"first_uses": PLAN.first_uses | {"buffers": buffers}}), FILLS)
    # Of 10, 14 and 100 misses, 9, 5 and 99 are first fills.
    assert misses.value == 15 + 1 + 110 + 20 + 3 + 3
    # Of 20, 28 and 200 bytes, 14, 10 and 182 were read by those for texels and of buffers.
    assert moved.value == 36 + 18 + 200 + 40 + 6 + 6


def test_a_plan_that_does_not_know() -> None:
    for plan, fills in (
        (PLAN.model_copy(update={"first_uses": {}}), FILLS),
        # Replayed after other frames than it knows of.
        (PLAN, replace(FILLS, by_kind={kind: filled | {9: 0, 11: 0} for kind, filled in BY_KIND.items()})),
    ):
        moved, misses = measured(plan, fills)
        assert misses.value == 18 + 2 + 110 and moved.value == 72 + 200
        assert misses.interval[1] >= 136


def test_variance_of_a_ratio_by_hand() -> None:
    # 100 over 50; apart from twice the lower ones: 0, 2, -2. The unit with neither says nothing.
    above, below = np.array([6.0, 6.0, 0.0, 88.0]), np.array([3.0, 2.0, 0.0, 45.0])
    assert variance_of_ratio(above, below) == pytest.approx((8 * 3 / 2 / 50**2, 2))
    assert variance_of_ratio(above[:1], below[:1]) == (0, 1)


def test_variance_of_a_ratio_is_that_of_draws() -> None:
    """Of ratios of 40 units each, drawn many times."""
    chance = np.random.default_rng(4)
    below = chance.integers(1, 20, (4000, 40)).astype(float)
    above = 0.7 * below + chance.normal(0, 1, below.shape) * np.sqrt(below)
    ratios = above.sum(axis=1) / below.sum(axis=1)
    known = np.mean([variance_of_ratio(a, b)[0] for a, b in zip(above, below, strict=True)])
    assert known == pytest.approx(ratios.var(), rel=0.1)


def _pairs(blocks: dict[Any, set[int]]) -> set[object]:
    return {(of, number) for of, numbers in blocks.items() for number in numbers}


def test_a_plan_knows_what_frames_use_first(tmp_path: Path) -> None:
    characterize(record_ways(tmp_path / "ways.trace", 8), tmp_path / "counts")
    counts = Characterization(tmp_path / "counts")
    plan = planned(
        counts, vectors(counts, "rich"), PlanLimits(3, 1, 0, 0, range(3)), versions={}, source=SOURCE, vector="rich"
    )
    assert len(plan.chosen) < 8 and set(plan.first_uses) == {*BLOCKS, "parameter_buffer", "commands", "code"}
    shaders = [
        {(row["program"], row["stage"]) for row in counts.programs.to_pylist() if row["frame"] == frame}
        for frame in range(8)
    ]
    blocks = {kind: [_pairs(of(counts, frame)) for frame in range(8)] for kind, of in BLOCKS.items()}
    for kind, used in (blocks | {"code": shaders}).items():
        assert plan.first_uses[kind].all_frames == len(set.union(*used)) > 0
        for warm_up, numbers in plan.first_uses[kind].by_warm_up.items():
            known: set[object] = set()
            for frame, number in zip(plan.with_warm_up(warm_up), numbers, strict=True):
                assert number == len(used[frame] - known)
                known |= used[frame]
    commands = [64 * row["draws"] + row["constant_bytes"] for row in counts.frames.to_pylist()]
    assert plan.first_uses["commands"].all_frames == max(commands)
    assert sum(plan.first_uses["commands"].by_warm_up[0]) == max(commands[frame] for frame in plan.chosen)
    write_plan(plan, tmp_path / "plan.json")
    assert read_plan(tmp_path / "plan.json") == plan
    fewer = {"texels": plan.first_uses["texels"].model_copy(update={"all_frames": 1})}
    write_plan(plan.model_copy(update={"first_uses": fewer}), tmp_path / "plan.json")
    with pytest.raises(PlanError, match="impossible"):
        read_plan(tmp_path / "plan.json")
