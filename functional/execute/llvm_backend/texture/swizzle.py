"""Swizzles of textures in vector code (OpenGL ES 3.0, 3.8.14)."""

from __future__ import annotations

from llvmlite import ir

from ...kernel_arguments import SAMPLER
from ..ir.memory import choose, field, field_in_all_lanes
from ..ir.vectors import LONG, Value, Vectors

_SELECTED = (SAMPLER.red, SAMPLER.green, SAMPLER.blue, SAMPLER.alpha)


def swizzled(v: Vectors, sampler: Value, channels: list[Value], one: Value) -> list[Value]:
    """The channel, zero or one that each component of a sampler selects.

    Parameters
    ----------
    v
        Where code goes.
    sampler
        Address of a `SamplerBlock`.
    channels
        Red, green, blue and alpha of the texels.
    one
        Number 1 in the texels' format.
    """
    b = v.builder
    is_set = b.icmp_unsigned("!=", field(b, sampler, SAMPLER.swizzled), ir.Constant(LONG, 0))
    return choose(b, is_set, lambda: _selected(v, sampler, channels, one), channels)


def _selected(v: Vectors, sampler: Value, channels: list[Value], one: Value) -> list[Value]:
    b = v.builder
    choices = [*channels, v.number(0), one]
    results = []
    for place in _SELECTED:
        code, chosen = field_in_all_lanes(v, sampler, place), channels[0]
        for number, choice in list(enumerate(choices))[1:]:
            chosen = b.select(b.icmp_signed("==", code, v.integer(number)), choice, chosen)
        results.append(chosen)
    return results
