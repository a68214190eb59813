"""The declared list of structures: geometry from the configuration, activity from the statistics, one row each.

A new structure is a new row (`declare.Structure`) in the list of its part of the machine. Sizes of queue entries are
those of Rendering Elimination's table (vertex 136, triangle 388, fragment 233 bytes); of the Color Queue 24 bytes; of
the Primitive Table 6171 bits (thesis 4.1.2). The rasterizer, early depth and blending have no published figures: they
are sums of adders, multipliers and comparators.
"""

from __future__ import annotations

from . import fragment_structures, geometry_structures, raster_structures
from .declare import MEMORY, Structure, cache, once, reads_of, writes_of

STRUCTURES: tuple[Structure, ...] = (
    *geometry_structures.STRUCTURES,
    *raster_structures.STRUCTURES,
    *fragment_structures.STRUCTURES,
    Structure(
        "l2_cache",
        MEMORY,
        once,
        lambda c: cache(c.l2_cache, 512, sequential=c.l2_cache.size_bytes // c.l2_cache.banks >= 32768),
        reads_of("l2_cache"),
        writes_of("l2_cache"),
    ),
)
"""Every structure that energy and area are computed for. Not among them: wires between units, clock trees, control."""
