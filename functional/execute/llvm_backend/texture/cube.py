"""Cube maps in vector code, with filtering across the edges of faces (OpenGL ES 3.0, 3.8.10.1).

At a corner, where only three texels exist, their mean replaces the fourth.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from llvmlite import ir

from ....activity.kernels.cube import face_texel
from ...kernel_arguments import SAMPLER
from ..ir.memory import POINTER, any_lane, between, choose, either, gather, struct_of
from ..ir.vectors import INT, Value, Vectors
from .unit import Filtered, Sampling

_PROBED = 4
"""Texels along the edges of the cube that the rules of folding are read from: first, second, last but one, and last
differ."""
_EDGES = ((-1, 1), (_PROBED, 1), (1, -1), (1, _PROBED))
"""Texels one beyond the left, right, lower and upper edge, the second along it."""
_RULES = "cube_edges"
Tap = tuple[Value, Value]
"""One of 2x2 texels: its position in the storage, and whether it is missing beyond a corner."""


FILTER = "filter"


class DeepSampling(Sampling):
    """Filters levels in a separate function shared by the module: it is long, and compiling takes time."""

    HAS_SHORT_WAY = False

    def _level(self, level: Value, linear: Value) -> Filtered:
        v, b = self.v, self.v.builder
        function = b.module.globals.get(FILTER) or self._filter_function()
        face = v.integer(0) if self.face is None else self.face
        # A plain sampler without depth comparison passes only two coordinates.
        inputs = [self.s, self.t, self.r or v.number(0), self.reference or v.number(0), face, *self.shift]
        result = b.call(function, [self.sampler, level, b.sext(linear, v.ints), *inputs])
        *channels, x, y, face = (b.extract_value(result, i) for i in range(7))
        self._met(face)
        return Filtered(channels, x, y)

    def _met(self, face: Value) -> None:
        """The image that a level was read from is known now."""

    def _filter_function(self) -> ir.Function:
        floats, ints = self.v.floats, self.v.ints
        result = ir.LiteralStructType([floats] * 4 + [ints] * 3)
        kind = ir.FunctionType(result, [POINTER, ints, ints, *[floats] * 4, ints, *[INT] * len(self.shift)])
        function = ir.Function(self.v.builder.module, kind, FILTER)
        function.linkage = "internal"
        function.attributes.add("noinline")
        inner = copy(self)
        inner.function = function
        inner.sampler, level, linear, inner.s, inner.t, inner.r, inner.reference, *others = function.args
        inner.face, *inner.shift = others
        inner.v = v = Vectors(ir.IRBuilder(function.append_basic_block("entry")), self.width)
        b = v.builder
        filtered = inner._filter(level, b.icmp_signed("!=", linear, v.integer(0)))
        b.ret(struct_of(b, [*filtered.channels, filtered.x, filtered.y, inner.face]))
        return function


class CubeSampling(DeepSampling):
    """Samples cube maps."""

    def _place(self) -> None:
        """The face that a direction points at, and coordinates on it (OpenGL ES 2.0, table 3.10)."""
        v, b = self.v, self.v.builder
        x, y, z = self.s, self.t, self.r
        ax, ay, az = (v.call("fabs", c) for c in (x, y, z))
        in_x = b.and_(b.fcmp_ordered(">=", ax, ay), b.fcmp_ordered(">=", ax, az))
        in_y = b.fcmp_ordered(">=", ay, az)

        def chosen(of_x: Value, of_y: Value, of_z: Value) -> Value:
            return b.select(in_x, of_x, b.select(in_y, of_y, of_z))

        positive = b.fcmp_ordered(">=", chosen(x, y, z), v.number(0))
        face = chosen(v.integer(0), v.integer(2), v.integer(4))
        self.face = b.select(positive, face, b.add(face, v.integer(1)))
        major = chosen(ax, ay, az)
        first = chosen(b.select(positive, b.fneg(z), z), x, b.select(positive, x, b.fneg(x)))
        second = chosen(b.fneg(y), b.select(positive, z, b.fneg(z)), b.fneg(y))
        pointing = b.fcmp_ordered(">", major, v.number(0))
        self.s, self.t = (
            b.select(pointing, b.fmul(b.fadd(b.fdiv(c, major), v.number(1)), v.number(0.5)), v.number(0.5))
            for c in (first, second)
        )

    def _filter(self, level: Value, linear: Value) -> Filtered:
        v = self.v
        face = Faces(v, self._size(SAMPLER.width, level), self._start(level), self.face)
        (x, fu), (y, fv) = self._on_face(face.size, linear)
        return Filtered(self._read(face, x, y, (fu, fv), linear), x, y)

    def _on_face(self, size: Value, linear: Value) -> list[tuple[Value, Value]]:
        """Base texel and distance from it, along both edges of a face."""
        v, b = self.v, self.v.builder
        half = b.select(linear, v.number(0.5), v.number(0))
        lowest, last = b.select(linear, v.integer(-1), v.integer(0)), b.sub(size, v.integer(1))
        texels = [self._texel(c, size, half, axis) for axis, c in enumerate((self.s, self.t))]
        # Coordinates exactly at the edge may round to a texel beyond the face.
        return [(between(b, texel, lowest, last), distance) for texel, distance in texels]

    def _base_texel(self, level: Value, linear: Value) -> tuple[Value, Value]:
        (x, _), (y, _) = self._on_face(self._size(SAMPLER.width, level), linear)
        return x, y

    def _read(self, face: Faces, x: Value, y: Value, weights: tuple[Value, Value], linear: Value) -> list[Value]:
        """Channels of a texel, or of 2x2 texels."""
        b = self.v.builder
        single = self._texels(face.place(x, y))

        def mixed() -> list[Value]:
            taps = self._taps(face, x, y, linear)
            filtered = [self._bilinear(c, list(o), weights) for c, *o in zip(*taps, strict=True)]
            return [b.select(linear, f, c) for f, c in zip(filtered, single, strict=True)]

        return choose(b, any_lane(b, linear), mixed, single)

    def _taps(self, face: Faces, x: Value, y: Value, linear: Value) -> list[list[Value]]:
        """Channels of 2x2 texels, with those beyond corners replaced."""
        v, b = self.v, self.v.builder

        def plain() -> list[Value]:
            places = [face.place(b.add(x, v.integer(i & 1)), b.add(y, v.integer(i >> 1))) for i in range(4)]
            return [channel for place in places for channel in self._texels(place)]

        def folded() -> list[Value]:
            taps = [face.tap(x, y, i) for i in range(4)]
            texels = [self._texels(place) for place, _ in taps]
            return [channel for channels in _with_corners(v, taps, texels) for channel in channels]

        values = either(b, any_lane(b, b.and_(linear, face.beyond(x, y))), folded, plain)
        return [values[i : i + 4] for i in range(0, 16, 4)]


@dataclass
class Faces:
    """The faces of a level: texels along an edge, first texel, and the face of each lane."""

    v: Vectors
    size: Value
    start: Value
    face: Value

    @property
    def last(self) -> Value:
        """Last texel along an edge."""
        return self.v.builder.sub(self.size, self.v.integer(1))

    def beyond(self, x: Value, y: Value) -> Value:
        """Whether 2x2 texels extend beyond the edges."""
        v, b = self.v, self.v.builder
        behind = b.or_(b.icmp_signed(">=", x, self.last), b.icmp_signed(">=", y, self.last))
        return b.or_(b.icmp_signed("<", b.or_(x, y), v.integer(0)), behind)

    def place(self, x: Value, y: Value, face: Value = None) -> Value:
        """Position of a texel of the lane's face, or of another; positions of unused texels are inside, too."""
        v, b = self.v, self.v.builder
        x, y = (between(b, c, v.integer(0), self.last) for c in (x, y))
        row = b.add(b.mul(self.face if face is None else face, self.size), y)
        return b.add(self.start, b.add(b.mul(row, self.size), x))

    def tap(self, x: Value, y: Value, number: int) -> Tap:
        """Texel x + (number & 1), y + (number >> 1), on its actual face."""
        v, b = self.v, self.v.builder
        x, y = b.add(x, v.integer(number & 1)), b.add(y, v.integer(number >> 1))
        below, low = (b.icmp_signed("<", c, v.integer(0)) for c in (x, y))
        out_x, out_y = (b.or_(o, b.icmp_signed(">", c, self.last)) for o, c in ((below, x), (low, y)))
        edge = b.select(out_x, b.select(below, v.integer(0), v.integer(1)), b.select(low, v.integer(2), v.integer(3)))
        rule = gather(v, _rules(b), b.add(b.shl(self.face, v.integer(2)), edge))
        face, column, row = (b.and_(b.lshr(rule, v.integer(shift)), v.integer(7)) for shift in (0, 3, 6))
        along, inside = b.select(out_x, y, x), b.not_(b.or_(out_x, out_y))
        x, y = (b.select(inside, c, self._followed(rule, along)) for c, rule in ((x, column), (y, row)))
        return self.place(x, y, b.select(inside, self.face, face)), b.and_(out_x, out_y)

    def _followed(self, rule: Value, along: Value) -> Value:
        """Column or row on the neighbour, from the texel along the edge."""
        v, b = self.v, self.v.builder
        face = self.last
        for number, value in enumerate((v.integer(0), along, b.sub(self.last, along))):
            face = b.select(b.icmp_signed("==", rule, v.integer(number)), value, face)
        return face


