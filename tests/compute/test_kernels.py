"""Kernels of compute shaders: which dispatches they execute, and what they compute, counted by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.compute.programs.catalogue import PROGRAMS
from tilegpu.functional.errors import UserError
from tilegpu.functional.execute.backend import ComputeKernel
from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.pipeline import draw
from tilegpu.functional.pipeline.compute.dispatch import Dispatch
from tilegpu.functional.pipeline.compute.native import RECORDED, compute_kernel, run_kernel
from tilegpu.functional.record import record as record_activity

from . import own
from .program import Pass, Program
from .recorded import record

HEAD = """#version 310 es
precision highp int;
layout(local_size_x = %d) in;
layout(std430, binding = 0) buffer Out { uint result[]; };
layout(std430, binding = 1) buffer In { uint given[]; };
"""
_SPIN = "void main() { while (given[0] == 0u) result[0] += 1u; }"


@pytest.fixture
def kernels_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dispatch without a kernel fails."""
    monkeypatch.setattr(draw, "execute_dispatch", None)


def _program(size: int, groups: int, words: int, given: NDArray[np.uint32], body: str) -> Program:
    buffers = np.zeros(words, np.uint32).tobytes(), given.astype(np.uint32).tobytes()
    return Program((Pass(HEAD % size + body, (groups, 1, 1), (0, 1)),), buffers)


def _run(size: int, groups: int, words: int, given: Any, body: str) -> list[int]:
    """Words of the result by a kernel."""
    program = _program(size, groups, words, np.array(given, np.uint32), body)
    return np.frombuffer(own.run(program, LlvmBackend())[0], np.uint32).tolist()


@pytest.mark.usefixtures("kernels_only")
@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels_execute_the_programs(name: str, tmp_path: Path) -> None:
    program, path = PROGRAMS[name], tmp_path / "a.trace"
    program.record(path)
    for answer, given in zip(program.expected(), own.play(path, LlvmBackend()), strict=True):
        assert answer.agrees(given)


def test_what_has_no_kernel_has_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reasons = []

    def noting(*arguments: Any) -> Any:
        reasons.append(compute_kernel(*arguments))
        return reasons[-1]

    monkeypatch.setattr(draw, "compute_kernel", noting)
    program = _program(1, 1, 1, np.ones(1, np.uint32), _SPIN)
    own.run(program, NumpyBackend())
    record(program, tmp_path / "a.trace")
    record_activity(tmp_path / "a.trace", tmp_path / "activity")
    assert reasons == ["compute shader: the numpy back end has no kernels", RECORDED]


@pytest.mark.usefixtures("kernels_only")
def test_barriers_in_loops_and_branches() -> None:
    """A group of 37 invocations, which fill no whole number of vectors, passes numbers round and round; every second
    group stops earlier."""
    body = """shared uint passed[37];
    void main() {
        uint me = gl_LocalInvocationIndex, group = gl_WorkGroupID.x, mine = given[me];
        for (uint i = 0u; i < 9u; i++) {
            if (group == 1u && i == 4u) break;
            if (i == 2u) continue;
            passed[me] = mine;
            barrier();
            mine = passed[(me + 1u) % 37u] + 1u;
            if (i > 5u) { barrier(); mine += passed[0]; }
            barrier();
        }
        result[group * 37u + me] = mine;
    }"""
    start = np.arange(37, dtype=np.uint32) * 5
    wanted = []
    for rounds in (9, 4, 9):
        mine = start
        for i in range(rounds):
            if i != 2:
                first = mine[0]
                mine = np.roll(mine, -1) + 1
                mine = mine + first if i > 5 else mine
        wanted += mine.tolist()
    assert _run(37, 3, 3 * 37, start, body) == wanted


