"""Warps of vertices of a SIMT machine (Emerald, 3.3.3): primitives in the order of drawing share one as long as their
vertices fit; a vertex that primitives of two warps share is in both, so that each warp has all of its primitives'
vertices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled import kernel

Array = np.ndarray[Any, Any]


def corners_of(topology: str, count: int) -> Array:
    """Places in the stream of a draw's vertices that each assembled primitive has (OpenGL ES 3.0, 2.7).

    Returns
    -------
    numpy.ndarray
        int64, (primitives, 3): -1 for what a point or a line does not have.
    """
    if topology == "POINTS":
        s = np.arange(count)
        return np.stack([s, np.full(count, -1), np.full(count, -1)], axis=1)
    if topology in ("LINES", "LINE_STRIP", "LINE_LOOP"):
        n = {"LINES": count // 2, "LINE_STRIP": max(0, count - 1), "LINE_LOOP": count if count > 1 else 0}[topology]
        s = np.arange(n)
        first = 2 * s if topology == "LINES" else s
        return np.stack([first, (first + 1) % max(1, count), np.full(n, -1)], axis=1)
    if topology == "TRIANGLES":
        return np.arange(count // 3 * 3).reshape(-1, 3)
    s = np.arange(max(0, count - 2))
    return np.stack([s if topology == "TRIANGLE_STRIP" else np.zeros_like(s), s + 1, s + 2], axis=1)


@kernel
def fill_warps(corners: Any, key: Any, threads: int, warp: Any, lane: Any, lanes: Any, first_lane: Any) -> Any:
    """Put primitives into warps, in order; the number of warps and of their lanes."""
    warps, total, begin = 0, 0, 0
    for p in range(len(corners)):
        new = 0
        for c in range(3):
            if corners[p, c] >= 0 and _lane_of(key, corners, p, c, lanes, begin, total) < 0:
                new += 1
        if warps == 0 or total - begin + new > threads:
            first_lane[warps] = begin = total
            warps += 1
        warp[p] = warps - 1
        for c in range(3):
            lane[p, c] = 0
            if corners[p, c] < 0:
                continue
            lane_of_vertex = _lane_of(key, corners, p, c, lanes, begin, total)
            if lane_of_vertex < 0:
                lanes[total] = corners[p, c]
                lane_of_vertex = total - begin
                total += 1
            lane[p, c] = lane_of_vertex
    return warps, total


@kernel
def _lane_of(key: Any, corners: Any, p: int, c: int, lanes: Any, begin: int, total: int) -> int:
    """Lane of the warp at work that has a corner's vertex, or -1."""
    for i in range(begin, total):
        if key[lanes[i]] == key[corners[p, c]]:
            return i - begin
    return -1


def form_warps(corners: Array, key: Array, threads: int) -> tuple[Array, Array, Array, Array]:
    """Warps of one draw.

    Parameters
    ----------
    corners
        As `corners_of` gives them.
    key
        int64, (places in the stream,): equal for places that may share a lane.
    threads
        Threads of a warp.

    Returns
    -------
    numpy.ndarray, numpy.ndarray, numpy.ndarray, numpy.ndarray
        int64: the warp of each primitive, (primitives,); the lanes of its corners in it, (primitives, 3); places in the
        stream of all lanes, warp by warp; the first lane of each warp, and the number of all.
    """
    n = len(corners)
    warp, lane = np.zeros(n, np.int64), np.zeros((n, 3), np.int64)
    lanes, first = np.zeros(3 * n, np.int64), np.zeros(n + 1, np.int64)
    warps, total = fill_warps(corners, key, threads, warp, lane, lanes, first) if n else (0, 0)
    first[warps] = total
    return warp, lane, lanes[:total].copy(), first[: warps + 1].copy()


@kernel
def lines_of_loads(first_lane: Any, index: Any, attribute: Any, line_shift: int, first: Any, line: Any) -> Any:
    """Distinct lines that the lanes of each warp fetch of each attribute, in the order of the lanes; how many."""
    total, load = 0, 0
    for w in range(len(first_lane) - 1):
        for a in range(len(attribute)):
            first[load] = begin = total
            for i in range(first_lane[w], first_lane[w + 1]):
                address = attribute[a].address + attribute[a].stride_bytes * index[i]
                for number in range(address >> line_shift, (address + attribute[a].size_bytes - 1 >> line_shift) + 1):
                    repeated = False
                    for k in range(begin, total):
                        repeated |= line[k] == number << line_shift
                    if not repeated:
                        line[total] = number << line_shift
                        total += 1
            load += 1
    first[load] = total
    return total


def coalesced_loads(first_lane: Array, index: Array, attribute: Array, line_bytes: int) -> tuple[Array, Array]:
    """Lines of the loads of a draw's warps.

    Parameters
    ----------
    first_lane
        int64, (warps + 1,).
    index
        int64, (lanes,): the index that each lane's vertex has in the arrays.
    attribute
        Rows of `engine.frame.ATTRIBUTE`.
    line_bytes
        Size of a line.

    Returns
    -------
    numpy.ndarray, numpy.ndarray
        int64: the first line of each load, attribute by attribute for each warp, and the number of all; the lines.
    """
    loads = (len(first_lane) - 1) * len(attribute)
    widest = 1 + int(attribute["size_bytes"].max(initial=0)) // line_bytes + 1
    first, line = np.zeros(loads + 1, np.int64), np.zeros(len(index) * len(attribute) * widest + 1, np.int64)
    total = lines_of_loads(first_lane, index, attribute, line_bytes.bit_length() - 1, first, line)
    return first, line[:total].copy()
