"""Named tuples by address: what is too much for the arguments of a kernel, and what kernels compiled apart pass on.

A block is a run of 64-bit words that the annotations of a `NamedTuple` declare, field by field: a number is a word, an
array the address of its elements (C-contiguous, and kept alive by someone else) and its shape, a tuple its own fields.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, c_byte, c_int64
from functools import cache
from struct import Struct
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from .addresses import address
from .kinds import BOOL, EMITTED, FLOAT, INT, KERNEL, Array, Function, Kind, Tables, array_of, size_of, tables_of


def _array(element: Any, dimensions: int) -> Array:
    return array_of(np.dtype(element), (None,) * dimensions)


Words = Annotated[NDArray[np.int64], _array(np.int64, 1)]
WordRows = Annotated[NDArray[np.int64], _array(np.int64, 2)]
Integers = Annotated[NDArray[np.int32], _array(np.int32, 1)]
IntegerRows = Annotated[NDArray[np.int32], _array(np.int32, 2)]
Numbers = Annotated[NDArray[np.uint32], _array(np.uint32, 1)]
NumberRows = Annotated[NDArray[np.uint32], _array(np.uint32, 2)]
Floats = Annotated[NDArray[np.float32], _array(np.float32, 1)]
FloatRows = Annotated[NDArray[np.float32], _array(np.float32, 2)]
Doubles = Annotated[NDArray[np.float64], _array(np.float64, 1)]
DoubleRows = Annotated[NDArray[np.float64], _array(np.float64, 2)]
Bytes = Annotated[NDArray[np.uint8], _array(np.uint8, 1)]
ByteRows = Annotated[NDArray[np.uint8], _array(np.uint8, 2)]
Halves = Annotated[NDArray[np.uint16], _array(np.uint16, 1)]
Shorts = Annotated[NDArray[np.int16], _array(np.int16, 1)]
Signed = Annotated[NDArray[np.int8], _array(np.int8, 1)]
SignedPlanes = Annotated[NDArray[np.int8], _array(np.int8, 3)]
IntegerPlanes = Annotated[NDArray[np.int32], _array(np.int32, 3)]
Flags = Annotated[NDArray[np.bool_], _array(np.bool_, 1)]
FlagRows = Annotated[NDArray[np.bool_], _array(np.bool_, 2)]
Address = int
"""Of memory whose shape is known otherwise."""
Kernel = Annotated[Callable[..., int], KERNEL]
"""A function of integers that was compiled apart and returns one; from Python its address, as `code_at` passes it."""
Emitted = Annotated[Callable[..., None], EMITTED]
"""The same without a result."""
EmittedOrNone = Annotated[Callable[..., None] | None, EMITTED]

_FLOAT, _BITS = Struct("=d"), Struct("=q")
_NUMBERS: dict[Any, Kind] = {int: INT, bool: BOOL, float: FLOAT}
_Fields = TypeVar("_Fields", bound=tuple[Any, ...])


def code_at(address: int) -> Any:
    """The function whose machine code is at an address, as a field of a block; 0 for none."""
    return address


class UndeclaredError(Exception):
    """A parameter or field has no type."""


@cache
def kind_of_block(declared: Any) -> Kind:
    """Kind of the values that the class of a named tuple, or another annotation, declares.

    Parameters
    ----------
    declared
        A `NamedTuple`, ``tuple[...]`` with all its elements, `int`, `bool`, `float`, or an array from above; or
        ``Annotated[tuple[Any, ...], X]``, the plain tuple with the fields of the named one, which Python passes faster.
    """
    if declared in _NUMBERS:
        return _NUMBERS[declared]
    if declared is Any:
        raise UndeclaredError
    if get_origin(declared) is tuple:
        return tables_of(tuple(map(kind_of_block, get_args(declared))), ())
    if not isinstance(declared, type):
        kind = declared.__metadata__[0]
        return kind_of_block(kind) if isinstance(kind, type) else kind
    fields = tuple(map(kind_of_block, get_type_hints(declared, include_extras=True).values()))
    return tables_of(fields, getattr(declared, "_fields", ()))


def kinds_of_parameters(function: Any) -> Tables | None:
    """Kinds of a function's parameters together, from their annotations; None where one has none."""
    declared = get_type_hints(function, include_extras=True)
    names = inspect.signature(function).parameters
    try:
        return tables_of(tuple(kind_of_block(declared.get(name, Any)) for name in names), ())
    except UndeclaredError:
        return None


