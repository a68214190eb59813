"""Progress of a study."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """Progress of a study: a share from 0 to 1, and the work at hand."""

    share: float
    doing: str
