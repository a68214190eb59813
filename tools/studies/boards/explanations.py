"""Remarks of the study of boards on single scenes: the largest errors, and scenes left out with the reason."""

from __future__ import annotations

from ..measured import Measured
from .board import Board
from .frame_time import Fit
from .measures import Model, bound_outside, parts_ms, predicted_ms

WORST = 5


def largest_errors(m: Measured, board: Board, fit: Fit = "", machine: str = "", model: Model = "") -> str:
    """The scenes that are furthest off, and how long each part takes by itself."""
    predicted, measured = predicted_ms(m, board, fit, machine, model), board.measured_ms
    errors = {name: 100 * (predicted[name] / measured[name] - 1) for name in predicted}
    worst = sorted(errors, key=lambda name: -abs(errors[name]))[:WORST]
    scenes = [
        f"{name.partition(':')[2]} {errors[name]:+.0f} % ({predicted[name]:.1f} of {measured[name]:.1f} ms: "
        + ", ".join(f"{part} {value:.2g} ms" for part, value in parts_ms(m, board, name).items() if value >= 0.01)
        + ")"
        for name in worst
    ]
    return "furthest off: " + "; ".join(scenes)


def left_out(m: Measured, board: Board) -> str:
    """Scenes that something outside of the GPU bounds."""
    outside = bound_outside(m, board)
    if not outside:
        return "none is"
    return "; ".join(f"{name.partition(':')[2]} {why}" for name, why in outside.items())
