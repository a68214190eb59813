"""Texture blocks that tiles share, from the tables of a frame, without running the machine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.frame import Frame
from ..compiled import helper, kernel

NEXT, SECOND, LATER, SINGLE = range(4)
FIRST_SIZE = 1 << 13
"""Places of the hash table of lines that a pass begins with."""


@helper
def _table(size: int) -> Any:
    """Hash table of lines without any: lines (-1 where there is none), the last tile and the shortest distance."""
    return np.full(size, -1, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)


@helper
def _place(key: Any, line: int) -> int:
    """Place of a line in a hash table, or the one to put it."""
    place = ((line >> 5) * 0x9E3779B1 >> 7) & (len(key) - 1)
    while key[place] >= 0 and key[place] != line:
        place = (place + 1) & (len(key) - 1)
    return place


@helper
def _doubled(key: Any, last: Any, best: Any) -> Any:
    """The same lines in a table with room for twice as many."""
    new_key, new_last, new_best = _table(2 * len(key))
    for i in range(len(key)):
        if key[i] >= 0:
            place = _place(new_key, key[i])
            new_key[place], new_last[place], new_best[place] = key[i], last[i], best[i]
    return new_key, new_last, new_best


@helper
def _count(key: Any, best: Any, out: Any) -> None:
    """Add the lines of a table to those by shortest distance."""
    for i in range(len(key)):
        if key[i] >= 0:
            out[best[i]] += 1


class Lists(NamedTuple):
    """Entries of the tiles' lists: the quads and the tile of each."""

    first_quad: Any
    last_quad: Any
    tile: Any


class ShadedQuads(NamedTuple):
    """Path of each quad, negative where it is not shaded, and its first texture operation."""

    path: Any
    operation: Any


@kernel
def count_reuse(lists: Lists, render_pass: Any, shaded: ShadedQuads, rows: Any, line: Any, out: Any) -> None:
    """Walk the tiles' lists in order; keep for every line of the pass the last tile and the shortest distance.

    Parameters
    ----------
    lists
        Entries of the lists.
    render_pass
        For each tile.
    shaded
        Quads.
    rows
        Table of operations; those of a quad end where the next quad's begin.
    line
        Lines of all operations.
    out
        int64, (4,): blocks by `NEXT`, `SECOND`, `LATER`, `SINGLE`, to fill.
    """
    key, last, best = _table(FIRST_SIZE)
    lines = 0
    owner = -1
    path, operation = shaded.path, shaded.operation
    for e in range(len(lists.tile)):
        t = lists.tile[e]
        if render_pass[t] != owner:
            _count(key, best, out)
            key[:] = -1
            lines = 0
            owner = render_pass[t]
        for q in range(lists.first_quad[e], lists.last_quad[e]):
            if path[q] < 0:
                continue
            stop = operation[q + 1] if q + 1 < len(operation) else len(rows)
            for o in range(operation[q], max(operation[q], stop)):
                for k in range(rows[o].first_line, rows[o].first_line + rows[o].lines):
                    place = _place(key, line[k])
                    if key[place] < 0:
                        key[place], last[place], best[place] = line[k], t, SINGLE
                        lines += 1
                        if 2 * lines > len(key):
                            key, last, best = _doubled(key, last, best)
                        continue
                    distance = t - last[place]
                    if distance > 0:
                        best[place] = min(best[place], min(distance, 3) - 1)
                        last[place] = t
    _count(key, best, out)


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
        Lists(
            tiling.entry["first_quad"].astype(np.int64),
            tiling.entry["last_quad"].astype(np.int64),
            np.repeat(np.arange(len(tiling.tile)), lengths),
        ),
        tiling.tile["render_pass"].astype(np.int64),
        ShadedQuads(
            np.where(_is_shaded(frame), frame.shading.quad["path"].astype(np.int64), -1),
            frame.shading.quad["operation"].astype(np.int64),
        ),
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
