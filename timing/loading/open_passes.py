"""Passes that only clear the window, joined with those that draw on it later in the frame.

Drivers of tile-based GPUs keep what is drawn on each set of attachments apart, and begin its pass when it is needed. So
a window that is cleared, left for a texture that is drawn to, and drawn on then, is one pass, not two: it is neither
written with the clear's values nor read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..units.command_processor import CommandProcessorParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Row = dict[str, Any]
READS = ("copy", "blit", "resolve", "generate_mipmap")
"""Events that may read what a pass has stored."""


def kept_open(surfaces: pa.Table, configuration: Hardware, sorts: bool) -> frozenset[int]:
    """Surfaces whose passes a machine may keep open.

    Parameters
    ----------
    surfaces
        Table `surfaces` of the activity, or its columns `surface` and `kind`.
    configuration, sorts
        The machine, and whether it sorts geometry into tiles.

    Returns
    -------
    frozenset of int
        Those of the window; none where passes end as recorded.
    """
    if configuration.of(CommandProcessorParameters).passes != "open" or not sorts:
        return frozenset()
    kinds = zip(surfaces["surface"].to_pylist(), surfaces["kind"].to_pylist(), strict=True)
    return frozenset(surface for surface, kind in kinds if kind.startswith("default_"))


def frame_passes(passes: pa.Table, events: pa.Table, window: Collection[int]) -> list[Row]:
    """Passes of a frame as a machine draws them, in order.

    Parameters
    ----------
    passes, events
        Tables of the frame.
    window
        From `kept_open`.

    Returns
    -------
    list of dict
        As `joined` gives them; a row here is a row of the machine's table of passes.
    """
    rows = sorted(passes.to_pylist(), key=lambda row: row["pass"])
    return joined(rows, events.select(["event", "kind", "pass"]).to_pylist(), window) if window else rows


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
