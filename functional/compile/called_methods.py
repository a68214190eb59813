"""Methods of Python objects that kernels call."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p, cast
from typing import Any
from weakref import WeakMethod


class CalledMethod:
    """A method that kernels call by address, with integers, as no exception may come to them from it.

    It does not keep the method's object alive. Kernels get 1, or 0 if there was no memory for what it does.

    Parameters
    ----------
    method
        The method; its result is dropped.
    arguments
        How many integers it takes.

    Attributes
    ----------
    address
        Where kernels call it.
    """

    def __init__(self, method: Callable[..., Any], arguments: int) -> None:
        weak = WeakMethod(method)

        def call(*values: int) -> int:
            method = weak()
            assert method is not None
            try:
                method(*values)
            except MemoryError:
                return 0
            return 1

        self._function = CFUNCTYPE(c_int64, *[c_int64] * arguments)(call)
        self.address = cast(self._function, c_void_p).value or 0
