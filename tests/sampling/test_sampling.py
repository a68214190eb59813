"""Clusters, plans and totals, against frames whose groups are known and sums worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.run import characterize
from tilegpu.functional.opengl import enums as gl
from tilegpu.timing import load_configuration
from tilegpu.tools.sampling.clustering import ALIKE, Clusters, cluster
from tilegpu.tools.sampling.first_uses import Fills
from tilegpu.tools.sampling.plan import (
    Cluster,
    FirstUses,
    Plan,
    PlanError,
    Source,
    allotted,
    new_plan,
    read_plan,
    write_plan,
)
from tilegpu.tools.sampling.planning import PlanLimits, planned
from tilegpu.tools.sampling.speedups import skips, speedup
from tilegpu.tools.sampling.totals import UNITS, totals, variance_of_total
from tilegpu.tools.sampling.vectors import first_uses, vectors

from ..characterize.scenes import record_ways
from ..reference.scenes import quad, use

KNOWN = {
    "versions": {},
    "source": Source(name="game.trace", sha256="00"),
    "vector": "paper",
    "groups": ("primitives",),
    "first_frame": 10,
}


def phases(noise: float) -> np.ndarray:
    """Three phases of 20 frames, in an order that repeats, of 40 programs."""
    chance = np.random.default_rng(5)
    centers = chance.random((3, 40)) / 20
    return centers[np.tile(np.repeat([0, 1, 2], 10), 2)] * (1 + noise * chance.normal(size=(60, 40)))


@pytest.mark.parametrize("noise", [0, 0.002, 0.05])
def test_phases_are_clusters(noise: float) -> None:
    found = cluster(phases(noise), 12, seed=1)
    assert found.label.tolist() == np.tile(np.repeat([0, 1, 2], 10), 2).tolist()
    assert (found.distance < 0.1).all()


def test_one_phase_is_one_cluster() -> None:
    alike = np.ones((30, 4)) / 4 * (1 + ALIKE / 10 * np.random.default_rng(0).normal(size=(30, 4)))
    assert set(cluster(alike, 8, seed=0).label) == {0}


def test_a_seed_gives_the_same_plan(tmp_path: Path) -> None:
    for name in "ab":
        write_plan(new_plan(cluster(phases(0.05), 8, 3), 2, seed=3, **KNOWN), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    plan = read_plan(tmp_path / "a")
    assert [c.frames for c in plan.clusters] == [20, 20, 20] and len(plan.chosen) == 6
    assert plan.with_warm_up(1) == tuple(sorted({*plan.chosen, *(n - 1 for n in plan.chosen)}))


def test_totals_by_hand(tmp_path: Path) -> None:
    """Three frames of which two are simulated, 10 and 14 cycles, and one of 100."""
    content = {
        "format": "tilegpu-plan",
        "format_version": 4,
        **{k: v for k, v in KNOWN.items() if k != "source"},
        "source": {"name": "game.trace", "sha256": "00"},
        "seed": 0,
        "scores": {},
        "cluster_of_frame": [0, 0, 0, 1],
        "clusters": [
            {"frames": 3, "chosen": [10, 12], "spread": 0},
            {"frames": 1, "chosen": [13], "spread": 0},
        ],
    }
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(content))
    measured = {10: 10.0, 12: 14.0, 13: 100.0}
    every = {f: dict.fromkeys(("cycles", "energy", "dram_bytes", "l2_misses"), v) for f, v in measured.items()}
    cycles, *_ = totals(read_plan(path), every)
    # 3 times the mean of 10 and 14, and 100.
    assert cycles.value == 136
    assert cycles.interval[0] < 136 < cycles.interval[1]
    # Of the misses, 8 of 10, 4 of 14 and all 100 filled empty lines, and 5 of a frame that warmed up: 3 times the mean
    # of 2 and 10, and 117.
    *_, misses = totals(read_plan(path), every, Fills({"others": {10: 8, 11: 5, 12: 4, 13: 100}}, 64))
    assert misses.name == "l2_misses" and misses.value == 135
    # If all of them happen again: 3 times the mean of 10 and 14, and 100.
    assert misses.interval[1] >= 136
    for frames in ([10], [10, 11, 12]):
        content["clusters"][0]["chosen"] = frames
        path.write_text(json.dumps(content))
        cycles, *_ = totals(read_plan(path), dict.fromkeys(frames, every[10]) | {13: every[13]})
        assert cycles.interval == (130, 130)
    content["cluster_of_frame"] = [0, 0, 1, 0]
    path.write_text(json.dumps(content))
    with pytest.raises(PlanError, match="frame 12 is not one of cluster 0"):
        read_plan(path)


@pytest.mark.parametrize(("spreads", "least"), [((5, 5, 5, 5, 5), 0.92), ((0.5, 0.5, 0.5, 0.5, 40), 0.87)])
def test_intervals_hold_the_total_as_often_as_they_say(spreads: tuple[float, ...], least: float) -> None:
    """Five clusters of 40 frames, of which two are known, 300 times: each unit has a total of its own. One cluster may
    have nearly all of the variance.

    Then Satterthwaite's degrees of freedom are some too many where its two frames happen to be alike; those of all
    clusters together would hold it in three of four.
    """
    chance, held = np.random.default_rng(2), 0
    for seed in range(300 // len(UNITS)):
        values = chance.normal(100 * np.arange(1, 6)[:, None], np.array(spreads)[:, None], (len(UNITS), 5, 40))
        label = np.repeat(np.arange(5), 40)
        plan = new_plan(Clusters(label, chance.random(200), {}), 2, seed=seed, **(KNOWN | {"first_frame": 0}))
        every = {f: dict(zip(UNITS, values.reshape(len(UNITS), -1)[:, f].tolist(), strict=True)) for f in plan.chosen}
        for found, own in zip(totals(plan, every), values, strict=True):
            held += found.interval[0] <= own.sum() <= found.interval[1]
    assert least < held / 300 < 0.99


def test_variance_of_a_total_by_hand() -> None:
    # Variance 2, 2 of 10 frames known: 100 * 0.8 * 2 / 2 = 80. Variance 1, 3 of 4 frames known: 16 / 4 / 3.
    known = [np.array([1.0, 3.0]), np.array([0.0, 1.0, 2.0]), np.array([7.0])]
    second = 4 / 3
    # One of 5 frames known, whose vectors deviate by a tenth of what it measures: 25 * 0.8 * 0.3^2.
    third = 1.8
    whole = 80 + second + third
    freedom = whole**2 / (80**2 / 1 + second**2 / 2 + third**2 / 4)
    assert variance_of_total([10, 4, 5], known, [9, 9, 0.3]) == pytest.approx((whole, freedom))


def test_one_frame_of_a_cluster_is_as_uncertain_as_its_vectors() -> None:
    """Scenes of 20 frames, one frame each, 40 times: measures move with the vectors, and some a little apart."""
    chance, held = np.random.default_rng(3), 0
    for seed in range(40):
        scenes = np.repeat(np.array([1.0, 2.0, 3.0]), 20) + 0.1 * chance.normal(size=60)
        plan = new_plan(cluster(scenes[:, None] / scenes.mean(), 3, seed), 1, seed=seed, **(KNOWN | {"first_frame": 0}))
        values = 1000 * scenes + 20 * chance.normal(size=60)
        cycles, *_ = totals(plan, {f: dict.fromkeys(UNITS, float(values[f])) for f in plan.chosen})
        assert len(plan.clusters) == len(plan.chosen) == 3
        held += cycles.interval[0] <= values.sum() <= cycles.interval[1]
        assert cycles.interval[1] - cycles.interval[0] < values.sum() / 4
    assert held >= 0.9 * 40


def test_first_uses_of_frames_that_were_not_replayed_widen_an_interval() -> None:
    """Of 8 blocks of texels, the replayed frame uses 6: up to two more misses of 10, and of 100 cycles 20 more."""
    plan = Plan(
        scores={},
        cluster_of_frame=(0, 0),
        clusters=(Cluster(frames=2, chosen=(0,), spread=0),),
        seed=0,
        first_uses={"texels": FirstUses(all_frames=8, by_warm_up={0: (6,)})},
        **(KNOWN | {"first_frame": 0}),
    )
    measured = {0: {"cycles": 50.0, "energy": 5.0, "dram_bytes": 640.0, "l2_misses": 5.0}}
    # The L2 is full: nothing that the frame used first filled an empty line.
    found = {total.name: total for total in totals(plan, measured, Fills({"texels": {0: 0}}, 64))}
    assert found["l2_misses"].interval == (10, 12)
    assert found["cycles"].interval == (100, 120)
    assert found["dram_bytes"].interval == (1280, 1536)
    # With lines of 128 bytes, two blocks share one.
    found = {total.name: total for total in totals(plan, measured, Fills({"texels": {0: 0}}, 128))}
    assert found["l2_misses"].interval == (10, 11)


def test_speed_ups_by_hand() -> None:
    """Of two clusters of 3 frames and 1, 10 and 20 cycles are saved of 100 and 50: 50 of 350. The chosen frames stand
    for twice the tiles that repeat: 25."""
    plan = new_plan(Clusters(np.array([0, 0, 0, 1]), np.array([0, 1, 1, 0]), {}), 1, seed=0, **KNOWN)
    assert plan.chosen == (10, 13)
    plan = plan.model_copy(update={"repeated_ratio": 0.5})
    before, after = {10: 100, 13: 50}, {10: 90, 13: 30}
    assert speedup(plan, before, after) == 350 / 300
    assert speedup(plan, before, after, skipping=True) == 350 / 325
    assert speedup(plan, after, before, skipping=True) == 300 / 325
    without, with_it = (
        load_configuration("re-2019"),
        load_configuration("re-2019", ["techniques=rendering_elimination"]),
    )
    assert skips(without, with_it) and not skips(without, without) and not skips(with_it, with_it)


def test_spare_frames_go_where_most_is_unknown() -> None:
    # Neyman: frames in proportion to size times spread, here 1 to 3 to 0, and no more than there are.
    assert allotted([100, 100, 50], [0.1, 0.3, 0.0], 1, 41) == [10, 30, 1]
    assert allotted([2, 3], [0.1, 0.1], 1, 20) == [2, 3]
    assert allotted([30, 1], [0.1, 0.0], 2, 0) == [2, 1]


def test_the_first_frame_and_new_programs_stand_for_themselves(tmp_path: Path) -> None:
    characterize(record_ways(tmp_path / "ways.trace", 6), tmp_path / "counts")
    counts = Characterization(tmp_path / "counts")
    assert first_uses(counts, 3) == [0]
    # The fifth frame runs a program that no earlier one has.
    new = counts.programs.slice(0, 1).to_pylist()[0] | {"frame": 4, "program": 99}
    counts.programs = pa.concat_tables([counts.programs, pa.Table.from_pylist([new], counts.programs.schema)])
    assert first_uses(counts, 3) == [0, 4] and first_uses(counts, 1) == [0]
    known = {name: KNOWN[name] for name in ("versions", "source", "vector")}
    plan = planned(counts, vectors(counts, "rich"), PlanLimits(8, 1, 0, 0), **known)
    assert {(0,), (4,)} <= {c.chosen for c in plan.clusters if c.frames == 1}
    for frames in range(1, 7):
        assert len(planned(counts, vectors(counts, "rich"), PlanLimits(8, 2, frames, 0), **known).chosen) <= frames


def test_vectors_weigh_groups_alike(tmp_path: Path) -> None:
    characterize(record_ways(tmp_path / "ways.trace", 3), tmp_path / "counts")
    counts = Characterization(tmp_path / "counts")
    paper, rich = vectors(counts, "paper"), vectors(counts, "rich")
    # Five programs of two stages, and primitives.
    assert paper.values.shape == (3, 11)
    assert paper.values.sum(axis=1).mean() == pytest.approx(3)
    assert rich.values.sum(axis=1).mean() == pytest.approx(len(rich.groups)) and len(rich.groups) == 10
    assert vectors(counts, "reuse").groups == (*rich.groups, "new tiles")
    vertex = counts.programs.filter(pa.compute.equal(counts.programs["stage"], "vertex"))
    executed = np.array(vertex["instructions"].to_pylist()).reshape(3, 5)
    np.testing.assert_allclose(paper.values[:, :5], executed / executed.sum(axis=1).mean())


def test_frames_that_repeat_are_told_from_those_that_move(tmp_path: Path) -> None:
    """A square stands still in every second group of eight frames and moves by a pixel a frame in the others; all else
    about the frames is equal."""
    with Recorder(tmp_path / "a.trace", 32, 32) as r:
        place, x = r.glGetUniformLocation(use(r), "shift"), 0
        for frame in range(32):
            x += frame // 8 % 2
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glUniform4f(place, x / 16, 0, 0, 0)
            quad(r, -0.9, -0.5, -0.4, 0.5, 0, (1, 0, 0, 1))
            r.swap()
    characterize(tmp_path / "a.trace", tmp_path / "counts")
    counts = Characterization(tmp_path / "counts")
    wanted = PlanLimits(8, 1, 0, 0)
    known = {"versions": {}, "source": Source(name="", sha256="")}
    rich, reuse = (planned(counts, vectors(counts, v), wanted, vector=v, **known) for v in ("rich", "reuse"))
    assert len(rich.clusters) == 2
    label = np.array(reuse.cluster_of_frame)
    # A still frame stands for some that follow a move, too.
    tiles = counts.frames["tiles_repeated_2"].to_pylist()
    known = sum(one.frames * np.mean([tiles[frame] for frame in one.chosen]) for one in reuse.clusters)
    assert reuse.repeated_ratio == pytest.approx(sum(tiles) / known) and rich.repeated_ratio == 1
    # A frame that follows one that moved differs from the one before the last, too.
    still = np.array([frame // 8 % 2 == 0 and frame % 8 > 0 for frame in range(32)])
    still[1] = False
    assert not set(label[still]) & set(label[~still])
