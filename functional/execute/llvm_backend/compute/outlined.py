"""Accesses as functions of the module, for shaders with many: compiling each where it stands would take seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from llvmlite import ir

from ..ir.memory import POINTER, struct_of
from ..ir.vectors import INT, Value, Vectors
from .atomics import atomic
from .lanes import Place, Words, read_words, write_words

_Body = Callable[[Vectors, Place, Value, Sequence[Value]], list[Value]]
"""Emits an access: place, lanes that execute, operands; results."""


def read_outlined(v: Vectors, place: Place, components: Sequence[int], lanes: Value) -> list[Value]:
    """The same as `read_words`."""

    def body(v: Vectors, place: Place, lanes: Value, _: Sequence[Value]) -> list[Value]:
        return read_words(v, place, components, lanes)

    name = "read_" + "_".join(map(str, components))
    return _called(v, name, place, components, Arguments(lanes, []), len(components), body)


def write_outlined(v: Vectors, place: Place, values: Sequence[Value], lanes: Value) -> None:
    """The same as `write_words`."""

    def body(v: Vectors, place: Place, lanes: Value, values: Sequence[Value]) -> list[Value]:
        write_words(v, place, values, lanes)
        return []

    _called(v, f"write_{len(values)}", place, range(len(values)), Arguments(lanes, values), 0, body)


def atomic_outlined(
    v: Vectors, opcode: str, place: Place, values: Sequence[Value], lanes: Value, wanted: bool
) -> Value:
    """The same as `atomic`."""

    def body(v: Vectors, place: Place, lanes: Value, values: Sequence[Value]) -> list[Value]:
        return [atomic(v, opcode, place, values, lanes, True)]

    return _called(v, opcode, place, [0], Arguments(lanes, values), 1, body)[0]


class Arguments(NamedTuple):
    """Arguments of an access: the lanes that execute it, None for all, and the values that they write."""

    lanes: Value
    values: Sequence[Value]


def _called(
    v: Vectors,
    name: str,
    place: Place,
    components: Sequence[int],
    arguments: Arguments,
    results: int,
    body: _Body,
) -> list[Value]:
    """Call the function of a name, which is made when it is first called."""
    module, (lanes, values) = v.builder.module, arguments
    name = f"{name}_by_{place.stride}"
    function = module.globals.get(name)
    if function is None:
        flags = [v.flags] * (1 + len(components))
        result = ir.LiteralStructType([v.floats] * results) if results else ir.VoidType()
        kind = ir.FunctionType(result, [POINTER, INT, v.ints, *flags, *[v.floats] * len(values)])
        function = ir.Function(module, kind, name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        data, count, index, executing, *others = function.args
        inside = dict(zip(components, others, strict=False))
        b = ir.IRBuilder(function.append_basic_block("entry"))
        there = Place(Words(data, count), index, inside.__getitem__, place.stride)
        returned = body(Vectors(b, v.width), there, executing, others[len(components) :])
        _ = b.ret(struct_of(b, returned)) if results else b.ret_void()
    flags = [v.flag(True) if lanes is None else lanes, *(place.inside(c) for c in components)]
    result = v.builder.call(function, [*place.words, place.index, *flags, *values])
    return [v.builder.extract_value(result, i) for i in range(results)]
