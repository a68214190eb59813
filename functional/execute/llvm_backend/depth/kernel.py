"""Depth tests in vector code: several quads at a time if they do not overlap, otherwise a quad at a time (OpenGL ES
2.0, 4.1.5).

The arithmetic is that of the activity's kernels, in double precision. The tests read and write whole quads, so the
buffer must hold all pixels of each.
"""

from __future__ import annotations

from llvmlite import ir

from ....activity.kernels.depth import DEPTH_STEPS, FLOAT_FORMAT
from ...kernel_arguments import DepthArguments, DepthState
from ..ir.memory import (
    POINTER,
    all_different,
    any_lane,
    concatenate,
    counted_loop,
    either,
    element,
    join,
    loaded,
    shuffle,
    to_lanes,
)
from ..ir.vectors import DOUBLE, INT, LONG, SHORT, Value, Vectors, integers

NAME = "depth_test"
NEVER, ALWAYS = 0, 7
_COMPARISONS = {1: "<", 2: "==", 3: "<=", 4: ">", 5: "!=", 6: ">="}
"""By code."""
_NIBBLES, _BYTES = 0x000F000F000F000F, 0x000000FF000000FF
"""Bits of four numbers of 16 bits, and of two of 32, that lanes are distributed to."""


def emit_depth_test(module: ir.Module, state: DepthState, width: int) -> None:
    """The function: a loop over quads, in drawing order."""
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), NAME)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    block = loaded(b, function.args[0], DepthArguments)
    count, together = block.quad_x.shape[0], width // 4

    def single(number: Value) -> None:
        _Quads(Vectors(b, 4), state, block, number).emit()

    def several(first: Value) -> None:
        group, apart, one_by_one, behind = (b.append_basic_block(n) for n in ("group", "apart", "single", "behind"))
        whole = b.icmp_signed("<=", b.add(first, ir.Constant(LONG, together)), count)
        b.cbranch(whole, group, one_by_one)
        b.position_at_end(group)
        quads = _Quads(Vectors(b, width), state, block, first)
        b.cbranch(quads.apart(), apart, one_by_one)
        b.position_at_end(apart)
        quads.emit()
        b.branch(behind)
        b.position_at_end(one_by_one)
        few = b.select(whole, ir.Constant(LONG, together), b.sub(count, first))
        counted_loop(b, few, 1, lambda i: single(b.add(first, i)))
        b.branch(behind)
        b.position_at_end(behind)

    counted_loop(b, count, together, several)
    b.ret_void()


