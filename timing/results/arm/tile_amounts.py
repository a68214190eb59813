"""Amounts that follow from the tiles of a frame: regions of the screen, and cycles in which cores had fragments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tilegpu.timing.declare.tiles import Tiles

from ...config.schema import Configuration
from ...units.simt_core import SimtCoreParameters

TASK_PIXELS = 32
"""Side of the region of a fragment task: `MaliFragQueueTaskSize`."""


def tile_amounts(configuration: Configuration, tiles: pa.Table, frame: int, tile_pixels: int) -> dict[str, float]:
    """Amounts of a frame by name.

    Parameters
    ----------
    configuration
        Hardware with unified cores.
    tiles
        Rows of `tiles.parquet`.
    frame
        Number of the frame.
    tile_pixels
        Side of the GPU's tile by Arm's specification.
    """
    of_frame = tiles.filter(pc.equal(tiles["frame"], frame)).to_pylist()
    rows = [row for row in of_frame if row["tile"] is not None and row["raster_unit"] is not None]
    rows = [row for row in rows if row["raster_unit"] >= 0]
    return {
        "tiles.regions_32": _regions(configuration, rows, TASK_PIXELS),
        "tiles.regions": _regions(configuration, rows, tile_pixels),
        "tiles.fragment_cycles": _fragment_cycles(configuration, rows),
    }


def _regions(configuration: Configuration, rows: Sequence[Any], side: int) -> float:
    """Squares of a number of pixels each way that the tiles of each pass lie in; larger tiles are so many of them."""
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    in_tile = max(1, width // side) * max(1, height // side)
    return in_tile * len({(row["pass"], row["x"] // max(side, width), row["y"] // max(side, height)) for row in rows})


def _fragment_cycles(configuration: Configuration, rows: Sequence[Any]) -> float:
    """Cycles in which a core had a tile, from its beginning to the last of its colours, summed over cores."""
    cores = int(configuration.of(SimtCoreParameters).clusters)
    units = int(configuration.of(Tiles).raster_units)
    spans: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        first = row["raster_unit"] * cores // units
        last = max(first + 1, (row["raster_unit"] + 1) * cores // units)
        for core in range(first, last):
            spans.setdefault(core, []).append((row["first_cycle"], row["last_cycle"]))
    return sum(_covered(sorted(of_core)) for of_core in spans.values())


def _covered(spans: Sequence[tuple[int, int]]) -> int:
    """Cycles in at least one of some spans, sorted."""
    covered, end = 0, -1
    for first, last in spans:
        covered += max(0, last - max(first, end))
        end = max(end, last)
    return covered
