"""Memory that shaders read and write: buffers, images, and the shared memory of work groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]


@dataclass(frozen=True)
class BufferMemory:
    """A range of a buffer.

    Attributes
    ----------
    words
        Its content as uint32, changed in place; bytes beyond the last whole word are not accessible.
    size_bytes
        Its size.
    """

    words: Words
    size_bytes: int


class ImageFormat(NamedTuple):
    """Properties of an image's texels; see `ImageMemory`."""

    kind: str
    bits: int
    channels: int


@dataclass(frozen=True)
class ImageMemory:
    """A level of a texture, or a layer of it.

    Attributes
    ----------
    pixels
        (layers, height, width, 4), changed in place: uint8 for 8-bit normalized formats, otherwise float32 or int32.
    kind
        unorm, snorm, float, int or uint.
    bits
        Bits of a channel.
    channels
        1 or 4; the others read as 0, 0 and 1.
    """

    pixels: NDArray[Any]
    kind: str
    bits: int
    channels: int

    @property
    def format(self) -> ImageFormat:
        """Format of its texels."""
        return ImageFormat(self.kind, self.bits, self.channels)

    @property
    def rows(self) -> NDArray[Any]:
        """Texels one after the other, (texels, 4), changed in place."""
        rows = self.pixels.view()
        # Unlike reshape, this never makes a copy, whose changes would be lost.
        rows.shape = -1, 4
        return rows

    @property
    def size(self) -> tuple[int, int, int]:
        """Width, height and layers."""
        layers, height, width = self.pixels.shape[:3]
        return width, height, layers


class Access(NamedTuple):
    """One execution of an instruction on memory by all lanes.

    Attributes
    ----------
    elements
        int64 (lanes,): word of the buffer's range or of the group's shared memory, or texel of the image; -1 outside.
    executing
        Lanes that execute it; None if all do.
    helpers
        Lanes whose stores and atomic operations do nothing; None if there are none.
    """

    pc: int
    elements: NDArray[np.int64]
    executing: NDArray[np.bool_] | None
    helpers: NDArray[np.bool_] | None = None


NO_BUFFER = BufferMemory(np.zeros(0, np.uint32), 0)
NO_IMAGE = ImageMemory(np.zeros((0, 0, 0, 4), np.float32), "float", 32, 4)


@dataclass
class ShaderMemory:
    """Memory of one run of a shader, in the order of its declarations.

    Attributes
    ----------
    group_lanes
        Lanes of a work group, which share memory.
    live
        Lanes whose stores and atomic operations count, if these are not all: those of fragments, not of their helpers.
    shared
        uint32 (groups, words).
    noted
        Accesses so far, in order, if they are wanted.
    """

    buffers: tuple[BufferMemory, ...] = ()
    images: tuple[ImageMemory, ...] = ()
    group_lanes: int = 1
    live: NDArray[np.bool_] | None = None
    shared: NDArray[np.uint32] = field(default_factory=lambda: np.zeros((0, 0), np.uint32))
    noted: list[Access] | None = None

    def begin_groups(self, groups: int, shared_bytes: int) -> None:
        """Give a number of work groups new shared memory."""
        self.shared = np.zeros((groups, -(-shared_bytes // 4)), np.uint32)
