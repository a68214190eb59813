"""Registers of Rendering Elimination, and what it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import Record, Rows, i1, i4, i8, room, u4
from tilegpu.timing.declare.statistics import Stat, spent, total

from .parameters import Parameters

if TYPE_CHECKING:
    from ...engine.chip import Chip


MAX_SLOTS = 1 << 16
"""Tiles of the screen at most."""
MAX_SETS = 5
NO_FRAME = -1
NAME = "techniques.rendering_elimination"


class State(Record):
    """State of the technique. `signature`: sets of a frame each, the last one complete; `combined`: for which block of
    constants a tile has them in its signature, the bitmap of the paper; `distance`: frames between those that share a
    frame buffer; `by_block`: whether a step shifts a signature by a whole block."""

    number: i8
    signing: i8
    comparing: i8
    sets: i8
    set: i8
    distance: i8
    frame: Rows[i8] = room(MAX_SETS)
    signature: Rows[u4] = room(MAX_SETS * MAX_SLOTS)
    combined: Rows[i4] = room(MAX_SLOTS)
    block: i8
    skipped: Rows[i1] = room(MAX_SLOTS)
    overlap_compute: i8
    by_block: i8
    accumulate_cycles: i8
    compare_cycles: i8
    compare_due: i8
    comparing_tile: i8
    compared: i8
    compared_tiles: i8
    skipped_tiles: i8
    frames_without_signatures: i8


def setup(chip: Chip, state: Any) -> None:
    """Sizes from the configuration: signatures of the frame at work, and of as many before it as there are buffers."""
    c = chip.configuration
    own = c.of(Parameters)
    state.number = 1 + [technique.name for technique in chip.techniques].index("rendering_elimination")
    state.distance = c.memory.frame_buffers
    state.sets = c.memory.frame_buffers + 1
    state.frame[:] = NO_FRAME
    state.compare_cycles, state.compared = own.compare_cycles, -1
    state.overlap_compute = own.overlap_compute == "yes"
    state.by_block, state.accumulate_cycles = own.accumulate == "block", own.accumulate_cycles


STATISTICS = (
    Stat(f"{NAME}.skipped_tiles", "tiles", "tiles whose signatures matched: they were not rendered", "skipped_tiles"),
    Stat(f"{NAME}.compared_tiles", "tiles", "tiles whose signatures were compared", "compared_tiles"),
    Stat(
        f"{NAME}.frames_without_signatures",
        "frames",
        "frames without signatures as the recording lacks the constants that they set; with signature=paper",
        "frames_without_signatures",
    ),
    Stat(
        f"{NAME}.false_positives",
        "tiles",
        "tiles left out whose picture is another than that of the earlier frame; with --check-images",
        measured=True,
        wrong=True,
    ),
    Stat(
        f"{NAME}.checked_tiles",
        "tiles",
        "tiles of the screen whose pictures were compared with those of the earlier frame; with --check-images",
        measured=True,
    ),
    Stat(
        f"{NAME}.equal_color_tiles",
        "tiles",
        "tiles of equal colours that were rendered, as their inputs differ (Fig. 15a); with --check-images",
        measured=True,
    ),
    total(
        f"{NAME}.redundant_tiles",
        "tiles",
        "tiles of equal colours: left out or not; with --check-images",
        f"{NAME}.skipped_tiles",
        f"{NAME}.equal_color_tiles",
    ),
)


UNIT_NAME = "techniques.rendering_elimination.signature_unit"

UNIT_STATISTICS = (
    Stat(f"{UNIT_NAME}.compute_steps", "subblocks", "subblocks that the Compute CRC unit signed", "compute_steps"),
    Stat(
        f"{UNIT_NAME}.accumulate_steps",
        "steps",
        "shifts of signatures: by a block, or by a subblock, as `accumulate` has it",
        "accumulate_steps",
    ),
    Stat(f"{UNIT_NAME}.accumulated_blocks", "blocks", "blocks added to signatures", "accumulated_blocks"),
    Stat(f"{UNIT_NAME}.tiles", "tiles", "tiles taken from the OT Queue", "tiles"),
    *spent(UNIT_NAME, "the Signature Unit"),
)
