"""Machine code in compiled functions: calls by address, arrays by address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from . import numba_interface
from .compiled import COMPILED
from .numba_interface import cgutils, intrinsic, make_array, np_cfarray, types

_WORD, _VOID = ir.IntType(64), ir.VoidType()
_BYTE = ir.IntType(8)
_NOTHING = ir.Constant(_BYTE, 0)


def _called(builder: Any, place: Any, arguments: Any, result: Any = _VOID) -> Any:
    """Call the function at an address; pointers are passed as the integers that they are."""
    prototype = ir.FunctionType(result, [_WORD] * len(arguments))
    return builder.call(builder.inttoptr(place, prototype.as_pointer()), arguments)


def _call_kernel(context: Any, address: Any, block: Any) -> Any:
    """Call the function at an address with the address of its block of arguments."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        _called(builder, arguments[0], arguments[1:])
        return _NOTHING

    return types.void(types.int64, types.int64), generate


def _call_vertices(context: Any, address: Any, arguments: Any) -> Any:
    """Call the function of a `VertexKernel` with its `VertexArguments`."""

    def generate(_: Any, builder: Any, __: Any, values: Any) -> Any:
        _called(builder, values[0], cgutils.unpack_tuple(builder, values[1]))
        return _NOTHING

    return types.void(types.int64, arguments), generate


def _call_by_address(context: Any, address: Any, arguments: Any) -> Any:
    """Result of the `KernelByAddress` at an address for a tuple of integers."""

    def generate(_: Any, builder: Any, __: Any, values: Any) -> Any:
        return _called(builder, values[0], cgutils.unpack_tuple(builder, values[1]), _WORD)

    return types.int64(types.int64, types.UniTuple(types.int64, len(arguments))), generate


def _keep(context: Any, values: Any) -> Any:
    """Keep arrays, of which callees have addresses only, up to here."""
    return types.void(values), lambda *_: _NOTHING


def _allocate(context: Any, size: Any) -> Any:
    """Address of so many bytes of the C library, or 0."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        malloc = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_WORD, [_WORD]), "malloc")
        return builder.call(malloc, arguments)

    return types.int64(types.int64), generate


def _release(context: Any, address: Any) -> Any:
    """Free what `allocate` gave."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        free = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_VOID, [_WORD]), "free")
        builder.call(free, arguments)
        return _NOTHING

    return types.void(types.int64), generate


def _carray(context: Any, address: Any, shape: Any, dtype: Any) -> Any:
    """The array at an address: `numba.carray` without a function for every type."""
    dimensions = len(shape) if isinstance(shape, types.BaseTuple) else 1

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        where = builder.inttoptr(arguments[0], _BYTE.as_pointer())
        return np_cfarray(target, builder, signature, (where, *arguments[1:]))

    return types.Array(dtype.dtype, dimensions, "C")(address, shape, dtype), generate


def _first_byte(context: Any, data: Any) -> Any:
    """Address of the content of bytes or a bytearray, as an integer; the object must outlive its use."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        content = make_array(signature.args[0])(target, builder, arguments[0])
        return builder.ptrtoint(content.data, _WORD)

    return types.int64(data), generate


call_kernel: Any = intrinsic(_call_kernel)
call_vertices: Any = intrinsic(_call_vertices)
allocate: Any = intrinsic(_allocate)
release: Any = intrinsic(_release)
call_by_address: Any = intrinsic(_call_by_address)
keep: Any = intrinsic(_keep)
first_byte: Any = intrinsic(_first_byte)
carray: Any = intrinsic(_carray) if COMPILED else numba_interface.carray
