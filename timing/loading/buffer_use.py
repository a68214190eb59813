"""Bytes of buffers that a frame's draws use as vertices and indices: a plain reading of the activity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from .source import Activity, numbers

Array = np.ndarray[Any, Any]
FORMAT_BYTES = {
    "BYTE": 1, "UNSIGNED_BYTE": 1, "SHORT": 2, "UNSIGNED_SHORT": 2, "HALF_FLOAT": 2, "HALF_FLOAT_OES": 2, "INT": 4,
    "UNSIGNED_INT": 4, "FLOAT": 4, "FIXED": 4,
}  # fmt: skip
PACKED_BYTES = 4
"""Of all components together, in the formats that pack them."""


class BufferUse(NamedTuple):
    """Different bytes of a buffer that draws take, and those of the cache lines with any of them."""

    used_bytes: int
    line_bytes: int


def buffer_use(activity: Activity, frame: int, sizes_bytes: Mapping[int, int], line_bytes: int) -> dict[int, BufferUse]:
    """Different bytes that the draws of a frame take from buffers as vertices and indices.

    Parameters
    ----------
    activity, frame
        Which frame.
    sizes_bytes
        Sizes of the buffers that are asked for.
    line_bytes
        Of a cache line; buffers begin with one.
    """
    used: dict[int, Array] = {}

    def mask_of(buffer: int | None) -> Array | None:
        if buffer is None or buffer not in sizes_bytes:
            return None
        if buffer not in used:
            used[buffer] = np.zeros(sizes_bytes[buffer], bool)
        return used[buffer]

    names = ["draw", "index_bytes", "index_buffer", "index_offset_bytes", "count", "instances", "attributes"]
    vertices = activity.frame("vertices", frame, ["draw", "index"])
    vertices = vertices.filter(pc.greater_equal(vertices["index"], 0))
    drawn, index = (np.asarray(numbers(vertices, name)) for name in ("draw", "index"))
    order = np.argsort(drawn, kind="stable")
    drawn, index = drawn[order], index[order]
    for row in activity.frame("draws", frame, names).to_pylist():
        indices = mask_of(row["index_buffer"])
        if indices is not None:
            first = row["index_offset_bytes"] or 0
            indices[first : first + row["count"] * row["index_bytes"]] = True
        begin, end = np.searchsorted(drawn, [row["draw"], row["draw"] + 1])
        of_draw = np.unique(index[begin:end])
        for attribute in row["attributes"]:
            mask = mask_of(attribute["buffer"])
            if mask is not None:
                divisor = attribute["divisor"]
                _mark(mask, attribute, np.arange(-(-row["instances"] // divisor)) if divisor else of_draw)
    return {
        buffer: BufferUse(int(mask.sum()), len(np.unique(np.flatnonzero(mask) // line_bytes)) * line_bytes)
        for buffer, mask in used.items()
    }


def _mark(mask: Array, attribute: Mapping[str, Any], elements: Array) -> None:
    """Mark the bytes of some elements of an array of vertices."""
    component = FORMAT_BYTES.get(attribute["format"])
    size = PACKED_BYTES if component is None else component * attribute["components"]
    first = attribute["offset_bytes"] + elements * (attribute["stride_bytes"] or size)
    places = (first[:, None] + np.arange(size)).ravel()
    mask[places[places < len(mask)]] = True
