"""A machine for tests, as a user's own would be: the tile-based one with a unit more."""

from __future__ import annotations

from dataclasses import replace

from ..units import quad_delay
from .tile_based import MACHINE as TILE_BASED

_names = [unit.name for unit in TILE_BASED.units]
_place = _names.index("early_depth") + 1

MACHINE = replace(
    TILE_BASED,
    name="delayed",
    title="tile-based, with a delay between Rasterizer and early depth",
    units=(*TILE_BASED.units[:_place], quad_delay.UNIT, *TILE_BASED.units[_place:]),
    wires=dict(TILE_BASED.wires) | {"rasterizer.quads": "quad_delay.queue", "quad_delay.delayed": "early_depth.queue"},
)
