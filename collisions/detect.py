"""Collision detection on the CPU, frame by frame: pairs, what they took, time and energy.

Equations 5.1 and 5.2 of the thesis of 2018 set the GPU's extra time and energy against the CPU's: those of the broad
phase alone, or of both phases together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tilegpu.timing.loading.chosen_frames import check_frames
from tilegpu.timing.loading.source import Activity

from .broad_phase import Broad, BroadPhase
from .caches import Caches, Places
from .core import Work
from .cpu import Cpu
from .detection import Detection, FrameDetection, Options, Pair, Phase
from .meshes import CollidingObject, Meshes
from .narrow_phase import Narrow, NarrowPhase

OnFrame = Callable[[int, int], None]
"""Called with how much is done, and how much there is to do."""


def detect(
    folder: Path, options: Options | None = None, on_frame: OnFrame | None = None, chosen: Sequence[int] | None = None
) -> Detection:
    """Detect the collisions of every frame of an activity.

    Parameters
    ----------
    folder
        Recorded with the group `inputs` and collisionable objects.
    options
        What is detected, and on what; by default both phases on the thesis' CPU.
    on_frame
        Called with the frames that are done, and all of them.
    chosen
        Recorded frames, ascending; all by default.

    Raises
    ------
    ActivityError
        If the activity does not record what is needed.
    UserError
        If the energy tables do not cover the CPU's caches.
    """
    options = options or Options()
    activity = Activity(folder)
    detector = Detector(options)
    frames = []
    numbers = list(activity.frames) if chosen is None else list(chosen)
    check_frames(numbers, activity.frames)
    if on_frame:
        on_frame(0, len(numbers))
    meshes = Meshes(activity, options.world_matrix, options.position, options.grouping)
    for number, objects in meshes.frames():
        if number not in numbers:
            continue
        frames.append(detector.frame(number, objects))
        if on_frame:
            on_frame(len(frames), len(numbers))
    return Detection(activity.manifest.source_name, options, tuple(frames))


class Detector:
    """The CPU at work: detects frame by frame; its caches and hulls last."""

    def __init__(self, options: Options) -> None:
        self._options = options
        caches, places = Caches(options.cpu.memory), Places(options.cpu.memory)
        self._broad = BroadPhase(options.cpu, caches, places)
        self._narrow = NarrowPhase(options.cpu, caches, places)

    def frame(self, number: int, objects: tuple[CollidingObject, ...]) -> FrameDetection:
        """Detect the collisions of a frame."""
        cpu = self._options.cpu
        broad = self._broad.frame(objects)
        narrow = self._narrow.frame(objects, broad.pairs if self._options.narrow else broad.pairs[:0])
        verdicts = narrow.intersect.tolist() if self._options.narrow else [None] * len(broad.pairs)
        pairs = tuple(
            Pair(objects[i].name, objects[j].name, True, verdict)
            for (i, j), verdict in zip(broad.pairs.tolist(), verdicts, strict=True)
        )
        return FrameDetection(
            number,
            len(objects),
            sum(len(thing.positions) for thing in objects),
            pairs,
            _counts(broad, narrow),
            Phase.of(_broad_work(broad, len(objects), cpu), cpu),
            Phase.of(_narrow_work(narrow), cpu),
        )


def _broad_work(broad: Broad, objects: int, cpu: Cpu) -> Work:
    scan = "aabb_vertex" if cpu.bounding_box == "min-max" else "support_vertex"
    operations = {
        "object_update": objects,
        scan: broad.vertices_read,
        "pair": broad.pairs_tested,
        "comparison": broad.comparisons,
        "sort_move": broad.moves,
        "overlap": len(broad.pairs),
    }
    return Work(operations, broad.misses)


def _narrow_work(narrow: Narrow) -> Work:
    operations = {
        "narrow_pair": len(narrow.intersect),
        "gjk_iteration": narrow.iterations,
        "support_vertex": narrow.vertices_read,
        "segment": narrow.segments,
        "triangle": narrow.triangles,
        "tetrahedron": narrow.tetrahedra,
    }
    return Work(operations, narrow.misses)


def _counts(broad: Broad, narrow: Narrow) -> dict[str, int]:
    """Counts by phase and name."""
    return {
        "broad_vertices_read": broad.vertices_read,
        "broad_pairs_tested": broad.pairs_tested,
        "broad_comparisons": broad.comparisons,
        "broad_node_accesses": broad.node_accesses,
        "broad_moves": broad.moves,
        "broad_pairs": len(broad.pairs),
        "broad_l1_misses": broad.misses.l1,
        "broad_l2_misses": broad.misses.l2,
        "narrow_pairs": int(np.count_nonzero(narrow.intersect)),
        "narrow_iterations": narrow.iterations,
        "narrow_support_evaluations": narrow.support_evaluations,
        "narrow_vertices_read": narrow.vertices_read,
        "narrow_segments": narrow.segments,
        "narrow_triangles": narrow.triangles,
        "narrow_tetrahedra": narrow.tetrahedra,
        "narrow_l1_misses": narrow.misses.l1,
        "narrow_l2_misses": narrow.misses.l2,
    }
