"""Textures of a draw as the kernels' texture unit takes them."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.wrapping import REPEAT
from ...compile.addresses import address
from ...execute.backend import ComputeKernel, Kernel, VertexKernel
from ...execute.kernel_arguments import FLAT_TARGETS, WRAP_POWER_OF_TWO, SamplerBlock, TexelFormat, TextureKind
from ...glsl.ir.analysis import filtered_samplers, read_samplers, shifted_samplers
from ...glsl.ir.program import Shader
from ...opengl import enums as gl
from ..sampler import WRAP_CODES, Sampler, Storage
from ..texturing.unit import MAX_LOD_BIAS, probes

AnyKernel = Kernel | VertexKernel | ComputeKernel
IDENTITY = (0, 1, 2, 3)
_ONE = np.zeros(1, np.int64)
BLACK = Storage(lambda: np.array(6 * [0, 0, 0, 255], np.uint8), _ONE, _ONE + 1, _ONE + 1, _ONE + 1)
"""Image that stands for an incomplete texture of any shape: a cube has six faces."""
_FORMATS = {"uint8": TexelFormat.BYTES, "float32": TexelFormat.FLOATS, "int32": TexelFormat.INTEGERS}
NOWHERE = -(1 << 30)
"""A texel far outside of every image."""


def _bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def _wrap(mode: int, size: int) -> int:
    code = WRAP_CODES[mode]
    return WRAP_POWER_OF_TWO if code == REPEAT and size & (size - 1) == 0 else code


def sampler_blocks(shader: Shader, samplers: tuple[Sampler, ...], kernel: AnyKernel) -> NDArray[np.int64]:
    """All textures of a stage as its kernel's texture unit takes them; at least one field."""
    filtered, shifted = filtered_samplers(shader), shifted_samplers(shader)
    # Sizes are known without texels.
    read = read_samplers(shader) - (kernel.unread if isinstance(kernel, Kernel) else frozenset())
    blocks = [_ONE]
    for number, (sampler, declaration) in enumerate(zip(samplers, shader.samplers, strict=True)):
        how = declaration.target, number in filtered, number in shifted, number not in read
        key = *how, kernel.texture_unit, kernel.width
        words = sampler.words.get(key)
        if words is None:
            target, *others = how
            words = sampler.words[key] = np.array(sampler_block(sampler, target, kernel, *others), np.int64)
        blocks.append(words)
    return np.concatenate(blocks[1:] or blocks)


def sampler_block(
    sampler: Sampler, target: str, kernel: AnyKernel, filtered: bool, shifted: bool, unread: bool = False
) -> SamplerBlock:
    """A texture as the texture unit takes it.

    Parameters
    ----------
    sampler
        The texture, and how it is sampled.
    target
        Target in the shader.
    kernel
        Gives the functions.
    filtered, shifted
        Whether the shader reads more than texels and sizes; and whether with texel offsets.
    unread
        Whether no texels are needed: they are only noted, or nothing but sizes is read.
    """
    storage = sampler.storage or BLACK
    shape = target.removeprefix("shadow_").replace("external", "2d")
    compared = sampler.storage is not None and target.startswith("shadow_") and sampler.compare >= 0
    # Texels that no kernel reads are not packed.
    texels, place = TexelFormat.BYTES, 0
    if not unread:
        texels, place = _FORMATS[storage.texels.dtype.name], address(storage.texels)
    most = probes(sampler)
    bordered = sampler.storage is not None and sampler.bordered and shape != "cube"
    kind = TextureKind(shape, texels, compared, target not in FLAT_TARGETS, most > 1, shifted, bordered)
    whole = texels is TexelFormat.INTEGERS
    border = [int(value) & 0xFFFFFFFF if whole else _bits(value) for value in sampler.border]
    size = int(storage.widths[0]), int(storage.heights[0]), int(storage.layers[0])
    last = storage.size // 4 - kernel.width
    mipmaps, min_linear, mag_linear = _filters(sampler)
    bias = min(max(sampler.lod_bias, -MAX_LOD_BIAS), MAX_LOD_BIAS)
    swizzle = IDENTITY if sampler.storage is None else sampler.swizzle
    fields = (
        *(_functions(kernel, kind, unread) if filtered else (0, 0, 0)),
        place,
        last if last >= 0 else NOWHERE,
        address(storage.first_texels),
        *size,
        len(storage.widths) - 1,
        min_linear,
        mag_linear,
        mipmaps,
        is_detailed(sampler),
        *map(_wrap, (sampler.wrap_s, sampler.wrap_t, sampler.wrap_r), size),
        max(sampler.compare, 0),
        *map(_bits, (bias, sampler.min_lod, sampler.max_lod)),
        swizzle != IDENTITY,
        *swizzle,
        most,
        texels if sampler.storage else TexelFormat.NONE,
        *border,
    )
    return SamplerBlock._make(fields)


def _functions(kernel: AnyKernel, kind: TextureKind, unread: bool) -> tuple[int, int, int]:
    """Those of `SamplerBlock`."""
    if unread:
        assert isinstance(kernel, Kernel) and kernel.noting_unit is not None
        return kernel.noting_unit(kind)
    return kernel.texture_unit(kind)


def _filters(sampler: Sampler) -> tuple[int, bool, bool]:
    """Mipmaps (0 without, 1 for the nearest, 2 for two), and whether minification and magnification are linear."""
    mipmaps = (sampler.min_filter >= gl.NEAREST_MIPMAP_NEAREST) + (sampler.min_filter >= gl.NEAREST_MIPMAP_LINEAR)
    return mipmaps, bool(sampler.min_filter & 1), sampler.mag_filter == gl.LINEAR


def is_detailed(sampler: Sampler) -> bool:
    """Whether a level of detail is ever needed."""
    mipmaps, min_linear, mag_linear = _filters(sampler)
    return mipmaps > 0 or min_linear != mag_linear


def detailed_samplers(samplers: tuple[Sampler, ...]) -> frozenset[int]:
    """Numbers of the samplers of which a level of detail is ever needed."""
    return frozenset(n for n, s in enumerate(samplers) if s.storage is not None and (is_detailed(s) or probes(s) > 1))
