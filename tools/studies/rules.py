"""Rules of conclusions: when a paper's sentence holds for what was measured.

The grammar, one rule per conclusion::

    rule       = comparison | range | nearness | rank | order
    comparison = ("<" | "<=" | ">" | ">=") NUMBER
    range      = NUMBER "to" NUMBER
    nearness   = "within" NUMBER "% of" NUMBER
    rank       = NAME {"," NAME} "among the" ("highest" | "lowest") WHOLE-NUMBER
    order      = NAME ">" NAME {">" NAME}

The first three judge a number, the others values by name. All bounds belong to the range; equal values may stand in
either order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tilegpu.functional.errors import UserError

Quantity = float | Mapping[str, float]
Tied = Callable[[str, str], bool]
"""Whether two names count as equal whatever their values."""

_NUMBER = r"([-+]?\d+(?:\.\d+)?)"
_COMPARISON = re.compile(rf"(<=|>=|<|>)\s*{_NUMBER}")
_RANGE = re.compile(rf"{_NUMBER} to {_NUMBER}")
_NEARNESS = re.compile(rf"within {_NUMBER} % of {_NUMBER}")
_RANK = re.compile(r"(.+) among the (highest|lowest) (\d+)")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class RuleError(UserError):
    """A rule that is not of the grammar, or does not fit what it judges."""


@dataclass(frozen=True)
class Rule:
    """A rule, read.

    Attributes
    ----------
    text
        As written.
    names
        Names that it speaks of; empty for one that judges a number.
    """

    text: str
    names: tuple[str, ...]
    _number: Callable[[float], bool] | None = None
    _range: tuple[float, float] | None = None
    _values: Callable[[Mapping[str, float], Tied], bool] | None = None

    def holds(self, ours: Quantity, tied: Tied = lambda one, other: False) -> bool:
        """Whether it holds.

        Parameters
        ----------
        ours
            What was measured: a number, or values by name.
        tied
            Which names are equal as far as can be told; in a rank none is behind its equals.

        Raises
        ------
        RuleError
            If it judges the other kind.
        """
        if isinstance(ours, Mapping):
            if self._values is None:
                raise RuleError(f"rule {self.text!r} judges a number, and values by name were measured")
            return self._values(ours, tied)
        if self._number is None:
            raise RuleError(f"rule {self.text!r} judges values by name, and a number was measured")
        return self._number(ours)

    def lies_within(self, low: float, high: float) -> bool:
        """Whether it is a range that lies between two numbers."""
        return self._range is not None and low < self._range[0] and self._range[1] < high


def parse_rule(text: str) -> Rule:
    """Read a rule.

    Raises
    ------
    RuleError
        If it is none of the grammar.
    """
    if match := _COMPARISON.fullmatch(text):
        compare, bound = _COMPARE[match[1]], float(match[2])
        return Rule(text, (), lambda ours: compare(ours, bound))
    if match := _RANGE.fullmatch(text):
        return _between(text, float(match[1]), float(match[2]))
    if match := _NEARNESS.fullmatch(text):
        share, middle = float(match[1]) / 100, float(match[2])
        return _between(text, middle - abs(middle) * share, middle + abs(middle) * share)
    if match := _RANK.fullmatch(text):
        names = _names(text, match[1], ",")
        return Rule(text, names, _values=_among(names, match[2] == "highest", int(match[3])))
    if ">" in text:
        names = _names(text, text, ">")
        return Rule(text, names, _values=_in_order(names))
    raise RuleError(
        f"rule {text!r}: write `> 1`, `0.9 to 1.1`, `within 10 % of 1.8`, `a, b among the highest 3` or `a > b`"
    )


def _between(text: str, low: float, high: float) -> Rule:
    if low > high:
        raise RuleError(f"rule {text!r}: the lower bound is above the upper one")
    return Rule(text, (), lambda ours: low <= ours <= high, (low, high))


def _names(text: str, listed: str, separator: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in listed.split(separator))
    if not all(names) or len(set(names)) < len(names):
        raise RuleError(f"rule {text!r}: a name is empty, or stands there twice")
    return names


def _among(names: tuple[str, ...], highest: bool, count: int) -> Callable[[Mapping[str, float], Tied], bool]:
    def judge(ours: Mapping[str, float], tied: Tied) -> bool:
        sign = 1 if highest else -1
        ahead = {
            name: sum(sign * value > sign * ours[name] and not tied(name, other) for other, value in ours.items())
            for name in names
        }
        return max(ahead.values()) < count

    return judge


def _in_order(names: tuple[str, ...]) -> Callable[[Mapping[str, float], Tied], bool]:
    def judge(ours: Mapping[str, float], tied: Tied) -> bool:
        pairs = zip(names, names[1:], strict=False)
        return all(ours[above] >= ours[below] or tied(above, below) for above, below in pairs)

    return judge
