"""Structures that Rendering Elimination adds to the GPU.

A shift by a block multiplies a signature with the power of x that represents the block's length. It is linear, and the
same for all tiles that take the block, so that one cycle is enough: the Compute CRC unit makes the factor in parallel
with the CRC, with a Shift subunit more, and the Accumulate CRC unit is a multiplier over GF(2). An equal choice is the
matrix of that product, of 1024 bits to be loaded for each block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Logic, Ram, Together
from tilegpu.timing.declare.structures import TILING, Structure, once, stat
from tilegpu.timing.declare.tiles import Tiles

from ..shared import crc
from .parameters import Parameters
from .state import NAME, UNIT_NAME

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


SHIFT_TABLES = 4
"""Tables of a Shift subunit: one for each byte of a CRC (Fig. 11)."""
CRC_BITS = 32
TABLE = Ram(256, CRC_BITS)


def _own(c: Hardware) -> Any:
    return c.of(Parameters)


def _tiles(c: Hardware) -> int:
    """Tiles of the screen of the paper's Table I, which the buffers are sized for."""
    return -(-1196 // int(c.of(Tiles).width)) * -(-768 // int(c.of(Tiles).height))


def _sets(c: Hardware) -> int:
    """Sets of signatures: those that are needed at a time, or the two of the paper (III-B, IV-C).

    While a frame is compared with the one whose pixels its buffer holds, the frames between those two keep
    theirs for the next ones.
    """
    buffers = int(c.memory.frame_buffers)
    return buffers + 1 if _own(c).signature == "sound" else max(2, buffers)


def multiplier_words() -> int:
    """Operations on 32 bits in a product of two CRCs: partial products, their sum, and what the high bits come to."""
    power, reduction = crc.POLYNOMIAL, 0
    for _ in range(CRC_BITS - 1):
        reduction += power.bit_count()
        power = int(crc.double(power))
    return CRC_BITS + (CRC_BITS - 1) + -(-reduction // CRC_BITS)


def _by_block(c: Hardware) -> bool:
    return bool(_own(c).accumulate == "block")


STRUCTURES = (
    Structure(
        "signature_buffer",
        TILING,
        once,
        lambda c: Ram(_tiles(c) * _sets(c), CRC_BITS),
        lambda v: v[f"{UNIT_NAME}.accumulated_blocks"] + 2 * v[f"{NAME}.compared_tiles"],
        stat(f"{UNIT_NAME}.accumulated_blocks"),
    ),
    Structure(
        "signature_unit.bitmap",
        TILING,
        once,
        lambda c: Ram(-(-_tiles(c) // 32), 32),
        stat(f"{UNIT_NAME}.tiles"),
        stat(f"{UNIT_NAME}.tiles"),
    ),
    Structure(
        "signature_unit.ot_queue",
        TILING,
        once,
        lambda c: Ram(_own(c).ot_queue, 16),
        stat(f"{UNIT_NAME}.tiles"),
        stat(f"{UNIT_NAME}.tiles"),
    ),
    # Sign and Shift subunits of the Compute CRC unit.
    Structure(
        "signature_unit.compute_tables",
        TILING,
        once,
        lambda c: Together(int(_own(c).compute_bytes_per_cycle) + SHIFT_TABLES, TABLE),
        stat(f"{UNIT_NAME}.compute_steps"),
    ),
    # One more Shift subunit, which makes the factor of the block.
    Structure(
        "signature_unit.factor_tables",
        TILING,
        once,
        lambda c: Together(SHIFT_TABLES, TABLE),
        stat(f"{UNIT_NAME}.compute_steps"),
        exists=_by_block,
    ),
    # The Accumulate CRC unit: a product, or the Shift subunit of Fig. 9.
    Structure(
        "signature_unit.shifter",
        TILING,
        once,
        lambda c: Logic("xor", multiplier_words(), multiplier_words()),
        stat(f"{UNIT_NAME}.accumulate_steps"),
        exists=_by_block,
    ),
    Structure(
        "signature_unit.accumulate_tables",
        TILING,
        once,
        lambda c: Together(SHIFT_TABLES, TABLE),
        stat(f"{UNIT_NAME}.accumulate_steps"),
        exists=lambda c: not _by_block(c),
    ),
    Structure(
        "signature_unit.comparator",
        TILING,
        once,
        lambda c: Logic("comparator", 1),
        stat(f"{NAME}.compared_tiles"),
    ),
)
