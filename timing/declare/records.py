"""Registers as nested records: `gpu.raster_unit[r].processor[i].warp.slot[w].due`.

A record is a class whose annotations are its fields: numpy takes its type from them, and so do editors and mypy. Array
lengths are capacities and part of the compiled type; sizes are ordinary fields set from the configuration, so one
compiled engine serves every configuration.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar, get_args, get_origin, get_type_hints, overload

import numpy as np

NEVER = 1 << 60
"""Wake-up time of a unit that waits for another."""

MAX_RASTER_UNITS = 4
MAX_PROCESSORS = 16
MAX_FRAGMENT_TEXTURE_UNITS = 32
MAX_TEXTURE_UNITS = 48
"""Texture units of the Fragment Processors, then those of the Vertex Processors."""
MAX_WARPS = 32
MAX_CLUSTERS = 8
MAX_SIMT_WARPS = 64
"""Warps of a SIMT core: a bit of a word each."""
MIN_SIMT_THREADS, MAX_SIMT_THREADS = 4, 32
MAX_REGISTERS = 64
MAX_WORK_GROUPS = 32
"""Work groups of a SIMT core."""
MAX_MSHRS = 64
MAX_THREADS = 4
MAX_WAITERS = 512
MAX_TILE_SAMPLES = 4096
MAX_TILE_QUADS = 1024
MAX_MAPPINGS = 4
"""Quad mappings that tiles take in turn."""
MAX_CACHE_LINES = 1 << 18
MAX_PORTS = 256
MAX_CACHES = 96
MAX_OUTSTANDING = 64

Dtype = np.dtype[Any]
Field = str | Dtype | tuple[str | Dtype, tuple[int, ...]]

i1 = Annotated[int, "i1"]
i2 = Annotated[int, "i2"]
i4 = Annotated[int, "i4"]
i8 = Annotated[int, "i8"]
u1 = Annotated[int, "u1"]
u2 = Annotated[int, "u2"]
u4 = Annotated[int, "u4"]
f8 = Annotated[float, "f8"]

Item = TypeVar("Item")
Element = TypeVar("Element", covariant=True)


class Rows(Protocol[Element]):
    """Array field of a record, or the rows of a table, as mypy sees them: an element for a number."""

    @overload
    def __getitem__(self, key: int, /) -> Element: ...
    @overload
    def __getitem__(self, key: slice, /) -> Any: ...
    @overload
    def __getitem__(self, key: str, /) -> Any: ...
    def __getitem__(self, key: Any, /) -> Any: ...

    def __setitem__(self, key: Any, value: Any, /) -> None: ...

    def __len__(self) -> int: ...


class Room(tuple[int, ...]):
    """Numbers of elements of an array field, from the outside in."""


def room(*elements: int) -> Any:
    """Declare how many elements an array field has, or for how many entries a queue has room; of an array of queues
    both."""
    return Room(elements)


def record(**fields: Field) -> Dtype:
    """Record type with the given fields: a type, or (type, shape) for arrays."""
    formats = [np.dtype(field) for field in fields.values()]
    offsets, end = [], 0
    for kind in formats:
        offsets.append(_aligned(end, _alignment(kind)))
        end = offsets[-1] + kind.itemsize
    layout: Any = {"names": list(fields), "formats": formats, "offsets": offsets}
    itemsize = _aligned(end, max(map(_alignment, formats)))
    return np.dtype((np.record, np.dtype(layout | {"itemsize": itemsize}, align=True)))


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _alignment(kind: Dtype) -> int:
    """Alignment of a type in bytes; numpy says 1 of every type of `numpy.record`."""
    base = kind.base
    return max(_alignment(base[name]) for name in base.names) if base.names else base.alignment


class Record:
    """Registers that are one record, or a row of a table.

    A subclass annotates its fields: `due: i8`, `warp: Rows[Warp] = room(8)`, `buffer: TileBuffer`. A generic one,
    such as `Ring`, gets its type where it is a field.

    Attributes
    ----------
    dtype
        Numpy's type; absent in generic classes.
    """

    dtype: ClassVar[Dtype]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not getattr(cls, "__parameters__", ()):
            cls.dtype = record(**fields_of(cls))


def fields_of(owner: type, item: Any = None, elements: tuple[int, ...] = ()) -> dict[str, Field]:
    """Fields of a record class for numpy.

    Parameters
    ----------
    owner
        Class with annotations.
    item, elements
        Of a generic class: what it is of, and for how many there is room.
    """
    hints = get_type_hints(owner, include_extras=True)
    # A class's own fields come first: messages name the first ones.
    names = dict.fromkeys(name for kind in owner.__mro__ for name in vars(kind).get("__annotations__", {}))
    del names["dtype"]
    return {name: _field(hints[name], getattr(owner, name, elements), item) for name in names}


def _field(hint: Any, elements: tuple[int, ...], item: Any) -> Field:
    if isinstance(hint, TypeVar):
        hint = item
    origin = get_origin(hint)
    if origin is Annotated:
        return str(get_args(hint)[1])
    if origin is Rows:
        element: Any = _field(get_args(hint)[0], elements[1:], item)
        return element, elements[:1]
    if origin is not None:
        return record(**fields_of(origin, get_args(hint)[0], elements))
    kind: Dtype = hint.dtype
    return kind


class Ring(Record, Generic[Item]):
    """Bounded FIFO: `flight: Ring[Flight] = room(128)`. `depth` is its size in this configuration."""

    head: i4
    count: i4
    depth: i4
    slot: Rows[Item]


class Token(Record):
    """Entry of the queues of the Raster Pipeline: a primitive of a tile, a quad, a clear, or the end of a tile.

    `tile` is a row of the frame's tile table (which has frame, pass and tile), so no unit infers it from a counter;
    `index` is a row of entries, quads or clears.
    """

    kind: i4
    tile: i4
    index: i4


PRIMITIVE, QUAD, CLEAR, END_OF_TILE, BYPASSED = range(5)
"""A BYPASSED quad goes on to blending in its turn without being shaded."""
