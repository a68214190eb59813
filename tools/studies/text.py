"""Figures of a study, written for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from .rules import parse_rule

MAX_NAMES = 4
MEAN = "mean of the workloads"
HOLDS = {True: "holds", False: "does not hold", None: "not measured"}
UNDECIDED = "undecided"
STANDINGS = ("predicted", "seen", "set")


def quantity(value: Any, rule: str = "") -> str:
    """A number with four digits; of values by name those that the rule speaks of, and their ranks.

    Parameters
    ----------
    value
        Number, values by name from the highest, or nothing.
    rule
        Rule that it is judged by.
    """
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return _ranked(value, rule)
    return value if isinstance(value, str) else f"{value:,.4g}"


def _ranked(values: Mapping[str, float], rule: str) -> str:
    ordered = sorted(values, key=lambda name: -values[name])
    if "among the lowest" in rule:
        ordered = ordered[::-1]
    named = parse_rule(rule).names if rule else ()
    first = [f"{name} {values[name]:,.3g}" for name in ordered[:MAX_NAMES]]
    rest = [
        f"{name} {values[name]:,.3g} (place {place})"
        for place, name in enumerate(ordered, 1)
        if place > MAX_NAMES and name in named
    ]
    return ", ".join(first) + (" … " + ", ".join(rest) if rest else "")


def rule_words(rule: str, unit: str) -> str:
    """A rule with its unit."""
    return rule if parse_rule(rule).names else f"{rule} {unit}"


def verdict(conclusion: Mapping[str, Any]) -> str:
    """Whether a conclusion of an outcome holds, or why that cannot be told."""
    if conclusion.get("undecidable"):
        return str(conclusion["undecidable"]["called"])
    return UNDECIDED if conclusion.get("undecided") else HOLDS[conclusion["holds"]]


def interval(conclusion: Mapping[str, Any]) -> str:
    """The interval of a conclusion's number, in brackets, or that a rank is a tie; empty where there is neither."""
    if conclusion.get("tied"):
        return ", a tie"
    low, high = (f"{end:,.4g}" for end in conclusion.get("interval") or (0, 0))
    return f" ({low} to {high})" if low != high else ""


def summary(outcome: Mapping[str, Any]) -> str:
    """Numbers of an outcome's conclusions that hold, those apart that were not predicted."""
    return _counts(outcome, " conclusions", " hold", " holds")


def tally(outcome: Mapping[str, Any]) -> str:
    """The same for a column of a table that says so."""
    return _counts(outcome, "", "", "")


def _counts(outcome: Mapping[str, Any], predicted: str, several: str, one: str) -> str:
    if not outcome["conclusions"]:
        return "no conclusions"
    parts: list[str] = []
    counted = [c for c in outcome["conclusions"] if not c.get("undecidable")]
    for standing in STANDINGS:
        some = [verdict(c) for c in counted if c.get("standing", "predicted") == standing]
        if some or standing == "predicted":
            others = "".join(f", {some.count(word)} {word}" for word in (UNDECIDED, HOLDS[None]) if word in some)
            what = predicted if standing == "predicted" else f" that were {standing}"
            hold = some.count(HOLDS[True])
            parts.append(f"{hold} of {len(some)}{what}{one if hold == 1 and parts else several}{others}")
    aside = Counter(verdict(c) for c in outcome["conclusions"] if c.get("undecidable"))
    return "; ".join([*parts, *(f"{count} {called}" for called, count in sorted(aside.items()))])


def unmeasured(outcome: Mapping[str, Any]) -> list[str]:
    """A line for each conclusion and figure of an outcome that could not be measured: which, and why."""
    lines = [f"{c['id']}: {c['explanation']}" for c in outcome["conclusions"] if verdict(c) == HOLDS[None]]
    lines += [f"figure {f['id']}: not measured: {f['missing']}" for f in outcome["figures"] if "missing" in f]
    return lines


def about_frames(outcome: Mapping[str, Any]) -> list[str]:
    """Lines about an outcome's frames: too few for intervals, captures that lack some, frames without a draw."""
    frames, lines = outcome["frames"], []
    if (few := frames.get("too_few")) is not None:
        lines.append(f"{few} frame{'s' * (few != 1)}: no interval, the values alone decide")
    for name, count in frames.get("fewer", {}).items():
        lines.append(f"{name}: has only {count} of the frames that the study counts")
    for name, numbers in frames.get("without_draws", {}).items():
        which = f"frame{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"
        count = "count" if len(numbers) > 1 else "counts"
        lines.append(f"{name}: {which} without a draw {count}; name others, as game.trace@40:42")
    return lines


def caption(figure: Mapping[str, Any]) -> str:
    """Title of a figure by the paper's number, with the constants that it measures and nobody publishes."""
    constants = figure.get("assumes")
    return f"{figure['id']}: {figure['title']}" + (f" (hangs on {', '.join(constants)})" if constants else "")


def means(figure: Mapping[str, Any]) -> list[float | None]:
    """Mean over the workloads of each series of a figure; None where it has no value."""
    series = ([value for value in values if value is not None] for values in figure["series"].values())
    return [fmean(values) if values else None for values in series]


def ratio(conclusion: Mapping[str, Any]) -> str:
    """Ours over the paper's number, where both are numbers; opposite signs are told."""
    paper, ours = conclusion["paper"], conclusion["ours"]
    if not all(isinstance(value, int | float) and value for value in (paper, ours)):
        return ""
    factor = ours / paper
    return "opposite sign" if factor < 0 else f"{factor:.2f}" if factor >= 0.01 else f"{factor:.1g}"
