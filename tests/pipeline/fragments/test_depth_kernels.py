"""Depth kernels of the back end give what the definition gives, quad by quad and lane by lane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tilegpu.functional.activity.kernels.depth import COMPARISONS, DEPTH_FORMATS
from tilegpu.functional.compile.blocks import block_of
from tilegpu.functional.execute.backend import Kernel
from tilegpu.functional.execute.kernel_arguments import DepthArguments, DepthState
from tilegpu.functional.execute.llvm_backend import LlvmBackend

from .test_blend_kernels import vectors_of
from .test_depth_blocks import HEIGHT, PLANES, Columns, by_definition, some_depths, some_quads


def _crowded(seed: int) -> Columns:
    """Runs of quads, then quads of any primitive next to each other and one upon the other."""
    random, count = np.random.default_rng(seed), 50
    near = random.integers(0, len(PLANES), count), random.integers(0, 5, count), random.integers(0, 2, count)
    columns = *near, random.integers(0, 16, count)
    primitive, x, y, lanes = (
        np.append(*pair).astype(pair[0].dtype) for pair in zip(some_quads(seed), columns, strict=True)
    )
    return primitive, x, y, lanes


@pytest.mark.parametrize("lanes", [8, 16])
@settings(max_examples=examples(40, 100), deadline=None)
@given(
    st.integers(0, 1 << 30),
    st.sampled_from(range(len(DEPTH_FORMATS))),
    st.sampled_from(range(len(COMPARISONS))),
    st.booleans(),
)
def test_quads_are_tested_like_single_lanes(
    lanes: int, seed: int, depth_format: int, function: int, write: bool
) -> None:
    quads = _crowded(seed)
    depth = some_depths(seed, HEIGHT + 1, depth_format)
    expected = depth.copy()
    outcome = by_definition(quads, expected, depth_format, function, write)
    passed = np.zeros(len(outcome), np.uint16)
    block = block_of(DepthArguments(*quads, PLANES, depth, passed))
    with vectors_of(lanes):
        kernel = LlvmBackend().depth_kernel(DepthState(depth_format, function, write))
        assert isinstance(kernel, Kernel)
        kernel.call(block.address)
    assert passed.tolist() == outcome
    np.testing.assert_array_equal(depth, expected)
