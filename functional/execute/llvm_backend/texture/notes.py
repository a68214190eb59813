"""Notes of texture operations about their reads in vector code, if requested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ...kernel_arguments import LogField, ReadField
from ..ir.memory import POINTER, field, set_field
from ..ir.vectors import BYTE, INT, LONG, Value, Vectors


@dataclass
class Notes:
    """Rows of all lanes that one operation fills.

    Attributes
    ----------
    v
        Where code goes.
    block
        Address of a block of `ReadField`; null if nothing is noted.
    first
        First of the vector's lanes.
    """

    v: Vectors
    block: Value
    first: Value

    def levels(self, which: int, level: Value) -> None:
        """Store a level of all lanes."""
        b = self.v.builder
        with self._asked():
            bytes_ = b.trunc(level, ir.VectorType(BYTE, self.v.width))
            b.store(bytes_, self._row(ReadField.LEVELS, which, BYTE), align=1)

    def linear(self, linear: Value) -> None:
        """Store whether lanes read 2x2 texels."""
        b = self.v.builder
        with self._asked():
            bytes_ = b.zext(linear, ir.VectorType(BYTE, self.v.width))
            b.store(bytes_, self._row(ReadField.LINEAR, 0, BYTE), align=1)

    def face(self, face: Value) -> None:
        """Store the image that lanes read."""
        with self._asked():
            self.v.builder.store(face, self._row(ReadField.FACE, 0, INT), align=4)

    def texels(self, which: int, x: Value, y: Value) -> None:
        """Store base texels of all lanes."""
        b = self.v.builder
        with self._asked():
            b.store(x, self._row(ReadField.X, which, INT), align=4)
            b.store(y, self._row(ReadField.Y, which, INT), align=4)

    def _asked(self) -> Any:
        b = self.v.builder
        return b.if_then(b.icmp_unsigned("!=", b.ptrtoint(self.block, LONG), ir.Constant(LONG, 0)))

    def _row(self, name: ReadField, which: int, kind: ir.Type) -> Value:
        b = self.v.builder
        start = b.add(b.mul(field(b, self.block, ReadField.ROW), ir.Constant(LONG, which)), self.first)
        return b.gep(field(b, self.block, name, POINTER), [start], source_etype=kind)


def no_notes(v: Vectors) -> Notes:
    """Notes of an operation that need not say what it reads."""
    return Notes(v, ir.Constant(POINTER, None), ir.Constant(LONG, 0))


def forget(v: Vectors, block: Value, first: Value, lanes: Value) -> None:
    """Lanes that do not execute an operation read nothing, at none of its probes."""
    b = v.builder
    before, (probe, behind) = b.block, (b.append_basic_block(n) for n in ("forget", "forgotten"))
    start = b.ptrtoint(block, LONG)
    b.branch(probe)
    b.position_at_end(probe)
    address = b.phi(LONG)
    address.add_incoming(start, before)
    place = b.inttoptr(address, POINTER)
    forget_probe(v, place, first, lanes)
    offset = field(b, place, ReadField.NEXT)
    address.add_incoming(b.add(address, offset), b.block)
    b.cbranch(b.icmp_unsigned("!=", offset, ir.Constant(LONG, 0)), probe, behind)
    b.position_at_end(behind)


def forget_probe(v: Vectors, block: Value, first: Value, lanes: Value) -> None:
    """Lanes that do not take a probe read nothing there."""
    b = v.builder
    levels, row = field(b, block, ReadField.LEVELS, POINTER), field(b, block, ReadField.ROW)
    bytes_ = ir.VectorType(BYTE, v.width)
    nothing = ir.Constant(bytes_, [ir.Constant(BYTE, 255)] * v.width)
    for which in range(2):
        start = b.add(b.mul(row, ir.Constant(LONG, which)), first)
        place = b.gep(levels, [start], source_etype=BYTE)
        b.store(b.select(lanes, b.load(place, align=1, typ=bytes_), nothing), place, align=1)


def new_record(v: Vectors, log: Value, number: int, lane: Value) -> Value:
    """A block of `ReadField` for the next record of a log, in which the vector's first lane is 0."""
    b = v.builder
    count, capacity = field(b, log, LogField.COUNT), field(b, log, LogField.CAPACITY)
    fits = b.icmp_signed("<", count, capacity)
    one, width = ir.Constant(LONG, 1), ir.Constant(LONG, v.width)
    set_field(b, log, LogField.COUNT, b.select(fits, b.add(count, one), count))
    full = field(b, log, LogField.FULL)
    set_field(b, log, LogField.FULL, b.select(fits, full, one))
    b.store(ir.Constant(INT, number), _element(b, log, LogField.OPERATION, count, 4), align=4)
    b.store(lane, _element(b, log, LogField.LANE, count, 8), align=8)
    with b.goto_entry_block():
        room = b.alloca(LONG, len(ReadField))
        block = b.gep(room, [ir.Constant(LONG, 0)], source_etype=LONG)
        block.type = POINTER
    for name, bytes_ in _RECORD_BYTES.items():
        place = _element(b, log, LogField[name.name], count, bytes_ * v.width)
        set_field(b, block, name, b.ptrtoint(place, LONG))
    set_field(b, block, ReadField.ROW, width)
    set_field(b, block, ReadField.NEXT, ir.Constant(LONG, 0))
    # Operations on plain images do not say which image they read.
    b.store(v.integer(0), field(b, block, ReadField.FACE, POINTER), align=4)
    return block


_RECORD_BYTES = {ReadField.LEVELS: 2, ReadField.X: 8, ReadField.Y: 8, ReadField.LINEAR: 1, ReadField.FACE: 4}
"""Bytes of a lane."""


def _element(b: ir.IRBuilder, block: Value, name: int, number: Value, bytes_: int) -> Value:
    offset = b.mul(number, ir.Constant(LONG, bytes_))
    return b.gep(field(b, block, name, POINTER), [offset], source_etype=BYTE)
