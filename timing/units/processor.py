"""Programmable processor: multithreaded, in-order, one instruction per cycle from one of its warps, which a warp
scheduler chooses.

A warp is a quad, or several, or up to four vertices, whose lanes execute together.

A warp issues its next instruction when its operands are available (no forwarding: results can be used after the class's
latency) and, at the start of each line of code, when the instruction cache has answered. Vertex and Fragment Processors
share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.reasons import ASKED, BANDWIDTH, TEXTURE_FILTERING, TEXTURE_MISSES
from tilegpu.timing.declare.records import (
    MAX_REGISTERS,
    MAX_THREADS,
    MAX_WARPS,
    NEVER,
    Record,
    Ring,
    Rows,
    Token,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat

from ..engine import hooks
from ..engine.account import WAITING, Accounted, become
from ..engine.calendar import poke, poke_at
from ..engine.frame import (
    ALU,
    CONSTANT_READS,
    FLOW,
    INPUT_READS,
    INPUT_WRITES,
    KINDS,
    MEM,
    OUTPUT_READS,
    OUTPUT_WRITES,
    REGISTER_ACCESSES,
    SFU,
    TEMPORAL_READS,
    TEMPORAL_WRITES,
    TEX,
)
from ..engine.jit import inline, unit
from ..engine.ring import Queue, drop, front, full, grow, last_place, push, wrap
from ..engine.wiring import access
from ..memory.request import INSTRUCTION, READ, asked_by, can_send, has_reply, replies_due, send, take_reply
from . import warp_schedulers, warp_turns

if TYPE_CHECKING:
    from ..engine.frame import Instruction, ShaderPath, Shading
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore
    from .texture_unit import TextureUnit


@access
def texture_unit(gpu: Gpu, core: Processor) -> TextureUnit:
    """Texture unit of a processor."""
    raise NotImplementedError


@access
def has_memory_room(gpu: Gpu, core: Processor) -> bool:
    """Whether a processor's Memory Unit takes another operation."""
    raise NotImplementedError


@access
def access_pixels(gpu: Gpu, core: Processor, w: int, instruction: Instruction) -> None:
    """Hand the access of a warp's next lane on to the Memory Unit."""
    raise NotImplementedError


BUSY, TEXELS, CODE, RESULTS, EMPTY, OUTPUT = range(6)
"""Uses of a processor's cycles: issuing; waiting, with some warp in need of texels, else of code, else only for results
of its own; without work; unable to hand its results on."""

HANDED_ON = 1 << TEX | 1 << MEM
"""Classes of instructions that other units execute, a bit each."""

MAX_HELD = 256

NOT_SHADED = -2
"""Path of what only passes through."""


