"""Objects and draws that may change places, from the activity: objects, draws that hold their place, and where objects
lie in the tiles' lists."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...loading.source import need_hidden_quads
from ..shared.depth_ties import NO_PRIORITY, TOWARDS, may_move, priority_of
from . import perfect_order
from .parameters import MAX_NODES, Parameters
from .state import NAME, NO_NODE

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]

DRAW = np.dtype([("node", "i2"), ("movable", "i1"), ("priority", "i4"), ("group", "i4")], align=True)
"""`priority`: of `depth_ties`."""
GROUP = np.dtype([("segment", "i4"), ("node", "i2"), ("position", "i4")], align=True)
"""Primitives of a pass that stay together: of an object between two barriers, or of what holds its place.
`position`: in the order at work, which the machine fills in."""
RENDER_PASS = np.dtype(
    [("first_group", "i4"), ("last_group", "i4"), ("active", "i1"), ("first", "i1"), ("first_tile", "i4")], align=True
)
"""`active`: something can change places; `first`: of its frame."""
RUN = np.dtype([("group", "i4"), ("first_entry", "i4"), ("last_entry", "i4")], align=True)
"""Primitives of a group side by side in a tile's list."""
TILE = np.dtype([("first_run", "i4"), ("last_run", "i4"), ("render_pass", "i4"), ("groups", "i4")], align=True)


NAMED = np.dtype([("node", "i2"), ("pass", "i4"), ("object", "u8")], align=True)
"""Object of a pass, as the activity numbers both, and its node."""


class Tables(NamedTuple):
    """The technique's tables of a frame.

    `order`: runs of each tile in the order of fetching, which the machine fills in; `begins`: entries that are the
    first of their group in the tile; `slot`: which of the tile's groups an entry is of, in the order of their first
    entries; `tile_of`: its tile; `object`: nodes in program order; `perfect`: nodes in perfect order, where that is
    asked for; `named`: what they are in the activity.
    """

    draw: Array
    group: Array
    render_pass: Array
    run: Array
    tile: Array
    order: Array
    begins: Array
    slot: Array
    tile_of: Array
    object: Array
    perfect: Array
    named: Array


class Numbers:
    """Numbers of objects, which they keep from frame to frame: those that were not seen lately are given away."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[int, int, int], tuple[int, int]] = {}

    def number(self, key: tuple[int, int, int], frame: int) -> int:
        """Number of an object; NO_NODE where all of them are taken."""
        node, _ = self.nodes.get(key, (NO_NODE, 0))
        if node == NO_NODE:
            node = len(self.nodes)
            if node == MAX_NODES:
                oldest = min(self.nodes, key=lambda k: self.nodes[k][1])
                if self.nodes[oldest][1] >= frame - 1:
                    return NO_NODE
                node, _ = self.nodes.pop(oldest)
        self.nodes[key] = node, frame
        return node

    def named(self, nodes: Array) -> Array:
        """Names of nodes in the activity."""
        keys = {node: key for key, (node, _) in self.nodes.items()}
        rows = [(node, keys[node][0], keys[node][1]) for node in nodes.tolist()]
        return np.array(rows, NAMED)


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.loaded.Loaded`."""
    groups = find_groups(source, configuration, frame)
    tile = np.zeros(len(frame.tiling.tile), TILE)
    tile["render_pass"] = frame.tiling.tile["render_pass"]
    group_of, tile_of = _groups_of_entries(frame, groups.draw, groups.clear_group)
    runs, begins, slot = _runs(frame.tiling.tile, group_of, tile)
    order = np.zeros(len(runs), np.int32)
    return Tables(
        groups.draw, groups.group, groups.render_pass, runs, tile, order, begins, slot, tile_of, groups.object,
        groups.perfect, groups.named,
    )  # fmt: skip


class Groups(NamedTuple):
    """Groups of draws that may change places in a frame, on any machine; names as in `Tables`. `clear_group`: group of
    each clear."""

    draw: Array
    clear_group: Array
    group: Array
    render_pass: Array
    object: Array
    perfect: Array
    named: Array


def find_groups(source: Any, configuration: Hardware, frame: Any) -> Groups:
    """Find the groups of draws that may change places; ActivityError where the activity does not record enough."""
    need_hidden_quads(
        source.activity, "another order shades other quads than program order, and only those are recorded"
    )
    own = configuration.of(Parameters)
    numbers = source.carried.kept.setdefault(NAME, Numbers())
    draws, clear_group, groups, limits = _groups(source, own, numbers)
    nodes = groups["node"][groups["node"] != NO_NODE]
    _, first = np.unique(nodes, return_index=True)
    objects = nodes[np.sort(first)]
    perfect = np.zeros(0, np.int16)
    if own.order == "perfect":
        occlusions = perfect_order.occlusions(frame, draws, objects, configuration)
        perfect = np.array(perfect_order.order(objects.tolist(), occlusions), np.int16)
    named = numbers.named(objects)
    return Groups(draws, clear_group, groups, _pass_rows(frame, groups, limits), objects, perfect, named)


def _pass_rows(frame: Any, groups: Array, limits: Array) -> Array:
    """Passes with their groups."""
    render_pass = frame.commands.render_pass
    rows = np.zeros(len(render_pass), RENDER_PASS)
    # What is moved after the last pass makes one more, which draws nothing.
    limits = np.append(limits, np.full(len(rows) + 1 - len(limits), limits[-1]))
    rows["first_group"], rows["last_group"] = limits[:-1], limits[1:]
    for p, row in enumerate(rows):
        segment = groups[row["first_group"] : row["last_group"]]
        movable = segment["segment"][segment["node"] != NO_NODE]
        row["active"] = len(movable) > len(np.unique(movable))
        row["first"] = p == 0 or render_pass["frame"][p] != render_pass["frame"][p - 1]
        row["first_tile"] = render_pass["first_tile"][p]
    return rows


