"""Arrays in programs: parts of them, other views of them, and new ones, which last until their function returns."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from .kinds import (
    BIT,
    BYTE,
    HALF_WORD,
    INT,
    NOTHING,
    POINTER,
    SINGLE,
    WHOLE,
    WORD,
    Array,
    Dtype,
    Tuple,
    array_of,
    number,
)
from .memory import Memory, Place
from .values import CannotTranslate, Value, constant

STACK_BYTES = 1 << 12
"""Size up to which an array of constant lengths lies on the stack."""


class Arrays(Memory):
    """Arrays of one function."""

    def on_stack(self, kind: ir.Type, count: int = 0) -> Any:
        """Room on the stack until the function returns: for a value, or for an array of some values."""
        raise NotImplementedError

    def on_heap(self, size_bytes: Any) -> Any:
        """Memory of the C library that is freed when the function returns."""
        raise NotImplementedError

    def lasting(self) -> bool:
        """Whether arrays that are made here need memory of their own."""
        raise NotImplementedError

    def flat_address(self, array: Value) -> Value:
        """Address of the first element as a number."""
        if not isinstance(array.kind, Array):
            raise CannotTranslate(f"a {array.kind.name} has no address")
        return Value(INT, self.builder.ptrtoint(self.pointer(array), WORD))

    def lengths(self, array: Value) -> list[Value]:
        """Lengths of an array by dimension."""
        if not isinstance(array.kind, Array):
            raise CannotTranslate(f"a {array.kind.name} has no lengths")
        return [self.length(array, k) for k in range(len(array.kind.lengths))]

    def size(self, array: Value) -> Value:
        """Number of elements in all dimensions."""
        total = constant(1)
        for length in self.lengths(array):
            total = self._product(total, length)
        return total

    def _product(self, left: Value, right: Value) -> Value:
        if left.constant is not None and right.constant is not None:
            return constant(int(left.constant * right.constant))
        return self.binary(ast.Mult(), left, right)

    def shaped(self, element: Dtype, address: Any, lengths: Sequence[Value]) -> Value:
        """An array at an address."""
        whole = [self.convert(length, INT) for length in lengths]
        constants = tuple(int(each.constant) if each.constant is not None else None for each in whole)
        return self.array(array_of(element, constants), address, [each.ir for each in whole])

    def part(self, array: Value, first: Value | None, end: Value | None) -> Value:
        """Rows from one on to another, cut off where the array ends, as numpy does; neither is negative."""
        for bound in (first, end):
            if bound is not None and (bound.kind not in WHOLE or (bound.constant or 0) < 0):
                raise CannotTranslate("bounds of a part are integers, and not negative")
        assert isinstance(array.kind, Array)
        rows, *others = self.lengths(array)
        end = rows if end is None else self.least([self.convert(end, INT), rows], "<")
        start = constant(0) if first is None else self.least([self.convert(first, INT), end], "<")
        step = constant(array.kind.element.itemsize)
        for length in others:
            step = self._product(step, length)
        count = end if first is None else self.binary(ast.Sub(), end, start)
        where = self.builder.gep(self.pointer(array), [self._product(start, step).ir], inbounds=True, source_etype=BYTE)
        return self.shaped(array.kind.element, where, [count, *others])

    def viewed(self, value: Value, dtype: Dtype) -> Value:
        """The same bytes as elements of another type: of an array, or of a number of four bytes."""
        target = number(dtype)
        if target is None:
            raise CannotTranslate(f"programs have no numbers of type {dtype}")
        if isinstance(value.kind, Array):
            *outer, inner = self.lengths(value)
            if dtype.itemsize != value.kind.element.itemsize:
                size_bytes = self._product(inner, constant(value.kind.element.itemsize))
                inner = self.binary(ast.FloorDiv(), size_bytes, constant(dtype.itemsize))
            return self.shaped(dtype, self.pointer(value), [*outer, inner])
        if dtype.itemsize != 4:
            raise CannotTranslate("programs view numbers of four bytes only")
        b = self.builder
        if value.kind is SINGLE:
            bits = b.bitcast(value.ir, HALF_WORD)
        elif value.kind in WHOLE:
            bits = b.trunc(self.convert(value, INT).ir, HALF_WORD)
        else:
            raise CannotTranslate(f"programs have no view of {value.kind.name}")
        if target[1] is SINGLE:
            return Value(SINGLE, b.bitcast(bits, SINGLE.llvm))
        return Value(INT, (b.sext if dtype.kind == "i" else b.zext)(bits, WORD))

    def new(self, element: Dtype, lengths: Sequence[Value], zeros: bool) -> Value:
        """A new array."""
        total = constant(element.itemsize)
        for length in lengths:
            total = self._product(total, self.convert(length, INT))
        if not self.lasting() and total.constant is not None and total.constant <= STACK_BYTES:
            address = self.on_stack(BYTE, max(int(total.constant), 1))
        else:
            address = self.on_heap(total.ir)
        if zeros:
            arguments = [address, ir.Constant(BYTE, 0), total.ir, ir.Constant(BIT, 0)]
            self.intrinsic("llvm.memset.p0.i64", NOTHING, arguments)
        return self.shaped(element, address, lengths)

    def copy(self, array: Value) -> Value:
        """A new array of the same content."""
        assert isinstance(array.kind, Array)
        duplicate = self.new(array.kind.element, self.lengths(array), zeros=False)
        total = self._product(self.size(array), constant(array.kind.element.itemsize))
        arguments = [self.pointer(duplicate), self.pointer(array), total.ir, ir.Constant(BIT, 0)]
        self.intrinsic("llvm.memcpy.p0.p0.i64", NOTHING, arguments)
        return duplicate

    def assign_all(self, array: Value, value: Value) -> None:
        """Give all elements a value, or those of an array of as many elements."""
        assert isinstance(array.kind, Array)
        element, b = array.kind.element, self.builder
        test, body, after = (b.append_basic_block() for _ in range(3))
        total, before = self.size(array).ir, b.block
        b.branch(test)
        b.position_at_end(test)
        at = b.phi(WORD)
        at.add_incoming(ir.Constant(WORD, 0), before)
        b.cbranch(b.icmp_signed("<", at, total), body, after)
        b.position_at_end(body)

        def place(of: Value) -> Place:
            assert isinstance(of.kind, Array)
            step = ir.Constant(WORD, of.kind.element.itemsize)
            where = b.gep(self.pointer(of), [b.mul(at, step)], inbounds=True, source_etype=BYTE)
            return Place(where, of.kind.element, not element.names)

        self.write(place(array), self.read(place(value)) if isinstance(value.kind, Array) else value)
        at.add_incoming(b.add(at, ir.Constant(WORD, 1), flags=("nsw",)), b.block)
        b.branch(test)
        b.position_at_end(after)

    def memory_at(self, address: Value) -> Any:
        """A pointer to an address that a number gives."""
        return self.builder.inttoptr(self.convert(address, INT).ir, POINTER)


def lengths_of(body: Arrays, shape: Value) -> list[Value]:
    """Lengths that a shape gives: a number or a tuple of numbers."""
    if not isinstance(shape.kind, Tuple):
        return [shape]
    return [body.member(shape, k) for k in range(len(shape.kind.members))]


def dtype_of(named: Any) -> Dtype:
    """A type of numbers that a text names."""
    dtype: Dtype = np.dtype(named)
    return dtype
