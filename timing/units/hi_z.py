"""Hi-Z: of each raster tile a bound of the depths it holds, on chip; what lies behind it as a whole is left out
(Emerald, 3.3.1, stage J).

The bound follows from the primitives alone, in the order in which they pass: one that covers all of a tile and hides
what is there lowers it, one that may write greater depths raises it. Exact values stay in memory. The paper does not
tell how its buffer is kept.
"""

from __future__ import annotations

from typing import Any

from tilegpu.functional.activity.kernels.depth import COMPARISONS, depth_at

from ..engine.jit import inline, unit
from ..engine.records import NEVER

LESS, LEQUAL = COMPARISONS.index("LESS"), COMPARISONS.index("LEQUAL")
LOWER = (COMPARISONS.index("NEVER"), LESS, LEQUAL, COMPARISONS.index("EQUAL"))
"""Comparisons after which no depth is greater than before."""
UNKNOWN = NEVER
MARGIN = 4
"""Steps of the depth buffer by which a plane at a tile's corners may differ, by rounding, from one in between."""


@unit
def forget(clusters: Any) -> None:
    """Nothing is known of any tile."""
    for i in range(len(clusters.farthest)):
        clusters.farthest[i] = UNKNOWN


@unit
def begin_pass(row: Any, clusters: Any) -> None:
    """All tiles hold what the pass was cleared to, if it was."""
    for i in range(len(clusters.farthest)):
        clusters.farthest[i] = row.clear_depth if row.load_depth < 0 else UNKNOWN


@unit
def bounds(primitive: Any, state: Any, tile: Any, samples: int) -> tuple[int, int]:
    """Least and greatest depth of a primitive in a raster tile."""
    beyond = 1 if samples > 1 else 0
    near, far = UNKNOWN, -UNKNOWN
    for corner in range(4):
        x = tile.x * 4 - beyond + (corner & 1) * (3 + 2 * beyond)
        y = tile.y * 4 - beyond + (corner >> 1) * (3 + 2 * beyond)
        z = int(depth_at(primitive.depth, primitive.depth_dx, primitive.depth_dy, x, y, state.depth_format))
        near, far = min(near, z), max(far, z)
    return near - MARGIN, far + MARGIN


@inline
def covers_all(depth: Any, tile: Any, samples: int) -> bool:
    """Whether all samples of a tile are covered."""
    if tile.last_quad - tile.first_quad < 4:
        return False
    covered = (1 << 4 * samples) - 1
    for q in range(tile.first_quad, tile.last_quad):
        covered &= depth.quad[q].coverage
    return bool(covered == (1 << 4 * samples) - 1)


@inline
def hides(state: Any) -> bool:
    """Whether what is covered is no farther than the primitive afterwards."""
    function = state.depth_function
    return bool(function in (LESS, LEQUAL) and state.late == 0 and state.stencil_test == 0)


@unit
def hidden(depth: Any, clusters: Any, row: Any, p: int, tile: Any) -> bool:
    """Whether a primitive can be left out in a raster tile; if not, what it does to the bound."""
    primitive = depth.primitive[p]
    state = depth.state[primitive.state]
    if state.depth_test == 0:
        return False
    place = tile.y * ((row.width + 3) // 4) + tile.x
    near, far = bounds(primitive, state, tile, row.samples)
    own = depth.quad[tile.first_quad].shader_depth >= 0
    function = state.depth_function
    if not own and state.stencil_test == 0 and function in (LESS, LEQUAL):
        bound = clusters.farthest[place]
        if bound != UNKNOWN and (near > bound or (function == LESS and near >= bound)):
            return True
    if state.depth_write != 0:
        if own:
            clusters.farthest[place] = UNKNOWN
        elif function not in LOWER:
            clusters.farthest[place] = max(clusters.farthest[place], far)
        elif hides(state) and far < clusters.farthest[place] and covers_all(depth, tile, row.samples):
            clusters.farthest[place] = far
    return False
