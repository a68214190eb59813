"""Registers as nested records: `gpu.raster_unit[r].processor[i].warp.slot[w].due`.

Array lengths are capacities and part of the compiled type; sizes are ordinary fields set from the configuration, so one
compiled engine serves every configuration.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NEVER = 1 << 60
"""Wake-up time of a unit that waits for another."""

MAX_RASTER_UNITS = 4
MAX_PROCESSORS = 16
MAX_FRAGMENT_TEXTURE_UNITS = 32
MAX_TEXTURE_UNITS = 48
"""Those of the Fragment Processors, then those of the Vertex Processors."""
MAX_WARPS = 32
MAX_CLUSTERS = 8
MAX_SIMT_WARPS = 64
"""Warps of a SIMT core: a bit of a word each."""
MAX_SIMT_THREADS = 32
MAX_REGISTERS = 64
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

Field = str | np.dtype[Any] | tuple[str | np.dtype[Any], tuple[int, ...]]


def record(**fields: Field) -> np.dtype[Any]:
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


def _alignment(kind: np.dtype[Any]) -> int:
    """Alignment of a type in bytes; numpy says 1 of every type of `numpy.record`."""
    base = kind.base
    return max(_alignment(base[name]) for name in base.names) if base.names else base.alignment


def ring(item: str | np.dtype[Any], capacity: int) -> np.dtype[Any]:
    """Bounded FIFO of `item`; `depth` is its size in this configuration."""
    return record(head="i4", count="i4", depth="i4", slot=(item, (capacity,)))


TOKEN = record(kind="i4", tile="i4", index="i4")
"""What flows through the Raster Pipeline: a primitive of a tile, a quad, a clear, or the end of a tile.

`tile` is a row of the frame's tile table (which tells frame, pass and tile), so no unit infers it from a counter;
`index` is a row of entries, quads or clears.
"""

PRIMITIVE, QUAD, CLEAR, END_OF_TILE, BYPASSED = range(5)
"""A BYPASSED quad goes on to blending in its turn without being shaded."""
