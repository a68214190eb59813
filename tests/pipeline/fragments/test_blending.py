"""Blending against the specification's formulas in float64."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.activity.kernels.blending import BlendRule, ShadedQuads, write_quads
from tilegpu.functional.opengl import enums as gl

FACTORS = {
    gl.ZERO: lambda s, d, c: np.zeros(4),
    gl.ONE: lambda s, d, c: np.ones(4),
    gl.SRC_COLOR: lambda s, d, c: s,
    gl.ONE_MINUS_SRC_COLOR: lambda s, d, c: 1 - s,
    gl.SRC_ALPHA: lambda s, d, c: np.full(4, s[3]),
    gl.ONE_MINUS_SRC_ALPHA: lambda s, d, c: np.full(4, 1 - s[3]),
    gl.DST_ALPHA: lambda s, d, c: np.full(4, d[3]),
    gl.ONE_MINUS_DST_ALPHA: lambda s, d, c: np.full(4, 1 - d[3]),
    gl.DST_COLOR: lambda s, d, c: d,
    gl.ONE_MINUS_DST_COLOR: lambda s, d, c: 1 - d,
    gl.SRC_ALPHA_SATURATE: lambda s, d, c: np.append(np.full(3, min(s[3], 1 - d[3])), 1),
    gl.CONSTANT_COLOR: lambda s, d, c: c,
    gl.ONE_MINUS_CONSTANT_COLOR: lambda s, d, c: 1 - c,
    gl.CONSTANT_ALPHA: lambda s, d, c: np.full(4, c[3]),
    gl.ONE_MINUS_CONSTANT_ALPHA: lambda s, d, c: np.full(4, 1 - c[3]),
}
EQUATIONS = {
    gl.FUNC_ADD: lambda a, b: a + b,
    gl.FUNC_SUBTRACT: lambda a, b: a - b,
    gl.FUNC_REVERSE_SUBTRACT: lambda a, b: b - a,
}
unit = st.floats(0, 1, width=32)
colors = st.tuples(unit, unit, unit, unit).map(lambda v: np.array(v, np.float64))


def write(source, target, blend, constant=(0, 0, 0, 0), channels=(True,) * 4, bits=(8, 8, 8, 8)):
    """Blend one fragment into a 2x2 buffer and give its pixel."""
    buffer = np.zeros((2, 2, 4), np.uint8)
    buffer[0, 0] = target
    lanes = np.zeros((4, 4), np.float32)
    lanes[:, 0] = source
    quads = ShadedQuads(np.zeros(1, np.uint16), np.zeros(1, np.uint16), np.ones(1, np.uint16), lanes)
    rule = BlendRule(*blend, np.array(constant, np.float32), np.array(channels))
    write_quads(quads, rule, np.array(bits, np.int64), False, buffer)
    return buffer[0, 0]


def test_names_have_the_numbers_of_the_registry() -> None:
    """Order matters where the enums get their numbers from the table of names."""
    assert (gl.ZERO, gl.ONE, gl.SRC_COLOR, gl.ONE_MINUS_DST_COLOR) == (0, 1, 0x0300, 0x0307)
    assert (gl.SRC_ALPHA_SATURATE, gl.CONSTANT_COLOR, gl.ONE_MINUS_CONSTANT_ALPHA) == (0x0308, 0x8001, 0x8004)
    assert (gl.FUNC_ADD, gl.MIN, gl.MAX, gl.FUNC_REVERSE_SUBTRACT) == (0x8006, 0x8007, 0x8008, 0x800B)
    assert gl.BLEND_FACTORS[0x0304] == "DST_ALPHA" and gl.BLEND_EQUATIONS[0x800A] == "FUNC_SUBTRACT"


@given(
    colors,
    st.tuples(*[st.integers(0, 255)] * 4),
    colors,
    st.sampled_from(sorted(FACTORS)),
    st.sampled_from(sorted(FACTORS)),
    st.sampled_from(sorted(EQUATIONS)),
)
def test_every_factor_and_equation(source, target, constant, source_factor, target_factor, equation) -> None:
    d = np.array(target) / 255
    s = source.astype(np.float64)
    expected = EQUATIONS[equation](
        s * FACTORS[source_factor](s, d, constant), d * FACTORS[target_factor](s, d, constant)
    )
    expected = np.clip(expected, 0, 1) * 255
    written = write(
        source,
        target,
        [equation, equation, source_factor, target_factor, source_factor, target_factor],
        constant,
    )
    assert np.abs(written - expected).max() <= 0.51


def test_min_and_max_ignore_factors() -> None:
    source, target = np.array([0.2, 0.8, 0.5, 1.0]), (102, 102, 204, 51)
    low = write(source, target, [gl.MIN, gl.MAX, gl.ZERO, gl.ZERO, gl.ZERO, gl.ZERO])
    assert low.tolist() == [51, 102, 128, 255]


def test_masked_and_absent_channels_keep_their_content() -> None:
    none = [0] * 6
    assert write(np.ones(4), (1, 2, 3, 4), none, channels=(True, False, True, False)).tolist() == [
        255,
        2,
        255,
        4,
    ]
    assert write(np.ones(4), (1, 2, 3, 255), none, bits=(8, 8, 8, 0)).tolist() == [255, 255, 255, 255]


def test_narrow_formats_round_to_their_steps() -> None:
    assert write(np.array([0.5, 0.5, 0.5, 1.0]), (0, 0, 0, 255), [0] * 6, bits=(5, 6, 5, 0)).tolist() == [
        132,
        130,
        132,
        255,
    ]


def test_colors_are_clamped_and_nan_is_zero() -> None:
    assert write(np.array([-1.0, 2.0, np.nan, np.inf]), (9, 9, 9, 9), [0] * 6).tolist() == [0, 255, 0, 255]
