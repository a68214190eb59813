"""Rounding to floats of few bits, compared with all that there are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.activity.kernels.small_floats import HALF, UNSIGNED_10, UNSIGNED_11, round_floats

FLOATS = st.floats(width=32) | st.floats(-(2.0**-13), 2.0**-13, width=32) | st.floats(60000, 70000, width=32)


def _rounded(value: float, bits: int) -> np.float32:
    texels = np.full((1, 4), value, np.float32)
    round_floats(texels, np.array([bits, 0, 0, 32], np.int64))
    assert np.array_equal(texels[0, 1:], np.full(3, value, np.float32), equal_nan=True)
    return texels[0, 0]


@given(FLOATS)
def test_halves_are_the_next_ones_towards_zero(value: float) -> None:
    known = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float32)
    if np.isnan(value) or np.isinf(value):
        expected = np.float32(value)
    else:
        expected = np.copysign(known[known <= abs(value)].max(), np.float32(value))
    np.testing.assert_array_equal(_rounded(value, HALF), expected)


@given(FLOATS, st.sampled_from([(UNSIGNED_11, 6, 65024), (UNSIGNED_10, 5, 64512)]))
def test_unsigned_floats_are_the_next_lower_ones(value: float, kind: tuple[int, int, int]) -> None:
    bits, mantissa, largest = kind
    codes = np.arange(1 << mantissa, 31 << mantissa)
    known = np.ldexp(1 + (codes & (1 << mantissa) - 1) / (1 << mantissa), (codes >> mantissa) - 15)
    assert known.max() == largest
    rounded = _rounded(value, bits)
    if np.isnan(value) or value == np.inf:
        np.testing.assert_array_equal(rounded, np.float32(value))
    else:
        assert rounded == max([0.0, *known[known <= value]])
