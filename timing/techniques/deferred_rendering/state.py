"""Registers of Deferred Rendering, and the structures it adds to the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Record, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import FRAGMENT_BYTES, RASTER, TRIANGLE_BYTES, Structure, stat, tile_words, units

from ...units.pixel_stages import EarlyDepthParameters
from ...units.rasterizer import RasterizerParameters
from ..shared.hidden_surfaces import Occluder
from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.chip import Chip


NAME = "techniques.deferred_rendering"
FETCHER, RASTERIZER, DEPTH = f"{NAME}.hsr_fetcher", f"{NAME}.hsr_rasterizer", f"{NAME}.hsr_depth_test"
PRIORITY_BITS = 14
"""Bits of a draw's number next to a depth, and of whether it was rendered."""


class State(Record):
    """Registers of Deferred Rendering: the occluder of each place, and counters."""

    occluder: Rows[Occluder] = room(MAX_RASTER_UNITS)
    parallel: i8
    hidden: i8
    kept: i8


def setup(chip: Chip, state: Any) -> None:
    """Mode from the configuration."""
    state.parallel = chip.configuration.of(Parameters).mode == "parallel"
    for r in range(MAX_RASTER_UNITS):
        state.occluder[r].rendered[:] = 1


STATISTICS = (
    Stat(
        f"{NAME}.hidden",
        "samples",
        "samples of opaque draws that are hidden by what hidden surface removal has found",
        "hidden",
    ),
    Stat(f"{NAME}.kept", "samples", "samples of opaque draws that hidden surface removal has found in front", "kept"),
    ratio(
        f"{NAME}.hsr_kill_rate",
        "ratio",
        "share of the quads of opaque draws that hidden surface removal finds behind others, in the order of drawing",
        f"{DEPTH}.killed_quads",
        f"{DEPTH}.quads",
    ),
)


def _own(c: Hardware) -> Any:
    return c.of(Parameters)


def replicated(c: Hardware) -> int:
    """Number of each structure that parallel removal of hidden surfaces duplicates; sequential removal takes those of
    the raster stage."""
    return units(c) if _own(c).mode == "parallel" else 0


STRUCTURES = (
    Structure(
        "depth_buffer.draws",
        RASTER,
        lambda c: units(c) + replicated(c),
        lambda c: Ram(tile_words(c), 4 * PRIORITY_BITS),
        lambda v: v["raster.depth_buffer.reads"] + v[f"{DEPTH}.reads"],
        lambda v: v["raster.depth_buffer.writes"] + v[f"{DEPTH}.writes"],
    ),
    Structure(
        "hsr.tile_queue",
        RASTER,
        replicated,
        lambda c: Ram(_own(c).hsr_tile_queue, TRIANGLE_BYTES * 8),
        stat(f"{RASTERIZER}.primitives"),
        stat(f"{RASTERIZER}.primitives"),
    ),
    Structure(
        "hsr.rasterizer.setup", RASTER, replicated, lambda c: Logic("mul", 12, 12), stat(f"{RASTERIZER}.primitives")
    ),
    Structure(
        "hsr.rasterizer.edges",
        RASTER,
        replicated,
        lambda c: Logic("adder", 16 * c.of(RasterizerParameters).quads_per_cycle, 16),
        stat(f"{RASTERIZER}.quads"),
    ),
    # A Rasterizer of the same width, of which position is all that is used.
    Structure(
        "hsr.rasterizer.interpolators",
        RASTER,
        replicated,
        lambda c: Logic("adder", 16 * c.of(RasterizerParameters).attributes_per_cycle, 16),
        stat(f"{RASTERIZER}.quads"),
    ),
    Structure(
        "hsr.fragment_queue",
        RASTER,
        replicated,
        lambda c: Ram(_own(c).hsr_fragment_queue, FRAGMENT_BYTES * 8),
        stat(f"{RASTERIZER}.quads"),
        stat(f"{RASTERIZER}.quads"),
    ),
    Structure(
        "hsr.early_depth.comparators",
        RASTER,
        replicated,
        lambda c: Logic("comparator", 4 * c.of(EarlyDepthParameters).quads_per_cycle, 4),
        stat(f"{DEPTH}.quads"),
    ),
    Structure(
        "hsr.early_depth.pipeline",
        RASTER,
        replicated,
        lambda c: Ram(c.of(EarlyDepthParameters).in_flight, FRAGMENT_BYTES * 8),
        stat(f"{DEPTH}.quads"),
        stat(f"{DEPTH}.quads"),
    ),
    Structure(
        "hsr.depth_buffer",
        RASTER,
        replicated,
        lambda c: Ram(tile_words(c), 128),
        stat(f"{DEPTH}.reads"),
        stat(f"{DEPTH}.writes"),
    ),
)
