"""Whether tiles that were left out look as they did: the pictures of two frames, tile by tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.tiles import Tiles

from .state import NAME

if TYPE_CHECKING:
    from ...engine.chip import Chip


def check(pictures: Any, frame: int, chip: Chip) -> dict[str, float]:
    """Compare the picture of the screen with the one that its frame buffer held before, where there is one.

    Returns
    -------
    dict of str to float
        Tiles compared; left out and different; equal and yet rendered.
    """
    state, tiles = chip.gpu.technique.rendering_elimination, chip.configuration.of(Tiles)
    now, before = pictures.frame(frame), pictures.frame(frame - int(state.distance))
    counts = dict.fromkeys(("checked_tiles", "false_positives", "equal_color_tiles"), 0.0)
    if now is not None and before is not None and now.shape == before.shape:
        different = (now != before).any(axis=2)
        skipped = np.asarray(state.skipped, dtype=bool)
        height, width = different.shape
        across = -(-width // tiles.width)
        for slot in range(across * -(-height // tiles.height)):
            row, column = divmod(slot, across)
            # Tiles count from the bottom, rows of a picture from the top.
            top = max(0, height - (row + 1) * tiles.height)
            part = different[top : height - row * tiles.height, column * tiles.width : (column + 1) * tiles.width]
            changed = bool(part.any())
            counts["checked_tiles"] += 1
            counts["false_positives"] += bool(skipped[slot]) and changed
            counts["equal_color_tiles"] += not skipped[slot] and not changed
    return {f"{NAME}.{name}": value for name, value in counts.items()}
