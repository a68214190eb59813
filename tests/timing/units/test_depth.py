"""Depth and stencil tests of single quads, against what OpenGL ES says."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from synthetic import rows, synthetic

from tilegpu.functional.activity.kernels.depth import COMPARISONS, quantize_depth
from tilegpu.functional.activity.kernels.stencil import STENCIL_OPERATIONS, stencil_result
from tilegpu.timing.engine import frame as f
from tilegpu.timing.engine.plain import plain
from tilegpu.timing.units.depth_test import resolve

KEEP, ZERO, REPLACE, INCR, DECR, INVERT, INCR_WRAP, DECR_WRAP = range(8)
GPU = SimpleNamespace(tile_width=4, tile_height=4)


def run(
    quads: list[tuple[int, int]],
    states: list[dict[str, int]],
    depths: list[float],
    samples: int = 1,
    shader_depth: list[float] | None = None,
    facing: int = 1,
) -> tuple[list[int], Any]:
    """Quads (primitive, coverage) at the tile's origin, one after the other: what passes, and the buffers after."""
    written = shader_depth is not None
    depth = plain(
        f.Depth(
            rows(
                f.Quad.dtype,
                len(quads),
                primitive=[q[0] for q in quads],
                coverage=[q[1] for q in quads],
                shader_depth=0 if written else -1,
            ),
            rows(f.Primitive.dtype, len(depths), state=np.arange(len(depths)), depth=depths, front_facing=facing),
            np.array(
                [
                    tuple(({"depth_format": 1} | s).get(name, 0) for name in f.DrawState.dtype.names or ())
                    for s in states
                ],
                f.DrawState.dtype,
            ),
            rows(f.Clear.dtype, 0),
            np.array(shader_depth or [], np.float32),
            np.zeros(0, np.int64),
            rows(f.Blended.dtype, 0),
        )
    )
    buffer = SimpleNamespace(
        depth=[quantize_depth(1.0, 1)] * 64,
        stencil=[5] * 64,
        x=0,
        y=0,
        samples=samples,
        reads=0,
        writes=0,
        raster_unit=0,
    )
    return [resolve(GPU, depth, buffer, i, q[1]) for i, q in enumerate(quads)], buffer


def less(**more: int) -> dict[str, int]:
    return {"depth_test": 1, "depth_function": COMPARISONS.index("LESS"), "depth_write": 1} | more


def test_nearer_quads_pass_and_hide_what_comes_after() -> None:
    passed, buffer = run([(0, 0b0011), (1, 0b1111), (2, 0b1111)], [less()] * 3, [0.3, 0.5, 0.4])
    assert passed == [0b0011, 0b1100, 0b1100]
    place = [0, 1, 4, 5]
    assert [buffer.depth[i] for i in place] == [quantize_depth(z, 1) for z in (0.3, 0.3, 0.4, 0.4)]
    assert (buffer.reads, buffer.writes) == (3, 3)


def test_depth_is_kept_without_the_mask_and_untouched_without_the_test() -> None:
    passed, buffer = run([(0, 15), (1, 15)], [less(depth_write=0), {"depth_test": 0, "depth_write": 1}], [0.3, 2.0])
    assert passed == [15, 15]
    assert buffer.depth[0] == quantize_depth(1.0, 1)


def test_depth_that_the_shader_writes_counts() -> None:
    passed, buffer = run([(0, 15)], [less()], [0.9], shader_depth=[0.1, 0.2, 1.0, 0.4])
    assert passed == [0b1011]
    assert [buffer.depth[i] for i in (0, 1, 5)] == [quantize_depth(np.float32(z), 1) for z in (0.1, 0.2, 0.4)]


def test_samples_have_depths_of_their_own() -> None:
    # Bit = lane + 4 x sample.
    passed, buffer = run([(0, 0x0001), (1, 0x0031)], [less()] * 2, [0.3, 0.5], samples=4)
    assert passed == [0x0001, 0x0030]
    assert [buffer.depth[i] for i in (0, 1, 2, 4, 5)] == [quantize_depth(z, 1) for z in (0.3, 0.5, 1.0, 1.0, 0.5)]


@pytest.mark.parametrize(
    ("operation", "value", "expected"),
    [
        (KEEP, 9, 9),
        (ZERO, 9, 0),
        (REPLACE, 9, 77),
        (INCR, 254, 255),
        (INCR, 255, 255),
        (DECR, 1, 0),
        (DECR, 0, 0),
        (INVERT, 0b1010, 0b11110101),
        (INCR_WRAP, 255, 0),
        (DECR_WRAP, 0, 255),
    ],
)
def test_stencil_operations(operation: int, value: int, expected: int) -> None:
    assert stencil_result(operation, value, 77) == expected
    assert len(STENCIL_OPERATIONS) == 8


@pytest.mark.parametrize(
    ("function", "depth", "passes", "stencil"),
    [("EQUAL", 0.5, True, 5 + 1), ("EQUAL", 1.5, False, 5 - 1), ("NOTEQUAL", 0.5, False, 0)],
)
def test_each_outcome_has_its_stencil_operation(function: str, depth: float, passes: bool, stencil: int) -> None:
    state = less(
        stencil_test=1,
        front_function=COMPARISONS.index(function),
        front_reference=5,
        front_mask=255,
        front_write_mask=255,
        front_fail=ZERO,
        front_depth_fail=DECR,
        front_depth_pass=INCR,
    )
    passed, buffer = run([(0, 1)], [state], [depth])
    assert (passed == [1]) == passes
    assert buffer.stencil[0] == stencil
    assert (buffer.depth[0] != quantize_depth(1.0, 1)) == passes


def test_back_faces_have_stencil_state_of_their_own_and_masks_hold_bits() -> None:
    state = {
        "stencil_test": 1,
        "front_function": COMPARISONS.index("NEVER"),
        "back_function": COMPARISONS.index("LESS"),
        "back_reference": 0xF3,
        "back_mask": 0x0F,
        "back_write_mask": 0xF0,
        "back_depth_pass": REPLACE,
    }
    # 3 < 5 under the mask; the upper half of 0xF3 is written over 0x05.
    passed, buffer = run([(0, 1)], [state], [0.5], facing=0)
    assert passed == [1]
    assert buffer.stencil[0] == 0xF5
    assert run([(0, 1)], [state], [0.5], facing=1)[0] == [0]


def test_quads_behind_a_late_one_wait_for_it(machine: Any) -> None:
    # All quads at one place, every other one late: each must see what the one before it left.
    frame = synthetic(tiles_x=1, primitives=40, largest=1, tile=32, late_share=0.5, discard_share=0.5, seed=5)
    s = machine().run(frame)
    assert s["raster.early_depth.mismatched_quads"] == s["raster.late_depth.mismatched_quads"] == 0
    assert s["raster.early_depth.late_quads"] > 10
