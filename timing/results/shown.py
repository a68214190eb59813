"""Results in a line of text, and as a table for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Results


def results_line(results: Results) -> str:
    """Capture, hardware, frames, cycles and speed."""
    count = len(results.frames)
    frames = f"{count} frame{'s' * (count != 1)}"
    title = f"<Results {results.source.get('name', '')} on {results.configuration.name}: {frames}"
    if not count:
        return f"{title}>"
    cycles = results.totals()["gpu.cycles"]
    milliseconds = cycles / float(results.configuration.clocks.gpu) / 1e3 / count
    speed = f", {1e3 / milliseconds:,.1f} frames/s" if milliseconds else ""
    return f"{title}, {cycles:,.0f} cycles, {milliseconds:.3f} ms per frame{speed}>"


def results_html(results: Results) -> str:
    """The line, and the main statistics with units over all frames."""
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td style='text-align:right'>{_number(value)}</td><td>{escape(unit)}</td></tr>"
        for name, value, unit in (results.table() if results.frames else [])
    )
    return (
        f"<p><b>{escape(results_line(results)[1:-1])}</b></p>"
        f"<table><tr><th>statistic</th><th>all frames</th><th>unit</th></tr>{rows}</table>"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"
