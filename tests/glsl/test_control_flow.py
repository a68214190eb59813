"""Every form of control flow, with lanes that go different ways."""

import numpy as np
import pytest

from .helpers import program_of, run_fragment, run_program

X = np.arange(8, dtype=np.float32)


def _red(source: str, **uniforms: object) -> list[float]:
    return run_fragment(source, {"x": X}, uniforms)[:, 0].tolist()


def _main(body: str) -> str:
    return f"void main() {{ float r = 0.0; {body} gl_FragColor = vec4(r); }}"


def test_if_else() -> None:
    assert _red(_main("if (x < 3.0) r = 1.0; else if (x < 5.0) r = 2.0; else r = x;")) == [1, 1, 1, 2, 2, 5, 6, 7]


def test_large_branches_are_not_evaluated_by_everyone() -> None:
    long = "".join(f"r = r * 1.5 + {i}.0; r = sin(r);" for i in range(12))
    expected = np.zeros(8, np.float32)
    for i in range(12):
        expected = np.sin(expected * np.float32(1.5) + np.float32(i))
    actual = _red(_main(f"if (x < 4.0) {{ {long} }} else r = -1.0;"))
    np.testing.assert_allclose(actual, np.where(X < 4, expected, -1), rtol=1e-5)


def test_loop_with_constant_count() -> None:
    assert _red(_main("for (int i = 0; i < 4; i++) r += x;")) == (4 * X).tolist()


def test_loop_with_a_count_per_lane() -> None:
    assert _red(_main("for (int i = 0; i < int(x); i++) r += float(i);")) == [0, 0, 1, 3, 6, 10, 15, 21]


def test_loop_with_a_uniform_count() -> None:
    source = "uniform int n;" + _main("for (int i = 0; i < n; i++) r += x;")
    assert _red(source, n=np.array([3])) == (3 * X).tolist()


def test_long_constant_loop_is_not_unrolled() -> None:
    assert _red(_main("for (int i = 0; i < 1000; i++) r += 1.0;")) == [1000.0] * 8


def test_break_and_continue() -> None:
    body = "for (int i = 0; i < 10; i++) { if (i == int(x)) break; if (i == 2) continue; r += float(i); }"
    assert _red(_main(body)) == [0, 0, 1, 1, 4, 8, 13, 19]


def test_while_and_do_while() -> None:
    assert _red(_main("float y = x; while (y > 0.5) { y -= 2.0; r += 1.0; }")) == [0, 1, 1, 2, 2, 3, 3, 4]
    assert _red(_main("float y = x; do { y -= 2.0; r += 1.0; } while (y > 0.5);")) == [1, 1, 1, 2, 2, 3, 3, 4]


def test_continue_in_do_while_tests_the_condition() -> None:
    body = "float y = x; do { y -= 1.0; if (y > 3.5) continue; r += 1.0; } while (y > 0.5);"
    assert _red(_main(body)) == [1, 1, 2, 3, 4, 4, 4, 4]


def test_nested_loops_with_break() -> None:
    body = """for (int i = 0; i < int(x); i++) {
        for (int j = 0; j < 5; j++) { if (j > i) break; r += 1.0; }
    }"""
    assert _red(_main(body)) == [0, 1, 3, 6, 10, 15, 20, 25]


def test_declaration_in_a_condition() -> None:
    assert _red(_main("for (int i = 0; bool more = i < int(x); i++) { r += more ? 2.0 : 0.0; }")) == (2 * X).tolist()


def test_early_return_in_a_function() -> None:
    source = """float f(float v) {
        if (v < 2.0) return 10.0;
        if (v < 4.0) { v += 1.0; if (v > 3.5) return 20.0 + v; }
        return v;
    }""" + _main("r = f(x) + f(x + 4.0);")
    assert _red(source) == [14, 15, 9, 31, 12, 14, 16, 18]


def test_return_inside_loops() -> None:
    source = """float f(float v) {
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) { if (float(i * 5 + j) > v) return float(i * 10 + j); }
        }
        return -1.0;
    }""" + _main("r = f(x * 3.0) * 2.0;")
    assert _red(source) == [2, 8, 24, 40, 46, 62, 68, 84]


def test_return_from_main() -> None:
    assert run_fragment(
        "void main() { gl_FragColor = vec4(1.0); if (x > 3.0) return; gl_FragColor = vec4(x); }", {"x": X}
    )[:, 0].tolist() == [0, 1, 2, 3, 1, 1, 1, 1]


def test_conditional_operator_evaluates_one_side() -> None:
    source = "float n = 0.0; float f() { n += 1.0; return 5.0; }" + _main("r = x > 3.0 ? f() : 1.0; r += n;")
    assert _red(source) == [1, 1, 1, 1, 6, 6, 6, 6]


def test_short_circuit() -> None:
    source = "float n = 0.0; bool f() { n += 1.0; return true; }"
    assert _red(source + _main("if (x > 3.0 && f()) r = 10.0; r += n;")) == [0] * 4 + [11] * 4
    assert _red(source + _main("if (x > 3.0 || f()) r = 10.0; r += n;")) == [11] * 4 + [10] * 4


def test_discard_kills_and_goes_on() -> None:
    from .helpers import program_of, run_program

    program = program_of(
        "precision highp float; varying highp float x;"
        "void main() { if (x > 2.5 && x < 5.5) discard; gl_FragColor = vec4(x); }",
        {"x": "float"},
    )
    result = run_program(program, {"x": X})
    assert program.fragment.discards
    assert result.killed is not None
    assert result.killed.tolist() == [False, False, False, True, True, True, False, False]


