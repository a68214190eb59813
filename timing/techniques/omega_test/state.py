"""Parameters of the Omega-Test, its registers, statistics and structures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Record, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import RASTER, Structure, stat, tile_words, units

from ..shared.last_frame import LastFrame
from ..shared.moved_draws import Occluder

if TYPE_CHECKING:
    from ...engine.chip import Chip

MAX_SAMPLES = 1 << 21
"""Depths that are kept: those of a screen of 1920 x 1080 pixels in tiles of 32 x 32."""
NAME = "techniques.omega_test"
MAX_DEFERRED = 4096


class Parameters(Group, section="technique.omega_test"):
    """The Omega-Test: quads that lay behind the last frame's depths are tested last."""

    deferred_quads: int = number(
        1024,
        "quads",
        "that wait for the end of their tile in a Raster Unit; assumed",
        1,
        MAX_DEFERRED,
        silent=(64, 4096),
    )
    quads_per_cycle: int = number(4, "quads/cycle", "that go on to early depth then; assumed", 1, 32, silent=(1, 4))
    slack: int = number(
        0,
        "steps",
        "of the depth format that a quad may lie behind and not be deferred; assumed",
        0,
        1 << 30,
        silent=(0, 256),
    )
    depths: str = choice(
        "memory",
        {
            "memory": "written to main memory with each tile, and read before its quads in the next frame",
            "on_chip": "in a memory of their own, in no time",
        },
        "where depths are kept from frame to frame; assumed",
        silent=("on_chip",),
    )
    depth_bytes: int = number(4, "bytes", "of a depth in main memory; assumed", 1, 4, silent=(2, 4))


class State(Record):
    """Registers. `omega`: depths of the last frame, tile by tile, those of tile n from `n * samples` on; `active`:
    whether they are known in the pass at work."""

    last: LastFrame
    active: i8
    samples: i8
    slack: i8
    omega: Rows[i4] = room(MAX_SAMPLES)
    occluder: Rows[Occluder] = room(MAX_RASTER_UNITS)
    compared: i8
    deferred: i8
    lines_read: i8
    lines_written: i8


def setup(chip: Chip, state: Any) -> None:
    """Sizes from the configuration."""
    state.samples = chip.gpu.tile_width * chip.gpu.tile_height
    state.slack = chip.configuration.of(Parameters).slack


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
    Structure("omega_test.comparators", RASTER, units, lambda c: Logic("comparator", 4, 4), stat(f"{NAME}.compared")),
    Structure(
        "omega_test.deferred",
        RASTER,
        units,
        lambda c: Ram(c.of(Parameters).deferred_quads, 64),
        stat(f"{NAME}.deferred"),
        stat(f"{NAME}.deferred"),
    ),
)
