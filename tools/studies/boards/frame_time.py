"""The time of a frame: the larger of CPU and GPU, and a fixed part.

Two constants stand for what is not the GPU. Each is a median over scenes of the same board:

- *fixed*: time per frame in which neither works on the scene, of driver, window system and display. It scales with them
  and with the size of the window, not with the GPU's clock. From scenes at the ceiling, which draw almost nothing.
- *rewriting*: time of the CPU per vertex that the application computes anew and uploads. It scales with the CPU. From
  scenes that do so and take longer than their GPU time.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Literal

from ..measured import Measured, NotMeasured
from .board import Board
from .cpu_work import MIN_REWRITTEN, rewritten_vertices

CYCLES, GEOMETRY = "gpu.cycles", "gpu.geometry_cycles"
Fit = Literal["", "ceiling", "left out"]
"""What is fitted: nothing, so that the frame takes the GPU's time; constants from all scenes they are for; the same
without the scene that is predicted."""


@dataclass(frozen=True)
class Constants:
    """Constants of a board: ms per frame, and microseconds per vertex that the CPU writes."""

    fixed_ms: float
    rewriting_us: float


def gpu_ms(m: Measured, board: Board, machine: str = "", mhz: int = 0) -> dict[str, float]:
    """Time of the GPU per frame of each scene.

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
    found = {}
    for name in board.here(m):
        cycles = m.value(name, machine or board.label, CYCLES)
        if board.overlaps:
            # One stage works on the next frame while the other works on this one: the slower sets the rate.
            geometry = m.value(name, machine or board.label, GEOMETRY)
            cycles = max(geometry, cycles - geometry)
        found[name] = cycles / m.frames(name) / (mhz or board.scenes[name].gpu_mhz) / 1000
    return found


def constants(m: Measured, board: Board, gpu: dict[str, float], without: str = "") -> Constants:
    """Constants of a board for given times of its GPU, from all scenes but one.

    Raises
    ------
    NotMeasured
        If no scene at the ceiling was run.
    """
    measured = board.measured_ms
    lacking = [measured[name] - gpu[name] for name in board.ceiling(gpu, without)]
    if not lacking:
        raise NotMeasured(f"{board.label}: no scene at the ceiling")
    fixed = max(0.0, median(lacking))
    written = {name: rewritten_vertices(m, name) for name in gpu if name != without}
    costs = [
        1000 * (measured[name] - fixed) / vertices
        for name, vertices in written.items()
        if vertices >= MIN_REWRITTEN and measured[name] - fixed > gpu[name]
    ]
    return Constants(fixed, median(costs) if costs else 0.0)


def frame_ms(
    m: Measured, board: Board, fit: Fit = "", machine: str = "", mhz: int = 0, gpu: dict[str, float] | None = None
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
    if not fit:
        return dict(times)
    found = {}
    for name, time in times.items():
        own = constants(m, board, times, name if fit == "left out" else "")
        found[name] = max(cpu_ms(m, name, own), time) + own.fixed_ms
    return found


def cpu_ms(m: Measured, name: str, own: Constants) -> float:
    """Time of the CPU per frame of a scene."""
    return own.rewriting_us * rewritten_vertices(m, name) / 1000
