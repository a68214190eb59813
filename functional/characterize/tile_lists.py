"""Lists of tiles: how many primitives touch each tile of the images that a frame draws to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..pipeline.command import DrawCommand
from ..pipeline.fused.counted_state import PassCounts, TileSize
from ..pipeline.target import Target


class LongestLists(NamedTuple):
    """The most of any pass of a frame to images of one size: attributes, and by tile the entries of its list."""

    columns: int
    rows: int
    attributes: int
    entries: list[int]


class TileLists:
    """Counts the entries of the tiles' lists, and attributes of primitives, of the passes of a frame.

    Draws that follow each other to the same attachments are one pass.

    Parameters
    ----------
    tile
        Size of a tile.
    """

    def __init__(self, tile: TileSize) -> None:
        self.tile = tile
        self._target: Target | None = None
        self._most: dict[tuple[int, int], PassCounts] = {}

    def of(self, draw: DrawCommand) -> PassCounts:
        """Arrays that the counts of a draw are added to."""
        target = draw.state.target
        if target is not self._target:
            self._end_pass()
            columns, rows = self._grid = self.tile.grid(target.width, target.height)
            self._target = target
            self._open = PassCounts(np.zeros(columns * rows, np.int64), np.zeros(1, np.int64), columns)
        return self._open

    def take(self) -> list[LongestLists]:
        """The most of any pass since this was called last, by size of the image."""
        self._end_pass()
        longest = [
            LongestLists(*grid, int(most.attributes[0]), most.entries.tolist())
            for grid, most in sorted(self._most.items())
        ]
        self._most.clear()
        return longest

    def _end_pass(self) -> None:
        if self._target is None:
            return
        most = self._most.setdefault(self._grid, self._open)
        for longest, own in zip(most[:2], self._open[:2], strict=True):
            np.maximum(longest, own, out=longest)
        self._target = None
