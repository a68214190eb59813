"""Component types of vertex arrays (OpenGL ES 2.0, table 2.4)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

FLOAT, FIXED = 0x1406, 0x140C
COMPONENT_TYPES = MappingProxyType(
    {
        0x1400: "i1",
        0x1401: "u1",
        0x1402: "<i2",
        0x1403: "<u2",
        0x1404: "<i4",
        0x1405: "<u4",
        FLOAT: "<f4",
        FIXED: "<i4",
        0x140B: "<f2",
        0x8D61: "<f2",
    }
)
"""Type in memory by GL enum: BYTE to FLOAT, FIXED, HALF_FLOAT and HALF_FLOAT_OES."""


def component_dtype(kind: int) -> np.dtype[Any]:
    """Type of a component in memory; KeyError for types outside the table."""
    return np.dtype(COMPONENT_TYPES[kind])
