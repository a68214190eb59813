"""Number of tiles of the screen that are drawn again as they were: by their inputs, as Rendering Elimination signs
them, and by their colours (Anglada et al., HPCA 2019, Fig. 2 and 15a)."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.reader import Activity

from ..engine.frame import Frame
from ..loading.loaded import Pictures
from ..loading.source import screen_surfaces
from ..techniques.rendering_elimination.tables import WRITES

Array = np.ndarray[Any, Any]
DISTANCES = 1, 2
"""Frames between the two that share one of a number of frame buffers."""


class EqualTiles:
    """Compares frames of an activity, given in ascending order, with those one and two frames before.

    Parameters
    ----------
    activity
        Colours are compared if it has the group `pass_images`.
    tile
        Width and height of a tile in pixels.
    """

    def __init__(self, activity: Activity, tile: tuple[int, int]) -> None:
        self.activity, self.tile = activity, tile
        self._pictures = Pictures(activity) if "pass_images" in activity.manifest.groups else None
        self._inputs: dict[int, Array | None] = {}
        self._colors: dict[int, Array] = {}
        self._spoiled: dict[int, bool] = {}

    def count(self, number: int, frame: Frame) -> dict[str, int]:
        """Tiles compared and equal ones, by the names in `COUNTS`; zeros where there is nothing to compare with.

        Parameters
        ----------
        number
            Number of the frame.
        frame
            Its tables, with those of Rendering Elimination as the only extra ones.
        """
        self._inputs[number] = inputs_of_tiles(frame)
        self._spoiled[number] = self._spoils(number)
        if self._pictures is not None and (picture := self._pictures.frame(number)) is not None:
            self._colors[number] = picture
        counts: dict[str, int] = {}
        for distance in DISTANCES:
            tiles, equal = self._equal_inputs(number, distance)
            counts |= {f"input_tiles_{distance}": tiles, f"equal_input_{distance}": equal}
            tiles, equal = self._equal_colors(number, distance)
            counts |= {f"color_tiles_{distance}": tiles, f"equal_color_{distance}": equal}
        for kept in (self._inputs, self._colors, self._spoiled):
            kept.pop(number - max(DISTANCES), None)
        return counts

    def _equal_inputs(self, number: int, distance: int) -> tuple[int, int]:
        if any(n not in self._inputs for n in range(number - distance, number)):
            return 0, 0
        now, before = self._inputs[number], self._inputs[number - distance]
        tiles = screen_tiles(self.activity, number, self.tile)
        spoiled = any(self._spoiled[n] for n in range(number - distance + 1, number + 1))
        if spoiled or now is None or before is None or len(now) != len(before):
            return tiles, 0
        return tiles, int((now == before).sum())

    def _equal_colors(self, number: int, distance: int) -> tuple[int, int]:
        now, before = self._colors.get(number), self._colors.get(number - distance)
        if now is None or before is None:
            return 0, 0
        tiles = screen_tiles(self.activity, number, self.tile)
        return tiles, tiles - _different(now, before, self.tile) if now.shape == before.shape else 0

    def _spoils(self, number: int) -> bool:
        """Whether something that draws read was written in the frame."""
        default = screen_surfaces(self.activity)
        passes = self.activity.frame("passes", number, ["pass", "attachments"]).to_pylist()
        screens = {p["pass"] for p in passes if any(a["surface"] in default for a in p["attachments"] or ())}
        events: pa.Table = self.activity.frame("events", number, ["kind", "pass"])
        return any(
            kind in WRITES or (kind in ("draw", "clear") and of is not None and of not in screens)
            for kind, of in zip(events["kind"].to_pylist(), events["pass"].to_pylist(), strict=True)
        )


def inputs_of_tiles(frame: Frame) -> Array | None:
    """A number for what is drawn into each tile of the screen, int64 (tiles,); None where no pass can be compared.

    What counts as input is what Rendering Elimination signs in full: vertices as shaded, program, state, textures and
    constants of every primitive that overlaps the tile, in order, and what the pass begins with.
    """
    tables = frame.commands.extra[0]
    signing = np.flatnonzero(tables.render_pass["signing"] != 0)
    if len(signing) != 1:
        return None
    begins = int(tables.render_pass["crc"][signing[0]])
    rows, block = tables.primitive, tables.block
    words = np.zeros((len(rows), 3), "<i8")
    words[:, 0], words[:, 1] = rows["crc"], rows["subblocks"]
    if len(block):
        words[:, 2] = np.where(rows["block"] >= 0, block["crc"][rows["block"]], -1)
    drawn = words[frame.tiling.entry["primitive"].astype(np.int64)]
    tiles = frame.commands.tile[tables.tile["render_pass"] == signing[0]]
    of = tables.tile["slot"][tables.tile["render_pass"] == signing[0]]
    digests = np.zeros(len(tiles), np.int64)
    for slot, first, last in zip(of.tolist(), tiles["first_entry"].tolist(), tiles["last_entry"].tolist(), strict=True):
        content = begins.to_bytes(8, "little") + drawn[first:last].tobytes()
        digests[slot] = int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little", signed=True)
    return digests


def screen_tiles(activity: Activity, number: int, tile: tuple[int, int]) -> int:
    """Tiles of the window in a frame."""
    row = activity.frame("frames", number, ["width", "height"]).to_pylist()[0]
    width, height = int(row["width"]), int(row["height"])
    return -(-width // tile[0]) * -(-height // tile[1])


def _different(now: Array, before: Array, tile: tuple[int, int]) -> int:
    """Tiles in which any pixel differs; tiles begin at the bottom left."""
    changed = (now != before).reshape(*now.shape[:2], -1).any(axis=2)[::-1]
    rows = np.logical_or.reduceat(changed, np.arange(0, changed.shape[0], tile[1]), axis=0)
    blocks: Array = np.logical_or.reduceat(rows, np.arange(0, changed.shape[1], tile[0]), axis=1)
    return len(np.flatnonzero(blocks))
