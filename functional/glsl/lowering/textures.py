"""Texture functions (section 8.7 of ESSL 1.00) as texture operations."""

from dataclasses import dataclass

from ..ssa import Builder, Operand
from ..types import SamplerType

_DIMENSIONS = {"2d": 2, "external": 2, "cube": 3, "3d": 3, "2d_array": 3}


@dataclass(frozen=True, slots=True)
class TextureData:
    """What a texture operation samples: a sampler variable, which of its elements, and how."""

    variable: object
    offset: int
    target: str
    shadow: bool = False
    offsets: tuple[int, ...] | None = None


def is_texture_function(name: str) -> bool:
    """Whether a built-in function samples a texture."""
    return name.startswith("texture")


def expand_texture(
    builder: Builder, name: str, sampler: SamplerType, leaf: Operand, arguments: list[Operand]
) -> Operand:
    """The result of a texture function.

    Parameters
    ----------
    name : str
        Such as "texture2DProjLodEXT".
    sampler : SamplerType
        What it samples.
    leaf : Operand
        The sampler.
    arguments : list of Operand
        Coordinates, then bias, level of detail or gradients.
    """
    variable, offset = leaf.value.data
    data = TextureData(variable, offset, "2d" if sampler.target == "external" else sampler.target)
    dimensions = _DIMENSIONS[sampler.target]
    coordinates = arguments[0]
    projective = "Proj" in name
    divisor = builder.select(coordinates, (len(coordinates.swizzle) - 1,)) if projective else None
    parts = [builder.select(coordinates, (i,)) for i in range(dimensions)]
    if len(arguments) == 1:
        if divisor is None:
            return _make(builder, "TEX", parts, None, data)
        return _make(builder, "TXP", parts, divisor, data)
    if divisor is not None:
        parts = [builder.alu("DIV", part, divisor) for part in parts]
    if "Grad" in name:
        packed = _packed(builder, parts, None)
        return builder.shared("TXD", 4, (packed, *(_padded(builder, g) for g in arguments[1:])), data)
    return _make(builder, "TXL" if "Lod" in name else "TXB", parts, arguments[1], data)


def _packed(builder: Builder, parts: list[Operand], last: Operand | None) -> Operand:
    filler = [builder.undefined(1)] * (3 - len(parts))
    return builder.vector([*parts, *filler, last if last is not None else builder.undefined(1)])


def _padded(builder: Builder, gradient: Operand) -> Operand:
    return _packed(builder, [builder.select(gradient, (i,)) for i in range(len(gradient.swizzle))], None)


def _make(
    builder: Builder, op: str, parts: list[Operand], last: Operand | None, data: TextureData
) -> Operand:
    return builder.shared(op, 4, (_packed(builder, parts, last),), data)
