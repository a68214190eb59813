"""Inputs of IMR-VRO from the activity: draws of each group, and where the order of drawing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .state import NO_NODE
from .tables import find_groups

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]

MEMBER = np.dtype(
    [("first_batch", "i4"), ("last_batch", "i4"), ("first_primitive", "i4"), ("last_primitive", "i4")], align=True
)
"""Draw, or clear between draws, of a group."""


class Tables(NamedTuple):
    """The technique's tables of a frame.

    `draw`, `group`, `render_pass`, `object`, `perfect`, `named` as on the tile-based machine. `member`: of the groups,
    side by side from `first_member` on. `vertices`: of each batch; `needs`: vertices of its draw that each primitive
    needs. `at`: groups of a pass by position. `batch`, `primitive`: in the order of drawing; `stream_end`: vertices
    that must have arrived before the primitive at a position is assembled. `node`, `priority`: of the depths that are
    stored. The machine fills in all from `at` on.
    """

    draw: Array
    group: Array
    render_pass: Array
    object: Array
    perfect: Array
    named: Array
    member: Array
    first_member: Array
    vertices: Array
    needs: Array
    at: Array
    batch: Array
    primitive: Array
    stream_end: Array
    node: Array
    priority: Array


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.loaded.Loaded`."""
    groups = find_groups(source, configuration, frame)
    members, group_of = _members(source, frame, groups)
    order = np.argsort(group_of, kind="stable")
    first = np.searchsorted(group_of[order], np.arange(len(groups.group) + 1))
    saved = len(frame.depth.saved)
    return Tables(
        groups.draw, groups.group, groups.render_pass, groups.object, groups.perfect, groups.named,
        members[order], first.astype(np.int32), *_streams(frame, members[: len(groups.draw)]),
        np.zeros(len(groups.group), np.int32),
        np.arange(len(frame.vertices.batch), dtype=np.int32),
        np.arange(len(frame.binning.primitive), dtype=np.int32),
        frame.binning.primitive["stream_end"].copy(),
        np.full(saved, NO_NODE, np.int16), np.zeros(saved, np.int32),
    )  # fmt: skip


def _members(source: Any, frame: Any, groups: Any) -> tuple[Array, Array]:
    """Draws, then clears, and the group of each."""
    primitive = frame.binning.primitive
    draws, clears = len(groups.draw), len(groups.clear_group)
    members = np.zeros(draws + clears, MEMBER)
    batches = np.concatenate([[0], np.cumsum([len(starts) for starts in source.draws.stream_start])])
    members["first_batch"][:draws], members["last_batch"][:draws] = batches[:-1], batches[1:]
    drawn = np.flatnonzero(primitive["clear"] < 0)
    state = primitive["state"][drawn]
    first, after = (np.searchsorted(state, np.arange(draws), side=side) for side in ("left", "right"))
    some = np.flatnonzero(after > first)
    members["first_primitive"][some] = drawn[first[some]]
    members["last_primitive"][some] = drawn[after[some] - 1] + 1
    for place in np.flatnonzero(primitive["clear"] >= 0):
        row = members[draws + primitive["clear"][place]]
        row["first_primitive"], row["last_primitive"] = place, place + 1
    return members, np.concatenate([groups.draw["group"], groups.clear_group])


def _streams(frame: Any, draws: Array) -> tuple[Array, Array]:
    """Vertices of each batch; vertices that each primitive needs of its draw."""
    batch, primitive = frame.vertices.batch, frame.binning.primitive
    vertices = (batch["last_stream"] - batch["first_stream"]).astype(np.int32)
    needs = np.zeros(len(primitive), np.int32)
    for row in draws:
        mine = slice(row["first_primitive"], row["last_primitive"])
        if row["last_primitive"] > row["first_primitive"]:
            needs[mine] = primitive["stream_end"][mine] - batch["first_stream"][row["first_batch"]]
    return vertices, needs
