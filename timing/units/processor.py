"""Programmable processor: multithreaded, in-order, one instruction per cycle from one of its warps, round robin.

A warp issues its next instruction when its operands are there (no forwarding: results can be used after the class's
latency)
and, at the start of each line of code, when the instruction cache has answered. Vertex and Fragment
Processors share it.
"""

from __future__ import annotations

from typing import Any

from ..engine.frame import FLOW, SFU, TEX
from ..engine.jit import inline, unit
from ..engine.records import MAX_REGISTERS, MAX_WARPS, NEVER, TOKEN, record, ring
from ..engine.ring import drop, front, full, grow, poke, push, wrap
from ..memory.request import INSTRUCTION, READ, can_send, has_reply, next_reply, replies_due, send, take_reply

FREE, RUN, FETCH, WAIT, DONE = range(5)
BUSY, TEXELS, CODE, RESULTS, EMPTY, OUTPUT = range(6)
"""What a processor spends its cycles on: issuing; waiting, with some warp in want of texels, else of code, else only
for results of its own; without work; unable to hand its results on."""

WARP = record(
    item="i8",
    tile="i8",
    at="i8",
    end="i8",
    operation="i8",
    line="i8",
    textures="i8",
    texels="i8",
    ready=("i8", (MAX_REGISTERS,)),
)
"""State and next issue stand beside those of the other warps, in the processor: they are looked at often."""
PROCESSOR = record(
    id="i8",
    port="i8",
    texture_unit="i8",
    queue=ring(TOKEN, 1024),
    state=("i8", (MAX_WARPS,)),
    due=("i8", (MAX_WARPS,)),
    warp=ring(WARP, MAX_WARPS),
    fetch=ring("i4", MAX_WARPS),
    turn="i8",
    arrived="i8",
    alu_latency="i8",
    sfu_latency="i8",
    flow_latency="i8",
    cause="i8",
    since="i8",
    spent=("i8", (6,)),
    busy_before="i8",
    held="i8",
    instructions=("i8", (4,)),
    instruction_fetches="i8",
    items="i8",
    unrecorded="i8",
)


@inline
def receive_code(gpu: Any, core: Any, t: int) -> None:
    """Code lines that have arrived set their warps free."""
    port = gpu.port[core.port]
    while has_reply(port, t):
        replies = replies_due(port, t)
        w = front(replies).slot
        core.state[w] = RUN
        core.due[w] = max(core.due[w], t)
        take_reply(port, replies)


@inline
def start(gpu: Any, shading: Any, core: Any, path: int, item: int, tile: int, t: int) -> Any:
    """A new warp, at the end of the ring of warps, that will execute a path."""
    warp = grow(core.warp)
    w = wrap(core.warp, core.warp.head + core.warp.count - 1)
    warp.item = item
    warp.tile = tile
    warp.line = -1
    warp.textures = 0
    warp.texels = 0
    core.state[w] = RUN
    core.due[w] = t + 1
    core.items += 1
    if path >= 0:
        warp.at = shading.path[path].first
        warp.end = shading.path[path].last
    else:
        core.unrecorded += 1
        warp.at = 0
        warp.end = 0
    if warp.at == warp.end:
        core.state[w] = DONE
    else:
        need_code(gpu, shading, core, warp, w)
    return warp


@inline
def need_code(gpu: Any, shading: Any, core: Any, warp: Any, w: int) -> None:
    """Let the warp wait for the line of code of its next instruction, unless it has it."""
    line = shading.instruction[shading.sequence[warp.at]].address >> gpu.line_shift
    if core.port >= 0 and line != warp.line:
        warp.line = line
        core.state[w] = FETCH
        push(core.fetch, w)


@inline
def fetch_code(gpu: Any, core: Any, t: int) -> bool:
    """Ask for one line of code per cycle, for the warp that has waited longest."""
    port = gpu.port[core.port]
    if core.fetch.count == 0 or not can_send(port):
        return False
    w = front(core.fetch)
    drop(core.fetch)
    send(gpu, port, t, core.warp.slot[w].line * gpu.line_bytes, gpu.line_bytes, READ, INSTRUCTION, -1, 0, w)
    core.instruction_fetches += 1
    return True


@unit
def issue(gpu: Any, shading: Any, core: Any, t: int) -> int:
    """Issue one instruction; the cycle in which the next one can be issued, as far as it is known."""
    wake = NEVER if core.port < 0 else next_reply(gpu.port[core.port])
    core.cause = EMPTY
    if core.warp.count == 0:
        return wake
    # Causes are numbered by rank: what ranks highest among the warps' is the processor's.
    oldest = core.warp.head
    cause = OUTPUT
    if core.state[oldest] == DONE and core.warp.slot[oldest].textures > 0:
        cause = TEXELS
    elif core.state[oldest] != DONE or core.due[oldest] > t:
        cause = RESULTS
    w = core.turn
    for _ in range(core.warp.depth):
        w = wrap(core.warp, w + 1)
        state = core.state[w]
        if state == RUN:
            warp = core.warp.slot[w]
            if core.due[w] <= t:
                instruction = shading.instruction[shading.sequence[warp.at]]
                ready = operands_ready(warp, instruction)
                if ready <= t:
                    if instruction.kind != TEX or can_sample(gpu, core):
                        core.turn = w
                        core.cause = BUSY
                        execute(gpu, shading, core, warp, w, instruction, t)
                        return t + 1
                    cause = TEXELS
                    continue
                if ready == NEVER:
                    core.state[w] = WAIT
                    cause = TEXELS
                    continue
                core.due[w] = ready
            cause = min(cause, TEXELS if warp.texels != 0 else RESULTS)
            wake = min(wake, core.due[w])
        elif state == WAIT:
            cause = TEXELS
        elif state == FETCH:
            cause = min(cause, CODE)
    core.cause = cause
    return wake


@inline
def operands_ready(warp: Any, instruction: Any) -> int:
    """Cycle from which nothing hinders the instruction: its sources are written, and so is what it overwrites."""
    sources = max(warp.ready[instruction.source_0], warp.ready[instruction.source_1], warp.ready[instruction.source_2])
    return max(int(sources), int(warp.ready[instruction.destination]))


@inline
def can_sample(gpu: Any, core: Any) -> bool:
    return core.texture_unit < 0 or not full(gpu.texture_unit[core.texture_unit].operation)


@inline
def execute(gpu: Any, shading: Any, core: Any, warp: Any, w: int, instruction: Any, t: int) -> None:
    core.instructions[instruction.kind] += 1
    warp.at += 1
    warp.texels = 0
    core.due[w] = t + 1
    latency = core.alu_latency
    if instruction.kind == TEX and core.texture_unit >= 0:
        unit = gpu.texture_unit[core.texture_unit]
        operation = grow(unit.operation)
        operation.warp = w
        operation.destination = instruction.destination
        operation.pending = 0
        operation.row = warp.operation
        warp.operation += 1
        poke(gpu, unit.id, t)
        warp.textures += 1
        if instruction.destination > 0:
            warp.ready[instruction.destination] = NEVER
    else:
        if instruction.kind == SFU or instruction.kind == TEX:
            latency = core.sfu_latency
        elif instruction.kind == FLOW:
            # The next instruction is known only when the jump is resolved.
            latency = core.flow_latency
            core.due[w] = t + latency
        if instruction.destination > 0:
            warp.ready[instruction.destination] = t + latency
    if warp.at == warp.end:
        core.state[w] = DONE
        core.due[w] = t + latency
    else:
        need_code(gpu, shading, core, warp, w)
