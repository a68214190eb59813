"""Machine code computes what the reference computes, whatever the lanes, the vectors and the state of the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tilegpu.functional.conformance.runner import run_file
from tilegpu.functional.errors import ExecutionError
from tilegpu.functional.execute import choice
from tilegpu.functional.execute.llvm_backend import LlvmBackend, native, plan
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.execute.paths import PathTable
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.glsl.ir.opcodes import OPCODES
from tilegpu.functional.glsl.ir.program import Destination, File, Instruction, Shader, Source
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from ..glsl.helpers import no_texture, program_of
from ..glsl.random_programs import Stmt, blocks
from ..glsl.test_random_programs import LANES, _source

HEAD = "precision highp float; precision highp int; varying highp vec4 v; varying highp float w;\n"
TYPES = {"v": "vec4", "w": "float"}


def _inputs(shader: Shader, lanes: int) -> np.ndarray:
    """Inputs of a fragment shader with `v` and `w`, the rows of the random programs again and again."""
    inputs = np.zeros((len(shader.inputs), 4, lanes), np.float32)
    rows = np.resize(LANES, (lanes, 5))
    for i, declaration in enumerate(shader.inputs):
        columns = rows[:, :4].T if declaration.name == "v" else rows[:, 4:].T
        inputs[i, : len(columns)] = columns
    return inputs


def _both(shader: Shader, lanes: int) -> None:
    """Run with both back ends: values, killed lanes and paths are the same, but for the sign of zeros."""
    constants = np.zeros((shader.constant_count, 4), np.float32)
    found = []
    for backend in (NumpyBackend(), LlvmBackend()):
        paths = PathTable(shader)
        result = backend.run(shader, _inputs(shader, lanes), constants, no_texture, paths)
        found.append((result, paths.all_runs()))
    (a, a_runs), (b, b_runs) = found
    np.testing.assert_array_equal(a.outputs, b.outputs)
    assert (a.killed is None) == (b.killed is None)
    if a.killed is not None:
        np.testing.assert_array_equal(a.killed, b.killed)
    np.testing.assert_array_equal(a.paths, b.paths)
    assert a_runs == b_runs


def _agree(depth: int, examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(depth, False))
    def check(program: Stmt) -> None:
        _both(program_of(HEAD + _source(program), TYPES).fragment, 20)

    check()


def test_random_programs_agree() -> None:
    _agree(2, 40)


@pytest.mark.slow
def test_five_thousand_random_programs_agree() -> None:
    _agree(2, 5000)


@pytest.mark.parametrize("lanes", [4, 8, 12, 16, 20, 64, 4100])
def test_any_number_of_lanes(lanes: int) -> None:
    source = """void main() { float s = v.x * 3.0 + v.y; vec2 d = vec2(dFdx(v.z), dFdy(v.w));
        if (v.x > 0.75) { s += floor(v.y * 7.0); if (v.y < 0.0) discard; }
        else for (int i = 0; i < int(w); i++) s *= 0.5;
        gl_FragColor = vec4(s, d, clamp(s, 0.0, 1.0)); }"""
    extension = "#extension GL_OES_standard_derivatives : enable\n"
    _both(program_of(extension + HEAD + source, TYPES).fragment, lanes)


SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-40, 1e30, -1e30, 2.0**31, 2.0**32, np.inf, -np.inf, np.nan, 7]
)
EXACT = sorted(
    name
    for name, info in OPCODES.items()
    if info.shape in ("component", "replicate", "dot2", "dot3", "dot4")
    and name not in ("EX2", "LG2", "POW", "SIN", "COS")
)


@pytest.mark.parametrize("opcode", EXACT)
def test_every_exact_opcode_on_special_values(opcode: str) -> None:
    """All pairs of values that rounding, conversion and comparison stumble over; NaN is NaN whatever its bits."""
    operands = {"UCMP": 3, "MAD": 3, "LRP": 3}.get(opcode, OPCODES[opcode].operands)
    instructions = (
        Instruction(
            opcode,
            Destination(File.OUTPUT, 0, 15),
            tuple(Source(File.INPUT, i, (0, 1, 2, 3)) for i in range(operands)),
        ),
        Instruction("END"),
    )
    template = program_of("precision highp float; varying vec4 a; void main() { gl_FragColor = a; }", {"a": "vec4"})
    shader = template.fragment
    declarations = shader.inputs * operands
    shader = Shader("probe", "fragment", instructions, declarations, shader.outputs)
    a, b = (x.reshape(-1).astype(np.float32) for x in np.meshgrid(SPECIAL, SPECIAL))
    columns = [a, b, b[::-1], a + 1], [b, a, a, b], [a, a, b, b], [b, b, a, a]
    inputs = np.stack([np.stack(column) for column in columns])[:operands]
    results = [
        backend.run(shader, np.ascontiguousarray(inputs, np.float32), np.zeros((0, 4), np.float32), no_texture).outputs
        for backend in (NumpyBackend(), LlvmBackend())
    ]
    expected, actual = (np.where(np.isnan(r), np.float32(np.nan), r) for r in results)
    # Zeros of either sign are equal; which one the lesser of both is, is left open.
    same = (expected.view(np.uint32) == actual.view(np.uint32)) | (np.isnan(expected) & np.isnan(actual))
    same |= (expected == 0) & (actual == 0)
    assert same.all(), [(a, b) for a, b in zip(expected[~same], actual[~same], strict=True)][:5]


WHOLE = [0, 1, -1, 2, -2, 7, -7, 10, 1 << 30, -(1 << 31), (1 << 31) - 1, 123456789, -987654321]


@pytest.mark.parametrize("operator", ["/", "%"])
@pytest.mark.parametrize("kind", ["int", "uint"])
def test_integer_division(kind: str, operator: str) -> None:
    """Towards zero, modulo 2**32; by zero what the instruction set says."""
    bits = "floatBitsToInt" if kind == "int" else "floatBitsToUint"
    back = "intBitsToFloat" if kind == "int" else "uintBitsToFloat"
    head = "#version 300 es\nprecision highp float; precision highp int; in vec4 a; out vec4 o;"
    result = f"{back}({bits}(a.x) {operator} {bits}(a.y))"
    program = program_of(f"{head} void main() {{ o = vec4({result}); }}", {"a": "vec4"})
    constants = np.zeros((program.fragment.constant_count, 4), np.float32)
    pairs = [(x, y) for x in WHOLE for y in WHOLE]
    expected = []
    for x, y in pairs:
        p, q = (x, y) if kind == "int" else (x & 0xFFFFFFFF, y & 0xFFFFFFFF)
        quotient = 0 if not q else abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)
        if not q:
            expected.append(0 if (kind, operator) == ("int", "/") else 0xFFFFFFFF)
        else:
            expected.append((quotient if operator == "/" else p - quotient * q) & 0xFFFFFFFF)
    inputs = np.zeros((1, 4, len(pairs)), np.float32)
    inputs[0, :2] = np.array(pairs, np.int64).astype(np.int32).view(np.float32).T
    for backend in (NumpyBackend(), LlvmBackend()):
        done = backend.run(program.fragment, inputs, constants, no_texture)
        np.testing.assert_array_equal(done.outputs[0, 0].view(np.uint32), np.array(expected, np.uint32), backend.name)


N = 1 << 14
RANDOM = np.random.default_rng(11)


@pytest.mark.parametrize(
    ("expression", "x", "function", "ulps"),
    [
        ("exp2(x)", RANDOM.uniform(-100, 127.9, N), np.exp2, 1.2),
        ("log2(x)", 2.0 ** RANDOM.uniform(-125, 127, N), np.log2, 3.0),
        ("log2(x)", RANDOM.uniform(0.5, 2, N), np.log2, 3.0),
        ("sin(x)", RANDOM.uniform(-100, 100, N), np.sin, 1.5),
        ("cos(x)", RANDOM.uniform(-1e8, 1e8, N), np.cos, 1.5),
    ],
)
def test_precision(expression: str, x: np.ndarray, function: Callable[[np.ndarray], np.ndarray], ulps: float) -> None:
    """Against double precision, in units of the last place."""
    shader = program_of(
        f"precision highp float; varying highp float x; void main() {{ gl_FragColor = vec4({expression}); }}",
        {"x": "float"},
    ).fragment
    inputs = np.zeros((1, 4, N), np.float32)
    inputs[0, 0] = x
    actual = LlvmBackend().run(shader, inputs, np.zeros((0, 4), np.float32), no_texture).outputs[0, 0]
    exact = function(inputs[0, 0].astype(np.float64))
    error = np.abs(actual - exact) / np.spacing(np.abs(exact).astype(np.float32))
    assert error.max() < ulps


@pytest.mark.parametrize(
    ("expression", "pairs"),
    [
        ("exp2(x)", [(np.inf, np.inf), (-np.inf, 0), (np.nan, np.nan), (128, np.inf), (0, 1), (-200, 0)]),
        ("log2(x)", [(0, -np.inf), (-1, np.nan), (np.inf, np.inf), (np.nan, np.nan), (1, 0), (2.0**-140, -140)]),
        ("sin(x)", [(np.inf, np.nan), (np.nan, np.nan), (0, 0)]),
        ("cos(x)", [(-np.inf, np.nan), (0, 1)]),
    ],
)
def test_special_values_of_transcendental_functions(expression: str, pairs: list[tuple[float, float]]) -> None:
    shader = program_of(
        f"precision highp float; varying highp float x; void main() {{ gl_FragColor = vec4({expression}); }}",
        {"x": "float"},
    ).fragment
    inputs = np.zeros((1, 4, len(pairs)), np.float32)
    inputs[0, 0] = [x for x, _ in pairs]
    actual = LlvmBackend().run(shader, inputs, np.zeros((0, 4), np.float32), no_texture).outputs[0, 0]
    np.testing.assert_array_equal(actual, np.array([y for _, y in pairs], np.float32))


def test_narrower_vectors_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (native, plan):
        monkeypatch.setattr(module, "width", lambda: 4)
    source = "void main() { if (v.x > 0.5) gl_FragColor = vec4(sin(v.x)); else gl_FragColor = v * w; }"
    shader = program_of(HEAD + source, TYPES).fragment
    constants = np.zeros((0, 4), np.float32)
    narrow = LlvmBackend().run(shader, _inputs(shader, 44), constants, no_texture).outputs
    monkeypatch.undo()
    wide = LlvmBackend().run(shader, _inputs(shader, 44), constants, no_texture).outputs
    np.testing.assert_array_equal(narrow, wide)


def test_an_endless_loop_stops() -> None:
    source = "void main() { float s = v.x; while (s < 1e9) s = s * 0.5; gl_FragColor = vec4(s); }"
    shader = program_of(HEAD + source, TYPES).fragment
    with pytest.raises(ExecutionError, match="more than 1000 instructions"):
        LlvmBackend().run(shader, _inputs(shader, 8), np.zeros((1, 4), np.float32), no_texture, instruction_limit=1000)


RUN = """
import numpy as np
from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.glsl import compile_shader, link_program
v = "varying highp vec4 a; void main() { gl_Position = vec4(0.0); a = vec4(0.0); }"
f = "precision highp float; varying highp vec4 a; void main() { gl_FragColor = a * 3.0; }"
shader = link_program(compile_shader(v, "vertex"), compile_shader(f, "fragment"), {}).fragment
print(LlvmBackend().run(shader, np.ones((1, 4, 4), np.float32), np.zeros((0, 4), np.float32), None).outputs.sum())
"""


def _run(cache: Path) -> str:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, env=environment, check=True)
    return done.stdout.strip()


def test_a_damaged_or_missing_cache_only_costs_time(tmp_path: Path) -> None:
    assert _run(tmp_path) == "48.0"
    (kept,) = tmp_path.rglob("*.o")
    for damaged in (b"", b"nonsense" * 100, kept.read_bytes()[:-1]):
        kept.write_bytes(damaged)
        assert _run(tmp_path) == "48.0"
    assert [path.name for path in tmp_path.rglob("*.o*")] == [kept.name]
    (tmp_path / "file").write_text("")
    assert _run(tmp_path / "file") == "48.0"


def test_scenes_and_their_activity_are_the_same(scenes: Path, tmp_path: Path) -> None:
    images = []
    for name in choice.BACKENDS:
        backend = choice.choose_backend(name)[0]
        record(scenes / "courtyard.trace", tmp_path / name, FrameRange(0, 3), backend=backend)
        images.append([f.pixels for f in islice(Player(scenes / "courtyard.trace", backend=backend).run(), 3)])
    # The last place of a transcendental function may decide how a colour is rounded.
    difference = np.abs(np.subtract(*images, dtype=np.int32)).max(axis=-1)
    assert difference.max() <= 1
    assert (difference > 0).mean() <= 1e-4
    tables = sorted(path.name for path in (tmp_path / "llvm").glob("*.parquet"))
    for table in tables:
        assert (tmp_path / "llvm" / table).read_bytes() == (tmp_path / "numpy" / table).read_bytes(), table


@pytest.mark.slow
def test_conformance_verdicts_are_the_same(deqp: Path) -> None:
    backend = LlvmBackend()
    outcomes = [o for path in sorted(deqp.glob("*/*.test")) for o in run_file(path, backend)]
    assert outcomes
    assert not [o for o in outcomes if o.status == "failed"]
