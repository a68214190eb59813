"""Level of detail of gradients that a shader brings (GLSL ES 3.00, 8.8: textureGrad)."""

from __future__ import annotations

from ...kernel_arguments import SAMPLER
from ..ir.memory import field_in_all_lanes
from ..ir.transcendental import log2
from ..ir.vectors import Value, Vectors
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
    b, shape = v.builder, target.removeprefix("shadow_")
    places = [SAMPLER.width, SAMPLER.height] + [SAMPLER.layers] * (shape == "3d")
    sizes = [b.sitofp(field_in_all_lanes(v, sampler, place), v.floats) for place in places]
    if shape == "cube":
        # A direction's component ranges from -1 to 1 across a face: half as many texels per unit.
        sizes = [b.fmul(sizes[0], v.number(0.5))] * 3
    rho = v.number(0)
    for gradient in gradients:
        for change, size in zip(gradient, sizes, strict=False):
            rho = greater(v, rho, b.fmul(v.call("fabs", change), size))
    return log2(v, rho)
