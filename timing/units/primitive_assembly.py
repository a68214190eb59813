"""Primitive Assembly: takes shaded vertices in the order of the stream, makes primitives, culls, clips.

A primitive takes a cycle, culled or not; a primitive that clipping cuts into several takes one for each.
"""

from __future__ import annotations

from typing import Any

from ..engine.account import ACCOUNT, BLOCKED, BUSY, IDLE, account
from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.records import NEVER, record, ring
from ..engine.ring import drop, front, full, push
from .vertex_fetcher import SHADED

PRIMITIVE_ASSEMBLY = record(
    id="i8",
    queue=ring("i4", 128),
    primitive="i8",
    committed="i8",
    vertices_per_cycle="i8",
    primitives_per_cycle="i8",
    primitives="i8",
    culled="i8",
    **ACCOUNT,
)


@unit
def tick(gpu: Any, binning: Any, t: int) -> int:
    assembly = gpu.primitive_assembly
    account(assembly, t)
    assembly.cause = IDLE
    taken = take_vertices(gpu, assembly, t)
    made = assemble(gpu, binning, assembly, t)
    if taken or made:
        assembly.cause = BUSY
        return t + 1
    return NEVER


@inline
def take_vertices(gpu: Any, assembly: Any, t: int) -> bool:
    fetcher = gpu.vertex_fetcher
    taken = False
    for _ in range(assembly.vertices_per_cycle):
        if fetcher.window.count > 0 and front(fetcher.window).state == SHADED:
            drop(fetcher.window)
            assembly.committed += 1
            taken = True
    if taken:
        for p in range(gpu.vertex_processors):
            if gpu.vertex_processor[p].held != 0:
                poke(gpu, gpu.vertex_processor[p].id)
        poke(gpu, fetcher.id)
        poke(gpu, gpu.command_processor.id)
    return taken


@inline
def assemble(gpu: Any, binning: Any, assembly: Any, t: int) -> bool:
    """Make the next primitives whose vertices are all here."""
    builder = gpu.polygon_list_builder
    made = False
    for _ in range(assembly.primitives_per_cycle):
        if assembly.primitive == len(binning.primitive):
            break
        primitive = binning.primitive[assembly.primitive]
        if primitive.stream_end > assembly.committed:
            break
        if full(builder.queue):
            assembly.cause = BLOCKED
            break
        if primitive.clear < 0:
            assembly.primitives += 1
        if primitive.culled != 0:
            assembly.culled += 1
        else:
            push(builder.queue, assembly.primitive)
            poke(gpu, builder.id)
        assembly.primitive += 1
        made = True
    if made:
        poke(gpu, gpu.command_processor.id)
    return made
