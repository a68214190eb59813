"""Fragment kernels compute what the reference computes: interpolation, shader, texels read, discarded lanes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tilegpu.functional.errors import ExecutionError
from tilegpu.functional.execute import decisions
from tilegpu.functional.execute.decisions import FIRST_NODES
from tilegpu.functional.execute.llvm_backend import LlvmBackend, kernels, native
from tilegpu.functional.execute.llvm_backend.ir.whole import MAX_INSTRUCTIONS
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.execute.paths import PathTable
from tilegpu.functional.glsl import compile_shader, link_program
from tilegpu.functional.glsl.ir import analysis
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.fragments.fragment_shading import fragment_inputs
from tilegpu.functional.pipeline.fragments.rasterization import Quads
from tilegpu.functional.pipeline.fused import noted_reads
from tilegpu.functional.pipeline.fused.plan import Observation, shading_kernel
from tilegpu.functional.pipeline.geometry.set_up import new_geometry
from tilegpu.functional.pipeline.sampler import Sampler, Storage
from tilegpu.functional.pipeline.state import Constants, Samplers
from tilegpu.functional.pipeline.texturing.reads import OPERATION, LoggedReads, Operation
from tilegpu.functional.pipeline.texturing.unit import Reads, TextureUnit
from tilegpu.functional.recording.reads import add_reads, read_columns

from ..glsl import random_vectors
from ..glsl.helpers import program_of
from ..glsl.mesa import VERTEX as FLAT_VERTEX
from ..glsl.random_programs import Stmt, blocks
from ..glsl.test_random_programs import _source
from .kernel_shading import KernelShading

HEAD = "precision highp float; precision highp int; varying highp vec4 v; varying highp float w;\n"
TYPES = {"v": "vec4", "w": "float"}
QUADS = 37


def _drawn(
    program: Any, samplers: tuple[Sampler, ...] = (), seed: int = 0, scale: float = 1.0, size: int = 3
) -> tuple[Any, ...]:
    """A draw of three triangles, lines or points with random varyings, and quads here and there on them."""
    random = np.random.default_rng(seed)
    slots = 1 + max((d.slot for d in program.fragment.inputs if d.semantic == "varying"), default=0)
    vertices = 9
    window = random.uniform(0, 64, (vertices, 4)).astype(np.float32)
    window[:, 2:] = random.uniform(0.1, 1, (vertices, 2))
    outputs = (scale * random.uniform(-1, 1, (vertices, 4 * slots))).astype(np.float32)
    geometry = replace(
        new_geometry(size, np.empty((vertices, 4), np.float32), outputs, 3, True),
        corners=np.where(np.arange(3) < size, np.arange(vertices).reshape(-1, 3), -1).astype(np.int32),
        window=window,
        planes=random.uniform(0, 0.01, (3, 3)),
        front=np.array([True, False, True]),
        extent=np.array([0, 7.5, 30], np.float32),
    )
    place = random.integers(0, 32, (2, QUADS)).astype(np.uint16)
    primitive = random.integers(0, 3, QUADS).astype(np.int32)
    quads = Quads(primitive, place[0], place[1], np.full(QUADS, 15, np.uint16))
    constants = random.uniform(-1, 1, (program.fragment.constant_count, 4)).astype(np.float32)
    constants = Constants(np.zeros((0, 4), np.float32), constants)
    state = SimpleNamespace(program=program, samplers=Samplers((), samplers), constants=constants)
    return state, geometry, quads


def _both(state: Any, geometry: Any, quads: Quads, recording: bool = False) -> tuple[Any, ...]:
    """Results and reads by the reference, and results by the kernel for every third quad and some neighbours."""
    which = np.unique(np.append(np.arange(0, QUADS, 3), np.arange(8, 16)))
    reads: list[Reads] = []
    expected_paths, paths = (PathTable(state.program.fragment) if recording else None for _ in range(2))
    expected = NumpyBackend().run(
        state.program.fragment,
        fragment_inputs(state.program, geometry, quads.take(which), np.ones(4 * len(which), np.bool_)),
        state.constants.fragment,
        TextureUnit(state.samplers.fragment, True, reads),
        expected_paths,
        instruction_limit=20_000,
    )
    kernel = shading_kernel(state, geometry.size, Observation(recording), LlvmBackend())
    assert not isinstance(kernel, str)
    shaded, told = KernelShading(kernel, state, geometry, quads, paths).run(which)
    lanes = 4 * len(which)
    if expected_paths is not None and paths is not None:
        np.testing.assert_array_equal(expected.paths, shaded.paths)
        assert expected_paths.all_runs() == paths.all_runs()
    killed = None if shaded.killed is None else shaded.killed[:lanes]
    return expected, reads, shaded.outputs[:, :, :lanes], killed, told


def _agree(state: Any, geometry: Any, quads: Quads, recording: bool = False) -> None:
    expected, _, outputs, killed, _ = _both(state, geometry, quads, recording)
    np.testing.assert_array_equal(expected.outputs, outputs)
    assert (expected.killed is None) == (killed is None)
    if killed is not None:
        np.testing.assert_array_equal(expected.killed, killed)


def _random_programs(examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(2, False), st.integers(0, 1000))
    def check(program: Stmt, seed: int) -> None:
        try:
            _agree(*_drawn(program_of(HEAD + _source(program), TYPES), seed=seed), recording=True)
        except ExecutionError:
            assume(False)

    check()


def test_random_programs_with_flow_agree() -> None:
    _random_programs(examples(20, 40))


@pytest.mark.slow
def test_five_thousand_random_programs_agree() -> None:
    _random_programs(5000)


@pytest.mark.parametrize(
    "body",
    [
        "if (v.x > 0.0) { if (v.y > 0.0) discard; gl_FragColor = v; } else gl_FragColor = vec4(w);",
        "float s = 0.0; for (int i = 0; i < 9; i++) { if (float(i) > 9.0 * v.x) break; if (v.y > 0.1 * float(i)) "
        "continue; s += w; } gl_FragColor = vec4(s);",
        "gl_FragColor = vec4(gl_FragCoord.xy, gl_FragCoord.z, gl_FragCoord.w);",
        "gl_FragColor = gl_FrontFacing ? v : vec4(w);",
        "gl_FragColor = vec4(gl_PointCoord, v.xy);",
        "if (gl_FragCoord.x < 30.0) { gl_FragColor = v; return; } discard;",
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_flow_and_built_in_inputs(body: str, size: int) -> None:
    _agree(*_drawn(program_of(f"{HEAD} void main() {{ {body} }}", TYPES), size=size), recording=True)


def test_integers_that_are_not_interpolated_keep_their_bits() -> None:
    """What every lane gets is the last vertex's value, whatever the bits would mean as a float."""
    head = "#version 300 es\nprecision highp float; precision highp int; "
    vertex = compile_shader(f"{head} flat out int v; void main() {{ gl_Position = vec4(0.0); v = 0; }}", "vertex")
    source = f"{head} flat in int v; out vec4 o; void main() {{ o = vec4(float(v)); }}"
    program = link_program(vertex, compile_shader(source, "fragment"), {})
    state, geometry, quads = _drawn(program)
    geometry.outputs = np.arange(geometry.outputs.size, dtype=np.int32).reshape(geometry.outputs.shape).view(np.float32)
    (slot,) = (v.slot for v in program.varyings)
    expected, _, outputs, _, _ = _both(state, geometry, quads)
    np.testing.assert_array_equal(expected.outputs, outputs)
    last = geometry.outputs.view(np.int32)[geometry.corners[:, 2], 4 * slot]
    assert set(np.unique(outputs[0, 0])) <= set(last.astype(np.float32))


