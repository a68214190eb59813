"""Blending in vector code: a quad at a time, four channels of four lanes (OpenGL ES 3.0, 4.1.7 and 4.1.9).

Pixels that a quad does not write are neither read nor written, so quads may hang over the edge of the buffer, and
threads may work on neighbouring rows. The arithmetic is that of the pipeline's kernel.
"""

from __future__ import annotations

from llvmlite import ir

from ..kernel_arguments import BlendField, BlendState
from .memory import POINTER, concatenate, counted_loop, element, field, masked_load, masked_store, shuffle
from .vectors import BOOL, BYTE, FLOAT, INT, LONG, Value, Vectors

NAME = "blend"
SHORT = ir.IntType(16)
TO_PLANES = [4 * lane + channel for channel in range(4) for lane in range(4)]
"""Bytes of four pixels, channel by channel; the same order leads back."""
_POINTERS = ("WHICH", "QUAD_X", "QUAD_Y", "LANES", "COLORS", "PIXELS", "CONSTANT")


def emit_blend(module: ir.Module, state: BlendState) -> None:
    """The function: a loop over quads, in drawing order."""
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), NAME)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    block = {f.name: field(b, function.args[0], f, POINTER if f.name in _POINTERS else LONG) for f in BlendField}
    quad = _Quad(Vectors(b, 16), state, block)

    def body(number: Value) -> None:
        place = element(b, block["WHICH"], number, LONG)
        lanes = b.and_(element(b, block["LANES"], place, SHORT), ir.Constant(SHORT, 15))
        with b.if_then(b.icmp_unsigned("!=", lanes, ir.Constant(SHORT, 0))):
            quad.emit(number, place, lanes)

    counted_loop(b, block["COUNT"], 1, body)
    b.ret_void()


