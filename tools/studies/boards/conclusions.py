"""Conclusions of the study of boards, and what is asked for; the rules were written before any preset was run."""

from __future__ import annotations

from dataclasses import replace

from ..declare import Conclusion
from ..measured import Measured
from .board import Board
from .explanations import largest_errors, left_out
from .frame_time import Fit, constants, draw_us, gpu_ms
from .measures import Model, agreement, bound_outside

EMERALD = 0.98, 32.2
"""Correlation, and mean error in percent, of Emerald's draw times beside a Tegra K1's (Gubran and Aamodt, 3.4)."""
MEDIAN, HIGH, RANK, PEARSON = 15.0, 50.0, 0.93, 0.95
"""Targets: at most this median and 90th percentile of errors in percent, at least these correlations."""


def conclusions_of(board: Board, reference: str = "", words: str = "") -> tuple[Conclusion, ...]:
    """Conclusions about a board.

    Parameters
    ----------
    board
        Board.
    reference, words
        Another machine that it is set beside, and what that is.
    """
    gpu = board.first.gpu

    def conclusion(
        kind: str,
        text: str,
        field: str,
        rule: str,
        fit: Fit = "",
        judged: bool = False,
        machine: str = "",
        model: Model = "",
    ) -> Conclusion:
        emerald = {"pearson": EMERALD[0], "mean_error_percent": EMERALD[1]}.get(field)
        return Conclusion(
            f"{board.label}-{kind}",
            f"{gpu}: {text}.",
            emerald,
            "%" if field.endswith("percent") else "",
            rule,
            lambda m: float(getattr(agreement(m, board, fit, judged, machine, model), field)),
            lambda m: largest_errors(m, board, fit, machine, model),
        )

    def constant(kind: str, text: str, unit: str, field: str, rule: str) -> Conclusion:
        def value(m: Measured) -> float:
            times = gpu_ms(m, board)
            own = replace(constants(m, board, times), draw_us=draw_us(m, board, times))
            return float(getattr(own, field))

        return Conclusion(f"{board.label}-{kind}", f"{gpu}: {text}.", None, unit, rule, value)

    r, mid, high, bias = "pearson", "median_percent", "high_percent", "bias_percent"
    near, right, even = f">= {PEARSON}", f"<= {MEDIAN}", f"{-MEDIAN} to {MEDIAN}"
    others, apart = "with constants from the other scenes", "with constants from scenes at the ceiling, other scenes"
    conclusions = [
        conclusion("correlation", "nothing fitted, frame times correlate with measured ones", r, near),
        conclusion("error", "nothing fitted, frame times are right in the median", mid, right),
        conclusion("bias", "nothing fitted, they are neither too short nor too long", bias, even),
        conclusion("median-left-out", f"{others}, frame times are right in the median", mid, right, "left out"),
        conclusion("high-left-out", f"{others}, nine of ten are not far off", high, f"<= {HIGH}", "left out"),
        conclusion("bias-left-out", f"{others}, they are neither too short nor too long", bias, even, "left out"),
        conclusion("correlation-left-out", f"{others}, they correlate", r, near, "left out"),
        conclusion("rank-left-out", f"{others}, scenes are in the measured order", "rank", f">= {RANK}", "left out"),
        conclusion("mean-left-out", f"{others}, the mean error is small", "mean_error_percent", "<= 25", "left out"),
        conclusion("median-judged", f"{apart} are right in the median", mid, right, "ceiling", True),
        conclusion("rank-judged", f"{apart} are in the measured order", "rank", f">= {RANK}", "ceiling", True),
        _beats(board, "roofline", "a roofline with constants likewise", "left out"),
        _beats(board, "naive", "a model in proportion to instructions, with a factor from all scenes,", ""),
        Conclusion(
            f"{board.label}-outside",
            f"{gpu}: few scenes are bound by something outside of the GPU.",
            None,
            "scenes",
            "<= 5",
            lambda m: float(len(bound_outside(m, board))),
            lambda m: left_out(m, board),
        ),
        constant(
            "fixed",
            "what neither the GPU nor the CPU works on is a small part of the fastest scene's frame",
            "ms",
            "fixed_ms",
            f"<= {500 / max(scene.fps for scene in board.scenes.values()):.3f}",
        ),
        conclusion(
            "median-draws", f"{others} and a cost per draw, frame times are right in the median", mid, right, "draws"
        ),
        conclusion(
            "high-draws", f"{others} and a cost per draw, nine of ten are not far off", high, f"<= {HIGH}", "draws"
        ),
        constant("draw", "the CPU and its driver take a draw in less than 50 microseconds", "us", "draw_us", "< 50"),
        constant("rewriting", "the CPU writes a vertex in less than a microsecond", "us", "rewriting_us", "< 1"),
    ]
    if reference:
        other = f"with {words}, nothing fitted,"
        conclusions += [
            conclusion("correlation-beside", f"{other} frame times correlate", r, near, machine=reference),
            conclusion("error-beside", f"{other} they are right in the median", mid, right, machine=reference),
        ]
    return tuple(conclusions)


def _beats(board: Board, model: Model, words: str, fit: Fit) -> Conclusion:
    """Median error of a simpler model over that of ours."""

    def times(m: Measured) -> float:
        simple = agreement(m, board, fit, model=model).median_percent
        return simple / agreement(m, board, "left out").median_percent

    return Conclusion(
        f"{board.label}-{model}",
        f"{board.first.gpu}: {words} is clearly further off in the median, by a factor.",
        None,
        "",
        ">= 1.5",
        times,
        lambda m: largest_errors(m, board, fit, model=model),
    )
