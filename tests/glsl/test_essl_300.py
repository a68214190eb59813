"""GLSL ES 3.00: blocks, switches, arrays, integers, built-in functions, texture functions."""

from __future__ import annotations

import numpy as np
import pytest

from tilegpu.functional.execute.backend import TextureRequest
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.glsl import LinkedProgram, LinkError, ShaderError, compile_shader, link_program

HEADER = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
VERTEX = HEADER + "void main() { gl_Position = vec4(0.0); }"


def _program(fragment: str, vertex: str = "void main() { gl_Position = vec4(0.0); }") -> LinkedProgram:
    return link_program(compile_shader(HEADER + vertex, "vertex"), compile_shader(HEADER + fragment, "fragment"), {})


def _run(program: LinkedProgram, constants: np.ndarray, sample=None) -> np.ndarray:
    inputs = np.zeros((len(program.fragment.inputs), 4, 4), np.float32)
    return NumpyBackend().run(program.fragment, inputs, constants, sample or _no_texture).outputs[0][:, 0]


def _no_texture(request: TextureRequest) -> np.ndarray:
    raise AssertionError


def _value(expression: str, of: str = "vec4") -> np.ndarray:
    program = _program(f"out {of} o; void main() {{ o = {expression}; }}")
    return _run(program, np.zeros((program.fragment.constant_count, 4), np.float32))


@pytest.mark.parametrize(
    ("members", "expression", "floats"),
    [
        # Worked by hand after the std140 rules: which floats of the buffer a member is.
        ("vec3 a; float b;", "vec4(a, b)", [0, 1, 2, 3]),
        ("float a; vec2 b; float c;", "vec4(a, b, c)", [0, 2, 3, 4]),
        ("float a[3]; float b;", "vec4(a[0], a[1], a[2], b)", [0, 4, 8, 12]),
        ("float a; mat2 m;", "vec4(m[0], m[1])", [4, 5, 8, 9]),
        ("layout(row_major) mat3x2 m; float a;", "vec4(m[2], m[0][1], a)", [2, 6, 4, 8]),
        ("S s; float a;", "vec4(s.x, s.y, a)", [0, 2, 3, 4]),
        ("float a; S s[2];", "vec4(a, s[1].x, s[1].y)", [0, 8, 10, 11]),
        ("vec4 a[2]; int i;", "a[(i & 0) + 1]", [4, 5, 6, 7]),
        ("mat4 m; int i;", "m[i & 0]", [0, 1, 2, 3]),
        ("layout(row_major) mat4 m; int i;", "m[(i & 0) + 2]", [2, 6, 10, 14]),
        ("vec2 v; int i;", "vec4(v[(i & 0) + 1])", [1, 1, 1, 1]),
    ],
)
def test_members_of_blocks(members: str, expression: str, floats: list[int]) -> None:
    source = f"struct S {{ float x; vec2 y; }}; layout(std140) uniform B {{ {members} }}; out vec4 o;"
    program = _program(source + f"void main() {{ o = {expression}; }}")
    (block,) = program.blocks
    assert (block.name, block.slots) == ("B", {"fragment": 0})
    buffer = np.arange(program.fragment.constant_count * 4, dtype=np.float32).reshape(-1, 4)
    np.testing.assert_array_equal(_run(program, buffer), floats)


def test_block_arrays_and_sizes() -> None:
    program = _program(
        "uniform B { vec3 a; bool on; } b[2]; uniform float loose; out vec4 o;"
        "void main() { o = vec4(b[1].on ? b[1].a : vec3(loose), 1.0); }"
    )
    assert [(block.name, block.size_bytes) for block in program.blocks] == [("B[0]", 16), ("B[1]", 16)]
    assert [uniform.name for uniform in program.uniforms] == ["loose"]
    constants = np.zeros((program.fragment.constant_count, 4), np.float32)
    constants[program.blocks[1].slots["fragment"]] = [1, 2, 3, np.int32(7).view(np.float32)]
    np.testing.assert_array_equal(_run(program, constants), [1, 2, 3, 1])


@pytest.mark.parametrize(("value", "expected"), [(0, 11), (1, 1), (2, 5), (3, 4), (9, 4)])
def test_switch(value: int, expected: int) -> None:
    """0 falls into 1; 2 breaks early; everything else goes to default, which is not last."""
    body = """
        int r = 0;
        switch (n) {
            case 0: r += 10;
            case 1: r += 1; break;
            default: r += 4; break;
            case 2: if (n == 2) { r = 5; break; } r = 6;
        }
        o = r;"""
    program = _program("uniform int n; out int o; void main() {" + body + "}")
    constants = np.full((1, 4), np.int32(value).view(np.float32))
    assert _run(program, constants).view(np.int32)[0] == expected


