"""Component types of vertex arrays (OpenGL ES 3.0, table 2.2)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gles import enums as gl

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
PACKED = frozenset({gl.INT_2_10_10_10_REV, gl.UNSIGNED_INT_2_10_10_10_REV})
_BYTES = MappingProxyType({kind: np.dtype(name).itemsize for kind, name in COMPONENT_TYPES.items()})


def component_dtype(kind: int) -> np.dtype[Any]:
    """Type of a component in memory, of all four for packed types; KeyError for types outside the table."""
    return np.dtype(COMPONENT_TYPES[kind])


def element_bytes(kind: int, components: int) -> int:
    """Bytes that a vertex takes of an array without gaps."""
    size = _BYTES[kind]
    return size if kind in PACKED else size * components


def unpacked(words: NDArray[Any], kind: int, normalized: bool) -> NDArray[np.float32]:
    """Components x, y, z, w of packed words (n,): three of ten bits from the lowest on, and one of two bits; (n, 4)."""
    fields = ((0, 10), (10, 10), (20, 10), (30, 2))
    columns = []
    for shift, bits in fields:
        if kind == gl.UNSIGNED_INT_2_10_10_10_REV:
            value = words.astype(np.int64) >> shift & (1 << bits) - 1
            top = (1 << bits) - 1
        else:
            value = (words.astype(np.int64) << (64 - shift - bits)) >> (64 - bits)
            top = (1 << bits - 1) - 1
        column = value.astype(np.float32)
        columns.append(np.maximum(column / np.float32(top), np.float32(-1)) if normalized else column)
    return np.stack(columns, 1)
