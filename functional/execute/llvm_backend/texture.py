"""The texture unit in vector code: two-dimensional images of uint8 texels (OpenGL ES 3.0, 3.8.10 and 3.8.11).

The arithmetic is that of the pipeline's kernels, step by step: coordinates in double precision, filtering in single
precision, so that both back ends read the same texels and give the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ..kernel_arguments import WRAP_CLAMP, WRAP_MIRROR, WRAP_POWER_OF_TWO, WRAP_REPEAT, ReadField, SamplerField
from .memory import POINTER, any_lane, choose, field, gather
from .transcendental import log2
from .vectors import BYTE, FLOAT, INT, LONG, Value, Vectors

FAR = float(1 << 30)
MAX_BIAS = 16.0
IMPLICIT, EXPLICIT = "sample_implicit", "sample_explicit"


def signature(width: int) -> ir.FunctionType:
    """Sampler, note block or null, first lane, s, t, bias or level of detail; red, green, blue, alpha."""
    floats = ir.VectorType(FLOAT, width)
    return ir.FunctionType(ir.LiteralStructType([floats] * 4), [POINTER, POINTER, LONG, floats, floats, floats])


def emit_texture_unit(module: ir.Module, width: int) -> None:
    """The functions that sample."""
    for name in (IMPLICIT, EXPLICIT):
        function = ir.Function(module, signature(width), name)
        _Sampling(function, width, name == IMPLICIT).emit()


@dataclass
class _Filtered:
    """What one level gives: channels, and the base texel before wrapping."""

    channels: list[Value]
    x: Value
    y: Value


class _Sampling:
    """Emits one function."""

    def __init__(self, function: ir.Function, width: int, implicit: bool) -> None:
        self.function, self.width, self.implicit = function, width, implicit
        self.sampler, self.note, self.first, self.s, self.t, self.detail = function.args

    def emit(self) -> None:
        """Level of detail, levels, one or two filtered images, scale, swizzle."""
        b = ir.IRBuilder(self.function.append_basic_block("entry"))
        v = self.v = Vectors(b, self.width)
        detail = self._level_of_detail()
        minified = b.fcmp_ordered(">", detail, v.number(0))
        first, second, blend = self._levels(detail, minified)
        linear = b.select(minified, self._flags(SamplerField.MIN_LINEAR), self._flags(SamplerField.MAG_LINEAR))
        low = self._filter(first, linear)
        self._note_levels(0, first)
        self._notes(0, low)
        self._note_linear(linear)
        channels = self._second(second, blend, linear, low)
        scale = v.number(1 / 255)
        b.ret(self._struct(self._swizzled([b.fmul(c, scale) for c in channels])))

    def _struct(self, values: list[Value]) -> Value:
        b = self.v.builder
        result = ir.Constant(ir.LiteralStructType([self.v.floats] * 4), ir.Undefined)
        for i, value in enumerate(values):
            result = b.insert_value(result, value, i)
        return result

    def _field(self, name: SamplerField, kind: ir.Type = LONG) -> Value:
        return field(self.v.builder, self.sampler, name, kind)

    def _integers(self, name: SamplerField) -> Value:
        """An integer field in all lanes."""
        v = self.v
        return v.to_ints(v.splat(v.builder.bitcast(self._field(name, INT), FLOAT)))

    def _floats(self, name: SamplerField) -> Value:
        return self.v.splat(self._field(name, FLOAT))

    def _flags(self, name: SamplerField) -> Value:
        return self.v.builder.icmp_unsigned("!=", self._integers(name), self.v.integer(0))

    def _level_of_detail(self) -> Value:
        """Base-2 logarithm of the scale factor, biased and limited; 0 where no filter depends on it."""
        v = self.v
        needed = v.builder.icmp_unsigned("!=", self._field(SamplerField.DETAILED), ir.Constant(LONG, 0))
        return choose(v.builder, needed, lambda: [self._limited()], [v.number(0)])[0]

    def _limited(self) -> Value:
        v, b = self.v, self.v.builder
        detail = self.detail
        if self.implicit:
            s = b.fmul(self._change(self.s), b.sitofp(self._integers(SamplerField.WIDTH), v.floats))
            t = b.fmul(self._change(self.t), b.sitofp(self._integers(SamplerField.HEIGHT), v.floats))
            rho = _greater(v, _greater(v, v.number(0), s), t)
            bias = _lesser(v, _greater(v, self.detail, v.number(-MAX_BIAS)), v.number(MAX_BIAS))
            detail = b.fadd(log2(v, rho), bias)
        detail = b.fadd(detail, self._floats(SamplerField.BIAS))
        nan = v.is_nan(detail)
        limited = _lesser(
            v, _greater(v, detail, self._floats(SamplerField.MIN_LOD)), self._floats(SamplerField.MAX_LOD)
        )
        return b.select(nan, detail, limited)

    def _change(self, coordinate: Value) -> Value:
        """Largest change to the next pixel right or up."""
        v, b = self.v, self.v.builder
        base = v.of_quad(coordinate, 0)
        right, up = (v.call("fabs", b.fsub(v.of_quad(coordinate, lane), base)) for lane in (1, 2))
        return _greater(v, right, up)

    def _levels(self, detail: Value, minified: Value) -> tuple[Value, Value, Value]:
        """First level, second or -1, weight of the second."""
        v, b = self.v, self.v.builder
        top = self._integers(SamplerField.TOP)
        detail = _lesser(v, b.select(minified, detail, v.number(0)), b.sitofp(top, v.floats))
        mode = self._integers(SamplerField.MIPMAPS)
        lower = b.fptosi(detail, v.ints)
        nearest = b.fptosi(b.fadd(detail, v.number(0.5)), v.ints)
        nearest = b.select(b.icmp_signed("<", nearest, top), nearest, top)
        between = b.and_(b.icmp_signed("==", mode, v.integer(2)), minified)
        nearest = b.select(b.icmp_signed("==", mode, v.integer(1)), nearest, v.integer(0))
        first = b.select(between, lower, b.select(minified, nearest, v.integer(0)))
        weight = b.select(between, b.fsub(detail, b.sitofp(lower, v.floats)), v.number(0))
        has_second = b.and_(between, b.icmp_signed("<", first, top))
        second = b.select(has_second, b.add(first, v.integer(1)), v.integer(-1))
        return first, second, weight

    def _second(self, second: Value, blend: Value, linear: Value, low: _Filtered) -> list[Value]:
        """The two levels blended; the second is read only where a lane has one."""
        v, b = self.v, self.v.builder
        has = b.icmp_signed(">=", second, v.integer(0))
        self._note_levels(1, second)

        def mixed() -> list[Value]:
            high = self._filter(b.select(has, second, v.integer(0)), linear)
            self._notes(1, high)
            return [b.fadd(x, b.fmul(blend, b.fsub(y, x))) for x, y in zip(low.channels, high.channels, strict=True)]

        return choose(b, any_lane(b, has), mixed, low.channels)

    def _filter(self, level: Value, linear: Value) -> _Filtered:
        """One texel, or 2x2 with weights; a single texel is 2x2 with weights of 0."""
        v, b = self.v, self.v.builder
        width, height = self._size(SamplerField.WIDTH, level), self._size(SamplerField.HEIGHT, level)
        start = gather(v, self._field(SamplerField.OFFSETS, POINTER), level)
        half = b.select(linear, v.number(0.5), v.number(0))
        x, fu = self._texel(self.s, width, half)
        y, fv = self._texel(self.t, height, half)
        x0, x1 = self._wrapped(x, width, SamplerField.WRAP_S)
        y0, y1 = self._wrapped(y, height, SamplerField.WRAP_T)
        texels = self._field(SamplerField.TEXELS, POINTER)
        row0, row1 = (b.add(start, b.mul(row, width)) for row in (y0, y1))
        corner = gather(v, texels, b.add(row0, x0))
        single = [_channel(v, corner, channel) for channel in range(4)]

        def mixed() -> list[Value]:
            others = [gather(v, texels, b.add(row, column)) for row, column in ((row0, x1), (row1, x0), (row1, x1))]
            weights = [b.select(linear, f, v.number(0)) for f in (fu, fv)]
            return [self._bilinear(single[channel], others, weights, channel) for channel in range(4)]

        return _Filtered(choose(b, any_lane(b, linear), mixed, single), x, y)

    def _bilinear(self, a: Value, others: list[Value], weights: list[Value], channel: int) -> Value:
        v, b = self.v, self.v.builder
        right, up, diagonal = (_channel(v, texel, channel) for texel in others)
        low = b.fadd(a, b.fmul(weights[0], b.fsub(right, a)))
        high = b.fadd(up, b.fmul(weights[0], b.fsub(diagonal, up)))
        return b.fadd(low, b.fmul(weights[1], b.fsub(high, low)))

    def _size(self, name: SamplerField, level: Value) -> Value:
        """Width or height of a level."""
        v, b = self.v, self.v.builder
        size = b.lshr(self._integers(name), level)
        return b.select(b.icmp_signed(">", size, v.integer(1)), size, v.integer(1))

    def _texel(self, coordinate: Value, size: Value, half: Value) -> tuple[Value, Value]:
        """Base texel, and how far behind it the coordinate lies."""
        v, b = self.v, self.v.builder
        wide = b.fmul(b.fpext(coordinate, v.doubles), b.sitofp(size, v.doubles))
        place = b.fsub(wide, b.fpext(half, v.doubles))
        place = b.select(b.fcmp_ordered(">", place, v.double(-FAR)), place,
                         b.select(b.fcmp_unordered("uno", place, place), v.double(0), v.double(-FAR)))  # fmt: skip
        place = b.select(b.fcmp_ordered("<", place, v.double(FAR)), place, v.double(FAR))
        floor = v.call("floor", place, of=v.doubles)
        return b.fptosi(floor, v.ints), b.fptrunc(b.fsub(place, floor), v.floats)

    def _wrapped(self, texel: Value, size: Value, name: SamplerField) -> tuple[Value, Value]:
        """A texel and the next one inside the image."""
        v, b = self.v, self.v.builder
        following = b.add(texel, v.integer(1))
        end = self.function.append_basic_block("wrapped")
        found = {}
        repeat = self.function.append_basic_block("repeat")
        switch = b.switch(self._field(name), repeat)
        for number, wrap in _WRAPS.items():
            block = repeat if number == WRAP_REPEAT else self.function.append_basic_block("wrap")
            if block is not repeat:
                switch.add_case(ir.Constant(LONG, number), block)
            b.position_at_end(block)
            found[b.block] = wrap(v, texel, size), wrap(v, following, size)
            b.branch(end)
        b.position_at_end(end)
        results = [b.phi(v.ints), b.phi(v.ints)]
        for block, pair in found.items():
            for result, value in zip(results, pair, strict=True):
                result.add_incoming(value, block)
        return results[0], results[1]

    def _swizzled(self, channels: list[Value]) -> list[Value]:
        v, b = self.v, self.v.builder
        choices = [*channels, v.number(0), v.number(1)]
        swizzled = self._flags(SamplerField.SWIZZLED)
        results = []
        for channel, name in zip(
            channels, (SamplerField.RED, SamplerField.GREEN, SamplerField.BLUE, SamplerField.ALPHA), strict=True
        ):
            code, chosen = self._integers(name), channels[0]
            for number, choice in list(enumerate(choices))[1:]:
                chosen = b.select(b.icmp_signed("==", code, v.integer(number)), choice, chosen)
            results.append(b.select(swizzled, chosen, channel))
        return results

    def _noting(self) -> Any:
        b = self.v.builder
        return b.if_then(b.icmp_unsigned("!=", b.ptrtoint(self.note, LONG), ir.Constant(LONG, 0)))

    def _note_levels(self, which: int, level: Value) -> None:
        """Store the levels of all lanes, where reads are noted."""
        b = self.v.builder
        with self._noting():
            bytes_ = b.trunc(level, ir.VectorType(BYTE, self.width))
            b.store(bytes_, self._row(ReadField.LEVELS, which, BYTE), align=1)

    def _note_linear(self, linear: Value) -> None:
        """Store whether lanes read 2x2 texels."""
        b = self.v.builder
        with self._noting():
            bytes_ = b.zext(linear, ir.VectorType(BYTE, self.width))
            b.store(bytes_, self._row(ReadField.LINEAR, 0, BYTE), align=1)

    def _notes(self, which: int, filtered: _Filtered) -> None:
        """Store base texels of all lanes."""
        b = self.v.builder
        with self._noting():
            b.store(filtered.x, self._row(ReadField.X, which, INT), align=4)
            b.store(filtered.y, self._row(ReadField.Y, which, INT), align=4)

    def _row(self, name: ReadField, which: int, kind: ir.Type) -> Value:
        b = self.v.builder
        start = b.add(b.mul(field(b, self.note, ReadField.ROW), ir.Constant(LONG, which)), self.first)
        return b.gep(field(b, self.note, name, POINTER), [start], source_etype=kind)


def _greater(v: Vectors, a: Value, b: Value) -> Value:
    """The greater; the first where one is no number."""
    return v.builder.select(v.builder.fcmp_ordered(">", b, a), b, a)


def _lesser(v: Vectors, a: Value, b: Value) -> Value:
    """The lesser; the first where one is no number."""
    return v.builder.select(v.builder.fcmp_ordered("<", b, a), b, a)


def _channel(v: Vectors, texel: Value, channel: int) -> Value:
    """One byte of a texel as a float, 0 to 255."""
    b = v.builder
    value = b.lshr(texel, v.integer(8 * channel)) if channel else texel
    return b.sitofp(value if channel == 3 else b.and_(value, v.integer(255)), v.floats)


def _clamped(v: Vectors, texel: Value, size: Value) -> Value:
    b = v.builder
    last = b.sub(size, v.integer(1))
    texel = b.select(b.icmp_signed(">", texel, v.integer(0)), texel, v.integer(0))
    return b.select(b.icmp_signed("<", texel, last), texel, last)


def _repeated(v: Vectors, texel: Value, size: Value) -> Value:
    """The remainder, from 0 on; a quotient of doubles is never rounded to the next integer."""
    b = v.builder
    quotient = b.fdiv(b.sitofp(texel, v.doubles), b.sitofp(size, v.doubles))
    return b.sub(texel, b.mul(b.fptosi(v.call("floor", quotient, of=v.doubles), v.ints), size))


def _mirrored(v: Vectors, texel: Value, size: Value) -> Value:
    b = v.builder
    twice = b.add(size, size)
    texel = _repeated(v, texel, twice)
    return b.select(b.icmp_signed("<", texel, size), texel, b.sub(b.sub(twice, v.integer(1)), texel))


def _masked(v: Vectors, texel: Value, size: Value) -> Value:
    return v.builder.and_(texel, v.builder.sub(size, v.integer(1)))


_WRAPS = {WRAP_REPEAT: _repeated, WRAP_CLAMP: _clamped, WRAP_MIRROR: _mirrored, WRAP_POWER_OF_TWO: _masked}
