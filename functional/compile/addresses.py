"""Addresses of arrays."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DATA = object.__basicsize__
"""Offset of the data pointer in an array: it follows the header that every object has (NumPy's C API,
`PyArrayObject_fields`)."""


def _asked(array: NDArray[Any]) -> int:
    return int(array.ctypes.data)


def _read(array: NDArray[Any]) -> int:
    return c_void_p.from_address(id(array) + _DATA).value or 0


_SAMPLE = np.zeros(2, np.int64)
_READABLE = all(_read(array) == _asked(array) for array in (_SAMPLE, _SAMPLE[1:]))
"""False with an interpreter whose objects have another header."""


def address(array: NDArray[Any]) -> int:
    """Address of an array's first element; the array must outlive its use.

    NumPy's own ways describe the array first, which takes ten times as long.

    Raises
    ------
    ValueError
        If its elements do not lie row by row without gaps, as compiled code takes for granted.
    """
    if not array.flags.c_contiguous:
        raise ValueError(f"compiled code needs rows without gaps, not shape {array.shape} with strides {array.strides}")
    return _read(array) if _READABLE else _asked(array)
