"""Built-in functions of GLSL ES 3.10: here, in Mesa, and by the specification's words in Python."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl import ShaderError, compile_shader, link_program

from . import mesa as reference
from .helpers import no_texture
from .mesa import Mesa

VERTEX = reference.VERTEX.replace("300 es", "310 es")
HEAD = """#version 310 es
precision highp float; precision highp int;
flat in vec4 p; flat in vec4 q; flat in ivec4 k; flat in uvec4 n;
"""
LANES = 64
OUTPUTS = {"f4": "vec4", "i4": "ivec4", "u4": "uvec4"}


def _inputs() -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(5)
    words = random.integers(0, 2**32, (LANES, 4), dtype=np.uint32)
    words[:8] = [[0, 1, 2**31, 2**32 - 1], [2**31, 0, 1, 3], [1, 2**32 - 1, 0, 5], [255, 256, 65535, 65536],
                 [2**32 - 1] * 4, [0] * 4, [7, 2**31 + 1, 9, 2**30], [2**31] * 4]  # fmt: skip
    scaled = random.uniform(-4, 4, (LANES, 4)) * 2.0 ** random.integers(-12, 12, (LANES, 4))
    scaled[:3] = [[0, -0.0, 1, -1], [0.5, 0.25, -0.75, 1024], [1.5, 2.0**-100, 2.0**100, -(2.0**-126)]]
    units = random.uniform(-1.25, 1.25, (LANES, 4))
    return {"p": scaled.astype(np.float32), "q": units.astype(np.float32), "k": words.view(np.int32), "n": words}


def _ours(fragment: str, dtype: str, backend: Any) -> NDArray[Any]:
    program = link_program(compile_shader(VERTEX, "vertex"), compile_shader(fragment, "fragment"), {})
    inputs = _inputs()
    given = np.zeros((len(program.fragment.inputs), 4, LANES), np.float32)
    for index, declaration in enumerate(program.fragment.inputs):
        given[index] = inputs[declaration.name].view(np.float32).T
    constants = np.zeros((program.fragment.constant_count, 4), np.float32)
    result = backend.run(program.fragment, given, constants, no_texture)
    return np.ascontiguousarray(result.outputs[0].T).view(dtype)


CASES = [
    ("i4", "", "bitfieldExtract(k, k.x & 15, k.y & 15)"),
    ("u4", "", "bitfieldExtract(n, 3, int(n.y & 28u))"),
    ("i4", "", "ivec4(bitfieldExtract(k.x, 0, 32), bitfieldExtract(k.y, 31, 1), bitfieldExtract(k.z, 5, 0), 0)"),
    ("u4", "", "bitfieldInsert(n, n.wzyx, int(n.x & 15u), int(n.y & 15u))"),
    ("i4", "", "ivec4(bitfieldInsert(k.xy, k.zw, 0, 32), bitfieldInsert(k.zw, k.xy, 7, 0))"),
    ("u4", "", "bitfieldReverse(n)"),
    ("i4", "", "bitfieldReverse(k)"),
    ("i4", "", "bitCount(n)"),
    ("i4", "", "bitCount(k)"),
    ("i4", "", "findLSB(n)"),
    ("i4", "", "findLSB(k)"),
    ("i4", "", "findMSB(n)"),
    ("i4", "", "findMSB(k)"),
    ("u4", "uvec2 c; uvec2 s = uaddCarry(n.xy, n.zw, c);", "uvec4(s, c)"),
    ("u4", "uvec2 c; uvec2 s = usubBorrow(n.xy, n.zw, c);", "uvec4(s, c)"),
    ("u4", "uvec2 h, l; umulExtended(n.xy, n.zw, h, l);", "uvec4(h, l)"),
    ("i4", "ivec2 h, l; imulExtended(k.xy, k.zw, h, l);", "ivec4(h, l)"),
    ("u4", "uint h[2]; umulExtended(n.x, n.y, h[1], h[0]);", "uvec4(h[0], h[1], 0u, 0u)"),
    ("i4", "", "mix(k, k.wzyx, lessThan(p, q))"),
    ("u4", "", "mix(n, n.wzyx, greaterThan(p, q))"),
    ("i4", "", "ivec4(mix(lessThan(p, q), bvec4(k & 1), bvec4(k & 2)))"),
    ("u4", "", "uvec4(packUnorm4x8(q), packSnorm4x8(q), packUnorm4x8(p), packSnorm4x8(p))"),
    ("f4", "", "unpackUnorm4x8(n.x)"),
    ("f4", "", "unpackSnorm4x8(n.y)"),
    ("f4", "", "ldexp(q, (k & 63) - 32)"),
    ("f4", "ivec4 e; vec4 m = frexp(p, e);", "m"),
    ("i4", "ivec4 e; vec4 m = frexp(p, e);", "e"),
    ("i4", "int e[2]; float m = frexp(p.x, e[1]); m += frexp(p.y, e[0]);", "ivec4(e[0], e[1], 0, 0)"),
    ("f4", "vec4 m = vec4(0); for (int i = 0; i < (k.x & 3); ++i) { int e; m[i] = frexp(p[i], e) + float(e); }", "m"),
    # Constant arguments are folded.
    ("i4", "ivec2 e; frexp(vec2(0.375, -8.0), e);", "ivec4(e, findMSB(-256), bitfieldExtract(-2, 1, 3))"),
    ("u4", "", "uvec4(bitfieldReverse(6u), packSnorm4x8(vec4(-1, 1, 0, 0.5)), bitCount(0xF0F0u), findLSB(40u))"),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "body", "result"), CASES, ids=[c[1] + c[2] for c in CASES])
def test_functions(mesa: Mesa, monkeypatch: pytest.MonkeyPatch, dtype: str, body: str, result: str) -> None:
    monkeypatch.setattr(reference, "VERTEX", VERTEX)
    of = OUTPUTS[dtype]
    fragment = f"{HEAD}out {of} o; void main() {{ {body} o = {of}({result}); }}"
    expected = mesa.run(fragment, _inputs(), dtype)
    for backend in (NumpyBackend(), LlvmBackend()):
        found = _ours(fragment, dtype, backend)
        if dtype == "f4":
            np.testing.assert_allclose(found, expected, rtol=1e-6, err_msg=fragment)
        else:
            np.testing.assert_array_equal(found, expected, err_msg=fragment)


def test_exponents_are_exact() -> None:
    """For every kind of number, subnormal ones and infinity included."""
    numbers = [0.0, -0.0, 1.0, -3.0, 2.0**-126, 2.0**-127, -(2.0**-149), 3 * 2.0**-149, math.inf, 3.4e38]
    program = link_program(
        compile_shader(VERTEX, "vertex"),
        compile_shader(f"{HEAD}out vec4 o; void main() {{ int e; float m = frexp(p.x, e);"
                       "o = vec4(m, intBitsToFloat(e), ldexp(m, e), ldexp(p.x, k.x)); }", "fragment"), {},
    )  # fmt: skip
    shifts = [3, 1, -149, -151, 23, 200, 149, -1, 0, 1]
    given = np.zeros((len(program.fragment.inputs), 4, 12), np.float32)
    for index, declaration in enumerate(program.fragment.inputs):
        values = np.array(numbers, np.float32) if declaration.name == "p" else np.array(shifts, np.int32).view("f4")
        given[index, 0, : len(numbers)] = values
    for backend in (NumpyBackend(), LlvmBackend()):
        constants = np.zeros((program.fragment.constant_count, 4), np.float32)
        outputs = backend.run(program.fragment, given, constants, no_texture).outputs[0]
        for lane, (number, shift) in enumerate(zip(numbers, shifts, strict=True)):
            x = struct.unpack("<f", struct.pack("<f", number))[0]
            significand, exponent = math.frexp(x)
            assert outputs[0, lane] == significand
            assert outputs[1].view(np.int32)[lane] == exponent
            assert outputs[2, lane] == x
            with np.errstate(over="ignore"):
                assert outputs[3, lane] == np.float32(math.ldexp(x, shift))


def test_product_and_sum() -> None:
    source = HEAD.replace("310", "320") + "out vec4 o; void main() { o = fma(q, q.wzyx, p); }"
    program = link_program(
        compile_shader(VERTEX.replace("310", "320"), "vertex"), compile_shader(source, "fragment"), {}
    )
    inputs = _inputs()
    given = np.stack([inputs[declaration.name].T for declaration in program.fragment.inputs])
    for backend in (NumpyBackend(), LlvmBackend()):
        outputs = backend.run(program.fragment, given, np.zeros((0, 4), np.float32), no_texture).outputs[0]
        q = inputs["q"]
        np.testing.assert_array_equal(outputs.T, q * q[:, ::-1] + inputs["p"])


@pytest.mark.parametrize(
    "source",
    [
        HEAD + "out vec4 o; void main() { o = fma(q, q, q); }",
        "#version 300 es\nprecision highp float; uniform sampler2D s; out vec4 o;"
        "void main() { o = textureGather(s, vec2(0)); }",
        f"{HEAD}uniform sampler2D s; out vec4 o; void main() {{ o = textureGather(s, p.xy, 4); }}",
        f"{HEAD}uniform sampler2D s; out vec4 o; void main() {{ o = textureGather(s, p.xy, k.x); }}",
        f"{HEAD}uniform sampler2D s; out vec4 o; void main() {{ o = textureGatherOffset(s, p.xy, k.xy); }}",
        "#version 300 es\nprecision highp float; out vec4 o; void main() { o = vec4(bitCount(3)); }",
        f"{HEAD}out vec4 o; void main() {{ o = vec4(frexp(1.0, 2)); }}",
        f"{HEAD}out vec4 o; void main() {{ uint c; o = vec4(uaddCarry(1u, n.x, n.y)); }}",
        f"{HEAD}out vec4 o; void main() {{ o = vec4(bitfieldExtract(1u, 1u, 2u)); }}",
    ],
)
def test_rejected(source: str) -> None:
    """Later functions in an earlier version, results into what cannot be written, offsets that are unsigned, components
    and offsets of gathering that are not constant or do not exist."""
    with pytest.raises(ShaderError):
        compile_shader(source, "fragment")


MULTISAMPLE = "uniform highp sampler2DMS s;"
VERDICTS = [
    (MULTISAMPLE, "texelFetch(s, ivec2(1), 2)", True),
    (MULTISAMPLE, "vec4(textureSize(s), 0, 0)", True),
    ("precision highp sampler2DMS; uniform sampler2DMS s;", "texelFetch(s, ivec2(1), k.x)", True),
    ("uniform highp isampler2DMS s;", "vec4(texelFetch(s, ivec2(1), 0))", True),
    ("uniform sampler2DMS s;", "texelFetch(s, ivec2(1), 2)", False),
    (MULTISAMPLE, "texelFetch(s, ivec2(1))", False),
    (MULTISAMPLE, "texture(s, p.xy)", False),
    (MULTISAMPLE, "vec4(textureSize(s, 0), 0, 0)", False),
    (MULTISAMPLE, "textureGather(s, p.xy)", False),
    ("uniform sampler2D s;", "textureGather(s, p.xy, 1)", True),
    ("uniform sampler2D s; const int c = 3;", "textureGather(s, p.xy, c)", True),
    ("uniform sampler2D s;", "textureGather(s, p.xyz)", False),
    ("uniform highp sampler3D s;", "textureGather(s, p.xyz)", False),
    ("uniform highp sampler2DShadow s;", "textureGather(s, p.xy, 0.5)", True),
    ("uniform highp sampler2DShadow s;", "textureGather(s, p.xyz)", False),
    ("uniform samplerCube s;", "textureGatherOffset(s, p.xyz, ivec2(1))", False),
    ("uniform sampler2D s;", "textureGatherOffset(s, p.xy, ivec2(1, -2), 3)", True),
]


@pytest.mark.parametrize(("declared", "result", "right"), VERDICTS)
def test_verdicts(mesa: Mesa, declared: str, result: str, right: bool) -> None:
    source = f"{HEAD}{declared} out vec4 o; void main() {{ o = {result}; }}"
    try:
        mesa.context.program(vertex_shader=VERTEX, fragment_shader=source).release()
        theirs = True
    except mesa.moderngl.Error:
        theirs = False
    try:
        compile_shader(source, "fragment")
        ours = True
    except ShaderError:
        ours = False
    assert (ours, theirs) == (right, right)
