"""Loads, stores and shuffles of vector code that do not fit one method of a builder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from llvmlite import ir

from ....compile.blocks import dimensions
from .vectors import BYTE, DOUBLE, FLOAT, INT, LONG, Literal, Value, Vectors, integers, undefined

POINTER = ir.PointerType()
_Fields = TypeVar("_Fields", bound=tuple[Any, ...])


class ArrayValue(NamedTuple):
    """Address and shape of an array that a block names; what is emitted calls them as numpy does."""

    data: Value
    shape: tuple[Value, ...]


def field(b: ir.IRBuilder, block: Value, index: int, kind: ir.Type = LONG) -> Value:
    """A 64-bit field of a block of arguments: an integer, a pointer, a float or a double in its low bits."""
    value = b.load(b.gep(block, [ir.Constant(LONG, index)], source_etype=LONG), align=8, typ=LONG)
    if kind == POINTER:
        return b.inttoptr(value, POINTER)
    if kind == FLOAT:
        return b.bitcast(b.trunc(value, INT), FLOAT)
    if kind == INT:
        return b.trunc(value, INT)
    return value


def field_in_all_lanes(v: Vectors, block: Value, index: int) -> Value:
    """A field of a block of arguments that is an integer, in all lanes."""
    return v.splat_integer(field(v.builder, block, index, INT))


def loaded(b: ir.IRBuilder, block: Value, declared: type[_Fields]) -> _Fields:
    """The fields of a block of arguments: numbers, and an `ArrayValue` for each array."""
    fields: list[Value] = []
    index = 0
    for count in dimensions(declared):
        if count:
            shape = tuple(field(b, block, index + i) for i in range(1, count + 1))
            fields.append(ArrayValue(field(b, block, index, POINTER), shape))
        else:
            fields.append(field(b, block, index))
        index += 1 + count
    make: Any = declared
    return cast(_Fields, make(*fields))


def set_field(b: ir.IRBuilder, block: Value, index: int, value: Value) -> None:
    """Change a 64-bit field of a block."""
    b.store(value, b.gep(block, [ir.Constant(LONG, index)], source_etype=LONG), align=8)


def variable(b: ir.IRBuilder, value: Value) -> Value:
    """Memory on the stack that holds a value at first."""
    with b.goto_entry_block():
        place = b.alloca(value.type)
    b.store(value, place)
    return place


def element(b: ir.IRBuilder, array: Value, index: Value, kind: ir.Type) -> Value:
    """One element of an array."""
    return b.load(b.gep(array, [index], source_etype=kind), align=1 if kind == BYTE else kind_bytes(kind), typ=kind)


def kind_bytes(kind: ir.Type) -> int:
    """Bytes of a scalar type."""
    if kind == FLOAT:
        return 4
    return 8 if kind == DOUBLE else int(kind.width) // 8


def join(b: ir.IRBuilder, scalars: Sequence[Value]) -> Value:
    """Scalars as a vector."""
    kind = ir.VectorType(scalars[0].type, len(scalars))
    vector = undefined(kind)
    for i, scalar in enumerate(scalars):
        vector = b.insert_element(vector, scalar, ir.Constant(INT, i))
    return vector


def struct_of(b: ir.IRBuilder, values: Sequence[Value]) -> Value:
    """A struct of several values."""
    result = undefined(ir.LiteralStructType([value.type for value in values]))
    for place, value in enumerate(values):
        result = b.insert_value(result, value, place)
    return result


def shuffle(b: ir.IRBuilder, first: Value, second: Value | None, order: Sequence[int]) -> Value:
    """Elements of two vectors by position; those of the second count on."""
    other = undefined(first.type) if second is None else second
    return b.shuffle_vector(first, other, integers(tuple(order)))


def concatenate(b: ir.IRBuilder, parts: Sequence[Value]) -> Value:
    """Vectors one after the other; their number is a power of two."""
    parts = list(parts)
    while len(parts) > 1:
        size = parts[0].type.count
        parts = [shuffle(b, x, y, range(2 * size)) for x, y in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def to_lanes(b: ir.IRBuilder, of_quads: Value) -> Value:
    """A value per quad, in all lanes of it."""
    return shuffle(b, of_quads, None, [i // 4 for i in range(4 * of_quads.type.count)])


def any_lane(b: ir.IRBuilder, condition: Value) -> Value:
    """Whether a condition holds in any lane."""
    bits = ir.IntType(condition.type.count)
    return b.icmp_unsigned("!=", b.bitcast(condition, bits), ir.Constant(bits, 0))


def all_different(b: ir.IRBuilder, values: Value) -> Value:
    """Whether no two elements of a vector of integers are equal."""
    count, same = values.type.count, None
    for distance in range(1, count // 2 + 1):
        turned = shuffle(b, values, None, [(i + distance) % count for i in range(count)])
        equal = b.icmp_unsigned("==", values, turned)
        same = equal if same is None else b.or_(same, equal)
    return b.not_(any_lane(b, same))


def counted_loop(b: ir.IRBuilder, count: Value, step: int, body: Callable[[Value], None]) -> None:
    """A loop from 0 in steps up to a count; ``body`` emits what is done with the number, at the builder's place."""
    before, (head, inside, behind) = b.block, (b.append_basic_block(n) for n in ("head", "body", "behind"))
    b.branch(head)
    b.position_at_end(head)
    number = b.phi(LONG)
    number.add_incoming(ir.Constant(LONG, 0), before)
    b.cbranch(b.icmp_signed("<", number, count), inside, behind)
    b.position_at_end(inside)
    body(number)
    number.add_incoming(b.add(number, ir.Constant(LONG, step)), b.block)
    b.branch(head)
    b.position_at_end(behind)


