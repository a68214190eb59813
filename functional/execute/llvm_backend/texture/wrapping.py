"""Wrap modes in vector code: texels of an image for texel coordinates (OpenGL ES 3.0, table 3.21)."""

from __future__ import annotations

from ....activity.kernels.wrapping import CLAMP_TO_BORDER, CLAMP_TO_EDGE, MIRRORED_REPEAT, REPEAT
from ...kernel_arguments import WRAP_POWER_OF_TWO
from ..ir.memory import between
from ..ir.vectors import Value, Vectors


def _clamped(v: Vectors, texel: Value, size: Value) -> Value:
    return between(v.builder, texel, v.integer(0), v.builder.sub(size, v.integer(1)))


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


WRAPS = {REPEAT: _repeated, CLAMP_TO_EDGE: _clamped, MIRRORED_REPEAT: _mirrored, WRAP_POWER_OF_TWO: _masked}
"""Code by wrap mode."""
BORDERED_WRAPS = WRAPS | {CLAMP_TO_BORDER: _clamped}
"""The same where texels outside of the image are replaced afterwards."""
