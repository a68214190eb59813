"""Random programs compute the same in this renderer and on both of Mesa's software drivers, whose orders of invocations
and compilers differ."""

import re
from pathlib import Path

import pytest

from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend

from . import mesa, own
from .program import FORMATS
from .random_blocks import FLOATS, WHOLE
from .random_programs import random_program
from .random_statements import ATOMICS
from .recorded import record


def _agree(first: int, last: int) -> None:
    programs = [random_program(seed, leaves=False) for seed in range(first, last)]
    both = [mesa.run_all(programs, driver) for driver in mesa.DRIVERS]
    differing = [first + number for number, (one, other) in enumerate(zip(*both, strict=True)) if one != other]
    assert not differing
    for program, buffers in zip(programs, both[0], strict=True):
        written = [buffers[number] != program.buffers[number] for number in range(5)]
        assert written == [True, False, False, True, True]


def test_drivers_agree() -> None:
    _agree(0, 12)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(12, 412, 100))
def test_drivers_agree_on_many(first: int) -> None:
    _agree(first, first + 100)


def test_softpipe_runs_loops_that_are_left_from_anywhere() -> None:
    programs = [random_program(seed) for seed in range(24)]
    assert [len(buffers) for buffers in mesa.run_all(programs)] == [5] * 24


def _agrees(first: int, last: int, backend: Backend) -> None:
    """This renderer computes what softpipe computes; llvmpipe loses values that are loaded in loops which lanes leave
    at different times."""
    programs = [random_program(seed) for seed in range(first, last)]
    wanted = mesa.run_all(programs)
    assert [first + i for i, program in enumerate(programs) if own.run(program, backend) != wanted[i]] == []


@pytest.mark.parametrize(("backend", "programs"), [(NumpyBackend(), 5), (LlvmBackend(), 2)], ids=["numpy", "llvm"])
def test_this_renderer_agrees(backend: Backend, programs: int) -> None:
    # Kernels of these programs take seconds to compile.
    _agrees(0, programs, backend)


@pytest.mark.slow
@pytest.mark.parametrize("backend", [NumpyBackend(), LlvmBackend()], ids=["numpy", "llvm"])
@pytest.mark.parametrize("first", [0, *range(1000, 3000, 100)])
def test_this_renderer_agrees_on_many(first: int, backend: Backend) -> None:
    _agrees(first, first + 100, backend)


@pytest.mark.parametrize("seed", [3, 11, 40])
def test_a_trace_of_a_program_computes_the_same(seed: int, tmp_path: Path) -> None:
    program = random_program(seed)
    record(program, tmp_path / "a.trace")
    assert mesa.play(tmp_path / "a.trace") == mesa.run(program)


def test_a_number_makes_one_program() -> None:
    assert random_program(7) == random_program(7)
    assert len({random_program(seed).passes[0].source for seed in range(20)}) == 20


def test_everything_is_made() -> None:
    sources = [random_program(seed).passes[0].source for seed in range(150)]
    everything = "\n".join(sources)
    for kind in (*WHOLE, *FLOATS):
        assert re.search(rf"    {kind} \w+\[\d\]", everything) and re.search(rf"    {kind} \w+;", everything), kind
    for name in FORMATS:
        assert f"layout({name}, " in everything, name
    for function in ATOMICS:
        assert f"atomic{function}(counter" in everything and f"atomic{function}(tally" in everything
    for text in ("layout(row_major)", "imageStore", ".length()", "switch", "continue;", "break;\n", "do {", "helped("):
        assert text in everything, text
    looped = re.compile(r"for \(int (n\d+) = 0, end\1 = [^{]+\{(?:(?!\n\}).)*barrier\(\)", re.DOTALL)
    assert sum(looped.search(source) is not None for source in sources) > 20
