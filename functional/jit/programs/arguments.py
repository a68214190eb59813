"""Arguments that Python passes to a program: of which kinds they are, and one block of memory that refers to all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ..addresses import address
from .kinds import BOOL, FLOAT, INT, Array, Kind, Record, Scalar, Tables, array_of, record_of, size_of, tables_of


def kind_of(argument: Any) -> Kind:
    """Kind of an argument.

    Raises
    ------
    TypeError
        If programs have no such values.
    """
    if isinstance(argument, tuple):
        return tables_of(tuple(map(kind_of, argument)), getattr(argument, "_fields", ()))
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise TypeError("programs take arrays whose elements lie side by side")
        return array_of(argument.dtype, (None,) * argument.ndim)
    for types, kind in (((bool, np.bool_), BOOL), ((int, np.integer), INT), ((float, np.floating), FLOAT)):
        if isinstance(argument, types):
            return kind
    if isinstance(argument, np.void):
        return record_of(argument.dtype)
    raise TypeError(f"programs take no {type(argument).__name__}")


@cache
def described(kind: Kind) -> str:
    """Everything about a kind that code depends on."""
    if isinstance(kind, Record):
        return f"record {kind.dtype!r} {kind.dtype.isalignedstruct}"
    if isinstance(kind, Array):
        return f"array {kind.element!r} {kind.element.isalignedstruct} {kind.lengths}"
    if isinstance(kind, Tables):
        return f"tables {kind.names} ({', '.join(map(described, kind.members))})"
    return kind.name


def block_of(arguments: tuple[Any, ...], kind: Tables, results: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The block as `Tables` describes it, and words for results behind it; arrays and records must outlive it."""
    block = np.zeros(size_of(kind) // 8 + results, np.int64)
    words = list(_words(arguments, kind))
    for place, word in enumerate(words):
        if isinstance(word, float):
            block[place : place + 1].view(np.float64)[:] = word
        else:
            block[place] = word
    return block


def _words(arguments: tuple[Any, ...], kind: Tables) -> Iterator[int | float]:
    for argument, member in zip(arguments, kind.members, strict=True):
        if isinstance(member, Tables):
            yield from _words(argument, member)
        elif isinstance(member, Scalar):
            yield float(argument) if member is FLOAT else int(argument)
        else:
            # A record is an array of its own.
            yield address(argument if isinstance(argument, np.ndarray) else np.void.reshape(argument, 1))
            if isinstance(member, Array):
                yield from argument.shape
