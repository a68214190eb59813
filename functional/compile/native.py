"""Memory by address: what kernels and Python pass on as one number.

In programs these functions are instructions; Python runs them through ctypes.
"""

from __future__ import annotations

import os
from ctypes import CDLL, c_size_t, c_void_p
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .blocks import memory, read_block, words_of

PACKED = 16
"""Pixels that `pack_pixels` takes at once."""
NO_MEMORY = -(1 << 63)
"""Result of a kernel by address that had no memory for what it does."""


def carray(address: int, shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """The array at an address, without a copy."""
    return memory(address, shape if isinstance(shape, tuple) else (shape,), np.dtype(dtype))


def load(address: int, block: type[Any]) -> Any:
    """The named tuple of a class whose block is at an address."""
    return read_block(address, block)


def store(address: int, values: tuple[Any, ...]) -> None:
    """Write the block of a tuple to an address."""
    words = words_of(values)
    memory(address, (len(words),), np.dtype(np.int64))[:] = words


def allocate(size: int) -> int:
    """Address of memory of the C library, of a size in bytes; 0 if there is none."""
    return int(_library().malloc(int(size)) or 0)


def release(address: int) -> None:
    """Free what `allocate` gave."""
    _library().free(int(address))


@cache
def _library() -> Any:
    library: Any = CDLL(None if os.name == "posix" else "msvcrt")
    library.malloc.restype, library.malloc.argtypes = c_void_p, [c_size_t]
    library.free.restype, library.free.argtypes = None, [c_void_p]
    return library


def pack_pixels(pixels: int, packed: int) -> None:
    """Copy red, green and blue of `PACKED` pixels of four bytes at an address to another address."""
    carray(packed, (PACKED, 3), np.uint8)[:] = carray(pixels, (PACKED, 4), np.uint8)[:, :3]
