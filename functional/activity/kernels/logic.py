"""Logical operations on colours (OpenGL ES 1.1, 4.1.9), which replace blending."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile import helper, kernel
from ...compile.blocks import Flags, Words
from .blending import ShadedQuads, unit_interval

COPY = 3
"""Code of GL_COPY; codes are the last four bits of the enums from GL_CLEAR on."""


LOGIC_OPERATIONS = (
    "CLEAR", "AND", "AND_REVERSE", "COPY", "AND_INVERTED", "NOOP", "XOR", "OR", "NOR", "EQUIV", "INVERT", "OR_REVERSE",
    "COPY_INVERTED", "OR_INVERTED", "NAND", "SET",
)  # fmt: skip
"""Names by code."""


@helper
def combined(operation: int, source: int, target: int, top: int) -> Any:
    """Result of an operation, whose code is its truth table: bit 0 for 1,1, then 1,0 and 0,1 and 0,0."""
    result = 0
    if operation & 1:
        result |= source & target
    if operation & 2:
        result |= source & ~target
    if operation & 4:
        result |= ~source & target
    if operation & 8:
        result |= ~source & ~target
    return result & top


@kernel
def write_logic_quads(quads: ShadedQuads, operation: int, channels: Flags, bits: Words, color: Any) -> None:
    """Combine quads with a colour buffer of at most 8 bits per channel; parameters as for `blending.write_quads`.

    Parameters
    ----------
    operation
        Code of the operation.
    """
    for q in range(len(quads.x)):
        for lane in range(4):
            if not quads.lanes[q] >> lane & 1:
                continue
            y, x = 2 * int(quads.y[q]) + (lane >> 1), 2 * int(quads.x[q]) + (lane & 1)
            for channel in range(4):
                if not channels[channel] or bits[channel] == 0:
                    continue
                top = (1 << bits[channel]) - 1
                value = unit_interval(quads.colors[channel, 4 * q + lane])
                source = int(value * np.float32(top) + np.float32(0.5))
                target = (int(color[y, x, channel]) * 2 * top + 255) // 510
                result = combined(operation, source, target, top)
                color[y, x, channel] = (result * 510 + top) // (2 * top)
