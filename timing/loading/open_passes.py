"""Passes that only clear the window, joined with those that draw on it later in the frame.

Drivers of tile-based GPUs keep what is drawn on each set of attachments apart, and begin its pass when it is needed. So
a window that is cleared, left for a texture that is drawn to, and drawn on then, is one pass, not two: it is neither
written with the clear's values nor read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

Row = dict[str, Any]
READS = ("copy", "blit", "resolve", "generate_mipmap")
"""Events that may read what a pass has stored."""


def joined(rows: list[Row], events: list[Row], window: Collection[int]) -> list[Row]:
    """Passes of a frame after those that only clear the window are joined with the next one on it.

    Parameters
    ----------
    rows
        Passes in order.
    events
        Events of the frame: event, kind, pass.
    window
        Surfaces that are the window's, and nothing samples.

    Returns
    -------
    list of dict
        Passes that stay, with `clears_of`: the numbers of those whose clears are theirs now.
    """
    draws = Counter(event["pass"] for event in events if event["kind"] == "draw")
    reads = [event["event"] for event in events if event["kind"] in READS]
    waiting: dict[frozenset[tuple[Any, ...]], Row] = {}
    kept: dict[int, Row] = {}
    for row in rows:
        attachments = row["attachments"]
        key = frozenset((a["slot"], a["surface"], a["level"], a["layer"]) for a in attachments)
        before = waiting.pop(key, None)
        if before is not None and not any(before["last_event"] <= event <= row["first_event"] for event in reads):
            del kept[before["pass"]]
            loads = [a | {"load": "clear" if a["load"] == "load" else a["load"]} for a in attachments]
            row = row | {"attachments": loads, "clears_of": (*before.get("clears_of", ()), before["pass"])}
        kept[row["pass"]] = row
        cleared = all(a["load"] == "clear" for a in attachments if a["store"] == "store")
        if not draws[row["pass"]] and cleared and all(a["surface"] in window for a in attachments):
            waiting[key] = row
    return list(kept.values())
