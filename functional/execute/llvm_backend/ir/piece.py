"""A piece of straight-line code as a function over all lanes.

The function processes the lanes a vector at a time. Registers are read from their rows on first use, kept as values,
and those that others read are stored at the end. Lanes are read and written under a mask, because the last ones may
not fill a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from llvmlite import ir

from ....glsl.ir.program import Destination, File, Shader, Source
from ...numpy_backend.layout import Key
from .indirect import chosen_files
from .instruction import emit_instruction
from .memory import POINTER, counted_loop, existing_lanes, in_all_lanes, masked_load, masked_store
from .vectors import BYTE, FLOAT, LONG, Value, Vectors


class Arguments(NamedTuple):
    """Arguments of a function over all lanes.

    Attributes
    ----------
    temporaries, inputs, outputs
        Rows of lanes.
    constants
        The constant file.
    mask
        Lanes that execute (bytes), or null.
    lanes
        Their number.
    """

    temporaries: Value
    inputs: Value
    outputs: Value
    constants: Value
    mask: Value
    lanes: Value


SIGNATURE = ir.FunctionType(ir.VoidType(), [*[POINTER] * 5, LONG])
"""Of a function with these `Arguments`."""


class Rows:
    """Rows of a function over all lanes, at the vector of lanes that begins with ``first``."""

    def __init__(self, v: Vectors, given: Arguments, first: Value) -> None:
        self.v, self.first = v, first
        self.mask, self.lanes = given.mask, given.lanes
        self.files = {
            File.TEMPORARY: given.temporaries,
            File.INPUT: given.inputs,
            File.OUTPUT: given.outputs,
            File.CONSTANT: given.constants,
        }
        self.existing = existing_lanes(v, first, self.lanes)

    def _place(self, key: Key) -> Value:
        """Pointer to the first lane of a row."""
        b = self.v.builder
        offset = b.add(b.mul(ir.Constant(LONG, 4 * key.register + key.component), self.lanes), self.first)
        return b.gep(self.files[key.file], [offset], source_etype=FLOAT)

    def load(self, key: Key) -> Value:
        """Lanes of a row."""
        return masked_load(self.v, self._place(key), self.existing, FLOAT)

    def store(self, key: Key, value: Value, where: Value) -> None:
        """Write the lanes ``where`` of a row."""
        masked_store(self.v, value, self._place(key), where)


def emit_rows(function: ir.Function, given: Arguments, width: int, body: Callable[[Rows], None]) -> None:
    """A function that is a loop over vectors of lanes."""
    for argument in function.args:
        if argument.type == POINTER:
            argument.add_attribute("noalias")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    # One masked body for both full vectors and the rest: compiling takes time, and the mask costs almost none.
    counted_loop(b, given.lanes, width, lambda first: body(Rows(Vectors(b, width), given, first)))
    b.ret_void()


class _Values:
    """Components of registers as values."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.values: dict[Key, Value] = {}
        self.read_first: set[Key] = set()
        self.written: dict[Key, None] = {}

    def read(self, key: Key) -> Value:
        """A component, read from its row on first use."""
        if key not in self.values and key.file is File.CONSTANT:
            self.values[key] = in_all_lanes(
                self.rows.v, self.rows.files[File.CONSTANT], 4 * key.register + key.component
            )
        elif key not in self.values:
            self.values[key] = self.rows.load(key)
            self.read_first.add(key)
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


def emit_piece(module: ir.Module, shader: Shader, name: str, pcs: Sequence[int], masked: bool, width: int) -> None:
    """The function of some instructions; ``masked`` says that it takes a mask."""
    needed = _read_outside(shader, pcs)

    def body(rows: Rows) -> None:
        values = _Values(rows)
        where = _mask(rows) if masked else rows.existing
        for pc in pcs:
            emit_instruction(rows.v, shader, shader.instructions[pc], values)
        for key in values.written:
            if key.file is File.OUTPUT or key in needed or key in values.read_first:
                rows.store(key, values.values[key], where)

    function = ir.Function(module, SIGNATURE, name)
    emit_rows(function, Arguments(*function.args), width, body)


def _read_outside(shader: Shader, pcs: Sequence[int]) -> set[Key]:
    """Temporaries that other instructions may read: all if they are chosen at run time."""
    if File.TEMPORARY in chosen_files(shader):
        return {Key(File.TEMPORARY, r, c) for r in range(shader.temporary_count) for c in range(4)}
    others = [source for pc, i in enumerate(shader.instructions) if pc not in pcs for source in i.sources]
    return {Key(source.file, source.index, c) for source in others for c in source.swizzle}


def _mask(rows: Rows) -> Value:
    """Lanes that execute. The mask is as long as a whole number of vectors."""
    b, bytes_ = rows.v.builder, ir.VectorType(BYTE, rows.v.width)
    loaded = b.load(b.gep(rows.mask, [rows.first], source_etype=BYTE), align=1, typ=bytes_)
    return b.and_(b.icmp_unsigned("!=", loaded, ir.Constant(bytes_, None)), rows.existing)
