"""Narrow phase: GJK on the convex hulls of each overlapping pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .caches import Caches, Misses, Places
from .cpu import Cpu
from .gjk import intersection
from .hulls import Hulls
from .meshes import CollidingObject

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Narrow:
    """Outcome of the narrow phase of a frame, and its work.

    Parameters
    ----------
    intersect
        bool, shape (n,): verdict on each pair.
    iterations, segments, triangles, tetrahedra
        Iterations of GJK, and simplices whose nearest point was looked for.
    support_evaluations, vertices_read
        Searches for an object's farthest vertex, two per iteration, and vertices read by them.
    misses
        Of the caches.
    """

    intersect: Array
    iterations: int = 0
    segments: int = 0
    triangles: int = 0
    tetrahedra: int = 0
    support_evaluations: int = 0
    vertices_read: int = 0
    misses: Misses = Misses()


class NarrowPhase:
    """The narrow phase, and the hulls that it keeps.

    Parameters
    ----------
    cpu
        Which points are searched.
    caches, places
        Of the CPU.
    """

    def __init__(self, cpu: Cpu, caches: Caches, places: Places) -> None:
        self._cpu, self._caches, self._places = cpu, caches, places
        self._hulls = Hulls()

    def frame(self, objects: Sequence[CollidingObject], pairs: Array) -> Narrow:
        """Decide the pairs of a frame, shape (n, 2), as the broad phase found them."""
        self._hulls.next_frame()
        points = {i: self._points(objects[i]) for i in np.unique(pairs).tolist()}
        steps, read, misses, verdicts = np.zeros(4, np.int64), 0, Misses(), []
        for i, j in pairs.tolist():
            outcome = intersection(points[i], points[j])
            verdicts.append(outcome.intersect)
            steps += (outcome.iterations, outcome.segments, outcome.triangles, outcome.tetrahedra)
            read += outcome.iterations * (len(points[i]) + len(points[j]))
            runs = [self._place(objects[k], len(points[k])) for k in (i, j)]
            misses += self._caches.scan(np.array(runs * outcome.iterations))
        iterations, segments, triangles, tetrahedra = (int(count) for count in steps)
        return Narrow(
            np.array(verdicts, bool), iterations, segments, triangles, tetrahedra, 2 * iterations, read, misses
        )

    def _points(self, thing: CollidingObject) -> Array:
        if self._cpu.gjk_points == "all":
            return thing.positions
        return self._hulls.of(thing.shape, thing.positions)

    def _place(self, thing: CollidingObject, count: int) -> tuple[int, int]:
        """Lines of an object's points: a shape of its own, in the object's space, which stays where it is."""
        return self._places.of(("hull", thing.name), count * self._cpu.memory.vertex_bytes)
