"""docs/accuracy.md, from the outcome of the study of boards that was committed beside the studies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..text import HOLDS, quantity
from .board import CEILING_PERCENT
from .cpu_work import MAX_DRAWS, MAX_WRITTEN_BYTES
from .explained import EXPLANATIONS
from .glance import clocks, glance
from .motion import MOTIONS
from .rates import stored_rates, table
from .texts import FITTED, HEAD, OPEN, PLOT, RATES, RECORDING, TITLE

Json = dict[str, Any]
SCALES = {
    "fixed": "driver, window system, display and size of the window; whether with the GPU's clock: see below",
    "rewriting": "CPU",
    "draw": "CPU and driver",
}
MEANINGS = {
    "fixed": "time per frame in which neither the GPU nor the CPU works on the scene",
    "rewriting": "time of the CPU per vertex that the application computes anew",
    "draw": "time of the CPU and its driver per draw, in the last column only",
}
UNITS = {"fixed": "ms", "rewriting": "µs", "draw": "µs"}


def accuracy_page(outcome: Json | None) -> str:
    """The page on accuracy, as Markdown.

    Parameters
    ----------
    outcome
        Outcome of the study in full; None where there is none.
    """
    moving = ", ".join(f"*{name}*" for name in MOTIONS)
    head = HEAD.format(moving=moving, ceiling=CEILING_PERCENT, draws=MAX_DRAWS, kilobytes=MAX_WRITTEN_BYTES // 1000)
    if outcome is None:
        return TITLE + head + "\nIts outcome in full is not in this version yet.\n\n" + RECORDING
    first = TITLE + "\n".join(glance(outcome)) + "\n" + head
    constants = FITTED + "\n".join((*_fitted(outcome), *clocks(outcome)))
    parts = [first + "\n".join(_agreement(outcome)), PLOT, constants]
    for label in _figure(outcome, "frame-times")["series"]:
        parts += [*_scenes(outcome, label), EXPLANATIONS.get(label, "")]
    rates = stored_rates()
    changes = [RATES + "\n".join(line for each in rates for line in table(each))] if rates else []
    return "\n".join([*parts, *changes, OPEN, RECORDING])


def _agreement(outcome: Json) -> Iterator[str]:
    yield "| what | Emerald, Tegra K1 | ours | rule | verdict |"
    yield "| --- | --- | --- | --- | --- |"
    for c in outcome["conclusions"]:
        ours = f"{quantity(c['ours'])} {c['unit']}".strip()
        yield f"| {c['text']} | {quantity(c['paper'])} | {ours} | {c['rule']} | {HOLDS[c['holds']]} |"
    yield ""


def _fitted(outcome: Json) -> Iterator[str]:
    for label in _figure(outcome, "frame-times")["series"]:
        for name, meaning in MEANINGS.items():
            value = next((c["ours"] for c in outcome["conclusions"] if c["id"] == f"{label}-{name}"), None)
            if value:
                yield f"| {label} | {name} | {quantity(value)} {UNITS[name]} | {meaning} | {SCALES[name]} |"
    yield ""


def _scenes(outcome: Json, label: str) -> Iterator[str]:
    """A row per scene of a board: times, errors, and how long each part takes by itself."""
    times, fitted, lowest, roofline, naive = (
        _figure(outcome, f"frame-times{kind}") for kind in ("", "-constants", "-lowest-clock", "-roofline", "-naive")
    )
    parts = {name: values for name, values in _figure(outcome, "parts")["series"].items() if name != "outside"}
    ranged = fitted["series"][label] != lowest["series"][label]
    outside = next(c for c in outcome["conclusions"] if c["id"] == f"{label}-outside")["explanation"]
    yield f"## {label}, scene by scene\n"
    clock = ["at the lowest clock"] if ranged else []
    columns = ["scene", "measured", "GPU", "predicted", "error", *clock, "roofline", "naive", *parts, "bound by"]
    yield f"| {' | '.join(columns)} |"
    yield "| --- |" + " --- |" * (len(columns) - 1)
    for i, name in enumerate(times["workloads"]):
        measured, gpu = times["paper"][label][i], times["series"][label][i]
        if measured is None or gpu is None:
            continue
        alone = {part: values[i] for part, values in parts.items()}
        whole = fitted["series"][label][i]
        cells = [
            name.partition(":")[2],
            f"{measured:.2f} ms",
            f"{gpu:.2f} ms",
            f"{whole:.2f} ms",
            f"{whole / measured - 1:+.0%}",
            *([f"{lowest['series'][label][i]:.2f} ms"] if ranged else []),
            f"{roofline['series'][label][i] / measured - 1:+.0%}",
            f"{naive['series'][label][i] / measured - 1:+.0%}",
            *(f"{value:.2f} ms" for value in alone.values()),
            max(alone, key=lambda part: alone[part]),
        ]
        yield f"| {' | '.join(cells)} |"
    yield f"\nBound by something outside of the GPU, by the rule above: {outside}.\n"


def _figure(outcome: Json, name: str) -> Json:
    figure: Json = next(figure for figure in outcome["figures"] if figure["id"] == name)
    return figure
