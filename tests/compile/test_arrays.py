"""Arrays in programs: parts, views and new ones are what numpy makes of the same text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilegpu.functional.compile import Program, helper
from tilegpu.functional.compile.functions import ProgramError
from tilegpu.functional.compile.native import carray

QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
SMALL = st.integers(0, 9)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Folder for what a test compiles, as users have it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return str(tmp_path / "tilegpu" / "programs")


def same(function: Any, folder: str, *arguments: Any) -> None:
    """Assert that a program returns and writes what the text does."""
    copies = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    program = Program(function, folder, loops=True)
    assert program(*arguments) == function(*copies)
    for left, right in zip(arguments, copies, strict=True):
        if isinstance(left, np.ndarray):
            assert left.tobytes() == right.tobytes()


def parts(rows: Any, first: int, end: int) -> tuple[int, int, int, int]:
    """Bounds beyond the end are cut off there, and a part that ends before it begins is empty."""
    some, inner = rows[first:end], rows[1, first:end]
    some[:] = 7
    if len(inner) > 1:
        inner[:2] = rows[0, 1:3]
    rows[2:] = rows[0, 0]
    total = 0
    for value in inner:
        total = 3 * total + value
    for row in some:
        total += row[0]
    return total, len(some), some.size + len(rows[3:1]), rows.shape[1] * 10 + inner.shape[0]


@QUICK
@given(SMALL, SMALL)
def test_parts(folder: str, first: int, end: int) -> None:
    same(parts, folder, np.arange(24, dtype=np.int32).reshape(4, 6), first, end)


def views(words: Any, floats: Any) -> tuple[int, int, float]:
    octets, wide = words.view(np.uint8), floats.view(np.int32)
    octets[3] = 200
    wide[0] ^= 1 << 22
    flat = floats.reshape(-1)
    pairs = words.reshape((2, 2))
    pairs[1, 0] = np.float32(1.5).view(np.int32)
    return len(octets), int(words[0]) + int(pairs[1, 1]), float(flat[1] * 2 + np.int32(0x40000000).view(np.float32))


def test_views(folder: str) -> None:
    same(views, folder, np.arange(4, dtype=np.uint32), np.array([1.25, -3.5], np.float32))


class Halves(NamedTuple):
    low: Any
    high: Any


@helper
def halves(values: Any) -> Halves:
    """New arrays in a result last until the caller returns."""
    low, high = np.zeros(len(values) // 2, np.int64), np.empty(len(values) - len(values) // 2, np.int64)
    for i in range(len(low)):
        low[i] = values[i]
    for i in range(len(high)):
        high[i] = values[len(low) + i]
    return Halves(low, high)


@helper
def total_of(values: Any) -> int:
    if len(values) < 2:
        return int(values[0]) if len(values) else 0
    low, high = halves(values)
    return total_of_few(low) - total_of_few(high)


@helper
def total_of_few(values: Any) -> int:
    total, powers = 0, np.full(3, 5, np.int64)
    for i in range(len(values)):
        one = np.empty(1, np.int64)
        one[0] = values[i]
        total = total * powers[i % 3] + one[0]
        powers = powers.copy()
        powers[i % 3] += 1
    return total


def sums(values: Any) -> int:
    return total_of(values) + len(np.empty_like(values))


@QUICK
@given(st.lists(st.integers(-1000, 1000), max_size=9))
def test_new_arrays(folder: str, values: list[int]) -> None:
    same(sums, folder, np.array(values, np.int64))


def large(rows: int) -> int:
    return len(np.empty((rows, 1 << 20), np.int64))


def test_a_program_without_memory_ends(folder: str) -> None:
    program = Program(large, folder)
    assert program(1) == 1
    with pytest.raises(MemoryError):
        program(1 << 40)
    assert program(2) == 2


MASK = np.uint64(0x9E3779B97F4A7C15)


def mixed(words: Any, bits: int) -> int:
    word = words[0]
    for i in range(len(words)):
        word = (word ^ words[i]) * MASK
        word ^= word >> np.uint64(29)
    return int(word > words[0]) + int(np.uint32(bits)) + int(np.uint8(bits)) - int(np.int32(bits))


@QUICK
@given(st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=4), st.integers(-(1 << 31), (1 << 31) - 1))
def test_unsigned_numbers(folder: str, words: list[int], bits: int) -> None:
    program = Program(mixed, folder)
    with np.errstate(over="ignore"):
        word, values = np.uint64(words[0]), np.array(words, np.uint64)
        for each in values:
            word = (word ^ each) * MASK
            word ^= word >> np.uint64(29)
    signed = (bits & 0xFFFFFFFF) + (bits & 0xFF) - bits
    assert program(values, bits) == int(word > values[0]) + signed


@helper
def counted(first: int, end: int, step: int = 2) -> int:
    total = 0
    for i in range(first, end, step):
        total = 7 * total + i
    return total


def stepped(first: int, end: int, step: int) -> int:
    bounds = (first, end)
    return counted(*bounds, step) + counted(*bounds)


@QUICK
@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(-3, 3).filter(bool))
def test_steps_stars_and_defaults(folder: str, first: int, end: int, step: int) -> None:
    same(stepped, folder, first, end, step)


def scaled(x: float, y: Any) -> float:
    return x**1.5 + float(np.ceil(y[0]) + np.floor(y[0]) + np.sqrt(abs(y[1])))


@QUICK
@given(st.floats(0, 1e3), st.floats(-1e3, 1e3, width=32), st.floats(-1e3, 1e3, width=32))
def test_rounding_and_powers_keep_the_width(folder: str, x: float, a: float, b: float) -> None:
    y = np.array([a, b], np.float32)
    assert Program(scaled, folder)(x, y) == pytest.approx(scaled(x, y), rel=1e-12)


def at_address(address: int) -> int:
    rows = carray(address, (2, 3), np.int32)
    rows[1, 2] = 9
    return int(rows[0, 1])


def test_an_array_at_an_address(folder: str) -> None:
    values = np.arange(6, dtype=np.int32)
    assert Program(at_address, folder)(values.ctypes.data) == 1
    assert values[5] == 9


def across(rows: Any) -> int:
    return len(rows[:, 1:2])


def negative(rows: Any) -> int:
    return int(rows[-1, 0])


@pytest.mark.parametrize("function, message", [(across, "side by side"), (negative, "not negative")])
def test_other_parts_are_named(folder: str, function: Any, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        Program(function, folder)(np.zeros((2, 2), np.int64))
