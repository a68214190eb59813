"""Small shaders that stand for much code: they compile soon, or are refused in one line."""

from __future__ import annotations

import time

import pytest

from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader, link_program

from .mesa import VERTEX

MAX_SECONDS = 20.0
"""On a core that takes ``YARDSTICK_SECONDS`` for ``_yardstick``; a slower one, or a shared one, may take longer."""
YARDSTICK_SECONDS = 0.1
HEAD = "precision highp float; uniform float u;\n"


def _main(body: str, before: str = "") -> str:
    return f"{HEAD}{before}void main() {{ float s = u; {body} gl_FragColor = vec4(s); }}"


def _calls(depth: int, first: str, twice: str, use: str) -> str:
    functions = [f"float f0(float x) {{ {first} }}"]
    functions += [f"float f{n}(float x) {{ {twice.replace('F', f'f{n - 1}')} }}" for n in range(1, depth + 1)]
    return _main(use.replace("F", f"f{depth}"), "float g;\n" + "\n".join(functions))


def _macros(depth: int, body: str) -> str:
    return "#define M0 u\n" + "".join(f"#define M{n} {body.replace('M', f'M{n - 1}')}\n" for n in range(1, depth))


def _loops(depth: int, trips: int, body: str) -> str:
    return _main("".join(f"for (int i{n} = 0; i{n} < {trips}; i{n}++) {{ " for n in range(depth)) + body + "}" * depth)


def _arrays(number: int) -> str:
    lines = "t = sin(t) + 1.0; " * 60
    made = "".join(f"float a{n}[4]; a{n}[0] = t; {lines}" for n in range(number))
    return _main(f"int k = int(u); float t = u; {made}" + "".join(f"t += a{n}[k]; " for n in range(number)) + "s = t;")


BOMBS = {
    "calls that are alike": _calls(25, "return x * 1.5 + u;", "return F(x) + F(x + 1.0);", "s = F(1.0);"),
    "calls that differ": _calls(25, "g = sin(g) + x; return g;", "return F(x) + F(g);", "g = u; s = F(u);"),
    "calls up to the limit": _calls(14, "g = sin(g) + x; return g;", "return F(x) + F(g);", "g = u; s = F(u);"),
    "nested loops": _loops(10, 30, "s = sin(s);"),
    "nested short loops": _loops(12, 3, "s = sin(s);"),
    "loops with jumps": _loops(6, 30, "s += sin(s); if (s > 3.0) break; if (s < 1.0) continue;"),
    "many loops": _main("for (int i = 0; i < 30; i++) s = sin(s) + 1.5; " * 1500),
    "a long comma": _main("s = (" + ", ".join(["s += 1.0"] * 20_000) + ");"),
    "a long sum": _main("s = " + " + ".join(["u"] * 20_000) + ";"),
    "a sum up to the limit": _main("s = " + " + ".join(f"u * {n}.5" for n in range(2000)) + ";"),
    "many conditions": _main(" ".join(f"if (s > {n}.0) s += u * {n}.5;" for n in range(4000))),
    "conditions in conditions": _main("".join(f"if (s > {n}.0) {{ s = sin(s); " for n in range(120)) + "}" * 120),
    "many statements": _main("s = sin(s) * u + 1.5;" * 40_000),
    "macros": _macros(30, "M + M") + _main("s = M29;"),
    "macros with arguments": "#define A(x) x x x x x x x x\n" + _main("A(A(A(A(A(A(A(A(A(s += 1.0;)))))))))"),
    "comments before anything": "/* a */ " * 3000 + _main(""),
    "comments that begin comments": "// " * 3000 + "\n" + "// " * 3000 + _main(""),
    "parentheses": _main("s = " + "(" * 5000 + "u" + ")" * 5000 + ";"),
    "a large array": _main("float a[65536]; for (int i = 0; i < 65536; i++) a[i] = u; s = a[int(u)];"),
    "structures in structures": _main(
        "s = t.a[0].a[0].a[0].a[0].x[1];",
        "struct S0 { float x[16]; };"
        + "".join(f"struct S{n} {{ S{n - 1} a[16]; }};" for n in range(1, 5))
        + "uniform S4 t;",
    ),
    "arrays indexed at run time": _arrays(40),
    "very many arrays indexed at run time": _arrays(300),
}


LONG = "nested loops", "loops with jumps", "very many arrays indexed at run time", "calls that differ"
"""Those that take longest, and that are like a shorter one."""
CHOSEN = [pytest.param(bomb, marks=pytest.mark.slow if bomb in LONG else ()) for bomb in BOMBS]


def _yardstick() -> float:
    """Seconds of CPU time for a fixed amount of interpreted work like a compiler's: small objects, tuples, lookups."""
    start = time.process_time()
    values: dict[tuple[str, int], int] = {}
    for n in range(400_000):
        key = ("value", n % 5000)
        values[key] = values.get(key, 0) + len(key)
    return time.process_time() - start


@pytest.mark.parametrize("bomb", CHOSEN)
def test_small_shaders_compile_soon_or_are_refused(bomb: str) -> None:
    start = time.process_time()
    try:
        link_program(compile_shader(VERTEX, "vertex"), compile_shader(BOMBS[bomb], "fragment"), {})
    except (ShaderError, LinkError) as error:
        assert len(str(error).splitlines()) == 1
    taken = time.process_time() - start
    assert taken < MAX_SECONDS or taken < MAX_SECONDS * _yardstick() / YARDSTICK_SECONDS
