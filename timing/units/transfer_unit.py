"""Transfer Unit: copies, blits, mipmaps and, if so configured, uploads, between the passes, past the L2.

One request per cycle; a line is written when as large a share of what is read has arrived. The papers are silent on it.
Caches forget what they held of the memory that was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import Record, i8
from tilegpu.timing.declare.statistics import Stat

from ..engine import hooks
from ..engine.calendar import wake
from ..engine.jit import inline, unit
from ..engine.unit import Unit
from ..engine.work import NO_DRAW
from ..memory.lines import forget
from ..memory.request import (
    READ,
    TRANSFER,
    WRITE,
    can_send,
    has_reply,
    next_reply,
    replies_due,
    send,
    take_reply,
)

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Commands, Move
    from ..memory.gpu import Gpu


class TransferUnit(Record):
    """Registers of the Transfer Unit. `application`: whose moves they are, where several share the GPU."""

    id: i8
    port: i8
    in_flight: i8
    move: i8
    last_move: i8
    application: i8
    read: i8
    arrived: i8
    written: i8
    moves: i8
    read_requests: i8
    write_requests: i8


@unit
def tick(gpu: Gpu, work: Commands, t: int) -> int:
    unit: TransferUnit = gpu.transfer_unit
    port = gpu.port[unit.port]
    while has_reply(port, t):
        # Lines come back in order; the last one of a piece may be shorter.
        unit.arrived = min(unit.arrived + gpu.line_bytes, unit.read)
        take_reply(gpu, port, replies_due(port, t))
    if unit.move < 0:
        return next_reply(port)
    move = work.move[unit.move]
    hooks.works_for_application(gpu, unit.id, int(unit.application), NO_DRAW)
    if not can_send(port):
        return next_reply(port)
    if unit.written < move.write_bytes and may_write(gpu, unit, move):
        size = min(move.write_bytes - unit.written, gpu.line_bytes)
        send(gpu, port, t, move.write_address + unit.written, size, WRITE, TRANSFER, -1)
        unit.written += size
        unit.write_requests += 1
        return t + 1
    if unit.read < move.read_bytes:
        if unit.read - unit.arrived >= unit.in_flight * gpu.line_bytes:
            return next_reply(port)
        size = min(move.read_bytes - unit.read, gpu.line_bytes)
        sent = send(gpu, port, t, move.read_address + unit.read, size, READ, TRANSFER, -1)
        sent.slot = 0
        unit.read += size
        unit.read_requests += 1
        return t + 1
    if unit.arrived < move.read_bytes or unit.written < move.write_bytes:
        return next_reply(port)
    finish(gpu, unit, move, t)
    # What only makes caches forget takes no time.
    while unit.move >= 0 and work.move[unit.move].read_bytes + work.move[unit.move].write_bytes == 0:
        finish(gpu, unit, work.move[unit.move], t)
    return t + 1


@inline
def may_write(gpu: Gpu, unit: TransferUnit, move: Move) -> bool:
    """Whether what the next line is made from has arrived."""
    if unit.arrived == move.read_bytes:
        return True
    return bool(unit.arrived * move.write_bytes > (unit.written + gpu.line_bytes - 1) * move.read_bytes)


@inline
def finish(gpu: Gpu, unit: TransferUnit, move: Move, t: int) -> None:
    forget(gpu, move.changed_address, move.changed_bytes)
    unit.moves += 1
    unit.read = 0
    unit.arrived = 0
    unit.written = 0
    unit.move += 1
    if unit.move == unit.last_move:
        unit.move = -1
        wake(gpu, gpu.signal.progress)


class TransferUnitParameters(Group, section="transfer_unit"):
    """Transfer Unit: copies, blits and mipmaps."""

    in_flight: int = number(16, "requests", "lines being read", 1, 32, silent=(4, 32))
    uploads: str = choice(
        "host",
        {"host": "the CPU, in no time of the GPU's", "unit": "this unit, before their pass"},
        "who writes uploads of textures and buffers",
        silent=("unit",),
    )


def setup(chip: Chip, unit: TransferUnit, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    unit.in_flight, unit.move = chip.configuration.of(TransferUnitParameters).in_flight, -1


UNIT = Unit(
    "transfer_unit",
    __name__,
    TransferUnit,
    tick,
    tables=("work",),
    parameters=(TransferUnitParameters,),
    setup=setup,
    marks=("moves", "read_requests", "write_requests"),
    statistics=(Stat("gpu.transfer_unit.moves", "moves", "uploads, copies, blits and levels of mipmaps", "moves"),),
)
