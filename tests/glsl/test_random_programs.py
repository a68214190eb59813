"""Random programs with divergent control flow compute what a plain interpreter computes, lane by lane."""

import contextlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.examples import examples
from tilegpu.functional.glsl import compile_shader
from tilegpu.functional.glsl.lowering import switches

from .helpers import run_fragment
from .random_programs import Jumped, Stmt, blocks

LANES = np.array(
    [[0.5, -1.0, 2.0, 0.0, 1.5], [1.0, 1.0, -0.5, 3.0, 2.0], [-2.0, 0.25, 0.0, 1.0, 0.0], [0.0, 3.0, 1.0, 2.0, 5.0]],
    np.float32,
)


def _expected(program: Stmt, row: np.ndarray) -> list[float]:
    state = dict(zip("abcde", row, strict=True))
    with contextlib.suppress(Jumped):
        program.run(state)
    return [state["a"], state["b"], state["c"], np.float32(1.0)]


def _source(program: Stmt) -> str:
    return f"""
        float a, b, c;
        void work(float d, float e) {{
        {program.glsl()}
        }}
        void main() {{
            a = v.x; b = v.y; c = v.z;
            work(v.w, w);
            gl_FragColor = vec4(a, b, c, 1.0);
        }}"""


def _agrees(program: Stmt, head: str = "") -> None:
    with np.errstate(all="ignore"):
        expected = np.array([_expected(program, row) for row in LANES], np.float32)
    source = head + _source(program)
    actual = run_fragment(source, {"v": LANES[:, :4], "w": LANES[:, 4]})
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5, err_msg=source)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_same_as_interpreter(depth: int) -> None:
    @settings(max_examples=examples(25, 60), deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(depth, False))
    def check(program: Stmt) -> None:
        _agrees(program)

    check()


@pytest.mark.parametrize("limit", [0, switches.MAXIMUM_STATEMENTS], ids=["under flags", "taken apart"])
def test_switches_same_as_interpreter(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "MAXIMUM_STATEMENTS", limit)

    @settings(max_examples=examples(25, 60), deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(3, False, True))
    def check(program: Stmt) -> None:
        compile_shader.cache_clear()
        _agrees(program, "300:")

    check()


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 10, switches.MAXIMUM_STATEMENTS])
def test_many_same_as_interpreter(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "MAXIMUM_STATEMENTS", limit)

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(3, False, True))
    def check(program: Stmt) -> None:
        compile_shader.cache_clear()
        _agrees(program, "300:")

    check()
