"""Progress of a study."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """How far a study has come: a share from 0 to 1, and what is being done."""

    share: float
    doing: str
