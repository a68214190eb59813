"""What the study of boards says of single scenes: the largest errors, and what is left out and why."""

from __future__ import annotations

from ..measured import Measured
from .measures import Board, Fit, bound_outside, frame_ms, occupation, phases

WORST = 5


def largest_errors(m: Measured, board: Board, fit: Fit = "", machine: str = "") -> str:
    """The scenes that are furthest off, and what takes their time here."""
    predicted, measured = frame_ms(m, board, fit, machine), board.measured_ms
    errors = {name: 100 * (predicted[name] / measured[name] - 1) for name in predicted}
    worst = sorted(errors, key=lambda name: -abs(errors[name]))[:WORST]
    share, busy = phases(m, [board], machine), occupation(m, [board], machine)
    told = [
        f"{name.partition(':')[2]} {errors[name]:+.0f} % ({predicted[name]:.1f} of {measured[name]:.1f} ms: "
        + ", ".join(f"{kind} {values[name]:.0%}" for kind, values in {**share, **busy}.items() if values[name] >= 0.01)
        + ")"
        for name in worst
    ]
    return "furthest off: " + "; ".join(told)


def left_out(m: Measured, board: Board) -> str:
    """What something outside of the GPU bounds."""
    outside = bound_outside(m, board)
    if not outside:
        return "none is"
    return "left out: " + "; ".join(f"{name.partition(':')[2]} {why}" for name, why in outside.items())
