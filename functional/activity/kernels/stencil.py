"""Stencil operations (OpenGL ES 3.0, 4.1.4)."""

from __future__ import annotations

from typing import Any

from ...compile import helper

STENCIL_OPERATIONS = ("KEEP", "ZERO", "REPLACE", "INCR", "DECR", "INVERT", "INCR_WRAP", "DECR_WRAP")
"""Operations by code, with their names in an activity."""
KEEP, ZERO, REPLACE, INCR, DECR, INVERT, INCR_WRAP, DECR_WRAP = range(8)
STENCIL_MAX = 255
"""Largest value that a stencil buffer holds."""


@helper
def stencil_result(operation: int, value: int, reference: int) -> Any:
    """New stencil value under one of STENCIL_OPERATIONS, before the write mask."""
    if operation == ZERO:
        return 0
    if operation == REPLACE:
        return reference & STENCIL_MAX
    if operation == INCR:
        return min(value + 1, STENCIL_MAX)
    if operation == DECR:
        return max(value - 1, 0)
    if operation == INVERT:
        return ~value & STENCIL_MAX
    if operation == INCR_WRAP:
        return (value + 1) & STENCIL_MAX
    if operation == DECR_WRAP:
        return (value - 1) & STENCIL_MAX
    return value
