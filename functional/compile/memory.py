"""Fields of records, elements of arrays, members of tables: where they lie, how they are read and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from .kinds import (
    BIT,
    BOOL,
    BYTE,
    INT,
    NOTHING,
    POINTER,
    SINGLE,
    WHOLE,
    WORD,
    Array,
    Dtype,
    Function,
    Kind,
    Nothing,
    Record,
    Scalar,
    Tables,
    Tuple,
    array_of,
    number,
    offsets_of,
    record_of,
)
from .values import CannotTranslate, Operations, Value


@dataclass(frozen=True)
class Place:
    """Place in memory of a numpy type. `aligned`: numbers there lie at multiples of their size."""

    address: Any
    dtype: Dtype
    aligned: bool


class Memory(Operations):
    """Reads and writes of what values refer to."""

    def field(self, record: Value, name: str) -> Place:
        """Place of a field."""
        assert isinstance(record.kind, Record)
        if name not in record.kind.fields:
            raise CannotTranslate(f"a {record.kind.name} has no {name}")
        dtype, offset = record.kind.fields[name]
        return Place(self._at(record.ir, offset), dtype, record.kind.dtype.isalignedstruct)

    def element(self, array: Value, indices: Sequence[Value]) -> Place | Value:
        """Place of an element, or the part of an array that has fewer dimensions; indices are not negative."""
        kind = array.kind
        if not isinstance(kind, Array) or len(indices) > len(kind.lengths):
            raise CannotTranslate(f"a {kind.name} has no such elements")
        if any(index.kind not in WHOLE for index in indices):
            raise CannotTranslate("an index must be an integer")
        if any(index.constant is not None and index.constant < 0 for index in indices):
            raise CannotTranslate("indices are not negative")
        lengths = [self.length(array, k).ir for k in range(len(kind.lengths))]
        where = self.convert(indices[0], INT).ir
        for index, length in zip(indices[1:], lengths[1:], strict=False):
            where = self.builder.add(self.builder.mul(where, length), self.convert(index, INT).ir)
        inner = kind.lengths[len(indices) :]
        for length in lengths[len(indices) :]:
            where = self.builder.mul(where, length)
        where = self.builder.mul(where, ir.Constant(WORD, kind.element.itemsize))
        address = self.builder.gep(self.pointer(array), [where], inbounds=True, source_etype=BYTE)
        if not inner:
            return Place(address, kind.element, kind.element.isalignedstruct or not kind.element.names)
        return self.array(array_of(kind.element, inner), address, lengths[len(indices) :])

    def pointer(self, array: Value) -> Any:
        """Pointer to the first element of an array."""
        assert isinstance(array.kind, Array)
        return self.builder.extract_value(array.ir, 0) if array.kind.open else array.ir

    def array(self, kind: Array, address: Any, lengths: Sequence[Any]) -> Value:
        """An array at an address, with its lengths."""
        if not kind.open:
            return Value(kind, address)
        packed = self.builder.insert_value(ir.Constant(kind.llvm, ir.Undefined), address, 0)
        for i, k in enumerate(kind.open):
            packed = self.builder.insert_value(packed, lengths[k], i + 1)
        return Value(kind, packed)

    def length(self, array: Value, dimension: int = 0) -> Value:
        """Number of elements in a dimension."""
        kind = array.kind
        if not isinstance(kind, Array) or dimension >= len(kind.lengths):
            raise CannotTranslate(f"a {kind.name} has no such length")
        length = kind.lengths[dimension]
        if length is not None:
            return Value(INT, ir.Constant(WORD, length), length)
        return Value(INT, self.builder.extract_value(array.ir, 1 + kind.open.index(dimension)))

    def opened(self, array: Value, kind: Array) -> Value:
        """The same array as one of which fewer lengths are constant."""
        return self.array(kind, self.pointer(array), [self.length(array, k).ir for k in range(len(kind.lengths))])

    def read(self, place: Place) -> Value:
        """Value at a place: a number, or a reference."""
        dtype = place.dtype
        if dtype.subdtype is not None:
            base, lengths = dtype.subdtype
            return Value(array_of(base, lengths), place.address)
        if dtype.names:
            return Value(record_of(dtype), place.address)
        stored, kind = self._number(dtype)
        loaded = self.builder.load(place.address, typ=stored, align=None if place.aligned else 1)
        if kind is BOOL:
            return Value(BOOL, self.builder.icmp_unsigned("!=", loaded, ir.Constant(stored, 0)))
        if kind is INT and stored != WORD:
            extend = self.builder.sext if dtype.kind == "i" else self.builder.zext
            return Value(INT, extend(loaded, WORD))
        return Value(kind, loaded)

    def write(self, place: Place, value: Value) -> None:
        """Store a number, or a copy of a record."""
        dtype = place.dtype
        if dtype.names:
            if not isinstance(value.kind, Record) or value.kind.dtype != dtype:
                raise CannotTranslate(f"cannot store a {value.kind.name} here")
            self._copy(place.address, value.ir, dtype.itemsize)
            return
        stored, kind = self._number(dtype)
        if not isinstance(value.kind, Scalar):
            raise CannotTranslate(f"cannot store a {value.kind.name} here")
        converted = self.convert(value, kind).ir
        if kind is BOOL:
            converted = self.builder.zext(converted, BYTE)
        elif kind is INT and stored != WORD:
            converted = self.builder.trunc(converted, stored)
        self.builder.store(converted, place.address, align=None if place.aligned else 1)

    def table(self, tables: Value, k: int) -> Value:
        """Member of tables."""
        assert isinstance(tables.kind, Tables)
        return self.word(self._at(tables.ir, tables.kind.offsets[k]), tables.kind.members[k], constant=True)

    def word(self, address: Any, kind: Kind, constant: bool) -> Value:
        """Value that takes whole words of memory (`size_of`); `constant`: as long as the program runs."""
        if isinstance(kind, Tables):
            return Value(kind, address)
        if isinstance(kind, Tuple):
            members = zip(offsets_of(kind.members), kind.members, strict=True)
            return self.pack([self.word(self._at(address, place), each, constant) for place, each in members], kind)
        if isinstance(kind, Scalar):
            stored = WORD if kind in WHOLE else kind.llvm
            loaded = self._loaded(address, stored, constant)
            return self.convert(Value(INT, loaded), kind) if stored is WORD else Value(kind, loaded)
        if isinstance(kind, Record):
            return Value(kind, self._loaded(address, POINTER, constant))
        if isinstance(kind, Function):
            return Value(kind, self._loaded(address, WORD, constant))
        assert isinstance(kind, Array)
        following = iter(range(len(kind.open)))
        lengths = [
            self._loaded(self._at(address, 8 * (1 + next(following))), WORD, constant) if length is None else None
            for length in kind.lengths
        ]
        return self.array(kind, self._loaded(address, POINTER, constant), lengths)

    def write_words(self, address: Any, value: Value) -> None:
        """Store a value in whole words, as `word` reads it."""
        kind = value.kind
        if isinstance(kind, Tuple | Tables):
            for k, place in enumerate(offsets_of(kind.members)):
                self.write_words(self._at(address, place), self.item(value, k))
        elif isinstance(kind, Array):
            self.builder.store(self.pointer(value), address)
            for i, k in enumerate(kind.open):
                self.builder.store(self.length(value, k).ir, self._at(address, 8 * (1 + i)))
        elif kind is SINGLE or isinstance(kind, Nothing):
            raise CannotTranslate(f"a {kind.name} does not take a whole word")
        else:
            self.builder.store(self.convert(value, INT).ir if kind in WHOLE else value.ir, address)

    def item(self, owner: Value, k: int) -> Value:
        """Member of a tuple or of tables."""
        return self.table(owner, k) if isinstance(owner.kind, Tables) else self.member(owner, k)

    def _loaded(self, address: Any, kind: ir.Type, constant: bool) -> Any:
        loaded = self.builder.load(address, typ=kind)
        if constant:
            loaded.set_metadata("invariant.load", self.builder.module.add_metadata([]))
        return loaded

    def _at(self, pointer: Any, offset: int) -> Any:
        return self.builder.gep(pointer, [ir.Constant(WORD, offset)], source_etype=BYTE) if offset else pointer

    def _number(self, dtype: Dtype) -> tuple[ir.Type, Scalar]:
        number_of_type = number(dtype)
        if number_of_type is None:
            raise CannotTranslate(f"programs have no numbers of type {dtype}")
        return number_of_type

    def _copy(self, to: Any, source: Any, size_bytes: int) -> None:
        """Copy a record; both may be the same."""
        arguments = [to, source, ir.Constant(WORD, size_bytes), ir.Constant(BIT, 0)]
        self.intrinsic("llvm.memmove.p0.p0.i64", NOTHING, arguments)

    def intrinsic(self, name: str, result: Scalar | Nothing, arguments: Sequence[Any]) -> Value:
        """Result of a function that LLVM has."""
        module = self.builder.module
        function = module.globals.get(name)
        if function is None:
            function = ir.Function(module, ir.FunctionType(result.llvm, [each.type for each in arguments]), name)
        return Value(result, self.builder.call(function, arguments))
