"""Which tiles share texture blocks: from the tables of a frame, without running the machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.frame import Frame
from .compiled import kernel

NEXT, SECOND, LATER, SINGLE = range(4)


@kernel
def count_reuse(
    first_quad: Any,
    last_quad: Any,
    tile: Any,
    render_pass: Any,
    path: Any,
    operation: Any,
    rows: Any,
    line: Any,
    out: Any,
) -> None:
    """Walk the tiles' lists in order; keep for every line of the pass the last tile and the shortest distance.

    Parameters
    ----------
    first_quad, last_quad, tile
        For each entry of the lists: its quads and its tile.
    render_pass
        For each tile.
    path, operation
        For each quad: its path (negative where it is not shaded) and first texture operation.
    rows
        Table of operations; those of a quad end where the next quad's begin.
    line
        Lines of all operations.
    out
        int64, (4,): blocks by `NEXT`, `SECOND`, `LATER`, `SINGLE`, to fill.
    """
    size = 1024
    while size < 2 * len(line):
        size *= 2
    key = np.full(size, -1, np.int64)
    last = np.zeros(size, np.int64)
    best = np.full(size, SINGLE, np.int64)
    owner = -1
    for e in range(len(tile)):
        t = tile[e]
        if render_pass[t] != owner:
            for i in range(size):
                if key[i] >= 0:
                    out[best[i]] += 1
                    key[i] = -1
                    best[i] = SINGLE
            owner = render_pass[t]
        for q in range(first_quad[e], last_quad[e]):
            if path[q] < 0:
                continue
            stop = operation[q + 1] if q + 1 < len(operation) else len(rows)
            for o in range(operation[q], max(operation[q], stop)):
                for k in range(rows[o].first_line, rows[o].first_line + rows[o].lines):
                    place = ((line[k] >> 5) * 0x9E3779B1 >> 7) & (size - 1)
                    while key[place] >= 0 and key[place] != line[k]:
                        place = (place + 1) & (size - 1)
                    if key[place] < 0:
                        key[place] = line[k]
                    else:
                        distance = t - last[place]
                        if distance > 0:
                            best[place] = min(best[place], min(distance, 3) - 1)
                    last[place] = t
    for i in range(size):
        if key[i] >= 0:
            out[best[i]] += 1


def block_reuse(frame: Frame) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Texture blocks (lines) of the recorded quads by the shortest distance of tiles that use them.

    Returns
    -------
    numpy.ndarray
        Shape (4,): used by the next tile, by the second next, by a later one, by one tile only.
    """
    tiling, texturing = frame.tiling, frame.texturing
    out = np.zeros(4, np.int64)
    # Those of vertices come behind those of quads.
    first_of_vertices = frame.shading.stream["operation"]
    quad_operations = int(first_of_vertices[0] if len(first_of_vertices) else 0) or len(texturing.operation)
    lengths = tiling.tile["last_entry"] - tiling.tile["first_entry"]
    count_reuse(
        tiling.entry["first_quad"].astype(np.int64),
        tiling.entry["last_quad"].astype(np.int64),
        np.repeat(np.arange(len(tiling.tile)), lengths),
        tiling.tile["render_pass"].astype(np.int64),
        np.where(_is_shaded(frame), frame.shading.quad["path"].astype(np.int64), -1),
        frame.shading.quad["operation"].astype(np.int64),
        texturing.operation[:quad_operations],
        texturing.line,
        out,
    )
    return out


def _is_shaded(frame: Frame) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Quads that are shaded in drawing order, whatever else the recording has shaded."""
    quad, depth = frame.shading.quad, frame.depth
    late = depth.state["late"][depth.primitive["state"][quad["primitive"]]] != 0
    return np.asarray(late | (quad["depth_pass"] != 0))
