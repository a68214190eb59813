"""Texture blocks by the distance of the tiles that use them, on lists written by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from synthetic import rows

from tilegpu.timing.engine import frame as f
from tilegpu.timing.loading.textures.reuse import block_reuse

A, B, C, D, E = (64 * i for i in range(1, 6))


def tiles(*lines: list[int], passes: list[int] | None = None, shaded: bool = True, visible: bool = True) -> Any:
    """A frame with one primitive and quad per tile, which reads these lines in one operation."""
    n = len(lines)
    counts = np.array([len(read) for read in lines])
    tile = rows(
        f.Tile.dtype, n, first_entry=np.arange(n), last_entry=np.arange(1, n + 1), render_pass=passes or [0] * n
    )
    entry = rows(f.ListEntry.dtype, n, first_quad=np.arange(n), last_quad=np.arange(1, n + 1))
    quad = rows(f.Quad.dtype, n, path=0 if shaded else -1, depth_pass=15 if visible else 0, operation=np.arange(n))
    operation = rows(f.TextureOperation.dtype, n, first_line=np.cumsum(counts) - counts, lines=counts)
    return SimpleNamespace(
        tiling=SimpleNamespace(tile=tile, entry=entry),
        depth=SimpleNamespace(state=rows(f.DrawState.dtype, 1), primitive=rows(f.Primitive.dtype, 1)),
        shading=SimpleNamespace(quad=quad, stream=rows(f.StreamVertex.dtype, 3)),
        texturing=SimpleNamespace(operation=operation, line=np.array([x for read in lines for x in read], np.int64)),
    )


def test_a_block_counts_once_under_its_shortest_distance() -> None:
    # A: tiles 0 and 1. B: 0 and 2. C: 0 and 3. D: tile 1 alone, twice. E: 0, 2 and 3, so also in two tiles in a row.
    frame = tiles([A, B, C, E], [A, D, D], [B, E], [C, E])
    # next tile: A, E; second next: B; later: C; one tile only: D.
    assert block_reuse(frame).tolist() == [2, 1, 1, 1]


def test_passes_do_not_share() -> None:
    # The same line in the last tile of a pass and the first of the next: once in each.
    assert block_reuse(tiles([A], [A], passes=[0, 1])).tolist() == [0, 0, 0, 2]
    assert block_reuse(tiles([A], [A], passes=[0, 0])).tolist() == [1, 0, 0, 0]


def test_quads_that_are_not_shaded_read_nothing() -> None:
    assert block_reuse(tiles([A], [A], shaded=False)).tolist() == [0, 0, 0, 0]
    # Occluded quads have a path where the recording shades them too.
    assert block_reuse(tiles([A], [A], visible=False)).tolist() == [0, 0, 0, 0]


def test_many_lines_are_told_apart() -> None:
    # 5,000 lines in tile 0, every second of them in tile 1, every fifth in tile 2.
    lines = [64 * i for i in range(1, 5001)]
    found = block_reuse(tiles(lines, lines[::2], lines[::5]))
    both = len(set(lines[::2]))
    second = len(set(lines[::5]) - set(lines[::2]))
    assert found.tolist() == [both, second, 0, 5000 - both - second]
