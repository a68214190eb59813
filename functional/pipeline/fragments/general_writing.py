"""Writes quads to colour buffers of any format and number of samples, called as the kernels of a back end are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.blending import BlendRule, ShadedQuads, write_integer_quads, write_quads, write_wide_quads
from ...activity.kernels.logic import COPY, write_logic_quads
from ...compile import kernel_by_address
from ...compile.addresses import address
from ...compile.blocks import Address, Block, Floats, Words, block_of
from ...compile.native import carray, load
from ...execute.kernel_arguments import BlendArguments
from ..state import Blend, Blending
from ..target import ColorTarget

BYTES, WIDE, INTEGERS, LOGIC = range(4)
"""Codes of `BufferRule.way`: the kernels that write."""


class BufferRule(NamedTuple):
    """Format, mask and blending of writes to a colour buffer, and the buffer.

    Attributes
    ----------
    way
        A code from above.
    blend
        The blending rule.
    bits
        Of each channel.
    tops
        See `write_wide_quads`.
    srgb, signed
        Whether bytes are stored as sRGB; whether integers are signed.
    operation
        Code of the logic operation.
    pixels, height, samples
        The buffer: rows, and samples per pixel, each of which has a buffer of its own.
    """

    way: int
    blend: BlendRule
    bits: Words
    tops: Floats
    srgb: bool
    signed: bool
    operation: int
    pixels: Address
    height: int
    samples: int


def buffer_rule(blending: Blending, target: ColorTarget, samples: int) -> Block:
    """The `BufferRule` of an attachment; `write_quads_of_any` takes its address for that of pixels."""
    normalized = target.kind in ("unorm", "srgb")
    bits, channels = np.array(target.bits, np.int64), np.array(blending.color_mask)
    if target.pixels.dtype == np.int32:
        way, channels = INTEGERS, channels & (bits > 0)
    elif target.pixels.dtype == np.float32:
        way = WIDE
    else:
        way = LOGIC if blending.logic_operation != COPY else BYTES
    constant = clamped_constant(blending) if normalized else np.array(blending.constant, np.float32)
    tops = [-1 if b == 0 else (1 << b) - 1 if target.kind == "unorm" else 0 for b in target.bits]
    rule = BufferRule(
        way,
        blend_rule(blending.blend, constant, channels),
        bits,
        np.array(tops, np.float32),
        target.kind == "srgb",
        target.kind == "int",
        blending.logic_operation,
        address(target.pixels),
        target.pixels.shape[-3],
        samples,
    )
    return block_of(rule, target)


def clamped_constant(blending: Blending) -> NDArray[np.float32]:
    """The blend constant for normalized formats."""
    return np.array([min(max(x, 0.0), 1.0) for x in blending.constant], np.float32)


def blend_rule(b: Blend | None, constant: NDArray[np.float32], channels: NDArray[np.bool_]) -> BlendRule:
    """Blend state as the general kernels take it, with a constant that suits the format."""
    if b is None:
        return BlendRule(0, 0, 0, 0, 0, 0, constant, channels)
    return BlendRule(**b._asdict() | {"constant": constant}, channels=channels)


@kernel_by_address
def write_quads_of_any(block: Any) -> int:
    """Write quads, with `BlendArguments` at an address; their pixels are the address of a `BufferRule`. Bit
    lane + 4 * sample of the quads' lanes is for a sample."""
    quads = load(block, BlendArguments)
    rule, number = load(quads.pixels, BufferRule), len(quads.which)
    x, y, lanes = np.empty(number, np.uint16), np.empty(number, np.uint16), np.empty(number, np.uint16)
    for i in range(number):
        x[i], y[i] = quads.quad_x[quads.which[i]], quads.quad_y[quads.which[i]]
    shape = rule.height, quads.width, 4
    for sample in range(rule.samples):
        for i in range(number):
            lanes[i] = quads.lanes[quads.which[i]] >> 4 * sample & 15
        first = 4 * rule.height * quads.width * sample
        shaded = ShadedQuads(x, y, lanes, quads.colors)
        if rule.way == INTEGERS:
            integers = ShadedQuads(x, y, lanes, quads.colors.view(np.int32))
            whole = carray(rule.pixels + 4 * first, shape, np.int32)
            write_integer_quads(integers, rule.blend.channels, rule.bits, rule.signed, whole)
        elif rule.way == WIDE:
            wide = carray(rule.pixels + 4 * first, shape, np.float32)
            write_wide_quads(shaded, rule.blend, rule.tops, rule.bits, wide)
        elif rule.way == LOGIC:
            pixels = carray(rule.pixels + first, shape, np.uint8)
            write_logic_quads(shaded, rule.operation, rule.blend.channels, rule.bits, pixels)
        else:
            pixels = carray(rule.pixels + first, shape, np.uint8)
            write_quads(shaded, rule.blend, rule.bits, rule.srgb, pixels)
    return 0