def test_unconditional_discard_inside_a_loop() -> None:
    from .helpers import program_of, run_program

    program = program_of(
        "precision highp float; varying highp float x;"
        "void main() { for (int i = 0; i < int(x); i++) { if (i == 5) { discard; } } gl_FragColor = vec4(x); }",
        {"x": "float"},
    )
    result = run_program(program, {"x": X})
    assert result.killed is not None
    assert result.killed.tolist() == [False] * 6 + [True] * 2


def test_swapping_variables_in_a_loop() -> None:
    body = "float a = 1.0, b = 2.0; for (int i = 0; i < int(x); i++) { float t = a; a = b; b = t; } r = a * 10.0 + b;"
    assert _red(_main(body)) == [12, 21] * 4


def test_samplers_chosen_at_run_time() -> None:
    """Lane by lane another element of an array of samplers, far beyond what is unrolled."""
    source = """
        precision highp float;
        varying highp float which;
        uniform sampler2D images[3];
        void main() {
            gl_FragColor = vec4(0.0);
            for (int i = 0; i < 300; i++) {
                if (float(i) > which) break;
                gl_FragColor = texture2D(images[i], vec2(0.5));
            }
        }"""
    program = program_of(source, {"which": "float"})
    result = run_program(
        program,
        {"which": np.array([0.0, 1.0, 2.0, 1.0])},
        sample=lambda request: np.full((4, 4), request.sampler + 1, np.float32),
    )
    np.testing.assert_array_equal(result.outputs[0][0], [1, 2, 3, 2])


LONG = "".join(f"r = r * 0.5 + {i}.0; r = sin(r);" for i in range(6))


def test_a_value_is_kept_as_long_as_a_branch_reads_it() -> None:
    """The other branch replaces what this one hands on, and reads it once more."""
    body = f"float s = x * 2.0; float g = 0.0; r = s; if (x >= 3.0) {{ {LONG} g = s + 1.0; }}"
    actual = run_fragment(f"void main() {{ float r = 0.0; {body} gl_FragColor = vec4(r, g, s, 1.0); }}", {"x": X})
    np.testing.assert_array_equal(actual[:, 1], np.where(X >= 3, X * 2 + 1, 0))
    np.testing.assert_array_equal(actual[:3, 0], X[:3] * 2)


def test_conditions_known_from_branches_around() -> None:
    inner = "if (x >= 3.0) r += 100.0; else r += 10.0; if (x < 3.0) r += 1.0;"
    body = f"if (x < 3.0) {{ {LONG} r = 0.0; {inner} }} else {{ {LONG} r = 0.5; {inner} }}"
    source = _main(body)
    assert _red(source) == [11] * 3 + [100.5] * 5
    opcodes = [i.opcode for i in program_of("precision highp float; varying highp float x;" + source, {"x": "float"})
               .fragment.instructions]  # fmt: skip
    assert opcodes.count("UIF") <= 1


def test_a_switch_too_large_to_repeat_what_it_falls_into() -> None:
    sections = "".join(f"case {i}: if (x > 5.0) break; r += 1.0;" for i in range(400))
    actual = _red("300:" + _main(f"switch (int(x) * 100) {{ {sections} default: r += 0.5; }}"))
    assert actual == [400.5, 300.5, 200.5, 100.5, 0.5, 0.5, 0.5, 0.5]


def test_loops_that_may_end_at_run_time_are_unrolled() -> None:
    """One uncertain end is nested into branches; two, or one in a loop without a certain end, make a loop."""
    one = "for (int i = 0; i < 4; i++) { if (x < float(i)) break; r += x; }"
    joined = "for (int i = 0; i < 4 && r < 6.0; i++) r += x;"
    forever = "int i = 0; while (true) { if (i >= 4) break; r += x; i++; }"
    two = "for (int i = 0; i < 4; i++) { if (x < float(i)) break; r += x; if (r > 6.0) break; r *= 2.0; }"
    for body, loops, expected in (
        (one, 0, [0, 2, 6, 12, 16, 20, 24, 28]),
        (joined, 0, [0, 4, 6, 6, 8, 10, 6, 7]),
        (forever, 0, (4 * X).tolist()),
        (two, 1, [0, 6, 14, 9, 12, 15, 18, 7]),
    ):
        source = _main(body)
        assert _red(source) == expected
        program = program_of("precision highp float; varying highp float x;" + source, {"x": "float"})
        assert [i.opcode for i in program.fragment.instructions].count("BGNLOOP") == loops


@pytest.mark.parametrize(("body", "trips", "loops"), [(22, 32, 0), (24, 32, 1), (22, 33, 1), (100, 8, 0), (102, 8, 1)])
def test_loops_are_unrolled_up_to_a_cost(body: int, trips: int, loops: int) -> None:
    """Up to 32 iterations and 832 operations, of which the loop itself has four an iteration."""
    statements = "r = r * x + 1.0; " * (body // 2)
    source = _main(f"for (int i = 0; i < {trips}; i++) {{ {statements} }}")
    program = program_of("precision highp float; varying highp float x;" + source, {"x": "float"})
    assert [i.opcode for i in program.fragment.instructions].count("BGNLOOP") == loops


def test_what_a_branch_knows_makes_a_loop_endless() -> None:
    """Nothing is left behind a loop that never ends; nobody runs it here."""
    for test, loop in (("!c", "c"), ("c", "!c"), ("n <= 0", "n > 0")):
        source = "uniform bool c; uniform int n; void main() { gl_FragColor = vec4(x);"
        source += f"if ({test}) return; do {{ gl_FragColor += vec4(x); if (x > 2.0) continue; }} while ({loop}); }}"
        uniforms = {"c": np.array([test == "c"]), "n": np.array([0])}
        assert _red(source, **uniforms) == X.tolist()
