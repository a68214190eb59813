"""Buffer objects (OpenGL ES 2.0, 2.9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import enums as gl
from .errors import GLError

MAX_BUFFER_BYTES = 1 << 30


@dataclass
class Buffer:
    """A buffer object.

    Attributes
    ----------
    name
        Name of the application.
    identity
        Number in the recording.
    data
        Content.
    version
        Rises with every write.
    """

    name: int
    identity: int
    data: bytearray = field(default_factory=bytearray)
    usage: int = 0x88E4
    version: int = 0
    largest_bytes: int = 0

    def allocate(self, size: int, data: bytes | None, usage: int) -> None:
        """Replace the content (glBufferData)."""
        if size < 0 or size > MAX_BUFFER_BYTES:
            raise GLError(gl.INVALID_VALUE, f"a buffer of {size} bytes")
        self.data = bytearray(data[:size]) if data is not None else bytearray(size)
        if len(self.data) < size:
            self.data.extend(bytes(size - len(self.data)))
        self.usage = usage
        self.version += 1
        self.largest_bytes = max(self.largest_bytes, size)

    def update(self, offset: int, data: bytes) -> None:
        """Overwrite a part (glBufferSubData, writes to mapped memory)."""
        if offset < 0 or offset + len(data) > len(self.data):
            raise GLError(gl.INVALID_VALUE, f"bytes {offset} to {offset + len(data)} of a buffer of {len(self.data)}")
        self.data[offset : offset + len(data)] = data
        self.version += 1
