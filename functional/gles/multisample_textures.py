"""Textures of several samples per pixel as shaders fetch from them: each sample is a layer."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.depth import depth_format_code, stored_depths
from ..opengl import enums as gl
from ..pipeline.sampler import Sampler, Storage
from .framebuffers import Surface
from .textures import Texture, packed_texels, stencil_texels

TARGET = "2d_ms"
"""Target of their samplers."""


def fetched_samples(texture: Texture) -> Sampler:
    """The resolved sampler of a texture with storage for samples: the same object while nothing changes."""
    surface: Surface = texture.multisample
    version, samplers = texture.seen
    if version != surface.version:
        # Otherwise, old contents would stay in memory.
        samplers = {}
        texture.seen = surface.version, samplers
    key = (texture.swizzle, texture.reads_stencil)
    if key not in samplers:
        nearest = gl.NEAREST, gl.NEAREST, gl.CLAMP_TO_EDGE, gl.CLAMP_TO_EDGE
        samplers[key] = Sampler(
            _storage(surface, texture.reads_stencil),
            surface.identity,
            surface.version,
            TARGET,
            *nearest,
            swizzle=texture.swizzle,
        )
    return samplers[key]


def _storage(surface: Surface, reads_stencil: bool) -> Storage:
    color, depth, sized = surface.color, surface.depth, surface.color_format
    if color is not None:
        pack = partial(packed_texels, [color], [], sized is not None and sized.kind == "srgb")
    elif surface.stencil is not None and (reads_stencil or depth is None):
        pack = partial(stencil_texels, [surface.stencil])
    else:
        assert depth is not None
        pack = partial(_depths, depth, depth_format_code(surface.depth_format))
    width, height = (np.array([size], np.int64) for size in (surface.width, surface.height))
    return Storage(pack, np.zeros(1, np.int64), width, height, np.array([surface.samples], np.int64))


def _depths(plane: NDArray[np.uint32], depth_format: int) -> NDArray[np.float32]:
    """Depth is a red channel."""
    texels = np.zeros((plane.size, 4), np.float32)
    texels[:, 0], texels[:, 3] = stored_depths(plane, depth_format).reshape(-1), 1
    return texels.reshape(-1)
