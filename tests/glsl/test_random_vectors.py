"""Random programs compute the same on both back ends, in Mesa's softpipe and in a plain interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl import LinkedProgram, compile_shader, link_program

from .helpers import constants_of, no_texture
from .mesa import VERTEX, Mesa
from .random_vectors import program

LANES = 8
TABLE = (np.random.default_rng(5).integers(-16, 16, (4, 4)) / 4).astype(np.float32)


def _inputs() -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(4)
    floats = (random.integers(-16, 16, (2, LANES, 4)) / 4).astype(np.float32)
    return {
        "p": floats[0],
        "q": floats[1],
        "k": random.integers(-50, 50, (LANES, 4)).astype(np.int32),
        "n": np.zeros((LANES, 4), np.uint32),
    }


def _ours(linked: LinkedProgram, backend: Backend, inputs: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
    values = np.zeros((len(linked.fragment.inputs), 4, LANES), np.float32)
    for index, declaration in enumerate(linked.fragment.inputs):
        values[index] = inputs[declaration.name].view(np.float32).T
    constants = constants_of(linked, {"table": TABLE})
    return backend.run(linked.fragment, values, constants, no_texture).outputs[0].T


def _agree(mesa: Mesa, seeds: range) -> None:
    vertex, inputs = compile_shader(VERTEX, "vertex"), _inputs()
    table = [[float(x) for x in row] for row in TABLE]
    numbers = [inputs[name].tolist() for name in "pqk"]
    backends: tuple[Backend, ...] = (NumpyBackend(), LlvmBackend())
    for seed in seeds:
        case = program(seed)
        message = f"program {seed}:\n{case.glsl}"
        expected = [case.run(p, q, k, table) for p, q, k in zip(*numbers, strict=True)]
        np.testing.assert_array_equal(mesa.run(case.glsl, inputs, "f4", {"table": TABLE}), expected, message)
        linked = link_program(vertex, compile_shader(case.glsl, "fragment"), {})
        for backend in backends:
            actual = _ours(linked, backend, inputs)
            np.testing.assert_array_equal(actual, expected, f"{backend.name}, {message}")


def test_eighty(mesa: Mesa) -> None:
    _agree(mesa, range(80))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(80, 20_000, 1992))
def test_twenty_thousand(mesa: Mesa, first: int) -> None:
    _agree(mesa, range(first, min(first + 1992, 20_000)))
