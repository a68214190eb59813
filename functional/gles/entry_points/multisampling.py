"""Entry points of textures with several samples and of samples (OpenGL ES 3.1, 8.8, 14.2.2 and 17.3.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...activity.kernels.samples import POSITIONS, SAMPLES
from ...capture import Value
from ...opengl import enums as gl
from ...opengl.formats import DEPTH_FORMATS, RENDERBUFFER_FORMATS, STENCIL_FORMATS
from ...opengl.limits import MAX_SAMPLE_MASK_WORDS
from ..checks import check_enum, check_limit, check_operation, check_value
from ..context import Context
from ..effects import FIXED_STAGES
from ..framebuffers import Surface
from .images import check_memory
from .table import EntryPoints

entry = EntryPoints()
MOST_SAMPLES = 16
"""Captured drivers may offer more samples than four; here, any number above one means four."""


def check_format(kind: int, what: str) -> None:
    """INVALID_ENUM for internal formats that cannot be drawn to."""
    color = RENDERBUFFER_FORMATS.get(kind)
    renderable = (color is not None and color.renderable) or kind in DEPTH_FORMATS or kind in STENCIL_FORMATS
    check_enum(kind, {kind} if renderable else (), what)


def allocate(surface: Surface, kind: int, width: int, height: int, samples: int) -> None:
    """Give a surface memory of an internal format."""
    color, depth = RENDERBUFFER_FORMATS.get(kind), DEPTH_FORMATS.get(kind)
    count = SAMPLES if samples > 1 else 1
    check_memory((width, height, count), color.dtype if color is not None else np.dtype(np.uint8))
    surface.allocate(width, height, color, depth, kind in STENCIL_FORMATS, count)
    surface.internal = kind


@entry()
def glTexStorage2DMultisample(
    context: Context, target: int, samples: int, kind: int, width: int, height: int, fixed: int
) -> None:
    check_enum(target, (gl.TEXTURE_2D_MULTISAMPLE,), "texture target")
    check_format(kind, "multisample format")
    what = f"texture of {width}x{height}, {samples} samples"
    check_value(min(width, height, samples) >= 1, what)
    check_limit(max(width, height), gl.MAX_TEXTURE_SIZE, what)
    check_operation(samples <= MOST_SAMPLES, what)
    texture = context.texture(target)
    check_operation(texture.name != 0 and not texture.immutable, f"storage of texture {texture.name}")
    surface = Surface(texture.identity, "renderbuffer")
    surface.fixed_samples = bool(fixed)
    allocate(surface, kind, width, height, samples)
    texture.multisample, texture.immutable, texture.immutable_levels = surface, True, 1


@entry(effect=FIXED_STAGES)
def glSampleMaski(context: Context, number: int, mask: int) -> None:
    check_value(0 <= number < MAX_SAMPLE_MASK_WORDS, f"word {number} of the sample mask")
    context.state.sample_mask = mask & 0xFFFFFFFF


@entry.answers()
def glGetMultisamplefv(context: Context, name: int, index: int, *_: Any) -> Value:
    check_enum(name, (gl.SAMPLE_POSITION,), "parameter of samples")
    samples = context.framebuffer.samples
    check_value(0 <= index < (samples if samples > 1 else 0), f"sample {index} of {samples}")
    return list(POSITIONS[index])
