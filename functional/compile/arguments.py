"""Arguments that Python passes to a program: of which kinds they are, and one block of memory that refers to all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Any

import numpy as np

from .addresses import address
from .kinds import BOOL, FLOAT, INT, UNSIGNED, Array, Kind, Record, Tables, array_of, record_of, tables_of


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
    for types, kind in _NUMBERS:
        if isinstance(argument, types):
            return kind
    if isinstance(argument, np.void):
        return record_of(argument.dtype)
    raise TypeError(f"programs take no {type(argument).__name__}")


_NUMBERS: tuple[tuple[Any, Kind], ...] = (
    ((bool, np.bool_), BOOL),
    (np.uint64, UNSIGNED),
    ((int, np.integer), INT),
    ((float, np.floating), FLOAT),
)


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


def words_of_kind(kind: Tables, strict: bool) -> Callable[[tuple[Any, ...]], bytes]:
    """A function that packs arguments of a kind as `Tables` describes them; arrays and records must outlive it.

    It raises TypeError, ValueError or AttributeError for an array of another type than the kind has and, if `strict`,
    for any argument of another kind. Its text is written for the kind, since Python calls kernels often, and to look at
    the kind takes longer than to pack.
    """
    text = _Text(strict)
    arguments = text.unpacked(kind)
    body = [f"({arguments}) = arguments", *text.checks, f"return pack({', '.join(text.words)})"]
    pack = Struct(f"={text.format}").pack
    names: dict[str, Any] = {
        "pack": pack,
        "address": address,
        "check": _check,
        "other": _other,
        "record": _record,
        **text.kinds,
    }
    exec("def packed(arguments):\n    " + "\n    ".join(body), names)
    packed: Callable[[tuple[Any, ...]], bytes] = names["packed"]
    return packed


class _Text:
    """Python that packs arguments: names for them, checks of arrays, words, and their format for `struct`."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self.kinds: dict[str, Any] = {}
        self.checks: list[str] = []
        self.words: list[str] = []
        self.format = ""

    def unpacked(self, kind: Tables) -> str:
        """Names of arguments, with a comma after each; adds what packs them."""
        return "".join(f"{self._argument(member)}, " for member in kind.members) or "*_,"

    def _argument(self, kind: Kind) -> str:
        if isinstance(kind, Tables):
            return f"({self.unpacked(kind)})"
        name = f"a{len(self.kinds)}"
        self.kinds[f"k{name}"], self.kinds[f"d{name}"] = kind, kind.element if isinstance(kind, Array) else None
        if isinstance(kind, Array):
            dimensions = len(kind.lengths)
            self.checks.append(f"if {name}.dtype is not d{name} or {name}.ndim != {dimensions}: check({name}, k{name})")
            self.words += [f"address({name})", f"len({name})" if dimensions == 1 else f"*{name}.shape"]
            self.format += "q" * (1 + dimensions)
        else:
            if self._strict:
                self.kinds[f"t{name}"] = _TYPES.get(kind, ())
                self.checks.append(f"if type({name}) not in t{name}: other({name}, k{name})")
            self.words.append(f"record({name})" if isinstance(kind, Record) else _WORDS.get(kind, "{}").format(name))
            self.format += _FORMATS.get(kind, "q")
        return name


_WORDS: dict[Kind, str] = {BOOL: "int({})"}
_FORMATS: dict[Kind, str] = {FLOAT: "d", UNSIGNED: "Q"}
_TYPES: dict[Kind, set[type]] = {
    BOOL: {bool, np.bool_},
    INT: {int, np.int64},
    UNSIGNED: {np.uint64},
    FLOAT: {float, np.float64, np.float32},
}


def _check(argument: np.ndarray[Any, Any], kind: Array) -> None:
    if argument.dtype != kind.element or argument.ndim != len(kind.lengths):
        raise TypeError(f"an array of {argument.dtype}, {argument.ndim} dimensions, in place of {kind.name}")


def _other(argument: Any, kind: Kind) -> None:
    if kind_of(argument) is not kind:
        raise TypeError(f"a {type(argument).__name__} in place of {kind.name}")


def _record(argument: Any) -> int:
    """Address of a record: it is an array of its own."""
    return address(argument if isinstance(argument, np.ndarray) else np.void.reshape(argument, 1))
