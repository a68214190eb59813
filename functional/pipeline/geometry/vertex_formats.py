"""Component types of vertex arrays (OpenGL ES 3.0, table 2.2)."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from ...opengl import enums as gl

COMPONENT_TYPES = MappingProxyType(
    {
        gl.BYTE: "i1",
        gl.UNSIGNED_BYTE: "u1",
        gl.SHORT: "<i2",
        gl.UNSIGNED_SHORT: "<u2",
        gl.INT: "<i4",
        gl.UNSIGNED_INT: "<u4",
        gl.FLOAT: "<f4",
        gl.FIXED: "<i4",
        gl.HALF_FLOAT: "<f2",
        gl.HALF_FLOAT_OES: "<f2",
        gl.INT_2_10_10_10_REV: "<i4",
        gl.UNSIGNED_INT_2_10_10_10_REV: "<u4",
    }
)
"""Type in memory by GL enum: BYTE to FLOAT, FIXED, HALF_FLOAT and HALF_FLOAT_OES, and the two packed ones."""
_BYTES = MappingProxyType({kind: np.dtype(name).itemsize for kind, name in COMPONENT_TYPES.items()})


def element_bytes(kind: int, components: int) -> int:
    """Bytes that a vertex takes of an array without gaps."""
    size = _BYTES[kind]
    return size if kind in gl.PACKED_COMPONENT_TYPES else size * components
