"""Writes shaded colours to all draw buffers and samples of a target, of any format."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.blending import BlendRule, ShadedQuads, write_integer_quads, write_quads, write_wide_quads
from ...activity.kernels.logic import COPY, write_logic_quads
from ...execute.backend import Backend, Kernel
from ...execute.kernel_arguments import BlendArguments, BlendState
from ...jit.blocks import block_of
from ...jit.native_calls import address
from ..state import Blend, Blending, DrawState
from ..target import ColorTarget
from .rasterization import Quads

SEVERAL_SAMPLES = "the target has several samples per pixel"


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
        Its blend kernels are used if they support the format.
    """
    for number, target in enumerate(state.target.colors if state.blending.writes else ()):
        blending = state.blending.of(number)
        if target is None or number not in colors or not any(blending.color_mask):
            continue
        kernel = blend_kernel(blending, state.target.samples, target, backend)
        if not isinstance(kernel, str):
            _blend(kernel, target, ShadedQuads(quads.x, quads.y, lanes, colors[number]), blending)
            continue
        for sample in range(state.target.samples):
            of_sample, one = lanes >> np.uint16(4 * sample) & np.uint16(0xF), target
            if state.target.samples > 1:
                one = replace(target, pixels=target.pixels[sample])
            _write(blending, one, ShadedQuads(quads.x, quads.y, of_sample, colors[number]))


def _blend(kernel: Kernel, target: ColorTarget, shaded: ShadedQuads, blending: Blending) -> None:
    """Write with a back end's kernel."""
    block = block_of(
        BlendArguments(
            which=np.arange(len(shaded.lanes)),
            quad_x=shaded.x,
            quad_y=shaded.y,
            lanes=shaded.lanes,
            colors=shaded.colors,
            pixels=address(target.pixels),
            width=target.pixels.shape[1],
            constant=clamped_constant(blending),
        )
    )
    kernel.call(block.address)


def _write(blending: Blending, target: ColorTarget, shaded: ShadedQuads) -> None:
    """Write to an attachment of any format."""
    channels, blend = np.array(blending.color_mask), blending.blend
    constant = np.array(blend.constant if blend else (0, 0, 0, 0), np.float32)
    if target.kind in ("unorm", "srgb"):
        constant = clamped_constant(blending)
    rule = blend_rule(blend, constant, channels)
    bits = np.array(target.bits, np.int64)
    if target.pixels.dtype == np.int32:
        integers = shaded._replace(colors=shaded.colors.view(np.int32))
        write_integer_quads(integers, channels & (bits > 0), bits, target.kind == "int", target.pixels)
    elif target.pixels.dtype == np.float32:
        top = [-1 if b == 0 else (1 << b) - 1 if target.kind == "unorm" else 0 for b in target.bits]
        write_wide_quads(shaded, rule, np.array(top, np.float32), bits, target.pixels)
    elif blending.logic_operation != COPY:
        write_logic_quads(shaded, blending.logic_operation, channels, bits, target.pixels)
    else:
        write_quads(shaded, rule, bits, target.kind == "srgb", target.pixels)


def clamped_constant(blending: Blending) -> NDArray[np.float32]:
    """The blend constant for normalized formats."""
    return np.array([min(max(x, 0.0), 1.0) for x in blending.constant], np.float32)


def blend_kernel(blending: Blending, samples: int, target: ColorTarget, backend: Backend) -> Kernel | str:
    """The back end's kernel for an attachment, or the reason why there is none."""
    if samples > 1:
        return SEVERAL_SAMPLES
    if blending.logic_operation != COPY:
        return "a logic operation replaces blending"
    if target.kind != "unorm" or target.pixels.dtype != np.uint8 or not all(b in (0, 8) for b in target.bits):
        return "a colour buffer does not have normalized channels of 8 bits"
    r, g, b, a = (mask and bits > 0 for mask, bits in zip(blending.color_mask, target.bits, strict=True))
    return backend.blend_kernel(blend_state(blending.blend, (r, g, b, a), target.bits[3] > 0))


def blend_state(b: Blend | None, channels: tuple[bool, bool, bool, bool], has_alpha: bool) -> BlendState:
    """Blend state that a kernel's code depends on."""
    if b is None:
        return BlendState((0, 0), (1, 1), (0, 0), channels, has_alpha)
    equations, sources = (b.equation_rgb, b.equation_alpha), (b.source_rgb, b.source_alpha)
    return BlendState(equations, sources, (b.destination_rgb, b.destination_alpha), channels, has_alpha)


def blend_rule(b: Blend | None, constant: NDArray[np.float32], channels: NDArray[np.bool_]) -> BlendRule:
    """Blend state as the general kernels take it, with a constant that suits the format."""
    if b is None:
        return BlendRule(0, 0, 0, 0, 0, 0, constant, channels)
    return BlendRule(**b._asdict() | {"constant": constant}, channels=channels)
