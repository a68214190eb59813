"""Atomic operations in vector code: one lane acts after the other, and groups do not run at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ..ir.memory import element
from ..ir.vectors import INT, LONG, Value, Vectors
from .lanes import Place, both, each_lane, in_memory

_Result = Callable[[ir.IRBuilder, Value, Value], Value]


def _chosen(test: str, sign: str) -> _Result:
    return lambda b, present, value: b.select(getattr(b, test)(sign, present, value), present, value)


_RESULTS: dict[str, _Result] = {
    "ATOMUADD": lambda b, present, value: b.add(present, value),
    "ATOMXCHG": lambda _, __, value: value,
    "ATOMAND": lambda b, present, value: b.and_(present, value),
    "ATOMOR": lambda b, present, value: b.or_(present, value),
    "ATOMXOR": lambda b, present, value: b.xor(present, value),
    "ATOMUMIN": _chosen("icmp_unsigned", "<"),
    "ATOMUMAX": _chosen("icmp_unsigned", ">"),
    "ATOMIMIN": _chosen("icmp_signed", "<"),
    "ATOMIMAX": _chosen("icmp_signed", ">"),
}
"""New value of a word by the old one and the operand."""


def atomic(v: Vectors, opcode: str, place: Place, values: Sequence[Value], lanes: Value, wanted: bool) -> Value:
    """Emit an atomic operation on one word per lane.

    Parameters
    ----------
    v
        Vectors whose builder gets the code.
    opcode
        The operation, ATOMUADD to ATOMCAS.
    place
        Each lane's word.
    values
        Operands: one, or of ATOMCAS the value to compare with and the new one.
    lanes
        Lanes that execute; None: all.
    wanted
        Whether the shader reads the result.

    Returns
    -------
    vector of floats
        Words before the operation; 0 in lanes that access none.
    """
    b = v.builder
    index, operands = in_memory(v, place.index), [in_memory(v, v.to_ints(value)) for value in values]
    before = in_memory(v, v.integer(0)) if wanted else None

    def change(lane: Value) -> None:
        word = b.gep(place.words.data, [b.zext(element(b, index, lane, INT), LONG)], source_etype=INT)
        present = b.load(word, align=4, typ=INT)
        given = [element(b, operand, lane, INT) for operand in operands]
        if opcode == "ATOMCAS":
            result = b.select(b.icmp_unsigned("==", present, given[0]), given[1], present)
        else:
            result = _RESULTS[opcode](b, present, given[0])
        b.store(result, word, align=4)
        if before is not None:
            b.store(present, b.gep(before, [lane], source_etype=INT), align=4)

    each_lane(v, both(b, lanes, place.inside(0)), change)
    return v.number(0) if before is None else v.to_floats(b.load(before, align=4, typ=v.ints))
