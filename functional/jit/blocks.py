"""Named tuples by address: what is too much for the arguments of a kernel, and what kernels compiled apart pass on.

A block is a run of 64-bit words that the annotations of a `NamedTuple` declare, field by field: a number is a word, an
array the address of its elements (C-contiguous, and kept alive by someone else) and its shape, a tuple its own fields.
"""

from __future__ import annotations

import inspect
from ctypes import c_void_p
from functools import cache
from struct import Struct
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from .addresses import address
from .compiled import COMPILED
from .numba_interface import as_dtype, carray, cgutils, intrinsic, make_array, np_cfarray, types

Words = Annotated[NDArray[np.int64], types.int64[::1]]
WordRows = Annotated[NDArray[np.int64], types.int64[:, ::1]]
Integers = Annotated[NDArray[np.int32], types.int32[::1]]
IntegerRows = Annotated[NDArray[np.int32], types.int32[:, ::1]]
Numbers = Annotated[NDArray[np.uint32], types.uint32[::1]]
NumberRows = Annotated[NDArray[np.uint32], types.uint32[:, ::1]]
Floats = Annotated[NDArray[np.float32], types.float32[::1]]
FloatRows = Annotated[NDArray[np.float32], types.float32[:, ::1]]
Doubles = Annotated[NDArray[np.float64], types.float64[::1]]
DoubleRows = Annotated[NDArray[np.float64], types.float64[:, ::1]]
Bytes = Annotated[NDArray[np.uint8], types.uint8[::1]]
ByteRows = Annotated[NDArray[np.uint8], types.uint8[:, ::1]]
Halves = Annotated[NDArray[np.uint16], types.uint16[::1]]
Shorts = Annotated[NDArray[np.int16], types.int16[::1]]
Signed = Annotated[NDArray[np.int8], types.int8[::1]]
SignedPlanes = Annotated[NDArray[np.int8], types.int8[:, :, ::1]]
IntegerPlanes = Annotated[NDArray[np.int32], types.int32[:, :, ::1]]
Flags = Annotated[NDArray[np.bool_], types.bool_[::1]]
FlagRows = Annotated[NDArray[np.bool_], types.bool_[:, ::1]]
ReadOnlyBytes = Annotated[NDArray[np.uint8], types.Array(types.uint8, 1, "C", readonly=True)]
Address = int
"""Of memory whose shape is known otherwise."""

_WORD = ir.IntType(64)
_FLOAT, _BITS = Struct("=d"), Struct("=q")
_NUMBERS = {int: types.int64, bool: types.boolean, float: types.float64}
_Fields = TypeVar("_Fields", bound=tuple[Any, ...])


@cache
def type_of(declared: Any, named: bool = True) -> Any:
    """Numba's type for the class of a named tuple, or for another annotation.

    Parameters
    ----------
    declared
        A `NamedTuple`, ``tuple[...]`` with all its elements, `int`, `bool`, `float`, or an array from above; or
        ``Annotated[tuple[Any, ...], X]``, the plain tuple with the fields of the named one, which Python passes faster.
    named
        Give named tuples as they are; otherwise as plain ones with the same fields.
    """
    if declared in _NUMBERS:
        return _NUMBERS[declared]
    if get_origin(declared) is tuple:
        return types.BaseTuple.from_types([type_of(element, named) for element in get_args(declared)])
    if not isinstance(declared, type):
        kind = declared.__metadata__[0]
        return type_of(kind, False) if isinstance(kind, type) else kind
    fields = [type_of(field, named) for field in get_type_hints(declared, include_extras=True).values()]
    return types.BaseTuple.from_types(fields, declared if named else None)


def types_of_parameters(kernel: Any) -> tuple[Any, ...]:
    """Numba's types of a kernel's parameters, from their annotations; TypeError where one has none."""
    function = getattr(kernel, "py_func", kernel)
    declared = get_type_hints(function, include_extras=True)
    missing = [name for name in inspect.signature(function).parameters if declared.get(name, Any) is Any]
    if missing:
        raise TypeError(f"{function.__name__}: no types for {', '.join(missing)}")
    return tuple(type_of(kind) for name, kind in declared.items() if name != "return")


@cache
def words_in(block: Any) -> int:
    """Words of a block, or of a field with a type of Numba."""
    kind = type_of(block) if isinstance(block, type) else block
    if isinstance(kind, types.BaseTuple):
        return sum(map(words_in, kind.types))
    return int(1 + kind.ndim) if isinstance(kind, types.Array) else 1


def place_of(block: Any, *names: str) -> int:
    """The word with which a field begins, or a field of a field."""
    kind, place = type_of(block), 0
    for name in names:
        before = kind.fields.index(name)
        place += sum(map(words_in, kind.types[:before]))
        kind = kind.types[before]
    return place


