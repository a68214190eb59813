"""Fragment kernels compute what the reference computes: interpolation, shader, texels read, discarded lanes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tilegpu.functional.execute.backend import ExecutionError
from tilegpu.functional.execute.llvm_backend import LlvmBackend, kernels, native
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.gles import enums as gl
from tilegpu.functional.glsl import compile_shader, link_program
from tilegpu.functional.pipeline.command import Sampler, Storage
from tilegpu.functional.pipeline.fragment_kernels import KernelShading, chosen_kernel
from tilegpu.functional.pipeline.fragment_shading import fragment_inputs
from tilegpu.functional.pipeline.rasterization import Quads
from tilegpu.functional.pipeline.texturing import Reads, TextureUnit

from ..glsl.helpers import program_of
from ..glsl.random_programs import Stmt, blocks
from ..glsl.test_random_programs import _source

HEAD = "precision highp float; precision highp int; varying highp vec4 v; varying highp float w;\n"
TYPES = {"v": "vec4", "w": "float"}
QUADS = 37


def _drawn(
    program: Any, samplers: tuple[Sampler, ...] = (), seed: int = 0, scale: float = 1.0, size: int = 3
) -> tuple[Any, ...]:
    """A draw of three triangles, lines or points with random varyings, and quads here and there on them."""
    random = np.random.default_rng(seed)
    slots = 1 + max((v.slot for v in program.varyings), default=0)
    vertices = 9
    window = random.uniform(0, 64, (vertices, 4)).astype(np.float32)
    window[:, 2:] = random.uniform(0.1, 1, (vertices, 2))
    geometry = SimpleNamespace(
        size=size,
        corners=np.where(np.arange(3) < size, np.arange(vertices).reshape(-1, 3), -1).astype(np.int32),
        window=window,
        outputs=(scale * random.uniform(-1, 1, (vertices, 4 * slots))).astype(np.float32),
        planes=random.uniform(0, 0.01, (3, 3)),
        front=np.array([True, False, True]),
        extent=np.zeros(3, np.float32),
    )
    place = random.integers(0, 32, (2, QUADS)).astype(np.uint16)
    primitive = random.integers(0, 3, QUADS).astype(np.int32)
    quads = Quads(primitive, place[0], place[1], np.full(QUADS, 15, np.uint16))
    constants = random.uniform(-1, 1, (program.fragment.constant_count, 4)).astype(np.float32)
    draw = SimpleNamespace(program=program, fragment_samplers=samplers, fragment_constants=constants)
    return draw, geometry, quads


def _both(draw: Any, geometry: Any, quads: Quads, recording: bool = False) -> tuple[Any, ...]:
    """Outputs, discarded lanes and reads by the reference, and by the kernel for every third quad and the first."""
    which = np.unique(np.append(np.arange(0, QUADS, 3), 1))
    places = quads.primitive[which], quads.x[which], quads.y[which]
    reads: list[Reads] = []
    expected = NumpyBackend().run(
        draw.program.fragment,
        fragment_inputs(draw, geometry, *places),
        draw.fragment_constants,
        TextureUnit(draw.fragment_samplers, True, reads),
        instruction_limit=20_000,
    )
    kernel = chosen_kernel(draw, geometry, LlvmBackend(), recording)
    assert kernel is not None
    outputs, killed, noted = KernelShading(kernel, draw, geometry, quads, recording).shade(which)
    lanes = 4 * len(which)
    return expected, reads, outputs[:, :, :lanes], None if killed is None else killed[:lanes], noted


def _agree(draw: Any, geometry: Any, quads: Quads) -> None:
    expected, _, outputs, killed, _ = _both(draw, geometry, quads)
    np.testing.assert_array_equal(expected.outputs, outputs)
    assert (expected.killed is None) == (killed is None)
    if killed is not None:
        np.testing.assert_array_equal(expected.killed, killed)


def _random_programs(examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(blocks(2, False), st.integers(0, 1000))
    def check(program: Stmt, seed: int) -> None:
        try:
            _agree(*_drawn(program_of(HEAD + _source(program), TYPES), seed=seed))
        except ExecutionError:
            assume(False)

    check()


def test_random_programs_with_flow_agree() -> None:
    _random_programs(40)


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
        "if (gl_FragCoord.x < 30.0) { gl_FragColor = v; return; } discard;",
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_flow_and_built_in_inputs(body: str, size: int) -> None:
    _agree(*_drawn(program_of(f"{HEAD} void main() {{ {body} }}", TYPES), size=size))


def test_integers_that_are_not_interpolated_keep_their_bits() -> None:
    """What every lane gets is the last vertex's value, whatever the bits would mean as a float."""
    head = "#version 300 es\nprecision highp float; precision highp int; "
    vertex = compile_shader(f"{head} flat out int v; void main() {{ gl_Position = vec4(0.0); v = 0; }}", "vertex")
    source = f"{head} flat in int v; out vec4 o; void main() {{ o = vec4(float(v)); }}"
    program = link_program(vertex, compile_shader(source, "fragment"), {})
    draw, geometry, quads = _drawn(program)
    geometry.outputs = np.arange(geometry.outputs.size, dtype=np.int32).reshape(geometry.outputs.shape).view(np.float32)
    (slot,) = (v.slot for v in program.varyings)
    expected, _, outputs, _, _ = _both(draw, geometry, quads)
    np.testing.assert_array_equal(expected.outputs, outputs)
    last = geometry.outputs.view(np.int32)[geometry.corners[:, 2], 4 * slot]
    assert set(np.unique(outputs[0, 0])) <= set(last.astype(np.float32))


