"""A tile on its way from or to memory."""

from __future__ import annotations

from tilegpu.timing.declare.records import Record, i8


class Transfer(Record):
    """Walk over the lines of a tile, attachment by attachment; `address`, `size`, `pixels`: of the piece of a line that
    it has come to."""

    port: i8
    tile: i8
    target: i8
    row: i8
    byte: i8
    pending: i8
    sent: i8
    address: i8
    size: i8
    pixels: i8
    lines: i8