@pytest.mark.usefixtures("kernels_only")
def test_lanes_leave_loops_at_different_times() -> None:
    body = """void main() {
        uint number = gl_GlobalInvocationID.x + 1u, steps = 0u;
        while (true) {
            if (number == 1u) break;
            steps++;
            if ((number & 1u) == 0u) { number /= 2u; continue; }
            number = number * 3u + 1u;
        }
        result[gl_GlobalInvocationID.x] = steps;
    }"""

    def steps(number: int) -> int:
        return 0 if number == 1 else 1 + steps(number // 2 if number % 2 == 0 else 3 * number + 1)

    assert _run(20, 3, 60, [0], body) == [steps(number) for number in range(1, 61)]


@pytest.mark.usefixtures("kernels_only")
@pytest.mark.parametrize(
    "body",
    [
        _SPIN,
        "shared uint s; void main() { while (given[0] == 0u) { s = 1u; barrier(); result[0] = s; } }",
        """shared uint s;
        void main() {
            for (uint i = 1u; i < 4000u; i++) {
                s = i;
                barrier();
                for (uint k = given[0]; k < 1000u; k++) result[0] += s;
            }
        }""",
    ],
    ids=["loop", "barrier", "nested"],
)
def test_loops_that_never_end(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(dispatch: Dispatch, kernel: ComputeKernel) -> None:
        with pytest.raises(UserError, match="more than 1000000 instructions executed; does a loop never end"):
            run_kernel(dispatch, kernel)

    monkeypatch.setattr(draw, "run_kernel", failing)
    assert _run(40, 2, 1, [0], body) != [0]


@pytest.mark.usefixtures("kernels_only")
def test_accesses_outside_read_zero_and_write_nothing() -> None:
    """Words 3 and on are outside of the one buffer, 8 and on of the other; 4 + 4 * 0xFFFFFFF is word 0 again."""
    body = """shared uint s[4];
    void main() {
        uint me = gl_LocalInvocationIndex, far = given[1] * me;
        s[me] = me + 100u;
        result[me] = given[me] + given[me + far] + (me < 4u ? s[me] : s[me + given[0]]);
    }"""
    assert _run(10, 1, 8, [7, 0xFFFFFFF, 3], body) == [7 + 7 + 100, 0xFFFFFFF + 101, 3 + 102, 103, 7, 0, 0, 0]


@pytest.mark.usefixtures("kernels_only")
def test_atomic_operations_act_in_the_order_of_lanes() -> None:
    body = """void main() {
        uint me = gl_GlobalInvocationID.x;
        if (me % 3u != 1u) result[me] = atomicAdd(given[0], me);
        else result[me] = atomicExchange(given[1], me);
        atomicMax(given[2], me * 7u);
        if (me == 19u) result[20] = given[2];
    }"""
    wanted, total, last = [], 5, 50
    for me in range(20):
        wanted.append(last if me % 3 == 1 else total)
        total, last = (total, me) if me % 3 == 1 else (total + me, last)
    # A vector adds before it exchanges; groups of one vector's lanes or fewer come one after the other.
    assert _run(4, 5, 21, [5, 50, 60], body) == [*wanted, 133]


@pytest.mark.usefixtures("kernels_only")
def test_divisions_are_exact() -> None:
    body = """void main() {
        uint me = gl_GlobalInvocationID.x, a = given[2u * me], b = given[2u * me + 1u];
        result[4u * me] = a / b;
        result[4u * me + 1u] = a % b;
        result[4u * me + 2u] = uint(int(a) / int(b));
        result[4u * me + 3u] = uint(int(a) % int(b));
    }"""
    edges = [1, 2, 3, 7, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF]
    pairs = [(a, b) for a in [0, *edges] for b in edges]
    pairs += np.random.default_rng(1).integers(1, 1 << 32, (54, 2)).tolist()
    wanted: list[int] = []
    for a, b in pairs:
        signed_a, signed_b = (x - (x >> 31 << 32) for x in (a, b))
        quotient = abs(signed_a) // abs(signed_b) * (1 if (signed_a < 0) == (signed_b < 0) else -1)
        wanted += [a // b, a % b, quotient & 0xFFFFFFFF, (signed_a - quotient * signed_b) & 0xFFFFFFFF]
    assert _run(16, len(pairs) // 16, 4 * len(pairs), pairs, body) == wanted
