"""The time of a frame: the larger of CPU and GPU, and a fixed part.

Two constants stand for what is not the GPU. Each is a median over scenes of the same board:

- *fixed*: time per frame in which neither works on the scene, of driver, window system and display. It scales with them
  and with the size of the window, not with the GPU's clock. From scenes at the ceiling, which draw almost nothing.
- *rewriting*: time of the CPU per vertex that the application computes anew and uploads. It scales with the CPU. From
  scenes that do so and take longer than their GPU time.

A published rate is the mean over the time of a run. If frames at equal distances in time take t1, t2, ..., it is the
mean of 1/t1, 1/t2, ...: times have their harmonic mean, quick frames being more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import harmonic_mean, median
from typing import Literal

from ..measured import Measured, NotMeasured
from .board import Board
from .cpu_work import MIN_REWRITTEN, rewritten_vertices

CYCLES, GEOMETRY = "gpu.cycles", "gpu.geometry_cycles"
Fit = Literal["", "ceiling", "left out"]
"""Fitted constants: none, so that the frame takes the GPU's time; constants from all scenes they are for; the same
without the scene that is predicted."""
Times = Mapping[str, Sequence[float]]
"""By scene, ms of frames at equal distances in time."""
HALVINGS = 60


@dataclass(frozen=True)
class Constants:
    """Constants of a board: ms per frame, and microseconds per vertex that the CPU writes."""

    fixed_ms: float
    rewriting_us: float


def gpu_ms(m: Measured, board: Board, machine: str = "", mhz: int = 0) -> dict[str, list[float]]:
    """Time of the GPU for each frame that counts of each scene.

    Parameters
    ----------
    m
        Runs.
    board
        Board.
    machine
        Name of the machine; the board's own without.
    mhz
        Clock of the GPU; the measured one without. The memory's stays as it is relative to it.
    """
    times = {}
    for name in board.here(m):
        ran = machine or board.label
        cycles = [value for _, value in m.frame_values(name, ran, CYCLES)]
        if board.overlaps:
            # One stage works on the next frame while the other works on this one: the slower sets the rate.
            geometry = [value for _, value in m.frame_values(name, ran, GEOMETRY)]
            cycles = [max(first, both - first) for first, both in zip(geometry, cycles, strict=True)]
        times[name] = [value / (mhz or board.scenes[name].gpu_mhz) / 1000 for value in cycles]
    return times


def missing_ms(times: Sequence[float], measured: float) -> float:
    """The same time for each frame with which frames of a scene would have the measured mean rate; negative if they are
    too slow as they are."""
    least, most = -min(times), measured
    for _ in range(HALVINGS):
        middle = (least + most) / 2
        if sum(1 / max(time + middle, 1e-12) for time in times) > len(times) / measured:
            least = middle
        else:
            most = middle
    return most


def constants(m: Measured, board: Board, gpu: Times, without: str = "") -> Constants:
    """Constants of a board for given times of its GPU, from all scenes but one.

    Raises
    ------
    NotMeasured
        If no scene at the ceiling was run.
    """
    measured = board.measured_ms
    lacking = [missing_ms(gpu[name], measured[name]) for name in board.ceiling(gpu, without)]
    if not lacking:
        raise NotMeasured(f"{board.label}: no scene at the ceiling")
    fixed = max(0.0, median(lacking))
    written = {name: rewritten_vertices(m, name) for name in gpu if name != without}
    costs = [
        1000 * (measured[name] - fixed) / vertices
        for name, vertices in written.items()
        if vertices >= MIN_REWRITTEN and measured[name] - fixed > harmonic_mean(gpu[name])
    ]
    return Constants(fixed, median(costs) if costs else 0.0)


def frame_ms(
    m: Measured, board: Board, fit: Fit = "", machine: str = "", mhz: int = 0, gpu: Times | None = None
) -> dict[str, float]:
    """Predicted time per frame of each scene.

    Parameters
    ----------
    m, board, machine, mhz
        As of `gpu_ms`.
    fit
        What is fitted to measured times.
    gpu
        Other times of the GPU, of a simpler model.
    """
    times = gpu_ms(m, board, machine, mhz) if gpu is None else gpu
    predicted = {}
    for name, mine in times.items():
        own = constants(m, board, times, name if fit == "left out" else "") if fit else Constants(0, 0)
        cpu = cpu_ms(m, name, own)
        predicted[name] = harmonic_mean([max(cpu, time) + own.fixed_ms for time in mine])
    return predicted


def cpu_ms(m: Measured, name: str, own: Constants) -> float:
    """Time of the CPU per frame of a scene."""
    return own.rewriting_us * rewritten_vertices(m, name) / 1000
