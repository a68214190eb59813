"""Blend kernels write what the general kernel writes, byte for byte, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tilegpu.functional.activity.kernels.logic import COPY
from tilegpu.functional.execute.llvm_backend import LlvmBackend, kernels, native
from tilegpu.functional.execute.llvm_backend.blend.arithmetic import BYTE_FRACTIONS
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fragments.color_writing import write_colors
from tilegpu.functional.pipeline.fragments.rasterization import Quads
from tilegpu.functional.pipeline.state import Blend, Blending
from tilegpu.functional.pipeline.target import ColorTarget

from .test_blending import FACTORS

EQUATIONS = (gl.FUNC_ADD, gl.FUNC_SUBTRACT, gl.FUNC_REVERSE_SUBTRACT, gl.MIN, gl.MAX)
blends = st.none() | st.builds(
    Blend,
    *[st.sampled_from(EQUATIONS)] * 2,
    *[st.sampled_from(list(FACTORS))] * 4,
    st.tuples(*[st.floats(-0.5, 1.5, width=32)] * 4),
)
over = st.builds(
    Blend,
    *[st.just(gl.FUNC_ADD)] * 2,
    *[st.sampled_from((gl.SRC_ALPHA, gl.ONE)), st.just(gl.ONE_MINUS_SRC_ALPHA)] * 2,
    st.just((0.0, 0.0, 0.0, 0.0)),
)
masks = st.tuples(*[st.booleans()] * 4) | st.just((True,) * 4)
WIDTH, HEIGHT, COUNT = 27, 5, 80


def _written(backend: Any, blend: Blend | None, mask: tuple[bool, ...], alpha_bits: int, seed: int) -> np.ndarray:
    """A buffer of odd size after quads all over it, one upon the other, and over its edges."""
    random = np.random.default_rng(seed)
    pixels = random.integers(0, 256, (HEIGHT, WIDTH, 4)).astype(np.uint8)
    x, y = random.integers(0, 14, COUNT), random.integers(0, 3, COUNT)
    lanes = random.integers(0, 16, COUNT)
    for first in range(0, COUNT, 20):
        # Rows of whole quads side by side, with others between them where every other quad is written.
        begin, step = first + 2 * random.integers(0, 3), 2 if first < COUNT // 2 else 1
        row = slice(begin, min(begin + 10 * step, first + 20), step)
        x[row], y[row], lanes[row] = np.arange(len(x[row])) + random.integers(0, 4), first // 20 % 3, 15
    lanes &= np.where(x == 13, 0b0101, 15) & np.where(y == 2, 0b0011, 15)
    x, y, lanes = (column.astype(np.uint16) for column in (x, y, lanes))
    colors = random.uniform(-0.2, 1.2, (4, 4 * COUNT)).astype(np.float32)
    opaque = random.integers(0, 3 * COUNT)
    colors[3, opaque : opaque + COUNT] = random.choice([1.0, 1.1], COUNT)
    colors[random.integers(0, 4, 9), random.integers(0, 4 * COUNT, 9)] = [np.nan, np.inf, -np.inf] * 3
    target = ColorTarget(pixels, (8, 8, 8, alpha_bits))
    blending = Blending(blend, mask, COPY, False, (1.0, False))
    state: Any = SimpleNamespace(blending=blending, target=SimpleNamespace(colors=(target,), samples=1, width=WIDTH))
    quads = Quads(np.zeros(COUNT, np.int32), x, y, lanes)
    # Every other quad, then neighbours.
    which = np.concatenate([np.arange(0, COUNT // 2, 2), np.arange(COUNT // 2, COUNT)])
    colors = np.ascontiguousarray(colors[:, : 4 * len(which)])
    write_colors(state, quads.take(which), lanes[which], {0: colors}, backend)
    return pixels


@contextmanager
def vectors_of(count: int) -> Iterator[None]:
    """Vectors of some lanes, whatever the processor's have."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (native, kernels):
            patch.setattr(module, "width", lambda: count)
        _forget_kernels()
        yield
    _forget_kernels()


def _forget_kernels() -> None:
    kernels.blend_kernel.cache_clear()
    kernels.depth_kernel.cache_clear()


@pytest.mark.parametrize("lanes", [8, 16])
@settings(max_examples=examples(40, 100), deadline=None)
@given(blends | over, masks, st.sampled_from((0, 8)), st.integers(0, 1000))
def test_any_state_writes_the_same(
    lanes: int, blend: Blend | None, mask: tuple[bool, ...], alpha_bits: int, seed: int
) -> None:
    expected = _written(NumpyBackend(), blend, mask, alpha_bits, seed)
    with vectors_of(lanes):
        np.testing.assert_array_equal(expected, _written(LlvmBackend(), blend, mask, alpha_bits, seed))


def test_two_multiplications_divide_every_byte_by_255() -> None:
    bytes_ = np.arange(256, dtype=np.float32)
    first, second = np.array(BYTE_FRACTIONS, np.uint32).view(np.float32)
    np.testing.assert_array_equal(bytes_ * first + bytes_ * second, bytes_ / np.float32(255))
