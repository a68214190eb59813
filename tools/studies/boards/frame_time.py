"""The time of a frame: the larger of CPU and GPU, and a fixed part.

Constants stand for what is not the GPU. Each is a median over scenes of the same board:

- *fixed*: time per frame in which neither works on the scene, of driver, window system and display. From scenes at the
  ceiling, which draw almost nothing. Whether it is a time, or cycles of the GPU in which no unit of ours works, one
  clock cannot say: `at_other_clock` reads it either way.
- *rewriting*: time of the CPU per vertex that the application computes anew and uploads. It scales with the CPU. From
  scenes that do so and take longer than their GPU time.
- *draw*: time of the CPU and its driver per draw. From scenes with more than `MAX_DRAWS` draws, which are then left out
  of what is predicted: there may be no other scene that would tell.

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
from .cpu_work import MAX_DRAWS, MIN_REWRITTEN, draws_of, rewritten_vertices

CYCLES, GEOMETRY = "gpu.cycles", "gpu.geometry_cycles"
Fit = Literal["", "fixed", "ceiling", "left out", "draws"]
"""Fitted constants: none, so that the frame takes the GPU's time; the fixed part alone, without the scene that is
predicted; fixed part and rewriting from all scenes they are for; the same without the scene that is predicted; these
and the cost of a draw, without the scenes that it is from."""
Reading = Literal["time", "cycles"]
Times = Mapping[str, Sequence[float]]
"""By scene, ms of frames at equal distances in time."""
HALVINGS = 60


@dataclass(frozen=True)
class Constants:
    """Constants of a board: ms per frame, microseconds per vertex that the CPU writes and per draw."""

    fixed_ms: float
    rewriting_us: float
    draw_us: float = 0.0


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


def draw_us(m: Measured, board: Board, gpu: Times) -> float:
    """Time of the CPU per draw, from the scenes with many; 0 where the GPU takes longer, or there are none."""
    fixed = constants(m, board, gpu).fixed_ms
    costs = [
        1000 * (board.measured_ms[name] - fixed) / draws_of(m, name)
        for name in draw_scenes(m, gpu)
        if board.measured_ms[name] - fixed > harmonic_mean(gpu[name])
    ]
    return median(costs) if costs else 0.0


def draw_scenes(m: Measured, gpu: Times) -> list[str]:
    """Scenes whose draws may bound them."""
    return [name for name in gpu if draws_of(m, name) > MAX_DRAWS]


def fitted(m: Measured, board: Board, gpu: Times, fit: Fit, name: str) -> Constants:
    """Constants for the prediction of a scene."""
    if not fit:
        return Constants(0, 0)
    own = constants(m, board, gpu, "" if fit == "ceiling" else name)
    if fit == "fixed":
        return Constants(own.fixed_ms, 0)
    return Constants(own.fixed_ms, own.rewriting_us, draw_us(m, board, gpu)) if fit == "draws" else own


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
    unpredicted = draw_scenes(m, times) if fit == "draws" else ()
    for name, mine in times.items():
        if name not in unpredicted:
            own = fitted(m, board, times, fit, name)
            cpu = cpu_ms(m, name, own)
            predicted[name] = harmonic_mean([max(cpu, time) + own.fixed_ms for time in mine])
    return predicted


def at_other_clock(m: Measured, board: Board, factor: float, reading: Reading) -> dict[str, float]:
    """Time per frame of each scene if the GPU's clock was another one, and the memory's with it.

    Parameters
    ----------
    m, board
        As of `gpu_ms`.
    factor
        Of the measured clock.
    reading
        Whether the fixed part stays the same time, or the same number of the GPU's cycles.
    """
    times = gpu_ms(m, board)
    predicted = {}
    for name, mine in times.items():
        own = constants(m, board, times, name)
        fixed, cpu = own.fixed_ms / (factor if reading == "cycles" else 1), cpu_ms(m, name, own)
        predicted[name] = harmonic_mean([max(cpu, time / factor) + fixed for time in mine])
    return predicted


def cpu_ms(m: Measured, name: str, own: Constants) -> float:
    """Time of the CPU per frame of a scene."""
    draws = own.draw_us * draws_of(m, name) / 1000 if own.draw_us else 0.0
    return own.rewriting_us * rewritten_vertices(m, name) / 1000 + draws
