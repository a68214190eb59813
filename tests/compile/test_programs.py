"""A program gives what the same text gives as Python."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilegpu.functional.compile import Part, Program, lowest_bit
from tilegpu.functional.compile.functions import ProgramError

WORDS = st.integers(-(1 << 31), 1 << 31)
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Folder for what a test compiles, as users have it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("TILEGPU_QUICK_COMPILE", "")
    return str(tmp_path / "tilegpu" / "programs")


def defined(tmp_path: Path, text: str) -> Callable[..., Any]:
    """The function `f` of a text."""
    path = tmp_path / f"text_{abs(hash(text))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., Any] = module.f
    return found


LEAVES = st.sampled_from(["a", "b", "c", "1", "-3", "0", "7", "(a > b)", "True"])


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger expressions; operands that could make numbers of more than 64 bits are cut off."""
    operator = st.sampled_from(["+", "-", "&", "|", "^", "//", "%", "<", "<=", "==", "!=", ">=", "and", "or"])
    two = st.tuples(inner, operator, inner).map(lambda x: f"({x[0]} {x[1]} {x[2]})")
    product = st.tuples(inner, inner).map(lambda x: f"(({x[0]}) % 1023 * (({x[1]}) % -511))")
    left = inner.map(lambda x: f"((({x}) & 1023) << (c & 7))")
    right = inner.map(lambda x: f"(({x}) >> (c & 7))")
    chosen = st.tuples(inner, inner, inner).map(lambda x: f"({x[0]} if {x[1]} else {x[2]})")
    calls = st.sampled_from(["-", "~", "not ", "abs", "int", "bool"])
    one = st.tuples(calls, inner).map(lambda x: f"({x[0]}(int({x[1]})))")
    few = st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda x: f"{x[0]}({x[1]}, {x[2]})")
    held = st.tuples(inner, inner, inner).map(lambda x: f"({x[0]} in ({x[1]}, {x[2]}))")
    chain = st.tuples(inner, inner, inner).map(lambda x: f"({x[0]} < {x[1]} <= {x[2]})")
    return st.one_of(two, product, left, right, chosen, one, few, held, chain)


@settings(QUICK, max_examples=80)
@given(st.recursive(LEAVES, _combined, max_leaves=8), st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=4, max_size=4))
def test_random_expressions(tmp_path: Path, folder: str, expression: str, values: list[tuple[int, int, int]]) -> None:
    f = defined(tmp_path, f"def f(a, b, c):\n    return {expression}\n")
    program = Program(f, folder)
    for arguments in values:
        try:
            expected = f(*arguments)
        except ZeroDivisionError:
            program(*arguments)
            continue
        assert program(*arguments) == expected, (expression, arguments)


SUMS = """
from tilegpu.functional.compile import Part

def weighed(values, k):
    return values[k] * (k + 1) if values[k] % 3 != 0 else -values[k]

weighed = Part(weighed, inlined=INLINED)

def f(values, least):
    total, k = 0, 0
    while k < len(values):
        if values[k] > least:
            total += weighed(values, k)
            values[k] = total
        k += 1
    return total
"""


@pytest.mark.parametrize("inlined", [True, False])
def test_what_is_compiled_quickly_gives_the_same(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch, inlined: bool
) -> None:
    f = defined(tmp_path, SUMS.replace("INLINED", str(inlined)))
    given = np.random.default_rng(7).integers(-100, 100, 50)
    expected = given.copy()
    total = f(expected, -20)
    for quick in ("", "1"):
        monkeypatch.setenv("TILEGPU_QUICK_COMPILE", quick)
        values = given.copy()
        assert Program(f, folder)(values, -20) == total
        assert (values == expected).all()
    # Other code, which is kept apart.
    assert len({path.read_bytes() for path in tmp_path.rglob("*.o")}) == 2


def divided(a: int, b: int) -> int:
    return a // b * 1000 + a % b


def test_division_rounds_down_and_by_zero_gives_zero(folder: str) -> None:
    program = Program(divided, folder)
    for a in (7, -7, 8, -8, 0):
        for b in (3, -3, 4, -4, 1):
            assert program(a, b) == divided(a, b)
    assert program(5, 0) == 0


def mixed(a: int, x: float) -> float:
    total = 0
    for k in range(a):
        total = total + k * x / 4
    return max(total, 1.5) + math.sqrt(float(a)) - min(x, a)


@QUICK
@given(st.integers(0, 50), st.floats(-1e6, 1e6))
def test_a_variable_widens_to_the_numbers_it_takes(folder: str, a: int, x: float) -> None:
    assert Program(mixed, folder)(a, x) == mixed(a, x)


Inner = np.dtype([("small", "i1"), ("byte", "u1"), ("short", "i2"), ("row", "i4", (3,)), ("share", "f4")], align=True)
Outer = np.dtype(
    [("many", Inner, (2, 4)), ("one", Inner), ("count", "i8"), ("ratio", "f8"), ("word", "u4"), ("flag", "?")],
    align=True,
)


