"""OpenGL ES's enums that an activity has by name and kernels of both passes by number (Khronos registry)."""

from __future__ import annotations

WEIGHTED_EQUATIONS = {
    "FUNC_ADD": 0x8006, "MIN": 0x8007, "MAX": 0x8008, "FUNC_SUBTRACT": 0x800A, "FUNC_REVERSE_SUBTRACT": 0x800B,
}  # fmt: skip
"""Blend equations that factors go with."""
ADVANCED_EQUATIONS = {
    "MULTIPLY": 0x9294, "SCREEN": 0x9295, "OVERLAY": 0x9296, "DARKEN": 0x9297, "LIGHTEN": 0x9298,
    "COLORDODGE": 0x9299, "COLORBURN": 0x929A, "HARDLIGHT": 0x929B, "SOFTLIGHT": 0x929C, "DIFFERENCE": 0x929E,
    "EXCLUSION": 0x92A0, "HSL_HUE": 0x92AD, "HSL_SATURATION": 0x92AE, "HSL_COLOR": 0x92AF, "HSL_LUMINOSITY": 0x92B0,
}  # fmt: skip
"""Those of KHR_blend_equation_advanced."""
EQUATIONS = WEIGHTED_EQUATIONS | ADVANCED_EQUATIONS
"""Blend equations."""
FACTORS = {
    "ZERO": 0, "ONE": 1, "SRC_COLOR": 0x0300, "ONE_MINUS_SRC_COLOR": 0x0301, "SRC_ALPHA": 0x0302,
    "ONE_MINUS_SRC_ALPHA": 0x0303, "DST_ALPHA": 0x0304, "ONE_MINUS_DST_ALPHA": 0x0305, "DST_COLOR": 0x0306,
    "ONE_MINUS_DST_COLOR": 0x0307, "SRC_ALPHA_SATURATE": 0x0308, "CONSTANT_COLOR": 0x8001,
    "ONE_MINUS_CONSTANT_COLOR": 0x8002, "CONSTANT_ALPHA": 0x8003, "ONE_MINUS_CONSTANT_ALPHA": 0x8004,
}  # fmt: skip
"""Blend factors."""
