"""Random shaders compute here what they compute in Mesa."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl import compile_shader, link_program

from .helpers import no_texture
from .mesa import VERTEX, Mesa
from .random_expressions import DECLARATIONS, VECTORS, exact, functions, rounded

LANES = 16
_DTYPES = {"f": "f4", "i": "i4", "u": "u4", "b": "i4"}
_OUTPUTS = {"f": "vec4", "i": "ivec4", "u": "uvec4", "b": "ivec4"}


def _inputs() -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(3)
    return {
        "p": (random.integers(-16, 16, (LANES, 4)) / 4).astype(np.float32),
        "q": (random.integers(-16, 16, (LANES, 4)) / 4).astype(np.float32),
        "k": random.integers(-50, 50, (LANES, 4)).astype(np.int32),
        "n": random.integers(0, 2**32, (LANES, 4)).astype(np.uint32),
    }


def _ours(fragment: str, inputs: dict[str, NDArray[Any]], dtype: str) -> NDArray[Any]:
    program = link_program(compile_shader(VERTEX, "vertex"), compile_shader(fragment, "fragment"), {})
    given_inputs = np.zeros((len(program.fragment.inputs), 4, LANES), np.float32)
    for index, declaration in enumerate(program.fragment.inputs):
        given_inputs[index] = inputs[declaration.name].view(np.float32).T
    constants = np.zeros((program.fragment.constant_count, 4), np.float32)
    result = NumpyBackend().run(program.fragment, given_inputs, constants, no_texture)
    return np.ascontiguousarray(result.outputs[0].T).view(dtype)


def _agree(mesa: Mesa, fragment: str, dtype: str, tolerance: float) -> None:
    inputs = _inputs()
    theirs = mesa.run(fragment, inputs, dtype)
    ours = _ours(fragment, inputs, dtype)
    if dtype == "f4":
        # What overflowed is not compared: the specification leaves it open.
        finite = np.isfinite(ours) & np.isfinite(theirs) & (np.abs(theirs) < 1e6)
        np.testing.assert_allclose(ours[finite], theirs[finite], rtol=tolerance, atol=tolerance, err_msg=fragment)
    else:
        np.testing.assert_array_equal(ours, theirs, err_msg=fragment)


@st.composite
def expressions(draw: st.DrawFn) -> tuple[str, str, float]:
    """Shader, dtype of its output, tolerance."""
    base = draw(st.sampled_from(["f", "f", "i", "u", "b", "r", "s"]))
    if base == "r":
        return f"{DECLARATIONS}out vec4 o; void main() {{ o = {draw(rounded(2))}; }}", "f4", 2e-3
    if base == "s":
        body = "int i = k.z; vec4 r = work(i); o = r + vec4(float(i & 15)) * 0.25;"
        return f"{DECLARATIONS}out vec4 o; {draw(functions())} void main() {{ {body} }}", "f4", 1e-4
    width = draw(st.integers(1, 4))
    value = draw(exact(base, width, draw(st.integers(1, 3))))
    of = VECTORS[base][width]
    scalar = {"f": "0.0", "i": "0", "u": "0u", "b": "0"}[base]
    parts = ", ".join(f"r{'.' + 'xyzw'[i] if width > 1 else ''}" for i in range(width))
    fill = "".join(f", {scalar}" for _ in range(4 - width))
    output = _OUTPUTS[base]
    return (
        f"{DECLARATIONS}out {output} o; void main() {{ {of} r = {value}; o = {output}({parts}{fill}); }}",
        (_DTYPES[base]),
        1e-4,
    )


def _check(mesa: Mesa, count: int) -> None:
    @settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
    @given(expressions())
    def run(case: tuple[str, str, float]) -> None:
        _agree(mesa, *case)

    run()


def test_sample(mesa: Mesa) -> None:
    _check(mesa, 100)


@pytest.mark.slow
def test_many(mesa: Mesa) -> None:
    _check(mesa, 2000)
