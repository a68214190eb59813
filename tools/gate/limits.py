"""Limits of a gate: by how much a figure may rise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from tilegpu.functional.errors import UserError

_LIMIT = re.compile(r"(?:([A-Za-z_][\w.]*)=)?\+(\d{1,15}(?:\.\d{1,9})?)\s?(%?)")


class GateError(UserError):
    """Results that cannot be judged, or limits that say nothing."""


@dataclass(frozen=True)
class Limit:
    """By how much a figure may rise.

    Parameters
    ----------
    name
        Of the figure.
    amount
        Per cent of what it was, or in its own unit. A fraction, so that "+2 %" of 100 allows 102 and nothing more.
    relative
        Whether it is per cent.
    slack
        Rise that is allowed in any case.
    """

    name: str
    amount: Fraction
    relative: bool
    slack: int = 0

    def holds(self, before: float, after: float) -> bool:
        """Whether the figure has not risen by more; both are finite."""
        was = Fraction(before)
        allowed = abs(was) * self.amount / 100 if self.relative else self.amount
        return Fraction(after) - was <= max(allowed, Fraction(self.slack))

    def __str__(self) -> str:
        slack = f" or {self.slack:,}" if self.slack else ""
        return f"+{float(self.amount):,.9g}{' %' if self.relative else ''}{slack}"


def parse_limit(option: str, text: str, name: str = "") -> Limit:
    """Limit from its option, such as gpu.cycles=+2%, or +2% where there is a name that is meant without one.

    Raises
    ------
    GateError
        It is none.
    """
    match = _LIMIT.fullmatch(text.strip())
    if match is None or not (match[1] or name):
        example = f"{'' if name else 'gpu.cycles='}+2%"
        raise GateError(f"{option} {text!r}: say by how much it may rise, such as {example} or {example[:-2]}1000")
    return Limit(match[1] or name, Fraction(match[2]), bool(match[3]))
