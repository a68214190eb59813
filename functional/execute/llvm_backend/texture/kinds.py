"""Kinds of textures in vector code: arrays, volumes and depth comparison (OpenGL ES 3.0, 3.8.10 and 3.8.15).

Shaders that blur shadows or draw text read one channel of an image: for these there is a kind without the three others.
To count texels, another kind finds levels and places as where texels are read, without reading them.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ...kernel_arguments import SAMPLER, TextureKind
from ..ir.memory import any_lane, choose, either, struct_of
from ..ir.vectors import FLOAT, INT, Value
from .cube import CubeSampling, DeepSampling, Faces
from .unit import EXPLICIT, IMPLICIT, Filtered, Sampling, greater, lesser, signature

SINGLE = "sample_single"
NOTING_IMPLICIT, NOTING_EXPLICIT = "note_implicit", "note_explicit"


def single_signature(width: int, shifted: bool = False) -> ir.FunctionType:
    """Number of the channel, and the arguments for two-dimensional images; returns the channel."""
    whole = signature(width, False, shifted)
    return ir.FunctionType(ir.VectorType(FLOAT, width), [INT, *whole.args])


class SingleSampling(Sampling):
    """Samples one channel of two-dimensional images, with the level of detail implied."""

    BEFORE = 1

    def _result(self) -> Value:
        """The single channel if all lanes read the first level in the same way, otherwise one of four channels."""
        b = self.v.builder
        if self._wide or self.kind.probed or self.kind.bordered:
            return self._one_of_four()[0]
        harder = b.or_(self._detailed(), self._is_set(SAMPLER.swizzled))
        return either(b, harder, self._one_of_four, self._of_base_level)[0]

    def _one_of_four(self) -> list[Value]:
        b = self.v.builder
        result = b.call(b.module.globals[IMPLICIT], self.arguments)
        chosen = b.extract_value(result, 0)
        for number in range(1, 4):
            is_it = b.icmp_signed("==", self.function.args[0], ir.Constant(INT, number))
            chosen = b.select(is_it, b.extract_value(result, number), chosen)
        return [chosen]

    def _channels(self, texel: Value) -> list[Value]:
        v, b = self.v, self.v.builder
        bits = v.splat_integer(b.shl(self.function.args[0], ir.Constant(INT, 3)))
        return [b.sitofp(b.and_(b.lshr(texel, bits), v.integer(255)), v.floats)]


def emit_texture_unit(module: ir.Module, width: int, kind: TextureKind) -> None:
    """The functions that sample a kind of texture."""
    sampling = sampling_of(kind)
    for name in (IMPLICIT, EXPLICIT):
        function = ir.Function(module, signature(width, kind.deep, kind.shifted), name)
        sampling(function, width, name == IMPLICIT, kind).emit()
    if not kind.deep:
        SingleSampling(ir.Function(module, single_signature(width, kind.shifted), SINGLE), width, True, kind).emit()


def sampling_of(kind: TextureKind) -> type[Sampling]:
    """The class that emits functions for a kind of texture."""
    return (_COMPARED if kind.compared else _PLAIN)[kind.shape]


class ArraySampling(DeepSampling):
    """Samples an array of images."""

    def _place(self) -> None:
        v, b = self.v, self.v.builder
        last = b.sub(self._integers(SAMPLER.layers), v.integer(1))
        layer = b.fadd(b.select(v.is_nan(self.r), v.number(0), self.r), v.number(0.5))
        layer = greater(v, v.call("floor", layer), v.number(0))
        self.face = b.fptosi(lesser(v, layer, b.sitofp(last, v.floats)), v.ints)

    def _image_start(self, level: Value, width: Value, height: Value) -> Value:
        b = self.v.builder
        return b.add(self._start(level), b.mul(self.face, b.mul(width, height)))


class VolumeSampling(DeepSampling):
    """Samples a three-dimensional texture: one slice, or two of which the second is read if a lane filters."""

    def _met(self, face: Value) -> None:
        # The first level comes first.
        self.face = face if self.face is None else self.face

    def _filter(self, level: Value, linear: Value) -> Filtered:
        v, b = self.v, self.v.builder
        depth = self._size(SAMPLER.layers, level)
        z, weight = self._texel(self.r, depth, b.select(linear, v.number(0.5), v.number(0)), 2)
        near, far = self._wrapped(z, depth, SAMPLER.wrap_r)
        self.face = self._slice = near
        first = super()._filter(level, linear)
        if self.kind.bordered:
            in_front, behind = self._outside(z, depth, SAMPLER.wrap_r)
            first.channels = self._or_border(in_front, first.channels)

        def mixed() -> list[Value]:
            self._slice = far
            channels = super(VolumeSampling, self)._filter(level, linear).channels
            if self.kind.bordered:
                channels = self._or_border(behind, channels)
            blended = [b.fadd(x, b.fmul(weight, b.fsub(y, x))) for x, y in zip(first.channels, channels, strict=True)]
            return [b.select(linear, y, x) for x, y in zip(first.channels, blended, strict=True)]

        return Filtered(choose(b, any_lane(b, linear), mixed, first.channels), first.x, first.y)

    def _base_texel(self, level: Value, linear: Value) -> tuple[Value, Value]:
        v, depth = self.v, self._size(SAMPLER.layers, level)
        z, _ = self._texel(self.r, depth, v.builder.select(linear, v.number(0.5), v.number(0)), 2)
        self._met(self._wrapped(z, depth, SAMPLER.wrap_r)[0])
        return super()._base_texel(level, linear)

    def _image_start(self, level: Value, width: Value, height: Value) -> Value:
        b = self.v.builder
        return b.add(self._start(level), b.mul(self._slice, b.mul(width, height)))


class _Comparing(DeepSampling):
    """Compares depths of one or two levels with the reference."""

    def _passes(self, texels: list[Value]) -> Value:
        """Whether the reference passes against depths."""
        v, b = self.v, self.v.builder
        reference = lesser(v, greater(v, self.reference, v.number(0)), v.number(1))
        function, passes = self._integers(SAMPLER.compare), None
        for bit, comparison in ((1, "<"), (2, "=="), (4, ">")):
            asked = b.icmp_signed("!=", b.and_(function, v.integer(bit)), v.integer(0))
            outcome = b.and_(asked, b.fcmp_ordered(comparison, reference, texels[0]))
            passes = outcome if passes is None else b.or_(passes, outcome)
        return passes

    def _shares(self, weights: Sequence[Value]) -> list[Value]:
        """Share of each of 2x2 texels."""
        v, b = self.v, self.v.builder
        fu, fv = weights
        columns, rows = ((b.fsub(v.number(1), f), f) for f in (fu, fv))
        return [b.fmul(column, row) for row in rows for column in columns]

    def _counted(self, passes: Value, share: Value) -> Value:
        return self.v.builder.select(passes, share, self.v.number(0))

    def _as_texel(self, share: Value) -> list[Value]:
        """The outcome as the red channel of a texel, which swizzles choose from."""
        return [share, self.v.number(0), self.v.number(0), self.v.number(1)]


class ComparedSampling(_Comparing):
    """Compares depths of a two-dimensional texture."""

    def _image(
        self, start: Value, rows: Sequence[Value], columns: Sequence[Value], weights: Sequence[Value], linear: Value
    ) -> list[Value]:
        v, b = self.v, self.v.builder
        places = [[b.add(b.add(start, row), column) for column in columns] for row in rows]
        one = self._counted(self._passes(self._image_taps([places[0][:1]])[0]), v.number(1))

        def mixed() -> list[Value]:
            total = v.number(0)
            for texels, share in zip(self._image_taps(places), self._shares(weights), strict=True):
                total = b.fadd(total, self._counted(self._passes(texels), share))
            return [b.select(linear, total, one)]

        return self._as_texel(choose(b, any_lane(b, linear), mixed, [one])[0])


class ComparedArraySampling(ComparedSampling, ArraySampling):
    """Compares depths of an array of images."""


class ComparedCubeSampling(_Comparing, CubeSampling):
    """Compares depths of a cube map; the weight of a missing texel is distributed to the others."""

    def _read(self, face: Faces, x: Value, y: Value, weights: tuple[Value, Value], linear: Value) -> list[Value]:
        v, b = self.v, self.v.builder
        one = self._counted(self._passes(self._texels(face.place(x, y))), v.number(1))

        def mixed() -> list[Value]:
            passed = total = v.number(0)
            for number, share in enumerate(self._shares(weights)):
                place, missing = face.tap(x, y, number)
                share = b.select(missing, v.number(0), share)
                total = b.fadd(total, share)
                passed = b.fadd(passed, self._counted(self._passes(self._texels(place)), share))
            share = b.select(b.fcmp_ordered(">", total, v.number(0)), b.fdiv(passed, total), v.number(0))
            return [b.select(linear, share, one)]

        return self._as_texel(choose(b, any_lane(b, linear), mixed, [one])[0])


_PLAIN = {"2d": Sampling, "cube": CubeSampling, "2d_array": ArraySampling, "3d": VolumeSampling}
_COMPARED = {"2d": ComparedSampling, "cube": ComparedCubeSampling, "2d_array": ComparedArraySampling}


class _Noting(Sampling):
    """Leaves out texels, before the steps of a kind of texture."""

    def _result(self) -> Value:
        self._filtered()
        return struct_of(self.v.builder, [self.v.number(0)] * 4)

    def _level(self, level: Value, linear: Value) -> Filtered:
        return Filtered([self.v.number(0)] * 4, *self._base_texel(level, linear))


def emit_noting(module: ir.Module, width: int, kind: TextureKind) -> None:
    """The functions that take the place of those with the level of detail implied and given; all channels are 0."""
    noting: type[Sampling] = type("Noting", (_Noting, sampling_of(kind)), {})
    for name in (NOTING_IMPLICIT, NOTING_EXPLICIT):
        function = ir.Function(module, signature(width, kind.deep, kind.shifted), name)
        noting(function, width, name == NOTING_IMPLICIT, kind).emit()
