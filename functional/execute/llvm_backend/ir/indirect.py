"""Registers chosen at run time, one per lane: their files are in memory, and lanes gather from it and scatter into it.

Numbers outside a file are clamped for reads and ignored for writes.
"""

from __future__ import annotations

from llvmlite import ir

from ....glsl.ir.program import Destination, File, Shader, Source
from ...numpy_backend.layout import Key
from .memory import POINTER, between, gather, scatter, variable
from .vectors import INT, Value, Vectors

TABLE = "immediates"


def chosen_files(shader: Shader) -> frozenset[File]:
    """Files with registers that instructions choose at run time."""
    operands = [o for i in shader.instructions for o in (*i.sources, i.destination) if o is not None]
    return frozenset(operand.file for operand in operands if operand.indirect is not None)


def address_key(operand: Source | Destination) -> Key:
    """The component of the address register that selects an operand."""
    assert operand.indirect is not None
    return Key(File.ADDRESS, operand.indirect.index, operand.indirect.component)


def clamped(v: Vectors, address: Value, base: int, count: int) -> Value:
    """Numbers of registers, int32 per lane, none outside the file."""
    index = v.builder.add(v.to_ints(address), v.integer(base))
    return between(v.builder, index, v.integer(0), v.integer(count - 1))


def uniform_element(v: Vectors, array: Value, index: Value, component: int) -> Value:
    """A component of registers that all lanes share: four 32-bit words each, one after the other."""
    b = v.builder
    return v.to_floats(gather(v, array, b.add(b.mul(index, v.integer(4)), v.integer(component))))


def immediates(v: Vectors, shader: Shader) -> Value:
    """The table of a shader's constants, in the module."""
    module = v.builder.module
    table = module.globals.get(TABLE)
    if table is None:
        words = [word for row in shader.immediates for word in row]
        kind = ir.ArrayType(INT, len(words))
        table = ir.GlobalVariable(module, kind, TABLE)
        table.linkage, table.global_constant = "private", True
        table.initializer = ir.Constant(kind, [ir.Constant(INT, word) for word in words])
    return table


class LaneFile:
    """A file with a row of lanes per component of a register, at an address; or on the stack, zeros at first."""

    def __init__(self, v: Vectors, registers: int, rows: Value = None) -> None:
        self.v, self.registers, self.rows = v, registers, rows
        if rows is None:
            self.rows = variable(v.builder, ir.Constant(ir.ArrayType(v.floats, 4 * registers), None))
            self.rows.type = POINTER

    def place(self, register: int, component: int) -> Value:
        """Pointer to a row."""
        row = ir.Constant(INT, 4 * register + component)
        return self.v.builder.gep(self.rows, [row], source_etype=self.v.floats)

    def _elements(self, index: Value, component: int) -> Value:
        v, b = self.v, self.v.builder
        row = b.add(b.mul(index, v.integer(4)), v.integer(component))
        return b.add(b.mul(row, v.integer(v.width)), v.numbers)

    def read(self, address: Value, base: int, component: int) -> Value:
        """A component of the register that each lane chooses."""
        v = self.v
        return v.to_floats(gather(v, self.rows, self._elements(clamped(v, address, base, self.registers), component)))

    def write(self, address: Value, base: int, component: int, value: Value, lanes: Value) -> None:
        """Change it in some lanes; None: in all."""
        v, b = self.v, self.v.builder
        index = b.add(v.to_ints(address), v.integer(base))
        inside = b.icmp_unsigned("<", index, v.integer(self.registers))
        where = inside if lanes is None else b.and_(inside, lanes)
        scatter(v, v.to_ints(value), self.rows, self._elements(index, component), where)
