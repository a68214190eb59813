"""Registers of frame buffer compression, what it counts, and the structures it adds to the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Logic
from tilegpu.timing.declare.records import MAX_CACHES, MAX_MSHRS, MAX_RASTER_UNITS, Record, Rows, i8, room, u1
from tilegpu.timing.declare.statistics import Stat, total
from tilegpu.timing.declare.structures import RASTER, Structure, stat

from .parameters import Parameters

if TYPE_CHECKING:
    from ...engine.chip import Chip


NAME = "techniques.frame_buffer_compression"
MAX_SUPERBLOCKS = 1 << 17
"""Superblocks of all surfaces together: 33 million pixels."""
MAX_LEVELS = 256
SUBBLOCKS = 16
"""Subblocks of a superblock of 16x16 pixels: 4x4 pixels each."""
HEADER_BYTES = 16
PAYLOAD_BYTES = 16
"""Unit that payloads are rounded up to (Mesa's panfrost)."""


class Level(Record):
    """Level of a compressed surface.

    `address` to `end`, `layout` to `pitch`: where its texels would lie uncompressed, as texture units ask for them;
    `wide`, `tall`: texels of a line. `first`: number of its first superblock among those of all surfaces; `across`:
    superblocks side by side; `tiled`: whether 8x8 of them lie together. `headers`, `bodies`: addresses of the first
    ones; `region_bytes`: of both together; `uncompressed_bytes`: of a subblock.
    """

    address: i8
    end: i8
    layout: i8
    stored: i8
    across_bits: i8
    down_bits: i8
    pitch: i8
    first: i8
    across: i8
    tiled: i8
    headers: i8
    bodies: i8
    body_bytes: i8
    region_bytes: i8
    wide: i8
    tall: i8
    uncompressed_bytes: i8


class Fetch(Record):
    """Lines that a cache's MSHR waits for: payload lines that are still to be asked for, and answers under way."""

    next: i8
    end: i8
    pending: i8


class State(Record):
    """State of the technique. `subblock_bytes`: of each subblock's payload as memory holds it, of all surfaces;
    `drawn`: the last tile in which a Raster Unit has blended; `clean`: whether nothing was drawn on the tile that is
    flushed."""

    levels: i8
    level: Rows[Level] = room(MAX_LEVELS)
    subblock_bytes: Rows[u1] = room(MAX_SUPERBLOCKS * SUBBLOCKS)
    fetch: Rows[Fetch] = room(MAX_CACHES * MAX_MSHRS)
    drawn: Rows[i8] = room(MAX_RASTER_UNITS)
    clean: i8
    clean_header: i8
    count_bits: i8
    superblocks: i8
    solid: i8
    header_bytes: i8
    payload_bytes: i8
    uncompressed_bytes: i8
    loaded_bytes: i8
    header_reads: i8
    payload_reads: i8


def setup(chip: Chip, state: Any) -> None:
    """Registers from the configuration."""
    own = chip.configuration.of(Parameters)
    state.count_bits, state.clean_header = own.count_bits, own.clean_tiles == "header"
    state.drawn[:] = -1


STATISTICS = (
    Stat(f"{NAME}.superblocks", "superblocks", "superblocks of 16x16 pixels that were written", "superblocks"),
    Stat(f"{NAME}.solid_superblocks", "superblocks", "those of one value: only their headers were written", "solid"),
    Stat(f"{NAME}.header_bytes", "bytes", "bytes of headers written", "header_bytes"),
    Stat(f"{NAME}.payload_bytes", "bytes", "bytes of payloads written", "payload_bytes"),
    total(
        f"{NAME}.written_bytes",
        "bytes",
        "bytes of compressed surfaces written",
        f"{NAME}.header_bytes",
        f"{NAME}.payload_bytes",
    ),
    Stat(f"{NAME}.uncompressed_bytes", "bytes", "bytes that they would take uncompressed", "uncompressed_bytes"),
    Stat(f"{NAME}.loaded_bytes", "bytes", "bytes read for tiles that begin with what was drawn", "loaded_bytes"),
    Stat(f"{NAME}.header_reads", "requests", "lines of headers that texture caches have asked for", "header_reads"),
    Stat(f"{NAME}.payload_reads", "requests", "lines of payloads that texture caches have asked for", "payload_reads"),
)

STRUCTURES = (
    # Four components of a pixel, each less the minimum of its quad; that of a quad less the minimum of them.
    Structure(
        "frame_buffer_compression.differences",
        RASTER,
        lambda c: 1,
        lambda c: Logic("adder", 16, 16),
        stat(f"{NAME}.superblocks", SUBBLOCKS * 5),
    ),
)
