"""Hazards in a processor that fetches from its warps in turn, whether or not they can go on.

Every cycle the instruction of the next warp is fetched, and in the cycle after it is decoded. Where a register that it
reads or writes is not written yet, it and what the warp has fetched behind it are squashed, and the warp fetches it
again (Decoupled Access/Execute, 2.2). So a warp that waits takes turns from the others, and one that is alone finds out
every other cycle only. Cycles here are those of decoding.

Processors that know which warps can go on need none of it (`processor.issue`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER

from ..engine import hooks
from ..engine.account import become
from ..engine.frame import FLOW, Shading
from ..engine.jit import inline, lowest_bit, unit
from ..engine.ring import wrap
from . import processor
from .processor import (
    BUSY,
    Processor,
    cause_of_stall,
    execute,
    has_room,
    oldest_instruction,
    operands_ready,
    out_of_order,
)
from .warp_turns import in_turn

if TYPE_CHECKING:
    from ..memory.gpu import Gpu


@inline
def issue(gpu: Gpu, shading: Shading, core: Processor, t: int) -> int:
    """Issue one instruction; the cycle in which the next one can be issued, as far as it is known."""
    return fetch_in_turn(gpu, shading, core, t) if core.squashes != 0 else processor.issue(gpu, shading, core, t)


@unit
def fetch_in_turn(gpu: Gpu, shading: Shading, core: Processor, t: int) -> int:
    """Decode the instruction of the warp whose turn it is: issue it, or squash it."""
    catch_up(core, t)
    if core.issues_at > t:
        return int(core.issues_at)
    w = next_in_turn(core, t)
    stuck = False
    if w >= 0 and ready_at(shading, core, w) <= t:
        kind = shading.instruction[core.warp.slot[w].next].kind
        if has_room(gpu, core, kind):
            core.turn = w
            hooks.resumes_warp(gpu, core.id, w, core.warp.slot[w].next)
            execute(gpu, shading, core, w, t)
            core.retry[w] = core.due[w] if kind == FLOW else core.issues_at
            core.tries = 0
            become(core, BUSY, t)
            return t + 1
        # The stage is held until the unit takes the operation.
        core.turn = w - 1 if w > 0 else core.warp.depth - 1
        stuck = True
    elif w >= 0:
        core.turn = w
        core.retry[w] = t + 2
        core.squashed += 1
    core.tries = 0 if stuck else core.running
    core.tried = t
    wake = NEVER if stuck else rest(shading, core, t)
    if core.warp.count > 0:
        hooks.resumes_warp(gpu, core.id, core.warp.head, oldest_instruction(core))
    become(core, cause_of_stall(core, stuck, t), t)
    return wake


@inline
def next_in_turn(core: Processor, t: int) -> int:
    """The warp that is decoded in this cycle, or -1."""
    candidates = in_turn(core, core.running)
    while candidates != 0:
        w = wrap(core.warp, core.turn + 1 + lowest_bit(candidates))
        if core.retry[w] <= t:
            return w
        candidates &= candidates - 1
    return -1


@inline
def ready_at(shading: Shading, core: Processor, w: int) -> int:
    """Cycle from which a warp's next instruction is not squashed; NEVER as long as it is unknown."""
    warp = core.warp.slot[w]
    # Lanes that follow in an operation have met its hazards.
    if warp.lane > 0:
        return 0
    instruction = shading.instruction[warp.next]
    return NEVER if out_of_order(core, w, instruction.kind) else operands_ready(warp, instruction)


@unit
def rest(shading: Shading, core: Processor, t: int) -> int:
    """Cycle in which to look again, after a cycle in which nothing was issued; notes which warps wait for texels."""
    wake = NEVER
    alone = core.running & (core.running - 1) == 0
    candidates = core.running
    while candidates != 0:
        w = lowest_bit(candidates)
        candidates &= candidates - 1
        ready = ready_at(shading, core, w)
        if ready == NEVER:
            core.waiting |= in_want(shading, core, w) << w
        else:
            wake = min(wake, max(ready, int(core.retry[w])) if alone else ready)
        if not alone and w != core.turn and core.retry[w] > t + 1:
            # Turns are not yet regular.
            wake = t + 1
    return max(wake, t + 1)


@inline
def in_want(shading: Shading, core: Processor, w: int) -> int:
    """1 where it is texels or pixels that a warp waits for, not other warps."""
    warp = core.warp.slot[w]
    return 1 if operands_ready(warp, shading.instruction[warp.next]) == NEVER else 0


@inline
def catch_up(core: Processor, t: int) -> None:
    """Count the turns between the last look and this one, which were all squashed."""
    begin = core.tried + 1
    if core.tries == 0 or begin >= t:
        return
    if core.tries & (core.tries - 1) == 0:
        w = lowest_bit(core.tries)
        first = max(int(core.retry[w]), begin)
        if first < t:
            turns = (t - 1 - first) // 2 + 1
            core.squashed += turns
            core.retry[w] = first + 2 * turns
        return
    core.squashed += t - begin
    warps, candidates = 0, core.tries
    while candidates != 0:
        warps += 1
        candidates &= candidates - 1
    for _ in range((t - begin) % warps):
        core.turn = wrap(core.warp, core.turn + 1 + lowest_bit(in_turn(core, core.tries)))
    core.retry[core.turn] = t + 1
