from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, ClassVar, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

class Signature:
    args: tuple[Any, ...]
    return_type: Any

class _Type:
    name: str
    @overload
    def __call__(self, *arguments: _Type) -> Signature: ...
    @overload
    def __call__(self, value: float, /) -> Any: ...
    def __getitem__(self, layout: slice | tuple[slice, ...]) -> _Array: ...

class _Integer(_Type):
    signed: bool

class _Array(_Type):
    dtype: _Type
    ndim: int
    layout: str
    def __init__(self, dtype: _Type, ndim: int, layout: str, readonly: bool = ...) -> None: ...

class _BaseTuple(_Type):
    types: tuple[_Type, ...]
    # Of named tuples only.
    fields: tuple[str, ...]
    instance_class: Callable[..., tuple[Any, ...]]
    @classmethod
    def from_types(cls, fields: Iterable[_Type], named: type | None = ...) -> _BaseTuple: ...
    def __len__(self) -> int: ...

class _UniTuple(_BaseTuple):
    def __init__(self, dtype: _Type, count: int) -> None: ...

class _DType(_Type):
    dtype: _Type
    def __init__(self, dtype: _Type) -> None: ...

class _Record(_Type): ...

class types:
    Array: TypeAlias = _Array
    BaseTuple: TypeAlias = _BaseTuple
    DType: TypeAlias = _DType
    Integer: TypeAlias = _Integer
    Record: TypeAlias = _Record
    Type: TypeAlias = _Type
    UniTuple: TypeAlias = _UniTuple
    bool_: ClassVar[_Type]
    boolean: ClassVar[_Type]
    int8: ClassVar[_Integer]
    int16: ClassVar[_Integer]
    int32: ClassVar[_Integer]
    int64: ClassVar[_Integer]
    intp: ClassVar[_Integer]
    uint8: ClassVar[_Integer]
    uint16: ClassVar[_Integer]
    uint32: ClassVar[_Integer]
    uintp: ClassVar[_Integer]
    float32: ClassVar[_Type]
    float64: ClassVar[_Type]
    void: ClassVar[_Type]
    voidptr: ClassVar[_Type]
    @staticmethod
    def unliteral(kind: _Type) -> _Type: ...

class cgutils:
    @staticmethod
    def pack_array(builder: Any, values: Sequence[Any]) -> Any: ...
    @staticmethod
    def unpack_tuple(builder: Any, values: Any) -> tuple[Any, ...]: ...
    @staticmethod
    def get_or_insert_function(module: Any, kind: Any, name: str) -> Any: ...
    @staticmethod
    def raw_memcpy(builder: Any, target: Any, source: Any, count: Any, item_bytes: int, align: int = ...) -> Any: ...

class config:
    CACHE_DIR: ClassVar[str]
    DISABLE_JIT: ClassVar[int]
    LOOP_VECTORIZE: ClassVar[int]

class sigutils:
    @staticmethod
    def normalize_signature(signature: Any) -> tuple[tuple[_Type, ...], _Type | None]: ...

class Dispatcher: ...

# Their parts are private.
arrayobj: ModuleType
caching: ModuleType
codegen: ModuleType
cpu: ModuleType
environment: ModuleType
global_compiler_lock: AbstractContextManager[None]

def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]: ...
def cfunc(signature: Signature, **options: Any) -> Callable[[Callable[..., Any]], Any]: ...
def intrinsic(function: Callable[..., Any]) -> Any: ...
def typeof(value: object) -> _Type: ...
def as_dtype(kind: _Type) -> np.dtype[Any]: ...
def carray(pointer: Any, shape: int | tuple[int, ...], dtype: Any) -> NDArray[Any]: ...
def make_array(kind: _Array) -> Callable[..., Any]: ...
def np_cfarray(target: Any, builder: Any, signature: Signature, arguments: Any) -> Any: ...