def test_continue_inside_switch_belongs_to_the_loop() -> None:
    body = "for (int i = 0; i < n; i++) { switch (i) { case 1: continue; case 3: break; default: r += 1; } r += 10; }"
    program = _program("uniform int n; out int o; void main() { int r = 0; " + body + " o = r; }")
    constants = np.full((1, 4), np.int32(5).view(np.float32))
    assert _run(program, constants).view(np.int32)[0] == 3 * 11 + 10


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("vec4(modf(-1.75, x), x, 0.0, 0.0)", [-0.75, -1, 0, 0]),
        ("vec4(trunc(-1.5), round(1.25), roundEven(2.5), sinh(0.0))", [-1, 1, 2, 0]),
        ("vec4(mix(vec2(1.0, 2.0), vec2(3.0, 4.0), bvec2(true, false)), 0.0, 0.0)", [3, 2, 0, 0]),
        ("vec4(isnan(x / x), isinf(1.0 / x), isinf(1.0), isnan(1.0))", [1, 1, 0, 0]),
        ("vec4(unpackUnorm2x16(0xFFFF0000u), unpackSnorm2x16(0x80017FFFu))", [0, 1, 1, -1]),
        ("vec4(unpackHalf2x16(packHalf2x16(vec2(0.5, -2.0))), 0.0, 0.0)", [0.5, -2, 0, 0]),
        ("vec4(intBitsToFloat(floatBitsToInt(-1.5)), uintBitsToFloat(0x3F800000u), 0.0, 0.0)", [-1.5, 1, 0, 0]),
        ("vec4(inverse(mat2(2.0, 0.0, 0.0, 4.0))[1], determinant(mat2(1.0, 2.0, 3.0, 4.0)), 0.0)", [0, 0.25, -2, 0]),
        ("vec4(outerProduct(vec2(1.0, 2.0), vec3(3.0, 4.0, 5.0))[2], transpose(mat2x3(1.0))[1])", [5, 10, 0, 1]),
        ("vec4(float[](1.0, 2.0, 3.0).length(), float[2](1.0, 2.0) == float[](1.0, 2.0), 0.0, 0.0)", [3, 1, 0, 0]),
    ],
)
def test_functions(expression: str, expected: list[float]) -> None:
    program = _program(f"uniform float zero; out vec4 o; void main() {{ float x = zero; o = {expression}; }}")
    constants = np.zeros((program.fragment.constant_count, 4), np.float32)
    np.testing.assert_allclose(_run(program, constants), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("ivec4(-7 / 2, 7 % 4, -1 >> 1, 1 << 31)", [-3, 3, -1, -(2**31)]),
        ("ivec4(abs(-3), sign(-5), min(-1, 1), clamp(9, 0, 3))", [3, -1, -1, 3]),
        ("ivec4(~5, 6 & 3, 6 | 3, 6 ^ 3)", [-6, 2, 7, 5]),
        ("ivec4(uvec4(0u - 1u > 5u, 4294967295u / 2u, 1u % 0x10u, 7u >> 1))", [1, 2**31 - 1, 1, 3]),
    ],
)
def test_integers(expression: str, expected: list[int]) -> None:
    np.testing.assert_array_equal(_value(expression, "ivec4").view(np.int32), expected)


@pytest.mark.parametrize(
    ("declared", "call", "operation", "coordinates", "more"),
    [
        ("sampler2D", "texture(s, vec2(1, 2))", "implicit", [1, 2], {}),
        ("sampler3D", "textureLod(s, vec3(1, 2, 3), 4.0)", "lod", [1, 2, 3], {"lod": 4}),
        ("sampler2DArray", "textureOffset(s, vec3(1, 2, 3), ivec2(-8, 7), 2.0)", "bias", [1, 2, 3],
         {"lod": 2, "offsets": (-8, 7)}),
        ("sampler2D", "textureProj(s, vec3(2, 4, 2))", "implicit", [1, 2], {}),
        ("sampler2D", "textureProjLodOffset(s, vec4(2, 4, 9, 2), 3.0, ivec2(1, 2))", "lod", [1, 2],
         {"lod": 3, "offsets": (1, 2)}),
        ("sampler2DShadow", "vec4(textureProj(s, vec4(2, 4, 6, 2)))", "implicit", [1, 2], {"reference": 3}),
        ("samplerCubeShadow", "vec4(texture(s, vec4(1, 2, 3, 4), 5.0))", "bias", [1, 2, 3], {"reference": 4, "lod": 5}),
        ("sampler2DArrayShadow", "vec4(texture(s, vec4(1, 2, 3, 4)))", "implicit", [1, 2, 3], {"reference": 4}),
        ("sampler2D", "textureGrad(s, vec2(1, 2), vec2(3, 4), vec2(5, 6))", "grad", [1, 2],
         {"gradients": [[3, 4], [5, 6]]}),
    ],
)  # fmt: skip
def test_texture_functions(declared: str, call: str, operation: str, coordinates: list[float], more: dict) -> None:
    requests: list[TextureRequest] = []

    def sample(request: TextureRequest) -> np.ndarray:
        requests.append(request)
        return np.full((4, 4), 0.5, np.float32)

    program = _program(f"uniform highp {declared} s; out vec4 o; void main() {{ o = {call}; }}")
    np.testing.assert_array_equal(_run(program, np.zeros((0, 4), np.float32), sample), 0.5)
    (request,) = requests
    assert request.operation == operation
    np.testing.assert_array_equal(request.coordinates[:, 0], coordinates)
    assert request.offsets == more.get("offsets")
    assert (request.lod_or_bias is None) == ("lod" not in more)
    if request.lod_or_bias is not None:
        assert request.lod_or_bias[0] == more["lod"]
    assert (request.reference is None) == ("reference" not in more)
    if request.reference is not None:
        assert request.reference[0] == more["reference"]
    if request.gradients is not None:
        np.testing.assert_array_equal([g[:, 0] for g in request.gradients], more["gradients"])