def test_an_endless_loop_stops() -> None:
    source = HEAD + "void main() { float s = v.x; while (s < 1e9) s = s * 0.5; gl_FragColor = vec4(s); }"
    draw, geometry, quads = _drawn(program_of(source, TYPES))
    kernel = chosen_kernel(draw, geometry, LlvmBackend(), False)
    assert kernel is not None
    with pytest.raises(ExecutionError, match="does a loop never end"):
        KernelShading(kernel, draw, geometry, quads, False).shade(np.arange(QUADS))


def test_paths_are_left_to_the_back_ends_general_way() -> None:
    """A shader with flow is not shaded by a kernel while its paths are recorded."""
    body = "if (v.x > 0.0) gl_FragColor = v; else gl_FragColor = texture2D(t, v.xy);"
    source = f"{HEAD} uniform sampler2D t; void main() {{ {body} }}"
    draw, geometry, _ = _drawn(program_of(source, TYPES), (_texture(8, 8),))
    assert chosen_kernel(draw, geometry, LlvmBackend(), True) is None
    assert chosen_kernel(draw, geometry, LlvmBackend(), False) is not None
    assert chosen_kernel(draw, geometry, NumpyBackend(), False) is None


def _texture(width: int, height: int, **state: Any) -> Sampler:
    """A texture of random texels with all its levels."""
    sizes = [(width, height)]
    while sizes[-1] != (1, 1):
        sizes.append((max(1, sizes[-1][0] // 2), max(1, sizes[-1][1] // 2)))
    counts = np.array([4 * w * h for w, h in sizes])
    texels = np.random.default_rng(width).integers(0, 256, counts.sum()).astype(np.uint8)
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
    widths, heights = (np.array(column, np.int64) for column in zip(*sizes, strict=True))
    storage = Storage(texels, offsets, widths, heights, np.ones(len(sizes), np.int64))
    usual = dict(min_filter=gl.LINEAR_MIPMAP_LINEAR, mag_filter=gl.LINEAR, wrap_s=gl.REPEAT, wrap_t=gl.REPEAT)
    return Sampler(storage, 1, 1, "2d", **(usual | state))


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
}


@pytest.mark.parametrize("lookup", LOOKUPS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    size=st.tuples(st.integers(1, 70), st.integers(1, 70)),
    min_filter=st.sampled_from(MIN_FILTERS),
    mag_filter=st.sampled_from((gl.NEAREST, gl.LINEAR)),
    wraps=st.tuples(st.sampled_from(WRAPS), st.sampled_from(WRAPS)),
    bias=st.sampled_from((0.0, -1.5, 2.25, 40.0)),
    limits=st.sampled_from(((-1000.0, 1000.0), (0.5, 2.5), (-3.0, 0.0))),
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
        swizzle=swizzle,
    )
    with np.errstate(all="ignore"):
        expected, reads, outputs, _, noted = _both(*_drawn(program, (sampler,), seed, scale), recording=True)
    np.testing.assert_array_equal(expected.outputs, outputs)
    (a,), (b,) = reads, noted
    assert (a.pc, a.sampler) == (b.pc, b.sampler)
    for column in ("levels", "linear", "face"):
        np.testing.assert_array_equal(getattr(a, column), getattr(b, column))
    for column in ("x", "y"):
        read = a.levels >= 0
        np.testing.assert_array_equal(getattr(a, column)[read], getattr(b, column)[read])


def test_an_incomplete_texture_reads_black_and_is_not_recorded() -> None:
    program = program_of(f"{HEAD} uniform sampler2D t; void main() {{ gl_FragColor = texture2D(t, v.xy); }}", TYPES)
    sampler = Sampler(None, -1, 0, "2d", gl.LINEAR, gl.LINEAR, gl.REPEAT, gl.REPEAT, swizzle=(3, 3, 3, 3))
    _, _, outputs, _, noted = _both(*_drawn(program, (sampler,)), recording=True)
    assert not noted
    assert (outputs[0] == np.array([0, 0, 0, 1], np.float32)[:, None]).all()


def test_narrower_vectors_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    source = f"{HEAD} uniform sampler2D t; void main() {{ gl_FragColor = texture2D(t, v.xy) * sin(w); }}"
    drawn = _drawn(program_of(source, TYPES), (_texture(30, 16),))
    wide = _both(*drawn)[2]
    for module in (native, kernels):
        monkeypatch.setattr(module, "width", lambda: 4)
    kernels.texture_unit.cache_clear()
    try:
        narrow = _both(*drawn)[2]
    finally:
        kernels.texture_unit.cache_clear()
    np.testing.assert_array_equal(wide, narrow)
