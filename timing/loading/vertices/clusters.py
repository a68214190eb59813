"""Tables of the SIMT machine: warps of vertices, bounding boxes, raster tiles (Emerald, 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.functional.activity.kernels.spans import SUBPIXELS

from ...engine.cluster_tables import Clearing, Clusters, FragmentProgram, Piece, RasterTile
from ...engine.dispatch_tables import no_dispatches
from ...engine.vertex_warp_tables import BatchWarps, Lane, Load, VertexWarp
from ...units.pixel_launcher import PixelLauncherParameters
from ...units.raster_pipeline import RasterParameters
from ...units.simt_core import SimtCoreParameters
from ...units.tile_coalescing import TileCoalescingParameters
from ..corners import snapped_corners
from ..own import Source
from ..pixel_code import LOAD_COLOR, LOAD_DEPTH, accesses_of
from ..shader_code import check_registers, tests_depth
from .vertex_batches import read_batches

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]


def read_clusters(source: Source | None, configuration: Hardware) -> Clusters:
    """Tables of a frame, or without rows; ActivityError if primitives refer to something that does not exist."""
    if source is None:
        kinds = (
            VertexWarp.dtype,
            Lane.dtype,
            Load.dtype,
            np.int64,
            BatchWarps.dtype,
            Piece.dtype,
            RasterTile.dtype,
            Clearing.dtype,
            FragmentProgram.dtype,
        )
        empty = [np.zeros(0, kind) for kind in (*kinds, np.int64, np.int64, np.int8, np.int32)]
        return Clusters(*[*empty, *no_dispatches()])
    piece = _pieces(source)
    raster_tile = _raster_tiles(source, piece)
    if configuration.of(RasterParameters).pipeline == "central":
        raster_tile = _by_pixel_tile(raster_tile, source, configuration.of(PixelLauncherParameters).side_pixels // 4)
    warps = read_batches(source, configuration, piece)
    programs = np.zeros(len(source.draws.rows), FragmentProgram.dtype)
    programs["registers"] = [source.code.registers.get((row["program"], "fragment"), 0) for row in source.draws.rows]
    programs["tests"] = [tests_depth(row, configuration) for row in source.draws.rows]
    programs["reads"] = [bool(set(accesses_of(row)) & {LOAD_DEPTH, LOAD_COLOR}) for row in source.draws.rows]
    together, side, what = _launched_together(configuration)
    check_registers(programs["registers"], together, what, configuration)
    check_registers(
        warps[0]["registers"], configuration.of(SimtCoreParameters).warp_threads, "a warp of vertices", configuration
    )
    passes = source.passes.render_pass
    farthest, busy = (
        np.zeros(int((-(-passes["width"] // side) * -(-passes["height"] // side)).max(initial=0)), kind)
        for side, kind in ((4, np.int64), (side, np.int32))
    )
    untested = np.zeros(len(source.quad), np.int8)
    own = piece, raster_tile, _clears(source), programs, farthest, farthest.copy(), untested, busy
    return Clusters(*(*warps, *own, *source.compute))


def _launched_together(configuration: Hardware) -> tuple[int, int, str]:
    """Threads of fragments that a core takes as a whole, the side of their place in pixels, and what they are."""
    if configuration.of(RasterParameters).pipeline == "central":
        spec = configuration.of(PixelLauncherParameters)
        return spec.block_threads, spec.side_pixels, "a block of a pixel tile"
    side = configuration.of(TileCoalescingParameters).side_pixels
    return max(side**2, configuration.of(SimtCoreParameters).warp_threads), side, "the pixels of a TC tile"


def _pieces(source: Source) -> Array:
    """Bounding boxes of the primitives: of their corners as far as they lie in the pass, else of all of it."""
    rows, primitives = source.rows, source.primitives
    piece = np.zeros(len(primitives.table), Piece.dtype)
    boxes, place = piece[: len(rows)].copy(), primitives.place
    passes, numbers_ = source.passes.render_pass, [row["pass"] for row in source.passes.rows]
    of = np.searchsorted(numbers_, [row["pass"] for row in source.draws.rows])[primitives.draw]
    corners = snapped_corners(rows)
    real = np.arange(3) < corners.number[:, None]
    for places, size, least, greatest in (
        (corners.x, passes["width"], "left", "right"), (corners.y, passes["height"], "bottom", "top")
    ):  # fmt: skip
        values, most = np.where(real, places, places[:, :1]), size[of] - 1
        low, high = (
            (end + corners.extent * way) // SUBPIXELS for end, way in ((values.min(1), -1), (values.max(1), 1))
        )
        boxes[least] = np.where(corners.on_screen, np.clip(low, 0, most), 0)
        boxes[greatest] = np.where(corners.on_screen, np.clip(high, 0, most), most)
    piece[place] = boxes
    return piece


def _raster_tiles(source: Source, piece: Array) -> Array:
    """Group the quads of each primitive, which are sorted by raster tile."""
    quad = source.quad
    x, y, primitive = quad["x"] // 2, quad["y"] // 2, quad["primitive"]
    new = np.ones(len(quad), bool)
    new[1:] = (x[1:] != x[:-1]) | (y[1:] != y[:-1]) | (primitive[1:] != primitive[:-1])
    first = np.flatnonzero(new)
    table = np.zeros(len(first), RasterTile.dtype)
    table["x"], table["y"], table["first_quad"] = x[first], y[first], first
    table["last_quad"] = np.append(first[1:], len(quad))
    bounds = np.searchsorted(primitive[first], np.arange(len(piece) + 1))
    piece["first_tile"], piece["last_tile"] = bounds[:-1], bounds[1:]
    return table


def _by_pixel_tile(table: Array, source: Source, side: int) -> Array:
    """The same sorted by primitive and by pixel tile, with a given number of raster tiles on a side, row by row in
    each."""
    primitive = source.quad["primitive"][table["first_quad"]]
    x, y = table["x"] // side, table["y"] // side
    order = np.lexsort((table["x"], table["y"], x, y, primitive))
    keys = np.stack([primitive, y, x])[:, order]
    ordered = table[order]
    ordered["ends"] = 1
    ordered["ends"][:-1] = (keys[:, 1:] != keys[:, :-1]).any(0)
    return ordered


def _clears(source: Source) -> Array:
    """Clears between draws, each with the batch before which it comes, or the end of its pass."""
    passes, draws = source.passes, source.draws
    table = np.zeros(len(passes.clears), Clearing.dtype)
    instances = [row["instances"] for row in draws.rows]
    first_batch = np.concatenate([[0], np.cumsum(instances)]).astype(np.int64)
    events = np.array([row["event"] for row in draws.rows], np.int64)
    for k, (event, p) in enumerate(passes.clears):
        r = passes.render_pass[p]
        batch = int(first_batch[np.searchsorted(events, event)])
        table[k] = k, r["first_tile"], min(max(batch, int(r["first_batch"])), int(r["last_batch"]))
    return table[np.lexsort((table["clear"], table["batch"], table["tile"]))]