class _Quads:
    """Consecutive quads in drawing order, as many as the vectors have lanes for.

    Parameters
    ----------
    v
        Where code goes.
    state
        Of the test.
    block
        Arguments of the kernel, as loaded.
    first
        Index of the first quad.
    """

    def __init__(self, v: Vectors, state: DepthState, block: DepthArguments, first: Value) -> None:
        self.v, self.state, self.block, self.first = v, state, block, first
        self.count = v.width // 4
        self.x, self.y = (self._column(column, SHORT) for column in (block.quad_x, block.quad_y))

    def _column(self, array: Value, kind: ir.Type) -> Value:
        """The quads' elements of an array, as 32-bit integers."""
        b, vector = self.v.builder, ir.VectorType(kind, self.count)
        place = b.gep(array.data, [self.first], source_etype=kind)
        values = b.load(place, align=kind.width // 8, typ=vector)
        return values if kind == INT else b.zext(values, ir.VectorType(INT, self.count))

    def apart(self) -> Value:
        """Whether no two quads overlap."""
        b, places = self.v.builder, integers((16,) * self.count)
        # No two quads of a buffer have the same number.
        return all_different(b, b.or_(self.x, b.shl(self.y, places)))

    def emit(self) -> None:
        """Read, compare, write."""
        b = self.v.builder
        new, lanes = self._depths(), self._lanes()
        rows = [[self._row(quad, row) for row in range(2)] for quad in range(self.count)]
        pair = ir.VectorType(INT, 2)
        old = concatenate(b, [b.load(place, align=4, typ=pair) for quad in rows for place in quad])
        passed = b.and_(self._passes(new, old), lanes)
        self._tell(passed)
        if self.state.write:
            kept = b.select(passed, new, old)
            for quad, places in enumerate(rows):
                for row, place in enumerate(places):
                    first = 4 * quad + 2 * row
                    b.store(shuffle(b, kept, None, [first, first + 1]), place, align=4)

    def _depths(self) -> Value:
        """Depths of the primitives at the pixels' centres, as stored."""
        v, b, state = self.v, self.v.builder, self.state
        at_origin, by_x, by_y = self._planes()
        centres = []
        for quads, offsets in ((self.x, (0.5, 1.5, 0.5, 1.5)), (self.y, (0.5, 0.5, 1.5, 1.5))):
            wide = to_lanes(b, b.sitofp(b.add(quads, quads), ir.VectorType(DOUBLE, self.count)))
            added = ir.Constant(v.doubles, [ir.Constant(DOUBLE, offset) for offset in offsets * self.count])
            centres.append(b.fadd(wide, added))
        depth = b.fadd(b.fadd(at_origin, b.fmul(by_x, centres[0])), b.fmul(by_y, centres[1]))
        zero, one = v.double(0), v.double(1)
        depth = b.select(b.fcmp_ordered(">", zero, depth), zero, depth)
        depth = b.select(b.fcmp_ordered("<", one, depth), one, depth)
        if state.depth_format == FLOAT_FORMAT:
            return b.bitcast(b.fptrunc(depth, v.floats), v.ints)
        scaled = b.fmul(depth, v.double(DEPTH_STEPS[state.depth_format]))
        return b.fptosi(b.fadd(scaled, v.double(0.5)), v.ints)

    def _planes(self) -> list[Value]:
        """Coefficients of the primitives' planes, by lane."""
        v, b = self.v, self.v.builder
        numbers = self._column(self.block.primitive, INT)

        def of(count: int) -> list[Value]:
            planes, columns = self.block.planes.data, []
            rows = [b.sext(b.extract_element(numbers, ir.Constant(INT, i)), LONG) for i in range(count)]
            starts = [b.mul(row, ir.Constant(LONG, 3)) for row in rows]
            for c in range(3):
                each = join(b, [element(b, planes, b.add(start, ir.Constant(LONG, c)), DOUBLE) for start in starts])
                columns.append(shuffle(b, each, None, [i // 4 % count for i in range(v.width)]))
            return columns

        if self.count == 1:
            return of(1)
        first = shuffle(b, numbers, None, [0] * self.count)
        many = any_lane(b, b.icmp_unsigned("!=", numbers, first))
        return list(either(b, many, lambda: of(self.count), lambda: of(1)))

    def _passes(self, new: Value, old: Value) -> Value:
        """Lanes whose new depths pass against the old ones."""
        function = self.state.function
        if function in (NEVER, ALWAYS):
            return self.v.flag(function == ALWAYS)
        return self.v.builder.icmp_signed(_COMPARISONS[function], new, old)

    def _row(self, quad: int, row: int) -> Value:
        """Address of a row of a quad's pixels."""
        b, depth = self.v.builder, self.block.depth
        x, y = (b.zext(b.extract_element(column, ir.Constant(INT, quad)), LONG) for column in (self.x, self.y))
        up = b.add(b.shl(y, ir.Constant(LONG, 1)), ir.Constant(LONG, row))
        pixel = b.add(b.mul(up, depth.shape[1]), b.shl(x, ir.Constant(LONG, 1)))
        return b.gep(depth.data, [pixel], source_etype=INT)

    def _lanes(self) -> Value:
        """Lanes that are tested."""
        v, b = self.v, self.v.builder
        each = to_lanes(b, self._column(self.block.lanes, SHORT))
        bits = integers(tuple(1 << lane % 4 for lane in range(v.width)))
        return b.icmp_unsigned("!=", b.and_(each, bits), v.integer(0))

    def _tell(self, passed: Value) -> None:
        """Store the lanes of each quad that passed."""
        v, b = self.v, self.v.builder
        word = ir.IntType(16 * self.count)
        bits = b.zext(b.bitcast(passed, ir.IntType(v.width)), word)
        if self.count == 4:
            bits = b.and_(b.or_(bits, b.shl(bits, ir.Constant(word, 24))), ir.Constant(word, _BYTES))
        if self.count >= 2:
            nibbles = _NIBBLES & (1 << 16 * self.count) - 1
            bits = b.and_(b.or_(bits, b.shl(bits, ir.Constant(word, 12))), ir.Constant(word, nibbles))
        place = b.gep(self.block.passed.data, [self.first], source_etype=SHORT)
        b.store(bits, place, align=2)
