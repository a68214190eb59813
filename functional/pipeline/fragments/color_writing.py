"""Writes shaded colours to all draw buffers and samples of a target, of any format."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.logic import COPY
from ...compile import ByAddress
from ...compile.addresses import address
from ...compile.blocks import block_of
from ...execute.backend import Backend, Kernel
from ...execute.kernel_arguments import BlendArguments, BlendState
from ...opengl.enums import ADVANCED_EQUATIONS
from ..state import Blend, Blending, DrawState
from ..target import ColorTarget
from .general_writing import buffer_rule, clamped_constant, write_quads_of_any
from .rasterization import Quads


class ColorWriter(NamedTuple):
    """A kernel that writes to a draw buffer.

    Attributes
    ----------
    number
        Of the draw buffer.
    kernel
        Takes `BlendArguments`.
    pixels
        Address for `BlendArguments.pixels`.
    kept
        What it points at.
    """

    number: int
    kernel: Kernel | ByAddress
    pixels: int
    kept: object


def color_writers(state: DrawState, backend: Backend) -> list[ColorWriter]:
    """Kernels for the draw buffers that a draw writes: the back end's if it has one for the format."""
    writers = []
    for number, target in enumerate(state.target.colors if state.blending.writes else ()):
        blending = state.blending.of(number)
        if target is None or not any(blending.color_mask):
            continue
        kernel = _blend_kernel(blending, target, backend) if state.target.samples == 1 else None
        if kernel is not None:
            writers.append(ColorWriter(number, kernel, address(target.pixels), target))
        else:
            rule = buffer_rule(blending, target, state.target.samples)
            writers.append(ColorWriter(number, write_quads_of_any, rule.address, rule))
    return writers


def _blend_kernel(blending: Blending, target: ColorTarget, backend: Backend) -> Kernel | None:
    """The back end's kernel for normalized channels of eight bits."""
    plain = target.kind == "unorm" and target.pixels.dtype == np.uint8 and all(b in (0, 8) for b in target.bits)
    advanced = blending.blend is not None and blending.blend.equation_rgb in ADVANCED_EQUATIONS.values()
    if not plain or blending.logic_operation != COPY or advanced:
        return None
    r, g, b, a = (mask and bits > 0 for mask, bits in zip(blending.color_mask, target.bits, strict=True))
    kernel = backend.blend_kernel(blend_state(blending.blend, (r, g, b, a), target.bits[3] > 0))
    return None if isinstance(kernel, str) else kernel


def write_colors(
    state: DrawState, quads: Quads, lanes: NDArray[np.uint16], colors: dict[int, NDArray[np.float32]], backend: Backend
) -> None:
    """Blend and write quads.

    Parameters
    ----------
    state, quads
        What is drawn.
    lanes
        uint16, (n,): samples to write, as in `Quads.coverage`.
    colors
        float32, (4, 4 * n or more), per draw buffer: shaded colour; integers as their bits.
    backend
        Its kernels are used if it has one for the format.
    """
    which, constant = np.arange(len(lanes)), clamped_constant(state.blending)
    for writer in color_writers(state, backend):
        if writer.number in colors:
            shaded, width = colors[writer.number], state.target.width
            block = block_of(
                BlendArguments(which, quads.x, quads.y, lanes, shaded, writer.pixels, width, constant), writer
            )
            if isinstance(writer.kernel, Kernel):
                writer.kernel.call(block.address)
            else:
                writer.kernel(block.address)


def blend_state(b: Blend | None, channels: tuple[bool, bool, bool, bool], has_alpha: bool) -> BlendState:
    """Blend state that a kernel's code depends on."""
    if b is None:
        return BlendState((0, 0), (1, 1), (0, 0), channels, has_alpha)
    equations, sources = (b.equation_rgb, b.equation_alpha), (b.source_rgb, b.source_alpha)
    return BlendState(equations, sources, (b.destination_rgb, b.destination_alpha), channels, has_alpha)