def _rules(b: ir.IRBuilder) -> Value:
    """Face, column and row (0 for the first, 1 for the one along the edge, 2 counted from its end, 3 for the last)
    beyond each edge of each face."""
    table = b.module.globals.get(_RULES)
    if table is None:
        # As plain Python: compiling it would take longer than running it.
        plain = getattr(face_texel, "py_func", face_texel)
        probed = [plain(face, x, y, _PROBED) for face in range(6) for x, y in _EDGES]
        numbers = [int(to) | int(column) << 3 | int(row) << 6 for to, column, row in probed]
        table = ir.GlobalVariable(b.module, ir.ArrayType(INT, len(numbers)), _RULES)
        table.global_constant, table.linkage = True, "internal"
        table.initializer = ir.Constant(table.value_type, [ir.Constant(INT, n) for n in numbers])
    pointer = b.gep(table, [ir.Constant(INT, 0)], source_etype=INT)
    pointer.type = POINTER
    return pointer


def _with_corners(v: Vectors, taps: list[Tap], texels: list[list[Value]]) -> list[list[Value]]:
    """Channels with the mean of the three others where a tap is missing."""
    b, present = v.builder, []
    for (_, missing), channels in zip(taps, texels, strict=True):
        present.append([b.select(missing, v.number(0), c) for c in channels])
    sums = [b.fadd(b.fadd(b.fadd(x, y), z), w) for x, y, z, w in zip(*present, strict=True)]
    means = [b.fdiv(total, v.number(3)) for total in sums]
    return [
        [b.select(missing, mean, c) for mean, c in zip(means, channels, strict=True)]
        for (_, missing), channels in zip(taps, present, strict=True)
    ]
