"""Every built-in function of GLSL ES 1.00 against values worked out by numpy or by hand."""

import numpy as np
import pytest

from .helpers import evaluate

X = np.array([-2.5, -1.0, 0.0, 0.5, 1.0, 3.25, 7.75, 0.1], np.float32)
Y = np.array([2.0, -3.0, 1.5, -0.5, 4.0, 0.75, 1.0, -6.0], np.float32)
POSITIVE = np.array([0.01, 0.25, 0.5, 1.0, 2.0, 3.5, 9.0, 100.0], np.float32)
UNIT = np.array([-1.0, -0.75, -0.3, 0.0, 0.2, 0.5, 0.9, 1.0], np.float32)
A = np.stack([X, Y, POSITIVE], axis=1)
B = np.stack([Y, UNIT, X], axis=1)


def _mod(x, y):
    return x - y * np.floor(x / y)


def _smoothstep(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


SCALAR_CASES = [
    ("radians(x)", X, Y, X * np.pi / 180),
    ("degrees(x)", X, Y, X * 180 / np.pi),
    ("sin(x)", X, Y, np.sin(X)),
    ("cos(x)", X, Y, np.cos(X)),
    ("tan(x)", UNIT, Y, np.tan(UNIT)),
    ("asin(x)", UNIT, Y, np.arcsin(UNIT)),
    ("acos(x)", UNIT, Y, np.arccos(UNIT)),
    ("atan(x)", X, Y, np.arctan(X)),
    ("atan(y, x)", X, Y, np.arctan2(Y, X)),
    ("pow(x, y)", POSITIVE, Y, POSITIVE**Y),
    ("exp(x)", X, Y, np.exp(X)),
    ("log(x)", POSITIVE, Y, np.log(POSITIVE)),
    ("exp2(x)", X, Y, np.exp2(X)),
    ("log2(x)", POSITIVE, Y, np.log2(POSITIVE)),
    ("sqrt(x)", POSITIVE, Y, np.sqrt(POSITIVE)),
    ("inversesqrt(x)", POSITIVE, Y, 1 / np.sqrt(POSITIVE)),
    ("abs(x)", X, Y, np.abs(X)),
    ("sign(x)", X, Y, np.sign(X)),
    ("floor(x)", X, Y, np.floor(X)),
    ("ceil(x)", X, Y, np.ceil(X)),
    ("fract(x)", X, Y, X - np.floor(X)),
    ("mod(x, y)", X, Y, _mod(X, Y)),
    ("min(x, y)", X, Y, np.minimum(X, Y)),
    ("max(x, y)", X, Y, np.maximum(X, Y)),
    ("clamp(x, -1.0, 2.0)", X, Y, np.clip(X, -1, 2)),
    ("clamp(x, 0.0, 1.0)", X, Y, np.clip(X, 0, 1)),
    ("mix(x, y, 0.25)", X, Y, 0.75 * X + 0.25 * Y),
    ("step(x, y)", X, Y, (Y >= X).astype(float)),
    ("smoothstep(-1.0, 3.0, x)", X, Y, _smoothstep(-1, 3, X)),
    ("length(x)", X, Y, np.abs(X)),
    ("distance(x, y)", X, Y, np.abs(X - Y)),
    ("dot(x, y)", X, Y, X * Y),
    ("normalize(y)", X, Y, np.sign(Y)),
    ("faceforward(x, y, 1.0)", X, Y, np.where(Y < 0, X, -X)),
    ("reflect(x, y)", X, Y, X - 2 * Y * X * Y),
]


@pytest.mark.parametrize(("expression", "x", "y", "expected"), SCALAR_CASES, ids=[c[0] for c in SCALAR_CASES])
def test_scalar_function(expression, x, y, expected) -> None:
    actual = evaluate(f"vec4({expression})", x=x, y=y)
    np.testing.assert_allclose(actual, np.repeat(expected[:, None], 4, 1), rtol=2e-4, atol=2e-4)


def _normalized(a):
    return a / np.linalg.norm(a, axis=1, keepdims=True)


def _refract(i, n, eta):
    d = (n * i).sum(1, keepdims=True)
    k = 1 - eta * eta * (1 - d * d)
    return np.where(k < 0, 0, eta * i - (eta * d + np.sqrt(np.maximum(k, 0))) * n)


N, I = _normalized(A), _normalized(B)
VECTOR_CASES = [
    ("normalize(a)", A, B, N),
    ("cross(a, b)", A, B, np.cross(A, B)),
    ("reflect(a, b)", A, B, A - 2 * (B * A).sum(1, keepdims=True) * B),
    ("refract(b, a, 1.5)", N, I, _refract(I, N, 1.5)),
    ("refract(b, a, 0.6)", N, I, _refract(I, N, 0.6)),
    ("faceforward(a, b, vec3(1.0))", A, B, np.where(B.sum(1, keepdims=True) < 0, A, -A)),
    (
        "vec3(length(a), distance(a, b), dot(a, b))",
        A,
        B,
        np.stack([np.linalg.norm(A, axis=1), np.linalg.norm(A - B, axis=1), (A * B).sum(1)], 1),
    ),
    ("mod(a, 1.5)", A, B, _mod(A, np.float32(1.5))),
    ("min(a, 0.5)", A, B, np.minimum(A, 0.5)),
    ("max(a, b)", A, B, np.maximum(A, B)),
    ("clamp(a, 0.25, 2.0)", A, B, np.clip(A, 0.25, 2)),
    ("clamp(a, b, b + 1.0)", A, B, np.clip(A, B, B + 1)),
    ("mix(a, b, vec3(0.0, 0.5, 1.0))", A, B, A + (B - A) * [0, 0.5, 1]),
    ("step(0.5, a)", A, B, A >= 0.5),
    ("smoothstep(0.0, 2.0, a)", A, B, _smoothstep(0, 2, A)),
    ("vec3(lessThan(a, b))", A, B, A < B),
    ("vec3(lessThanEqual(a, a))", A, B, np.ones_like(A)),
    ("vec3(greaterThan(a, b))", A, B, A > B),
    ("vec3(greaterThanEqual(a, b))", A, B, A >= B),
    ("vec3(equal(floor(a), floor(b)))", A, B, np.floor(A) == np.floor(B)),
    ("vec3(notEqual(a, b))", A, B, A != B),
    ("vec3(not(lessThan(a, b)))", A, B, A >= B),
    (
        "vec3(any(lessThan(a, b)), all(lessThan(a, b)), 1.0)",
        A,
        B,
        np.stack([(A < B).any(1), (A < B).all(1), np.ones(len(A))], 1),
    ),
    ("vec3(lessThan(ivec3(a), ivec3(b)))", A, B, np.trunc(A) < np.trunc(B)),
    ("vec3(equal(ivec3(a), ivec3(b)))", A, B, np.trunc(A) == np.trunc(B)),
    ("vec3(notEqual(bvec3(a), bvec3(0.0)))", A, B, A != 0),
    ("matrixCompMult(mat3(a, b, a), mat3(b, b, b))[0]", A, B, A * B),
]


@pytest.mark.parametrize(("expression", "a", "b", "expected"), VECTOR_CASES, ids=[c[0] for c in VECTOR_CASES])
def test_vector_function(expression, a, b, expected) -> None:
    actual = evaluate(f"vec4({expression}, 1.0)", a=a, b=b)
    np.testing.assert_allclose(actual[:, :3], expected, rtol=2e-4, atol=2e-4)


def test_constant_arguments_fold_to_the_same_values() -> None:
    expression = "vec4(pow(2.0, 3.0), mix(1.0, 5.0, 0.25), clamp(7.0, 0.0, 2.0), dot(vec2(1.0, 2.0), vec2(3.0, 4.0)))"
    np.testing.assert_allclose(evaluate(expression)[0], [8.0, 2.0, 2.0, 11.0], rtol=1e-6)


def test_derivatives_are_differences_in_the_quad() -> None:
    x = np.array([1.0, 3.0, 6.0, 10.0, 2.0, 2.5, 0.0, 1.0], np.float32)
    source = """#extension GL_OES_standard_derivatives : enable
        precision highp float;
        varying highp float x;
        void main() { gl_FragColor = vec4(dFdx(x), dFdy(x), fwidth(x), dFdx(2.0)); }"""
    from .helpers import program_of, run_program

    actual = run_program(program_of(source, {"x": "float"}), {"x": x}).outputs[0].T
    first, second = [2.0, 5.0, 7.0, 0.0], [0.5, -2.0, 2.5, 0.0]
    np.testing.assert_array_equal(actual, [first] * 4 + [second] * 4)
