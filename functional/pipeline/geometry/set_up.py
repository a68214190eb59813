"""The geometry of a draw, ready to rasterize: viewport transform, snapping, culling, depth planes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...activity.kernels.plane import depth_planes
from ...compile import helper, kernel
from ...compile.blocks import Doubles, Flags, FloatRows, Floats, IntegerRows, Integers
from ...glsl import LinkedProgram
from ..command import DrawCommand
from ..derived import RasterState
from .clipping import NO_PARENTS, NO_WEIGHT, Clipped, clip_all
from .primitive_assembly import CORNERS, assemble_and_classify, room
from .setup_kernels import NOT_CULLED, Placed, cull_faces, place_primitives, transform_vertices
from .vertex_fetch import FetchedVertices
from .vertex_shading import ShadedVertices

STRAIGHT = "noperspective"
_PLACED = attrgetter(*Placed._fields)
CULL_REASONS = ("none", "face", "degenerate", "frustum", "empty")


@dataclass(slots=True)
class Geometry:
    """Primitives of a draw and instance.

    Attributes
    ----------
    clip, outputs
        float32: vertices, those that clipping made last.
    parents, weight
        Of the made vertices; see `Clipped`.
    corners
        int32, (primitives, 3): vertices, -1 for missing corners of lines and points.
    source
        int32, (primitives,): primitive as assembled.
    window
        float32, (vertices, 4): window x, y (up), depth, 1/w; zeros if w <= 0.
    memory_y
        float32, (vertices,): window y in memory orientation.
    x, y
        int64, (primitives, 3): snapped corners in 1/256 pixel, y up.
    planes
        float64, (primitives, 3): depth planes.
    front
        bool, (primitives,).
    culled
        int8, (primitives,): position in `CULL_REASONS`.
    extent
        float32, (primitives,): point size or line width.
    snapped
        Whether triangles have 8 subpixel bits, or float coordinates.
    drawn
        Primitives that were not culled in set-up.
    block
        How kernels of several stages take it, once one has; see `fused.geometry_block`.
    """

    size: int
    clip: NDArray[np.float32]
    outputs: NDArray[np.float32]
    parents: NDArray[np.int32]
    weight: NDArray[np.float32]
    corners: NDArray[np.int32]
    source: NDArray[np.int32]
    window: NDArray[np.float32]
    memory_y: NDArray[np.float32]
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    planes: NDArray[np.float64]
    front: NDArray[np.bool_]
    culled: NDArray[np.int8]
    extent: NDArray[np.float32]
    snapped: bool
    drawn: int
    block: Any = None

    @property
    def placed(self) -> Placed:
        """Results of set-up, as kernels take them."""
        return Placed(*_PLACED(self))


class Primitives(NamedTuple):
    """An instance of a draw, ready to rasterize: its fetched and shaded vertices, its geometry, and the number of
    primitives that transform feedback wrote."""

    fetched: FetchedVertices
    shaded: ShadedVertices
    geometry: Geometry
    written: int = 0


def build_geometry(draw: DrawCommand, fetched: FetchedVertices, shaded: ShadedVertices, snap: bool) -> Geometry:
    """Assemble, clip and set up the primitives of a draw.

    Parameters
    ----------
    draw
        The draw.
    fetched, shaded
        Its vertices.
    snap
        Whether facing and area come from snapped corners (else from float32 ones).
    """
    stream = fetched.stream
    most = 0 if draw.state.raster.discard else room(draw.vertices.topology, len(stream))
    assembled = np.empty((most, CORNERS[draw.vertices.topology]), np.int32)
    outside, crossing = np.empty(most, np.bool_), np.empty(most, np.bool_)
    count = many = 0
    if most:
        count, many = assemble_and_classify(draw.vertices.topology, stream, shaded.clip, assembled, outside, crossing)
    return clip_and_set_up(draw, shaded, assembled[:count], outside[:count], crossing, many, snap)


def clip_and_set_up(
    draw: DrawCommand,
    shaded: ShadedVertices,
    assembled: NDArray[np.int32],
    outside: NDArray[np.bool_],
    crossing: NDArray[np.bool_],
    many: int,
    snap: bool,
) -> Geometry:
    """Clip, transform, snap and cull the assembled primitives of a draw.

    Parameters
    ----------
    draw, shaded
        The draw and its vertices.
    assembled, outside, crossing, many
        Its primitives; see `clip_all`.
    snap
        Whether facing and area come from snapped corners (else from float32 ones).
    """
    if many:
        flat, straight = (slots(draw.state.program, interpolation) for interpolation in ("flat", STRAIGHT))
        clipped = clip_all(assembled, outside, crossing, many, shaded.clip, shaded.outputs, flat, straight)
    else:
        vertices, source = (shaded.clip, shaded.outputs), np.arange(len(assembled), dtype=np.int32)
        clipped = Clipped(*vertices, assembled, source, assembled, outside, NO_PARENTS, NO_WEIGHT)
    clip, outputs, corners, source, whole, outside, parents, weight = clipped
    made = new_geometry(assembled.shape[1], clip, outputs, len(corners), snap)
    made.source, made.parents, made.weight = source, parents, weight
    placing = clip, corners, whole, outside, shaded.point_size, draw.raster_state
    made.drawn = place_and_cull(*placing, snap, made.placed)
    return made


@lru_cache(maxsize=512)
def slots(program: LinkedProgram, interpolation: str) -> NDArray[np.int64]:
    """Slots of the varyings that are interpolated so; see `LinkedProgram.slots`."""
    return np.array(sorted(program.slots(interpolation)), np.int64)


def new_geometry(
    size: int, clip: NDArray[np.float32], outputs: NDArray[np.float32], primitives: int, snapped: bool
) -> Geometry:
    """Geometry to fill, of some vertices, none of them made by clipping."""
    vertices = len(clip)
    return Geometry(
        size=size,
        clip=clip,
        outputs=outputs,
        parents=NO_PARENTS,
        weight=NO_WEIGHT,
        corners=np.empty((primitives, 3), np.int32),
        source=np.arange(primitives, dtype=np.int32),
        window=np.empty((vertices, 4), np.float32),
        memory_y=np.empty(vertices, np.float32),
        x=np.empty((primitives, 3), np.int64),
        y=np.empty((primitives, 3), np.int64),
        planes=np.empty((primitives, 3), np.float64),
        front=np.empty(primitives, np.bool_),
        culled=np.empty(primitives, np.int8),
        extent=np.empty(primitives, np.float32),
        snapped=snapped,
        drawn=0,
    )


@kernel
def place_and_cull(
    clip: FloatRows,
    pieces: IntegerRows,
    whole: IntegerRows,
    outside: Flags,
    point_size: Floats,
    state: RasterState,
    snap: bool,
    made: Placed,
) -> int:
    """Do all of set-up in one call; the number of primitives that are not culled.

    Parameters
    ----------
    clip, pieces, outside, point_size, state, snap, made
        As for `place`.
    whole
        int32, (n, 1 to 3): corners of the unclipped primitives.
    """
    drawn = place(clip, pieces, outside, point_size, state, snap, made)
    if pieces.shape[1] == 3:
        every = made.culled[:0]
        depth_planes(clip, whole, every, state.viewport, state.depth_range, state.polygon_offset, made.planes)
    return drawn


@kernel
def place(
    clip: FloatRows,
    pieces: IntegerRows,
    outside: Flags,
    point_size: Floats,
    state: RasterState,
    snap: bool,
    made: Placed,
) -> int:
    """Do all of set-up but the depth planes of triangles; the number of primitives that are not culled.

    Parameters
    ----------
    clip, pieces, outside
        Vertices, corners and whether primitives are outside, after clipping.
    point_size
        float32: gl_PointSize of the shaded vertices.
    state, snap
        `RasterState`, and whether facing and area come from snapped corners.
    made
        `Placed`, to fill.
    """
    size, fixed = pieces.shape[1], np.empty((len(clip), 2), np.int64)
    transform_vertices(clip, state, made.window, made.memory_y, fixed)
    place_primitives(pieces, clip, fixed, outside, made.corners, made.x, made.y, made.culled)
    if size == 3:
        made.extent[:] = 0
        cull_faces(made, snap, state)
    else:
        made.front[:] = True
        for p in range(len(made.corners)):
            made.extent[p] = state.line_width
            if size == 1:
                made.extent[p] = point_extent(point_size[made.corners[p, 0]])
            other_plane(made.window, made.corners[p], size, made.planes[p])
    drawn = 0
    for p in range(len(made.culled)):
        drawn += made.culled[p] == NOT_CULLED
    return drawn


@helper
def point_extent(size: np.float32) -> Any:
    """Size of a point in pixels, 1 if it is invalid."""
    return min(max(size, np.float32(1)), np.float32(2048)) if size == size else np.float32(1)


@helper
def other_plane(window: FloatRows, corners: Integers, size: int, plane: Doubles) -> None:
    """Depth plane of a point or line: constant across it."""
    a = corners[0]
    start_x, start_y, start_z = np.float64(window[a, 0]), np.float64(window[a, 1]), np.float64(window[a, 2])
    plane[0], plane[1], plane[2] = start_z, 0.0, 0.0
    if size == 2:
        b = corners[1]
        dx, dy, dz = window[b, 0] - start_x, window[b, 1] - start_y, window[b, 2] - start_z
        length = dx * dx + dy * dy
        rate = dz / length if length > 0 else 0.0
        plane[1], plane[2] = rate * dx, rate * dy
        plane[0] = start_z - (plane[1] * start_x + plane[2] * start_y)
