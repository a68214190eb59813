"""CPU core: a thread that computes, misses its last cache, and stalls when as many misses are under way as it can bear.

Before a frame all threads have work, and the GPU begins when it is done. While the GPU renders they have less of it,
with fewer misses, and rest when it is done. Memory sees nothing of the core's own caches but misses and lines written
back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Record, i8
from tilegpu.timing.declare.statistics import Stat, ratio

from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.noise import happens, noise
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.address_map import CPU_REGION, CPU_REGION_BYTES
from ..memory.dram import scheduler
from ..memory.masters import FIRST_CPU_CORE, MAX_CPU_CORES, belong
from ..memory.request import CPU, READ, WRITE, Port, can_send, has_reply, next_reply, replies_due, send, take_reply
from .parameters import NAME, Parameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..memory.gpu import Gpu


class Employer(Record):
    """Registers of a unit that gives threads work."""

    id: i8


@access
def employer(gpu: Gpu) -> Employer:
    """Unit that gives threads work, and waits until it is done."""
    raise NotImplementedError


RESTS, COMPUTES, MISSES, WRITES_BACK, STALLS = range(5)

FIRST_STREAM, STREAMS = 16, 4
GAP, PLACE, LINE, BACK = range(STREAMS)
"""Streams of noise of each core."""


class CpuCore(Record):
    """Ticks are what cycles of both clocks are whole numbers of. `frame_left`, `background_left`: cycles of computing
    that are left; `owes`: the frame waits for it; `burst`: cycles until the next miss, or (`missing` is 0) the end of
    the work; `ends`: tick at which they are over."""

    id: i8
    port: i8
    number: i8
    gpu_cycle_ticks: i8
    cpu_cycle_ticks: i8
    limit: i8
    misses_per_megacycle: i8
    background_misses: i8
    sequential: i8
    write_backs: i8
    spread: i8
    lines: i8
    frame_work: i8
    background_work: i8
    state: i8
    frame_left: i8
    background_left: i8
    owes: i8
    burst: i8
    missing: i8
    ends: i8
    since: i8
    line: i8
    drawn: i8
    outstanding: i8
    misses: i8
    answers: i8
    writes: i8
    retired_cycles: i8
    stalled_cycles: i8


@unit
def tick(gpu: Gpu, k: int, t: int) -> int:
    core: CpuCore = gpu.cpu_core[k]
    port = gpu.port[core.port]
    while has_reply(port, t):
        take_reply(gpu, port, replies_due(port, t))
        core.outstanding -= 1
        core.answers += 1
    if core.state == STALLS and core.outstanding < core.limit:
        go_on(core, t)
    if core.state == COMPUTES and core.ends <= t * core.gpu_cycle_ticks:
        end_burst(gpu, core)
    send_misses(gpu, core, port, t)
    if core.state == RESTS:
        begin_burst(gpu, core, t)
    wake = next_reply(port)
    if core.state == COMPUTES:
        wake = min(wake, max(t + 1, -(-core.ends // core.gpu_cycle_ticks)))
    return int(wake)


@inline
def go_on(core: CpuCore, t: int) -> None:
    """An answer has come: the thread stalls no longer."""
    core.stalled_cycles += t - core.since
    core.state = RESTS
    core.ends = t * core.gpu_cycle_ticks


@unit
def begin_burst(gpu: Gpu, core: CpuCore, t: int) -> None:
    """Compute until the next miss; rest where there is no work."""
    remaining = core.background_left + core.frame_left
    if remaining == 0:
        if core.owes != 0 and core.outstanding == 0:
            core.owes = 0
            poke(gpu, employer(gpu).id)
        return
    background = core.background_left > 0
    remaining = core.background_left if background else core.frame_left
    gap = gap_of(core, core.background_misses if background else core.misses_per_megacycle)
    core.burst, core.missing = min(gap, remaining), gap <= remaining
    core.ends += core.burst * core.cpu_cycle_ticks
    core.state = COMPUTES


@inline
def gap_of(core: CpuCore, misses_per_megacycle: int) -> int:
    """Cycles of computing until the next miss."""
    if misses_per_megacycle == 0:
        return 1 << 40
    core.drawn += 1
    mean = 1_000_000 // misses_per_megacycle
    width = mean * core.spread // 1000
    return int(max(1, mean - width + noise(stream(core, GAP), core.drawn) % (2 * width + 1)))


@inline
def stream(core: CpuCore, which: int) -> int:
    return FIRST_STREAM + core.number * STREAMS + which


@inline
def end_burst(gpu: Gpu, core: CpuCore) -> None:
    """The cycles are computed, and what comes after them is a miss, or other work."""
    if core.background_left > 0:
        core.background_left -= core.burst
    else:
        core.frame_left -= core.burst
    core.retired_cycles += core.burst
    scheduler.computed(gpu.dram, FIRST_CPU_CORE + core.number, core.burst)
    core.state = MISSES if core.missing != 0 else RESTS


@inline
def send_misses(gpu: Gpu, core: CpuCore, port: Port, t: int) -> None:
    """Send a miss, and the line that it displaces; a thread that has to wait for room loses the time."""
    if core.state == MISSES and can_send(port):
        if happens(stream(core, PLACE), core.drawn, core.sequential):
            core.line = core.line + 1 if core.line + 1 < core.lines else 0
        else:
            core.line = noise(stream(core, LINE), core.drawn) % core.lines
        sent = send(gpu, port, t, address_of(gpu, core, core.line), gpu.line_bytes, READ, CPU, -1)
        sent.slot = 0
        core.outstanding += 1
        core.misses += 1
        core.state = WRITES_BACK if happens(stream(core, BACK), core.drawn, core.write_backs) else RESTS
    if core.state == WRITES_BACK and can_send(port):
        # What is displaced was brought long ago.
        line = (core.line + core.lines // 2) % core.lines
        send(gpu, port, t, address_of(gpu, core, line), gpu.line_bytes, WRITE, CPU, -1)
        core.writes += 1
        core.state = RESTS
    if core.state == RESTS and core.missing != 0:
        core.missing = 0
        # Sent in the cycle in which it was due, or in a later one.
        if core.ends <= (t - 1) * core.gpu_cycle_ticks:
            core.ends = t * core.gpu_cycle_ticks
        if core.outstanding >= core.limit:
            core.state, core.since = STALLS, t


@inline
def address_of(gpu: Gpu, core: CpuCore, line: int) -> int:
    return CPU_REGION + core.number * CPU_REGION_BYTES + line * gpu.line_bytes


@inline
def give(gpu: Gpu, core: CpuCore, frame: int, background: int, t: int) -> None:
    """Let a thread compute for a number of cycles."""
    if core.state == RESTS and core.frame_left + core.background_left == 0:
        core.ends = t * core.gpu_cycle_ticks
    core.frame_left += frame
    core.background_left += background
    core.owes = 1 if frame > 0 or core.owes != 0 else 0
    poke(gpu, core.id)


def setup(chip: Chip, core: CpuCore, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    c, own = chip.configuration, chip.configuration.of(Parameters)
    core.number = place[0]
    kind = "intensive" if place[0] < own.intensive_cores else "light"
    core.gpu_cycle_ticks = own.cpu_mhz * c.clocks.gpu_divisor
    core.cpu_cycle_ticks = c.clocks.gpu_mhz
    core.limit = getattr(own, f"{kind}_outstanding")
    core.misses_per_megacycle = getattr(own, f"{kind}_misses")
    core.background_misses = core.misses_per_megacycle * own.background_misses // 1000
    core.sequential, core.write_backs = getattr(own, f"{kind}_sequential"), own.write_backs
    core.spread, core.lines = own.spread, max(1, own.footprint_kilobytes * 1024 // c.memory.line_bytes)
    core.frame_work, core.background_work = own.frame_kilocycles * 1000, own.background_kilocycles * 1000
    belong(chip, int(core.port), FIRST_CPU_CORE + place[0])


def stands(core: CpuCore) -> str:
    """Work under way, in words."""
    remaining = int(core.frame_left + core.background_left)
    return (
        f"{remaining} cycles to compute, {int(core.outstanding)} misses under way"
        if remaining or core.outstanding
        else ""
    )


CORES = f"{NAME}.cpu_core"
UNIT = Unit(
    "cpu_core",
    __name__,
    CpuCore,
    tick,
    most=MAX_CPU_CORES,
    count=lambda configuration: configuration.of(Parameters).cores,
    setup=setup,
    ports={"port": "dram"},
    marks=("retired_cycles", "answers"),
    stands=stands,
    statistics=(
        Stat(f"{CORES}.misses", "requests", "misses sent", "misses"),
        Stat(f"{CORES}.answers", "requests", "misses answered", "answers"),
        Stat(f"{CORES}.writes", "requests", "lines written back", "writes"),
        Stat(f"{CORES}.retired_cycles", "CPU cycles", "cycles computed, summed", "retired_cycles"),
        Stat(
            f"{CORES}.stalled_cycles",
            "cycles",
            "GPU cycles in which a thread waited for misses, summed",
            "stalled_cycles",
        ),
        ratio(
            f"{CORES}.misses_per_kilocycle",
            "misses/kilocycle",
            "misses per thousand cycles of computing",
            f"{CORES}.misses",
            f"{CORES}.retired_cycles",
            1000,
        ),
    ),
)
