"""Measures of the study of boards: errors of predictions, bounds of a scene, and simpler models."""

from __future__ import annotations

from typing import Literal

from ..measured import Measured, NotMeasured
from .board import Board
from .components import components_ms, naive_ms, roofline_ms
from .cpu_work import MAX_DRAWS, MAX_WRITTEN_BYTES, cpu_work
from .frame_time import Fit, constants, cpu_ms, frame_ms, gpu_ms
from .statistics import Accuracy, accuracy, best_factor

Model = Literal["", "naive", "roofline"]
"""Ours; instructions times a constant; the part of the GPU that takes longest at its peak rate."""
CPU, OUTSIDE = "CPU", "outside"


def predicted_ms(m: Measured, board: Board, fit: Fit = "", machine: str = "", model: Model = "") -> dict[str, float]:
    """Frame times that a model predicts.

    Parameters
    ----------
    m, board, fit, machine
        As of `frame_ms`.
    model
        Simpler models have what is fitted to ours; the naive one has a factor instead, from all scenes.

    Raises
    ------
    NotMeasured
        If no scene was run.
    """
    if not board.here(m):
        raise NotMeasured(f"{board.label}: none of its scenes")
    if model == "naive":
        proportional = naive_ms(m, board)
        factor = best_factor(proportional, board.measured_ms)
        return {name: factor * value for name, value in proportional.items()}
    roofs = {name: [time] for name, time in roofline_ms(m, board).items()} if model else None
    return frame_ms(m, board, fit, machine, gpu=roofs)


def agreement(
    m: Measured, board: Board, fit: Fit = "", judged: bool = False, machine: str = "", model: Model = ""
) -> Accuracy:
    """Agreement of the predictions of a board with its measurements.

    Parameters
    ----------
    m, board, fit, machine, model
        As of `predicted_ms`.
    judged
        Whether without the scenes at the ceiling, from which the fixed part is.

    Raises
    ------
    NotMeasured
        If fewer than two scenes were run.
    """
    predicted = predicted_ms(m, board, fit, machine, model)
    if judged:
        ceiling = board.ceiling()
        predicted = {name: value for name, value in predicted.items() if name not in ceiling}
    if len(predicted) < 2:
        raise NotMeasured(f"{board.label}: two scenes at least")
    return accuracy(predicted, board.measured_ms)


def parts_ms(m: Measured, board: Board, name: str) -> dict[str, float]:
    """Time per frame of each part of the GPU by itself, of the CPU, and of what is fixed."""
    own = constants(m, board, gpu_ms(m, board))
    return {**components_ms(m, board, name), CPU: cpu_ms(m, name, own), OUTSIDE: own.fixed_ms}


def cause(m: Measured, board: Board, name: str) -> str:
    """The part that bounds a scene: the one that takes longest."""
    parts = parts_ms(m, board, name)
    return max(parts, key=lambda part: parts[part])


def bound_outside(m: Measured, board: Board) -> dict[str, str]:
    """Scenes that something outside of the GPU bounds, and what tells so.

    No error decides, only what was measured on the board and what the application does: a scene shares the ceiling of
    trivial ones, or the CPU issues more than `MAX_DRAWS` draws or writes more than `MAX_WRITTEN_BYTES` of vertices in
    each frame.
    """
    bounds, ceiling = {}, board.ceiling()
    highest = max(scene.fps for scene in board.scenes.values())
    for name in board.here(m):
        work = cpu_work(m, name)
        if name in ceiling:
            rate = f"{board.scenes[name].fps:g} of {highest:g} frames per second"
            bounds[name] = f"shares the board's ceiling: {rate}"
        elif work.draws > MAX_DRAWS:
            bounds[name] = f"the CPU issues {work.draws:.0f} draws a frame"
        elif work.written_bytes > MAX_WRITTEN_BYTES:
            bounds[name] = f"the CPU writes {work.written_bytes / 1000:.0f} kB of vertices a frame"
    return bounds