class _Quad:
    """Emits the blending of one quad; vectors hold red of four lanes, then green, blue, alpha."""

    def __init__(self, v: Vectors, state: BlendState, block: dict[str, Value]) -> None:
        self.v, self.state, self.block = v, state, block
        b = v.builder
        constants = b.load(block["CONSTANT"], align=4, typ=ir.VectorType(FLOAT, 4))
        self.constant = shuffle(b, constants, None, [i // 4 for i in range(16)])
        self.constant_alpha = shuffle(b, constants, None, [3] * 16)

    def emit(self, number: Value, place: Value, lanes: Value) -> None:
        """Read, blend, write."""
        v, b, state = self.v, self.v.builder, self.state
        source = self._source(number)
        rows = self._rows(place)
        masks = self._masks(lanes)
        old = None
        if any(state.equations) or not all(state.channels):
            old = concatenate(b, [masked_load(v, row, mask, INT) for row, mask in zip(rows, masks, strict=True)])
            old = shuffle(b, b.bitcast(old, ir.VectorType(BYTE, 16)), None, TO_PLANES)
        value = source
        if any(state.equations):
            value = self._blended(source, self._target(old))
        value = self._clamped(value)
        rounded = b.fptosi(b.fadd(b.fmul(value, v.number(255)), v.number(0.5)), v.ints)
        stored = b.trunc(rounded, ir.VectorType(BYTE, 16))
        if not all(state.channels):
            flags = [ir.Constant(BOOL, int(state.channels[i // 4])) for i in range(16)]
            stored = b.select(ir.Constant(ir.VectorType(BOOL, 16), flags), stored, old)
        pixels = b.bitcast(shuffle(b, stored, None, TO_PLANES), ir.VectorType(INT, 4))
        for i, (row, mask) in enumerate(zip(rows, masks, strict=True)):
            masked_store(v, shuffle(b, pixels, None, [2 * i, 2 * i + 1]), row, mask)

    def _source(self, number: Value) -> Value:
        """Shaded colour, clamped to 0…1; what is no number becomes 0."""
        b = self.v.builder
        first = b.mul(number, ir.Constant(LONG, 4))
        parts = []
        for channel in range(4):
            lane = b.add(b.mul(self.block["ROW"], ir.Constant(LONG, channel)), first)
            place = b.gep(self.block["COLORS"], [lane], source_etype=FLOAT)
            parts.append(b.load(place, align=4, typ=ir.VectorType(FLOAT, 4)))
        return self._clamped(concatenate(b, parts))

    def _clamped(self, value: Value) -> Value:
        v, b = self.v, self.v.builder
        value = b.select(b.fcmp_ordered(">", value, v.number(0)), value, v.number(0))
        return b.select(b.fcmp_ordered("<", value, v.number(1)), value, v.number(1))

    def _rows(self, place: Value) -> list[Value]:
        """Where the quad's two rows of pixels are."""
        b = self.v.builder
        x, y = (b.zext(element(b, self.block[name], place, SHORT), LONG) for name in ("QUAD_X", "QUAD_Y"))
        two = ir.Constant(LONG, 2)
        first = b.add(b.mul(b.mul(y, two), self.block["WIDTH"]), b.mul(x, two))
        pixels = self.block["PIXELS"]
        return [b.gep(pixels, [start], source_etype=INT) for start in (first, b.add(first, self.block["WIDTH"]))]

    def _masks(self, lanes: Value) -> list[Value]:
        """Which pixels of the rows are written."""
        b = self.v.builder
        flags = b.bitcast(b.trunc(lanes, ir.IntType(4)), ir.VectorType(BOOL, 4))
        return [shuffle(b, flags, None, order) for order in ([0, 1], [2, 3])]

    def _target(self, old: Value) -> Value:
        v, b = self.v, self.v.builder
        value = b.fdiv(b.uitofp(old, v.floats), v.number(255))
        if self.state.has_alpha:
            return value
        return shuffle(b, value, v.number(1), [*range(12), *range(28, 32)])

    def _blended(self, source: Value, target: Value) -> Value:
        """Colour and alpha by their own equations; a saturated factor is 1 for alpha."""
        state = self.state
        parts = []
        for which in range(2):
            codes = [codes[which] for codes in (state.sources, state.targets)]
            factors = [self._factor(code, source, target, which == 1) for code in codes]
            parts.append(self._combined(state.equations[which], source, target, factors))
        return shuffle(self.v.builder, parts[0], parts[1], [*range(12), *range(28, 32)])

    def _combined(self, equation: int, source: Value, target: Value, factors: list[Value]) -> Value:
        b = self.v.builder
        if equation == 0:
            return source
        if equation == 0x8007:
            return b.select(b.fcmp_ordered("<", target, source), target, source)
        if equation == 0x8008:
            return b.select(b.fcmp_ordered(">", target, source), target, source)
        weighted, onto = b.fmul(source, factors[0]), b.fmul(target, factors[1])
        if equation == 0x800A:
            return b.fsub(weighted, onto)
        return b.fsub(onto, weighted) if equation == 0x800B else b.fadd(weighted, onto)

    def _factor(self, code: int, source: Value, target: Value, alpha: bool) -> Value:
        """A factor by its GL enum."""
        v, b = self.v, self.v.builder
        one = v.number(1)
        if code in (0, 1) or (alpha and code == 0x0308):
            return v.number(0) if code == 0 else one
        source_alpha, target_alpha = (shuffle(b, x, None, [12, 13, 14, 15] * 4) for x in (source, target))
        if code == 0x0308:
            rest = b.fsub(one, target_alpha)
            return b.select(b.fcmp_ordered("<", rest, source_alpha), rest, source_alpha)
        # Enums come in pairs, a value and one minus it.
        first = code - (code & 1) if code < 0x8000 else code - (code - 0x8001 & 1)
        values = {
            0x0300: source,
            0x0302: source_alpha,
            0x0304: target_alpha,
            0x0306: target,
            0x8001: self.constant,
            0x8003: self.constant_alpha,
        }
        value = values[first]
        return value if code == first else b.fsub(one, value)
