"""OpenGL ES's enums that an activity has by name and kernels of both passes by number (Khronos registry)."""

from __future__ import annotations

EQUATIONS = {
    "FUNC_ADD": 0x8006, "MIN": 0x8007, "MAX": 0x8008, "FUNC_SUBTRACT": 0x800A, "FUNC_REVERSE_SUBTRACT": 0x800B,
}  # fmt: skip
"""Blend equations."""
FACTORS = {
    "ZERO": 0, "ONE": 1, "SRC_COLOR": 0x0300, "ONE_MINUS_SRC_COLOR": 0x0301, "SRC_ALPHA": 0x0302,
    "ONE_MINUS_SRC_ALPHA": 0x0303, "DST_ALPHA": 0x0304, "ONE_MINUS_DST_ALPHA": 0x0305, "DST_COLOR": 0x0306,
    "ONE_MINUS_DST_COLOR": 0x0307, "SRC_ALPHA_SATURATE": 0x0308, "CONSTANT_COLOR": 0x8001,
    "ONE_MINUS_CONSTANT_COLOR": 0x8002, "CONSTANT_ALPHA": 0x8003, "ONE_MINUS_CONSTANT_ALPHA": 0x8004,
}  # fmt: skip
"""Blend factors."""
