"""The application's pace: when a frame begins, when the GPU may begin with it, and what memory moves meanwhile.

A frame begins when the one before is complete, and no sooner than a period after that one began. First the CPU's
threads have work; when it is done the GPU renders, and the threads have what is left for them to do in parallel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, Record, Rows, i8, room

from ...agents.cpu_core import COMPUTES as COMPUTING
from ...agents.cpu_core import CpuCore, Employer, give
from ...agents.parameters import Parameters
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.unit import Unit
from ...memory.masters import CLASSES
from .state import COMPUTES, PAUSES, READY, State

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu


MAX_INTERVALS = 8192


class Interval(Record):
    """Row of the table of bandwidth over time."""

    cycle: i8
    cycles: i8
    phase: i8
    bytes: Rows[i8] = room(len(CLASSES))


class FramePacing(Employer):
    """Registers of frame pacing. `interval`: what each kind of masters moved in each interval of the frame that runs;
    `due`: its end. `beats`: of a heart that beats while a frame pauses or a thread computes, for the watchdog."""

    every_cycles: i8
    due: i8
    intervals: i8
    lost_intervals: i8
    beat_cycles: i8
    next_beat: i8
    beats: i8
    before: Rows[i8] = room(len(CLASSES))
    interval: Rows[Interval] = room(MAX_INTERVALS)


@unit
def tick(gpu: Gpu, t: int) -> int:
    own, state = gpu.frame_pacing, gpu.technique.soc
    if t >= own.due:
        note(gpu, own, state, t)
    if t >= own.next_beat:
        own.beats += state.phase == PAUSES or computing(gpu)
        own.next_beat += own.beat_cycles
    if state.phase == PAUSES and t >= state.next_begin:
        begin(gpu, state, t)
    if state.phase == COMPUTES and not owed(gpu):
        state.phase = READY
        state.computed = t
        wake(gpu, gpu.caller.pass_begin)
    due = state.next_begin if state.phase == PAUSES else NEVER
    return int(min(due, own.due, own.next_beat))


@inline
def begin(gpu: Gpu, state: State, t: int) -> None:
    """A frame begins: with work for the CPU."""
    state.interval_cycles += t - state.began
    state.paused_cycles += t - state.asked
    state.began = t
    state.next_begin = t + state.period_cycles
    state.phase = COMPUTES
    for k in range(gpu.instances.cpu_core):
        core: CpuCore = gpu.cpu_core[k]
        give(gpu, core, core.frame_work, 0, t)


@inline
def owed(gpu: Gpu) -> bool:
    """Whether the frame waits for a thread."""
    owing = 0
    for k in range(gpu.instances.cpu_core):
        owing += gpu.cpu_core[k].owes
    return bool(owing > 0)


@inline
def computing(gpu: Gpu) -> bool:
    """Whether any thread does, and waits for nothing."""
    busy = 0
    for k in range(gpu.instances.cpu_core):
        busy += gpu.cpu_core[k].state == COMPUTING
    return bool(busy > 0)


@inline
def ask(gpu: Gpu, state: State, t: int) -> None:
    """The Command Processor is ready for the next frame."""
    state.asked = t
    state.phase = PAUSES
    poke(gpu, gpu.frame_pacing.id)


@unit
def note(gpu: Gpu, own: FramePacing, state: State, t: int) -> None:
    """An interval is over."""
    if own.intervals < MAX_INTERVALS:
        row = own.interval[own.intervals]
        row.cycle, row.cycles, row.phase = own.due - own.every_cycles, own.every_cycles, state.phase
        for k in range(len(CLASSES)):
            row.bytes[k] = gpu.dram.of[k].bytes - own.before[k]
        own.intervals += 1
    else:
        own.lost_intervals += 1
    for k in range(len(CLASSES)):
        own.before[k] = gpu.dram.of[k].bytes
    own.due += own.every_cycles


def begin_frame(own: FramePacing) -> None:
    """The table of a new frame is empty."""
    own.intervals = 0


def setup(chip: Chip, own: FramePacing, place: tuple[int, ...]) -> None:
    """Lengths of an interval and a beat."""
    own.every_cycles = own.due = chip.configuration.of(Parameters).interval_cycles
    own.beat_cycles = own.next_beat = chip.configuration.simulation.watchdog_cycles // 2
    poke(chip.gpu, own.id)


UNIT = Unit(
    "frame_pacing",
    __name__,
    FramePacing,
    tick,
    setup=setup,
    begin_frame=begin_frame,
    marks=("beats",),
)
