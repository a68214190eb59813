"""Registers of the Omega-Test, its statistics and structures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Record, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import RASTER, Structure, stat, tile_words, units

from ..shared.last_frame import LastFrame
from ..shared.moved_draws import Occluder
from .parameters import Parameters

if TYPE_CHECKING:
    from ...engine.chip import Chip

MAX_SAMPLES = 1 << 21
"""Depths that are kept: those of a screen of 1920 x 1080 pixels in tiles of 32 x 32."""
NAME = "techniques.omega_test"


class State(Record):
    """Registers. `omega`: depths of the last frame, tile by tile, those of tile n from `n * samples` on; `active`:
    whether they are known in the pass at work; `in_memory`: whether they come from there."""

    last: LastFrame
    active: i8
    samples: i8
    slack: i8
    in_memory: i8
    omega: Rows[i4] = room(MAX_SAMPLES)
    occluder: Rows[Occluder] = room(MAX_RASTER_UNITS)
    compared: i8
    deferred: i8
    lines_read: i8
    lines_written: i8


def setup(chip: Chip, state: Any) -> None:
    """Sizes from the configuration."""
    own = chip.configuration.of(Parameters)
    state.samples = chip.gpu.tile_width * chip.gpu.tile_height
    state.slack, state.in_memory = own.slack, own.depths == "memory"


STATISTICS = (
    Stat(f"{NAME}.compared", "quads", "quads compared with the last frame's depths", "compared"),
    Stat(f"{NAME}.deferred", "quads", "those that were deferred to the end of their tile", "deferred"),
    Stat(f"{NAME}.lines_read", "requests", "reads of the last frame's depths", "lines_read"),
    Stat(f"{NAME}.lines_written", "requests", "writes of depths for the next frame", "lines_written"),
)

STRUCTURES = (
    Structure(
        "omega_test.buffer",
        RASTER,
        units,
        lambda c: Ram(2 * tile_words(c), 128),
        stat(f"{NAME}.compared"),
        # A line of 64 bytes is four words.
        stat(f"{NAME}.lines_read", 4),
    ),
    Structure(
        "omega_test.comparators",
        RASTER,
        units,
        lambda c: Logic("comparator", 4, 4),
        stat(f"{NAME}.compared"),
    ),
    Structure(
        "omega_test.deferred",
        RASTER,
        units,
        lambda c: Ram(c.of(Parameters).deferred_quads, 64),
        stat(f"{NAME}.deferred"),
        stat(f"{NAME}.deferred"),
    ),
)
