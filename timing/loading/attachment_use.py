"""Loads and stores of attachments that nothing needs: a plain reading of the activity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .source import Activity, numbers

Array = np.ndarray[Any, Any]
Level = tuple[int, int]
"""Surface and level."""
READS = ("copy", "blit", "resolve", "read_pixels", "generate_mipmap")
"""Kinds of events that may read what a pass before them has stored."""
ALL_CHANNELS = 15
QUAD_LANES = 4
PASS, DRAW, EVENT = "pass", "draw", "event"


def stored_unread(activity: Activity) -> dict[int, set[Level]]:
    """By frame, attachments that a pass stores and that are cleared before anything reads them, as far as the recording
    shows; the window's colours are shown, so they are read."""
    surfaces = activity.table("surfaces", ["surface", "kind"]).to_pylist()
    shown = {row["surface"] for row in surfaces if row["kind"] == "default_color"}
    pending: dict[tuple[int, int, int], int] = {}
    unread: dict[int, set[Level]] = {}
    for frame in activity.frames:
        for kind, row in _in_order(activity, frame):
            if kind == EVENT:
                pending.clear()
            elif kind == DRAW:
                read = {binding["surface"] for binding in row["bindings"]}
                pending = {key: stored_in for key, stored_in in pending.items() if key[0] not in read}
            else:
                for attachment in row["attachments"]:
                    key = attachment["surface"], attachment["level"], attachment["layer"]
                    stored_in = pending.pop(key, None)
                    if stored_in is not None and attachment["load"] == "clear":
                        unread.setdefault(stored_in, set()).add(key[:2])
                    if attachment["store"] == "store" and key[0] not in shown:
                        pending[key] = frame
    return unread


def _in_order(activity: Activity, frame: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Passes, draws and events that read, as they come; a pass before its draws."""
    draws = activity.frame("draws", frame, ["event", "bindings"]).to_pylist()
    events = activity.frame("events", frame, ["event", "kind"]).to_pylist()
    rows = [(row["first_event"], 0, PASS, row) for row in activity.frame("passes", frame).to_pylist()]
    rows += [(row["event"], 1, DRAW, row) for row in draws]
    rows += [(row["event"], 1, EVENT, row) for row in events if row["kind"] in READS]
    for _, _, kind, row in sorted(rows, key=lambda each: each[:2]):
        yield kind, row


def loaded_and_overwritten(activity: Activity, frame: int) -> set[Level]:
    """Colour attachments that a pass of a frame loads although opaque draws write each of their pixels before anything
    is blended with it. Passes with several samples are left out."""
    passes = [
        row
        for row in activity.frame("passes", frame).to_pylist()
        if row["samples"] <= 1 and any(map(_loads, row["attachments"]))
    ]
    draws = activity.frame("draws", frame).to_pylist() if passes else []
    if not draws:
        return set()
    quads = activity.frame("quads", frame, ["primitive", "x", "y", "depth_pass"])
    column = {name: np.asarray(numbers(quads, name)) for name in quads.schema.names}
    primitives = np.asarray(numbers(activity.frame("primitives", frame, ["draw"]), "draw"))
    place = np.searchsorted([row["draw"] for row in draws], primitives[column["primitive"]])
    column["pass"] = np.array([row["pass"] for row in draws])[place]
    column["opaque"] = np.array([_is_opaque(row) for row in draws])[place]
    return {
        (attachment["surface"], attachment["level"])
        for row in passes
        if _covers(row, column)
        for attachment in row["attachments"]
        if _loads(attachment)
    }


def _loads(attachment: Mapping[str, Any]) -> bool:
    return bool(attachment["slot"].startswith("color") and attachment["load"] == "load")


def _is_opaque(draw: Mapping[str, Any]) -> bool:
    """Whether a draw writes all channels whatever they held."""
    keeps = draw["blend_enabled"] or draw["logic_operation"] is not None or draw["alpha_to_coverage"]
    return not keeps and all(mask == ALL_CHANNELS for mask in draw["color_masks"])


def _covers(row: Mapping[str, Any], column: Mapping[str, Array]) -> bool:
    """Whether the first write of each pixel of a pass is an opaque one."""
    mine = column["pass"] == row["pass"]
    x, y, passed, opaque = (column[name][mine] for name in ("x", "y", "depth_pass", "opaque"))
    first = np.full((row["height"], row["width"]), -1, np.int8)
    for lane in range(QUAD_LANES):
        across, up = 2 * x + (lane & 1), 2 * y + (lane >> 1)
        writes = (passed >> lane & 1 != 0) & (across < row["width"]) & (up < row["height"])
        # Backwards, so that the first write of a pixel is the one that stays.
        first[up[writes][::-1], across[writes][::-1]] = opaque[writes][::-1]
    return bool((first == 1).all())
