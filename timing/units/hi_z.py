"""Hi-Z: of each raster tile bounds of the depths it holds, on chip. What lies behind them as a whole is left out
(Emerald, 3.3.1, stage J); what lies in front need not be tested.

The bounds follow from the primitives alone, in the order in which they pass: one that covers all of a tile and hides
what was drawn before lowers the farthest, one that may write greater depths raises it; one that may write lesser depths
lowers the nearest. Exact values stay in memory. The paper does not say how its buffer is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.functional.activity.kernels.depth import COMPARISONS, depth_at
from tilegpu.timing.declare.records import NEVER

from ..engine.jit import inline, unit

if TYPE_CHECKING:
    from ..engine.cluster_tables import Clusters, RasterTile
    from ..engine.frame import Depth, DrawState, Primitive, RenderPass


LESS, LEQUAL = COMPARISONS.index("LESS"), COMPARISONS.index("LEQUAL")
LOWER = (COMPARISONS.index("NEVER"), LESS, LEQUAL, COMPARISONS.index("EQUAL"))
"""Comparisons after which no depth is greater than before."""
UNKNOWN = NEVER
MIXED, HIDDEN, IN_FRONT = range(3)
"""Place of a primitive's raster tile: behind all that was drawn before; in front of it; or neither is known."""
MARGIN = 4
"""Steps of the depth buffer by which a plane at a tile's corners may differ, by rounding, from one in between."""


@unit
def forget(clusters: Clusters) -> None:
    """Nothing is known of any tile."""
    for i in range(len(clusters.farthest)):
        clusters.farthest[i], clusters.nearest[i] = UNKNOWN, -UNKNOWN


@unit
def begin_pass(row: RenderPass, clusters: Clusters) -> None:
    """All tiles hold what the pass was cleared to, if it was."""
    forget(clusters)
    if row.load_depth < 0:
        for i in range(len(clusters.farthest)):
            clusters.farthest[i] = clusters.nearest[i] = row.clear_depth


@unit
def bounds(primitive: Primitive, state: DrawState, tile: RasterTile, samples: int) -> tuple[int, int]:
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
def covers_all(depth: Depth, tile: RasterTile, samples: int) -> bool:
    """Whether all samples of a tile are covered."""
    if tile.last_quad - tile.first_quad < 4:
        return False
    covered = (1 << 4 * samples) - 1
    for q in range(tile.first_quad, tile.last_quad):
        covered &= depth.quad[q].coverage
    return bool(covered == (1 << 4 * samples) - 1)


@inline
def hides(state: DrawState) -> bool:
    """Whether what is covered is no farther than the primitive afterwards."""
    function = state.depth_function
    return bool(function in (LESS, LEQUAL) and state.late == 0 and state.stencil_test == 0)


@unit
def place(depth: Depth, clusters: Clusters, row: RenderPass, p: int, tile: RasterTile) -> int:
    """Place of a primitive's raster tile; unless it is left out, the bounds then hold with it, too."""
    primitive = depth.primitive[p]
    state = depth.state[primitive.state]
    if state.depth_test == 0:
        return MIXED
    at = tile.y * ((row.width + 3) // 4) + tile.x
    near, far = bounds(primitive, state, tile, row.samples)
    own = depth.quad[tile.first_quad].shader_depth >= 0
    function = state.depth_function
    relation = MIXED
    if not own and state.stencil_test == 0 and function in (LESS, LEQUAL):
        farthest = clusters.farthest[at]
        behind = farthest != UNKNOWN and (near > farthest or (function == LESS and near >= farthest))
        if behind and (state.late == 0 or state.writes_memory == 0):
            return HIDDEN
        if far < clusters.nearest[at] and state.late == 0:
            relation = IN_FRONT
    if state.depth_write != 0:
        if own:
            clusters.farthest[at], clusters.nearest[at] = UNKNOWN, -UNKNOWN
        else:
            change(depth, clusters, state, tile, row.samples, at, (near, far))
    return relation


@inline
def change(
    depth: Depth, clusters: Clusters, state: DrawState, tile: RasterTile, samples: int, at: int, depths: tuple[int, int]
) -> None:
    """Move the bounds of a tile for a primitive that writes depths, between a least and a greatest one."""
    near, far = depths
    clusters.nearest[at] = min(clusters.nearest[at], near)
    if state.depth_function not in LOWER:
        clusters.farthest[at] = max(clusters.farthest[at], far)
    elif hides(state) and far < clusters.farthest[at] and covers_all(depth, tile, samples):
        clusters.farthest[at] = far
