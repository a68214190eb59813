"""Accesses of the lanes of a vector to 32-bit words.

Lanes that access one word or words in a row are common, and gathers and scatters slow on many processors, so code looks
for these first. Everything else goes by gathers, or lane by lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from llvmlite import ir

from ..ir.memory import POINTER, any_lane, either, element, gather_some, masked_store, shuffle, variable
from ..ir.vectors import BOOL, FLOAT, INT, LONG, Value, Vectors, integers


class Words(NamedTuple):
    """Memory of 32-bit words: its address, and their number, an int32."""

    data: Value
    count: Value


class Place(NamedTuple):
    """Words that lanes access.

    Attributes
    ----------
    words
        The memory.
    index
        First word of each lane, an int32 vector.
    inside
        Which lanes' words exist, by distance from the first one.
    stride
        Words from one lane's to the next one's if these are in a row.
    """

    words: Words
    index: Value
    inside: Callable[[int], Value]
    stride: int


def both(b: ir.IRBuilder, lanes: Value, others: Value) -> Value:
    """Lanes that are in both sets; None: all."""
    return others if lanes is None else b.and_(lanes, others)


def read_words(v: Vectors, place: Place, components: Sequence[int], lanes: Value) -> list[Value]:
    """Words at some distances from each lane's first one, as float vectors; 0 where they do not exist. Lanes that do
    not execute (``lanes``; None: all do) may get anything."""
    b, last = v.builder, max(components)
    inside = place.inside(last)
    first = b.extract_element(place.index, ir.Constant(INT, 0))
    apart = b.sub(place.index, v.splat_integer(first))
    in_row = _in_row(v, place, apart, first, inside)
    pointer = b.gep(place.words.data, [b.zext(first, LONG)], source_etype=INT)
    exist = b.not_(any_lane(b, b.not_(inside)))
    equal = b.and_(exist, b.not_(any_lane(b, b.icmp_signed("!=", apart, v.integer(0)))))

    def row() -> list[Value]:
        vector = b.load(pointer, align=4, typ=ir.VectorType(INT, place.stride * v.width))
        return [v.to_floats(shuffle(b, vector, None, _every(v, place.stride, c))) for c in components]

    def one() -> list[Value]:
        return [
            v.splat(b.load(b.gep(pointer, [ir.Constant(LONG, c)], source_etype=INT), align=4, typ=FLOAT))
            for c in components
        ]

    def scattered() -> list[Value]:
        words_of_lanes = []
        for c in components:
            where = both(b, lanes, place.inside(c))
            index = b.add(place.index, v.integer(c))
            words_of_lanes.append(v.to_floats(gather_some(v, place.words.data, index, where)))
        return words_of_lanes

    return list(either(b, in_row, row, lambda: list(either(b, equal, one, scattered))))


def write_words(v: Vectors, place: Place, values: Sequence[Value], lanes: Value) -> None:
    """Store float vectors at the distances 0, 1 … from each lane's first word, where lanes execute and words exist."""
    b = v.builder
    first = b.extract_element(place.index, ir.Constant(INT, 0))
    apart = b.sub(place.index, v.splat_integer(first))
    whole = len(values) == place.stride
    in_row = _in_row(v, place, apart, first, place.inside(len(values) - 1)) if whole else ir.Constant(BOOL, 0)
    with b.if_else(in_row) as (then, otherwise):
        with then:
            pointer = b.gep(place.words.data, [b.zext(first, LONG)], source_etype=INT)
            _write_row(v, pointer, [v.to_ints(value) for value in values], lanes)
        with otherwise:
            for c, value in enumerate(values):
                where = both(b, lanes, place.inside(c))
                index, word = in_memory(v, b.add(place.index, v.integer(c))), in_memory(v, v.to_ints(value))

                def store(lane: Value, index: Value = index, word: Value = word) -> None:
                    at = b.zext(element(b, index, lane, INT), LONG)
                    target = b.gep(place.words.data, [at], source_etype=INT)
                    b.store(element(b, word, lane, INT), target, align=4)

                each_lane(v, where, store)


def in_memory(v: Vectors, vector: Value) -> Value:
    """Address of the elements of a vector, on the stack."""
    place = variable(v.builder, vector)
    pointer = v.builder.gep(place, [ir.Constant(LONG, 0)], source_etype=INT)
    pointer.type = POINTER
    return pointer


def each_lane(v: Vectors, lanes: Value, body: Callable[[Value], None]) -> None:
    """A loop over lanes in order; ``body`` emits what is done with the number of one."""
    b = v.builder
    bits = b.zext(b.bitcast(lanes, ir.IntType(v.width)), LONG)
    before, (head, inside, behind) = b.block, (b.append_basic_block(n) for n in ("lanes", "lane", "behind"))
    b.branch(head)
    b.position_at_end(head)
    remaining = b.phi(LONG)
    remaining.add_incoming(bits, before)
    b.cbranch(b.icmp_unsigned("!=", remaining, ir.Constant(LONG, 0)), inside, behind)
    b.position_at_end(inside)
    body(b.cttz(remaining, ir.Constant(BOOL, 1)))
    remaining.add_incoming(b.and_(remaining, b.sub(remaining, ir.Constant(LONG, 1))), b.block)
    b.branch(head)
    b.position_at_end(behind)


def _every(v: Vectors, stride: int, start: int) -> list[int]:
    return [stride * lane + start for lane in range(v.width)]


def _in_row(v: Vectors, place: Place, apart: Value, first: Value, inside: Value) -> Value:
    """Whether all lanes' words exist and are in a row, so that they can be accessed at once."""
    b, width = v.builder, v.width
    wanted = integers(tuple(_every(v, place.stride, 0)))
    wrong = any_lane(b, b.or_(b.icmp_signed("!=", apart, wanted), b.not_(inside)))
    end = b.add(first, ir.Constant(INT, place.stride * width))
    return b.and_(b.not_(wrong), b.icmp_unsigned("<=", end, place.words.count))


def _write_row(v: Vectors, pointer: Value, values: Sequence[Value], lanes: Value) -> None:
    b, count = v.builder, len(values)
    vector, mask = values[0], lanes
    if count > 1:
        parts = [*values, *[values[-1]] * (count % 2)]
        pairs = [shuffle(b, x, y, range(2 * v.width)) for x, y in zip(parts[::2], parts[1::2], strict=True)]
        joined = pairs[0] if len(pairs) == 1 else shuffle(b, pairs[0], pairs[1], range(4 * v.width))
        vector = shuffle(b, joined, None, [v.width * c + lane for lane in range(v.width) for c in range(count)])
        if lanes is not None:
            mask = shuffle(b, lanes, None, [lane for lane in range(v.width) for _ in range(count)])
    if mask is None:
        b.store(vector, pointer, align=4)
    else:
        masked_store(v, vector, pointer, mask)
