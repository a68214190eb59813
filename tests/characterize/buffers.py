"""Blocks of buffers that a frame fetches vertices and indices from, found from a full activity draw by draw."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity import Activity
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.used_blocks import BUFFERS

BLOCK = 64
SIZES = {"BYTE": 1, "UNSIGNED_BYTE": 1, "SHORT": 2, "UNSIGNED_SHORT": 2, "HALF_FLOAT": 2, "FLOAT": 4, "FIXED": 4}
Blocks = dict[int, set[int]]


def check_buffers(activity: Path, counted: Path) -> None:
    """Compare the blocks of buffers of each frame, and how many of them are new, with those of an activity."""
    counts, recorded = Characterization(counted), Activity(activity)
    known: Blocks = {}
    for row in counts.frames.to_pylist():
        expected = blocks_of(recorded, row["frame"])
        assert found(counts, row["frame"]) == expected
        assert row["buffer_blocks"] == sum(map(len, expected.values())) > 0
        new = sum(len(numbers - known.get(buffer, set())) for buffer, numbers in expected.items())
        assert row["buffer_blocks_first_used"] == new
        for buffer, numbers in expected.items():
            known[buffer] = known.get(buffer, set()) | numbers


def found(counts: Characterization, frame: int) -> Blocks:
    """The blocks of a frame that a characterization has."""
    blocks = {}
    for row in counts.blocks(BUFFERS).filter(pa.compute.field("frame") == frame).to_pylist():
        bits = np.unpackbits(np.frombuffer(zlib.decompress(row["used"]), np.uint8), bitorder="little")
        blocks[row["buffer"]] = set(np.flatnonzero(bits).tolist())
    return blocks


def blocks_of(activity: Activity, frame: int) -> Blocks:
    """The blocks of a frame by an activity."""
    indices: dict[int, list[int]] = {}
    for row in activity.frame("vertices", frame, ["draw", "index"]).to_pylist():
        if row["index"] >= 0:
            indices.setdefault(row["draw"], []).append(row["index"])
    programs = {row["program"]: row for row in activity.table("programs").to_pylist()}
    blocks: Blocks = {}
    for draw in activity.frame("draws", frame).to_pylist():
        if draw["draw"] not in indices:
            continue
        read = {attribute["location"] for attribute in programs[draw["program"]]["attributes"]}
        for array in draw["attributes"]:
            if array["buffer"] is not None and array["location"] in read:
                element = SIZES[array["format"]] * array["components"]
                for step in _steps(array, indices[draw["draw"]], draw["instances"]):
                    first = array["offset_bytes"] + step * array["stride_bytes"]
                    _add(blocks, array["buffer"], first, first + element)
        if draw["index_bytes"] and draw["index_buffer"] is not None:
            first = draw["index_offset_bytes"]
            _add(blocks, draw["index_buffer"], first, first + draw["count"] * draw["index_bytes"])
    return blocks


def _steps(array: dict[str, Any], indices: list[int], instances: int) -> list[int]:
    """Elements of an array that are read."""
    return [n // array["divisor"] for n in range(instances)] if array["divisor"] else indices


def _add(blocks: Blocks, buffer: int, first: int, end: int) -> None:
    blocks.setdefault(buffer, set()).update(range(first // BLOCK, (end - 1) // BLOCK + 1))
