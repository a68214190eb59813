"""Functions, structures, arrays, matrices, conversions: what values become."""

import numpy as np

from .helpers import evaluate, run_fragment

X = np.arange(8, dtype=np.float32)


def _run(source: str, **uniforms: object) -> np.ndarray:
    return run_fragment(source, {"x": X}, uniforms)


def test_parameters_are_copied_in_and_out() -> None:
    source = """
        void f(in float a, out float b, inout float c) { a += 1.0; b = a; c = c * 2.0 + a; }
        void main() { float a = x, b = 9.0, c = 3.0; f(a, b, c); gl_FragColor = vec4(a, b, c, 1.0); }"""
    expected = np.stack([X, X + 1, 6 + X + 1, np.ones(8)], 1)
    np.testing.assert_array_equal(_run(source), expected)


def test_out_parameters_of_swizzles_and_elements() -> None:
    source = """
        void f(out vec2 a, out float b) { a = vec2(1.0, 2.0); b = 3.0; }
        void main() {
            vec4 v = vec4(x); float e[3]; e[1] = 5.0; f(v.wy, e[2]);
            gl_FragColor = v + vec4(0.0, 0.0, e[2], e[1]);
        }"""
    np.testing.assert_array_equal(_run(source), np.stack([X, np.full(8, 2), X + 3, np.full(8, 6)], 1))


def test_one_argument_for_two_out_parameters_takes_the_last() -> None:
    source = """void f(out float a, out float b) { a = 1.0; b = 2.0; }
        void main() { float v; f(v, v); gl_FragColor = vec4(v); }"""
    assert _run(source)[0, 0] == 2.0


def test_overloads() -> None:
    source = """float f(float a) { return 1.0; } float f(vec2 a) { return 2.0; } float f(int a) { return 3.0; }
        void main() { gl_FragColor = vec4(f(x), f(vec2(x)), f(int(x)), 0.0); }"""
    np.testing.assert_array_equal(_run(source)[3], [1, 2, 3, 0])


def test_structures() -> None:
    source = """struct L { vec3 p; float s; }; struct M { L l[2]; mat2 m; };
        uniform M u;
        L scaled(L l, float f) { l.p *= f; l.s += f; return l; }
        void main() { L l = scaled(u.l[1], 2.0); M m; m.l[0] = l; gl_FragColor = vec4(m.l[0].p.xy, l.s, u.m[1].y); }"""
    actual = _run(source, **{"u.l[1].p": [1.0, 2.0, 3.0], "u.l[1].s": [0.5], "u.m": [[1.0, 2.0], [3.0, 4.0]]})
    np.testing.assert_array_equal(actual[0], [2.0, 4.0, 2.5, 4.0])


def test_structure_equality() -> None:
    source = """struct S { float a; ivec2 b; };
        void main() { S s = S(x, ivec2(x)); S t = S(3.0, ivec2(3)); gl_FragColor = vec4(s == t, s != t, 0.0, 0.0); }"""
    np.testing.assert_array_equal(_run(source)[:, 0], X == 3)
    np.testing.assert_array_equal(_run(source)[:, 1], X != 3)


def test_uniform_array_indexed_at_run_time() -> None:
    source = "uniform vec4 u[8]; void main() { gl_FragColor = u[int(x)]; }"
    table = np.arange(32, dtype=np.float32).reshape(8, 4)
    np.testing.assert_array_equal(_run(source, u=table), table)


def test_local_array_written_and_read_at_run_time() -> None:
    source = """void main() {
        float a[8];
        for (int i = 0; i < 8; i++) a[i] = float(i) * 10.0;
        a[int(x)] += 0.5;
        float sum = 0.0;
        for (int i = 0; i < 8; i++) sum += a[i] * float(i == int(x) + 1);
        gl_FragColor = vec4(a[int(x)], sum, a[0], 0.0); }"""
    actual = _run(source)
    np.testing.assert_array_equal(actual[:, 0], X * 10 + 0.5)
    np.testing.assert_array_equal(actual[:, 1], [10, 20, 30, 40, 50, 60, 70, 0])
    np.testing.assert_array_equal(actual[:, 2], [0.5] + [0.0] * 7)


def test_array_of_matrices_at_run_time() -> None:
    source = """uniform mat2 u[2]; void main() {
        mat2 m[2]; m[0] = u[1]; m[1] = u[0]; int i = int(mod(x, 2.0));
        gl_FragColor = vec4(m[i][0], u[i][1]); }"""
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    np.testing.assert_array_equal(_run(source, u=table)[:2], [[4, 5, 2, 3], [0, 1, 6, 7]])


