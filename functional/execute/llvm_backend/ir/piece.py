"""A piece of straight-line code as a function over all lanes.

The function processes the lanes a vector at a time. Registers are read from their rows on first use, kept as values,
and those needed by others are written back at the end. Lanes are read and written under a mask, because the last ones
may not fill a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from llvmlite import ir

from ....glsl.ir.program import Destination, File, Instruction, Shader, Source
from .instruction import Key, emit_instruction
from .memory import POINTER, counted_loop, in_all_lanes, masked_load, masked_store
from .vectors import BYTE, FLOAT, INT, LONG, Value, Vectors

SIGNATURE = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, POINTER, POINTER, POINTER, LONG])
"""Temporaries, inputs, outputs (rows of lanes), constants, execution mask (bytes, or null), number of lanes."""


@dataclass(frozen=True)
class Piece:
    """Consecutive instructions; ``kept`` are the temporaries that others read, ``masked`` says that it takes a mask."""

    name: str
    pcs: tuple[int, ...]
    masked: bool
    kept: frozenset[Key]


@dataclass
class _Rows:
    """Rows and the lanes of them: from ``first`` on, those of ``existing``."""

    v: Vectors
    arguments: dict[File, Value]
    lanes: Value
    first: Value
    existing: Value
    values: dict[Key, Value] = field(default_factory=dict)
    written: dict[Key, None] = field(default_factory=dict)

    def place(self, key: Key) -> Value:
        """Pointer to the first active lane of a row."""
        b = self.v.builder
        row = ir.Constant(LONG, 4 * key[1] + key[2])
        offset = b.add(b.mul(row, self.lanes), self.first)
        return b.gep(self.arguments[key[0]], [offset], source_etype=FLOAT)

    def read(self, key: Key) -> Value:
        """A component, read from its row on first use."""
        if key not in self.values and key[0] is File.CONSTANT:
            self.values[key] = in_all_lanes(self.v, self.arguments[File.CONSTANT], 4 * key[1] + key[2])
        elif key not in self.values:
            self.values[key] = self.load(self.place(key))
        return self.values[key]

    def write(self, key: Key, value: Value) -> None:
        """Set a component; it is stored at the end."""
        self.values[key] = value
        self.written[key] = None

    def read_chosen(self, source: Source, component: int) -> Value:
        """Pieces have none; see `is_native`."""
        raise AssertionError("a piece with registers chosen at run time")

    def write_chosen(self, destination: Destination, component: int, value: Value) -> None:
        """None either."""
        raise AssertionError("a piece with registers chosen at run time")

    def load(self, pointer: Value) -> Value:
        """Lanes of a row."""
        return masked_load(self.v, pointer, self.existing, FLOAT)

    def store(self, value: Value, pointer: Value, where: Value) -> None:
        """Write the lanes ``where`` of a row."""
        masked_store(self.v, value, pointer, where)


class PieceEmitter:
    """Emits the function of a piece into a module."""

    def __init__(self, module: ir.Module, shader: Shader, piece: Piece, width: int) -> None:
        self.shader = shader
        self.piece = piece
        self.width = width
        self.function = ir.Function(module, SIGNATURE, piece.name)
        for argument in self.function.args[:5]:
            argument.add_attribute("noalias")

    def emit(self) -> None:
        """The whole function: a loop over vectors."""
        b = ir.IRBuilder(self.function.append_basic_block("entry"))
        # One masked body for both full vectors and the rest: compiling takes time, and the mask costs almost none.
        counted_loop(
            b,
            self.function.args[5],
            self.width,
            lambda first: self._lanes(b, first, self._rest(b, first)),
        )
        b.ret_void()

    def _rest(self, b: ir.IRBuilder, first: Value) -> Value:
        """Which lanes exist of the vector that begins there."""
        v = Vectors(b, self.width)
        left = b.trunc(b.sub(self.function.args[5], first), INT)
        numbers = ir.Constant(v.ints, [ir.Constant(INT, i) for i in range(self.width)])
        return b.icmp_unsigned("<", numbers, v.to_ints(v.splat(b.bitcast(left, FLOAT))))

    def _lanes(self, b: ir.IRBuilder, first: Value, existing: Value) -> None:
        """Execute the piece for one vector of lanes."""
        v = Vectors(b, self.width)
        temporaries, inputs, outputs, constants, mask, lanes = self.function.args
        files = {File.TEMPORARY: temporaries, File.INPUT: inputs, File.OUTPUT: outputs, File.CONSTANT: constants}
        rows = _Rows(v, files, lanes, first, existing)
        where = existing
        if self.piece.masked:
            where = b.and_(self._mask(b, mask, first), existing)
        for pc in self.piece.pcs:
            emit_instruction(v, self.shader, self.shader.instructions[pc], rows)
        for key in rows.written:
            if key[0] is File.OUTPUT or key in self.piece.kept:
                rows.store(rows.values[key], rows.place(key), where)

    def _mask(self, b: ir.IRBuilder, mask: Value, first: Value) -> Value:
        """Lanes that execute. The mask is as long as a whole number of vectors."""
        bytes_ = ir.VectorType(BYTE, self.width)
        loaded = b.load(b.gep(mask, [first], source_etype=BYTE), align=1, typ=bytes_)
        return b.icmp_unsigned("!=", loaded, ir.Constant(bytes_, [ir.Constant(BYTE, 0)] * self.width))


def registers_read(instructions: Sequence[Instruction]) -> set[Key]:
    """Components of temporaries that instructions supported by vector code read."""
    found = set()
    for instruction in instructions:
        for source in instruction.sources:
            if source.file is File.TEMPORARY:
                found |= {(File.TEMPORARY, source.index, c) for c in source.swizzle}
    return found
