"""Texture functions (section 8.7 of ESSL 1.00, 8.8 of ESSL 3.00) as texture operations."""

from dataclasses import dataclass

from ..ssa import Builder, Operand, bits_of
from ..types import SamplerType

_OFFSET_PLACES = {"texelFetchOffset": 2, "textureOffset": 1, "textureProjOffset": 1}
_DIMENSIONS = {"2d": 2, "external": 2, "cube": 3, "3d": 3, "2d_array": 3, "2d_ms": 2}


@dataclass(frozen=True, slots=True)
class TextureData:
    """Source of a texture operation: a sampler variable, its element, and the target."""

    variable: object
    offset: int
    target: str
    shadow: bool = False
    offsets: tuple[int, ...] | None = None


def is_texture_function(name: str) -> bool:
    """Whether a built-in function samples a texture."""
    return name.startswith(("texture", "texelFetch", "shadow2D"))


def expand_texture(
    builder: Builder, name: str, sampler: SamplerType, leaf: Operand, arguments: list[Operand]
) -> Operand:
    """The result of a texture function.

    Parameters
    ----------
    name : str
        Such as "texture2DProjLodEXT" or "textureProjOffset".
    sampler : SamplerType
        Type of the sampler.
    leaf : Operand
        The sampler.
    arguments : list of Operand
        Coordinates, then bias, level of detail or gradients, and texel offsets.
    """
    variable, offset = leaf.value.data
    target = "2d" if sampler.target == "external" else sampler.target
    offsets = None
    if name.endswith("Offset"):
        # The offset is the last argument, except for a bias or a component after it.
        position = _OFFSET_PLACES.get(name, len(arguments) - 1)
        if name == "textureGatherOffset" and not sampler.shadow:
            position = 1
        offsets = tuple(b - 2**32 if b >= 2**31 else b for b in bits_of(arguments.pop(position)))
    data = TextureData(variable, offset, target, sampler.shadow, offsets)
    if name == "textureSize":
        arguments = arguments or [builder.immediate(0)]
        size = builder.shared("TXQ", 4, (_packed(builder, arguments, None),), data)
        return builder.select(size, (0, 1, 2) if target in ("3d", "2d_array") else (0, 1))
    if name.startswith("textureGather"):
        return _gather(builder, sampler, arguments, data)
    texel = _sample(builder, name, sampler, arguments, data)
    return builder.select(texel, (0,)) if sampler.shadow else texel


def _sample(builder: Builder, name: str, sampler: SamplerType, arguments: list[Operand], data: TextureData) -> Operand:
    coordinates, rest = arguments[0], arguments[1:]
    dimensions = _DIMENSIONS[sampler.target]
    parts = [builder.select(coordinates, (i,)) for i in range(dimensions)]
    if sampler.shadow:
        parts.append(builder.select(coordinates, (dimensions,)))
    projective = "Proj" in name
    divisor = builder.select(coordinates, (len(coordinates.swizzle) - 1,)) if projective else None
    if name.startswith("texelFetch"):
        return _make(builder, "TXF", parts, rest[0], data)
    if not rest:
        return _make(builder, "TEX" if divisor is None else "TXP", parts, divisor, data)
    if divisor is not None:
        parts = [builder.alu("DIV", part, divisor) for part in parts]
    if "Grad" in name:
        gradients = [_packed(builder, _parts(builder, gradient), None) for gradient in rest]
        return builder.shared("TXD", 4, (_packed(builder, parts, None), *gradients), data)
    if len(parts) == 4:
        # The operand with a cube map's reference has no component left, so the bias is a separate operand.
        return builder.shared("TXB2", 4, (builder.vector(parts), _packed(builder, rest, None)), data)
    return _make(builder, "TXL" if "Lod" in name else "TXB", parts, rest[0], data)


def _gather(builder: Builder, sampler: SamplerType, arguments: list[Operand], data: TextureData) -> Operand:
    """The reference of a comparison is an argument of its own, and the component a constant."""
    parts = _parts(builder, arguments[0])
    component = builder.immediate(0)
    if sampler.shadow:
        parts.append(arguments[1])
    elif len(arguments) > 1:
        component = arguments[1]
    return builder.shared("TG4", 4, (_packed(builder, parts, None), _packed(builder, [component], None)), data)


def _parts(builder: Builder, operand: Operand) -> list[Operand]:
    return [builder.select(operand, (i,)) for i in range(len(operand.swizzle))]


def _packed(builder: Builder, parts: list[Operand], last: Operand | None) -> Operand:
    if len(parts) == 4:
        return builder.vector(parts)
    filler = [builder.undefined(1)] * (3 - len(parts))
    return builder.vector([*parts, *filler, last if last is not None else builder.undefined(1)])


def _make(builder: Builder, op: str, parts: list[Operand], last: Operand | None, data: TextureData) -> Operand:
    return builder.shared(op, 4, (_packed(builder, parts, last),), data)
