"""Accounts of the draws and dispatches of a frame (`engine.work`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.work import CLEARS, FIRST_DRAW, MAX_DRAWS
from .dispatch_tables import Compute
from .draws import Draws
from .primitives import Primitives
from .source import Activity

Row = dict[str, Any]
DRAW, DISPATCH = "draw", "dispatch"
"""Kinds of what has an account."""


@dataclass(frozen=True)
class Accounts:
    """Accounts of a frame: those of its draws, then those of its dispatches, with what identifies each.

    `place`: number of frames loaded before.
    """

    frame: int
    place: int
    rows: Sequence[Row]

    @property
    def first(self) -> int:
        """Account of its first draw."""
        return FIRST_DRAW + self.place % 2 * MAX_DRAWS

    @property
    def last(self) -> int:
        """Account behind those of the frame."""
        return self.first + len(self.rows)


def open_accounts(
    frame: int, place: int, activity: Activity, draws: Draws, primitives: Primitives, compute: Compute
) -> Accounts:
    """Give the draws and dispatches of a frame their accounts.

    Parameters
    ----------
    frame
        Its number.
    place
        Number of frames loaded before: two in a row have different accounts.
    activity
        Which it is a frame of.
    draws, primitives, compute
        Its tables, which get the numbers.
    """
    events = activity.frame("events", frame, ["event", "call"])
    calls = dict(zip(events["event"].to_pylist(), events["call"].to_pylist(), strict=True))
    dispatches = activity.frame("dispatches", frame, ["dispatch", "event", "program"]).to_pylist()
    named = [(DRAW, row) for row in draws.rows] + [(DISPATCH, row) for row in dispatches]
    rows = [
        {
            "kind": kind,
            "name": f"{kind} {row[kind]}",
            "label": row.get("object_label"),
            kind: row[kind],
            "call": calls.get(row["event"]),
            "pass": row.get("pass"),
            "program": row["program"],
        }
        for kind, row in named
    ]
    accounts = Accounts(frame, place, rows)
    first = accounts.first
    # A batch knows its draw until now.
    draws.batch["work"] += first
    lengths = draws.batch["last_stream"] - draws.batch["first_stream"]
    draws.stream["work"] = np.repeat(draws.batch["work"], lengths)
    table = primitives.table
    table["work"] = np.where(table["clear"] >= 0, CLEARS, first + table["state"])
    compute.dispatch["work"] = first + len(draws.rows) + np.arange(len(compute.dispatch))
    return accounts
