"""Level of detail of gradients that a shader brings (GLSL ES 3.00, 8.8: textureGrad)."""

from __future__ import annotations

from ..ir.transcendental import log2
from ..ir.vectors import Value, Vectors
from .texels import texels_per_unit
from .unit import greater


def gradient_detail(v: Vectors, sampler: Value, target: str, gradients: tuple[list[Value], list[Value]]) -> Value:
    """The base-2 logarithm of the scale factor, before biases and limits.

    Parameters
    ----------
    v
        Where code goes.
    sampler
        Address of a `SamplerBlock`.
    target
        Of the operation.
    gradients
        Changes of the coordinates to the next pixel right, and up.
    """
    sizes, rho = texels_per_unit(v, sampler, target.removeprefix("shadow_")), v.number(0)
    for gradient in gradients:
        for change, size in zip(gradient, sizes, strict=False):
            rho = greater(v, rho, v.builder.fmul(v.call("fabs", change), size))
    return log2(v, rho)
