"""Warps of a SIMT core: threads that execute one instruction at a time, 32 in Emerald, from their launch to their last
operation (3.3.2).

Threads of a warp that take different paths are executed one path after the other: always the instruction of the lowest
address that some thread has reached, for all threads that wait there. In structured code, which shaders are, that is
what a SIMT stack does which joins paths at the immediate post-dominator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_REGISTERS, MAX_SIMT_THREADS, NEVER, Record, Rows, i4, i8, room

from ..engine import hooks
from ..engine.calendar import poke
from ..engine.frame import ATTRIBUTE_LOAD, MEM, SHARED, TEX, Instruction, Shading
from ..engine.jit import inline, lowest_bit, unit
from ..engine.ring import push
from .processor import count

if TYPE_CHECKING:
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


FRAGMENTS, VERTICES, COMPUTE = range(3)
"""Contents of a warp (`vertex`)."""


class SimtWarp(Record):
    """Registers of a warp. `group`: its work group, and `operation`: accesses to memory and textures so far, if it
    computes. `item`: rows of its quads, or of its vertices in the stream; `cursor`: which of the warp's paths each
    takes, of which `at`, `end`, `threads`, `textures` and `accesses` hold where it is, how many threads take it and how
    many texture operations and accesses to buffers and images they have had; `who`: paths, a bit each, that execute the
    instruction `next`. `loads`: attributes that have not come; `wrote`: quads, a bit each, whose test has changed a
    value."""

    vertex: i8
    group: i8
    operation: i8
    row: i8
    tile: i8
    place: i8
    items: i8
    item: Rows[i4] = room(MAX_SIMT_THREADS)
    cursor: Rows[i4] = room(MAX_SIMT_THREADS)
    cursors: i8
    at: Rows[i4] = room(MAX_SIMT_THREADS)
    end: Rows[i4] = room(MAX_SIMT_THREADS)
    threads: Rows[i4] = room(MAX_SIMT_THREADS)
    textures: Rows[i4] = room(MAX_SIMT_THREADS)
    accesses: Rows[i4] = room(MAX_SIMT_THREADS)
    who: i8
    next: i8
    line: i8
    outstanding: i8
    loads: i8
    wrote: i8
    registers: i8
    ready: Rows[i8] = room(MAX_REGISTERS)


@inline
def has_room(core: SimtCore, warps: int, registers: int) -> bool:
    """Whether a core takes a number of warps whose lanes need a number of registers."""
    free = core.warps - core.resident
    return bool(free >= warps and core.registers_free >= warps * registers * core.warp_threads)


@unit
def begin(gpu: Gpu, core: SimtCore, vertex: int, registers: int, t: int) -> int:
    """A new warp without threads, of what the caller works for; its number. The caller has asked `has_room`."""
    w = lowest_bit(~core.used)
    core.used |= 1 << w
    core.by_age[core.resident] = w
    core.resident += 1
    core.drawing += vertex != COMPUTE
    if vertex != FRAGMENTS:
        if core.others == 0:
            core.others_since = t
        core.others += 1
    core.registers_free -= registers * core.warp_threads
    warp = core.warp[w]
    warp.vertex = vertex
    warp.items = warp.cursors = warp.outstanding = warp.loads = warp.wrote = warp.operation = 0
    warp.registers = registers
    warp.line = -1
    core.due[w] = t + 1
    hooks.notes_work(gpu, core.id, int(w))
    hooks.lends(gpu, core.id)
    return int(w)


@unit
def enter(shading: Shading, core: SimtCore, w: int, item: int, path: int, threads: int) -> None:
    """Add a quad or a vertex to a new warp."""
    warp = core.warp[w]
    first = last = 0
    if path >= 0:
        first, last = shading.path[path].first, shading.path[path].last
    c = 0
    while c < warp.cursors and (warp.at[c] != first or warp.end[c] != last):
        c += 1
    if c == warp.cursors:
        warp.at[c], warp.end[c], warp.threads[c] = first, last, 0
        warp.textures[c] = warp.accesses[c] = 0
        warp.cursors += 1
    warp.item[warp.items], warp.cursor[warp.items] = item, c
    warp.threads[c] += threads
    warp.items += 1
    if path >= 0:
        count(core, shading.path[path], 1)


@unit
def launch(gpu: Gpu, shading: Shading, core: SimtCore, w: int) -> None:
    """Let a warp that has all its threads go."""
    hooks.returns(gpu, core.id)
    for i in range(MAX_REGISTERS):
        core.warp[w].ready[i] = 0
    core.running |= 1 << w
    look_ahead(gpu, shading, core, w)
    poke(gpu, core.id)


@unit
def look_ahead(gpu: Gpu, shading: Shading, core: SimtCore, w: int) -> None:
    """Find the warp's next instruction, and let it wait for operands and for its line of code."""
    warp = core.warp[w]
    warp.who = 0
    lowest = NEVER
    for c in range(warp.cursors):
        if warp.at[c] < warp.end[c]:
            row = shading.sequence[warp.at[c]]
            address = shading.instruction[row].address
            if address < lowest:
                lowest = address
                warp.next = row
                warp.who = 0
            if address == lowest:
                warp.who |= 1 << c
    bit = 1 << w
    if warp.who == 0:
        core.running &= ~bit
        core.done |= bit
        return
    instruction = shading.instruction[warp.next]
    core.operating = core.operating | bit if is_operation(instruction) else core.operating & ~bit
    await_operands(core, warp, w, instruction)
    line = lowest >> gpu.line_shift
    if line != warp.line:
        warp.line = line
        core.running &= ~bit
        core.fetching |= bit
        push(core.fetch, w)


@inline
def is_operation(instruction: Instruction) -> bool:
    """Whether a load/store unit executes an instruction."""
    return bool(instruction.kind == TEX or (instruction.kind == MEM and instruction.access != SHARED))


@inline
def await_operands(core: SimtCore, warp: SimtWarp, w: int, instruction: Instruction) -> None:
    """Let a warp wait for what its next instruction needs; a program begins when all attributes have arrived."""
    ready = max(warp.ready[instruction.source_0], warp.ready[instruction.source_1], warp.ready[instruction.source_2])
    ready = max(ready, warp.ready[instruction.destination])
    bit = 1 << w
    if ready == NEVER or (warp.loads > 0 and instruction.access != ATTRIBUTE_LOAD):
        core.running &= ~bit
        core.waiting |= bit
    else:
        core.waiting &= ~bit
        if core.fetching & bit == 0:
            core.running |= bit
        core.due[w] = max(core.due[w], ready)


@unit
def deliver(gpu: Gpu, shading: Shading, core: SimtCore, w: int, destination: int, load: int, ready: int) -> None:
    """An operation of a warp is done: its result can be used from the cycle `ready` on."""
    warp = core.warp[w]
    warp.outstanding -= 1
    warp.loads -= load
    if destination > 0:
        warp.ready[destination] = ready
    if load != 0:
        core.due[w] = max(core.due[w], ready)
    if core.waiting >> w & 1 != 0:
        await_operands(core, warp, w, shading.instruction[warp.next])
    elif core.done >> w & 1 != 0:
        core.due[w] = max(core.due[w], ready)
    poke(gpu, core.id)
