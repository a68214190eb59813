"""Functions that programs have without a text: those of Python and numpy for numbers and arrays, and of `native`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir

from . import native
from .addresses import address
from .arrays import dtype_of, lengths_of
from .blocks import kind_of_block
from .kinds import (
    BIT,
    BOOL,
    BYTE,
    FLOAT,
    HALF_WORD,
    INT,
    SINGLE,
    UNSIGNED,
    WORD,
    Array,
    Kind,
    Scalar,
    Tables,
    in_words,
    tuple_of,
)
from .parts import lowest_bit
from .values import NONE, CannotTranslate, PythonObject, Value, constant

if TYPE_CHECKING:
    from .calls import Calls


def _number(kind: Scalar) -> Callable[[Calls, Value], Value]:
    return lambda body, value: body.convert(value, kind)


def _narrow(bits: int, signed: bool) -> Callable[[Calls, Value], Value]:
    def converted(body: Calls, value: Value) -> Value:
        b = body.builder
        short = b.trunc(body.convert(value, INT).ir, ir.IntType(bits))
        return Value(INT, (b.sext if signed else b.zext)(short, WORD))

    return converted


def _bit(body: Calls, mask: Value) -> Value:
    return body.intrinsic("llvm.cttz.i64", INT, [body.convert(mask, INT).ir, ir.Constant(BIT, 1)])


def _rounded(name: str) -> Callable[[Calls, Value], Value]:
    """A function of LLVM of one floating-point number of either width."""

    def call(body: Calls, value: Value) -> Value:
        kind = SINGLE if value.kind is SINGLE else FLOAT
        return body.intrinsic(f"llvm.{name}.f{32 if kind is SINGLE else 64}", kind, [body.convert(value, kind).ir])

    return call


def _root(body: Calls, value: Value) -> Value:
    return body.intrinsic("llvm.sqrt.f64", FLOAT, [body.convert(value, FLOAT).ir])


def _magnitude(body: Calls, value: Value) -> Value:
    if value.kind in (SINGLE, FLOAT):
        return _rounded("fabs")(body, value)
    return body.least([value, body.unary(ast.USub(), value)], ">")


def _extreme(sign: str) -> Callable[..., Value]:
    return lambda body, *values: body.least(values, sign)


NUMBERS: dict[Any, Callable[..., Value]] = {
    int: _number(INT),
    float: _number(FLOAT),
    bool: _number(BOOL),
    min: _extreme("<"),
    max: _extreme(">"),
    abs: _magnitude,
    math.sqrt: _root,
    np.sqrt: _rounded("sqrt"),
    np.floor: _rounded("floor"),
    np.ceil: _rounded("ceil"),
    lowest_bit: _bit,
    np.bool_: _number(BOOL),
    np.int64: _number(INT),
    np.uint64: _number(UNSIGNED),
    np.int32: _narrow(32, True),
    np.uint32: _narrow(32, False),
    np.uint16: _narrow(16, False),
    np.uint8: _narrow(8, False),
    np.float32: _number(SINGLE),
    np.float64: _number(FLOAT),
}
"""Functions of values."""

Argument = Value | PythonObject
_DOUBLE = PythonObject(np.float64)


def _evaluated(body: Calls, argument: Argument) -> Value:
    return argument if isinstance(argument, Value) else body.value_of(argument)


def _named(argument: Argument) -> Any:
    if isinstance(argument, Value):
        raise CannotTranslate("a type is named, not computed")
    return argument.object


def _length(body: Calls, counted: Argument) -> Value:
    if isinstance(counted, PythonObject):
        return constant(len(counted.object))
    return constant(len(counted.kind.members)) if isinstance(counted.kind, Tables) else body.length(counted)


def _new(zeros: bool) -> Callable[..., Value]:
    def made(body: Calls, shape: Argument, dtype: Argument = _DOUBLE) -> Value:
        return body.new(dtype_of(_named(dtype)), lengths_of(body, _evaluated(body, shape)), zeros)

    return made


def _full(body: Calls, shape: Argument, value: Argument, dtype: Argument) -> Value:
    made = body.new(dtype_of(_named(dtype)), lengths_of(body, _evaluated(body, shape)), False)
    body.assign_all(made, _evaluated(body, value))
    return made


def _new_like(body: Calls, array: Argument) -> Value:
    like = _evaluated(body, array)
    if not isinstance(like.kind, Array):
        raise CannotTranslate(f"a {like.kind.name} is no array")
    return body.new(like.kind.element, body.lengths(like), False)


def _at_address(body: Calls, start: Argument, shape: Argument, dtype: Argument) -> Value:
    lengths = lengths_of(body, _evaluated(body, shape))
    return body.shaped(dtype_of(_named(dtype)), body.memory_at(_evaluated(body, start)), lengths)


def snapshot(kind: Kind) -> Kind:
    """Kind of the values of tables, apart from their memory."""
    if not isinstance(kind, Tables):
        return kind
    return tuple_of(tuple(map(snapshot, kind.members)), kind.names)


def _load(body: Calls, start: Argument, block: Argument) -> Value:
    kind = snapshot(kind_of_block(_named(block)))
    return body.word(body.memory_at(_evaluated(body, start)), kind, constant=False)


def _store(body: Calls, start: Argument, values: Argument) -> Value:
    stored = _evaluated(body, values)
    body.write_words(body.memory_at(_evaluated(body, start)), body.convert(stored, in_words(stored.kind)))
    return NONE


def _allocate(body: Calls, size: Argument) -> Value:
    return Value(INT, body.builder.ptrtoint(body.functions.malloc(body.builder, _evaluated(body, size).ir), WORD))


def _release(body: Calls, start: Argument) -> Value:
    body.functions.free(body.builder, body.memory_at(_evaluated(body, start)))
    return NONE


def _pack_pixels(body: Calls, pixels: Argument, packed: Argument) -> Value:
    b, count = body.builder, native.PACKED
    whole, part = (ir.VectorType(BYTE, channels * count) for channels in (4, 3))
    chosen = [4 * pixel + channel for pixel in range(count) for channel in range(3)]
    order = ir.Constant(ir.VectorType(HALF_WORD, len(chosen)), chosen)
    loaded = b.load(body.memory_at(_evaluated(body, pixels)), typ=whole, align=1)
    shuffled = b.shuffle_vector(loaded, ir.Constant(whole, ir.Undefined), order)
    b.store(shuffled, body.memory_at(_evaluated(body, packed)), align=1)
    assert shuffled.type == part
    return NONE


OBJECTS: dict[Any, Callable[..., Value]] = {
    len: _length,
    np.empty: _new(False),
    np.zeros: _new(True),
    np.full: _full,
    np.empty_like: _new_like,
    address: lambda body, array: body.flat_address(_evaluated(body, array)),
    native.carray: _at_address,
    native.load: _load,
    native.store: _store,
    native.allocate: _allocate,
    native.release: _release,
    native.pack_pixels: _pack_pixels,
}
"""Functions that take types, too, or objects that have no value."""


def _viewed(body: Calls, value: Value, dtype: Argument) -> Value:
    return body.viewed(value, dtype_of(_named(dtype)))


def _copied(body: Calls, value: Value) -> Value:
    return body.copy(value)


def _flattened(body: Calls, value: Value, shape: Argument) -> Value:
    lengths = lengths_of(body, _evaluated(body, shape))
    if len(lengths) == 1 and lengths[0].constant == -1:
        lengths = [body.size(value)]
    if not isinstance(value.kind, Array):
        raise CannotTranslate(f"a {value.kind.name} has no shape")
    return body.shaped(value.kind.element, body.pointer(value), lengths)


METHODS: dict[str, Callable[..., Value]] = {"view": _viewed, "copy": _copied, "reshape": _flattened}
"""Methods of arrays, and of numbers as numpy has them."""
