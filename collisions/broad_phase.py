"""Broad phase: a bounding box per object and frame, then which boxes overlap.

The thesis of 2018 gives a collision algorithm the meshes in world space (5.2.8), so a box is made anew in every frame
from all vertices of its object. Boxes that touch overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .caches import Caches, Misses, Places
from .cpu import Cpu
from .meshes import CollidingObject

Array = np.ndarray[Any, Any]
SCANS_OF_SUPPORT = 6


@dataclass(frozen=True)
class Broad:
    """Outcome of the broad phase of a frame, and its work.

    Parameters
    ----------
    pairs
        int64, shape (n, 2): places of the two objects in the frame, the smaller first, ascending.
    vertices_read
        Vertices read for bounding boxes.
    pairs_tested, comparisons
        Pairs whose boxes were looked at, and comparisons of two sides.
    node_accesses
        Reads and writes of a proxy, which holds a bounding box.
    moves
        Places that end points moved by in the sorted list.
    misses
        Of the caches.
    """

    pairs: Array
    vertices_read: int
    pairs_tested: int
    comparisons: int
    node_accesses: int
    moves: int
    misses: Misses


def bounding_boxes(objects: Sequence[CollidingObject]) -> tuple[Array, Array]:
    """Least and largest corner of each object, float32, each of shape (n, 3)."""
    low = np.array([thing.positions.min(0) for thing in objects], np.float32).reshape(-1, 3)
    high = np.array([thing.positions.max(0) for thing in objects], np.float32).reshape(-1, 3)
    return low, high


def tests(low: Array, high: Array, i: int, others: Array) -> tuple[Array, int]:
    """One box against others: which overlap, and comparisons until the first that fails, six at most."""
    each = [
        test for axis in range(3) for test in (low[i, axis] <= high[others, axis], low[others, axis] <= high[i, axis])
    ]
    passed = np.logical_and.accumulate(np.array(each).reshape(6, -1), 0)
    return passed[-1], len(others) + int(passed[:-1].sum())


class BroadPhase:
    """The broad phase, and what it keeps from frame to frame: the order along x.

    Parameters
    ----------
    cpu
        How boxes are made and pairs found.
    caches, places
        Of the CPU.
    """

    def __init__(self, cpu: Cpu, caches: Caches, places: Places) -> None:
        self._cpu, self._caches, self._places = cpu, caches, places
        self._order: list[str] = []

    def frame(self, objects: Sequence[CollidingObject]) -> Broad:
        """Find the overlapping pairs of a frame."""
        proxies = self._proxies(len(objects))
        misses = self._update(objects, proxies)
        outcome = (self._all_pairs if self._cpu.broad_phase == "all-pairs" else self._sweep)(objects, proxies)
        return Broad(
            outcome.pairs,
            sum(self._read(len(thing.positions)) for thing in objects),
            outcome.pairs_tested,
            outcome.comparisons,
            outcome.node_accesses + len(objects),
            outcome.moves,
            misses + outcome.misses,
        )

    def _proxies(self, count: int) -> Array:
        """Lines of each proxy, as runs."""
        size, line = self._cpu.memory.proxy_bytes, self._cpu.memory.line_bytes
        first, _ = self._places.of("proxies", count * size)
        at = np.arange(count, dtype=np.int64) * size
        return np.stack([first + at // line, (at + size - 1) // line - at // line + 1], 1)

    def _read(self, vertices: int) -> int:
        """Vertices read for the box of an object with this many vertices."""
        if self._cpu.bounding_box == "per-vertex":
            return SCANS_OF_SUPPORT * vertices * (vertices + 1) // 2
        return vertices * (SCANS_OF_SUPPORT if self._cpu.bounding_box == "support" else 1)

    def _update(self, objects: Sequence[CollidingObject], proxies: Array) -> Misses:
        memory, total = self._cpu.memory, Misses()
        for thing, proxy in zip(objects, proxies, strict=True):
            size = len(thing.positions) * memory.vertex_bytes
            fresh = memory.placement == "fresh"
            place = self._places.fresh(size) if fresh else self._places.of(("vertices", thing.name), size)
            if self._cpu.bounding_box == "per-vertex":
                total += self._growing(place)
            else:
                scans = self._read(len(thing.positions)) // len(thing.positions)
                total += self._caches.scan(np.array([place] * scans))
            total += self._caches.scan(proxy[None])
        return total

    def _growing(self, place: tuple[int, int]) -> Misses:
        """Scan the first line, the first two, and so on, six times for each vertex in the last."""
        first, lines = place
        memory, total = self._cpu.memory, Misses()
        again = SCANS_OF_SUPPORT * max(1, memory.line_bytes // memory.vertex_bytes) - 1
        for count in range(1, lines + 1):
            total += self._caches.scan(np.array([(first, count)]))
            # From the second scan of the same lines on, each misses what the one before it missed.
            steady = self._caches.scan(np.array([(first, count)]))
            total += Misses(again * steady.l1, again * steady.l2)
        return total

    def _all_pairs(self, objects: Sequence[CollidingObject], proxies: Array) -> Broad:
        low, high = bounding_boxes(objects)
        pairs, misses, comparisons, tested = [], Misses(), 0, 0
        for i in range(len(objects) - 1):
            others = np.arange(i + 1, len(objects))
            overlap, compared = tests(low, high, i, others)
            misses += self._caches.scan(proxies[i:])
            pairs.append(np.stack([np.full(int(overlap.sum()), i), others[overlap]], 1))
            comparisons += compared
            tested += len(others)
        return Broad(_sorted(pairs), 0, tested, comparisons, tested + max(0, len(objects) - 1), 0, misses)

    def _sweep(self, objects: Sequence[CollidingObject], proxies: Array) -> Broad:
        low, high = bounding_boxes(objects)
        order, moves = self._resort([thing.name for thing in objects], low[:, 0])
        starts = low[order, 0]
        pairs, misses, comparisons, tested, accesses = [], Misses(), max(0, len(order) - 1) + moves, 0, 0
        for place, i in enumerate(order):
            # All that begin before this one ends, and the one after them, which ends the search.
            end = int(np.searchsorted(starts, high[i, 0], "right"))
            others = order[place + 1 : end]
            looked_at = order[place + 1 : end + 1]
            overlap, compared = tests(low, high, i, others)
            # That the two overlap along x is known: two comparisons less.
            comparisons += len(looked_at) + compared - 2 * len(others)
            misses += self._caches.scan(proxies[order[place : end + 1]])
            pairs.append(np.sort(np.stack([np.full(int(overlap.sum()), i), others[overlap]], 1), 1))
            tested += len(others)
            accesses += 1 + len(looked_at)
        return Broad(_sorted(pairs), 0, tested, comparisons, accesses, moves, misses)

    def _resort(self, names: list[str], starts: Array) -> tuple[Array, int]:
        """Order by the least x, and how many places an insertion sort moves from the order of the frame before."""
        places = {name: place for place, name in enumerate(self._order)}
        before = sorted(range(len(names)), key=lambda i: places.get(names[i], len(places) + i))
        along = starts[before]
        moves = sum(int((along[:i] > along[i]).sum()) for i in range(1, len(along)))
        order = np.array(before, np.int64)[np.argsort(along, kind="stable")]
        self._order = [names[i] for i in order]
        return order, moves


def _sorted(pairs: list[Array]) -> Array:
    """All pairs, ascending."""
    joined = np.concatenate([np.zeros((0, 2), np.int64), *pairs]).astype(np.int64)
    return joined[np.lexsort((joined[:, 1], joined[:, 0]))]
