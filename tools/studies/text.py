"""How figures of a study are written for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_NAMES = 4
HOLDS = {True: "holds", False: "does not hold", None: "not measured"}


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
    spoken = rule.partition(" among the ")[0] if " among the " in rule else rule.replace(">", ",")
    named = [name for name in ordered if name in {part.strip() for part in spoken.split(",")}]
    first = [f"{name} {values[name]:,.3g}" for name in ordered[:MOST_NAMES]]
    rest = [
        f"{name} {values[name]:,.3g} (place {ordered.index(name) + 1})"
        for name in named
        if ordered.index(name) >= MOST_NAMES
    ]
    return ", ".join(first) + (" … " + ", ".join(rest) if rest else "")


def rule_words(rule: str, unit: str) -> str:
    """A rule with its unit."""
    return rule if " among the " in rule or " > " in rule else f"{rule} {unit}"
