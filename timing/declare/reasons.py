"""Reasons for which a draw holds the frame: what units do for it while it has the frame's time."""

from __future__ import annotations

from types import MappingProxyType

REASONS = MappingProxyType(
    {
        "arithmetic": "cores issue instructions",
        "results": "cores wait for results of their own instructions",
        "code": "cores wait for instructions",
        "texture_filtering": "cores wait for texels that are looked up or filtered",
        "texture_misses": "cores wait for texels whose lines are on their way",
        "buffer_access": "cores wait for buffers, images, or values that stages hand on through memory",
        "barriers": "cores wait for other warps of a work group",
        "launch": "warps are put together and started",
        "vertex_fetch": "indices and attributes of vertices are read",
        "primitive_assembly": "primitives are assembled, clipped, culled and handed to the clusters",
        "tiling": "primitives are sorted into tiles, and their lists are read",
        "rasterization": "primitives are rasterized",
        "early_depth": "depth and stencil are tested before shading",
        "order": "quads wait for those of a draw before",
        "blending": "colours are blended and late depths tested",
        "bandwidth": "pixels are on their way from or to memory",
        "other": "units work that have no reason of their own",
        "idle": "no unit is at work",
    }
)
"""Names of reasons and their meanings, in the order of their numbers."""
NUMBERS = MappingProxyType({name: number for number, name in enumerate(REASONS)})
ASKED = ""
"""In the place of a reason: the unit is asked."""
MAX_REASONS = 32
REASON_BITS = 5
ARITHMETIC, RESULTS, CODE, TEXTURE_FILTERING, TEXTURE_MISSES, BUFFER_ACCESS = range(6)
VERTEX_FETCH = NUMBERS["vertex_fetch"]
EARLY_DEPTH, ORDER, BLENDING, BANDWIDTH = (NUMBERS[name] for name in ("early_depth", "order", "blending", "bandwidth"))
IDLE = NUMBERS["idle"]
