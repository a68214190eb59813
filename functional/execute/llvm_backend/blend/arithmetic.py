"""The arithmetic of blending, on vectors of any shape (OpenGL ES 3.0, 4.1.7), the same as in the pipeline's kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....opengl import enums as gl
from ...kernel_arguments import BlendState
from ..ir.operations import saturate
from ..ir.vectors import Value, Vectors

BYTE_FRACTIONS = 0x3B808000, 0x33808081
"""1/255 in two parts, as bits of floats: a byte times the first is exact, and that plus the byte times the second is
the byte over 255, rounded, for every byte; two multiplications are cheaper than a division."""


@dataclass(frozen=True)
class Side:
    """Colours and their alphas: shaded ones, those of the buffer, or the constant."""

    color: Value
    alpha: Value


class BlendArithmetic:
    """Emits the arithmetic of a blend state.

    Parameters
    ----------
    v
        Where code goes.
    state
        Its equations and factors.
    """

    def __init__(self, v: Vectors, state: BlendState) -> None:
        self.v, self.state = v, state

    def fraction(self, byte: Value) -> Value:
        """Bytes, as integers, divided by 255."""
        v, b = self.v, self.v.builder
        number = b.sitofp(byte, v.floats)
        first, second = (b.fmul(number, v.bits(part)) for part in BYTE_FRACTIONS)
        return b.fadd(first, second)

    def stored(self, value: Value) -> Value:
        """A colour as integers of 0 to 255."""
        v, b = self.v, self.v.builder
        return b.fptosi(b.fadd(b.fmul(saturate(v, value), v.number(255)), v.number(0.5)), v.ints)

    def blended(self, source: Side, target: Side, constant: Side, alpha: bool) -> Value:
        """By the equation of colour or alpha."""
        b, state = self.v.builder, self.state
        equation = state.equations[alpha]
        if equation == 0:
            return source.color
        if equation in (gl.MIN, gl.MAX):
            nearer = b.fcmp_ordered("<" if equation == gl.MIN else ">", target.color, source.color)
            return b.select(nearer, target.color, source.color)
        codes = state.sources[alpha], state.targets[alpha]
        factors = [self._factor(code, source, target, constant, alpha) for code in codes]
        weighted, onto = b.fmul(source.color, factors[0]), b.fmul(target.color, factors[1])
        if equation == gl.FUNC_SUBTRACT:
            return b.fsub(weighted, onto)
        return b.fsub(onto, weighted) if equation == gl.FUNC_REVERSE_SUBTRACT else b.fadd(weighted, onto)

    def _factor(self, code: int, source: Side, target: Side, constant: Side, alpha: bool) -> Value:
        """A factor by its GL enum; a saturated one is 1 for alpha."""
        v, b = self.v, self.v.builder
        one = v.number(1)
        if code in (gl.ZERO, gl.ONE) or (alpha and code == gl.SRC_ALPHA_SATURATE):
            return v.number(0) if code == gl.ZERO else one
        if code == gl.SRC_ALPHA_SATURATE:
            rest = b.fsub(one, target.alpha)
            return b.select(b.fcmp_ordered("<", rest, source.alpha), rest, source.alpha)
        # Enums come in pairs, a value and one minus it.
        first = code - (code & 1) if code < gl.CONSTANT_COLOR else code - (code - gl.CONSTANT_COLOR & 1)
        values: dict[int, Callable[[], Value]] = {
            gl.SRC_COLOR: lambda: source.color,
            gl.SRC_ALPHA: lambda: source.alpha,
            gl.DST_ALPHA: lambda: target.alpha,
            gl.DST_COLOR: lambda: target.color,
            gl.CONSTANT_COLOR: lambda: constant.color,
            gl.CONSTANT_ALPHA: lambda: constant.alpha,
        }
        value = values[first]()
        return value if code == first else b.fsub(one, value)
