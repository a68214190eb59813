"""Common parts of the kinds of textures beyond plain images in vector code."""

from __future__ import annotations

from copy import copy

from llvmlite import ir

from ..ir.memory import POINTER, struct_of
from ..ir.vectors import INT, Value, Vectors
from .unit import Filtered, Sampling

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
