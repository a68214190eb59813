"""Accounts of the draws and dispatches of a frame (`engine.work`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from ..engine.dispatch_tables import Compute
from ..engine.work import CLEARS, FIRST_DRAW, MAX_DRAWS
from .draws import Draws
from .primitives import Primitives
from .source import Activity

Row = dict[str, Any]
DRAW, DISPATCH = "draw", "dispatch"
"""Kinds of what has an account."""


@dataclass(frozen=True)
class Accounts:
    """Accounts of the draws of a frame, then of its dispatches.

    Parameters
    ----------
    frame
        Its number.
    place
        Number of frames loaded before: two in a row have different accounts.
    activity
        Which it is a frame of.
    draws
        Rows of its draws, as techniques amend them.
    dispatches
        Number of its dispatches.
    """

    frame: int
    place: int
    activity: Activity
    draws: Sequence[Row]
    dispatches: int

    def __len__(self) -> int:
        return len(self.draws) + self.dispatches

    @property
    def first(self) -> int:
        """Account of its first draw."""
        return FIRST_DRAW + self.place % 2 * MAX_DRAWS

    @property
    def last(self) -> int:
        """Account behind those of the frame."""
        return self.first + len(self)

    @cached_property
    def rows(self) -> list[Row]:
        """Identity of each draw and dispatch."""
        events = self.activity.frame("events", self.frame, ["event", "call"])
        calls = dict(zip(events["event"].to_pylist(), events["call"].to_pylist(), strict=True))
        dispatches = self.activity.frame(
            "dispatches", self.frame, ["dispatch", "number", "event", "program"]
        ).to_pylist()
        shaders = self._shaders()
        named = [(DRAW, row) for row in self.draws] + [(DISPATCH, row) for row in dispatches]
        return [
            {
                "kind": kind,
                "name": f"{kind} {row['number']}",
                "label": row.get("object_label"),
                "draw": row["number"],
                "call": calls.get(row["event"]),
                "pass": row.get("pass"),
                "program": row["program"],
                "shaders": shaders.get(row["program"]),
            }
            for kind, row in named
        ]

    def _shaders(self) -> dict[int, str]:
        """By program, a hash of its shaders' sources."""
        hashes = [f"{stage}_sha256" for stage in ("vertex", "fragment", "compute")]
        rows = self.activity.table("programs", ["program", *hashes]).to_pylist()
        return {
            row["program"]: sha256("".join(row[name] or "" for name in hashes).encode()).hexdigest() for row in rows
        }


def number_work(accounts: Accounts, draws: Draws, primitives: Primitives, compute: Compute) -> None:
    """Give the tables of a frame the numbers of its accounts."""
    first, table = accounts.first, primitives.table
    batches = [len(starts) for starts in draws.stream_start]
    draws.batch["work"] = first + np.repeat(np.arange(len(batches)), batches)
    draws.stream["work"] = np.repeat(draws.batch["work"], draws.batch["last_stream"] - draws.batch["first_stream"])
    table["work"] = np.where(table["clear"] >= 0, CLEARS, first + table["state"])
    compute.dispatch["work"] = first + len(draws.rows) + np.arange(len(compute.dispatch))
