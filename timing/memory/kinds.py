"""Kinds of caches: the field of the configuration that each is made from, its statistics, its structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.cache_kinds import CacheKind
from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.sources import SOURCES
from tilegpu.timing.declare.stages import FragmentStage, VertexStage
from tilegpu.timing.declare.structures import (
    FRAGMENT,
    GEOMETRY,
    MEMORY,
    RASTER,
    TILING,
    processors,
    texture_caches,
    units,
)

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


def _instruction_caches(c: Hardware) -> int:
    return int(units(c)) * -(
        -int(c.of(FragmentStage).processors) // int(c.of(FragmentStage).processors_per_instruction_cache)
    )


def _vertex_instruction_caches(c: Hardware) -> int:
    return -(-int(c.of(VertexStage).processors) // int(c.of(VertexStage).processors_per_instruction_cache))


# Sizes are those of Table 4.1 of the Parallel Tile Rendering thesis, of Table A.2 of the thesis of 2018 for caches of
# depth and colour; no paper gives that of the Vertex Processors' instruction caches.
VERTEX_CACHE = CacheKind(
    "vertex_cache",
    GEOMETRY,
    width_bits=128,
    accesses_per_fill=4,
    misses_of=("index", "vertex", "texture"),
    default=Cache(size_bytes=4096, ways=2, latency=1, mshrs=16),
)
TILE_CACHE = CacheKind(
    "tile_cache", TILING, default=Cache(size_bytes=32768, ways=4, latency=2, mshrs=16, write_miss="validate")
)
TEXTURE_CACHE = CacheKind(
    "texture_cache",
    FRAGMENT,
    texture_caches,
    mpki="misses",
    default=Cache(size_bytes=8192, ways=2, latency=2, mshrs=16),
)
DEPTH_CACHE = CacheKind(
    "depth_cache",
    RASTER,
    width_bits=128,
    accesses_per_fill=4,
    default=Cache(size_bytes=4096, ways=2, latency=1, mshrs=16),
)
COLOR_CACHE = CacheKind(
    "color_cache",
    RASTER,
    processors,
    width_bits=128,
    accesses_per_fill=4,
    default=Cache(size_bytes=8192, ways=2, latency=1, mshrs=16, write_miss="validate"),
)
DATA_CACHE = CacheKind("data_cache", FRAGMENT, default=Cache(size_bytes=16384, ways=4, latency=2, mshrs=16))
INSTRUCTION_CACHE = CacheKind(
    "instruction_cache",
    FRAGMENT,
    _instruction_caches,
    mpki="misses",
    default=Cache(size_bytes=16384, ways=2, banks=2, latency=2, mshrs=16),
)
VERTEX_INSTRUCTION_CACHE = CacheKind(
    "vertex_instruction_cache",
    GEOMETRY,
    _vertex_instruction_caches,
    default=Cache(size_bytes=8192, ways=2, banks=2, latency=2, mshrs=16),
)
L2_CACHE = CacheKind(
    "l2_cache",
    MEMORY,
    misses_of=SOURCES,
    mpki="misses.texture",
    # Large banks look up tags before data.
    sequential=lambda spec: spec.size_bytes // spec.banks >= 32768,
    last_level=True,
    default=Cache(size_bytes=2 << 20, ways=8, banks=8, latency=18, mshrs=32),
)
