"""Registers of Render-Based Collision Detection, what it counts, and the structures it adds to the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import FlipFlops, Logic, Ram
from tilegpu.timing.declare.parameters import ConfigurationError
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Record, Ring, Rows, i1, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import RASTER, Structure, stat, units
from tilegpu.timing.declare.tiles import Tiles

from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.chip import Chip


NAME = "techniques.rbcd"
INSERTION, TEST = f"{NAME}.insertion", f"{NAME}.z_overlap_test"
MAX_ZEBS = 4
MAX_LENGTH = 64
MAX_LISTS = MAX_ZEBS * 1024
MAX_ELEMENTS = 1 << 16
ELEMENT_BITS = 32
NO_TILE = -1


class Filled(Record):
    """ZEB that holds a whole tile and waits for its test."""

    zeb: i4
    tile: i4


class Zebs(Record):
    """ZEBs of a Raster Unit. `element`: depth x 2^32 + object x 2 + side, front to back; `filled`: those to be tested;
    `next`: to be filled next, in turn; `busy`: those that hold a tile; `open`: tile whose quads are being sent."""

    element: Rows[i8] = room(MAX_ELEMENTS)
    length: Rows[i4] = room(MAX_LISTS)
    overflowed: Rows[i1] = room(MAX_LISTS)
    filled: Ring[Filled] = room(MAX_ZEBS)
    next: i8
    busy: i8
    open: i8


class State(Record):
    """Registers of Render-Based Collision Detection."""

    zeb: Rows[Zebs] = room(MAX_RASTER_UNITS)
    zebs: i8
    list_length: i8
    lists: i8
    depth_steps: i8
    front_first: i8
    from_viewer: i8
    same_object: i8
    pair_bytes: i8
    tagged_quads: i8
    quads: i8


def setup(chip: Chip, state: Any) -> None:
    """Sizes from the configuration."""
    c = chip.configuration
    own = c.of(Parameters)
    lists = c.of(Tiles).width * c.of(Tiles).height
    if own.zebs * lists > MAX_LISTS or own.zebs * lists * own.list_length > MAX_ELEMENTS:
        raise ConfigurationError(
            f"technique.rbcd: {own.zebs} ZEBs of {lists} lists of {own.list_length} elements: there is room for "
            f"{MAX_LISTS} lists and {MAX_ELEMENTS} elements"
        )
    if own.depth_bits + own.object_bits + 1 > ELEMENT_BITS:
        raise ConfigurationError(
            f"technique.rbcd: {own.depth_bits} bits of depth, {own.object_bits} of the object and one of the side are "
            f"more than the {ELEMENT_BITS} of an element"
        )
    state.zebs, state.list_length, state.lists = own.zebs, own.list_length, lists
    state.depth_steps = (1 << own.depth_bits) - 1
    state.front_first = own.equal_depths == "front_first"
    state.from_viewer = own.unmatched_back_faces == "from_viewer"
    state.same_object = own.same_object == "reported"
    state.pair_bytes = own.pair_bytes
    for r in range(MAX_RASTER_UNITS):
        state.zeb[r].open = NO_TILE
        state.zeb[r].filled.depth = own.zebs


STATISTICS = (
    Stat(f"{NAME}.quads", "quads", "quads of collisionable objects that the Rasterizer sent to the RBCD unit", "quads"),
    Stat(
        f"{NAME}.tagged_quads",
        "quads",
        "those of primitives tagged to be culled, which went no further (Deferred Face Culling, 5.2.3)",
        "tagged_quads",
    ),
    ratio(
        f"{NAME}.overflow_rate",
        "ratio",
        "share of fragments that found their list full (Table 5.3)",
        f"{INSERTION}.overflows",
        f"{INSERTION}.fragments",
    ),
)


def _own(c: Hardware) -> Any:
    return c.of(Parameters)


def _zebs(c: Hardware) -> int:
    return int(units(c) * _own(c).zebs)


def _stack(c: Hardware) -> int:
    return int(_own(c).stack_entries or _own(c).list_length)


def _comparators(c: Hardware) -> float:
    """ALUs of 32 bits that compare the depths of a list."""
    return float(_own(c).list_length * _own(c).depth_bits / 32)


# As 5.2.7 lists them, with McPAT's components: SRAM, ALUs, XORs, registers, a priority encoder and multiplexers.
STRUCTURES = (
    Structure(
        "rbcd.zebs",
        RASTER,
        _zebs,
        lambda c: Ram(c.of(Tiles).width * c.of(Tiles).height, ELEMENT_BITS * _own(c).list_length),
        lambda v: v[f"{INSERTION}.fragments"] + v[f"{TEST}.lists"],
        lambda v: v[f"{INSERTION}.fragments"] + v[f"{TEST}.lists_with_fragments"],
    ),
    Structure(
        "rbcd.less_than_comparators",
        RASTER,
        lambda c: units(c) * _own(c).insertions_per_cycle,
        lambda c: Logic("alu", _comparators(c), _comparators(c)),
        stat(f"{INSERTION}.fragments"),
    ),
    # A multiplexer of two inputs has the gates of an XOR.
    Structure(
        "rbcd.multiplexers",
        RASTER,
        lambda c: units(c) * _own(c).insertions_per_cycle,
        lambda c: Logic("xor", _own(c).list_length, _own(c).list_length),
        stat(f"{INSERTION}.fragments"),
    ),
    Structure(
        "rbcd.list_registers",
        RASTER,
        lambda c: units(c) * (1 + _own(c).insertions_per_cycle),
        lambda c: FlipFlops(ELEMENT_BITS * _own(c).list_length, ELEMENT_BITS * _own(c).list_length),
        lambda v: v[f"{INSERTION}.fragments"] + v[f"{TEST}.elements"],
        lambda v: v[f"{INSERTION}.fragments"] + v[f"{TEST}.lists_with_fragments"],
    ),
    Structure(
        "rbcd.input_queue",
        RASTER,
        units,
        # A quad's place, object, side and coverage, and the plane of its depth.
        lambda c: Ram(_own(c).input_queue, 16 + _own(c).object_bits + 5 + 96),
        stat(f"{NAME}.quads"),
        stat(f"{NAME}.quads"),
    ),
    Structure(
        "rbcd.ff_stack",
        RASTER,
        units,
        lambda c: FlipFlops(
            _stack(c) * (1 + _own(c).object_bits + _own(c).depth_bits), 1 + _own(c).object_bits + _own(c).depth_bits
        ),
        stat(f"{TEST}.back_faces", 2),
        stat(f"{TEST}.elements"),
    ),
    Structure(
        "rbcd.equality_comparators",
        RASTER,
        units,
        lambda c: Logic("xor", _stack(c), _stack(c)),
        stat(f"{TEST}.back_faces"),
    ),
    # An encoder's gates are those of an adder as wide, a bit for each element.
    Structure(
        "rbcd.hit_logic",
        RASTER,
        units,
        lambda c: Logic("adder", -(-_stack(c) // 32), -(-_stack(c) // 32)),
        lambda v: v[f"{TEST}.back_faces"] + v[f"{TEST}.hits"],
    ),
    Structure(
        "rbcd.output_buffer",
        RASTER,
        units,
        lambda c: Ram(_own(c).output_buffer, 8 * _own(c).pair_bytes),
        stat(f"{TEST}.hits"),
        stat(f"{TEST}.hits"),
    ),
)