def test_fetch_and_size_take_integers() -> None:
    requests: list[TextureRequest] = []

    def sample(request: TextureRequest) -> np.ndarray:
        requests.append(request)
        return np.full((4, 4), 6, np.int32).view(np.float32)

    source = "uniform highp isampler2D s; out ivec4 o; void main() {"
    program = _program(source + "o = texelFetch(s, ivec2(3, 4), 1) + ivec4(textureSize(s, 2), 0, 0); }")
    result = _run(program, np.zeros((0, 4), np.float32), sample).view(np.int32)
    np.testing.assert_array_equal(result, [12, 12, 6, 6])
    by_operation = {request.operation: request for request in requests}
    np.testing.assert_array_equal(by_operation["fetch"].coordinates.view(np.int32)[:, 0], [3, 4])
    assert by_operation["fetch"].lod_or_bias.view(np.int32)[0] == 1
    assert by_operation["size"].lod_or_bias.view(np.int32)[0] == 2


def test_interface() -> None:
    program = _program(
        "flat in ivec2 k; smooth in vec3 c; layout(location = 2) out ivec4 a; layout(location = 0) out vec4 b;"
        "void main() { a = k.xyxy; b = c.xyzz; }",
        "layout(location = 5) in uvec3 u; flat out ivec2 k; out vec3 c;"
        "void main() { gl_Position = vec4(u, gl_VertexID); k = ivec2(gl_InstanceID); c = vec3(u); }",
    )
    assert [(v.name, v.interpolation) for v in program.varyings] == [("k", "flat"), ("c", "smooth")]
    assert {(d.name, d.slot) for d in program.fragment.outputs} == {("a", 2), ("b", 0)}
    assert {d.semantic for d in program.vertex.inputs} == {"attribute", "vertex_id", "instance_id"}
    assert [(a.name, a.gl_type, a.location) for a in program.attributes] == [("u", 0x8DC7, 5)]


@pytest.mark.parametrize(
    ("fragment", "line"),
    [
        ("in int a;\nvoid main() {}", 4),
        ("void main() {\nswitch (1.0) { default: break; } }", 5),
        ("uniform highp sampler2D s[2];\nvoid main() { int i = 1;\ntexture(s[i], vec2(0)); }", 6),
        ("void main() {\nuint a = 1; }", 5),
        ("uniform B { vec4 a; };\nvoid main() { a = vec4(0); }", 5),
        ("uniform B { sampler2D a; };\nvoid main() {}", 4),
        ("float sin(float x) { return x; }\nvoid main() {}", 4),
        ("void main() {\nfloat a[2] = float[](1.0); }", 5),
        ("out mat2 o;\nvoid main() {}", 4),
        ("const float a = 1.0;\nvoid main() { int i[a]; }", 5),
        ("uniform sampler3D s;\nvoid main() {}", 4),
    ],
)
def test_rejected(fragment: str, line: int) -> None:
    with pytest.raises(ShaderError, match=f"^fragment:{line}: "):
        compile_shader(HEADER + fragment, "fragment", "fragment")


@pytest.mark.parametrize(
    ("vertex", "fragment"),
    [
        ("flat out vec4 a;", "in vec4 a;"),
        ("uniform B { vec4 a; };", "uniform B { vec3 a; };"),
        ("uniform B { mat4 a; };", "uniform B { layout(row_major) mat4 a; };"),
        ("uniform B { vec4 a; };", "uniform vec4 a;"),
        ("", "layout(location = 1) out vec4 a; layout(location = 1) out vec4 b;"),
        ("layout(location = 0) in vec4 a; layout(location = 0) in vec4 b; void f() { gl_Position = a + b; }", ""),
    ],
)
def test_not_linked(vertex: str, fragment: str) -> None:
    use = "f();" if "f()" in vertex else ""
    with pytest.raises(LinkError):
        _program(fragment + "void main() {}", vertex + "void main() { gl_Position = vec4(0.0); " + use + "}")


def test_versions_do_not_mix() -> None:
    with pytest.raises(LinkError, match="version"):
        link_program(compile_shader(VERTEX, "vertex"), compile_shader("void main() {}", "fragment"), {})


def test_constant_arrays_are_tables() -> None:
    """Indexing one at run time stores nothing: address, load, END behind it."""
    source = "const float t[3] = float[](4.0, 5.0, 6.0); uniform int n; out float o; void main() { o = t[n]; }"
    program = _program(source)
    assert [i.opcode for i in program.fragment.instructions] == ["UARL", "MOV", "MOV", "END"]
    assert _run(program, np.full((1, 4), np.int32(2).view(np.float32)))[0] == 6.0
