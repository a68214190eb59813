"""What is handed on all at once: vectors whose components change places, values that change variables."""

import numpy as np
import pytest

from .helpers import run_fragment

N = np.array([0, 1, 2, 5], np.float32)


def _run(body: str, **uniforms: object) -> np.ndarray:
    """gl_FragColor per lane; ``x`` is the lane's entry of N."""
    return run_fragment(f"uniform vec4 u[4]; void main() {{ int n = int(x); {body} }}", {"x": N}, uniforms)


def _times(step: "object", start: tuple[float, ...]) -> list[tuple[float, ...]]:
    rows = []
    for n in N:
        value = start
        for _ in range(int(n)):
            value = step(*value)  # type: ignore[operator]
        rows.append(value)
    return rows


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("z = z.yzwx;", lambda a, b, c, d: (b, c, d, a)),
        ("z.xy = z.yx;", lambda a, b, c, d: (b, a, c, d)),
        ("z.xyz = vec3(z.y, z.z, z.x * 2.0);", lambda a, b, c, d: (b, c, 2 * a, d)),
        ("z.xy = vec2(z.y, z.x + z.y);", lambda a, b, c, d: (b, a + b, c, d)),
        ("z = vec4(-z.y, z.x, z.w, z.w + z.z);", lambda a, b, c, d: (-b, a, d, c + d)),
        ("z = vec4(z.zw, z.y + 1.0, z.x);", lambda a, b, c, d: (c, d, b + 1, a)),
        ("float t = z.x; z.x = z.w; z.w = t;", lambda a, b, c, d: (d, b, c, a)),
        ("if (z.x > 2.0) z = z.wxyz; else z = vec4(z.y + 1.0, z.x, z.wz);", None),
    ],
)
@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < n; i++) {{ {0} }}",
        "while (n > 0) {{ {0} n--; }}",
        "if (n > 0) do {{ {0} }} while (--n > 0);",
    ],
)
def test_components_change_places(step: str, expected: object, loop: str) -> None:
    if expected is None:
        expected = lambda a, b, c, d: (d, a, b, c) if a > 2 else (b + 1, a, d, c)  # noqa: E731
    actual = _run(f"vec4 z = vec4(1.0, 2.0, 3.0, 4.0); {loop.format(step)} gl_FragColor = z;")
    np.testing.assert_array_equal(actual, _times(expected, (1, 2, 3, 4)))


def test_variables_change_places() -> None:
    body = "vec2 a = vec2(1, 2), b = vec2(3, 4); for (int i = 0; i < n; i++) { vec2 t = a; a = b.yx; b = t; }"
    expected = _times(lambda a, b, c, d: (d, c, a, b), (1, 2, 3, 4))
    np.testing.assert_array_equal(_run(f"{body} gl_FragColor = vec4(a, b);"), expected)


def test_three_variables_go_round_with_continue() -> None:
    body = "vec3 a = vec3(1), b = vec3(2), c = vec3(3); for (int i = 0; i < n; i++) { vec3 t = a; a = b; b = c; c = t;"
    body += "if (i == 1) continue; a += 1.0; } gl_FragColor = vec4(a.x, b.y, c.z, 0);"
    expected = []
    for n in N:
        a, b, c = 1, 2, 3
        for i in range(int(n)):
            a, b, c = b, c, a
            a += i != 1
        expected.append((a, b, c, 0))
    np.testing.assert_array_equal(_run(body), expected)


def test_what_is_indexed_is_read_before_the_index_changes() -> None:
    body = """vec4 s = vec4(0); int j = 0;
        for (int i = 0; i < n; i++) { vec4 e = u[j]; j = (j + 1) - j / 3 * 4; s = s * 2.0 + e; }"""
    u = np.arange(16, dtype=np.float32).reshape(4, 4)
    expected = []
    for n in N:
        s, j = np.zeros(4, np.float32), 0
        for _ in range(int(n)):
            s, j = s * 2 + u[j], (j + 1) % 4
        expected.append(s)
    np.testing.assert_array_equal(_run(f"{body} gl_FragColor = s;", u=u), expected)


def test_what_begins_undefined_is_kept_for_the_next_iteration() -> None:
    body = """vec4 kept; vec4 s = vec4(0);
        for (int i = 0; i < n; i++) { vec4 t = u[i] + s.wxyz; if (i > 0) s += kept; kept = t * 2.0; }"""
    u = np.arange(20, dtype=np.float32).reshape(5, 4)[:4]
    expected = []
    for n in N[:3]:
        s, kept = np.zeros(4, np.float32), None
        for i in range(int(n)):
            t = u[i] + s[[3, 0, 1, 2]]
            s = s + kept if i > 0 else s
            kept = t * 2
        expected.append(s)
    np.testing.assert_array_equal(_run(f"{body} gl_FragColor = s;", u=u)[:3], expected)
