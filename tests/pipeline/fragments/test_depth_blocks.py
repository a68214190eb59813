"""Depth tests of blocks give what the definition gives, quad by quad and lane by lane."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tilegpu.functional.activity.kernels.depth import COMPARISONS, DEPTH_FORMATS, compare, depth_at
from tilegpu.functional.pipeline.fragments import depth_blocks
from tilegpu.functional.pipeline.fragments.depth_blocks import DepthStencilTests
from tilegpu.functional.pipeline.fragments.depth_blocks import depth_test_planes as run_tests
from tilegpu.functional.pipeline.fragments.rasterization import Quads
from tilegpu.functional.pipeline.state import StencilFace

WIDTH, HEIGHT = 700, 7
PLANES = np.array([(0.5, 1e-4, -2e-3), (0.2, 1e-3, 0.05), (0.9, -3e-3, 0.1), (0.5, 0.0, 0.0)])
Columns = tuple[NDArray[np.int32], NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]


def some_quads(seed: int) -> Columns:
    """Runs of whole quads of every length, with others between them, over each other and over the buffer's edges."""
    random = np.random.default_rng(seed)
    parts = []
    for primitive in range(len(PLANES)):
        for y in range(HEIGHT // 2 + 1):
            first = random.integers(0, WIDTH // 2)
            last = min(WIDTH // 2, first + random.choice([1, 2, 3, 9, 64, 350]))
            x = np.arange(first, last)
            x = x[random.random(len(x)) > random.choice([0.0, 0.1])]
            lanes = np.where(random.random(len(x)) < random.choice([0.0, 0.3]), random.integers(1, 16, len(x)), 15)
            if 2 * y + 1 == HEIGHT:
                lanes &= 3
            parts.append((np.full(len(x), primitive), x, np.full(len(x), y), lanes))
    primitive, x, y, lanes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return primitive.astype(np.int32), x.astype(np.uint16), y.astype(np.uint16), lanes.astype(np.uint16)


def by_definition(quads: Columns, depth: NDArray[np.uint32], code: int, function: int, write: bool) -> list[int]:
    """Lanes that pass; the buffer is changed."""
    passed = []
    for primitive, x, y, lanes in zip(*(column.tolist() for column in quads), strict=True):
        mask = 0
        for lane in range(4):
            column, row = 2 * x + (lane & 1), 2 * y + (lane >> 1)
            if lanes >> lane & 1:
                z = depth_at(*PLANES[primitive], column, row, code)
                if compare(function, z, int(depth[row, column])):
                    mask |= 1 << lane
                    if write:
                        depth[row, column] = z
        passed.append(mask)
    return passed


def some_depths(seed: int, height: int, code: int) -> NDArray[np.uint32]:
    """A buffer of depths of planes, so that equal depths occur."""
    random = np.random.default_rng(seed)
    known = [[int(depth_at(*plane, x, 1, code)) for x in range(WIDTH)] for plane in PLANES[[0, 3]]]
    return np.where(random.random((height, WIDTH)) < 0.5, known[0], known[1]).astype(np.uint32)


@given(
    st.integers(0, 1 << 30),
    st.sampled_from(range(len(DEPTH_FORMATS))),
    st.sampled_from(range(len(COMPARISONS))),
    st.booleans(),
)
def test_blocks_are_tested_like_single_quads(seed: int, depth_format: int, function: int, write: bool) -> None:
    quads = some_quads(seed)
    assert (np.diff(quads[1].astype(int)) == 1).sum() > depth_blocks.BLOCK
    depth = some_depths(seed, HEIGHT, depth_format)
    expected = depth.copy()
    lanes = by_definition(quads, expected, depth_format, function, write)
    passed = np.zeros(len(lanes), np.uint16)
    nothing = np.zeros((0, 0), np.uint8), False, *[StencilFace(*[0] * 7)] * 2
    run_tests(Quads(*quads), PLANES, DepthStencilTests(depth, depth_format, True, function, write, *nothing), passed)
    assert passed.tolist() == lanes
    np.testing.assert_array_equal(depth, expected)
