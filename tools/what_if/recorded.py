"""Facts from the activity of a frame about its draws, for changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.functional.activity.reader import Activity

from .captured import CapturedFrame

COLUMNS = (
    ["draw", "number", "event", "pass", "program", "object_label", "depth_test", "depth_function", "depth_write"]
    + ["stencil_test", "blend_enabled", "blend", "logic_operation", "color_masks", "alpha_to_coverage"]
    + ["sample_coverage"]
)
IN_PASSES = ("draw", "clear")


def add_states(frame: CapturedFrame, activity: Activity) -> None:
    """Give a frame the states of its draws: rows of the table of draws with the numbers of their calls, the mean depth
    of what they draw, and whether their program writes memory or depth; and its passes."""
    number = frame.number
    events = activity.frame("events", number, ["event", "call", "pass", "kind"]).to_pylist()
    call_of = {row["event"]: row["call"] for row in events}
    memory = {
        row["program"]: row["writes_memory"] or row["writes_depth"]
        for row in activity.table("programs", ["program", "writes_memory", "writes_depth"]).to_pylist()
    }
    last: dict[int, int] = {row["pass"]: row["call"] for row in events if row["kind"] in IN_PASSES}
    for row in activity.frame("passes", number, ["pass", "attachments"]).to_pylist():
        if row["pass"] in last:
            frame.passes.append(row | {"last_call": last[row["pass"]]})
    depths = mean_depths(activity, number)
    for row in activity.frame("draws", number, COLUMNS).to_pylist():
        row |= {"call": call_of[row["event"]], "depth": depths.get(row["draw"]), "special": memory[row["program"]]}
        frame.states[row["number"]] = row


def mean_depths(activity: Activity, number: int) -> dict[int, float]:
    """Mean depth of the covered quads of each draw of a frame, 0 to 1; none of draws that cover nothing."""
    primitives = activity.frame("primitives", number, ["draw", "depth", "depth_dx", "depth_dy"])
    quads = activity.frame("quads", number, ["primitive", "x", "y"])
    of = np.asarray(quads["primitive"].to_numpy())
    columns: dict[str, Any] = {name: primitives[name].to_numpy() for name in primitives.schema.names}
    x, y = (2.0 * quads[axis].to_numpy() + 1.0 for axis in "xy")
    depth = columns["depth"][of] + columns["depth_dx"][of] * x + columns["depth_dy"][of] * y
    draws, place = np.unique(columns["draw"][of], return_inverse=True)
    sums = np.bincount(place, depth, len(draws)) / np.maximum(1, np.bincount(place, minlength=len(draws)))
    return dict(zip(draws.tolist(), sums.tolist(), strict=True))
