"""Declaration of a structure: geometry from the configuration, accesses from the statistics.

Units, caches and techniques declare theirs (`engine.unit`). Sizes of queue entries are those of Rendering
Elimination's table (vertex 136, triangle 388, fragment 233 bytes); of the Color Queue 24 bytes; of the Primitive Table
6171 bits (thesis 4.1.2). The rasterizer, early depth and blending have no published figures: they are sums of adders,
multipliers and comparators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .caches import Cache
from .energy.geometry import CacheArray, Geometry
from .stages import FragmentStage
from .tiles import Tiles

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Values = Mapping[str, float]
VERTEX_BYTES, TRIANGLE_BYTES, FRAGMENT_BYTES, COLOR_BYTES = 136, 388, 233, 24
PRIMITIVE_TABLE_WORDS = 49
"""Words of 16 bytes per entry: 48 attributes of vertices, and 27 bits of state."""

GEOMETRY, TILING, RASTER, FRAGMENT, MEMORY = "geometry", "tiling", "raster", "fragment", "memory"


@dataclass(frozen=True)
class Structure:
    """One row.

    Parameters
    ----------
    name
        `unit.structure`.
    unit
        Part of the machine it is counted with.
    count
        How many there are.
    geometry
        What each of them is.
    reads, writes
        Accesses of all of them together, from the statistics of a run.
    exists
        Whether a configuration has it.
    """

    name: str
    unit: str
    count: Callable[[Hardware], int]
    geometry: Callable[[Hardware], Geometry]
    reads: Callable[[Values], float]
    writes: Callable[[Values], float] = lambda v: 0.0
    exists: Callable[[Hardware], bool] = lambda c: True


def once(c: Hardware) -> int:
    return 1


def units(c: Hardware) -> int:
    return c.of(Tiles).raster_units


def processors(c: Hardware) -> int:
    return c.of(Tiles).raster_units * c.of(FragmentStage).processors


def texture_caches(c: Hardware) -> int:
    """Texture caches, fewer where processors or Raster Units share them."""
    stage = c.of(FragmentStage)
    groups = -(-c.of(Tiles).raster_units // stage.raster_units_per_texture_cache)
    return groups * -(-stage.processors // stage.processors_per_texture_cache)


def stat(name: str, factor: float = 1.0) -> Callable[[Values], float]:
    """A statistic times a factor."""
    return lambda v: v[name] * factor


def instructions(stage: str, *kinds: str, factor: float = 1.0) -> Callable[[Values], float]:
    """Instructions of some kinds that a programmable stage issued."""
    return lambda v: factor * sum(v[f"{stage}.{kind}_instructions"] for kind in kinds)


def operations(stage: str, *kinds: str, factor: float = 1.0) -> Callable[[Values], float]:
    """Operations of some kinds that the lanes of a programmable stage executed."""
    return lambda v: factor * sum(v[f"{stage}.{kind}_operations"] for kind in kinds)


def cache(spec: Cache, width_bits: int, sequential: bool = False, last_level: bool = False) -> CacheArray:
    return CacheArray(spec.size_bytes, spec.ways, spec.banks, width_bits, sequential, last_level)


def tile_words(c: Hardware) -> int:
    """Quads of a tile: one word of a tile buffer each, four pixels of 32 bits."""
    return c.of(Tiles).width * c.of(Tiles).height // 4
