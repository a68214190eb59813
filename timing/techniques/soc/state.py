"""Registers of the pace of frames, and what they are set to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Record, i8
from tilegpu.timing.declare.statistics import Stat, ratio

from ...agents.parameters import NAME, Parameters
from ...memory.dram.policies import share

if TYPE_CHECKING:
    from ...engine.chip import Chip


RESTS, PAUSES, COMPUTES, READY, RENDERS = range(5)
"""Stages of a frame: none; it may not begin yet; the CPU is at work; the GPU may begin; the GPU is at work."""


class State(Record):
    """State of a frame. `began`, `asked`, `computed`, `rendering`: cycles in which the frame began, the Command
    Processor asked for it, the CPU was done, the GPU began. `gpu_bytes`: of the GPU, before the frame at work;
    `frame_bytes`: of the last frame."""

    phase: i8
    began: i8
    next_begin: i8
    period_cycles: i8
    asked: i8
    computed: i8
    rendering: i8
    gpu_bytes: i8
    frame_bytes: i8
    frames: i8
    frame_cycles: i8
    cpu_cycles: i8
    gpu_cycles: i8
    paused_cycles: i8
    interval_cycles: i8


def setup(chip: Chip, state: State) -> None:
    """Periods in GPU cycles."""
    c = chip.configuration
    own, hertz = c.of(Parameters), c.clocks.gpu * 1_000_000
    state.period_cycles = -(-hertz // own.frame_rate) if own.frame_rate else 0
    share(chip.gpu.dram, own.cores)


def per_frame(name: str, what: str) -> tuple[Stat, Stat]:
    """Cycles, and their mean per frame."""
    path = name.rpartition(".")[2]
    mean = ratio(name.replace("_cycles", "_time"), "cycles", f"{what}, mean of frames", name, f"{NAME}.frames")
    return Stat(name, "cycles", f"{what}, summed", path), mean


STATISTICS = (
    Stat(f"{NAME}.frames", "frames", "frames that the GPU completed", "frames"),
    *per_frame(
        f"{NAME}.frame_cycles", "cycles from the beginning of a frame's work on the CPU to the end of its last pass"
    ),
    *per_frame(f"{NAME}.cpu_cycles", "cycles of a frame's work on the CPU, before its first pass"),
    *per_frame(f"{NAME}.gpu_cycles", "cycles from the beginning of a frame's first pass to the end of its last one"),
    *per_frame(f"{NAME}.paused_cycles", "cycles that a frame waited to keep the application's pace"),
    *per_frame(
        f"{NAME}.interval_cycles", "cycles from the beginning of the frame before, or of time, to that of a frame"
    ),
)
