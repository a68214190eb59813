"""Resolves texture units to the samplers of a draw."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np

from ..glsl.ir.program import Sampler as SamplerDeclaration
from ..opengl import enums as gl
from ..opengl.formats import Format
from ..pipeline.sampler import Sampler
from .context import Context
from .fixed.state import MAX_UNITS
from .multisample_textures import TARGET, fetched_samples
from .resolved import TextureVersions
from .textures import Sampling, Texture
from .undefined import note_undefined

_TARGETS = {
    "2d": gl.TEXTURE_2D,
    "cube": gl.TEXTURE_CUBE_MAP,
    "3d": gl.TEXTURE_3D,
    "2d_array": gl.TEXTURE_2D_ARRAY,
    "external": gl.TEXTURE_EXTERNAL_OES,
    TARGET: gl.TEXTURE_2D_MULTISAMPLE,
}
MAX_KEPT = 16
"""Most resolved samplers kept per texture."""


def resolve_samplers(
    context: Context,
    samplers: tuple[SamplerDeclaration, ...],
    units: list[int],
    used: TextureVersions,
    written: Sequence[Texture] | None = None,
) -> tuple[Sampler, ...]:
    """Samplers of a stage.

    Parameters
    ----------
    used
        The textures behind them are appended, with their versions.
    written
        Textures that the draw may write to, whose texels it sees as they were before; None if any may be written.
    """
    result = []
    for declaration, unit in zip(samplers, units, strict=True):
        target, kind = _targets(declaration.target)
        texture = context.state.units.get((unit, kind)) or context.default_textures.get(kind)
        if texture is None:
            result.append(_unbound(target))
        elif target == TARGET:
            result.append(fetched_samples(texture) if texture.multisample is not None else _unbound(target))
            used.append((texture.multisample or texture, result[-1].version, False))
        else:
            note_undefined(context, texture, f"sampler {declaration.name}")
            copied = written is None or not texture.plain or any(texture is other for other in written)
            lasts = not (context.sees_contents or copied)
            result.append(_seen(context, texture, unit, _Use(target, copied, lasts)))
            used.append((texture, texture.allocations if lasts else texture.version, lasts))
    return tuple(result)


@lru_cache(maxsize=64)
def _targets(declared: str) -> tuple[str, int]:
    """The pipeline's name for the target of a sampler type, and the target that its textures are bound to."""
    bare = declared.removesuffix("_shadow").removeprefix("shadow_")
    return "2d" if bare == "external" else bare, _TARGETS.get(bare, gl.TEXTURE_2D)


@lru_cache(maxsize=64)
def _unbound(target: str) -> Sampler:
    """Texture that a sampler of a target sees if none is bound."""
    return Sampler(None, -1, 0, target, gl.NEAREST, gl.NEAREST, gl.REPEAT, gl.REPEAT)


class _Use(NamedTuple):
    """Use of a texture by a sampler.

    Attributes
    ----------
    target
        The pipeline's name for the sampler's target.
    copied
        Whether the texels are copied.
    lasts
        Whether the sampler sees later contents of the same memory, too.
    """

    target: str
    copied: bool
    lasts: bool


def _seen(context: Context, texture: Texture, unit: int, use: _Use) -> Sampler:
    """The resolved sampler of a texture in a unit: the same object while nothing changes."""
    bound = context.state.samplers.get(unit)
    sampling = bound.sampling if bound is not None else texture.sampling
    bias = sampling.lod_bias
    if context.fixed_functions and unit < MAX_UNITS:
        bias += context.fixed.environments[unit].lod_bias
    levels = texture.first_level, texture.last_level
    target, copied, lasts = use
    key = target, sampling, bias, texture.swizzle, texture.luminance, texture.reads_stencil, *levels, copied
    present = texture.allocations if lasts else texture.version
    version, samplers = texture.lasting if lasts else texture.seen
    if version != present or len(samplers) == MAX_KEPT:
        # Otherwise, old contents would stay in memory.
        samplers = {}
        if lasts:
            texture.lasting = present, samplers
        else:
            texture.seen = present, samplers
    seen = samplers.get(key)
    if seen is None:
        seen = samplers[key] = _made(texture, sampling, bias, use)
    return seen


def stored_border(texture: Texture, sampling: Sampling) -> tuple[float, float, float, float]:
    """Border colour of a texture as its storage has it: clamped to the format's range, without the channels that the
    format lacks (EXT_texture_border_clamp, table 8.20)."""
    sized = texture.format
    if sized is None or sampling.border == (0.0, 0.0, 0.0, 0.0):
        return 0.0, 0.0, 0.0, 0.0 if sized is None or sized.bits[3] else _one(sized)
    low, high = {"snorm": (-1.0, 1.0), "float": (-inf, inf), "int": (-inf, inf), "uint": (-inf, inf)}.get(
        sized.kind, (0.0, 1.0)
    )
    red, green, blue, alpha = (min(max(value, low), high) for value in sampling.border)
    if sized.luminance:
        green = blue = red
    scale = 255 if sized.dtype == np.uint8 and sized.kind != "srgb" else 1
    values = [scale * value if bits else 0.0 for value, bits in zip((red, green, blue, alpha), sized.bits, strict=True)]
    return values[0], values[1], values[2], values[3] if sized.bits[3] else _one(sized)


def _one(sized: Format) -> float:
    return 1.0 if sized.kind == "srgb" else float(sized.one)


def _made(texture: Texture, sampling: Sampling, bias: float, use: _Use) -> Sampler:
    return Sampler(
        storage=texture.storage(use.copied) if texture.complete(sampling) else None,
        surface=texture.identity,
        version=texture.version,
        target=use.target,
        min_filter=sampling.min_filter,
        mag_filter=sampling.mag_filter,
        wrap_s=sampling.wrap_s,
        wrap_t=sampling.wrap_t,
        wrap_r=sampling.wrap_r,
        min_lod=sampling.min_lod,
        max_lod=sampling.max_lod,
        lod_bias=bias,
        anisotropy=sampling.anisotropy,
        swizzle=texture.channels,
        compare=sampling.compare_function & 7 if sampling.compare_mode and not texture.sampled_stencil else -1,
        base_level=texture.first_level,
        border=stored_border(texture, sampling),
        block=(*texture.format.block, texture.format.texel_bytes) if texture.format else (1, 1, 4),
        source=texture if use.lasts else None,
    )
