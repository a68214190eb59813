"""Quads mark the block of the base texel of their first lane that reads; texels of all lanes are counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fused.counted_reads import count_logged
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


def _scattered(rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
    """Levels, x, y and filters of lanes; most of a quad are near each other, in one level, and filtered alike."""
    far = np.repeat(rng.integers(0, 2, QUADS), 4) * 40
    x, y = (np.repeat(rng.integers(-60, 160, QUADS), 4) + rng.integers(0, 3 + far) for _ in range(2))
    levels = np.repeat(rng.integers(-1, 2, QUADS), 4)
    levels[4:12] = rng.integers(-1, 2, 8)
    linear = np.repeat(rng.integers(0, 2, QUADS), 4)
    linear[4:12] = rng.integers(0, 2, 8)
    return levels, x, y, linear


def _side_by_side(rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
    """The same of lanes that read row by row, in one level and alike but for a few."""
    steps = rng.integers(0, rng.integers(1, 8), (2, 2 * QUADS))
    x = rng.integers(-60, 60) + np.cumsum(steps, 1).reshape(2, QUADS, 2).transpose(1, 0, 2).reshape(-1)
    y = np.tile(np.repeat(rng.integers(-4, 40) + rng.integers(0, 6, 2), 2), QUADS)
    levels, linear = np.full(4 * QUADS, rng.integers(0, 2)), np.full(4 * QUADS, rng.integers(0, 2))
    others = rng.integers(0, 4 * QUADS, rng.integers(0, 3))
    levels[others] = -1
    y[others[:1]] += rng.integers(0, 2)
    return levels, x, y, linear


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from([1, 18]),
    st.sampled_from(list(BLOCKS)),
    st.tuples(SIZES, SIZES),
    st.tuples(st.sampled_from(WRAPS), st.sampled_from(WRAPS)),
    st.sampled_from([_scattered, _side_by_side]),
    st.integers(0, 2**32 - 1),
)
def test_marks_are_those_of_base_texels(
    records: int,
    block: tuple[int, int, int],
    size: tuple[int, int],
    wraps: tuple[int, int],
    reads: Callable[[np.random.Generator], tuple[NDArray[Any], ...]],
    seed: int,
) -> None:
    rng, expected = np.random.default_rng(seed), set[int]()
    sampler = _sampler(block, size, wraps)
    marks, marking = MarkedTextures().of(sampler)
    none = np.zeros(1, np.int64)
    counted = none, np.array([marking.address]), none
    levels, x, y, linear = reads(rng)
    logged = _logged(records, (levels, x, y, linear))
    count_logged(logged, counted, (np.zeros(QUADS, np.uint16), np.arange(QUADS)))
    for quad in range(QUADS):
        reading = [lane for lane in range(4 * quad, 4 * quad + 4) if levels[lane] >= 0]
        if reading:
            lane = reading[0]
            expected.add(block_of_texel(sampler, int(levels[lane]), int(x[lane]), int(y[lane])))
    marked = np.unpackbits(marks.take(), bitorder="little")
    assert set(np.flatnonzero(marked).tolist()) == expected
    assert not marks.marks.any()


def _logged(records: int, lanes: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
    """`LoggedReads` of the second of two levels, of one operation in some records."""
    levels, x, y, linear = lanes
    both = np.full((1, 2, 4 * QUADS), -1, np.int8)
    both[0, 1] = levels
    places = [np.repeat(place.astype(np.int32).reshape(1, 1, -1), 2, 1) for place in (x, y)]
    columns = [both, *places, np.zeros((1, 4 * QUADS), np.int32), linear.astype(np.bool_)[None]]
    first = 4 * QUADS // records * np.arange(records)
    operations = np.array([(0, 0, 1, 0)], np.int64)
    return operations, np.zeros(records, np.int32), first, *(_in_records(column, records) for column in columns)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 18]))
def test_texels_of_covered_lanes(seed: int, records: int) -> None:
    rng = np.random.default_rng(seed)
    lanes, coverage = _scattered(rng), rng.integers(0, 16, QUADS).astype(np.uint16)
    counted = np.array([4]), np.zeros(1, np.int64), np.zeros(1, np.int64)
    found = count_logged(_logged(records, lanes), counted, (coverage, np.arange(QUADS)))
    covered = (coverage[:, None] >> np.arange(4) & 1).reshape(-1)
    assert found == ((lanes[0] >= 0) * covered * (1 + 3 * lanes[3])).sum()


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