class Pair(NamedTuple):
    first: int
    second: int


class Tables(NamedTuple):
    rows: Any
    inner: Any
    number: int


TABLE = (5, 3, 2, 7)
WEIGHTS = np.array([0.5, 0.25, 2.0])


def swapped(pair: Pair) -> Pair:
    """A plain function can be part of a program, too."""
    return Pair(pair.second, pair.first)


def _store(record: Any, a: int) -> None:
    record.small = a
    record.byte = a
    record.short = a
    record.row[a & 1] = a
    record.share = a / 3


store = Part(_store, inlined=True)


def records(outer: Any, tables: Tables, a: int) -> float:
    store(outer.one, a)
    store(outer.many[1][a & 3], a + 1)
    outer.many[0][2] = outer.one
    outer.many[0][2].row[2] += outer.one.small - outer.one.byte
    outer.word = a
    outer.flag = a > 3
    first, second = swapped(Pair(a, TABLE[a & 3]))
    outer.count += first * len(tables.rows) + second
    outer.ratio += WEIGHTS[a % 3] * tables.rows[a & 3].small + tables.inner[0].number
    for value in (first, second):
        if value == 3:
            continue
        outer.count ^= value << 3
    while True:
        outer.count += 1
        if outer.count % 5 == 0:
            break
    tables.rows[a & 3].short = lowest_bit(a | 64)
    return outer.ratio + outer.one.share


def _arguments() -> tuple[Any, Tables]:
    outer = np.zeros(1, Outer).view(np.recarray)[0]
    rows = np.zeros(4, Inner).view(np.recarray)
    rows["small"] = range(4)
    return outer, Tables(rows, (Tables(rows, (), 9),), 2)


@QUICK
@given(st.lists(st.integers(0, 100), max_size=6))
def test_records_arrays_and_tuples(folder: str, values: list[int]) -> None:
    """Widths, signs, copies and places as numpy has them."""
    program = Program(records, folder)
    (left, tables), (right, others) = _arguments(), _arguments()
    for a in values:
        assert program(left, tables, a) == pytest.approx(records(right, others, a), rel=1e-7)
        assert left.tobytes() == right.tobytes()
        assert tables.rows.tobytes() == others.rows.tobytes()


NAMES = ("one", "two", "three")


def summed(table: Any, flags: Any, a: int) -> tuple[int, float, bool]:
    row = table[a]
    total = 0
    for i in range(table.shape[0]):
        for j in range(len(row)):
            total += table[i, j] * (i + 1) - row[j]
    table[a, 1] = total
    return total * len(NAMES), np.floor(total / 7), flags[a, 0, 1] and total > 0


def test_tables_of_several_dimensions_and_results_of_several_numbers(folder: str) -> None:
    program = Program(summed, folder)
    table, flags = np.arange(12).reshape(3, 4) ** 2, np.ones((3, 1, 2), bool)
    flags[1] = False
    for a in range(3):
        left, right = table.copy(), table.copy()
        assert program(left, flags, a) == summed(right, flags, a)
        assert left.tolist() == right.tolist()
    assert [type(each) for each in program(table.copy(), flags, 0)] == [int, float, bool]
    with pytest.raises(TypeError, match="side by side"):
        program(table[:, ::2], flags, 0)


def test_what_was_compiled_is_found_again(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tilegpu.functional.compile import program as module

    assert Program(divided, folder)(17, 5) == 3002
    (path,) = Path(folder).glob("*.o")
    monkeypatch.setattr(module, "compiled", None)
    assert Program(divided, folder)(17, 5) == 3002
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TypeError):
        Program(divided, folder)(17, 5)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("def f(a):\n    x = [a]\n    return 1\n", 2, "no List expressions"),
        ("def f(a):\n    if a:\n        a.b = 1\n    return 1\n", 3, "cannot be written"),
        ("def f(a):\n    x = a\n    x = (a, a)\n    return 1\n", 3, "x was a int, and here a (int, int)"),
        ("def f(a):\n    return g(a)\n", 2, "g has no value yet"),
        ("def f(a):\n    return print(a)\n", 2, "print is no part of a program"),
        ("def f(a):\n    with a:\n        pass\n", 2, "no With statements"),
        ("def f(a):\n    return 'x'\n", 2, "no constants such as 'x'"),
        ("def f(a):\n    for i in a:\n        pass\n", 2, "only a tuple has members"),
    ],
)
def test_other_constructs_are_named_with_their_line(
    tmp_path: Path, folder: str, text: str, line: int, message: str
) -> None:
    f = defined(tmp_path, text)
    with pytest.raises(ProgramError, match=f":{line}: ") as raised:
        Program(f, folder)(1)
    assert message in str(raised.value)
