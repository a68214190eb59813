"""Overdraw and depth complexity of the window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..pipeline.fragments.rasterization import Quads

STOPS = np.array([0, 1, 2, 4, 8, 16])
COLORS = np.array([[0, 0, 0], [30, 40, 140], [30, 150, 90], [230, 210, 40], [220, 40, 30], [255, 255, 255]])


class Complexity:
    """Numbers of times that pixels of a frame's window are covered and written.

    Attributes
    ----------
    covered, written
        int32 (height, width), row 0 at the bottom.
    """

    def __init__(self, width: int, height: int) -> None:
        self.covered, self.written = (np.zeros((height, width), np.int32) for _ in range(2))

    def add(self, quads: Quads, covered: NDArray[np.uint16], written: NDArray[np.uint16]) -> None:
        """Count a batch: lanes of quads that are covered, and that pass all tests, a bit for each of the four."""
        for lane in range(4):
            x, y = 2 * quads.x.astype(np.intp) + (lane & 1), 2 * quads.y.astype(np.intp) + (lane >> 1)
            for counts, lanes in ((self.covered, covered), (self.written, written)):
                chosen = (lanes >> lane & 1).astype(np.bool_)
                np.add.at(counts, (y[chosen], x[chosen]), 1)


def complexity_image(counts: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Counts as colours, uint8 RGB, row 0 at the top: black for none, blue, green, yellow, red at eight, white."""
    return np.stack([np.interp(counts[::-1], STOPS, COLORS[:, c]) for c in range(3)], 2).astype(np.uint8)
