"""Inputs of a fragment shader at a vector of lanes: perspective-correct interpolation of triangles, lines and points.

The arithmetic is that of the activity's kernels (weights in double precision, varyings in single precision), so that
interpolated values have the same bits in all implementations (OpenGL ES 2.0, 3.5.1).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

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
    latest
        Memory with the number of the primitive whose values were computed last, if all quads belong to the primitive of
        the first one: its values are computed once, and kept for the vectors that follow.
    """

    def __init__(
        self, v: Vectors, arguments: FragmentArguments, quads: list[Value], size: int, latest: Value = None
    ) -> None:
        self.v, self.size = v, size
        b = self.b = v.builder
        self.arguments = arguments
        count = v.width // 4
        self.count = count if latest is None else 1
        numbers = [b.extract_element(quads[0], ir.Constant(INT, i)) for i in range(self.count)]
        self.primitive = [b.sext(number, LONG) for number in numbers]
        self._new = None if latest is None else self._where_new(latest)
        self.x, self.y = (b.zext(column, ir.VectorType(INT, count)) for column in quads[1:])

    def _where_new(self, latest: Value) -> Any:
        """Block that is executed if the primitive is not the latest one."""
        b, number = self.b, self.primitive[0]
        new, same = b.append_basic_block("new"), b.append_basic_block("known")
        b.cbranch(b.icmp_signed("!=", number, b.load(latest, typ=LONG)), new, same)
        b.position_at_end(new)
        b.store(number, latest)
        b.branch(same)
        b.position_at_end(same)
        return new

    def _each(self, emit: Callable[[], list[Value]]) -> list[Value]:
        """Values of the primitives, which ``emit`` emits without branches. It alone may use what is computed from
        primitives."""
        if self._new is None:
            return emit()
        b = self.b
        with b.goto_block(self._new):
            values = emit()
        with b.goto_entry_block():
            kept = [b.alloca(value.type) for value in values]
        with b.goto_block(self._new):
            for value, place in zip(values, kept, strict=True):
                b.store(value, place)
        return [b.load(place, typ=value.type) for place, value in zip(kept, values, strict=True)]

    @cached_property
    def _corners(self) -> list[list[Value]]:
        """Vertices of each primitive."""
        b, corners = self.b, self.arguments.corners.data
        starts = [b.mul(primitive, ir.Constant(LONG, 3)) for primitive in self.primitive]
        return [
            [b.sext(element(b, corners, b.add(start, ir.Constant(LONG, i)), INT), LONG) for i in range(self.size)]
            for start in starts
        ]

    def _of_lane(self, lane: int) -> int:
        """Primitive that a lane belongs to."""
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
            self._four(self.arguments.window, [self.b.mul(c[corner], four) for c in self._corners])
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

        def line() -> list[Value]:
            ax, ay, aw, bx, by, bw = self._places(perspective)
            bx, by = b.fsub(bx, ax), b.fsub(by, ay)
            return [ax, ay, aw, bx, by, bw, b.fadd(b.fmul(bx, bx), b.fmul(by, by))]

        ax, ay, aw, bx, by, bw, length = (self._to_lanes(q) for q in self._each(line))
        x, y = (b.fsub(c, a) for c, a in zip(self.centre, (ax, ay), strict=True))
        zero, one = v.double(0), v.double(1)
        along = b.fdiv(b.fadd(b.fmul(x, bx), b.fmul(y, by)), length)
        along = b.select(b.fcmp_ordered(">", length, zero), along, zero)
        total = b.fadd(b.fmul(b.fsub(one, along), aw), b.fmul(along, bw))
        weight = b.fptrunc(b.fdiv(b.fmul(along, bw), total), v.floats)
        return b.select(b.fcmp_unordered("!=", total, zero), weight, v.number(0))

    def _triangle_weights(self, perspective: bool) -> tuple[Value, Value]:
        v, b = self.v, self.b

        def triangle() -> list[Value]:
            ax, ay, aw, bx, by, bw, cx, cy, cw = self._places(perspective)
            bx, by, cx, cy = b.fsub(bx, ax), b.fsub(by, ay), b.fsub(cx, ax), b.fsub(cy, ay)
            area = b.fsub(b.fmul(bx, cy), b.fmul(by, cx))
            has_area = b.fcmp_unordered("!=", area, self._constants([0.0] * self.count))
            has_area = b.sext(has_area, ir.VectorType(INT, self.count))
            return [ax, ay, aw, bx, by, bw, cx, cy, cw, b.fmul(area, aw), has_area]

        values = [self._to_lanes(q) for q in self._each(triangle)]
        ax, ay, aw, bx, by, bw, cx, cy, cw, whole, has_area = values
        x, y = (b.fsub(c, a) for c, a in zip(self.centre, (ax, ay), strict=True))
        of_b = b.fsub(b.fmul(x, cy), b.fmul(y, cx))
        of_c = b.fsub(b.fmul(bx, y), b.fmul(by, x))
        at_b, at_c = b.fmul(of_b, bw), b.fmul(of_c, cw)
        at_a = b.fsub(b.fsub(whole, b.fmul(of_b, aw)), b.fmul(of_c, aw))
        total = b.fadd(b.fadd(at_a, at_b), at_c)
        valid = b.and_(b.fcmp_unordered("!=", total, v.double(0)), b.icmp_signed("!=", has_area, v.integer(0)))
        first, second = (b.fptrunc(b.fdiv(part, total), v.floats) for part in (at_b, at_c))
        return b.select(valid, first, v.number(0)), b.select(valid, second, v.number(0))

    def varying(self, slot: int, flat: bool, straight: bool, components: list[int]) -> list[Value]:
        """Some components of a varying, without perspective if it is straight."""
        v, b = self.v, self.b
        if flat:
            (last,) = self._each(lambda: [self._outputs(self.size - 1, slot)])
            return [self._component(last, c) for c in components]

        def corners() -> list[Value]:
            base, *others = (self._outputs(corner, slot) for corner in range(self.size))
            return [base, *[b.fsub(other, base) for other in others]]

        parts = self._each(corners) + [v.number(0)] * (3 - self.size)
        first, second = self.straight_weights if straight else self.weights
        values = []
        for c in components:
            base, along, across = (self._component(part, c) for part in parts)
            values.append(b.fadd(b.fadd(base, b.fmul(first, along)), b.fmul(second, across)))
        return values

    @cached_property
    def _starts(self) -> list[list[Value]]:
        """First output of each corner of each primitive."""
        stride = self.arguments.outputs.shape[1]
        return [[self.b.mul(corner, stride) for corner in corners] for corners in self._corners]

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
        planes = self.arguments.planes
        plane = self._each(lambda: [self._column(planes, self.primitive, 3, i, DOUBLE) for i in range(3)])
        plane = [self._to_lanes(column) for column in plane]
        depth = b.fadd(b.fadd(plane[0], b.fmul(plane[1], x)), b.fmul(plane[2], y))
        depth = b.select(b.fcmp_ordered("<", depth, v.double(0)), v.double(0), depth)
        depth = b.select(b.fcmp_ordered(">", depth, v.double(1)), v.double(1), depth)
        first, second = self.weights
        one, zero = v.number(1), v.number(0)
        inverses = self._each(lambda: [self._window(corner, 3) for corner in range(self.size)])
        w = []
        for inverse in (self._to_lanes(inverse) for inverse in inverses):
            w.append(b.fdiv(one, b.select(b.fcmp_ordered(">", inverse, zero), inverse, one)))
        w += [zero] * (3 - self.size)
        total = b.fadd(w[0], b.fmul(first, b.fsub(w[1], w[0])))
        total = b.fadd(total, b.fmul(second, b.fsub(w[2], w[0])))
        return [b.fptrunc(x, v.floats), b.fptrunc(y, v.floats), b.fptrunc(depth, v.floats), b.fdiv(one, total)]

    def point_coordinates(self) -> list[Value]:
        """gl_PointCoord: 0…1 across a point, t from the top (OpenGL ES 2.0, 3.3)."""
        v, b = self.v, self.b
        extent = self.arguments.extent.data

        def point() -> list[Value]:
            sizes = join(b, [element(b, extent, p, FLOAT) for p in self.primitive])
            return [sizes, self._window(0, 0), self._window(0, 1)]

        size, *centre = (self._to_lanes(value) for value in self._each(point))
        size = b.select(b.fcmp_ordered(">", size, v.number(0)), size, v.number(1))
        across, up = (
            b.fdiv(b.fsub(b.fptrunc(pixel, v.floats), place), size)
            for pixel, place in zip(self.centre, centre, strict=True)
        )
        half, zero = v.number(0.5), v.number(0)
        return [b.fadd(half, across), b.fsub(half, up), zero, zero]

    def facing(self) -> list[Value]:
        """1 if a triangle faces the viewer, otherwise -1."""
        v, b = self.v, self.b
        facing = self.arguments.front.data
        (front,) = self._each(lambda: [join(b, [b.zext(element(b, facing, p, BYTE), INT) for p in self.primitive])])
        lanes = self._to_lanes(front)
        return [b.select(b.icmp_signed("!=", lanes, v.integer(0)), v.number(1), v.number(-1))] * 4
