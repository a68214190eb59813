"""Perfect object order (4.2.4): what a greedy algorithm makes of all occlusions of the frame itself, as a bound.

Every edge carries how many samples of one object hide samples of another. From the most to the fewest, an edge is kept
where it closes no cycle; what is left is sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.tiles import Tiles

from ...loading.compiled import helper, kernel

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]
Edge = tuple[int, int]

NO_OBJECT = -1


def order(objects: Iterable[int], occlusions: Mapping[Edge, int]) -> list[int]:
    """Objects from front to back.

    Parameters
    ----------
    objects
        In program order.
    occlusions
        Samples of the second object that the first one hides, by both.
    """
    listed = list(objects)
    children: dict[int, list[int]] = {node: [] for node in listed}
    for (front, behind), _ in sorted(occlusions.items(), key=lambda item: -item[1]):
        if not _reaches(children, behind, front):
            children[front].append(behind)
    degrees = dict.fromkeys(listed, 0)
    for node in listed:
        for child in children[node]:
            degrees[child] += 1
    roots, ordered = [node for node in listed if degrees[node] == 0], []
    while roots:
        node = roots.pop(0)
        ordered.append(node)
        for child in children[node]:
            degrees[child] -= 1
            if degrees[child] == 0:
                roots.append(child)
    return ordered


def _reaches(children: Mapping[int, list[int]], start: int, goal: int) -> bool:
    """Whether there is a way from one object to another."""
    seen, pending = {start}, [start]
    while pending:
        node = pending.pop()
        if node == goal:
            return True
        pending += [child for child in children[node] if child not in seen]
        seen.update(children[node])
    return False


def occlusions(frame: Any, draws: Array, objects: Array, configuration: Hardware) -> dict[Edge, int]:
    """Findings of depth tests in program order about a frame: pairs of objects and their samples, in the order of
    objects.

    Parameters
    ----------
    frame
        Tables of the frame.
    draws
        Rows of `tables.DRAW`.
    objects
        Numbers of the frame's objects, in program order.
    configuration
        Hardware: size of the tiles; a machine without any has a pass in one.
    """
    local = np.full(int(objects.max(initial=-1)) + 1, NO_OBJECT, np.int64)
    local[objects] = np.arange(len(objects))
    of_draw = np.where(draws["node"] >= 0, local[np.maximum(draws["node"], 0)] if len(local) else NO_OBJECT, NO_OBJECT)
    counts = np.zeros((len(objects), len(objects)), np.int64)
    depth, tiling, tile = frame.depth, frame.tiling, frame.commands.tile
    passes = frame.commands.render_pass[tiling.tile["render_pass"]]
    samples = passes["samples"].astype(np.int64)
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    if configuration.machine == "immediate":
        width, height = int(passes["width"].max(initial=1)), int(passes["height"].max(initial=1))
    held = np.empty(width * height * int(samples.max(initial=1)), np.int64)
    writes = (depth.state["depth_test"] != 0) & (depth.state["depth_write"] != 0)
    x, y = tile["x"].astype(np.int64), tile["y"].astype(np.int64)
    lists = Lists(tiling.tile, tiling.entry, tiling.primitive, depth.quad, depth.clear)
    _count(lists, Screen(x, y, samples, width, height), of_draw, writes, held, counts)
    pairs = np.argwhere(counts)
    return {(int(objects[a]), int(objects[b])): int(counts[a, b]) for a, b in pairs}


class Lists(NamedTuple):
    """The tiles' lists of primitives, and what these are of."""

    tiles: Any
    entries: Any
    primitives: Any
    quads: Any
    clears: Any


class Screen(NamedTuple):
    """Left and bottom pixel and samples per pixel of each tile; width and height of all of them in pixels."""

    x: Any
    y: Any
    samples: Any
    width: int
    height: int


@helper
def forget(clear: Any, screen: Screen, tile: int, held: Any) -> None:
    """Forget what was drawn before a clear of the depths: it hides nothing any more, nor is it hidden."""
    if clear.depth_write == 0:
        return
    x0, y0, samples = screen.x[tile], screen.y[tile], screen.samples[tile]
    for y in range(max(0, clear.y - y0), min(screen.height, clear.y + clear.height - y0)):
        for x in range(max(0, clear.x - x0), min(screen.width, clear.x + clear.width - x0)):
            for sample in range(samples):
                held[(y * screen.width + x) * samples + sample] = NO_OBJECT


@kernel
def _count(lists: Lists, screen: Screen, of_draw: Any, writes: Any, held: Any, counts: Any) -> None:
    """Go through the tiles with the outcomes of program order; `held`: object that a tile's sample has."""
    entries = lists.entries
    for tile in range(len(lists.tiles)):
        held[:] = NO_OBJECT
        per_pixel = screen.samples[tile]
        for e in range(lists.tiles[tile].first_entry, lists.tiles[tile].last_entry):
            primitive = lists.primitives[entries[e].primitive]
            if primitive.clear >= 0:
                forget(lists.clears[primitive.clear], screen, tile, held)
                continue
            node = of_draw[primitive.state]
            for q in range(entries[e].first_quad, entries[e].last_quad):
                quad = lists.quads[q]
                tested = quad.coverage & ~quad.discarded
                for bit in range(4 * per_pixel):
                    if tested >> bit & 1 == 0:
                        continue
                    x = quad.x * 2 + (bit & 1) - screen.x[tile]
                    y = quad.y * 2 + (bit >> 1 & 1) - screen.y[tile]
                    place = (y * screen.width + x) * per_pixel + (bit >> 2)
                    passed = quad.depth_pass >> bit & 1
                    other = held[place]
                    if node != NO_OBJECT and other != NO_OBJECT and node != other:
                        if passed:
                            counts[node, other] += 1
                        else:
                            counts[other, node] += 1
                    if passed and writes[primitive.state]:
                        held[place] = node
