"""Depth of a primitive at a pixel, from its row: evaluate the plane, clamp, quantize, compare."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compile import helper

DEPTH_FORMATS = ("DEPTH16", "DEPTH24", "DEPTH32F")
"""Depth formats; the index in this tuple is the `depth_format` argument of the kernels."""

COMPARISONS = ("NEVER", "LESS", "EQUAL", "LEQUAL", "GREATER", "NOTEQUAL", "GEQUAL", "ALWAYS")
"""Comparison functions by code, in the order of their GL enums (0x0200 …)."""


def depth_format_code(name: str | None) -> int:
    """Code of a depth format of the draws table (DEPTH24_STENCIL8 stores depth as DEPTH24); 24 bits without one."""
    if name is None:
        return 1
    for code, base in enumerate(DEPTH_FORMATS):
        if name.startswith(base):
            return code
    raise ValueError(f"{name} is not a depth format")


FLOAT_FORMAT = 2
DEPTH_STEPS = (65535.0, 16777215.0)
"""Largest values of the fixed-point formats by code."""


@helper
def fixed_depth(depth: float, steps: float) -> Any:
    """Depth as an integer of 0 to `steps`, int32; see `quantize_depth`."""
    return np.int32(min(max(depth, 0.0), 1.0) * steps + 0.5)


@helper
def float_depth(depth: float) -> Any:
    """Depth as the bits of a float32, int32; see `quantize_depth`."""
    return np.float32(min(max(depth, 0.0), 1.0)).view(np.int32)


@helper
def quantize_depth(depth: float, depth_format: int) -> Any:
    """Quantize a depth to the attachment's format.

    Parameters
    ----------
    depth
        Window depth; clamped to 0…1 (OpenGL ES 3.0, 4.1.5: "z_f clamped").
    depth_format
        Code from `DEPTH_FORMATS`.

    Returns
    -------
    int
        Nearest integer of 16 or 24 bits (OpenGL ES 3.0, 2.1.6 normalized fixed point), or the bits of the float32; both
        compare as integers in the order of the depths.
    """
    if depth_format == FLOAT_FORMAT:
        return int(float_depth(depth))
    return int(fixed_depth(depth, DEPTH_STEPS[depth_format]))


def quantized_depths(depths: NDArray[np.floating[Any]], depth_format: int) -> NDArray[np.uint32]:
    """Depths of 0 to 1 in the attachment's format, of any shape; see `quantize_depth`."""
    if depth_format == FLOAT_FORMAT:
        return np.ascontiguousarray(depths, np.float32).view(np.uint32)
    return np.floor(depths.astype(np.float64) * DEPTH_STEPS[depth_format] + 0.5).astype(np.uint32)


def stored_depths(quantized: NDArray[np.uint32], depth_format: int) -> NDArray[np.floating[Any]]:
    """Depths of 0 to 1 from the attachment's format: the inverse of quantization."""
    return quantized.view(np.float32) if depth_format == FLOAT_FORMAT else quantized / DEPTH_STEPS[depth_format]


@helper
def depth_at(depth: float, depth_dx: float, depth_dy: float, x: int, y: int, depth_format: int) -> Any:
    """Quantized depth of a primitive's plane at the centre of pixel (x, y), y up."""
    return quantize_depth(depth + depth_dx * (x + 0.5) + depth_dy * (y + 0.5), depth_format)


@helper
def compare(function: int, new: int, old: int) -> Any:
    """Whether `new` passes against `old` under a comparison of `COMPARISONS`."""
    less = (function & 1) != 0 and new < old
    equal = (function & 2) != 0 and new == old
    greater = (function & 4) != 0 and new > old
    return less or equal or greater
