"""Decides which objects take part in collision detection, by their labels or the user's patterns."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from ..activity.marks import COLLISIONABLE


class Collisionable:
    """Decides by debug labels.

    Parameters
    ----------
    patterns
        Shell patterns of further labels, such as `car*`; matching is case-sensitive.

    Attributes
    ----------
    labels
        Every label seen so far, and whether it is collisionable.
    """

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        self.patterns = tuple(patterns)
        self.labels: dict[str, bool] = {}

    def __call__(self, label: str) -> bool:
        """Whether objects of a label take part; those without one do not."""
        matches = self.labels.get(label)
        if matches is None:
            named = any(part.startswith(COLLISIONABLE) for part in label.split("/"))
            matches = named or any(fnmatchcase(label, pattern) for pattern in self.patterns if label)
            self.labels[label] = matches
        return matches

    def unused(self) -> tuple[str, ...]:
        """Patterns that no label has matched."""
        return tuple(p for p in self.patterns if not any(fnmatchcase(label, p) for label in self.labels if label))
