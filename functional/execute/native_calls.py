"""Machine code in compiled kernels: calls by address, and arrays by address."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, np_cfarray
from numpy.typing import NDArray

from ..activity.compiled import COMPILED

_view: Any = make_array
_make: Any = np_cfarray
_Array: Any = types.Array
_UniTuple: Any = types.UniTuple
_unpack: Any = cgutils.unpack_tuple
_declared: Any = cgutils.get_or_insert_function


def address(array: NDArray[Any]) -> int:
    """Address of an array's first element; the array must outlive its use."""
    return int(array.__array_interface__["data"][0])


def _call_kernel(context: Any, address: Any, block: Any) -> Any:
    """Call the function at an address with the address of its block of arguments (see `kernel_arguments`)."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        prototype = ir.FunctionType(ir.VoidType(), [byte])
        function = builder.inttoptr(arguments[0], prototype.as_pointer())
        builder.call(function, [builder.inttoptr(arguments[1], byte)])
        return ir.Constant(ir.IntType(8), 0)

    return types.void(types.int64, types.int64), generate


def _call_vertices(context: Any, address: Any, inputs: Any, outputs: Any, constants: Any, lanes: Any) -> Any:
    """Call the function of a `VertexKernel` with the addresses of float32 rows of lanes, and of constants."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        prototype = ir.FunctionType(ir.VoidType(), [byte] * 5 + [ir.IntType(64)])
        function = builder.inttoptr(arguments[0], prototype.as_pointer())
        read, written, values = (builder.inttoptr(argument, byte) for argument in arguments[1:4])
        # It has no temporaries in memory and no mask.
        none = ir.Constant(byte, None)
        builder.call(function, [none, read, written, values, none, arguments[4]])
        return ir.Constant(ir.IntType(8), 0)

    return types.void(*[types.int64] * 5), generate


def _call_by_address(context: Any, address: Any, arguments: Any) -> Any:
    """What the `KernelByAddress` at an address returns for a tuple of integers."""

    def generate(_: Any, builder: Any, __: Any, values: Any) -> Any:
        word = ir.IntType(64)
        prototype = ir.FunctionType(word, [word] * len(arguments))
        function = builder.inttoptr(values[0], prototype.as_pointer())
        return builder.call(function, _unpack(builder, values[1]))

    return types.int64(types.int64, _UniTuple(types.int64, len(arguments))), generate


def _keep(context: Any, values: Any) -> Any:
    """Keep arrays, of which callees have addresses only, up to here."""

    def generate(_: Any, builder: Any, __: Any, ___: Any) -> Any:
        return ir.Constant(ir.IntType(8), 0)

    return types.void(values), generate


def _allocate(context: Any, size: Any) -> Any:
    """Address of so many bytes of the C library, or 0."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        prototype = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        return builder.call(_declared(builder.module, prototype, "malloc"), arguments)

    return types.int64(types.int64), generate


def _release(context: Any, address: Any) -> Any:
    """Free what `allocate` gave."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        prototype = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
        builder.call(_declared(builder.module, prototype, "free"), arguments)
        return ir.Constant(ir.IntType(8), 0)

    return types.void(types.int64), generate


def _pointer(context: Any, address: Any) -> Any:
    """A pointer for `carray`, from an address."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


def _carray(context: Any, data: Any, shape: Any, dtype: Any) -> Any:
    """`numba.carray` without a function for every type; takes an address too."""
    dimensions = len(shape) if isinstance(shape, types.BaseTuple) else 1

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        where = arguments[0]
        if isinstance(data, types.Integer):
            where = builder.inttoptr(where, ir.IntType(8).as_pointer())
        return _make(target, builder, signature, (where, *arguments[1:]))

    return _Array(dtype.dtype, dimensions, "C")(data, shape, dtype), generate


def _first_byte(context: Any, data: Any) -> Any:
    """Address of the content of bytes or a bytearray, as an integer; the object must outlive its use."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        content = _view(signature.args[0])(target, builder, arguments[0])
        return builder.ptrtoint(content.data, ir.IntType(64))

    return types.int64(data), generate


call_kernel: Any = intrinsic(_call_kernel)
call_vertices: Any = intrinsic(_call_vertices)
allocate: Any = intrinsic(_allocate)
release: Any = intrinsic(_release)
call_by_address: Any = intrinsic(_call_by_address)
keep: Any = intrinsic(_keep)
first_byte: Any = intrinsic(_first_byte)
carray: Any = intrinsic(_carray) if COMPILED else numba.carray  # type: ignore[attr-defined]
pointer: Any = intrinsic(_pointer) if COMPILED else lambda address: c_void_p(int(address))
