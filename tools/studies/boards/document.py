"""docs/accuracy.md, from the outcome of the study of boards that was committed beside the studies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..text import HOLDS, quantity
from .measures import CEILING_PERCENT, MAX_DRAWS, MAX_WRITTEN_BYTES
from .texts import EXPLANATIONS, FITTED, HEAD, OPEN, PLOT, RECORDING

Json = dict[str, Any]


def accuracy_page(found: Json | None) -> str:
    """The page on accuracy, as Markdown.

    Parameters
    ----------
    found
        Outcome of the study in full; None where there is none.
    """
    head = HEAD.format(ceiling=CEILING_PERCENT, draws=MAX_DRAWS, kilobytes=MAX_WRITTEN_BYTES // 1000)
    if found is None:
        return head + "\nIts outcome in full is not in this version yet.\n\n" + RECORDING
    parts = [head + "\n".join(_agreement(found)), PLOT, FITTED + "\n".join(_fitted(found))]
    for label in _figure(found, "frame-times")["series"]:
        parts += [*_scenes(found, label), EXPLANATIONS.get(label, "")]
    return "\n".join([*parts, OPEN, RECORDING])


def _agreement(found: Json) -> Iterator[str]:
    yield "| what | Emerald, Tegra K1 | ours | rule | verdict |"
    yield "| --- | --- | --- | --- | --- |"
    for c in found["conclusions"]:
        ours = f"{quantity(c['ours'])} {c['unit']}".strip()
        yield f"| {c['text']} | {quantity(c['paper'])} | {ours} | {c['rule']} | {HOLDS[c['holds']]} |"
    yield ""


def _fitted(found: Json) -> Iterator[str]:
    for label in _figure(found, "frame-times")["series"]:
        rest = next(c for c in found["conclusions"] if c["id"] == f"{label}-rest")["ours"]
        fitted = f"{quantity(rest)} ms"
        yield f"| {label} | rest | 0 ms | {fitted} | time per frame in which the GPU rests |"
    yield ""


def _scenes(found: Json, label: str) -> Iterator[str]:
    """A row per scene of a board: times, errors, and where the cycles go."""
    times, rest = _figure(found, "frame-times"), _figure(found, "frame-times-rest")
    phases, busy = _figure(found, "phases")["series"], _figure(found, "occupation")["series"]
    parts = [kind for kind in phases if any(phases[kind])]
    outside = next(c for c in found["conclusions"] if c["id"] == f"{label}-outside")["explanation"]
    yield f"## {label}, scene by scene\n"
    yield f"| scene | measured | predicted | error | with rest | {' | '.join([*parts, *busy])} |"
    yield "| --- |" + " --- |" * (4 + len(parts) + len(busy))
    for i, name in enumerate(times["workloads"]):
        measured, predicted = times["paper"][label][i], times["series"][label][i]
        if measured is None or predicted is None:
            continue
        fitted = rest["series"][label][i]
        shares = " | ".join(f"{values[i]:.0%}" for values in [*(phases[p] for p in parts), *busy.values()])
        yield (
            f"| {name.partition(':')[2]} | {measured:.2f} ms | {predicted:.2f} ms | {predicted / measured - 1:+.0%} | "
            f"{fitted / measured - 1:+.0%} | {shares} |"
        )
    yield f"\n{outside[0].upper()}{outside[1:]}.\n"


def _figure(found: Json, name: str) -> Json:
    figure: Json = next(figure for figure in found["figures"] if figure["id"] == name)
    return figure
