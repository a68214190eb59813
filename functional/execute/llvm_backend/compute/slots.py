"""Memory of a work group between barriers: a row of lanes per register, set of lanes or count, for each vector."""

from __future__ import annotations

from collections.abc import Hashable

from llvmlite import ir

from ..ir.vectors import BYTE, FLOAT, INT, LONG, Value, Vectors


class Slots:
    """Rows by name. Code for one vector uses them through `at`.

    Parameters
    ----------
    width
        Lanes of a vector.
    state
        Address of the memory of the first vector.
    """

    def __init__(self, width: int, state: Value) -> None:
        self.width, self.state = width, state
        self.rows: dict[Hashable, int] = {}
        self.count = 0

    def reserve(self, name: Hashable, rows: int = 1) -> None:
        """Make room for a name, once."""
        if name not in self.rows:
            self.rows[name] = self.count
            self.count += rows

    @property
    def vector_bytes(self) -> int:
        """Memory of a vector; known when all names are."""
        return 4 * self.width * self.count

    def at(self, v: Vectors, vector: Value) -> VectorSlots:
        """Rows of the vector of a number, an int64."""
        b = v.builder
        offset = b.mul(vector, ir.Constant(LONG, self.vector_bytes))
        return VectorSlots(self, v, b.gep(self.state, [offset], source_etype=BYTE))


class VectorSlots:
    """Rows of one vector."""

    def __init__(self, slots: Slots, v: Vectors, state: Value) -> None:
        self.slots, self.v, self.state = slots, v, state

    def place(self, name: Hashable) -> Value:
        """Address of a row."""
        offset = ir.Constant(LONG, self.slots.rows[name] * self.slots.width)
        return self.v.builder.gep(self.state, [offset], source_etype=FLOAT)

    def load(self, name: Hashable) -> Value:
        """A row of floats."""
        return self.v.builder.load(self.place(name), align=4, typ=self.v.floats)

    def store(self, name: Hashable, value: Value) -> None:
        """Set a row of floats, or a count."""
        self.v.builder.store(value, self.place(name), align=4)

    def load_count(self, name: Hashable) -> Value:
        """An int64."""
        return self.v.builder.load(self.place(name), align=4, typ=LONG)

    def load_lanes(self, name: Hashable) -> Value:
        """A set of lanes."""
        bits = self.v.builder.load(self.place(name), align=4, typ=INT)
        return self.v.builder.bitcast(self.v.builder.trunc(bits, ir.IntType(self.v.width)), self.v.flags)

    def store_lanes(self, name: Hashable, lanes: Value) -> None:
        """Keep a set of lanes."""
        b = self.v.builder
        b.store(b.zext(b.bitcast(lanes, ir.IntType(self.v.width)), INT), self.place(name), align=4)
