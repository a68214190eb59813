"""Index streams: the indices of a draw, and its distinct vertices; built once while a buffer is not written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compile import kernel
from ..compile.blocks import Bytes, Integers, Numbers, Words

_KEPT, FEW_BYTES = 4096, 1024
_ALONE: NDArray[np.int64] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class IndexStream:
    """The vertices of a draw; these arrays are never written to.

    Attributes
    ----------
    indices
        uint32, (count,): the application's indices; None for consecutive vertices.
    largest
        Largest index drawn, 0 if there is none.
    distinct
        int64, (n,): indices drawn, ascending.
    stream
        int32, (count,): place of each index in `distinct`; -1 where a new primitive starts.
    draws
        Number of draws that are joined in it.
    times
        int64, (n,): number of these that have each of the distinct indices; None if each is in one.
    parts, ends
        Streams of these draws, if they do not share vertices; and int64: where the vertices, and the distinct ones, of
        each end.
    vertices
        Distinct vertices of each draw, added up.
    count
        Vertices of the draw.
    fetched
        Blocks of buffers that draws with these vertices fetch from; see `characterize.fetched_blocks`.
    """

    indices: NDArray[np.uint32] | None
    largest: int
    distinct: NDArray[np.int64]
    stream: NDArray[np.int32]
    draws: int = 1
    times: NDArray[np.int64] | None = None
    parts: tuple[IndexStream, ...] = ()
    ends: NDArray[np.int64] = field(default_factory=lambda: _ALONE)
    vertices: int = field(init=False)
    count: int = field(init=False)
    fetched: dict[Any, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", len(self.stream))
        object.__setattr__(self, "vertices", len(self.distinct) if self.times is None else int(self.times.sum()))

    def shifted(self, base: int) -> IndexStream:
        """The vertices that follow these by a number (the base vertex of a draw); none of them is negative."""
        indices = self.indices
        if indices is not None:
            indices = np.where(self.stream >= 0, indices + np.uint32(base & 0xFFFFFFFF), indices).astype(np.uint32)
        return IndexStream(indices, max(self.largest + base, 0), self.distinct + base, self.stream)


@lru_cache(maxsize=_KEPT)
def _few_consecutive(first: int, count: int) -> IndexStream:
    distinct = np.arange(first, first + count, dtype=np.int64)
    return IndexStream(None, first + count - 1, distinct, np.arange(count, dtype=np.int32))


def consecutive(first: int, count: int) -> IndexStream:
    """The stream of a draw without indices."""
    # Long streams are not worth the memory.
    return _few_consecutive(first, count) if count <= _KEPT else _few_consecutive.__wrapped__(first, count)


@kernel
def widen(data: Bytes, offset: int, size: int, restart: int, indices: Numbers) -> tuple[int, int, int]:
    """Convert indices to 32-bit numbers; smallest and largest of those drawn, and their number.

    Parameters
    ----------
    data
        uint8, (bytes,): the buffer.
    offset
        Byte of the first index; all of them are inside the buffer.
    size
        Bytes per index: 1, 2 or 4.
    restart
        Index that draws nothing, or -1.
    indices
        uint32, (count,), to fill.
    """
    low, high, drawn = 1 << 32, -1, 0
    for i in range(len(indices)):
        value: Any = 0
        for byte in range(size):
            value |= int(data[offset + i * size + byte]) << (8 * byte)
        indices[i] = value
        if value != restart:
            low, high = min(low, value), max(high, value)
            drawn += 1
    return low, high, drawn


@kernel
def renumber(indices: Numbers, low: int, restart: int, place: Integers, stream: Integers, distinct: Words) -> int:
    """Number the distinct indices in ascending order; the count of them.

    Parameters
    ----------
    indices
        uint32, (n,).
    low
        Smallest of them.
    restart
        Index that draws nothing, or -1.
    place
        int32, (largest - low + 1,), zeros; scratch.
    stream
        int32, (n,), to fill: number of each, -1 for the restart index.
    distinct
        int64, with room for all, to fill: the indices.
    """
    for i in range(len(indices)):
        index = int(indices[i])
        if index != restart:
            place[index - low] = 1
    count = 0
    for offset in range(len(place)):
        if place[offset]:
            place[offset] = count
            distinct[count] = low + offset
            count += 1
    for i in range(len(indices)):
        index = int(indices[i])
        stream[i] = place[index - low] if index != restart else -1
    return count


def indexed(data: bytes | bytearray, offset: int, count: int, size: int, restart: int) -> IndexStream:
    """The stream of a draw with indices.

    Parameters
    ----------
    data
        Content of the index buffer; `count` indices from byte `offset` on are inside it.
    size
        Bytes per index.
    restart
        Index that starts a new primitive (OpenGL ES 3.0, 2.9.1); -1 if there is none.

    Raises
    ------
    ValueError
        The indices leave the buffer.
    """
    if offset < 0 or offset + count * size > len(data):
        raise ValueError(f"{count} indices from byte {offset} leave the buffer of {len(data)} bytes")
    indices, stream = np.empty(count, np.uint32), np.empty(count, np.int32)
    low, high, drawn = widen(np.frombuffer(data, np.uint8), offset, size, restart, indices)
    if not drawn:
        stream.fill(-1)
        return IndexStream(indices, 0, np.zeros(0, np.int64), stream)
    if high - low > 8 * count + 1024:
        kept = indices != restart if restart >= 0 else np.ones(count, np.bool_)
        stream.fill(-1)
        unique, inverse = np.unique(indices[kept], return_inverse=True)
        stream[kept] = inverse.reshape(-1)
        return IndexStream(indices, high, unique.astype(np.int64), stream)
    distinct = np.empty(drawn, np.int64)
    number = renumber(indices, low, restart, np.zeros(high - low + 1, np.int32), stream, distinct)
    return IndexStream(indices, high, distinct[:number].copy(), stream)


@lru_cache(maxsize=1024)
def _few_indexed(data: bytes, count: int, size: int, restart: int) -> IndexStream:
    return indexed(data, 0, count, size, restart)


def indexed_by_bytes(data: bytes, count: int, size: int, restart: int) -> IndexStream:
    """The cached stream of indices that programs pass repeatedly, including client-side ones; see `indexed`."""
    if len(data) <= FEW_BYTES:
        return _few_indexed(data, count, size, restart)
    return indexed(data, 0, count, size, restart)


@lru_cache(maxsize=512)
def joined(streams: tuple[IndexStream, ...]) -> IndexStream:
    """Several streams as one, in which each starts new primitives; for drawing only, because it has no indices."""
    parts: list[NDArray[np.int64]] = []
    for stream in streams:
        # Position -1, where a new primitive starts, refers to the -1 at the end.
        parts.append(np.append(stream.distinct, -1)[stream.stream])
        parts.append(np.full(1, -1, np.int64))
    indices = np.concatenate(parts)
    unique, inverse = np.unique(indices, return_inverse=True)
    # The -1 that starts new primitives comes first.
    distinct, times = unique[1:], np.zeros(len(unique) - 1, np.int64)
    for stream in streams:
        times[np.searchsorted(distinct, stream.distinct)] += 1
    return IndexStream(
        None,
        int(unique[-1]) if len(unique) > 1 else 0,
        distinct,
        (inverse.reshape(-1) - 1).astype(np.int32),
        draws=len(streams),
        times=times,
    )


@lru_cache(maxsize=512)
def beside(streams: tuple[IndexStream, ...]) -> IndexStream:
    """Several streams one after the other, each with vertices of its own; for drawing only, because it has no
    indices."""
    return IndexStream(
        None,
        max(stream.largest for stream in streams),
        np.concatenate([stream.distinct for stream in streams]),
        np.concatenate([stream.stream for stream in streams]),
        draws=len(streams),
        parts=streams,
        ends=np.cumsum([(stream.count, len(stream.distinct)) for stream in streams], axis=0, dtype=np.int64).reshape(
            -1
        ),
    )
