"""Layout of the GPU's address space: one region per kind, page by page in the order of the recording."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilegpu.functional.errors import UserError

PAGE_BYTES = 4096
REGION_BYTES = 1 << 36

COMMAND_REGION, CODE_REGION, BUFFER_REGION, SURFACE_REGION, PARAMETER_REGION = (i * REGION_BYTES for i in range(5))
PARAMETER_BUFFER_BYTES = REGION_BYTES // 2
"""Room for each of two Parameter Buffers, where there are two."""
GRAPH_REGION, ORDER_REGION, FIRST_LIST_REGION = (i * REGION_BYTES for i in range(5, 8))
"""Regions of Visibility Rendering Order."""
COLLISION_REGION = 8 * REGION_BYTES
COLLISION_REGION_BYTES = 1 << 30
"""Region of Render-Based Collision Detection; a ring of that size for each Raster Unit."""
COMPRESSED_REGION = 9 * REGION_BYTES
"""Compressed surfaces: headers and bodies."""
CPU_REGION = 10 * REGION_BYTES + (1 << 29)
CPU_REGION_BYTES = 1 << 26
"""Region of CPU cores, where there are some; each has a part of that size. Memories wrap addresses around: in one of 1
GB cores have its upper half, and share no rows with each other or with what the GPU has in the lower half."""
VERTEX_OUTPUT_REGION = 11 * REGION_BYTES
"""Shaded vertices of the machine `simt`, on their way to setup."""
LOCAL_REGION = 12 * REGION_BYTES
"""Shared memory of work groups, where it lies in memory."""
LOCAL_BYTES = 1 << 18
"""Most of it that a group has."""
OMEGA_REGION = 13 * REGION_BYTES
"""Depths of the last frame's tiles, for the Omega-Test."""
HASH, SKIPPED_PAGES = 2654435761, 509
"""Multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4), and a prime."""
COMMAND_RING_BYTES = 1 << 20
"""Commands are written into a ring of this size."""


@dataclass
class Region:
    """Part of the address space that is handed out from its start."""

    first: int
    room_bytes: int = REGION_BYTES
    used_bytes: int = field(default=0)

    def take(self, size_bytes: int) -> int:
        """Address of a new piece, at the start of a page; UserError when the region is full or the size
        makes no sense."""
        if not 0 <= size_bytes <= self.room_bytes - self.used_bytes:
            raise UserError(f"a resource of {size_bytes} bytes does not fit the address space")
        address = self.first + self.used_bytes
        self.used_bytes += -(-size_bytes // PAGE_BYTES) * PAGE_BYTES
        return address


@dataclass(frozen=True)
class AddressSpace:
    """Part of the regions that an application has: the whole, or one of several of equal size."""

    number: int = 0
    room_bytes: int = REGION_BYTES

    @property
    def offset_bytes(self) -> int:
        """Its beginning in every region: a number of pages, hashed from its own number, into its part, as pages of
        different applications have nothing to do with each other. With the same place in each part, all of them would
        begin at the same sets of a cache and banks of the memory."""
        return self.number * self.room_bytes + self._skipped_bytes

    @property
    def _skipped_bytes(self) -> int:
        return self.number * HASH % SKIPPED_PAGES * PAGE_BYTES

    def region(self, first: int) -> Region:
        """Its part of the region that begins there."""
        return Region(first + self.offset_bytes, self.room_bytes - self._skipped_bytes)


WHOLE = AddressSpace()
"""Address space of an application that has the GPU for itself."""
MOST_APPLICATIONS = 4
SHARED_BYTES = 1 << 28
"""Room of each of several applications in a region: apart from each other in memories of 1 GB, too, which wrap
addresses around."""