def in_all_lanes(v: Vectors, array: Value, index: int) -> Value:
    """One float of an array, in all lanes."""
    b = v.builder
    place = b.gep(array, [ir.Constant(LONG, index)], source_etype=FLOAT)
    return v.splat(b.load(place, align=4, typ=FLOAT))


def choose(b: ir.IRBuilder, condition: Value, inside: Callable[[], list[Value]], otherwise: list[Value]) -> list[Value]:
    """Values computed only if a scalar condition holds, and given ones if it does not."""
    before = b.block
    with b.if_then(condition):
        values = inside()
        behind = b.block
    return merged(b, (values, behind), (otherwise, before))


def either(b: ir.IRBuilder, condition: Value, then: Callable[[], list[Value]], other: Callable[[], list[Value]]) -> Any:
    """Values computed one way if a scalar condition holds, and another way if it does not."""
    with b.if_else(condition) as (yes, no):
        with yes:
            first, behind_first = then(), b.block
        with no:
            second, behind_second = other(), b.block
    return merged(b, (first, behind_first), (second, behind_second))


def merged(b: ir.IRBuilder, *ways: tuple[Sequence[Value], Any]) -> list[Value]:
    """Values of the block that was left last: the same number of each."""
    results = [b.phi(value.type) for value in ways[0][0]]
    for values, block in ways:
        for result, value in zip(results, values, strict=True):
            result.add_incoming(value, block)
    return results


def between(b: ir.IRBuilder, value: Value, low: Value, high: Value) -> Value:
    """Integers, limited."""
    value = b.select(b.icmp_signed(">", value, low), value, low)
    return b.select(b.icmp_signed("<", value, high), value, high)


def chosen_elements(
    b: ir.IRBuilder, which: Value, numbers: Sequence[Value], arrays: Sequence[tuple[Value, ir.Type]]
) -> list[Value]:
    """Elements of arrays as vectors, at the positions that an int64 array holds for some indices. Positions ascend, and
    the last index may be repeated at the end. Neighbours are loaded together."""
    count = len(numbers)
    first, last = (element(b, which, number, LONG) for number in (numbers[0], numbers[-1]))

    def together() -> list[Value]:
        places = [(b.gep(array, [first], source_etype=kind), kind) for array, kind in arrays]
        return [b.load(p, align=kind_bytes(kind), typ=ir.VectorType(kind, count)) for p, kind in places]

    def apart() -> list[Value]:
        positions = [element(b, which, number, LONG) for number in numbers]
        return [join(b, [element(b, array, position, kind) for position in positions]) for array, kind in arrays]

    distances = [b.sub(last, first), b.sub(numbers[-1], numbers[0])]
    neighbours, all_there = (b.icmp_signed("==", d, ir.Constant(LONG, count - 1)) for d in distances)
    return list(either(b, b.and_(neighbours, all_there), together, apart))


def gather(v: Vectors, array: Value, index: Value) -> Value:
    """32-bit integers of an array by lane; every index must be inside."""
    return _gathered(v, array, index, v.flag(True), undefined(v.ints))


def gather_some(v: Vectors, array: Value, index: Value, mask: Value) -> Value:
    """The same where a mask is set, zeros elsewhere; other elements are not accessed."""
    return _gathered(v, array, index, mask, v.integer(0))


def _gathered(v: Vectors, array: Value, index: Value, mask: Value, otherwise: Value) -> Value:
    places = _elements(v, array, index)
    name = f"llvm.masked.gather.v{v.width}i32.v{v.width}p0"
    return v.intrinsic(name, v.ints, places, ir.Constant(INT, 4), mask, otherwise)


def scatter(v: Vectors, value: Value, array: Value, index: Value, mask: Value) -> None:
    """Store 32-bit integers into an array by lane, where a mask is set."""
    places = _elements(v, array, index)
    name = f"llvm.masked.scatter.v{v.width}i32.v{v.width}p0"
    v.intrinsic(name, ir.VoidType(), value, places, ir.Constant(INT, 4), mask)


def _elements(v: Vectors, array: Value, index: Value) -> Value:
    places = v.builder.gep(array, [index], source_etype=INT)
    places.type = ir.VectorType(POINTER, v.width)
    return places


def existing_lanes(v: Vectors, first: Value, count: Value) -> Value:
    """Mask of the lanes, of the vector that begins at a number, that are below a count."""
    remaining = v.builder.trunc(v.builder.sub(count, first), INT)
    return v.builder.icmp_unsigned("<", v.numbers, v.splat_integer(remaining))


def masked_load(v: Vectors, place: Value, mask: Value, kind: ir.Type) -> Value:
    """Elements where a mask is set, zeros elsewhere; other elements are not accessed."""
    vector = ir.VectorType(kind, mask.type.count)
    bytes_, zeros = ir.Constant(INT, kind_bytes(kind)), Literal(vector, "zeroinitializer")
    return v.intrinsic(f"llvm.masked.load.{_suffix(vector)}.p0", vector, place, bytes_, mask, zeros)


def masked_store(v: Vectors, value: Value, place: Value, mask: Value) -> None:
    """Store elements where a mask is set."""
    bytes_ = ir.Constant(INT, kind_bytes(value.type.element))
    v.intrinsic(f"llvm.masked.store.{_suffix(value.type)}.p0", ir.VoidType(), value, place, bytes_, mask)


def _suffix(kind: ir.VectorType) -> str:
    return f"v{kind.count}{'f32' if kind.element == FLOAT else kind.element}"
