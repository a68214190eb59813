"""Executes draws like `batch_kernels`, and counts what they do, in the same call."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from ...activity.kernels.lanes import lane_count, lanes_of
from ...activity.kernels.spans import SUBPIXELS
from ...activity.kernels.tiles import bounds, box_of_tile, touches
from ...compile import helper, kernel, kernel_by_address
from ...compile.blocks import Address, Halves, Integers, SignedPlanes, Words
from ...compile.native import load
from ..geometry.setup_kernels import NOT_CULLED
from .batch_kernels import FAILED
from .batch_shading import ENDLESS, ShadingReport, shade_batch
from .batch_state import CHUNK_QUADS, QUAD_COUNTS, Batch, FragmentState
from .counted_reads import count_reads, covered_lanes
from .counting_state import WORK, Counting, SignedConstants, Tiles
from .geometry_block import Assembled, Drawable
from .observing import MAX_LANES, DrawnGeometry
from .signing_kernels import mixed, signature_of, signed_key

WIDEST = 1 << 16
"""Largest size of a point in pixels that counts for tiles."""


@kernel_by_address
def raster_counted(memory: Address, geometry: Address) -> int:
    """Cover, test, shade and write all primitives of a draw, in order, and add to the `Counting` that observes it; as
    `batch_kernels.raster`, with the address of a `DrawnGeometry`."""
    batch, drawable = load(memory, Batch), load(geometry, Drawable)
    state, counting = load(batch.draw, FragmentState), load(batch.observed, Counting)
    _count_vertices(counting, load(geometry, DrawnGeometry))
    any_passed, start = 0, 0
    while start < len(drawable.placed.front):
        start = state.cover(memory, geometry, start, 0)
        covered, chosen = batch.counts[QUAD_COUNTS.covered], batch.counts[QUAD_COUNTS.chosen]
        texels = _shade(memory, geometry, batch, state.early, chosen, counting)
        if texels < 0:
            return any_passed | FAILED
        counting.counts[WORK.texels] += texels
        alive = _count_quads(counting.counts, state.early, batch.quads.coverage[:covered], batch.passed[:covered])
        any_passed |= alive
    _count_primitives(drawable, counting.counts, load(counting.tiles, Tiles), counting.constants)
    return any_passed


@helper
def _count_vertices(counting: Counting, made: DrawnGeometry) -> None:
    """Count the instructions of the vertices, and the primitives as assembled."""
    executed, times = made.nodes, counting.times
    for v in range(len(executed)):
        counting.counts[WORK.vertex_instructions] += int(executed[v]) * (times[v] if len(times) else 1)
    _count_sources(made.geometry.source, counting.counts)


@helper
def _count_sources(source: Integers, counts: Words) -> None:
    assembled = 0
    for p in range(len(source)):
        assembled += p == 0 or source[p] != source[p - 1]
    counts[WORK.primitives] += assembled


@helper
def _shade(memory: int, geometry: int, batch: Batch, early: bool, chosen: int, counting: Counting) -> Any:
    """Shade the quads that a batch selected; the texels that these request, -1 if a shader did not terminate."""
    nothing, lanes, quads = np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint16)
    outputs, branches = np.empty((0, 0), np.float32), counting.fragment_branches
    step = CHUNK_QUADS if len(counting.notes) or branches else max(chosen, 1)
    # Kernels fill whole vectors.
    executed = np.empty(4 * step + MAX_LANES if branches else 0, np.int32)
    texels, begin = 0, 0
    while begin < chosen:
        end = min(begin + step, chosen)
        _clear_levels(counting.reads.levels, end - begin)
        report = ShadingReport(begin, counting.notes, lanes, outputs, quads, nothing, executed, nothing, nothing)
        done = shade_batch(memory, geometry, begin, end, report)
        if done == ENDLESS:
            return -1
        which = batch.which[begin:done]
        texels += _texels(counting, batch.quads.coverage, which)
        if branches:
            alive = batch.passed if early else batch.quads.coverage
            counting.counts[WORK.fragment_instructions] += _executed_by(executed, alive, which)
        begin = done
    return texels


@helper
def _executed_by(executed: Integers, alive: Halves, which: Words) -> Any:
    """Instructions that the living lanes of some quads executed."""
    total = 0
    for k in range(len(which)):
        lanes = lanes_of(int(alive[which[k]]))
        for lane in range(4):
            total += int(executed[4 * k + lane]) * (lanes >> lane & 1)
    return total


@helper
def _clear_levels(levels: SignedPlanes, quads: int) -> None:
    """Note that some quads have read nothing yet, a quad at a time, so that the loop is vectorized."""
    for row in range(len(levels)):
        for level in range(2):
            words = levels[row, level].view(np.int32)
            for quad in range(quads):
                words[quad] = -1


@helper
def _texels(counting: Counting, coverage: Halves, which: Words) -> Any:
    """Texels that the covered lanes of some quads request; blocks are marked."""
    total, texels_of_lane = 0, counting.texels_of_lane
    if len(counting.notes):
        reads = counting.reads
        total = count_reads(reads, counting.operations, covered_lanes(coverage, which))
    for k in range(len(which) if texels_of_lane else 0):
        total += texels_of_lane * lane_count(lanes_of(int(coverage[which[k]])))
    return total


@helper
def _count_quads(counts: Words, early: bool, coverage: Halves, passed: Halves) -> int:
    """Count lanes without branches, so that the loop is vectorized; whether any sample passed."""
    covered, passing, samples = 0, 0, 0
    for q in range(len(coverage)):
        covered += lane_count(lanes_of(int(coverage[q])))
        passing += lane_count(lanes_of(int(passed[q])))
        samples |= passed[q]
    counts[WORK.fragments] += covered
    counts[WORK.fragments_shaded] += passing if early else covered
    return 1 if samples else 0


@helper
def _count_primitives(drawable: Drawable, counts: Words, tiles: Tiles, constants: Any) -> None:
    """Count the primitives that turned out visible, and the tiles that each touches, which are signed."""
    placed, visible, entries = drawable.placed, 0, 0
    key = signed_key(tiles.key, constants) if len(tiles.signatures) else 0
    for p in range(len(placed.culled)):
        if placed.culled[p] == NOT_CULLED:
            visible += 1
            entries += _tiles(drawable, p, tiles, key)
    counts[WORK.primitives_visible] += visible
    counts[WORK.tile_entries] += entries
    # The position is an attribute, too.
    tiles.attributes[0] += visible * (1 + drawable.outputs.shape[1] // 4)


@helper
def _tiles(drawable: Drawable, p: int, tiles: Tiles, key: int) -> Any:
    """Tiles that a primitive touches."""
    across, along, signs = tiles.width, tiles.height, len(tiles.signatures) > 0
    placed, box = drawable.placed, drawable.box
    x, y = placed.x[p], placed.y[p]
    size = min(max(placed.extent[p], np.float32(0)), np.float32(WIDEST)) if drawable.size < 3 else np.float32(0)
    extent = int(np.ceil(size * np.float32(SUBPIXELS // 2)))
    first_x, last_x, first_y, last_y = bounds(x, y, drawable.size, extent, box, box[2], box[3])
    if first_x > last_x or first_y > last_y:
        return 0
    count, left, right, bottom, top = 0, first_x // across, last_x // across, first_y // along, last_y // along
    signature = signature_of(drawable, p, key) if signs else 0
    # Most primitives lie in one tile.
    if left == right and bottom == top:
        _enter(tiles, left, bottom, signature)
        return 1
    for row in range(bottom, top + 1):
        for column in range(left, right + 1):
            if drawable.size < 3 or touches(x, y, box_of_tile(column, row, across, along)):
                count += 1
                _enter(tiles, column, row, signature)
    return count


@helper
def _enter(tiles: Tiles, column: int, row: int, signature: int) -> None:
    """Enter a primitive in the list of a tile, and sign the tile."""
    place = row * tiles.across + column
    if place < len(tiles.entries):
        tiles.entries[place] += 1
    if place < len(tiles.signatures):
        tiles.signatures[place] = mixed(tiles.signatures[place], signature)


@kernel
def count_assembled(
    address: Address,
    counts: Words,
    tiles: Annotated[tuple[Any, ...], Tiles],
    constants: Annotated[tuple[Any, ...], SignedConstants],
) -> None:
    """Count the primitives of an `Assembled`, whose quads are known, for `Work` and `Tiles`; `SignedConstants` sign."""
    geometry = load(address, Assembled)
    _count_sources(geometry.source, counts)
    _count_primitives(geometry.drawable, counts, Tiles(*tiles), SignedConstants(*constants))
