"""The texture unit in vector code: two-dimensional images (OpenGL ES 3.0, 3.8.10 and 3.8.11).

The arithmetic is that of the pipeline's kernels, step by step: coordinates in double precision, filtering in single
precision, so that both back ends read the same texels and give the same bits. The steps are methods of one class, so
that other kinds of textures can override some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from ....activity.kernels.wrapping import CLAMP_TO_BORDER, REPEAT
from ...kernel_arguments import SAMPLER, TexelFormat, TextureKind
from ..ir.memory import (
    POINTER,
    any_lane,
    choose,
    either,
    element,
    field,
    field_in_all_lanes,
    gather,
    merged,
    struct_of,
)
from ..ir.transcendental import log2
from ..ir.vectors import FLOAT, INT, LONG, Value, Vectors
from .notes import Notes
from .probes import probed
from .texels import (
    BORDERED_WRAPS,
    WRAPS,
    byte_channel,
    byte_texels,
    float_texels,
    level_extent,
    swizzled,
    texels_per_unit,
)

FAR = float(1 << 30)
LARGEST = 1 << 14
"""No image has more texels along an edge."""
MAX_BIAS = 16.0
SHIFTS = 3
"""Texel offsets that calls pass: in x, y and z."""
_BORDER = SAMPLER.border_red, SAMPLER.border_green, SAMPLER.border_blue, SAMPLER.border_alpha
IMPLICIT, EXPLICIT = "sample_implicit", "sample_explicit"


def signature(width: int, deep: bool, shifted: bool = False) -> ir.FunctionType:
    """Sampler, note block or null, first lane, s, t, r and reference where it is deep, bias or level of detail, texel
    offsets where it is shifted; red, green, blue, alpha."""
    floats = ir.VectorType(FLOAT, width)
    inputs = [floats] * (5 if deep else 3) + [INT] * (SHIFTS if shifted else 0)
    return ir.FunctionType(ir.LiteralStructType([floats] * 4), [POINTER, POINTER, LONG, *inputs])


@dataclass
class Filtered:
    """Result for one level: channels, and the base texel before wrapping."""

    channels: list[Value]
    x: Value
    y: Value


class Sampling:
    """Emits one function: for two-dimensional images, unless a kind of texture overrides a step.

    Parameters
    ----------
    function
        To fill.
    width
        Lanes of a vector.
    implicit
        Whether the level of detail comes from differences inside quads.
    kind
        Of texture.

    Attributes
    ----------
    base_level
        The level of all lanes while they read the first one; None before.
    """

    HAS_SHORT_WAY = True
    """Whether the level is filtered inline, so that a special case for the first level pays off."""
    BEFORE = 0
    """Parameters before those of `signature`."""

    def __init__(self, function: ir.Function, width: int, implicit: bool, kind: TextureKind) -> None:
        self.function, self.width, self.implicit, self.kind = function, width, implicit, kind
        self.arguments = function.args[self.BEFORE :]
        plain, self.shift = self.arguments, ()
        if kind.shifted:
            plain, self.shift = plain[:-SHIFTS], plain[-SHIFTS:]
        self.sampler, self.note, self.first, self.s, self.t, *deep, self.detail = plain
        self.r: Value = deep[0] if deep else None
        self.reference: Value = deep[1] if deep else None
        self.face: Value = None
        self.base_level: Value = None
        self._beyond: tuple[tuple[Value, Value], tuple[Value, Value]] = ((None, None), (None, None))

    def emit(self) -> None:
        """The whole function."""
        b = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.v = Vectors(b, self.width)
        self.notes = self.noted(self.note)
        b.ret(self._result())

    def noted(self, block: Value) -> Notes:
        """Notes in a block, or none."""
        return Notes(self.v, block, self.first)

    def _result(self) -> Value:
        """Channels as the sampler's texture gives them to shaders."""
        v = self.v
        one = v.bits(1) if self.kind.texels is TexelFormat.INTEGERS else v.number(1)
        return struct_of(v.builder, swizzled(v, self.sampler, self._filtered(), one))

    def _filtered(self) -> list[Value]:
        """Level of detail, levels, one or two filtered images, scale; the mean of several probes."""
        v, b = self.v, self.v.builder
        if self.kind.probed and self.implicit:
            return probed(self)
        if self.implicit and self.HAS_SHORT_WAY:
            return list(either(b, self._detailed(), lambda: self._sampled(self._limited()), self._of_base_level))
        return self._sampled(choose(b, self._detailed(), lambda: [self._limited()], [v.number(0)])[0])

    def _sampled(self, detail: Value) -> list[Value]:
        """Channels at a level of detail."""
        v, b = self.v, self.v.builder
        minified = b.fcmp_ordered(">", detail, v.number(0))
        first, second, blend = self._levels(detail, minified)
        linear = b.select(minified, self._flags(SAMPLER.min_linear), self._flags(SAMPLER.mag_linear))
        self._place()
        low = self._level(first, linear)
        self.notes.levels(0, first)
        self.notes.texels(0, low.x, low.y)
        self.notes.linear(linear)
        channels = self._second(second, blend, linear, low)
        if self.face is not None:
            self.notes.face(self.face)
        return self._scaled(channels)

    def _of_base_level(self) -> list[Value]:
        """Channels if no filter depends on the level of detail: all lanes read the first level in the same way."""
        v = self.v
        level, linear = v.integer(0), self._flags(SAMPLER.mag_linear)
        self.base_level = level
        self.notes.levels(0, level)
        sampled = self._level(level, linear)
        self.notes.texels(0, sampled.x, sampled.y)
        self.notes.linear(linear)
        self.notes.levels(1, v.integer(-1))
        return self._scaled(sampled.channels)

    def _scaled(self, channels: list[Value]) -> list[Value]:
        """Bytes scaled to 0…1, others unchanged."""
        v = self.v
        if self._wide or self.kind.compared:
            return channels
        return [v.builder.fmul(c, v.number(1 / 255)) for c in channels]

    @property
    def _wide(self) -> bool:
        """Whether channels have 32 bits. Integers, which are never filtered, pass as floats with these bits."""
        return self.kind.texels is not TexelFormat.BYTES

    def _place(self) -> None:
        """Image of the coordinates, and position on it."""

    def _level(self, level: Value, linear: Value) -> Filtered:
        """Result for a level."""
        return self._filter(level, linear)

    def _field(self, place: int, kind: ir.Type = LONG) -> Value:
        return field(self.v.builder, self.sampler, place, kind)

    def _integers(self, place: int) -> Value:
        """An integer field in all lanes."""
        return field_in_all_lanes(self.v, self.sampler, place)

    def _floats(self, place: int) -> Value:
        return self.v.splat(self._field(place, FLOAT))

    def _flags(self, place: int) -> Value:
        return self.v.builder.icmp_unsigned("!=", self._integers(place), self.v.integer(0))

    def _detailed(self) -> Value:
        """Whether a filter depends on the level of detail."""
        return self._is_set(SAMPLER.detailed)

    def _is_set(self, place: int) -> Value:
        return self.v.builder.icmp_unsigned("!=", self._field(place), ir.Constant(LONG, 0))

    def _limited(self) -> Value:
        """Level of detail: the base-2 logarithm of the scale factor, biased and limited."""
        v, b = self.v, self.v.builder
        if not self.implicit:
            return self._within_limits(self.detail)
        # The scale factor is the same in all lanes of a quad.
        quads = v.quads()
        rho = quads.number(0)
        for coordinate, size in self.extents():
            rho = greater(quads, rho, b.fmul(self._change(quads, coordinate), size))
        return self._within_limits(b.fadd(v.given_to_quads(log2(quads, rho)), self._bias()))

    def _bias(self) -> Value:
        """The operation's bias."""
        v = self.v
        return lesser(v, greater(v, self.detail, v.number(-MAX_BIAS)), v.number(MAX_BIAS))

    def _within_limits(self, detail: Value) -> Value:
        """A level of detail with the sampler's bias, limited."""
        v, b = self.v, self.v.builder
        detail = b.fadd(detail, self._floats(SAMPLER.bias))
        nan = v.is_nan(detail)
        limited = lesser(v, greater(v, detail, self._floats(SAMPLER.min_lod)), self._floats(SAMPLER.max_lod))
        return b.select(nan, detail, limited)

    def extents(self) -> list[tuple[Value, Value]]:
        """Coordinates that count for the level of detail, and texels of the base level per unit of each, by quad."""
        sizes = texels_per_unit(self.v.quads(), self.sampler, self.kind.shape)
        return list(zip((self.s, self.t, self.r), sizes, strict=False))

    def _change(self, quads: Vectors, coordinate: Value) -> Value:
        """Largest change to the next pixel right or up."""
        v, b = self.v, self.v.builder
        base = v.taken_of_quads(coordinate, 0)
        right, up = (quads.call("fabs", b.fsub(v.taken_of_quads(coordinate, lane), base)) for lane in (1, 2))
        return greater(quads, right, up)

    def _levels(self, detail: Value, minified: Value) -> tuple[Value, Value, Value]:
        """First level, second or -1, weight of the second."""
        v, b = self.v, self.v.builder
        top = self._integers(SAMPLER.top)
        detail = lesser(v, b.select(minified, detail, v.number(0)), b.sitofp(top, v.floats))
        mode = self._integers(SAMPLER.mipmaps)
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

    def _second(self, second: Value, blend: Value, linear: Value, low: Filtered) -> list[Value]:
        """The two levels blended; the second is read only if a lane has one."""
        v, b = self.v, self.v.builder
        has = b.icmp_signed(">=", second, v.integer(0))
        self.notes.levels(1, second)

        def mixed() -> list[Value]:
            high = self._level(b.select(has, second, v.integer(0)), linear)
            self.notes.texels(1, high.x, high.y)
            pairs = list(zip(low.channels, high.channels, strict=True))
            blended = [b.fadd(x, b.fmul(blend, b.fsub(y, x))) for x, y in pairs]
            if self._wide:
                blended = [b.select(has, c, x) for c, (x, _) in zip(blended, pairs, strict=True)]
            return blended

        return choose(b, any_lane(b, has), mixed, low.channels)

    def _filter(self, level: Value, linear: Value) -> Filtered:
        """One texel, or 2x2 with weights; a single texel is 2x2 with weights of 0."""
        v, b = self.v, self.v.builder
        width, height = self._size(SAMPLER.width, level), self._size(SAMPLER.height, level)
        start = self._image_start(level, width, height)
        half = b.select(linear, v.number(0.5), v.number(0))
        x, fu = self._texel(self.s, width, half, 0)
        y, fv = self._texel(self.t, height, half, 1)
        if self.kind.bordered:
            self._beyond = self._outside(x, width, SAMPLER.wrap_s), self._outside(y, height, SAMPLER.wrap_t)
        x0, x1 = self._wrapped(x, width, SAMPLER.wrap_s)
        y0, y1 = self._wrapped(y, height, SAMPLER.wrap_t)
        rows = [b.mul(row, width) for row in (y0, y1)]
        return Filtered(self._image(start, rows, (x0, x1), (fu, fv), linear), x, y)

    def _base_texel(self, level: Value, linear: Value) -> tuple[Value, Value]:
        """The texel that `_filter` gives, without reading any."""
        v, b = self.v, self.v.builder
        half = b.select(linear, v.number(0.5), v.number(0))
        x, _ = self._texel(self.s, self._size(SAMPLER.width, level), half, 0)
        y, _ = self._texel(self.t, self._size(SAMPLER.height, level), half, 1)
        return x, y

    def _start(self, level: Value) -> Value:
        """First texel of a level."""
        v, offsets = self.v, self._field(SAMPLER.offsets, POINTER)
        if level is self.base_level:
            return v.to_ints(v.splat(element(v.builder, offsets, ir.Constant(LONG, 0), FLOAT)))
        return gather(v, offsets, level)

    def _image_start(self, level: Value, width: Value, height: Value) -> Value:
        """First texel of the image that is read."""
        return self._start(level)

    def _image(
        self, start: Value, rows: Sequence[Value], columns: Sequence[Value], weights: Sequence[Value], linear: Value
    ) -> list[Value]:
        """Channels of an image whose first texel is given, from two rows and two columns."""
        v, b = self.v, self.v.builder
        places = [[b.add(b.add(start, row), column) for column in columns] for row in rows]

        def mixed() -> list[Value]:
            single, *others = self._image_taps(places)
            if self._wide:
                # Selected rather than weighted by 0: an infinite texel times 0 is NaN.
                filtered = [self._bilinear(c, list(o), weights) for c, *o in zip(single, *others, strict=True)]
                return [b.select(linear, f, c) for f, c in zip(filtered, single, strict=True)]
            masked = [b.select(linear, f, v.number(0)) for f in weights]
            return [self._bilinear(c, list(o), masked) for c, *o in zip(single, *others, strict=True)]

        return list(either(b, any_lane(b, linear), mixed, lambda: self._image_taps([places[0][:1]])[0]))

    def _outside(self, texel: Value, size: Value, place: int) -> tuple[Value, Value]:
        """Whether a texel and the next one are on the border."""
        v, b = self.v, self.v.builder
        clamped = b.icmp_signed("==", self._integers(place), v.integer(CLAMP_TO_BORDER))
        # Negative ones are large without their sign.
        first, second = (b.icmp_unsigned(">=", one, size) for one in (texel, b.add(texel, v.integer(1))))
        return b.and_(clamped, first), b.and_(clamped, second)

    def _or_border(self, outside: Value, channels: list[Value]) -> list[Value]:
        """Channels, or those of the border colour."""
        border = [self._floats(place) for place in _BORDER]
        return [self.v.builder.select(outside, edge, c) for edge, c in zip(border, channels, strict=True)]

    def _image_taps(self, rows: Sequence[Sequence[Value]]) -> list[list[Value]]:
        """Channels of the texels of an image, or of its border, at positions in one or two rows and columns."""
        taps = self._of_rows(rows)
        if not self.kind.bordered:
            return taps
        columns, lines = self._beyond
        beyond = [
            self.v.builder.or_(line, column)
            for row, line in zip(rows, lines, strict=False)
            for _, column in zip(row, columns, strict=False)
        ]
        return [self._or_border(outside, channels) for outside, channels in zip(beyond, taps, strict=True)]

    def _texels(self, places: Value) -> list[Value]:
        """Four channels of texels: floats, or 0 to 255."""
        return self._of_rows([[places]])[0]

    def _of_rows(self, rows: Sequence[Sequence[Value]]) -> list[list[Value]]:
        """Channels of the texels at several positions, which are given row by row."""
        v, texels = self.v, self._field(SAMPLER.texels, POINTER)
        if self._wide:
            return [float_texels(v, texels, place) for row in rows for place in row]
        return [self._channels(texel) for texel in byte_texels(v, texels, self._integers(SAMPLER.last), rows)]

    def _channels(self, texel: Value) -> list[Value]:
        """The requested channels of a texel of bytes, 0 to 255."""
        return [byte_channel(self.v, texel, channel) for channel in range(4)]

    def _bilinear(self, a: Value, others: list[Value], weights: Sequence[Value]) -> Value:
        b, (right, up, diagonal) = self.v.builder, others
        low = b.fadd(a, b.fmul(weights[0], b.fsub(right, a)))
        high = b.fadd(up, b.fmul(weights[0], b.fsub(diagonal, up)))
        return b.fadd(low, b.fmul(weights[1], b.fsub(high, low)))

    def _size(self, place: int, level: Value) -> Value:
        """Width or height of a level."""
        return level_extent(self.v, self._integers(place), level)

    def _texel(self, coordinate: Value, size: Value, half: Value, axis: int) -> tuple[Value, Value]:
        """Base texel, and the distance of the coordinate from where it would be without an offset."""
        v, b = self.v, self.v.builder
        wide = b.fmul(b.fpext(coordinate, v.doubles), b.sitofp(size, v.doubles))
        place = b.fsub(wide, b.fpext(half, v.doubles))
        far = b.fcmp_unordered(">=", v.call("fabs", coordinate), v.number(FAR / LARGEST))
        place = choose(b, any_lane(b, far), lambda: [self._not_far(place)], [place])[0]
        floor = v.call("floor", place, of=v.doubles)
        texel, distance = b.fptosi(floor, v.ints), b.fptrunc(b.fsub(place, floor), v.floats)
        return b.add(texel, v.splat_integer(self.shift[axis])) if self.shift else texel, distance

    def _not_far(self, place: Value) -> Value:
        """A position in the range of integers; 0 for NaN."""
        v, b = self.v, self.v.builder
        place = b.select(b.fcmp_ordered(">", place, v.double(-FAR)), place,
                         b.select(b.fcmp_unordered("uno", place, place), v.double(0), v.double(-FAR)))  # fmt: skip
        return b.select(b.fcmp_ordered("<", place, v.double(FAR)), place, v.double(FAR))

    def _wrapped(self, texel: Value, size: Value, place: int) -> tuple[Value, Value]:
        """A texel and the next one inside the image."""
        v, b = self.v, self.v.builder
        following = b.add(texel, v.integer(1))
        end = self.function.append_basic_block("wrapped")
        repeat = self.function.append_basic_block("repeat")
        switch, ways = b.switch(self._field(place), repeat), []
        for number, wrap in (BORDERED_WRAPS if self.kind.bordered else WRAPS).items():
            block = repeat if number == REPEAT else self.function.append_basic_block("wrap")
            if block is not repeat:
                switch.add_case(ir.Constant(LONG, number), block)
            b.position_at_end(block)
            ways.append(([wrap(v, texel, size), wrap(v, following, size)], b.block))
            b.branch(end)
        b.position_at_end(end)
        first, second = merged(b, *ways)
        return first, second


def greater(v: Vectors, a: Value, b: Value) -> Value:
    """The greater; the first if one is NaN."""
    return v.builder.select(v.builder.fcmp_ordered(">", b, a), b, a)


def lesser(v: Vectors, a: Value, b: Value) -> Value:
    """The lesser; the first if one is NaN."""
    return v.builder.select(v.builder.fcmp_ordered("<", b, a), b, a)
