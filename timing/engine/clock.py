"""The clock of a machine, and the one entry point `run`.

A unit is ticked when its wake-up time has come. Ticking every unit in every cycle gives the same result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER

from . import hooks, linked
from .account import SAMPLE_BITS
from .calendar import next_call, open_page, poke_at
from .jit import entry, inline, lowest_bit

if TYPE_CHECKING:
    from .frame import Frame
    from .gpu import Gpu


@inline
def tick_called(gpu: Gpu, frame: Frame, k: int, t: int) -> None:
    """Tick the units that are called in this cycle, word k of them, in order; they may call others that come later."""
    today = gpu.calendar.today
    called = today.word[k]
    while called != 0:
        bit = lowest_bit(called)
        today.word[k] &= ~(1 << bit)
        hooks.unit_turn(gpu, k << 6 | bit)
        due = linked.tick(gpu, frame, k << 6 | bit, t)
        if due == t + 1:
            today.word[k] |= 1 << bit
        elif due < NEVER:
            poke_at(gpu, k << 6 | bit, due)
        gpu.ticks += 1
        called = today.word[k] & -(2 << bit)


@entry
def run(gpu: Gpu, frame: Frame, every: bool, cycles: int) -> bool:
    """Run until the frame is finished, but no longer than some cycles.

    Parameters
    ----------
    gpu
        The machine's record (`engine.machine.Machine.record`); its `cycle` continues from its present value.
    frame
        Tables of the frame (`engine.frame.Frame`).
    every
        Tick every unit in every cycle, for tests.
    cycles
        Cycles to run at most.

    Returns
    -------
    bool
        Whether the frame is finished. `gpu.stuck` is set when nothing can happen any more and it is not.
    """
    t = gpu.cycle
    end = t + cycles
    done = False
    while t < end and not done:
        open_page(gpu, t)
        for k in range(gpu.calendar.words):
            if every:
                gpu.calendar.today.word[k] = gpu.calendar.everybody.word[k]
            tick_called(gpu, frame, k, t)
        done = linked.finished(gpu)
        wake = t + 1
        if not done and not every:
            wake = next_call(gpu, t)
            if wake == NEVER:
                gpu.stuck = 1
                break
            # A run must end in the same cycle whether idle cycles are skipped or not.
            wake = min(wake, end)
        # Nothing changes until then, so all samples of the queues in between are alike.
        looks = ((wake - 1) >> SAMPLE_BITS) - ((t - 1) >> SAMPLE_BITS)
        if looks > 0:
            linked.look_at_queues(gpu, looks)
            hooks.looked(gpu, looks)
        t = wake
    gpu.cycle = t
    if done:
        linked.settle(gpu, t)
        hooks.run_ends(gpu, t)
    return done
