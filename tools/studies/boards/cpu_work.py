"""Work of the CPU in a scene: draws, vertices that the application writes anew."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tilegpu.functional.activity.reader import Activity

from ..measured import Measured

MAX_DRAWS, MAX_WRITTEN_BYTES = 100, 100_000
"""Draws, and bytes of vertices, beyond which the CPU may bound a scene, decided before any prediction was made."""
MIN_REWRITTEN = 1000
"""Vertices per frame from which on writing them is counted."""


class CpuWork(NamedTuple):
    """Per frame: draws, bytes of vertices and indices that the CPU writes, and vertices of draws from buffers that the
    application changed in the same frame."""

    draws: float
    written_bytes: float
    rewritten_vertices: float


def cpu_work(m: Measured, workload: str) -> CpuWork:
    """Work of the CPU per frame."""
    activity = m.activity(workload)
    return _cpu_work(activity.folder, tuple(m.counted_frame_numbers(workload)))


def rewritten_vertices(m: Measured, workload: str) -> float:
    """Vertices per frame that the application writes anew."""
    return cpu_work(m, workload).rewritten_vertices


def draws_of(m: Measured, workload: str) -> float:
    """Draws per frame."""
    return cpu_work(m, workload).draws


@lru_cache(maxsize=1024)
def _cpu_work(folder: Path, counted: tuple[int, ...]) -> CpuWork:
    activity = Activity(folder)
    events = activity.table("events", ["frame", "event", "kind", "buffer", "size_bytes"]).to_pylist()
    mine = [event for event in events if event["frame"] in counted]
    draws = sum(event["kind"] == "draw" for event in mine)
    written = sum(event["size_bytes"] or 0 for event in mine if event["kind"] == "buffer_update")
    changed = {(event["frame"], event["buffer"]) for event in mine if event["kind"] == "buffer_update"}
    # Arrays that are no buffer objects are handed over with each draw.
    first, last = mine[0]["event"], mine[-1]["event"]
    for buffer in activity.table("buffers").to_pylist():
        if buffer["usage"] == "CLIENT" and first <= buffer["first_event"] <= last:
            written += buffer["size_bytes"]
    vertices = 0
    for draw in activity.table("draws", ["frame", "count", "instances", "attributes"]).to_pylist():
        arrays = {(draw["frame"], a["buffer"]) for a in draw["attributes"] or () if a["buffer"] is not None}
        vertices += draw["count"] * draw["instances"] if arrays & changed else 0
    frames = len(counted)
    return CpuWork(draws / frames, written / frames, vertices / frames)
