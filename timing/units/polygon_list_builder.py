"""Polygon List Builder: writes each primitive's attributes to the Parameter Buffer once, and a pointer into
the list of every
tile it falls into, all through the Tile Cache, one access per cycle."""

from __future__ import annotations

from typing import Any

from ..engine.account import ACCOUNT, BUSY, IDLE, WAITING, account
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.records import NEVER, record, ring
from ..engine.ring import front, release
from ..memory.request import PRIMITIVE_ATTRIBUTES, PRIMITIVE_LIST, WRITE, can_send, send
from ..techniques import hooks

POLYGON_LIST_BUILDER = record(
    id="i8",
    port="i8",
    queue=ring("i4", 128),
    primitive="i8",
    cursor="i8",
    bin="i8",
    pointer_bytes="i8",
    primitives="i8",
    pointers="i8",
    record_writes="i8",
    attributes="i8",
    **ACCOUNT,
)


@unit
def tick(gpu: Any, binning: Any, t: int) -> int:
    builder = gpu.polygon_list_builder
    account(builder, t)
    if builder.primitive < 0:
        builder.cause = IDLE
        if builder.queue.count == 0:
            return NEVER
        begin(gpu, binning, builder, t)
    port = gpu.port[builder.port]
    builder.cause = WAITING
    if not can_send(port):
        return NEVER
    builder.cause = BUSY
    primitive = binning.primitive[builder.primitive]
    end = primitive.record + primitive.record_bytes
    if builder.cursor < end:
        size = min(end - builder.cursor, gpu.line_bytes - builder.cursor % gpu.line_bytes)
        send(gpu, port, t, builder.cursor, size, WRITE, PRIMITIVE_ATTRIBUTES, -1, 0, -1)
        builder.cursor += size
        builder.record_writes += 1
    elif builder.bin < primitive.last_bin:
        entry = binning.bin[builder.bin].entry
        send(gpu, port, t, binning.entry[entry].pointer, builder.pointer_bytes, WRITE, PRIMITIVE_LIST, -1, 0, -1)
        hooks.binned(gpu, binning, builder.primitive, entry, t)
        builder.bin += 1
        builder.pointers += 1
    if builder.cursor >= end and builder.bin >= primitive.last_bin:
        builder.primitive = -1
        poke(gpu, gpu.command_processor.id)
    return t + 1


@inline
def begin(gpu: Any, binning: Any, builder: Any, t: int) -> None:
    builder.primitive = front(builder.queue)
    release(gpu, builder.queue, gpu.primitive_assembly.id)
    builder.primitives += 1
    primitive = binning.primitive[builder.primitive]
    builder.attributes += primitive.attributes
    builder.cursor = primitive.record
    builder.bin = primitive.first_bin
