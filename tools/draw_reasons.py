"""Words about the reasons for which a draw held the frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LEAST = 0.05
"""Share of a row's cycles below which a reason is not named."""
NAMED = 3
PREFIX = "cycles."


def reasons_of(row: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Reasons of a row of `draws.parquet` with their cycles, those of most cycles first."""
    held = [(name.removeprefix(PREFIX), int(value or 0)) for name, value in row.items() if name.startswith(PREFIX)]
    return sorted(((name, cycles) for name, cycles in held if cycles > 0), key=lambda each: -each[1])


def in_words(row: Mapping[str, Any]) -> str:
    """The reasons that matter with their shares, such as "arithmetic 92 %, texture misses 6 %"."""
    held = reasons_of(row)
    total = sum(cycles for _, cycles in held)
    shares = [(name.replace("_", " "), cycles / total) for name, cycles in held]
    return ", ".join(f"{name} {share:.0%}" for name, share in shares[:NAMED] if share >= LEAST)
