"""Numbers for the memory that operations read and write: arrays of pixels and texels, and buffers.

Arrays are numbered rather than the objects that own them, since images that several objects share (EGLImage) are one
array, and an image that is defined anew is another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from weakref import ref

from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..gles.buffers import Buffer
    from ..gles.framebuffers import Attachment, Surface
    from ..gles.textures import Texture

Numbers = frozenset[int]
NONE: Numbers = frozenset()


class Memory:
    """Memory that an operation has written; what only the program has written has no number.

    Attributes
    ----------
    count
        How much of it there is; numbers of textures change only with it.
    """

    def __init__(self) -> None:
        self.count = 0
        self._arrays: dict[int, tuple[ref[NDArray[Any]], int]] = {}
        self._buffers: dict[int, int] = {}
        self._textures: dict[int, tuple[tuple[int, int, int], Numbers]] = {}

    def number(self, array: NDArray[Any] | None) -> int | None:
        """Number of an array; None if no operation has written it."""
        entry = self._arrays.get(id(array))
        # An array that is gone may have had the same address.
        return entry[1] if entry is not None and entry[0]() is array else None

    def array(self, array: NDArray[Any] | None) -> Numbers:
        """Number of an array that is written, as a set."""
        if array is None:
            return NONE
        number = self.number(array)
        if number is None:
            number = self._new()
            self._arrays[id(array)] = ref(array), number
        return frozenset((number,))

    def buffer(self, buffer: Buffer) -> Numbers:
        """Number of a buffer that is written, as a set."""
        if buffer.identity not in self._buffers:
            self._buffers[buffer.identity] = self._new()
        return frozenset((self._buffers[buffer.identity],))

    @property
    def knows_buffers(self) -> bool:
        """Whether an operation has written any buffer."""
        return bool(self._buffers)

    def _new(self) -> int:
        self.count += 1
        return self.count

    def known_arrays(self, arrays: Iterable[NDArray[Any] | None]) -> Numbers:
        """Numbers of those of some arrays that operations have written."""
        return frozenset([n for array in arrays if (n := self.number(array)) is not None])

    def known_buffers(self, buffers: Iterable[Buffer | None]) -> Numbers:
        """Numbers of those of some buffers that operations have written."""
        if not self._buffers:
            return NONE
        numbers = [self._buffers.get(buffer.identity) for buffer in buffers if buffer is not None]
        return frozenset([number for number in numbers if number is not None])

    def texture(self, texture: Texture) -> Numbers:
        """Numbers of all images of a texture that operations have written."""
        surface: Surface | None = texture.multisample
        key = texture.allocations, self.count, surface.storage if surface is not None else 0
        key_and_numbers = self._textures.get(texture.identity)
        if key_and_numbers is None or key_and_numbers[0] != key:
            arrays: list[NDArray[Any] | None] = [*texture.images.values(), *texture.stencils.values()]
            if surface is not None:
                arrays += [surface.color, surface.depth, surface.stencil]
            key_and_numbers = self._textures[texture.identity] = key, self.known_arrays(arrays)
        return key_and_numbers[1]


def memory_of(attachment: Attachment, slot: str) -> NDArray[Any] | None:
    """The array behind a slot of a framebuffer: colour0, depth, stencil …

    A texture's image identifies its depth, too, which is kept apart once the texture is drawn to.
    """
    if slot == "stencil":
        return attachment.stencil()
    if slot == "depth" and attachment.surface is not None:
        return attachment.surface.depth
    return attachment.color()