@dataclass
class Grouping:
    """Groups of a frame while they are found, in program order."""

    groups: list[tuple[int, int, int]] = field(default_factory=list)
    segment: int = -1
    kind: int | None = None
    group_of: dict[int, int] = field(default_factory=dict)

    def begin_pass(self) -> None:
        """Nothing goes on from pass to pass."""
        self.segment, self.kind = -1, None

    def group(self, kind: int, node: int, key: int) -> int:
        """Group of a draw: of the segment at work if it is of the same kind, else of a new one."""
        if kind != self.kind:
            self.segment, self.kind, self.group_of = self.segment + 1, kind, {}
        if key not in self.group_of:
            self.group_of[key] = len(self.groups)
            self.groups.append((self.segment, node, 0))
        return self.group_of[key]


FIXED, CLEARING = 0, 2
"""Kinds of segments in addition to those of `TOWARDS`."""


def _groups(source: Any, own: Any, numbers: Numbers) -> tuple[Array, Array, Array, Array]:
    """Draws with their groups, the group of each clear, groups in program order, the first of each pass and the end."""
    rows, clears = source.draws.rows, source.passes.clears
    draws, clear_group = np.zeros(len(rows), DRAW), np.zeros(len(clears), np.int32)
    grouping, limits = Grouping(), [0]
    steps = sorted(
        [(row["event"], row["pass"], place, -1) for place, row in enumerate(rows)]
        + [(event, source.passes.rows[p]["pass"], -1, clear) for clear, (event, p) in enumerate(clears)]
    )
    for number, row in enumerate(source.passes.rows):
        grouping.begin_pass()
        sorts = own.sorted_passes == "all" or source.draws_screen(row)
        counts: Counter[int] = Counter()
        for _, _, place, clear in (step for step in steps if step[1] == row["pass"]):
            if clear >= 0:
                grouping.kind = None
                clear_group[clear] = grouping.group(CLEARING, NO_NODE, NO_NODE)
                grouping.kind = None
                continue
            drawn, constraint = rows[place], int(source.draws.state[place]["constraint"])
            movable = sorts and may_move(drawn, constraint)
            node = NO_NODE
            if movable:
                counts[drawn["object"]] += 1
                which = counts[drawn["object"]] if own.objects == "draw" else 0
                node = numbers.number((number, int(drawn["object"]), which), source.frame)
            # An object beyond the graph has a group of its own.
            key = -2 - place if movable and node == NO_NODE else node
            group = grouping.group(TOWARDS[drawn["depth_function"]] if movable else FIXED, node, key)
            draws[place] = node, movable, priority_of(place, constraint) if movable else NO_PRIORITY, group
        limits.append(len(grouping.groups))
    return draws, clear_group, np.array(grouping.groups, GROUP), np.array(limits, np.int64)


def _groups_of_entries(frame: Any, draws: Array, clear_group: Array) -> tuple[Array, Array]:
    """Group of each entry of the tiles' lists; its tile."""
    tiles, entry = frame.tiling.tile, frame.tiling.entry
    counts = tiles["last_entry"].astype(np.int64) - tiles["first_entry"]
    order = np.argsort(tiles["first_entry"], kind="stable")
    tile_of = np.repeat(order, counts[order])[: len(entry)].astype(np.int32)
    primitive = frame.tiling.primitive[entry["primitive"]]
    group = np.zeros(len(entry), np.int32)
    drawn = primitive["clear"] < 0
    group[drawn] = draws["group"][primitive["state"][drawn]]
    group[~drawn] = clear_group[primitive["clear"][~drawn]]
    return group, tile_of


def _runs(tiles: Array, group_of: Array, tile: Array) -> tuple[Array, Array, Array]:
    """Runs of the tiles' lists, tile by tile as they lie; which entries begin their group in the tile; its slot."""
    begins, slot_of_run = np.zeros(len(group_of), np.int8), []
    limits = np.zeros(len(group_of) + 1, bool)
    limits[tiles["first_entry"]] = True
    limits[tiles["last_entry"]] = True
    limits[1:-1] |= group_of[1:] != group_of[:-1]
    first = np.flatnonzero(limits[:-1])
    runs = np.zeros(len(first), RUN)
    runs["group"], runs["first_entry"] = group_of[first], first
    runs["last_entry"] = np.append(first[1:], len(group_of)) if len(first) else first
    tile["first_run"] = np.searchsorted(first, tiles["first_entry"])
    tile["last_run"] = np.searchsorted(first, tiles["last_entry"])
    for row in tile:
        tile_runs = runs[row["first_run"] : row["last_run"]]
        _, once, which = np.unique(tile_runs["group"], return_index=True, return_inverse=True)
        begins[tile_runs["first_entry"][once]] = 1
        slot_of_run.append(np.argsort(np.argsort(once))[which])
        row["groups"] = len(once)
    slots = np.concatenate([*slot_of_run, np.zeros(0, np.int64)]).astype(np.int16)
    order = np.concatenate([np.arange(row["first_run"], row["last_run"]) for row in tile] or [np.zeros(0, np.int64)])
    slot = np.zeros(len(runs), np.int16)
    slot[order] = slots
    return runs, begins, np.repeat(slot, runs["last_entry"] - runs["first_entry"])
