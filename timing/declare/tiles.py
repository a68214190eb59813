"""Tiles: how the screen is divided, and how the pieces go to Raster Units.

A property of the machine as a whole rather than of one unit: binning and rasterizing, the loading of a frame,
techniques that remember something of each tile, and the energy of tile buffers all follow from it.
"""

from __future__ import annotations

from pydantic import model_validator

from tilegpu.functional.errors import UserError

from .parameters import Group, choice, number
from .records import MAX_RASTER_UNITS


class Tiles(Group, section="tiles"):
    """Tiles, and how they go to Raster Units."""

    width: int = number(32, "pixels", "width of a tile [Table 4.1]", 2, 64)
    height: int = number(32, "pixels", "height of a tile [Table 4.1]", 2, 64)
    raster_units: int = number(1, "units", "Raster Units working on tiles side by side", 1, MAX_RASTER_UNITS)
    order: str = choice(
        "mapping",
        {
            "mapping": "the one that the quad mapping belongs to, or else row by row",
            "scanline": "row by row",
            "boustrophedon": "rows to and fro, the snake of thesis 6.3",
            "morton": "along a Z curve",
            "hilbert": "along a Hilbert curve",
        },
        "order in which tiles are processed, from the top (thesis 4.1.2)",
    )
    assignment: str = choice(
        "static",
        {
            "static": "in turn",
            "dynamic": "to the shortest Tile Queue",
            "mixed": "to the shortest, in turn among equals",
        },
        "tile to Raster Unit (thesis 5.1)",
    )

    @model_validator(mode="after")
    def _fits(self) -> Tiles:
        if self.width % 2 or self.height % 2:
            raise UserError("tile width and height must be even: quads are 2x2 pixels")
        return self
