"""Quads mark the blocks of texels that their lanes read, and no others."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tilegpu.functional.gles import enums as gl
from tilegpu.functional.pipeline.fused.marking_kernels import mark_logged
from tilegpu.functional.pipeline.fused.texel_marks import BLOCK_BYTES, MarkedTextures
from tilegpu.functional.pipeline.sampler import Sampler, Storage

QUADS = 72
BLOCKS = {(1, 1, 4): (4, 4), (1, 1, 16): (2, 2), (4, 4, 8): (16, 8), (5, 4, 16): (10, 8), (12, 12, 16): (24, 24)}
"""Texels of 64 bytes by what a format stores as one."""
WRAPS = gl.REPEAT, gl.CLAMP_TO_EDGE, gl.MIRRORED_REPEAT, gl.CLAMP_TO_BORDER
SIZES = st.sampled_from([1, 2, 3, 8, 30, 32, 100])


def _sampler(block: tuple[int, int, int], size: tuple[int, int], wraps: tuple[int, int]) -> Sampler:
    """A texture with two levels of a size."""
    width, height = (np.array([side, max(1, side // 2)]) for side in size)
    one = np.ones(2, np.int64)
    storage = Storage(lambda: np.zeros(0, np.uint8), 0 * one, width, height, one)
    return Sampler(storage, 1, 0, "2d", gl.LINEAR, gl.LINEAR, *wraps, block=block)


def _in_records(column: NDArray[Any], records: int) -> NDArray[Any]:
    """Lanes of one record as those of several."""
    parts = np.split(column, records, axis=-1)
    return np.ascontiguousarray(np.concatenate(parts))


def _inside(texel: int, size: int, wrap: int) -> int:
    if wrap == gl.REPEAT:
        return texel % size
    if wrap == gl.MIRRORED_REPEAT:
        return [*range(size), *reversed(range(size))][texel % (2 * size)]
    return sorted((0, texel, size - 1))[1]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([1, 18]),
    st.sampled_from(list(BLOCKS)),
    st.tuples(SIZES, SIZES),
    st.tuples(st.sampled_from(WRAPS), st.sampled_from(WRAPS)),
    st.integers(0, 2**32 - 1),
)
def test_marks_are_those_of_lanes(
    records: int, block: tuple[int, int, int], size: tuple[int, int], wraps: tuple[int, int], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    sampler = _sampler(block, size, wraps)
    marks, marking = MarkedTextures().of(sampler)
    lanes = 4 * QUADS
    # Most lanes of a quad are near each other, in one level, and filtered alike.
    far = np.repeat(rng.integers(0, 2, QUADS), 4) * 40
    x, y = (
        (np.repeat(rng.integers(-60, 160, QUADS), 4) + rng.integers(0, 3 + far)).astype(np.int32).reshape(1, 1, lanes)
        for _ in range(2)
    )
    levels = np.repeat(rng.integers(-1, 2, QUADS), 4)
    levels[4:12] = rng.integers(-1, 2, 8)
    linear = np.repeat(rng.integers(0, 2, QUADS), 4).astype(np.bool_)
    linear[4:12] = rng.integers(0, 2, 8)
    both = np.full((1, 2, lanes), -1, np.int8)
    both[0, 1] = levels
    places = [np.repeat(place, 2, 1) for place in (x, y)]
    operations = np.array([(0, 0, 1, 0)], np.int64)
    face = np.zeros((1, lanes), np.int32)
    first = lanes // records * np.arange(records)
    columns = [_in_records(column, records) for column in (both, *places, face, linear[None])]
    logged = operations, np.zeros(records, np.int32), first, *columns
    mark_logged(logged, (QUADS, np.array([marking.address]), np.zeros(1, np.int64)))
    expected = {
        block_of_texel(sampler, int(levels[lane]), int(x[0, 0, lane]) + across, int(y[0, 0, lane]) + down)
        for lane in range(lanes)
        if levels[lane] >= 0
        for across, down in product(range(1 + linear[lane]), repeat=2)
    }
    assert set(np.flatnonzero(np.unpackbits(marks.take(), bitorder="little")).tolist()) == expected


def block_of_texel(sampler: Sampler, level: int, x: int, y: int) -> int:
    """Number of the block of a texel: level by level, row by row."""
    assert sampler.storage is not None
    across, down = BLOCKS[sampler.block]
    first = 0
    for n in range(level + 1):
        width, height = int(sampler.storage.widths[n]), int(sampler.storage.heights[n])
        columns = -(-width // across)
        if n < level:
            first += columns * -(-height // down)
    column, row = _inside(x, width, sampler.wrap_s), _inside(y, height, sampler.wrap_t)
    return first + row // down * columns + column // across


def test_blocks_hold_a_line() -> None:
    for (across, down, stored), (width, height) in BLOCKS.items():
        assert width * height // (across * down) * stored == BLOCK_BYTES