def test_an_endless_loop_stops() -> None:
    source = HEAD + "void main() { float s = v.x; while (s < 1e9) s = s * 0.5; gl_FragColor = vec4(s); }"
    state, geometry, quads = _drawn(program_of(source, TYPES))
    kernel = shading_kernel(state, geometry.size, Observation(False), LlvmBackend())
    assert not isinstance(kernel, str)
    with pytest.raises(ExecutionError, match="does a loop never end"):
        KernelShading(kernel, state, geometry, quads, None)(np.arange(QUADS))


CHOSEN = {
    "uniforms": ("uniform vec4 u[5];", "o = u[i] + u[1] - u[j + 1].wzyx;"),
    "uniform matrices": ("uniform mat4 u[3]; uniform vec4 z;", "o = u[i] * v + u[j][i] + z;"),
    "a constant table": ("const vec4 t[4] = vec4[4](vec4(1), vec4(2), vec4(3, 4, 5, 6), vec4(0.5));",
        "o = t[i] - t[j].x;"),
    "a table beyond its ends": ("uniform vec2 u[3];", "o = vec4(u[9 * i], u[j - 7]);"),
    "varyings": ("in vec3 a[4];", "o = vec4(a[i], a[j].y);"),
    "a variable": ("", "vec4 t[4]; t[0] = v; t[1] = v.yxwz; t[2] = v * w; t[3] = vec4(w); o = t[i] - t[j].xxyy;"),
    "a variable that is written": ("", "vec4 t[4]; for (int n = 0; n < 4; n++) t[n] = v * float(n); "
        "t[i].xz = t[j].yw; if (w > 0.0) { t[j] += 1.0; t[i + j - 1].y = 7.0; } o = t[i] + 2.0 * t[2] - t[3];"),
    "components": ("", "vec4 t = v; t[i] = w; if (v.y > 0.0) t[j] -= 1.0; o = t * t[j];"),
    "in loops": ("uniform vec4 u[8];", "o = vec4(0); vec4 t[3]; t[0] = t[1] = t[2] = v; "
        "for (int n = 0; n < 4 + i; n++) { if (o.x > 2.0) break; if (n == j) continue; "
        "o += u[n]; t[n & 1] = o; } o += t[j & 1];"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHOSEN)
def test_registers_chosen_at_run_time(what: str) -> None:
    """Lanes choose different ones."""
    declared, body = CHOSEN[what]
    head = f"#version 300 es\nprecision highp float; precision highp int; in vec4 v; in float w; out vec4 o; {declared}"
    source = f"{head} void main() {{ int i = int(abs(v.x) * 2.99), j = int(abs(v.z) * 2.99); {body} }}"
    varyings = {**TYPES, **({"a": "vec3[4]"} if "a[4]" in declared else {})}
    vertex = "".join(f"out {of} {name};" for name, of in varyings.items())
    rows = "".join(f"a[{n}] = vec3(0);" for n in range(4)) if "a" in varyings else ""
    main = f"void main() {{ gl_Position = vec4(0); v = vec4(0); w = 0.0; {rows} }}"
    first = compile_shader(f"#version 300 es\n{vertex} {main}", "vertex")
    program = link_program(first, compile_shader(source, "fragment"), {})
    assert any(s.indirect for i in program.fragment.instructions for s in i.sources) or what == "components"
    _agree(*_drawn(program), recording=True)


def _random_vectors(seeds: range) -> None:
    vertex = compile_shader(FLAT_VERTEX, "vertex")
    for seed in seeds:
        source = random_vectors.program(seed).glsl
        linked = link_program(vertex, compile_shader(source, "fragment"), {})
        if linked.fragment.inputs and len(linked.fragment.instructions) <= MAX_INSTRUCTIONS:
            _agree(*_drawn(linked, seed=seed, scale=4.0), recording=True)


def test_random_programs_over_vectors_agree() -> None:
    """Structures, arrays, swizzles, functions and registers chosen at run time inside flow of all kinds."""
    _random_vectors(range(12))


@pytest.mark.slow
def test_two_thousand_random_programs_over_vectors_agree() -> None:
    _random_vectors(range(12, 2000))


LOOP = """float s = v.x; for (int i = 0; i < int(abs(v.z) * 9.0); i++) { if (s > 2.0 * w) { s -= w; continue; }
    if (s < -3.0) break; s += sin(s) + v.y; for (int j = 0; j < i; j++) { if (s * s > 4.0) break; s *= 1.5; } }
    gl_FragColor = vec4(s);"""


def _instructions_agree(program: Any, seed: int = 0) -> None:
    """Counted by the kernel, and from the blocks that the reference executes."""
    state, geometry, quads = _drawn(program, seed=seed, scale=3.0)
    shader, paths, which = program.fragment, PathTable(program.fragment), np.arange(0, QUADS, 2)
    inputs = fragment_inputs(program, geometry, quads.take(which), np.ones(4 * len(which), np.bool_))
    unit = TextureUnit((), True, [])
    run = NumpyBackend().run(shader, inputs, state.constants.fragment, unit, paths, instruction_limit=20_000)
    sizes = {block.first: block.last + 1 - block.first for block in analysis.blocks(shader)}
    of_paths = np.array([sum(sizes[first] * times for first, times in runs) for runs in paths.all_runs()])
    kernel = shading_kernel(state, geometry.size, Observation(False, counted=True), LlvmBackend())
    assert not isinstance(kernel, str)
    counted = KernelShading(kernel, state, geometry, quads, None).executed(which)
    np.testing.assert_array_equal(of_paths[run.paths], counted)
    assert len(set(counted.tolist())) > 1 or seed


ELSEWHERE = """float s = v.x; for (int i = 0; i < 5; i++) { if (v.y > 0.0) { if (s > 1.0) break; s += 0.4; } else
    { if (w > 0.3) continue; s *= 2.0; } if (v.z > 0.5) { if (w < 0.0) return; discard; } s += w; }
    gl_FragColor = vec4(s);"""


@pytest.mark.parametrize("body", [LOOP, ELSEWHERE, "if (v.x > 0.0) { if (v.y > 0.0) discard; gl_FragColor = v; }"])
def test_instructions_of_lanes(body: str) -> None:
    """Halves that no lane enters, lanes that continue, leave a loop or the shader, and those that are discarded."""
    _instructions_agree(program_of(f"{HEAD} void main() {{ {body} }}", TYPES))


def _instructions_of_random_programs(examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(2, False), st.integers(1, 1000))
    def check(program: Stmt, seed: int) -> None:
        linked = program_of(HEAD + _source(program), TYPES)
        assume(analysis.has_flow(linked.fragment))
        try:
            _instructions_agree(linked, seed)
        except ExecutionError:
            assume(False)

    check()


def test_instructions_of_random_programs() -> None:
    _instructions_of_random_programs(examples(6, 12))


@pytest.mark.slow
def test_instructions_of_two_thousand_random_programs() -> None:
    _instructions_of_random_programs(2000)


@pytest.mark.parametrize("limit", [1, 7, FIRST_NODES])
def test_paths_through_loops(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same paths under the same numbers, wherever the tree of decisions has to grow."""
    monkeypatch.setattr(decisions, "FIRST_NODES", limit)
    _agree(*_drawn(program_of(f"{HEAD} void main() {{ {LOOP} }}", TYPES), scale=3.0), recording=True)


READING_LOOP = """vec4 s = texture2D(t, v.yx); for (int i = 0; i < int(abs(v.z) * 20.0); i++) {
    s += texture2D(t, s.xy) - 0.4; if (s.x > 2.0) { s.x -= 1.7; continue; } if (s.y < -1.0) break;
    s.zw += texture2D(t, s.yx, w).xy; } gl_FragColor = s + texture2D(t, v.xy);"""


@pytest.mark.parametrize("records", [1, 5, noted_reads.FIRST_RECORDS])
def test_reads_in_loops(records: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same texels in the same order for every quad, wherever the log has to grow."""
    monkeypatch.setattr(noted_reads, "FIRST_RECORDS", records)
    source = f"{HEAD} uniform sampler2D t; void main() {{ {READING_LOOP} }}"
    state, geometry, quads = _drawn(program_of(source, TYPES), (_texture(8, 8, base_level=2),))
    expected, reads, outputs, _, logged = _both(state, geometry, quads, recording=True)
    np.testing.assert_array_equal(expected.outputs, outputs)
    which = np.arange(outputs.shape[2] // 4)
    tables = [read_columns() for _ in range(2)]
    for table, told in zip(tables, (reads, logged), strict=True):
        add_reads(table, told, np.full(len(which), 15, np.uint16), which, 0)
    assert tables[0].count > 400
    for (name, a), (_, b) in zip(*(table.columns().items() for table in tables), strict=True):
        np.testing.assert_array_equal(a, b, name)


def test_numpy_has_no_kernels() -> None:
    state, geometry, _ = _drawn(program_of(f"{HEAD} void main() {{ gl_FragColor = v; }}", TYPES))
    assert "numpy" in str(shading_kernel(state, geometry.size, Observation(False), NumpyBackend()))


def _texture(
    width: int, height: int, layers: int = 1, target: str = "2d", floats: bool = False, **state: Any
) -> Sampler:
    """A texture of random texels with all its levels; some floats are infinite or no numbers."""
    sizes = [(width, height, layers)]
    while max(sizes[-1][:2]) > 1:
        w, h, d = sizes[-1]
        sizes.append((max(1, w // 2), max(1, h // 2), max(1, d // 2) if target == "3d" else d))
    counts = np.array([4 * w * h * d for w, h, d in sizes])
    random = np.random.default_rng(width)
    texels = random.integers(0, 256, counts.sum()).astype(np.uint8)
    if floats:
        texels = random.uniform(0, 1, counts.sum()).astype(np.float32)
        texels[random.integers(0, len(texels), 3)] = np.inf, -np.inf, np.nan
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
    storage = Storage(lambda: texels, offsets, *(np.array(column, np.int64) for column in zip(*sizes, strict=True)))
    usual = dict(min_filter=gl.LINEAR_MIPMAP_LINEAR, mag_filter=gl.LINEAR, wrap_s=gl.REPEAT, wrap_t=gl.REPEAT)
    return Sampler(storage, 1, 1, target, **(usual | state))


MIN_FILTERS = (
    gl.NEAREST,
    gl.LINEAR,
    gl.NEAREST_MIPMAP_NEAREST,
    gl.LINEAR_MIPMAP_NEAREST,
    gl.NEAREST_MIPMAP_LINEAR,
    gl.LINEAR_MIPMAP_LINEAR,
)
WRAPS = (gl.REPEAT, gl.CLAMP_TO_EDGE, gl.MIRRORED_REPEAT)
LOOKUPS = {
    "implicit": "texture2D(t, v.xy)",
    "projected": "texture2DProj(t, v)",
    "biased": "texture2D(t, v.xy, w)",
    "explicit": "texture2DLodEXT(t, v.xy, 3.0 * w)",
    "one channel": "vec4(texture2D(t, v.xy).b, texture2D(t, v.yx, w).ar, w)",
    "single channels": "vec4(texture2D(t, v.xy).g, texture2D(t, v.yx, w).a, texture2D(t, v.zw).r, 1.0)",
}


@pytest.mark.parametrize("lookup", LOOKUPS)
@settings(max_examples=examples(30, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    size=st.tuples(st.integers(1, 70), st.integers(1, 70)),
    min_filter=st.sampled_from(MIN_FILTERS),
    mag_filter=st.sampled_from((gl.NEAREST, gl.LINEAR)),
    wraps=st.tuples(st.sampled_from(WRAPS), st.sampled_from(WRAPS)),
    bias=st.sampled_from((0.0, -1.5, 2.25, 40.0)),
    limits=st.sampled_from(((-1000.0, 1000.0), (0.5, 2.5), (-3.0, 0.0))),
    anisotropy=st.sampled_from((1.0, 1.0, 1.9, 2.0, 5.5, 8.0, 64.0)),
    swizzle=st.sampled_from(((0, 1, 2, 3), (3, 2, 1, 0), (0, 0, 0, 5), (4, 5, 1, 1))),
    scale=st.sampled_from((0.01, 1.0, 30.0, 1e12, np.inf)),
    seed=st.integers(0, 100),
)
def test_textures_agree_texel_by_texel(
    lookup: str,
    size: tuple[int, int],
    min_filter: int,
    mag_filter: int,
    wraps: tuple[int, int],
    bias: float,
    limits: tuple[float, float],
    anisotropy: float,
    swizzle: tuple[int, int, int, int],
    scale: float,
    seed: int,
) -> None:
    """The same values and the same texels, whatever the state and the coordinates, infinite ones and NaN included."""
    source = f"#extension GL_EXT_shader_texture_lod : enable\n{HEAD} uniform sampler2D t;"
    program = program_of(f"{source} void main() {{ gl_FragColor = {LOOKUPS[lookup]}; }}", TYPES)
    sampler = _texture(
        *size,
        min_filter=min_filter,
        mag_filter=mag_filter,
        wrap_s=wraps[0],
        wrap_t=wraps[1],
        lod_bias=bias,
        min_lod=limits[0],
        max_lod=limits[1],
        anisotropy=anisotropy,
        swizzle=swizzle,
    )
    with np.errstate(all="ignore"):
        expected, reads, outputs, _, noted = _both(*_drawn(program, (sampler,), seed, scale), recording=True)
    np.testing.assert_array_equal(expected.outputs, outputs)
    _same_reads(reads, noted, outputs.shape[2])


def _same_reads(reads: list[Reads], noted: LoggedReads, lanes: int) -> None:
    # Kernels have room for as many probes as there may be, the reference for as many as there are.
    found = [r for r in _by_operation(noted, lanes) if not r.probe or (r.levels >= 0).any()]
    for a, b in zip(reads, found, strict=True):
        assert (a.pc, a.sampler, a.probe) == (b.pc, b.sampler, b.probe)
        levels = a.levels if a.active is None else np.where(a.active, a.levels, -1)
        np.testing.assert_array_equal(levels, b.levels)
        lanes = (levels >= 0).any(0) if a.probe else slice(None)
        for column in ("linear", "face"):
            np.testing.assert_array_equal(getattr(a, column)[lanes], getattr(b, column)[lanes])
        for column in ("x", "y"):
            read = levels >= 0
            np.testing.assert_array_equal(getattr(a, column)[read], getattr(b, column)[read])


def _by_operation(noted: LoggedReads, lanes: int) -> Iterator[Reads]:
    """Records of all lanes, one by one."""
    columns = noted.levels, noted.x, noted.y, noted.face, noted.linear
    for fields, *rows in zip(noted.operations.tolist(), *columns, strict=True):
        operation, cut = Operation(*fields), (row[..., :lanes] for row in rows)
        if operation.recorded:
            yield Reads(operation.pc, operation.sampler, *cut, None, operation.probe)


DEEP_LOOKUPS = {
    "sampler2D": ("2d", "texture(t, v.xy)", "textureProj(t, v)", "vec4(texture(t, v.xy).y)"),
    "samplerCube": ("cube", "texture(t, v.xyz)", "texture(t, v.xyz, w)", "textureLod(t, v.zxy, 3.0 * w)"),
    "sampler2DArray": ("2d_array", "texture(t, v.xyz)", "texture(t, 3.0 * v.xyz, w)", "textureLod(t, v.xyz, 3.0 * w)"),
    "sampler3D": ("3d", "texture(t, v.xyz)", "textureProj(t, v)", "textureLod(t, v.xyz, 3.0 * w)"),
    "sampler2DShadow": ("2d", "vec4(texture(t, v.xyz))", "vec4(textureProj(t, v))", "vec4(textureLod(t, v.xyz, w))"),
    "samplerCubeShadow": ("cube", "vec4(texture(t, v))", "vec4(texture(t, v, w))"),
    "sampler2DArrayShadow": ("2d_array", "vec4(texture(t, v))",),
}  # fmt: skip


def _deep_program(sampler: str, lookup: str) -> Any:
    head = "#version 300 es\nprecision highp float; "
    vertex = compile_shader(f"{head} out vec4 v; out float w; void main() {{ v = vec4(0.0); w = 0.0; }}", "vertex")
    source = f"{head} uniform highp {sampler} t; in vec4 v; in float w; out vec4 o; void main() {{ o = {lookup}; }}"
    return link_program(vertex, compile_shader(source, "fragment"), {})


@pytest.mark.parametrize("sampler", DEEP_LOOKUPS)
@settings(max_examples=examples(30, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    size=st.tuples(st.integers(1, 40), st.integers(1, 40), st.integers(1, 9)),
    floats=st.booleans(),
    filters=st.tuples(st.sampled_from(MIN_FILTERS), st.sampled_from((gl.NEAREST, gl.LINEAR))),
    wraps=st.tuples(*[st.sampled_from(WRAPS)] * 3),
    bias=st.sampled_from((0.0, -1.5, 2.25)),
    compare=st.integers(-1, 7),
    anisotropy=st.sampled_from((1.0, 1.0, 2.0, 9.5)),
    swizzle=st.sampled_from(((0, 1, 2, 3), (3, 2, 1, 0), (4, 5, 1, 1))),
    scale=st.sampled_from((0.01, 1.0, 30.0, 1e12, np.inf)),
    seed=st.integers(0, 100),
)
def test_all_kinds_of_textures_agree_texel_by_texel(
    sampler: str,
    size: tuple[int, int, int],
    floats: bool,
    filters: tuple[int, int],
    wraps: tuple[int, int, int],
    bias: float,
    compare: int,
    anisotropy: float,
    swizzle: tuple[int, int, int, int],
    scale: float,
    seed: int,
) -> None:
    """Cubes, arrays, volumes, floats and depth comparison: the same values, images and texels."""
    target, *lookups = DEEP_LOOKUPS[sampler]
    width, height, layers = size
    if target != "3d":
        layers = {"cube": 6, "2d": 1}.get(target, layers)
    texture = _texture(
        width,
        width if target == "cube" else height,
        layers,
        target,
        floats,
        min_filter=filters[0],
        mag_filter=filters[1],
        wrap_s=wraps[0],
        wrap_t=wraps[1],
        wrap_r=wraps[2],
        lod_bias=bias,
        compare=compare,
        anisotropy=anisotropy,
        swizzle=swizzle,
    )
    for lookup in lookups:
        with np.errstate(all="ignore"):
            drawn = _drawn(_deep_program(sampler, lookup), (texture,), seed, scale)
            expected, reads, outputs, _, noted = _both(*drawn, recording=True)
        np.testing.assert_array_equal(expected.outputs, outputs)
        _same_reads(reads, noted, outputs.shape[2])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 64])
@pytest.mark.parametrize("sampler", ["samplerCube", "samplerCubeShadow"])
def test_every_edge_and_corner_of_a_cube(sampler: str, size: int) -> None:
    """Directions at and beside all edges and corners, filtered across them."""
    target, lookup, *_ = DEEP_LOOKUPS[sampler]
    texture = _texture(size, size, 6, target, sampler.endswith("Shadow"), compare=3, min_filter=gl.LINEAR)
    state, geometry, quads = _drawn(_deep_program(sampler, lookup), (texture,))
    places = np.array([-1, -0.99, -0.5, 0, 0.3, 0.99, 1], np.float32)
    ways = np.stack(np.meshgrid(places, places, places), -1).reshape(-1, 3)
    (slot,) = (v.slot for v in state.program.varyings if v.name == "v")
    for first in range(0, len(ways), 9):
        part = ways[first : first + 9]
        geometry.outputs[: len(part), 4 * slot : 4 * slot + 3] = part
        expected, reads, outputs, _, noted = _both(state, geometry, quads, recording=True)
        np.testing.assert_array_equal(expected.outputs, outputs)
        _same_reads(reads, noted, outputs.shape[2])


@pytest.mark.parametrize("sampler", DEEP_LOOKUPS)
def test_incomplete_textures_of_all_kinds_read_black(sampler: str) -> None:
    target, lookup, *_ = DEEP_LOOKUPS[sampler]
    incomplete = Sampler(None, -1, 0, target, gl.LINEAR, gl.LINEAR, gl.REPEAT, gl.REPEAT, compare=3)
    _, _, outputs, _, noted = _both(*_drawn(_deep_program(sampler, lookup), (incomplete,)), recording=True)
    assert not noted.operations[:, OPERATION.recorded].any()
    expected = np.array([0, 0, 0, 1] if "Shadow" not in sampler else [0, 0, 0, 0], np.float32)
    assert (outputs[0] == expected[:, None]).all()


def test_an_incomplete_texture_reads_black_and_is_not_recorded() -> None:
    program = program_of(f"{HEAD} uniform sampler2D t; void main() {{ gl_FragColor = texture2D(t, v.xy); }}", TYPES)
    sampler = Sampler(None, -1, 0, "2d", gl.LINEAR, gl.LINEAR, gl.REPEAT, gl.REPEAT, swizzle=(3, 3, 3, 3))
    _, _, outputs, _, noted = _both(*_drawn(program, (sampler,)), recording=True)
    assert not noted.operations[:, OPERATION.recorded].any()
    assert (outputs[0] == np.array([0, 0, 0, 1], np.float32)[:, None]).all()


@pytest.mark.parametrize("lanes", [4, 8])
def test_narrower_vectors_give_the_same_bytes(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"{HEAD} uniform sampler2D t; void main() {{ gl_FragColor = texture2D(t, v.xy) * sin(w); }}"
    program = program_of(source, TYPES)
    wide = _both(*_drawn(program, (_texture(30, 16),)))[2]
    for module in (native, kernels):
        monkeypatch.setattr(module, "width", lambda: lanes)
    narrow = _both(*_drawn(program, (_texture(30, 16),)))[2]
    np.testing.assert_array_equal(wide, narrow)
