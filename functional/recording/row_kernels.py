"""Kernels that tell of a draw: they write its rows of the large tables and count what the summary counts, in one call.

Counts are int64, as in `Count`, of a program in a frame. ``detailed`` says whether rows are written at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..activity.compiled import kernel
from ..pipeline.geometry.setup_kernels import NOT_CULLED
from .counts import Count
from .kernels import lane_count, lanes_of, write_paths, write_primitives, write_quads, write_vertices

_C = Count


@kernel
def record_vertices(
    counts: Any,
    work: Any,
    source: Any,
    detailed: Any,
    first: Any,
    number: Any,
    draw: Any,
    instance: Any,
    indices: Any,
    paths: Any,
    clip: Any,
    parents: Any,
    weights: Any,
    numbers: Any,
    index: Any,
    floats: Any,
) -> None:
    """Vertices of an instance; assembled primitives are counted.

    Parameters
    ----------
    work
        int64, (paths, 2): instructions and texture operations of each path.
    source
        int32, (primitives,): primitive as assembled, in order.
    first to floats
        As for `write_vertices`.
    """
    for p in range(len(source)):
        counts[_C.PRIMITIVES] += p == 0 or source[p] != source[p - 1]
    for v in range(len(paths)):
        counts[_C.VERTEX_INSTRUCTIONS] += work[paths[v], 0]
    counts[_C.VERTICES] += len(paths)
    if detailed:
        write_vertices(first, number, draw, instance, indices, paths, clip, parents, weights, numbers, index, floats)


@kernel
def record_primitives(
    counts: Any,
    detailed: Any,
    first: Any,
    number: Any,
    first_vertex: Any,
    draw: Any,
    instance: Any,
    snapped: Any,
    size: Any,
    corners: Any,
    source: Any,
    clip: Any,
    x: Any,
    y: Any,
    planes: Any,
    front: Any,
    culled: Any,
    extent: Any,
    numbers: Any,
    usable: Any,
    depths: Any,
    flags: Any,
    reasons: Any,
    extents: Any,
) -> None:
    """Primitives of an instance, once their fate is known; parameters from ``first`` on are `write_primitives`'."""
    for p in range(len(culled)):
        counts[_C.PRIMITIVES_KEPT] += culled[p] == NOT_CULLED
    if detailed:
        write_primitives(
            first,
            number,
            first_vertex,
            draw,
            instance,
            snapped,
            size,
            corners,
            source,
            clip,
            x,
            y,
            planes,
            front,
            culled,
            extent,
            numbers,
            usable,
            depths,
            flags,
            reasons,
            extents,
        )


@kernel
def record_quads(
    counts: Any,
    early: Any,
    detailed: Any,
    first: Any,
    first_primitive: Any,
    primitive: Any,
    x: Any,
    y: Any,
    coverage: Any,
    passed: Any,
    discarded: Any,
    numbers: Any,
    masks: Any,
    lanes: Any,
) -> None:
    """A batch of quads, none of them shaded yet.

    Parameters
    ----------
    early
        Whether tests come before shading.
    first to lanes
        As for `write_quads`.
    """
    for q in range(len(coverage)):
        alive = np.int64(passed[q] if early else coverage[q])
        counts[_C.QUADS_SHADED] += alive != 0
        counts[_C.FRAGMENTS_SHADED] += lane_count(alive)
        counts[_C.FRAGMENTS] += lane_count(np.int64(coverage[q]))
        counts[_C.FRAGMENTS_DISCARDED] += lane_count(np.int64(discarded[q]))
        counts[_C.FRAGMENTS_WRITTEN] += lane_count(np.int64(passed[q]))
    counts[_C.QUADS] += len(coverage)
    if detailed:
        write_quads(first, first_primitive, primitive, x, y, coverage, passed, discarded, numbers, masks, lanes)


@kernel
def record_shaded(
    counts: Any, work: Any, alive: Any, detailed: Any, first: Any, which: Any, paths: Any, numbers: Any
) -> None:
    """Quads of a batch that were shaded together.

    Parameters
    ----------
    work
        int64, (paths, 2): instructions and texture operations of each path.
    alive
        uint16: living samples of each quad of the batch.
    first to numbers
        As for `write_paths`.
    """
    for i in range(len(which)):
        living = lanes_of(np.int64(alive[which[i]]))
        for lane in range(4):
            if living >> lane & 1:
                counts[_C.FRAGMENT_INSTRUCTIONS] += work[paths[4 * i + lane], 0]
                counts[_C.TEXTURE_LOOKUPS] += work[paths[4 * i + lane], 1]
    if detailed:
        write_paths(first, which, paths, numbers)
