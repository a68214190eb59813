"""Quads that share warps: which do, what it saves, and that nothing is lost (`test_immediate_packing` has the
immediate-mode machine)."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import test_immediate
import test_programmable_blending as blending
from random_machines import random_overrides
from synthetic import rows
from test_by_hand import A, one_primitive
from test_engine import random_frame

from tilegpu.timing.declare.records import BYPASSED, QUAD
from tilegpu.timing.engine import frame as f
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.units import fragment_processor, packing, processor

pytestmark = pytest.mark.engine("programmable_blending")

VISIBLE = "fragment_stage.packing=visible"
NAME = "fragment.processor"
MACHINES: dict[str, Callable[[random.Random], list[str]]] = {
    "tile_based": lambda dice: [*random_overrides(dice), f"fragment_stage.hazards={dice.choice(('wait', 'squash'))}"],
    "immediate": lambda dice: test_immediate.overrides(dice.randrange(1 << 20)),
    "programmable_blending": lambda dice: blending.overrides(dice.randrange(1 << 20)),
}


def overrides(name: str, seed: int) -> list[str]:
    """A random machine whose quads share warps, mostly with few processors."""
    dice = random.Random(seed)
    few = ["fragment_stage.processors=1"] if dice.random() < 0.5 else []
    return [*MACHINES[name](dice), VISIBLE, *few]


def frame_of(name: str, seed: int) -> f.Frame:
    """A random frame whose quads cover little."""
    if name == "tile_based":
        frame = random_frame(seed)
    else:
        frame = (test_immediate if name == "immediate" else blending).frame_of(seed)
    rng = np.random.default_rng(seed)
    quad = frame.depth.quad
    kept = rng.choice([1, 1, 3, 5, 9, 15], len(quad)).astype(np.uint16)
    for column in ("coverage", "depth_pass", "discarded"):
        quad[column] &= kept
    return frame


def row_of_quads(coverage: list[int], **columns: Any) -> f.Frame:
    """Quads in a row that one processor shades, with a program of two instructions."""
    frame = one_primitive([A, A], chain=True, quads=len(coverage))
    quad = frame.depth.quad
    quad["coverage"] = quad["depth_pass"] = coverage
    for name, column in columns.items():
        quad[name] = column
    frame.depth.state["depth_test"] = 0
    return frame


@pytest.mark.parametrize(
    ("coverage", "columns", "warps"),
    [
        # Two quads of two fragments share a warp; of three and two they do not.
        ([3, 12], {}, 1),
        ([7, 3], {}, 2),
        ([1, 2, 4, 8], {}, 1),
        # The fifth one finds no room; nor does a quad pass by one that does not fit.
        ([1, 2, 4, 8, 1], {}, 2),
        ([3, 7, 1], {}, 2),
        ([3, 15, 1], {}, 3),
        # Not at the same place; not with other instructions.
        ([3, 12], {"x": [0, 0]}, 2),
        ([3, 12], {"path": [0, 1]}, 2),
        # Nothing is recorded: each by itself.
        ([3, 12], {"path": [-1, -1]}, 2),
    ],
)
@pytest.mark.parametrize("queue", ["private", "shared"])
def test_who_shares_a_warp(machine: Any, coverage: list[int], columns: dict[str, Any], warps: int, queue: str) -> None:
    # They come four a cycle out of early depth; of those of one cycle, the first is taken with those behind it.
    alone = ("fragment_stage.processors=1", f"fragment_stage.input_queue={queue}", "early_depth.quads_per_cycle=8",
             "early_depth.read_ports=8", "rasterizer.quads_per_cycle=8", "early_depth.latency=5")  # fmt: skip
    frame = row_of_quads(coverage, **columns)
    whole = machine(*alone).run(frame)
    packed = machine(*alone, VISIBLE).run(frame)
    quads, fragments = len(coverage), sum(bin(c).count("1") for c in coverage)
    assert (whole[f"{NAME}.warps"], packed[f"{NAME}.warps"]) == (quads, warps)
    for s in (whole, packed):
        assert (s[f"{NAME}.quads"], s["raster.blending.quads"]) == (quads, quads)
        assert s[f"{NAME}.fragments"] == fragments
        assert s[f"{NAME}.fragments_per_warp"] == fragments / s[f"{NAME}.warps"]
    if "path" not in columns:
        assert packed[f"{NAME}.alu_instructions"] == 2 * warps
        assert whole[f"{NAME}.alu_instructions"] == 2 * quads


@pytest.mark.parametrize(
    ("second", "state", "joins"),
    [
        ({}, {}, True),
        # Another draw state; another tile.
        ({"primitive": 1}, {}, False),
        ({"tile": 1}, {}, False),
        # A quad that is not shaded.
        ({"kind": BYPASSED}, {}, False),
        # Three of its fragments are left of the early test; where that comes later, two are covered.
        ({"passed": 7}, {}, False),
        ({"passed": 7}, {"late": 1}, True),
        # Samples of the same pixels: two fragments.
        ({"passed": 0x3131}, {}, True),
        ({"passed": 0x7131}, {}, False),
    ],
)
def test_what_keeps_quads_apart(second: dict[str, int], state: dict[str, int], joins: bool) -> None:
    core = plain(np.zeros((), processor.Processor.dtype))
    core.port, core.warp.depth = -1, 1
    quad = rows(f.Quad.dtype, 2, x=[0, 1], coverage=[3, 12], passed=[3, second.get("passed", 12)])
    quad["primitive"][1] = second.get("primitive", 0)
    code = SimpleNamespace(
        quad=plain(quad),
        path=plain(rows(f.ShaderPath.dtype, 1, last=1, alu=3)),
        sequence=[0],
        instruction=plain(rows(f.Instruction.dtype, 1, cycles=1)),
    )
    primitive, states = rows(f.Primitive.dtype, 2, state=[0, 1]), rows(f.DrawState.dtype, 2, **state)
    depth = SimpleNamespace(primitive=plain(primitive), state=plain(states))
    tokens = [
        SimpleNamespace(kind=QUAD, tile=0, index=0),
        SimpleNamespace(kind=second.get("kind", QUAD), tile=second.get("tile", 0), index=1),
    ]
    fragment_processor.begin(SimpleNamespace(line_shift=6), code, depth, core, tokens[0], 0)
    assert packing.join(code, depth, core, tokens[1]) is joins
    assert (core.warp.slot[0].lanes, core.items, core.warps) == (1 + joins, 1 + joins, 1)
    assert core.operations[A] == 3 * (1 + joins)


@pytest.mark.parametrize(
    ("packing_of", "cycles"),
    [
        # As in `test_programmable_blending`: 16 the first quad's load is issued, 17 sent; 17 the second one's, sent in
        # 18, its line read in 20, here 21 and usable 22. 18 multiply, 22 multiply-add, 26 and 27 the stores; 31 through
        # the pipeline, 32 both have left, 33 flushed, 34 seen.
        ("visible", 34),
        # Both warps go on side by side: 17 the second one's load, 18 multiply.
        ("quads", 34),
    ],
)
def test_two_half_covered_quads_blend(machine: Any, packing_of: str, cycles: int) -> None:
    frame = blending.immediate(row_of_quads([3, 12]), 1)
    frame.shading.path["last"][0] = 1
    more = ("fragment_stage.processors=1", f"fragment_stage.packing={packing_of}", "rasterizer.quads_per_cycle=4")
    s = blending.second_run(machine, blending.shaded(frame), *more)
    warps = 1 if packing_of == "visible" else 2
    assert s[f"{NAME}.alu_instructions"] == 3 * warps
    assert s["fragment.memory_unit.color_loads"] == s["fragment.memory_unit.color_stores"] == 2
    assert s["gpu.raster_cycles"] == cycles


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MACHINES)
def test_nothing_is_lost(machine: Any, name: str, seed: int) -> None:
    """Every quad is shaded and blended as it is by itself, in no more warps."""
    chosen = overrides(name, 200 + seed)
    packed, whole = (machine(*chosen, *more).run(frame_of(name, seed)) for more in ((), ("packing=quads",)))
    for s in (packed, whole):
        assert s["raster.early_depth.killed_quads"] + s[f"{NAME}.quads"] == s["raster.early_depth.quads"]
        parts = ("blending.quads", "late_depth.killed_quads", "late_depth.discarded_quads")
        assert sum(s[f"raster.{part}"] for part in parts) == s[f"{NAME}.quads"]
    # What is executed is the same, in fewer warps; texels and pixels quad by quad.
    same = [f"{NAME}.{kind}_operations" for kind in f.KINDS] + [f"{NAME}.{access}" for access in f.REGISTER_ACCESSES]
    same += [f"{NAME}.{what}" for what in ("quads", "fragments")]
    same += [f"raster.blending.{what}" for what in ("quads", "fragments")]
    same += ["fragment.texture_unit.operations", "fragment.texture_unit.probes"]
    if name == "programmable_blending":
        same += [f"fragment.memory_unit.{access}s" for access in f.ACCESSES]
    assert {name: packed[name] for name in same} == {name: whole[name] for name in same}
    assert whole[f"{NAME}.warps"] == whole[f"{NAME}.quads"]
    assert packed[f"{NAME}.fragments"] / 4 <= packed[f"{NAME}.warps"] <= whole[f"{NAME}.warps"]


@pytest.mark.parametrize("seed", range(6))
def test_quads_at_one_place_are_blended_in_drawing_order(machine: Any, seed: int) -> None:
    frame = blending.shaded_frame(seed, primitives=12, largest=4, late_share=0.4, discard_share=0.3)
    quad, order = frame.depth.quad, frame.depth.blended["order"]
    quad["coverage"] &= 5
    quad["depth_pass"] &= 5
    few = ("fragment_stage.processors=1", "fragment_stage.queue=128")
    s = machine(*blending.overrides(400 + seed), VISIBLE, *few).run(frame)
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
    assert s[f"{NAME}.warps"] < s[f"{NAME}.quads"]
    for x, y in {(int(q["x"]), int(q["y"])) for q in quad}:
        there = order[(quad["x"] == x) & (quad["y"] == y) & (order > 0)]
        assert (np.diff(there) > 0).all()
