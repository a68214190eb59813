"""Calls machine code with arrays: their addresses are taken in compiled code, which is many times faster than the
attributes of the arrays."""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...activity.compiled import COMPILED, kernel

_PROTOTYPE = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5, ctypes.c_int64)


@intrinsic  # type: ignore[untyped-decorator]
def _jump(
    context: Any, address: Any, block: Any, inputs: Any, outputs: Any, constants: Any, mask: Any, lanes: Any
) -> Any:
    """Call the function at an address, as `piece.SIGNATURE` has it."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        prototype = ir.FunctionType(ir.VoidType(), [byte] * 5 + [ir.IntType(64)])
        function = builder.inttoptr(arguments[0], prototype.as_pointer())
        builder.call(function, [*(builder.inttoptr(a, byte) for a in arguments[1:6]), arguments[6]])
        return ir.Constant(ir.IntType(8), 0)

    return types.void(*[types.int64] * 7), generate


@kernel
def _invoke(address: Any, block: Any, inputs: Any, outputs: Any, constants: Any, mask: Any, lanes: Any) -> None:
    _jump(  # type: ignore[call-arg]
        address,
        block.ctypes.data,
        inputs.ctypes.data,
        outputs.ctypes.data,
        constants.ctypes.data,
        mask.ctypes.data if len(mask) else 0,
        lanes,
    )


def _invoke_plainly(address: Any, block: Any, inputs: Any, outputs: Any, constants: Any, mask: Any, lanes: Any) -> None:
    arrays = (block, inputs, outputs, constants)
    _PROTOTYPE(address)(*(a.ctypes.data for a in arrays), mask.ctypes.data if len(mask) else None, lanes)


invoke: Any = _invoke if COMPILED else _invoke_plainly
"""Run a piece at an address over its rows: block, inputs, outputs (float32, C-contiguous), constants, mask (uint8; none
of no elements), lanes."""
