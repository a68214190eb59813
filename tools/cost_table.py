"""Table of costs for people: the rows that cost most, and the sums of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from rich.table import Table

from .console import print_table, say


class Cost(NamedTuple):
    """Column that is shown: its title, its statistic, and its scale."""

    title: str
    statistic: str
    scale: float = 1.0


def print_costs(
    ordered: pa.Table,
    share_of: str,
    texts: Mapping[str, Callable[[Mapping[str, Any]], str]],
    costs: Sequence[Cost],
    shown: int,
    others: str,
) -> None:
    """Print the first rows of a table of costs, and the sums of all its rows.

    Parameters
    ----------
    ordered
        Rows, those that cost most first; its column `frame` is shown where there are several frames.
    share_of
        Column whose shares are shown.
    texts
        Columns in front of the shares: what a row is.
    costs
        Columns behind them.
    shown
        Rows printed.
    others
        Name of the rows that are not, for the message.
    """
    several = pc.count_distinct(ordered["frame"]).as_py() > 1
    titles = *(["frame"] if several else []), *texts
    printed = Table(*titles, "share", *(cost.title for cost in costs), box=None)
    for column in printed.columns[len(texts) + several :]:
        column.justify = "right"
    total = float(pc.sum(ordered[share_of]).as_py() or 0.0)
    for row in ordered.slice(0, shown).to_pylist():
        share = f"{(row[share_of] or 0) / total:.1%}" if total else ""
        values = (f"{(row[cost.statistic] or 0) * cost.scale:,.0f}" for cost in costs)
        printed.add_row(
            *([str(row["frame"])] if several else []), *(text(row) for text in texts.values()), share, *values
        )
    sums = (f"{(pc.sum(ordered[cost.statistic]).as_py() or 0) * cost.scale:,.0f}" for cost in costs)
    printed.add_row(*([""] if several else []), "all", *[""] * (len(texts) - 1), "100.0%", *sums)
    print_table(printed)
    if len(ordered) > shown:
        say(f"[dim]{len(ordered) - shown} further {others} cost less[/dim]")