def places(block: type[_Fields]) -> _Fields:
    """The words with which all fields begin: constants for kernels and emitted code that touch single words."""
    fields: Any = block
    return cast(_Fields, fields(*(place_of(block, name) for name in fields._fields)))


def dimensions(block: Any) -> tuple[int, ...]:
    """Dimensions of each field of a flat block, 0 for numbers."""
    return tuple(kind.ndim if isinstance(kind, types.Array) else 0 for kind in type_of(block).types)


def array_kinds(block: Any) -> dict[str, tuple[np.dtype[Any], int]]:
    """Type of the elements and dimensions of each field of a block of arrays, by name."""
    kind = type_of(block)
    return {name: (as_dtype(a.dtype), a.ndim) for name, a in zip(kind.fields, kind.types, strict=True)}


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
    return Block(np.array(_words(values), np.int64), values, *kept)


def write(words: NDArray[np.int64], values: tuple[Any, ...]) -> None:
    """Make words the block of a tuple."""
    words[:] = _words(values)


def _words(values: tuple[Any, ...]) -> list[int]:
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
            assert value.flags.c_contiguous
            words.append(address(value))
            words.extend(value.shape)
        elif isinstance(value, tuple):
            _add(words, value)
        elif isinstance(value, float):
            words.extend(_BITS.unpack(_FLOAT.pack(value)))
        else:
            words.append(value)


def _load(context: Any, address: Any, block: Any) -> Any:
    """The tuple of a class at an address."""
    declared = type_of(block.instance_class)

    def generate(target: Any, builder: Any, _: Any, arguments: Any) -> Any:
        words = builder.inttoptr(arguments[0], _WORD.as_pointer())
        place = iter(range(words_in(block.instance_class)))

        def following() -> Any:
            return builder.load(builder.gep(words, [ir.Constant(_WORD, next(place))]))

        def value(kind: types.Type) -> Any:
            if isinstance(kind, types.Array):
                where = builder.inttoptr(following(), ir.IntType(8).as_pointer())
                shape = cgutils.pack_array(builder, [following() for _ in range(kind.ndim)])
                signature = kind(types.voidptr, types.UniTuple(types.int64, kind.ndim), types.DType(kind.dtype))
                return np_cfarray(target, builder, signature, (where, shape, None))
            if isinstance(kind, types.BaseTuple):
                return target.make_tuple(builder, kind, [value(field) for field in kind.types])
            if kind == types.boolean:
                return builder.trunc(following(), ir.IntType(1))
            return builder.bitcast(following(), target.get_value_type(kind))

        return value(declared)

    return declared(types.int64, block), generate


def _store(context: Any, address: Any, values: Any) -> Any:
    """Write the block of a tuple to an address."""

    def generate(target: Any, builder: Any, _: Any, arguments: Any) -> Any:
        words, place = builder.inttoptr(arguments[0], _WORD.as_pointer()), iter(range(1 << 16))

        def write(value: Any) -> None:
            builder.store(value, builder.gep(words, [ir.Constant(_WORD, next(place))]))

        def each(kind: types.Type, value: Any) -> None:
            if isinstance(kind, types.Array):
                assert kind.layout == "C"
                array = make_array(kind)(target, builder, value)
                for word in (builder.ptrtoint(array.data, _WORD), *cgutils.unpack_tuple(builder, array.shape)):
                    write(word)
            elif isinstance(kind, types.BaseTuple):
                for i, field in enumerate(kind.types):
                    each(field, builder.extract_value(value, i))
            elif kind == types.float64:
                write(builder.bitcast(value, _WORD))
            else:
                write(target.cast(builder, value, kind, types.int64))

        each(values, arguments[1])
        return ir.Constant(ir.IntType(8), 0)

    return types.void(types.int64, values), generate


def _load_plainly(address: int, block: Any) -> Any:
    words = iter(_memory(address, words_in(block)).tolist())

    def value(kind: types.Type) -> Any:
        if isinstance(kind, types.Array):
            return carray(c_void_p(next(words)), tuple(next(words) for _ in range(kind.ndim)), as_dtype(kind.dtype))
        if isinstance(kind, types.BaseTuple):
            return kind.instance_class(*map(value, kind.types))
        if kind == types.float64:
            return _FLOAT.unpack(_BITS.pack(next(words)))[0]
        return kind(next(words))

    return value(type_of(block))


def _store_plainly(address: int, values: tuple[Any, ...]) -> None:
    words = _words(values)
    _memory(address, len(words))[:] = words


def _memory(address: int, words: int) -> NDArray[np.int64]:
    return carray(c_void_p(address), words, np.int64)


load: Any = intrinsic(_load) if COMPILED else _load_plainly
store: Any = intrinsic(_store) if COMPILED else _store_plainly
