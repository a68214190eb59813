"""Notes of texture operations about their reads in vector code, if requested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ....compile.blocks import place_of, words_in
from ...kernel_arguments import LOG, READ, LogBlock, ReadBlock
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
        Address of a `ReadBlock`; null if nothing is noted.
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
            b.store(bytes_, self._row(READ.levels, which, BYTE), align=1)

    def linear(self, linear: Value) -> None:
        """Store whether lanes read 2x2 texels."""
        b = self.v.builder
        with self._asked():
            bytes_ = b.zext(linear, ir.VectorType(BYTE, self.v.width))
            b.store(bytes_, self._row(READ.linear, 0, BYTE), align=1)

    def face(self, face: Value) -> None:
        """Store the image that lanes read."""
        with self._asked():
            self.v.builder.store(face, self._row(READ.face, 0, INT), align=4)

    def texels(self, which: int, x: Value, y: Value) -> None:
        """Store base texels of all lanes."""
        b = self.v.builder
        with self._asked():
            b.store(x, self._row(READ.x, which, INT), align=4)
            b.store(y, self._row(READ.y, which, INT), align=4)

    def _asked(self) -> Any:
        b = self.v.builder
        return b.if_then(b.icmp_unsigned("!=", b.ptrtoint(self.block, LONG), ir.Constant(LONG, 0)))

    def _row(self, place: int, which: int, kind: ir.Type) -> Value:
        b = self.v.builder
        start = b.add(b.mul(field(b, self.block, READ.row), ir.Constant(LONG, which)), self.first)
        return b.gep(field(b, self.block, place, POINTER), [start], source_etype=kind)


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
    offset = field(b, place, READ.next)
    address.add_incoming(b.add(address, offset), b.block)
    b.cbranch(b.icmp_unsigned("!=", offset, ir.Constant(LONG, 0)), probe, behind)
    b.position_at_end(behind)


def forget_probe(v: Vectors, block: Value, first: Value, lanes: Value) -> None:
    """Lanes that do not take a probe read nothing there."""
    b = v.builder
    levels, row = field(b, block, READ.levels, POINTER), field(b, block, READ.row)
    bytes_ = ir.VectorType(BYTE, v.width)
    nothing = ir.Constant(bytes_, [ir.Constant(BYTE, 255)] * v.width)
    for which in range(2):
        start = b.add(b.mul(row, ir.Constant(LONG, which)), first)
        place = b.gep(levels, [start], source_etype=BYTE)
        b.store(b.select(lanes, b.load(place, align=1, typ=bytes_), nothing), place, align=1)


def new_record(v: Vectors, log: Value, number: int, lane: Value) -> Value:
    """A `ReadBlock` for the next record of a log, in which the vector's first lane is 0."""
    b = v.builder
    count, capacity = field(b, log, LOG.used), field(b, log, LOG.capacity)
    fits = b.icmp_signed("<", count, capacity)
    one, width = ir.Constant(LONG, 1), ir.Constant(LONG, v.width)
    set_field(b, log, LOG.used, b.select(fits, b.add(count, one), count))
    full = field(b, log, LOG.full)
    set_field(b, log, LOG.full, b.select(fits, full, one))
    b.store(ir.Constant(INT, number), _element(b, log, LOG.operation, count, 4), align=4)
    b.store(lane, _element(b, log, LOG.lane, count, 8), align=8)
    with b.goto_entry_block():
        room = b.alloca(LONG, words_in(ReadBlock))
        block = b.gep(room, [ir.Constant(LONG, 0)], source_etype=LONG)
        block.type = POINTER
    for name, bytes_ in _RECORD_BYTES.items():
        place = _element(b, log, place_of(LogBlock, name), count, bytes_ * v.width)
        set_field(b, block, place_of(ReadBlock, name), b.ptrtoint(place, LONG))
    set_field(b, block, READ.row, width)
    set_field(b, block, READ.next, ir.Constant(LONG, 0))
    # Operations on plain images do not say which image they read.
    b.store(v.integer(0), field(b, block, READ.face, POINTER), align=4)
    return block


_RECORD_BYTES = {"levels": 2, "x": 8, "y": 8, "linear": 1, "face": 4}
"""Bytes of a lane in each array of a record."""


def _element(b: ir.IRBuilder, block: Value, place: int, number: Value, bytes_: int) -> Value:
    offset = b.mul(number, ir.Constant(LONG, bytes_))
    return b.gep(field(b, block, place, POINTER), [offset], source_etype=BYTE)
