"""Components of vertex arrays are what numpy makes of the same bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tilegpu.functional.pipeline.command import ArrayLayout
from tilegpu.functional.pipeline.geometry.vertex_fetch import fetch_components
from tilegpu.functional.pipeline.geometry.vertex_formats import COMPONENT_TYPES

HALF_FLOATS = (0x140B, 0x8D61)
INTEGERS = (0x1400, 0x1401, 0x1402, 0x1403, 0x1404, 0x1405)


def fetched(content: NDArray[Any], kind: int, integer: bool, rows: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Bits of four components of some vertices; an array of rows of components, three bytes into its buffer."""
    bits = np.full((4, len(rows)), 0xDEADBEEF, np.uint32)
    data = np.frombuffer(b"abc" + content.tobytes(), np.uint8)
    layout = ArrayLayout(3, content[0].nbytes, kind, content.shape[1], integer=integer)
    fetch_components(data, layout, rows, bits.view(np.float32), bits)
    return bits


@pytest.mark.parametrize("kind", HALF_FLOATS)
def test_every_half_float_is_numpys(kind: int) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(-1, 2)
    bits = fetched(halves, kind, False, np.arange(len(halves)))
    np.testing.assert_array_equal(bits[:2].view(np.float32), halves.astype(np.float32).T)
    np.testing.assert_array_equal(np.signbit(bits[:2].view(np.float32)), np.signbit(halves.T))
    assert set(bits[2]) == {0} and set(bits[3].view(np.float32)) == {np.float32(1)}


@pytest.mark.parametrize("components", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_keep_their_values(kind: int, components: int) -> None:
    """Absent ones are 0, 0, 0, 1; vertices beyond the array are its last one."""
    random = np.random.default_rng(components)
    content = np.frombuffer(random.bytes(64 * components * 4), COMPONENT_TYPES[kind])
    content = content[: 64 * components].reshape(64, components)
    rows = np.array([5, 0, 63, 64, 1000, 17])
    bits = fetched(content, kind, True, rows)
    expected = np.zeros((4, len(rows)), np.int64)
    expected[3] = 1
    expected[:components] = content[np.minimum(rows, 63)].T
    np.testing.assert_array_equal(bits, expected.astype(np.uint32))


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("kind", [0x8368, 0x8D9F])
def test_packed_words_hold_three_numbers_of_ten_bits_and_one_of_two(kind: int, normalized: bool) -> None:
    words = np.random.default_rng(3).integers(0, 1 << 32, 64, np.uint32)
    words[:2] = 0x80000200, 0xFFFFFFFF
    # The last vertex ends right at the end of the buffer.
    bits, rows = np.full((4, 66), 0xDEADBEEF, np.uint32), np.arange(66)
    layout = ArrayLayout(3, 4, kind, 4, normalized)
    fetch_components(np.frombuffer(b"abc" + words.tobytes(), np.uint8), layout, rows, bits.view(np.float32), bits)
    for c, (shift, size) in enumerate(((0, 10), (10, 10), (20, 10), (30, 2))):
        numbers = words.astype(np.int64) >> shift & (1 << size) - 1
        top = (1 << size) - 1
        if kind == 0x8D9F:
            numbers -= (numbers >> size - 1) << size
            top >>= 1
        expected = numbers[np.minimum(rows, 63)].astype(np.float32)
        if normalized:
            expected = np.maximum(expected / np.float32(top), np.float32(-1))
        np.testing.assert_array_equal(bits[c].view(np.float32), expected)
