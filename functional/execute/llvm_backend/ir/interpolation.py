"""Inputs of a fragment shader at a vector of lanes: perspective-correct interpolation of triangles, lines and points.

The arithmetic is that of the activity's kernels (weights in double precision, varyings in single precision), so that
interpolated values have the same bits in all implementations (OpenGL ES 2.0, 3.5.1).
"""

from __future__ import annotations

from functools import cached_property

from llvmlite import ir

from ...kernel_arguments import FragmentArguments
from .memory import concatenate, element, join, shuffle, to_lanes
from .vectors import BYTE, DOUBLE, FLOAT, INT, LONG, Value, Vectors


class Primitives:
    """The primitives that the quads of a vector belong to.

    Parameters
    ----------
    v
        Where code goes.
    arguments
        Of the kernel, as loaded.
    quads
        Vectors: primitive, x and y of each quad.
    size
        Corners of a primitive: 3 for triangles, 2 for lines, 1 for points.
    one
        Whether all quads belong to the primitive of the first one, so that its values are computed once.
    """

    def __init__(self, v: Vectors, arguments: FragmentArguments, quads: list[Value], size: int, one: bool) -> None:
        self.v, self.size = v, size
        b = self.b = v.builder
        self.arguments = arguments
        count = v.width // 4
        self.count = 1 if one else count
        numbers = [b.extract_element(quads[0], ir.Constant(INT, i)) for i in range(self.count)]
        self.primitive = [b.sext(number, LONG) for number in numbers]
        self.corners = [self._corners(p) for p in self.primitive]
        self.x, self.y = (b.zext(column, ir.VectorType(INT, count)) for column in quads[1:])

    def _corners(self, primitive: Value) -> list[Value]:
        b = self.b
        first = b.mul(primitive, ir.Constant(LONG, 3))
        return [
            b.sext(element(b, self.arguments.corners.data, b.add(first, ir.Constant(LONG, i)), INT), LONG)
            for i in range(self.size)
        ]

    def _of_lane(self, lane: int) -> int:
        """Which of the primitives a lane belongs to."""
        return lane // 4 % self.count

    def _to_lanes(self, of_primitives: Value) -> Value:
        """A value per primitive, in all lanes of it."""
        return shuffle(self.b, of_primitives, None, [self._of_lane(i) for i in range(self.v.width)])

    def _constants(self, values: list[float]) -> Value:
        return ir.Constant(ir.VectorType(DOUBLE, len(values)), [ir.Constant(DOUBLE, x) for x in values])

    def _column(self, array: Value, rows: list[Value], columns: int, column: int, kind: ir.Type) -> Value:
        """One column of an array, at a row per primitive."""
        b = self.b
        places = [b.add(b.mul(row, ir.Constant(LONG, columns)), ir.Constant(LONG, column)) for row in rows]
        return join(b, [element(b, array.data, place, kind) for place in places])

    @cached_property
    def _windows(self) -> list[Value]:
        """Window coordinates of each corner: four per primitive, one after the other."""
        four = ir.Constant(LONG, 4)
        return [
            self._four(self.arguments.window, [self.b.mul(c[corner], four) for c in self.corners])
            for corner in range(self.size)
        ]

    def _window(self, corner: int, component: int) -> Value:
        """A window coordinate of a corner, float per primitive."""
        return shuffle(self.b, self._windows[corner], None, [4 * i + component for i in range(self.count)])

    def _four(self, array: Value, starts: list[Value]) -> Value:
        """Four floats of an array from a place per primitive on, one after the other."""
        b, four = self.b, ir.VectorType(FLOAT, 4)
        places = [b.gep(array.data, [start], source_etype=FLOAT) for start in starts]
        return concatenate(b, [b.load(place, align=4, typ=four) for place in places])

    @cached_property
    def centre(self) -> tuple[Value, Value]:
        """Window coordinates of the pixel centres, doubles per lane."""
        v, b = self.v, self.b
        placed = []
        for quads, offsets in ((self.x, (0.5, 1.5, 0.5, 1.5)), (self.y, (0.5, 0.5, 1.5, 1.5))):
            wide = to_lanes(b, b.sitofp(b.add(quads, quads), ir.VectorType(DOUBLE, v.width // 4)))
            placed.append(b.fadd(wide, self._constants(list(offsets) * (v.width // 4))))
        return placed[0], placed[1]

    @cached_property
    def weights(self) -> tuple[Value, Value]:
        """Perspective-correct weights of the second and third corner, floats per lane."""
        return self._weights(True)

    @cached_property
    def straight_weights(self) -> tuple[Value, Value]:
        """Weights without perspective."""
        return self._weights(False)

    def _weights(self, perspective: bool) -> tuple[Value, Value]:
        if self.size == 3:
            return self._triangle_weights(perspective)
        nothing = self.v.number(0)
        return (self._line_weight(perspective) if self.size == 2 else nothing), nothing

    def _places(self, perspective: bool) -> list[Value]:
        """Window x and y of each corner, doubles per primitive, each pair followed by 1/w, or 1 without perspective."""
        b, wide = self.b, ir.VectorType(DOUBLE, self.count)
        return [
            b.fpext(self._window(corner, component), wide)
            if perspective or component != 3
            else self._constants([1.0] * self.count)
            for corner in range(self.size)
            for component in (0, 1, 3)
        ]

    def _line_weight(self, perspective: bool) -> Value:
        """Weight of a line's end: position of the pixel centre's projection along the line."""
        v, b = self.v, self.b
        ax, ay, aw, bx, by, bw = self._places(perspective)
        bx, by = b.fsub(bx, ax), b.fsub(by, ay)
        length = b.fadd(b.fmul(bx, bx), b.fmul(by, by))
        ax, ay, aw, bx, by, bw, length = (self._to_lanes(q) for q in (ax, ay, aw, bx, by, bw, length))
        x, y = (b.fsub(c, a) for c, a in zip(self.centre, (ax, ay), strict=True))
        zero, one = v.double(0), v.double(1)
        along = b.fdiv(b.fadd(b.fmul(x, bx), b.fmul(y, by)), length)
        along = b.select(b.fcmp_ordered(">", length, zero), along, zero)
        total = b.fadd(b.fmul(b.fsub(one, along), aw), b.fmul(along, bw))
        weight = b.fptrunc(b.fdiv(b.fmul(along, bw), total), v.floats)
        return b.select(b.fcmp_unordered("!=", total, zero), weight, v.number(0))

    def _triangle_weights(self, perspective: bool) -> tuple[Value, Value]:
        v, b = self.v, self.b
        ax, ay, aw, bx, by, bw, cx, cy, cw = self._places(perspective)
        bx, by, cx, cy = b.fsub(bx, ax), b.fsub(by, ay), b.fsub(cx, ax), b.fsub(cy, ay)
        area = b.fsub(b.fmul(bx, cy), b.fmul(by, cx))
        whole, zeros = self._to_lanes(b.fmul(area, aw)), self._constants([0.0] * self.count)
        ones = self._constants([1.0] * self.count)
        has_area = self._to_lanes(b.select(b.fcmp_unordered("!=", area, zeros), ones, zeros))
        ax, ay, aw, bx, by, bw, cx, cy, cw = (self._to_lanes(q) for q in (ax, ay, aw, bx, by, bw, cx, cy, cw))
        x, y = (b.fsub(c, a) for c, a in zip(self.centre, (ax, ay), strict=True))
        of_b = b.fsub(b.fmul(x, cy), b.fmul(y, cx))
        of_c = b.fsub(b.fmul(bx, y), b.fmul(by, x))
        at_b, at_c = b.fmul(of_b, bw), b.fmul(of_c, cw)
        at_a = b.fsub(b.fsub(whole, b.fmul(of_b, aw)), b.fmul(of_c, aw))
        total = b.fadd(b.fadd(at_a, at_b), at_c)
        zero = v.double(0)
        valid = b.and_(b.fcmp_unordered("!=", total, zero), b.fcmp_ordered("!=", has_area, zero))
        first, second = (b.fptrunc(b.fdiv(part, total), v.floats) for part in (at_b, at_c))
        return b.select(valid, first, v.number(0)), b.select(valid, second, v.number(0))

    def varying(self, slot: int, flat: bool, straight: bool, components: list[int]) -> list[Value]:
        """Some components of a varying, without perspective if it is straight."""
        v, b = self.v, self.b
        if flat:
            last = self._outputs(self.size - 1, slot)
            return [self._component(last, c) for c in components]
        corners = [self._outputs(corner, slot) for corner in range(self.size)]
        none = v.number(0)
        to_second, to_third = (b.fsub(corners[i], corners[0]) if i < self.size else none for i in (1, 2))
        first, second = self.straight_weights if straight else self.weights
        values = []
        for c in components:
            base, along, across = (self._component(part, c) for part in (corners[0], to_second, to_third))
            values.append(b.fadd(b.fadd(base, b.fmul(first, along)), b.fmul(second, across)))
        return values

    @cached_property
    def _starts(self) -> list[list[Value]]:
        """First output of each corner of each primitive."""
        stride = self.arguments.outputs.shape[1]
        return [[self.b.mul(corner, stride) for corner in corners] for corners in self.corners]

    def _outputs(self, corner: int, slot: int) -> Value:
        """A varying of a corner of each primitive: four components per primitive, one after the other."""
        of_slot, outputs = ir.Constant(LONG, 4 * slot), self.arguments.outputs
        return self._four(outputs, [self.b.add(starts[corner], of_slot) for starts in self._starts])

    def _component(self, values: Value, component: int) -> Value:
        return shuffle(self.b, values, None, [4 * self._of_lane(i) + component for i in range(self.v.width)])

    def coordinates(self) -> list[Value]:
        """gl_FragCoord: window x and y of the centre, depth, 1/w (OpenGL ES Shading Language 1.00, 7.2)."""
        v, b = self.v, self.b
        x, y = self.centre
        plane = [self._to_lanes(self._column(self.arguments.planes, self.primitive, 3, i, DOUBLE)) for i in range(3)]
        depth = b.fadd(b.fadd(plane[0], b.fmul(plane[1], x)), b.fmul(plane[2], y))
        depth = b.select(b.fcmp_ordered("<", depth, v.double(0)), v.double(0), depth)
        depth = b.select(b.fcmp_ordered(">", depth, v.double(1)), v.double(1), depth)
        first, second = self.weights
        one, zero = v.number(1), v.number(0)
        w = []
        for corner in range(self.size):
            inverse = self._to_lanes(self._window(corner, 3))
            w.append(b.fdiv(one, b.select(b.fcmp_ordered(">", inverse, zero), inverse, one)))
        w += [zero] * (3 - self.size)
        total = b.fadd(w[0], b.fmul(first, b.fsub(w[1], w[0])))
        total = b.fadd(total, b.fmul(second, b.fsub(w[2], w[0])))
        return [b.fptrunc(x, v.floats), b.fptrunc(y, v.floats), b.fptrunc(depth, v.floats), b.fdiv(one, total)]

    def point_coordinates(self) -> list[Value]:
        """gl_PointCoord: 0…1 across a point, t from the top (OpenGL ES 2.0, 3.3)."""
        v, b = self.v, self.b
        size = self._to_lanes(join(b, [element(b, self.arguments.extent.data, p, FLOAT) for p in self.primitive]))
        size = b.select(b.fcmp_ordered(">", size, v.number(0)), size, v.number(1))
        across, up = (
            b.fdiv(b.fsub(b.fptrunc(pixel, v.floats), self._to_lanes(self._window(0, i))), size)
            for i, pixel in enumerate(self.centre)
        )
        half, zero = v.number(0.5), v.number(0)
        return [b.fadd(half, across), b.fsub(half, up), zero, zero]

    def facing(self) -> list[Value]:
        """1 if a triangle faces the viewer, otherwise -1."""
        v, b = self.v, self.b
        front = join(b, [b.zext(element(b, self.arguments.front.data, p, BYTE), INT) for p in self.primitive])
        lanes = self._to_lanes(front)
        return [b.select(b.icmp_signed("!=", lanes, v.integer(0)), v.number(1), v.number(-1))] * 4
