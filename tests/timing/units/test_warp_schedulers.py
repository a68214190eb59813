"""Warp schedulers: which warp each tries first, by hand, and that they change times only."""

from __future__ import annotations

from itertools import takewhile
from types import SimpleNamespace
from typing import Any

import pytest
from synthetic import synthetic

from tilegpu.timing import ConfigurationError, load_configuration
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.variants import load_part
from tilegpu.timing.declare.records import MAX_THREADS

UNTIMED = (
    "raster.rasterizer.quads", "raster.blending.quads", "raster.blending.fragments", "fragment.processor.quads",
    "fragment.processor.instructions", "fragment.texture_unit.operations", "memory.texture_cache.accesses",
)  # fmt: skip


def chosen(name: str, candidates: int, turn: int = 0, head: int = 0) -> int:
    """Warp of a mask that a scheduler tries first, of six warps of which one had the last turn and one is the
    oldest."""
    core = SimpleNamespace(turn=turn, warp=SimpleNamespace(depth=6, head=head))
    part = load_part(f"units.warp_schedulers.{name}", compiled=False)
    return int(part.SCHEDULER.choose(None, core, candidates, 0))


@pytest.mark.parametrize(("turn", "warp"), [(0, 1), (1, 4), (3, 4), (4, 0), (5, 0)])
def test_in_turn_the_next_one_goes_first(turn: int, warp: int) -> None:
    assert chosen("round_robin", 0b010011, turn) == warp


@pytest.mark.parametrize(("turn", "head", "warp"), [(1, 0, 1), (2, 0, 0), (2, 1, 1), (2, 2, 4), (5, 5, 0)])
def test_the_same_one_as_long_as_it_can_then_the_oldest(turn: int, head: int, warp: int) -> None:
    assert chosen("greedy_oldest", 0b010011, turn, head) == warp


def order(name: str, turn: int) -> list[int]:
    """Warps that a core's scheduler tries, one after the other; 5, 63, 3 and 0 are there and came in this order."""
    core = SimpleNamespace(turn=[turn], by_age=[5, 63, 3, 0, 40, 6], resident=4)
    part = load_part(f"units.warp_schedulers.{name}", compiled=False)
    answers = (int(part.SCHEDULER.in_order(None, core, 0, i, 0)) for i in range(100))
    return list(takewhile(lambda w: w >= 0, answers))


def test_in_a_core_all_warps_are_tried_in_turn() -> None:
    assert order("round_robin", 3) == [*range(4, 64), 0, 1, 2, 3]
    assert order("round_robin", 63) == list(range(64))


def test_in_a_core_the_same_one_is_tried_then_the_oldest() -> None:
    assert order("greedy_oldest", 3) == [3, 5, 63, 3, 0]
    # Warp 6 has left the core.
    assert order("greedy_oldest", 6) == [6, 5, 63, 3, 0]


@pytest.mark.parametrize("preset", ("emerald-case1", "mali-g52-mc1"))
def test_wasp_is_none_of_cores(preset: str) -> None:
    with pytest.raises(ConfigurationError, match="scheduler wasp is one of Fragment Processors, not of SIMT cores"):
        load_configuration(preset, ["simt_core.scheduler=wasp"])


def wasp(candidates: int, used: int, *overrides: str) -> int:
    """Warp that WaSP tries first. Warps 0 to 5 have quads at (1, 0), (2, 1), (4, 4), (6, 5), (3, 3) and (0, 2); the
    texture cache has 16 MSHRs of which some are used; the last turn was that of warp 0."""
    configuration = load_configuration("ptr-2022", ["fragment_stage.scheduler=wasp", "wasp.mesh=0", *overrides])
    gpu: Any = build(configuration).plain().gpu
    part = load_part("units.warp_schedulers.wasp", compiled=False)
    core = gpu.raster_unit[0].fragment_processor[0]
    core.warp.depth = 6
    for w, (x, y) in enumerate(((1, 0), (2, 1), (4, 4), (6, 5), (3, 3), (0, 2))):
        core.place[MAX_THREADS * w] = y << 16 | x
    port = gpu.port[gpu.texture_unit[core.texture_unit].port]
    gpu.cache[gpu.unit[port.server].a].mshrs_used = used
    return int(part.choose(gpu, core, candidates, 0))


def test_warps_of_the_mesh_go_first() -> None:
    # Even across and even down are (4, 4) and (0, 2), in turn.
    assert [wasp(0b111111, 0), wasp(0b111011, 0), wasp(0b011011, 0)] == [2, 5, 1]


def test_squares_of_two_quads_a_side_are_a_coarser_mesh() -> None:
    # Halved, the places are (0, 0), (1, 0), (2, 2), (3, 2), (1, 1) and (0, 1).
    assert wasp(0b111111, 0, "wasp.mesh=1") == 2
    assert wasp(0b111011, 0, "wasp.mesh=1") == 0


def test_they_leave_registers_for_misses_to_the_others() -> None:
    assert [wasp(0b111111, 14), wasp(0b111111, 15), wasp(0b111111, 15, "wasp.spare_mshrs=0")] == [2, 1, 2]


@pytest.mark.parametrize("seed", range(2))
def test_only_times_change(machine: Any, seed: int) -> None:
    frame = synthetic(tiles_x=2, primitives=5, largest=8, seed=seed)
    found = [
        machine(f"fragment_stage.scheduler={name}").run(frame) for name in ("round_robin", "greedy_oldest", "wasp")
    ]
    for s in found[1:]:
        assert {name: s[name] for name in UNTIMED} == {name: found[0][name] for name in UNTIMED}
    assert len({s["gpu.cycles"] for s in found}) > 1


@pytest.mark.parametrize("name", ("greedy_oldest", "wasp"))
@pytest.mark.parametrize("seed", range(2))
def test_skipping_idle_units_and_compiling_change_nothing(machine: Any, name: str, seed: int) -> None:
    frame = synthetic(tiles_x=2, primitives=3, largest=6, seed=seed)
    settings = f"fragment_stage.scheduler={name}", "fragment_stage.warps=4", "texture_cache.mshrs=2"
    one = machine(*settings).run(frame)
    assert machine(*settings).run(frame, every=True) == one == machine(*settings, compiled=False).run(frame)


def test_where_hazards_are_squashed_warps_go_in_turn() -> None:
    with pytest.raises(ConfigurationError, match="scheduler must be round_robin where hazards are squashed, not wasp"):
        load_configuration("ptr-2022", ["fragment_stage.hazards=squash", "fragment_stage.scheduler=wasp"])


def test_only_its_own_scheduler_has_parameters_in_use() -> None:
    text = str(load_configuration("ptr-2022").of(load_part("units.warp_schedulers.wasp", compiled=False).Wasp))
    assert text == "mesh=1 spare_mshrs=1"
