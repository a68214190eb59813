"""Atomic operations of many lanes on words, as if one lane acted after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..memory import Words


def _signed(function: Callable[[Any, Any], Any]) -> Callable[[Words, Words], Words]:
    return lambda a, b: np.asarray(function(a.view(np.int32), b.view(np.int32))).view(np.uint32)


_RESULTS: dict[str, Callable[[Words, Words], Words]] = {
    "ATOMUADD": np.add,
    "ATOMXCHG": lambda a, b: b,
    "ATOMAND": np.bitwise_and,
    "ATOMOR": np.bitwise_or,
    "ATOMXOR": np.bitwise_xor,
    "ATOMUMIN": np.minimum,
    "ATOMUMAX": np.maximum,
    "ATOMIMIN": _signed(np.minimum),
    "ATOMIMAX": _signed(np.maximum),
}
"""New value of a word by the old one and the operand; of ufuncs the order of lanes does not matter."""


def apply_atomic(opcode: str, words: Words, index: NDArray[np.int64], values: list[Words], wanted: bool) -> Words:
    """Change words, in the order of the lanes.

    Parameters
    ----------
    words
        Memory, changed in place.
    index
        Word of each lane.
    values
        Operands, by lane: one, or what the word is compared with and what replaces it.
    wanted
        Whether the result matters.

    Returns
    -------
    uint32 array
        What each lane found.
    """
    result = _RESULTS.get(opcode)
    if not wanted and isinstance(result, np.ufunc):
        result.at(words, index, values[0])
        return np.zeros(len(index), np.uint32)
    order = np.argsort(index, kind="stable")
    sorted_index = index[order]
    starts = np.flatnonzero(np.diff(sorted_index, prepend=-1))
    counts = np.diff(np.append(starts, len(order)))
    operands = [value[order] for value in values]
    before = np.zeros(len(order), np.uint32)
    if opcode == "ATOMUADD":
        _added(words, sorted_index, starts, counts, operands[0], before)
    else:
        _in_turns(opcode, words, sorted_index, (starts, counts), operands, before)
    results = np.empty_like(before)
    results[order] = before
    return results


def _added(
    words: Words, index: NDArray[np.int64], starts: NDArray[Any], counts: NDArray[Any], values: Words, before: Words
) -> None:
    """Sums so far, by word."""
    totals = np.cumsum(values, dtype=np.uint32)
    exclusive = totals - values
    first = index[starts]
    before[:] = exclusive - np.repeat(exclusive[starts], counts) + np.repeat(words[first], counts)
    ends = starts + counts - 1
    words[first] = before[ends] + values[ends]


def _in_turns(
    opcode: str,
    words: Words,
    index: NDArray[np.int64],
    runs: tuple[NDArray[Any], NDArray[Any]],
    operands: list[Words],
    before: Words,
) -> None:
    """The first lane of each word, then the second of each, …"""
    starts, counts = runs
    turn = 0
    while len(starts):
        lanes = starts + turn
        present = words[index[lanes]]
        before[lanes] = present
        if opcode == "ATOMCAS":
            words[index[lanes]] = np.where(present == operands[0][lanes], operands[1][lanes], present)
        else:
            words[index[lanes]] = _RESULTS[opcode](present, operands[0][lanes])
        turn += 1
        starts, counts = starts[counts > turn], counts[counts > turn]
