"""Buffer objects (OpenGL ES 3.0, 2.9)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..pipeline.index_stream import FEW_BYTES, IndexStream, indexed, indexed_by_bytes

Element = TypeVar("Element", bound=np.generic)
MAX_BUFFER_BYTES = 1 << 30
MAX_KEPT_INDICES = 1 << 22
MAP_READ, MAP_WRITE, MAP_INVALIDATE_RANGE, MAP_INVALIDATE_BUFFER, MAP_FLUSH_EXPLICIT, MAP_UNSYNCHRONIZED = (
    1 << i for i in range(6)
)
MAP_PERSISTENT, MAP_COHERENT, DYNAMIC_STORAGE, CLIENT_STORAGE = (1 << i for i in range(6, 10))
"""Bits of EXT_buffer_storage: of mappings and storage, and of storage alone."""
STORAGE_FLAGS = MAP_READ | MAP_WRITE | MAP_PERSISTENT | MAP_COHERENT | DYNAMIC_STORAGE | CLIENT_STORAGE


@dataclass(frozen=True)
class Mapping:
    """A range of a buffer that is mapped to an address of the program."""

    address: int
    offset: int
    size: int
    access: int


@dataclass
class Buffer:
    """A buffer object.

    Attributes
    ----------
    name
        Number by which the application calls it.
    identity
        Number of the buffer in the recording.
    data
        Content.
    usage
        Hint of glBufferData.
    version
        Rises with every write.
    largest_bytes
        Largest size that it has had.
    mapping
        Where it is mapped, or None.
    storage_flags
        Flags of immutable storage (EXT_buffer_storage); None for storage that glBufferData may replace.
    bound
        Whether it was bound before, which makes a name a buffer.
    label
        Debug label of the application.
    """

    name: int
    identity: int
    data: bytearray = field(default_factory=bytearray)
    usage: int = gl.STATIC_DRAW
    version: int = 0
    largest_bytes: int = 0
    mapping: Mapping | None = None
    storage_flags: int | None = None
    undefined_version: int = -1
    """Version in which nothing is written since the storage was made; -1 after a write, or a warning of it."""
    bound: bool = False
    label: str = ""
    _streams: dict[tuple[int, int, int, int], IndexStream] = field(default_factory=dict)
    _streams_of: tuple[int, int] = (-1, 0)
    """Version of the content that the cached index streams belong to, and the number of indices in them."""

    @property
    def locked(self) -> bool:
        """Whether it is mapped in a way that keeps other commands from using it: not persistently."""
        return self.mapping is not None and not self.mapping.access & MAP_PERSISTENT

    def allocate(self, size: int, data: bytes | None, usage: int) -> None:
        """Replace the content (glBufferData)."""
        if size < 0 or size > MAX_BUFFER_BYTES:
            raise GLError(gl.INVALID_VALUE if size < 0 else gl.OUT_OF_MEMORY, f"a buffer of {size} bytes")
        if data is not None and len(data) == size == len(self.data):
            # In place, so that resolved arrays, which hold the address, stay valid; see `resolve_arrays`.
            self.data[:] = data
        else:
            self.data = bytearray(data[:size]) if data is not None else bytearray(size)
            if len(self.data) < size:
                self.data.extend(bytes(size - len(self.data)))
        self.usage = usage
        self.version += 1
        self.undefined_version = self.version if data is None and size else -1
        self.mapping = None
        self.largest_bytes = max(self.largest_bytes, size)

    def update(self, offset: int, data: bytes) -> None:
        """Overwrite a part (glBufferSubData, writes to mapped memory)."""
        if offset < 0 or offset + len(data) > len(self.data):
            raise GLError(gl.INVALID_VALUE, f"bytes {offset} to {offset + len(data)} of a buffer of {len(self.data)}")
        self.data[offset : offset + len(data)] = data
        self.version += 1

    def cached_stream(self, offset: int, count: int, size: int, restart: int) -> IndexStream | None:
        """The cached stream of a range of indices; None if there is none or the buffer was written since."""
        return self._streams.get((offset, count, size, restart)) if self._streams_of[0] == self.version else None

    def index_stream(self, offset: int, count: int, size: int, restart: int) -> IndexStream:
        """The stream of a range of indices, rebuilt only after a write.

        Parameters
        ----------
        offset
            First byte.
        count, size
            Number of indices, and bytes of each.
        restart
            Index that begins a primitive anew, -1 for none.
        """
        version, kept = self._streams_of
        if version != self.version or kept > MAX_KEPT_INDICES:
            self._streams.clear()
            kept = 0
        key = (offset, count, size, restart)
        stream = self._streams.get(key)
        if stream is None:
            if count * size <= FEW_BYTES:
                # Programs that keep vertices and indices in one buffer rewrite the same indices in every frame.
                few = bytes(memoryview(self.data)[offset : offset + count * size])
                stream = indexed_by_bytes(few, count, size, restart)
            else:
                stream = indexed(self.data, offset, count, size, restart)
            self._streams[key] = stream
            kept += count
        self._streams_of = self.version, kept
        return stream


@dataclass(frozen=True)
class Binding:
    """Range of a buffer bound to an indexed target; a `size` of -1 means up to the end of the buffer."""

    buffer: Buffer
    offset: int = 0
    size: int = -1

    @property
    def room(self) -> int:
        """Bytes from the offset on that the buffer has at present."""
        remaining = max(0, len(self.buffer.data) - self.offset)
        return remaining if self.size < 0 else min(self.size, remaining)

    def elements(self, kind: type[Element], most: int | None = None) -> NDArray[Element]:
        """The whole elements in the range, at most `most`, as a view of the buffer; none where it lies outside.

        The buffer may have become smaller since the range was bound. What lies beyond is for the caller to read as 0
        and not to write (robust buffer access).
        """
        count = self.room // np.dtype(kind).itemsize
        count = count if most is None else min(most, count)
        return np.frombuffer(self.buffer.data, kind, count, self.offset if count else 0)
