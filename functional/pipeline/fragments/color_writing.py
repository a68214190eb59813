"""Writes shaded colours to all draw buffers and samples of a target, with the kernel for each format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.blending import (
    BlendRule,
    ShadedQuads,
    write_integer_quads,
    write_quads,
    write_wide_quads,
)
from ...activity.kernels.logic import COPY, write_logic_quads
from ...execute.backend import Backend, Kernel
from ...execute.kernel_arguments import BlendField, BlendState
from ...execute.native_calls import address
from ..state import Blend, DrawState
from ..target import ColorTarget
from .rasterization import Quads

SEVERAL_SAMPLES = "the target has several samples per pixel"


class ColorWriter:
    """Blends and writes chunks of a batch of quads.

    Parameters
    ----------
    state, quads
        What is drawn.
    backend
        Its blend kernels are used if they support the format.
    """

    def __init__(self, state: DrawState, quads: Quads, backend: Backend) -> None:
        self.state, self.quads, blend = state, quads, state.blending.blend
        self.constant = np.array(blend.constant if blend else (0, 0, 0, 0), np.float32)
        self.clamped = clamped_constant(blend)
        self.targets: list[tuple[int, ColorTarget, Kernel | None, Any]] = []
        for number, target in enumerate(state.target.colors if any(state.blending.color_mask) else ()):
            if target is not None:
                known = blend_kernel(state, target, backend)
                kernel = None if isinstance(known, str) else known
                self.targets.append((number, target, kernel, self._block(target) if kernel else None))

    def write(
        self, which: NDArray[np.int64], lanes: NDArray[np.uint16], colors: dict[int, NDArray[np.float32]]
    ) -> None:
        """Write some quads.

        Parameters
        ----------
        which
            int64, (n,): positions in the batch.
        lanes
            uint16, (batch,): samples to write, as in `Quads.coverage`.
        colors
            float32, (4, 4 * n or more), per draw buffer: shaded colour; integers as their bits.
        """
        for number, target, kernel, block in self.targets:
            if number not in colors:
                continue
            color = colors[number]
            if kernel is not None:
                block[BlendField.COUNT], block[BlendField.ROW] = len(which), color.shape[1]
                block[BlendField.WHICH] = address(which)
                block[BlendField.LANES] = address(lanes)
                block[BlendField.COLORS] = address(color)
                kernel.call(address(block))
                continue
            part, written = self.quads.take(which), lanes[which]
            if self.state.target.samples == 1:
                self._write(target, part, written, color)
                continue
            for sample, pixels in enumerate(target.pixels):
                of_sample = written >> np.uint16(4 * sample) & np.uint16(0xF)
                self._write(replace(target, pixels=pixels), part, of_sample, color)

    def _block(self, target: ColorTarget) -> NDArray[np.int64]:
        block = np.zeros(len(BlendField), np.int64)
        block[BlendField.QUAD_X] = address(self.quads.x)
        block[BlendField.QUAD_Y] = address(self.quads.y)
        block[BlendField.PIXELS] = address(target.pixels)
        block[BlendField.WIDTH] = target.pixels.shape[1]
        block[BlendField.CONSTANT] = address(self.clamped)
        return block

    def _write(self, target: ColorTarget, quads: Quads, lanes: NDArray[np.uint16], colors: NDArray[np.float32]) -> None:
        """Write to an attachment of any format."""
        blending = self.state.blending
        channels, table = np.array(blending.color_mask), blend_table(blending.blend)
        constant = self.clamped if target.kind in ("unorm", "srgb") else self.constant
        shaded = ShadedQuads(quads.x, quads.y, lanes, colors)
        rule = BlendRule(table, constant, channels)
        bits = np.array(target.bits, np.int64)
        if target.pixels.dtype == np.int32:
            write_integer_quads(shaded._replace(colors=colors.view(np.int32)), channels & (bits > 0), target.pixels)
        elif target.pixels.dtype == np.float32:
            top = [-1 if b == 0 else (1 << b) - 1 if target.kind == "unorm" else 0 for b in target.bits]
            tops = np.array(top, np.float32)
            write_wide_quads(shaded, rule, tops, target.pixels)
        elif blending.logic_operation != COPY:
            write_logic_quads(shaded, blending.logic_operation, channels, bits, target.pixels)
        else:
            write_quads(shaded, rule, bits, target.kind == "srgb", target.pixels)


def clamped_constant(blend: Blend | None) -> NDArray[np.float32]:
    """The blend constant for normalized formats."""
    if blend is None:
        return np.zeros(4, np.float32)
    return np.array([min(max(x, 0.0), 1.0) for x in blend.constant], np.float32)


def blend_kernel(state: DrawState, target: ColorTarget, backend: Backend) -> Kernel | str:
    """The back end's kernel for an attachment, or the reason why there is none."""
    blending = state.blending
    if state.target.samples > 1:
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


def blend_table(b: Blend | None) -> NDArray[np.int64]:
    """Blend state as the general kernels take it: equations and factors (int64), all zero when off."""
    if b is None:
        return np.zeros(6, np.int64)
    factors = (b.source_rgb, b.destination_rgb, b.source_alpha, b.destination_alpha)
    return np.array((b.equation_rgb, b.equation_alpha, *factors), np.int64)
