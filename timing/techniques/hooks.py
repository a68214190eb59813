"""Hook points of the machine, named once. These are the baseline's: they change nothing.

A technique is a module of this package that defines some of these functions with the same parameters;
`engine.variants.load` puts them in the place of these. Tables of the frame come with the machine where the unit that
calls has them. A technique with registers of its own declares their record as `STATE` (found as
`gpu.technique.<name>`), and sets them up in `setup(state, configuration)`.
"""

from __future__ import annotations

from typing import Any

from ..engine.jit import inline

HOOKS = (
    "next_tile",
    "next_primitive",
    "binned",
    "tile_begin",
    "depth_compared",
    "quad_ready",
    "tile_flush",
    "cache_victim",
    "dram_pick",
    "frame_end",
)


@inline
def next_tile(gpu: Any, tiling: Any, position: int) -> int:
    """Row of the tile to process at a position of the pass's order."""
    return position


@inline
def next_primitive(gpu: Any, tiling: Any, entry: int) -> int:
    """Entry of the tile's list to fetch instead of the recorded one."""
    return entry


@inline
def binned(gpu: Any, binning: Any, primitive: int, entry: int, t: int) -> None:
    """The Polygon List Builder has put a primitive into a tile's list, as this entry."""


@inline
def tile_begin(gpu: Any, commands: Any, depth: Any, r: int, tile: int, t: int) -> None:
    """Raster Unit r begins to resolve depth for a tile."""


@inline
def depth_compared(gpu: Any, depth: Any, r: int, quad: int, passed: int, t: int) -> None:
    """A quad went through the early depth test; `passed` holds a bit per sample."""


@inline
def quad_ready(gpu: Any, depth: Any, r: int, quad: int, t: int) -> bool:
    """Whether a quad that survived early depth is shaded."""
    return True


@inline
def tile_flush(gpu: Any, commands: Any, r: int, tile: int, t: int) -> bool:
    """Whether the colours of a finished tile are written to memory."""
    return True


@inline
def cache_victim(gpu: Any, cache: Any, base: int, victim: int) -> int:
    """Place to evict from the set that starts at `base`."""
    return victim


@inline
def dram_pick(gpu: Any, dram: Any, t: int) -> None:
    """May move the request to start next to the front of the queue."""


@inline
def frame_end(gpu: Any, commands: Any, t: int) -> None:
    """The last tile of the last pass was flushed."""