def words_in(block: Any) -> int:
    """Words of a block."""
    return size_of(_kind(block)) // 8


def _kind(block: Any) -> Any:
    return kind_of_block(block) if isinstance(block, type) else block


def place_of(block: Any, *names: str) -> int:
    """The word with which a field begins, or a field of a field."""
    kind, place = _kind(block), 0
    for name in names:
        member = kind.names.index(name)
        place, kind = place + kind.offsets[member] // 8, kind.members[member]
    return int(place)


def places(block: type[_Fields]) -> _Fields:
    """The words with which all fields begin: constants for kernels and emitted code that touch single words."""
    fields: Any = block
    return cast(_Fields, fields(*(place_of(block, name) for name in fields._fields)))


def dimensions(block: Any) -> tuple[int, ...]:
    """Dimensions of each field of a flat block, 0 for numbers."""
    return tuple(len(kind.lengths) if isinstance(kind, Array) else 0 for kind in _kind(block).members)


def array_kinds(block: Any) -> dict[str, tuple[np.dtype[Any], int]]:
    """Type of the elements and dimensions of each field of a block of arrays, by name."""
    kind = _kind(block)
    return {name: (a.element, len(a.lengths)) for name, a in zip(kind.names, kind.members, strict=True)}


class Block:
    """Words as kernels take them.

    Parameters
    ----------
    words
        int64.
    values
        The tuple, if it is known.
    kept
        Further objects that the addresses point into.
    """

    __slots__ = ("address", "kept", "values", "words")

    def __init__(self, words: NDArray[np.int64], values: Any, *kept: object) -> None:
        self.words, self.values, self.kept = words, values, kept
        self.address = address(words)


def block_of(values: tuple[Any, ...], *kept: object) -> Block:
    """The block of a tuple."""
    return Block(np.array(words_of(values), np.int64), values, *kept)


def write(words: NDArray[np.int64], values: tuple[Any, ...]) -> None:
    """Make words the block of a tuple."""
    words[:] = words_of(values)


def words_of(values: tuple[Any, ...]) -> list[int]:
    """Words of the block of a tuple."""
    words: list[int] = []
    _add(words, values)
    return words


def _add(words: list[int], values: tuple[Any, ...]) -> None:
    """Add the words of a tuple; there are many, so the most frequent kinds come first."""
    for value in values:
        kind = type(value)
        if kind is int or kind is bool:
            words.append(value)
        elif isinstance(value, np.ndarray):
            words.append(address(value))
            words.extend(value.shape)
        elif isinstance(value, tuple):
            _add(words, value)
        elif isinstance(value, float):
            words.extend(_BITS.unpack(_FLOAT.pack(value)))
        else:
            words.append(value)


def memory(address: int, shape: tuple[int, ...], element: np.dtype[Any]) -> NDArray[Any]:
    """The array at an address, without a copy."""
    size_bytes = int(np.prod(shape, dtype=np.int64)) * element.itemsize
    if not size_bytes:
        return np.empty(shape, element)
    content: Any = (c_byte * size_bytes).from_address(int(address))
    return np.frombuffer(content, element).reshape(shape)


def read_block(address: int, block: Any) -> Any:
    """The named tuple of a class whose block is at an address."""
    kind = kind_of_block(block)
    return _value(iter(memory(address, (size_of(kind) // 8,), np.dtype(np.int64)).tolist()), kind, block)


def _value(words: Iterator[int], kind: Kind, declared: Any) -> Any:
    if isinstance(kind, Array):
        start = next(words)
        return memory(start, tuple(next(words) for _ in kind.lengths), kind.element)
    if isinstance(kind, Function):
        return _function(next(words), kind)
    if isinstance(kind, Tables):
        hints = list(get_type_hints(declared, include_extras=True).values()) if isinstance(declared, type) else []
        inner = hints if hints else get_args(declared)
        values = [_value(words, *each) for each in zip(kind.members, inner, strict=True)]
        return declared(*values) if isinstance(declared, type) else tuple(values)
    if kind is FLOAT:
        return _FLOAT.unpack(_BITS.pack(next(words)))[0]
    return bool(next(words)) if kind is BOOL else next(words)


def _function(address: int, kind: Function) -> Callable[..., Any] | None:
    """The function at an address for Python; None for 0."""

    def call(*arguments: int) -> Any:
        result = c_int64 if kind.result is INT else None
        return CFUNCTYPE(result, *[c_int64] * len(arguments))(address)(*arguments)

    return call if address else None
