"""Blending in vector code: several quads at a time if they do not overlap, otherwise a quad at a time (OpenGL ES 3.0,
4.1.7 and 4.1.9).

Pixels that a quad does not write are not accessed, so quads may extend beyond the edge of the buffer, and threads may
work on neighbouring rows.
"""

from __future__ import annotations

from llvmlite import ir

from ...kernel_arguments import BlendArguments, BlendState
from ..ir.memory import POINTER, concatenate, counted_loop, element, loaded, masked_load, masked_store, shuffle
from ..ir.operations import saturate
from ..ir.vectors import BOOL, BYTE, FLOAT, INT, LONG, SHORT, Value, Vectors
from .arithmetic import BlendArithmetic, Side
from .groups import QuadGroup

NAME = "blend"
TO_PLANES = [4 * lane + channel for channel in range(4) for lane in range(4)]
"""Bytes of four pixels, channel by channel; the permutation is its own inverse."""


def emit_blend(module: ir.Module, state: BlendState, width: int) -> None:
    """The function: a loop over quads, in drawing order."""
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), NAME)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    block = loaded(b, function.args[0], BlendArguments)
    block = block._replace(pixels=b.inttoptr(block.pixels, POINTER))
    count = block.which.shape[0]
    quad, together = _Quad(Vectors(b, 16), state, block), width // 4

    def one(number: Value) -> None:
        place = element(b, block.which.data, number, LONG)
        lanes = b.and_(element(b, block.lanes.data, place, SHORT), ir.Constant(SHORT, 15))
        with b.if_then(b.icmp_unsigned("!=", lanes, ir.Constant(SHORT, 0))):
            quad.emit(number, place, lanes)

    def several(first: Value) -> None:
        behind = b.add(first, ir.Constant(LONG, together))
        whole = b.icmp_signed("<=", behind, count)
        with b.if_else(whole) as (yes, no):
            with yes:
                group = QuadGroup(Vectors(b, width), state, block, first)
                with b.if_else(group.apart()) as (apart, over):
                    with apart:
                        group.emit()
                    with over:
                        counted_loop(b, ir.Constant(LONG, together), 1, lambda i: one(b.add(first, i)))
            with no:
                counted_loop(b, b.sub(count, first), 1, lambda i: one(b.add(first, i)))

    counted_loop(b, count, together, several)
    b.ret_void()


class _Quad:
    """Emits the blending of one quad; vectors hold red of four lanes, then green, blue, alpha."""

    def __init__(self, v: Vectors, state: BlendState, block: BlendArguments) -> None:
        self.v, self.state, self.block = v, state, block
        self.arithmetic = BlendArithmetic(v, state)
        b = v.builder
        constants = b.load(block.constant.data, align=4, typ=ir.VectorType(FLOAT, 4))
        order = [i // 4 for i in range(16)], [3] * 16
        self.constant = Side(*(shuffle(b, constants, None, places) for places in order))

    def emit(self, number: Value, place: Value, lanes: Value) -> None:
        """Read, blend, write."""
        v, b, state = self.v, self.v.builder, self.state
        value = self._source(number)
        rows = self._rows(place)
        masks = self._masks(lanes)
        old = None
        if any(state.equations) or not all(state.channels):
            old = concatenate(b, [masked_load(v, row, mask, INT) for row, mask in zip(rows, masks, strict=True)])
            old = shuffle(b, b.bitcast(old, ir.VectorType(BYTE, 16)), None, TO_PLANES)
        if any(state.equations):
            value = self._blended(value, self._target(old))
        stored = b.trunc(self.arithmetic.stored(value), ir.VectorType(BYTE, 16))
        if not all(state.channels):
            flags = [ir.Constant(BOOL, int(state.channels[i // 4])) for i in range(16)]
            stored = b.select(ir.Constant(ir.VectorType(BOOL, 16), flags), stored, old)
        pixels = b.bitcast(shuffle(b, stored, None, TO_PLANES), ir.VectorType(INT, 4))
        for i, (row, mask) in enumerate(zip(rows, masks, strict=True)):
            masked_store(v, shuffle(b, pixels, None, [2 * i, 2 * i + 1]), row, mask)

    def _source(self, number: Value) -> Value:
        """Shaded colour."""
        b = self.v.builder
        first = b.mul(number, ir.Constant(LONG, 4))
        parts = []
        for channel in range(4):
            lane = b.add(b.mul(self.block.colors.shape[1], ir.Constant(LONG, channel)), first)
            place = b.gep(self.block.colors.data, [lane], source_etype=FLOAT)
            parts.append(b.load(place, align=4, typ=ir.VectorType(FLOAT, 4)))
        return saturate(self.v, concatenate(b, parts))

    def _rows(self, place: Value) -> list[Value]:
        """Addresses of the quad's two rows of pixels."""
        b = self.v.builder
        x, y = (
            b.zext(element(b, column.data, place, SHORT), LONG) for column in (self.block.quad_x, self.block.quad_y)
        )
        two = ir.Constant(LONG, 2)
        first = b.add(b.mul(b.mul(y, two), self.block.width), b.mul(x, two))
        pixels = self.block.pixels
        return [b.gep(pixels, [start], source_etype=INT) for start in (first, b.add(first, self.block.width))]

    def _masks(self, lanes: Value) -> list[Value]:
        """Masks of the pixels of the rows that are written."""
        b = self.v.builder
        flags = b.bitcast(b.trunc(lanes, ir.IntType(4)), ir.VectorType(BOOL, 4))
        return [shuffle(b, flags, None, order) for order in ([0, 1], [2, 3])]

    def _target(self, old: Value) -> Value:
        v, b = self.v, self.v.builder
        value = self.arithmetic.fraction(b.zext(old, v.ints))
        if self.state.has_alpha:
            return value
        return shuffle(b, value, v.number(1), [*range(12), *range(28, 32)])

    def _blended(self, source: Value, target: Value) -> Value:
        """Colour and alpha by their own equations."""
        b = self.v.builder
        sides = [Side(x, shuffle(b, x, None, [12, 13, 14, 15] * 4)) for x in (source, target)]
        parts = [self.arithmetic.blended(sides[0], sides[1], self.constant, alpha) for alpha in (False, True)]
        return shuffle(b, parts[0], parts[1], [*range(12), *range(28, 32)])
