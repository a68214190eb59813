"""The state of draws in frozen groups.

The groups themselves are the key of everything that is cached for a state, so every field here is part of it. Numbers
are compared by value, which is why zeros have no sign; objects with memory are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.logic import COPY
from ..activity.kernels.samples import ALL_SAMPLES
from ..glsl import LinkedProgram
from ..glsl.ir.program import Instruction, Shader
from .sampler import Sampler
from .target import Target

_MASKED = (False, False, False, False)
_EMPTY = Shader("empty", "fragment", (Instruction("END"),))


def _none() -> NDArray[np.float32]:
    return np.zeros((0, 4), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Constants:
    """Uniforms of a program's stages, float32 (n, 4); they change in place, and draws of a state share them."""

    vertex: NDArray[np.float32] = field(default_factory=_none)
    fragment: NDArray[np.float32] = field(default_factory=_none)
    compute: NDArray[np.float32] = field(default_factory=_none)

    def of(self, stage: str) -> NDArray[np.float32]:
        """Those of a stage."""
        values: NDArray[np.float32] = getattr(self, stage)
        return values


class Raster(NamedTuple):
    """State of primitives up to rasterization.

    Attributes
    ----------
    viewport
        x, y, width, height.
    depth_range
        Near, far.
    scissor
        x0, y0, x1, y1: framebuffer, scissor box and viewport intersected.
    cull
        Faces culled; NONE for none.
    polygon_offset
        Factor, units; zeros if it is off.
    discard
        Whether primitives are discarded before clipping.
    """

    viewport: tuple[int, int, int, int]
    depth_range: tuple[float, float]
    scissor: tuple[int, int, int, int]
    cull: int
    front_face: int
    polygon_offset: tuple[float, float]
    line_width: float
    discard: bool


class StencilFace(NamedTuple):
    """Stencil state of one side (OpenGL ES 2.0, 4.1.4)."""

    function: int
    reference: int
    mask: int
    write_mask: int
    fail: int
    depth_fail: int
    depth_pass: int


class DepthStencil(NamedTuple):
    """Depth and stencil tests (OpenGL ES 2.0, 4.1.4 and 4.1.5); without an attachment a test is off."""

    depth_test: bool
    depth_function: int
    depth_write: bool
    stencil_test: bool
    stencil_front: StencilFace
    stencil_back: StencilFace


class Blend(NamedTuple):
    """Blending of colours (OpenGL ES 2.0, 4.1.6); enums are GL's."""

    equation_rgb: int
    equation_alpha: int
    source_rgb: int
    destination_rgb: int
    source_alpha: int
    destination_alpha: int
    constant: tuple[float, float, float, float]


class BufferBlend(NamedTuple):
    """Writing of fragments to one draw buffer; see `Blending`."""

    blend: Blend | None
    color_mask: tuple[bool, bool, bool, bool]


class Blending(NamedTuple):
    """Writing of fragments to the colour attachments.

    Attributes
    ----------
    blend
        None if colours are not blended.
    logic_operation
        Code of `logic`, which replaces blending unless it is COPY (OpenGL ES 1.1).
    sample_coverage
        Value, whether inverted; (1, False) if it is off.
    sample_mask
        A bit for each sample that may be written.
    buffers
        Blending per draw buffer, where these differ (EXT_draw_buffers_indexed); empty if all are as `blend` and
        `color_mask` say.
    """

    blend: Blend | None
    color_mask: tuple[bool, bool, bool, bool]
    logic_operation: int
    alpha_to_coverage: bool
    sample_coverage: tuple[float, bool]
    buffers: tuple[BufferBlend, ...] = ()
    sample_mask: int = ALL_SAMPLES

    def of(self, number: int) -> Blending:
        """State of one draw buffer."""
        return self._replace(**self.buffers[number]._asdict(), buffers=()) if self.buffers else self

    def without_colors(self) -> Blending:
        """The same without writing any colour."""
        return self._replace(blend=None, color_mask=_MASKED, logic_operation=COPY, buffers=())

    @property
    def writes(self) -> bool:
        """Whether any channel of any draw buffer is written."""
        return any(self.color_mask) if not self.buffers else any(any(own.color_mask) for own in self.buffers)

    @property
    def constant(self) -> tuple[float, float, float, float]:
        """The blend constant, which all draw buffers share."""
        blends = [self.blend, *(own.blend for own in self.buffers)]
        return next((blend.constant for blend in blends if blend is not None), (0.0, 0.0, 0.0, 0.0))


class Samplers(NamedTuple):
    """Textures of both stages, in the order of the programs' samplers."""

    vertex: tuple[Sampler, ...]
    fragment: tuple[Sampler, ...]

    def pack(self) -> None:
        """Have all texels as they are now."""
        for sampler in (*self.vertex, *self.fragment):
            if sampler.storage is not None:
                _ = sampler.storage.texels


class DrawState(NamedTuple):
    """The whole state of draws, except for their vertices."""

    program: LinkedProgram
    constants: Constants
    raster: Raster
    depth_stencil: DepthStencil
    blending: Blending
    samplers: Samplers
    target: Target

    @property
    def early_depth(self) -> bool:
        """Whether depth and stencil are tested before shading: if the shader asks for it, or if the result is the same
        (OpenGL ES 3.1, 13.8)."""
        shader = self.program.fragment
        return shader.early_tests or not (self.shading_decides or shader.writes_memory)

    @property
    def shading_decides(self) -> bool:
        """Whether the fragment shader has a say in which samples are written."""
        shader = self.program.fragment
        return shader.discards or shader.writes_depth or self.blending.alpha_to_coverage

    def without_idle_shading(self) -> DrawState:
        """The same state with an empty fragment shader if shading changes nothing, as where only depth is drawn."""
        colors = [self.blending.of(n).color_mask for n, color in enumerate(self.target.colors) if color is not None]
        shader = self.program.fragment
        if not self.early_depth or shader.writes_memory or any(any(mask) for mask in colors):
            return self
        program = replace(self.program, shaders={**self.program.shaders, "fragment": _EMPTY})
        return self._replace(program=program, samplers=Samplers(self.samplers.vertex, ()))

    def without_colors(self, idle: bool) -> DrawState:
        """The same state without colours; if ``idle``, without shading that then changes nothing."""
        state = self._replace(blending=self.blending.without_colors())
        return state.without_idle_shading() if idle else state