def lanes_at_once(stage: Any, lanes: int) -> int:
    """Lanes of a warp whose arithmetic a processor of a stage does in one cycle: the number of units that it has.

    Parameters
    ----------
    stage
        Fields of the programmable stage.
    lanes
        Lanes of a warp.
    """
    return -(-lanes // int(stage.issue_cycles))


class Warp(Record):
    """Registers of a warp. `lanes`: what it fetches texels for and hands on one by one, its quads or its vertices;
    `lane`: the next of them. `operation`: texture operations that each of them has had; `outstanding`: operations that
    texture unit and Memory Unit have not done yet. `fragments`: visible ones of its quads."""

    tile: i4
    fragments: i4
    end: i4
    lanes: i4
    lane: i4
    operation: i4
    line: i8
    outstanding: i4
    at: i4
    next: i4
    ready: Rows[i8] = room(MAX_REGISTERS)


class Processor(Accounted):
    """Registers of a processor. `threads`: lanes of a warp of vertices; `item`: place of each of them in the fetcher's
    window, or a warp's quads; `place`: of these on the screen; `first_operation`: texture operations of each lane.
    `packs`: whether quads share warps.

    Masks hold warps by their state, a bit each: `running` ones may issue once they are `due`, `fetching` ones want
    code, `waiting` ones texels, `done` ones to leave. `unsure`: not `due` before texels arrive that have not been
    looked for yet. `fed`: those whose latest wait for texels is over but not used yet. `issues_at`: the cycle from
    which it can issue again, after an instruction that takes several.

    `held`: quads and ends of tiles on their way to blending, and `ended` those of the latter that have gone on, where
    the processor does not wait for others at the end of a tile (`tile_end`).

    Where instructions are squashed (`hazards`): `retry` is the first cycle in which a warp's next instruction may be
    decoded, `tries` are the warps that take turns since the cycle `tried`.
    """

    id: i8
    port: i8
    texture_unit: i8
    running: i8
    fetching: i8
    waiting: i8
    threads: i8
    item: Rows[i4] = room(MAX_THREADS * MAX_WARPS)
    place: Rows[i8] = room(MAX_THREADS * MAX_WARPS)
    first_operation: Rows[i4] = room(MAX_THREADS * MAX_WARPS)
    packs: i8
    unsure: i8
    done: i8
    fed: i8
    turn: i8
    scheduler: i8
    issues_at: i8
    squashes: i8
    tries: i8
    tried: i8
    retry: Rows[i8] = room(MAX_WARPS)
    squashed: i8
    latency: Rows[i8] = room(len(KINDS))
    instructions: Rows[i8] = room(len(KINDS))
    operations: Rows[i8] = room(len(KINDS))
    registers: Rows[i8] = room(len(REGISTER_ACCESSES))
    due: Rows[i8] = room(MAX_WARPS)
    fetch: Ring[i4] = room(MAX_WARPS)
    warp: Ring[Warp] = room(MAX_WARPS)
    queue: Queue[Token] = room(1024)
    held: Ring[Token] = room(MAX_HELD)
    ended: i8
    spent: Rows[i8] = room(6)
    arrived: i8
    busy_before: i8
    active_before: i8
    misses_before: i8
    instruction_fetches: i8
    items: i8
    warps: i8
    fragments: i8
    unrecorded: i8


@inline
def receive_code(gpu: Gpu, core: Processor, t: int) -> None:
    """Code lines that have arrived set their warps free."""
    port = gpu.port[core.port]
    while has_reply(port, t):
        replies = replies_due(port, t)
        w = front(replies).slot
        core.fetching &= ~(1 << w)
        core.running |= 1 << w
        core.due[w] = max(core.due[w], t)
        take_reply(gpu, port, replies)


@inline
def finished(core: Processor, t: int) -> bool:
    """Whether there is an oldest warp and it has executed everything."""
    return bool(core.done >> core.warp.head & 1 != 0 and core.due[core.warp.head] <= t)


@inline
def leave(core: Processor) -> None:
    """The oldest warp is gone."""
    core.done &= ~(1 << core.warp.head)
    drop(core.warp)


@inline
def next_leave(core: Processor, t: int) -> int:
    """Cycle in which the oldest warp has executed everything, if that is to come and known."""
    oldest = core.warp.head
    return core.due[oldest] if core.done >> oldest & 1 != 0 and core.due[oldest] > t else NEVER


@inline
def newest(core: Processor) -> int:
    """Number of the warp that was started last."""
    return wrap(core.warp, core.warp.head + core.warp.count - 1)


@inline
def start(gpu: Gpu, shading: Shading, core: Processor, path: int, lanes: int, t: int) -> Warp:
    """A new warp, at the end of the ring of warps, that will execute a path for some lanes."""
    warp = grow(core.warp)
    w = newest(core)
    warp.line = -1
    warp.outstanding = 0
    warp.lanes = lanes
    warp.lane = 0
    warp.fragments = 0
    warp.operation = 0
    core.fed &= ~(1 << w)
    core.due[w] = t + 1
    if path != NOT_SHADED:
        core.items += lanes
        core.warps += 1
    if path >= 0:
        executed = shading.path[path]
        warp.at = executed.first
        warp.end = executed.last
        count(core, executed, lanes)
    else:
        if path != NOT_SHADED:
            core.unrecorded += lanes
        warp.at = 0
        warp.end = 0
    if warp.at == warp.end:
        core.done |= 1 << w
    else:
        core.running |= 1 << w
        look_ahead(gpu, shading, core, warp, w)
    return warp


@inline
def count(core: Processor | SimtCore, executed: ShaderPath, lanes: int) -> None:
    """Count the operations of some lanes on a path."""
    core.operations[ALU] += lanes * executed.alu
    core.operations[SFU] += lanes * executed.sfu
    core.operations[TEX] += lanes * executed.tex
    core.operations[FLOW] += lanes * executed.flow
    core.operations[MEM] += lanes * executed.mem
    core.registers[CONSTANT_READS] += lanes * executed.constant_reads
    core.registers[INPUT_READS] += lanes * executed.input_reads
    core.registers[INPUT_WRITES] += lanes * executed.input_writes
    core.registers[TEMPORAL_READS] += lanes * executed.temporal_reads
    core.registers[TEMPORAL_WRITES] += lanes * executed.temporal_writes
    core.registers[OUTPUT_READS] += lanes * executed.output_reads
    core.registers[OUTPUT_WRITES] += lanes * executed.output_writes


@inline
def look_ahead(gpu: Gpu, shading: Shading, core: Processor, warp: Warp, w: int) -> None:
    """Let the warp wait for the operands of its next instruction, and for its line of code unless it has it."""
    warp.next = shading.sequence[warp.at]
    instruction = shading.instruction[warp.next]
    ready = operands_ready(warp, instruction)
    if ready == NEVER:
        core.unsure |= 1 << w
    elif ready > core.due[w]:
        core.due[w] = ready
    line = instruction.address >> gpu.line_shift
    if line != warp.line and core.port >= 0:
        warp.line = line
        core.running &= ~(1 << w)
        core.fetching |= 1 << w
        push(core.fetch, w)


@inline
def fetch_code(gpu: Gpu, core: Processor, t: int) -> bool:
    """Ask for one line of code per cycle, for the warp that has waited longest."""
    port = gpu.port[core.port]
    if core.fetch.count == 0 or not can_send(port):
        return False
    w = front(core.fetch)
    drop(core.fetch)
    hooks.turns_aside(gpu, core.id)
    hooks.resumes_warp(gpu, core.id, w, core.warp.slot[w].next)
    sent = send(gpu, port, t, core.warp.slot[w].line * gpu.line_bytes, gpu.line_bytes, READ, INSTRUCTION, -1)
    sent.slot = w
    core.instruction_fetches += 1
    hooks.turns_back(gpu, core.id)
    return True


@inline
def issue(gpu: Gpu, shading: Shading, core: Processor, t: int) -> int:
    """Issue one instruction; the cycle in which the next one can be issued, as far as it is known."""
    if core.issues_at > t:
        return core.issues_at
    wake = NEVER
    issued = False
    lacks_room = False
    candidates = core.running
    while candidates != 0:
        w = warp_turns.choose(gpu, core, candidates, t)
        candidates &= ~(1 << w)
        if core.due[w] <= t and (core.unsure >> w & 1 == 0 or texels_here(shading, core, w, t)):
            instruction = shading.instruction[core.warp.slot[w].next]
            if out_of_order(core, w, instruction.kind):
                continue
            if has_room(gpu, core, instruction.kind):
                core.turn = w
                hooks.resumes_warp(gpu, core.id, w, core.warp.slot[w].next)
                execute(gpu, shading, core, w, t)
                issued = True
                break
            lacks_room = True
        elif core.running >> w & 1 != 0:
            wake = min(wake, core.due[w])
    if not issued and core.warp.count > 0:
        # A stall is on account of the oldest warp, which has to leave first.
        hooks.resumes_warp(gpu, core.id, core.warp.head, oldest_instruction(core))
    become(core, BUSY if issued else cause_of_stall(core, lacks_room, t), t)
    # What was issued may want code, which is asked for in the next cycle.
    return t + 1 if issued else wake


@inline
def oldest_instruction(core: Processor) -> int:
    """Next instruction of the oldest warp, or -1 where it has executed everything."""
    oldest = core.warp.head
    return -1 if core.done >> oldest & 1 != 0 else int(core.warp.slot[oldest].next)


@inline
def cause_of_stall(core: Processor, lacks_room: bool, t: int) -> int:
    """Cause for which nothing can be issued; `lacks_room`: a warp could not hand its texture operation on."""
    if core.warp.count == 0:
        return EMPTY
    if lacks_room or core.waiting | (core.running & core.fed) != 0:
        return TEXELS
    oldest = core.warp.head
    if core.done >> oldest & 1 != 0 and core.warp.slot[oldest].outstanding > 0:
        return TEXELS
    if core.fetching != 0:
        return CODE
    return OUTPUT if core.running == 0 and finished(core, t) else RESULTS


@unit
def texels_here(shading: Shading, core: Processor, w: int, t: int) -> bool:
    """Whether an instruction that needed texels can be issued; if not, its warp waits from now on."""
    ready = operands_ready(core.warp.slot[w], shading.instruction[core.warp.slot[w].next])
    if ready == NEVER:
        core.running &= ~(1 << w)
        core.waiting |= 1 << w
        return False
    core.unsure &= ~(1 << w)
    core.due[w] = max(core.due[w], ready)
    return bool(ready <= t)


@inline
def operands_ready(warp: Warp, instruction: Instruction) -> int:
    """Cycle from which nothing hinders the instruction: its sources are written, and so is what it overwrites."""
    sources = max(warp.ready[instruction.source_0], warp.ready[instruction.source_1], warp.ready[instruction.source_2])
    return max(int(sources), int(warp.ready[instruction.destination]))


@inline
def has_room(gpu: Gpu, core: Processor, kind: int) -> bool:
    """Whether the unit that an instruction goes to takes another operation."""
    if kind == TEX:
        return not full(texture_unit(gpu, core).operation)
    return bool(kind != MEM or has_memory_room(gpu, core))


@inline
def out_of_order(core: Processor, w: int, kind: int) -> bool:
    """Whether an access to pixels has to wait, since an earlier warp has not made all of its own at the same place."""
    if kind != MEM:
        return False
    at = core.warp.head
    while at != w:
        if core.done >> at & 1 == 0 and meet(core, at, w):
            return True
        at = wrap(core.warp, at + 1)
    return False


@inline
def meet(core: Processor, a: int, b: int) -> bool:
    """Whether two warps have quads at the same place."""
    for i in range(core.warp.slot[a].lanes):
        for j in range(core.warp.slot[b].lanes):
            if core.place[MAX_THREADS * a + i] == core.place[MAX_THREADS * b + j]:
                return True
    return False


@inline
def execute(gpu: Gpu, shading: Shading, core: Processor, w: int, t: int) -> None:
    warp = core.warp.slot[w]
    instruction = shading.instruction[warp.next]
    kind = instruction.kind
    core.fed &= ~(1 << w)
    core.issues_at = t + instruction.cycles
    done = core.issues_at - 1 + core.latency[kind]
    if HANDED_ON >> kind & 1 != 0:
        if kind == TEX:
            sample(gpu, core, warp, w, instruction)
        else:
            access_pixels(gpu, core, w, instruction)
        await_result(warp, instruction)
        if warp.lane < warp.lanes:
            # The unit takes one operation a cycle: the other lanes follow.
            core.due[w] = t + 1
            core.issues_at = t + 1
            return
        warp.lane = 0
        warp.operation += kind == TEX
    elif instruction.destination > 0:
        warp.ready[instruction.destination] = done
    core.instructions[kind] += 1
    warp.at += 1
    if warp.at == warp.end:
        core.running &= ~(1 << w)
        core.done |= 1 << w
        core.due[w] = done
    else:
        # After a jump, the next instruction is known only when it is resolved.
        core.due[w] = done if kind == FLOW else core.issues_at
        look_ahead(gpu, shading, core, warp, w)


@inline
def await_result(warp: Warp, instruction: Instruction) -> None:
    """An operation of a lane was handed on; when its result comes is unknown."""
    if instruction.destination > 0:
        warp.ready[instruction.destination] = NEVER
    warp.lane += 1
    warp.outstanding += 1


@unit
def sample(gpu: Gpu, core: Processor, warp: Warp, w: int, instruction: Instruction) -> None:
    """Hand the texture operation of a lane on."""
    unit = texture_unit(gpu, core)
    operation = grow(unit.operation)
    operation.warp = w
    operation.destination = result_of(warp, instruction)
    operation.pending = 0
    operation.tag = asked_by(instruction.address, w)
    operation.row = core.first_operation[MAX_THREADS * w + warp.lane] + warp.operation
    hooks.notes_work(gpu, unit.id, last_place(unit.operation))
    poke(gpu, unit.id)


@inline
def result_of(warp: Warp, instruction: Instruction) -> int:
    """Register that is written when an operation of the next lane is done.

    Operations are done in order: the results of all lanes are available with that of the last one.
    """
    return int(instruction.destination) if warp.lane == warp.lanes - 1 else 0


@inline
def deliver(gpu: Gpu, core: Processor, w: int, destination: int, ready: int, at_once: bool) -> None:
    """An operation of a warp is done: its result can be used from the cycle `ready` on. `at_once`: the processor has
    to look in this cycle, and not only in that one."""
    warp = core.warp.slot[w]
    if destination > 0:
        warp.ready[destination] = ready
    warp.outstanding -= 1
    bit = 1 << w
    if core.waiting & bit != 0:
        core.waiting &= ~bit
        core.running |= bit
        core.fed |= bit
        core.due[w] = ready
    # A warp that is to be retired leaves now.
    if at_once or core.done & bit != 0:
        poke(gpu, core.id)
    else:
        poke_at(gpu, core.id, ready)


CAUSES = ("busy", "texel_stall", "code_stall", "result_stall", "empty", "output")
REASONS = {"busy": "arithmetic", "texel_stall": ASKED, "code_stall": "code", "result_stall": "results"}


@inline
def waits_for(gpu: Gpu, core: Processor) -> int:
    """Reason of a stall for texels, or for pixels where processors access these themselves."""
    unit = texture_unit(gpu, core)
    if unit.operation.count == 0:
        return BANDWIDTH
    return TEXTURE_MISSES if unit.cause == WAITING else TEXTURE_FILTERING


def setup(core: Any, stage: Any) -> None:
    """Sizes of a processor of a stage; `stage` is a `config.schema.Processors`."""
    core.warp.depth = core.fetch.depth = stage.warps
    core.squashes = stage.hazards == "squash"
    core.scheduler = warp_schedulers.FOLDER.number_of(getattr(stage, "scheduler", "round_robin"))
    for kind, latency in (("alu", stage.alu_latency), ("sfu", stage.sfu_latency), ("flow", stage.flow_latency)):
        core.latency[KINDS.index(kind)] = latency
    # Texels and pixels come when their units say so; a warp that ends with a sample leaves no earlier than this.
    core.latency[TEX] = core.latency[MEM] = stage.alu_latency
    core.cause = EMPTY


def stands(core: Any) -> str:
    """Work that a processor has under way, in words."""
    warps = f"{int(core.warp.count)} of {int(core.warp.depth)} warps"
    at_barrier = ", at the barrier" if core.arrived else ""
    return f"{warps}, {int(core.fetch.count)} want code{at_barrier}"


REGISTERS = (
    "constant registers and immediate values read",
    "input registers read",
    "input registers written before the first instruction of the program, each that it reads once,",
    "temporal registers read",
    "temporal registers written",
    "output registers read by accesses to pixels, or by what follows the processor,",
    "output registers written",
)


def executed(name: str, warps: str, items: str) -> tuple[Stat, ...]:
    """Statistics of what processors executed, by class; `warps` and `items`: what these are in words."""
    instructions = (
        Stat(
            f"{name}.{kind}_instructions",
            "instructions",
            f"{kind} instructions issued for {warps}",
            f"instructions[{i}]",
        )
        for i, kind in enumerate(KINDS)
    )
    operations = (
        Stat(
            f"{name}.{kind}_operations",
            "operations",
            f"components that {kind} instructions wrote for the lanes of {items}"
            if kind in ("alu", "tex")
            else f"lanes of {items} that executed {kind} instructions",
            f"operations[{i}]",
        )
        for i, kind in enumerate(KINDS)
    )
    squashed = Stat(
        f"{name}.squashed_instructions",
        "instructions",
        f"instructions of {warps} that were decoded too early and fetched again",
        "squashed",
    )
    registers = (
        Stat(f"{name}.{access}", "registers", f"{what} by the lanes of {items}", f"registers[{i}]")
        for i, (access, what) in enumerate(zip(REGISTER_ACCESSES, REGISTERS, strict=True))
    )
    return (*instructions, *operations, squashed, *registers)
