"""Fragments that are shaded and then hidden: by another object, or by another part of their own.

What hidden surface removal per pixel leaves (Deferred Rendering) is all but these; what a perfect order of the objects
leaves (Visibility Rendering Order) is these by their own object, and all that nothing hides (de Lucas 2018, 4.5.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.reader import Activity

from ..loading.source import numbers
from .draw_counts import Lengths, draws_of_quads, lanes_of

Array = np.ndarray[Any, Any]
COUNTED = "fragments_hidden", "fragments_hidden_by_own", "instructions_hidden_by_others"


def hidden_fragments(activity: Activity, frame: int, lengths: Lengths) -> dict[str, Array]:
    """Count the fragments of a frame that are shaded and then hidden, by draw.

    A fragment that survives early depth is hidden if a later one at its pixel survives it, too, writes depth and does
    not blend; clearing depth in between takes that back. It is hidden by its own object if the last such fragment is
    of the same object.

    Parameters
    ----------
    activity
        Of level `visible` or `all`.
    frame
        Number of the frame.
    lengths
        Of the activity.

    Returns
    -------
    dict
        int64 (draws,): fragments_hidden, and of these fragments_hidden_by_own; instructions_hidden_by_others, executed
        for the rest of them.
    """
    draws = activity.frame("draws", frame, ["draw", "program"])
    quads = activity.frame("quads", frame, ["primitive", *(f"path_{i}" for i in range(4))])
    counts = {name: np.zeros(len(draws), np.int64) for name in COUNTED}
    if not len(quads):
        return counts
    draw, program = draws_of_quads(activity, frame, draws, quads), numbers(draws, "program").astype(np.int64)
    for lane, (under, own) in enumerate(hidden_lanes(activity, frame)):
        others = under[~own]
        path = numbers(quads, f"path_{lane}", -1)[others].astype(np.int64)
        executed = lengths.of_draws("fragment", program, draw[others], path).sum(axis=1)
        of_lane = _each(draw[under], draws), _each(draw[under[own]], draws), executed
        for name, count in zip(COUNTED, of_lane, strict=True):
            counts[name] += count
    return counts


def hidden_lanes(activity: Activity, frame: int) -> Iterator[tuple[Array, Array]]:
    """For each of the four fragments of quads: rows of those whose fragment is shaded and then hidden, and whether its
    own object hides it."""
    names = ["draw", "event", "pass", "object", "early_depth", "depth_test", "depth_write", "blend_enabled"]
    draws = activity.frame("draws", frame, names)
    quads = activity.frame("quads", frame, ["primitive", "x", "y", "depth_pass"])
    if not len(quads):
        return
    draw = draws_of_quads(activity, frame, draws, quads)
    tested, hides = _tests(draws)
    objects = np.unique(numbers(draws, "object"), return_inverse=True)[1]
    # Numbered as they occur, so that room is needed for places with fragments alone, however many images there are.
    x, y = (numbers(quads, axis).astype(np.int64) for axis in "xy")
    where = (_images(activity, frame, draws)[draw] * (y.max() + 1) + y) * (x.max() + 1) + x
    place = np.unique(where, return_inverse=True)[1]
    for alive in lanes_of(numbers(quads, "depth_pass")):
        here = np.flatnonzero(alive & tested[draw])
        of, at = draw[here], place[here]
        covering = np.flatnonzero(hides[of])
        last = np.full(int(place.max()) + 1, -1, np.int64)
        np.maximum.at(last, at[covering], covering)
        under = np.flatnonzero(last[at] > np.arange(len(here)))
        yield here[under], objects[of[under]] == objects[of[last[at[under]]]]


def _each(draw: Array, draws: pa.Table) -> Array:
    """Number of each draw among some rows of draws."""
    return np.bincount(draw, minlength=len(draws))


def _tests(draws: pa.Table) -> tuple[Array, Array]:
    """By draw: whether hidden surfaces can be removed from it; whether it hides what lies below."""
    early, test, write, blend = (
        numbers(draws, name) != 0 for name in ("early_depth", "depth_test", "depth_write", "blend_enabled")
    )
    return early & test, early & test & write & ~blend


def _images(activity: Activity, frame: int, draws: pa.Table) -> Array:
    """Number of what each draw is drawn to: a pass, up to where depth is cleared."""
    events = activity.frame("events", frame, ["event", "kind", "depth_mask"]).to_pylist()
    clears = np.array([e["event"] for e in events if e["kind"] == "clear" and e["depth_mask"]], np.int64)
    pairs = np.stack([numbers(draws, "pass"), np.searchsorted(clears, numbers(draws, "event"))], axis=1)
    return np.asarray(np.unique(pairs, axis=0, return_inverse=True)[1]).reshape(-1)
