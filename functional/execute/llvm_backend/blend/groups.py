"""Blending of several quads at a time: a vector of lanes per channel."""

from __future__ import annotations

from llvmlite import ir

from ....activity.kernels.coverage import WHOLE
from ...kernel_arguments import BlendArguments, BlendState
from ..ir.memory import (
    all_different,
    any_lane,
    choose,
    chosen_elements,
    concatenate,
    either,
    element,
    masked_load,
    masked_store,
    shuffle,
)
from ..ir.operations import saturate
from ..ir.vectors import BOOL, FLOAT, INT, LONG, SHORT, Value, Vectors
from .arithmetic import BlendArithmetic, Side


class QuadGroup:
    """Consecutive quads in drawing order, as many as a vector has lanes for.

    Parameters
    ----------
    v
        Where code goes.
    state
        Of blending.
    block
        Arguments of the kernel, as loaded; `pixels` is a pointer.
    first
        Index of the first quad among those that are written.
    """

    def __init__(self, v: Vectors, state: BlendState, block: BlendArguments, first: Value) -> None:
        self.v, self.state, self.block, self.first = v, state, block, first
        self.arithmetic = BlendArithmetic(v, state)
        b = v.builder
        numbers = [b.add(first, self._long(i)) for i in range(v.width // 4)]
        columns = [(column.data, SHORT) for column in (block.quad_x, block.quad_y, block.lanes)]
        longs = ir.VectorType(LONG, len(numbers))
        self.x, self.y, self.lanes = (b.zext(c, longs) for c in chosen_elements(b, block.which.data, numbers, columns))
        # No two quads of a buffer have the same number.
        self.quads = b.or_(self.x, b.shl(self.y, self._longs([16] * len(numbers))))
        self.beside = self._row_of_whole_quads()

    def _long(self, value: int) -> Value:
        return ir.Constant(LONG, value)

    def _longs(self, values: list[int]) -> Value:
        return ir.Constant(ir.VectorType(LONG, len(values)), [self._long(x) for x in values])

    def apart(self) -> Value:
        """Whether no two quads overlap."""
        b = self.v.builder
        return choose(b, b.not_(self.beside), lambda: [all_different(b, self.quads)], [self.beside])[0]

    def _row_of_whole_quads(self) -> Value:
        """Whether they are fully covered and adjacent in their order."""
        b, count = self.v.builder, self.v.width // 4
        expected = b.add(shuffle(b, self.quads, None, [0] * count), self._longs(list(range(count))))
        wrong = b.icmp_unsigned("!=", self.quads, expected)
        covered = b.and_(self.lanes, self._longs([WHOLE] * count))
        return b.not_(any_lane(b, b.or_(wrong, b.icmp_unsigned("!=", covered, self._longs([WHOLE] * count)))))

    def emit(self) -> None:
        """Read, blend, write."""
        v, b = self.v, self.v.builder
        source = [saturate(v, self._source(channel)) for channel in range(4)]
        if self.state.opaque_replaces:
            # Most quads drawn with blending are opaque: textures with cut-outs, windows.
            clear = any_lane(b, b.fcmp_ordered("!=", source[3], v.number(1)))
            pixels = either(b, clear, lambda: [self._blended(source)], lambda: [self._packed(source, None)])[0]
        else:
            pixels = self._blended(source)
        with b.if_else(self.beside) as (yes, no):
            with yes:
                self._store_rows(pixels)
            with no:
                self._store_quads(pixels)

    def _blended(self, source: list[Value]) -> Value:
        """Values to write, by lane, for clamped colours."""
        b, state = self.v.builder, self.state
        old = None
        if any(state.equations) or not all(state.channels):
            old = either(b, self.beside, lambda: [self._load_rows()], lambda: [self._load_quads()])[0]
        if any(state.equations):
            targets = [self._target(old, channel) for channel in range(4)]
            constants = [self._constant(channel) for channel in range(4)]
            sides = [[Side(side[c], side[3]) for c in range(4)] for side in (source, targets, constants)]
            source = [self.arithmetic.blended(sides[0][c], sides[1][c], sides[2][c], c == 3) for c in range(4)]
        return self._packed(source, old)

    def _packed(self, colors: list[Value], old: Value | None) -> Value:
        """Colours in stored form, by lane; channels that are not written keep the previous value."""
        v, b = self.v, self.v.builder
        pixels = v.integer(0)
        for channel, value in enumerate(colors):
            shift = v.integer(8 * channel)
            if self.state.channels[channel]:
                pixels = b.or_(pixels, b.shl(self.arithmetic.stored(value), shift))
            else:
                pixels = b.or_(pixels, b.and_(old, v.integer(255 << 8 * channel)))
        return pixels

    def _source(self, channel: int) -> Value:
        """Shaded colour."""
        v, b = self.v, self.v.builder
        lane = b.add(b.mul(self.block.colors.shape[1], self._long(channel)), b.mul(self.first, self._long(4)))
        return b.load(b.gep(self.block.colors.data, [lane], source_etype=FLOAT), align=4, typ=v.floats)

    def _constant(self, channel: int) -> Value:
        return self.v.splat(element(self.v.builder, self.block.constant.data, self._long(channel), FLOAT))

    def _target(self, old: Value | None, channel: int) -> Value:
        v, b = self.v, self.v.builder
        if channel == 3 and not self.state.has_alpha:
            return v.number(1)
        byte = b.and_(b.lshr(old, v.integer(8 * channel)), v.integer(255))
        return self.arithmetic.fraction(byte)

    def _row(self, quad: int, row: int) -> Value:
        """Start of a row of a quad's pixels."""
        b = self.v.builder
        x, y = (b.extract_element(column, ir.Constant(INT, quad)) for column in (self.x, self.y))
        up = b.add(b.mul(y, self._long(2)), self._long(row))
        pixel = b.add(b.mul(up, self.block.width), b.mul(x, self._long(2)))
        return b.gep(self.block.pixels, [pixel], source_etype=INT)

    def _lanes_of_row(self, row: int) -> list[int]:
        """Lanes of the group that are in a row of pixels, from left to right."""
        return [4 * (i // 2) + 2 * row + i % 2 for i in range(self.v.width // 2)]

    def _load_rows(self) -> Value:
        """Pixels of adjacent quads."""
        v, b = self.v, self.v.builder
        rows = [b.load(self._row(0, row), align=4, typ=ir.VectorType(INT, v.width // 2)) for row in range(2)]
        order = [*self._lanes_of_row(0), *self._lanes_of_row(1)]
        return shuffle(b, rows[0], rows[1], [order.index(lane) for lane in range(v.width)])

    def _store_rows(self, pixels: Value) -> None:
        b = self.v.builder
        for row in range(2):
            b.store(shuffle(b, pixels, None, self._lanes_of_row(row)), self._row(0, row), align=4)

    def _mask(self, quad: int, row: int) -> Value:
        """Mask of the pixels of a row of a quad that are written."""
        b = self.v.builder
        lanes = b.extract_element(self.lanes, ir.Constant(INT, quad))
        flags = b.trunc(b.lshr(lanes, self._long(2 * row)), ir.IntType(2))
        return b.bitcast(flags, ir.VectorType(BOOL, 2))

    def _load_quads(self) -> Value:
        """Pixels of quads anywhere."""
        v = self.v
        places = [(quad, row) for quad in range(v.width // 4) for row in range(2)]
        return concatenate(v.builder, [masked_load(v, self._row(*p), self._mask(*p), INT) for p in places])

    def _store_quads(self, pixels: Value) -> None:
        v = self.v
        for quad in range(v.width // 4):
            for row in range(2):
                first = 4 * quad + 2 * row
                part = shuffle(v.builder, pixels, None, [first, first + 1])
                masked_store(v, part, self._row(quad, row), self._mask(quad, row))
