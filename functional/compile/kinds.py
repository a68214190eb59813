"""Kinds of values in programs, and how they lie in memory.

All integers are 64 bits wide while they are calculated with, whatever the width of the field that they come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from llvmlite import ir

Dtype = np.dtype[Any]

BYTE, HALF_WORD, WORD, BIT = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.IntType(1)
POINTER = ir.PointerType()


@dataclass(frozen=True, eq=False)
class Scalar:
    """Kind of a number. `rank`: of two kinds, the one of higher rank holds the values of both."""

    name: str
    llvm: ir.Type
    rank: int


BOOL = Scalar("bool", BIT, 0)
UNSIGNED = Scalar("uint64", WORD, 1)
INT = Scalar("int", WORD, 2)
SINGLE = Scalar("float32", ir.FloatType(), 3)
FLOAT = Scalar("float", ir.DoubleType(), 4)
WHOLE = BOOL, UNSIGNED, INT


@dataclass(frozen=True, eq=False)
class Nothing:
    """Kind of what a function without a result returns."""

    name: str = "None"
    llvm: ir.Type = ir.VoidType()


NOTHING = Nothing()


@dataclass(frozen=True, eq=False)
class Record:
    """Kind of a reference to a record of a numpy type."""

    dtype: Dtype
    llvm: ir.Type = POINTER

    @property
    def name(self) -> str:
        """Names of its first fields, for messages."""
        names = self.dtype.names or ()
        return f"record of {', '.join(names[:4])}{', …' if len(names) > 4 else ''}"

    @cached_property
    def fields(self) -> dict[str, tuple[Dtype, int]]:
        """Type and offset in bytes of each field."""
        return {
            name: (dtype_and_offset[0], dtype_and_offset[1])
            for name, dtype_and_offset in (self.dtype.fields or {}).items()
        }


@dataclass(frozen=True, eq=False)
class Array:
    """Kind of a reference to elements in C order.

    Parameters
    ----------
    element
        A numpy type without dimensions.
    lengths
        By dimension, from the outside in; None where it is known when the program runs.
    """

    element: Dtype
    lengths: tuple[int | None, ...]

    @property
    def name(self) -> str:
        """For messages."""
        return f"array of {record_of(self.element).name if self.element.names else self.element}"

    @cached_property
    def open(self) -> tuple[int, ...]:
        """Dimensions whose lengths are known when the program runs."""
        return tuple(k for k, length in enumerate(self.lengths) if length is None)

    @cached_property
    def llvm(self) -> ir.Type:
        """A pointer, with lengths that are not constant."""
        return ir.LiteralStructType([POINTER, *[WORD] * len(self.open)]) if self.open else POINTER


@dataclass(frozen=True, eq=False)
class Function:
    """Kind of a function of integers that was compiled apart; `result`: `INT` or `NOTHING`."""

    result: Scalar | Nothing
    llvm: ir.Type = WORD

    @property
    def name(self) -> str:
        """For messages."""
        return "function"


KERNEL, EMITTED = Function(INT), Function(NOTHING)


@dataclass(frozen=True, eq=False)
class Tuple:
    """Kind of some values together; `names` if they are named."""

    members: tuple[Kind, ...]
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """For messages."""
        return f"({', '.join(member.name for member in self.members)})"

    @cached_property
    def llvm(self) -> ir.Type:
        """All of them."""
        return ir.LiteralStructType([member.llvm for member in self.members])


@dataclass(frozen=True, eq=False)
class Tables:
    """Kind of a reference to values that are constant while a program runs, arrays among them.

    Parameters
    ----------
    members
        Other tables among them, which lie in this one.
    names
        Empty if they are not named.
    """

    members: tuple[Kind, ...]
    names: tuple[str, ...] = ()
    llvm: ir.Type = POINTER

    @property
    def name(self) -> str:
        """For messages."""
        return f"tables {', '.join(self.names)}"

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Of each member, in bytes."""
        return offsets_of(self.members)


Kind = Scalar | Nothing | Record | Array | Function | Tuple | Tables


@cache
def record_of(dtype: Dtype) -> Record:
    """Kind of records of a numpy type."""
    return Record(dtype)


@cache
def array_of(element: Dtype, lengths: tuple[int | None, ...]) -> Array:
    """Kind of arrays."""
    return Array(element, lengths)


@cache
def tuple_of(members: tuple[Kind, ...], names: tuple[str, ...] = ()) -> Tuple:
    """Kind of tuples."""
    return Tuple(members, names)


@cache
def tables_of(members: tuple[Kind, ...], names: tuple[str, ...]) -> Tables:
    """Kind of tables."""
    return Tables(members, names)


@cache
def in_words(kind: Kind) -> Kind:
    """Kind of the same values in blocks, where all lengths of an array follow its address."""
    if isinstance(kind, Array):
        return array_of(kind.element, (None,) * len(kind.lengths))
    return tuple_of(tuple(map(in_words, kind.members)), kind.names) if isinstance(kind, Tuple | Tables) else kind


def offsets_of(members: Sequence[Kind]) -> tuple[int, ...]:
    """Bytes from the beginning of a block to each of its members."""
    ends = np.cumsum([0, *map(size_of, members)])
    return tuple(map(int, ends[:-1]))


def size_of(kind: Kind) -> int:
    """Bytes that a member of tables takes: whole words."""
    if isinstance(kind, Tables | Tuple):
        return sum(map(size_of, kind.members))
    return 8 * (1 + len(kind.open)) if isinstance(kind, Array) else 8


_NUMBERS: dict[str, tuple[ir.Type, Scalar]] = {
    **{f"{sign}{size}": (ir.IntType(8 * size), INT) for sign in "iu" for size in (1, 2, 4, 8)},
    "u8": (WORD, UNSIGNED),
    "b1": (BYTE, BOOL),
    "f4": (ir.FloatType(), SINGLE),
    "f8": (ir.DoubleType(), FLOAT),
}


def number(dtype: Dtype) -> tuple[ir.Type, Scalar] | None:
    """Type of a number in memory, and its kind in calculations; None for other types."""
    return _NUMBERS.get(f"{dtype.kind}{dtype.itemsize}") if dtype.isnative else None


def common(kinds: Sequence[Kind]) -> Kind | None:
    """The kind that holds the values of all; None if there is none."""
    first = kinds[0]
    if all(kind is first for kind in kinds):
        return first
    if all(isinstance(kind, Scalar) for kind in kinds):
        highest: Any = max(kinds, key=lambda kind: kind.rank)  # type: ignore[union-attr]
        # A float32 does not hold all integers.
        return FLOAT if highest is SINGLE and any(kind in (INT, UNSIGNED) for kind in kinds) else highest
    arrays = [kind for kind in kinds if isinstance(kind, Array)]
    if len(arrays) == len(kinds) and len({(kind.element, len(kind.lengths)) for kind in arrays}) == 1:
        columns = zip(*(kind.lengths for kind in arrays), strict=True)
        return array_of(arrays[0].element, tuple(each[0] if len(set(each)) == 1 else None for each in columns))
    tuples = [kind for kind in kinds if isinstance(kind, Tuple | Tables)]
    if len(tuples) == len(kinds) and len({len(kind.members) for kind in tuples}) == 1:
        members = [common(column) for column in zip(*(kind.members for kind in tuples), strict=True)]
        if all(member is not None for member in members):
            return tuple_of(tuple(members), tuples[0].names)  # type: ignore[arg-type]
    return None
