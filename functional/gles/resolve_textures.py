"""From texture units to the samplers of a draw."""

from __future__ import annotations

from functools import lru_cache

from ..glsl.ir.program import Sampler as SamplerDeclaration
from ..pipeline.command import Sampler
from . import enums as gl
from .context import Context
from .fixed.state import MAX_UNITS
from .textures import Sampling, Texture

_TARGETS = {
    "2d": gl.TEXTURE_2D,
    "cube": gl.TEXTURE_CUBE_MAP,
    "3d": gl.TEXTURE_3D,
    "2d_array": gl.TEXTURE_2D_ARRAY,
    "external": gl.TEXTURE_EXTERNAL_OES,
}


def resolve_samplers(
    context: Context, samplers: tuple[SamplerDeclaration, ...], units: list[int], used: list[tuple[Texture, int]]
) -> tuple[Sampler, ...]:
    """Samplers of a stage; the textures behind them are appended to `used`, with their versions."""
    result = []
    for declaration, unit in zip(samplers, units, strict=True):
        texture = bound_texture(context, declaration.target, unit)
        result.append(_sampler(context, texture, unit, _seen_as(declaration.target)))
        if texture is not None:
            used.append((texture, texture.version))
    return tuple(result)


@lru_cache(maxsize=64)
def _seen_as(target: str) -> str:
    """How the pipeline names the target of a sampler's declaration."""
    bare = target.removesuffix("_shadow").removeprefix("shadow_")
    return "2d" if bare == "external" else bare


@lru_cache(maxsize=64)
def _bound_to(target: str) -> int:
    """Target that the texture of a sampler's declaration is bound to."""
    return _TARGETS.get(target.removesuffix("_shadow").removeprefix("shadow_"), gl.TEXTURE_2D)


def bound_texture(context: Context, target: str, unit: int) -> Texture | None:
    """The texture of a unit that a sampler of some target sees."""
    kind = _bound_to(target)
    return context.state.units.get((unit, kind)) or context.default_textures.get(kind)


def sampling_of(context: Context, texture: Texture, unit: int) -> Sampling:
    """How a texture is sampled in a unit."""
    bound = context.state.samplers.get(unit)
    return bound.sampling if bound is not None else texture.sampling


def _sampler(context: Context, texture: Texture | None, unit: int, target: str) -> Sampler:
    if texture is None:
        return Sampler(None, -1, 0, target, gl.NEAREST, gl.NEAREST, gl.REPEAT, gl.REPEAT)
    sampling = sampling_of(context, texture, unit)
    bias = sampling.lod_bias
    if context.version == 1 and unit < MAX_UNITS:
        bias += context.fixed.environments[unit].lod_bias
    storage = texture.storage(sampling.mipmapped) if texture.complete(sampling) else None
    return Sampler(
        storage,
        texture.identity,
        texture.version,
        target,
        sampling.min_filter,
        sampling.mag_filter,
        sampling.wrap_s,
        sampling.wrap_t,
        sampling.wrap_r,
        sampling.min_lod,
        sampling.max_lod,
        bias,
        sampling.anisotropy,
        texture.channels,
        sampling.compare_function & 7 if sampling.compare_mode else -1,
        texture.base_level,
    )