def test_vector_and_matrix_components_at_run_time() -> None:
    source = """void main() {
        vec4 v = vec4(10.0, 11.0, 12.0, 13.0); int i = int(mod(x, 4.0)); v[i] += 0.5;
        mat2 m = mat2(1.0, 2.0, 3.0, 4.0); int j = int(mod(x, 2.0)); m[j][1 - j] = 9.0;
        gl_FragColor = vec4(v[i], m[0].y, m[1].x, m[j].x); }"""
    actual = _run(source)
    np.testing.assert_array_equal(actual[:, 0], 10 + X % 4 + 0.5)
    np.testing.assert_array_equal(actual[:2, 1:], [[9, 3, 1], [2, 9, 9]])


def test_matrix_products() -> None:
    v = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]] * 2, np.float32)
    m = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 10]], np.float32).T
    source = "uniform mat3 m; void main() { gl_FragColor = vec4(%s, 1.0); }"
    for text, expected in (("m * v", v @ m.T), ("v * m", v @ m), ("m * m * v", v @ (m @ m).T)):
        actual = run_fragment(source % text, {"v": v}, {"m": m.T})
        np.testing.assert_allclose(actual[:, :3], expected, rtol=1e-6)


def test_matrix_constructors() -> None:
    np.testing.assert_array_equal(evaluate("vec4(mat2(3.0)[0], mat2(3.0)[1])")[0], [3, 0, 0, 3])
    np.testing.assert_array_equal(evaluate("vec4(mat3(mat2(1.0, 2.0, 3.0, 4.0))[1], 0.0)")[0], [3, 4, 0, 0])
    np.testing.assert_array_equal(evaluate("mat4(mat2(2.0))[2]")[0], [0, 0, 1, 0])
    np.testing.assert_array_equal(evaluate("vec4(mat2(vec3(1.0, 2.0, 3.0), 4.0))")[0], [1, 2, 3, 4])


def test_conversions() -> None:
    x = np.array([-2.7, -0.5, 0.0, 3.9], np.float32)
    actual = evaluate("vec4(float(int(x)), float(bool(x)), float(int(bool(x))), float(3 / int(2.5)))", x=x)
    np.testing.assert_array_equal(actual, [[-2, 1, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], [3, 1, 1, 1]])


def test_integer_arithmetic() -> None:
    actual = evaluate("vec4(int(x) / 3, int(x) * -2 + 1, -int(x), (int(x) - 4) / 3)", x=X)
    i = X.astype(int)
    np.testing.assert_array_equal(actual, np.stack([i // 3, 1 - 2 * i, -i, np.trunc((i - 4) / 3)], 1))


def test_increments_are_values() -> None:
    source = """void main() {
        float a = x; float b = a++ + 10.0; float c = --a; vec2 v = vec2(a); v++;
        gl_FragColor = vec4(a, b, c, v.y); }"""
    np.testing.assert_array_equal(_run(source), np.stack([X, X + 10, X, X + 1], 1))


def test_compound_assignment_to_components() -> None:
    source = "void main() { vec4 v = vec4(1.0, 2.0, 3.0, 4.0); v.yx += vec2(x, 10.0); v.z *= x; gl_FragColor = v; }"
    np.testing.assert_array_equal(_run(source), np.stack([np.full(8, 11), 2 + X, 3 * X, np.full(8, 4)], 1))


def test_front_facing_and_coordinates() -> None:
    from tilegpu.functional.execute.numpy_backend import NumpyBackend

    from .helpers import no_texture, program_of

    program = program_of(
        "precision highp float; void main() { gl_FragColor = vec4(gl_FrontFacing, gl_FragCoord.y, gl_PointCoord); }"
    )
    rows = {"face": [1, -1, 1, -1], "frag_coord": [9, 8, 7, 6], "point_coord": [0.25, 0.5, 0.75, 1]}
    inputs = np.zeros((len(program.fragment.inputs), 4, 4), np.float32)
    for index, declaration in enumerate(program.fragment.inputs):
        inputs[index, :] = rows[declaration.semantic]
    outputs = NumpyBackend().run(program.fragment, inputs, np.zeros((0, 4), np.float32), no_texture).outputs[0]
    np.testing.assert_array_equal(outputs.T, [[1, 9, 0.25, 0.25], [0, 8, 0.5, 0.5], [1, 7, 0.75, 0.75], [0, 6, 1, 1]])


def test_fragment_data_and_undefined_components() -> None:
    actual = run_fragment("void main() { gl_FragData[0].xz = vec2(x, 2.0); }", {"x": X})
    np.testing.assert_array_equal(actual, np.stack([X, np.zeros(8), np.full(8, 2), np.zeros(8)], 1))


def test_comma_and_globals() -> None:
    source = "float g = 2.0; void main() { float a = (g += x, g * 2.0); gl_FragColor = vec4(a, g, 0.0, 0.0); }"
    np.testing.assert_array_equal(_run(source)[:, :2], np.stack([4 + 2 * X, 2 + X], 1))
