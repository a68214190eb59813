"""First screen of docs/accuracy.md: how near ours and simpler models come to each board, by what was fitted, and what
the fixed part is at other clocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import geometric_mean
from typing import Any

from .measurements import labels, published, read_measurements
from .statistics import accuracy

Json = dict[str, Any]
COLUMNS = ("nothing fitted", "one constant: the fixed part", "fixed part and rewriting", "these and a cost per draw")
MODELS: dict[str, tuple[str, ...]] = {
    "ours": ("frame-times", "frame-times-fixed", "frame-times-constants", "frame-times-draws"),
    "roofline": (
        "frame-times-roofline-nothing",
        "frame-times-roofline-fixed",
        "frame-times-roofline",
        "frame-times-roofline-draws",
    ),
    "in proportion to instructions": ("", "frame-times-naive", "", ""),
}
"""Figures of each model by column."""
WORDS = {"half": "half the clock", "higher": "1.5 times the clock"}


def glance(outcome: Json) -> Iterator[str]:
    """Median, nine of ten and rank of each board and model by what was fitted, as a table."""
    figures = {figure["id"]: figure for figure in outcome["figures"]}
    yield f"| board | model | {' | '.join(COLUMNS)} |"
    yield "| --- | --- |" + " --- |" * len(COLUMNS)
    for label in figures["frame-times"]["series"]:
        for model, names in MODELS.items():
            cells = [_cell(figures.get(name), label) for name in names]
            yield f"| {label} | {model} | {' | '.join(cells)} |"
    yield ""


def clocks(outcome: Json) -> Iterator[str]:
    """Both readings of the fixed part at other clocks, as a table."""
    figures = {figure["id"]: figure for figure in outcome["figures"]}
    if "clock-half-time" not in figures:
        return
    yield "| GPU | fixed part | at | mean frame time, read as a time | read as GPU cycles |"
    yield "| --- | --- | --- | --- | --- |"
    measured = read_measurements(published())
    clock = {
        name: next(m.gpu_mhz for m in measured if (m.board, m.gpu) == key) for key, name in labels(measured).items()
    }
    for label in figures["frame-times"]["series"]:
        fixed = next(c["ours"] for c in outcome["conclusions"] if c["id"] == f"{label}-fixed")
        cycles = f"{fixed:.2f} ms, or {fixed * clock[label] / 1000:.2f} million cycles at {clock[label]} MHz"
        for name, words in WORDS.items():
            means = [
                geometric_mean(_values(figures[f"clock-{name}-{reading}"], label).values())
                for reading in ("time", "cycles")
            ]
            yield f"| {label} | {cycles} | {words} | {means[0]:.2f} ms | {means[1]:.2f} ms |"
    yield ""


def _cell(figure: Json | None, label: str) -> str:
    if figure is None or label not in figure["series"]:
        return "–"
    predicted = _values(figure, label)
    if len(predicted) < 2:
        return "–"
    measured = dict(zip(figure["workloads"], figure["paper"][label], strict=True))
    agreement = accuracy(predicted, measured)
    return f"{agreement.median_percent:.1f} %, {agreement.high_percent:.0f} %, {agreement.rank:.2f}"


def _values(figure: Json, label: str) -> Mapping[str, float]:
    """Values of a board's scenes that have one."""
    values = zip(figure["workloads"], figure["series"][label], strict=True)
    return {name: value for name, value in values if value is not None}
