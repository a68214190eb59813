"""Blocks of texels that a frame reads, found from the reads of a full activity texel by texel."""

from __future__ import annotations

import zlib
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity import Activity
from tilegpu.functional.activity.kernels.cube import face_texel
from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.used_blocks import TEXELS

MARKED = 0.6
"""Least share of the blocks of a frame that one texel per quad reaches, where it reads ten or so."""
Blocks = dict[tuple[int, int], set[int]]
"""Numbers of blocks by surface and base level."""
LINE = 64


def check_blocks(activity: Path, counted: Path) -> None:
    """Blocks of each frame are some of those that the lanes of an activity read, and nearly all; how many are new."""
    counts, recorded = Characterization(counted), Activity(activity)
    surfaces = {row["surface"]: row for row in recorded.table("surfaces").to_pylist()}
    known: Blocks = {}
    for row in counts.frames.to_pylist():
        marked, read = found(counts, row["frame"]), blocks_of(recorded, surfaces, row["frame"])
        assert marked.keys() == read.keys()
        for texture, numbers in marked.items():
            assert numbers <= read[texture]
        assert row["texel_blocks"] == sum(map(len, marked.values())) >= MARKED * sum(map(len, read.values()))
        new = sum(len(numbers - known.get(texture, set())) for texture, numbers in marked.items())
        assert row["texel_blocks_first_used"] == new
        for texture, numbers in marked.items():
            known[texture] = known.get(texture, set()) | numbers
    assert sum(counts.frames["texel_blocks_first_used"].to_pylist()) == sum(map(len, known.values()))


def found(counts: Characterization, frame: int) -> Blocks:
    """The blocks of a frame that a characterization has."""
    blocks = {}
    for row in counts.blocks(TEXELS).filter(pa.compute.field("frame") == frame).to_pylist():
        bits = np.unpackbits(np.frombuffer(zlib.decompress(row["used"]), np.uint8), bitorder="little")
        assert row["blocks"] == bits.sum()
        blocks[row["surface"], row["first_level"]] = set(np.flatnonzero(bits).tolist())
    return blocks


def blocks_of(activity: Activity, surfaces: dict[int, Any], frame: int) -> Blocks:
    """The blocks of a frame by an activity."""
    draws = {row["draw"]: row for row in activity.frame("draws", frame).to_pylist()}
    draw_of_primitive = activity.frame("primitives", frame, ["draw"])["draw"].to_pylist()
    primitive_of_quad = activity.frame("quads", frame, ["primitive"])["primitive"].to_pylist()
    lanes = set()
    for row in activity.frame("texture_reads", frame).to_pylist():
        of = (
            draw_of_primitive[primitive_of_quad[row["quad"]]],
            row["sampler"],
            row["level"],
            row["layer"],
            row["linear"],
        )
        for lane in range(4):
            if (row["lanes"] | row["lanes"] >> 4) >> lane & 1:
                lanes.add((*of, *(row[c] + (row[f"d{c}_{lane}"] if lane else 0) for c in "xy")))
    blocks: Blocks = {}
    for draw, sampler, level, *read in lanes:
        stage_and_sampler = "fragment", sampler
        bound = next(b for b in draws[draw]["bindings"] if (b["stage"], b["sampler"]) == stage_and_sampler)
        numbers = blocks.setdefault((bound["surface"], bound["base_level"]), set())
        numbers |= _of_lane(surfaces[bound["surface"]], bound, level, *read)
    return {texture: numbers for texture, numbers in blocks.items() if numbers}


def _of_lane(surface: Any, bound: Any, level: int, layer: int, linear: bool, x: int, y: int) -> set[int]:
    size = surface["levels"][level]
    width, height, layers = size["width"], size["height"], _layers(surface, bound["base_level"], level)
    numbers, more = set(), range(2 if linear else 1)
    for slice_, across, down in product(more if surface["kind"] == "texture_3d" else [0], more, more):
        place, column, row = layer, x + across, y + down
        if surface["kind"] == "texture_cube":
            place, column, row = face_texel(layer, column, row, width)
        else:
            column, row = _inside(column, width, bound["wrap_s"]), _inside(row, height, bound["wrap_t"])
        if surface["kind"] == "texture_3d":
            place = _inside(layer + slice_, layers, bound["wrap_r"])
        # Beyond the corner of a cube there is no texel.
        if place >= 0:
            numbers.add(_number(surface, bound["base_level"], level, (place, row, column)))
    return numbers


def _layers(surface: Any, base_level: int, level: int) -> int:
    """Images of a level; slices of a volume halve as sides do."""
    layers = max(1, surface["layers"])
    return max(1, layers >> (level - base_level)) if surface["kind"] == "texture_3d" else layers


def _inside(texel: int, size: int, wrap: str) -> int:
    if wrap == "REPEAT":
        return texel % size
    if wrap == "MIRRORED_REPEAT":
        there_and_back = [*range(size), *reversed(range(size))]
        return there_and_back[texel % (2 * size)]
    return sorted((0, texel, size - 1))[1]


def _number(surface: Any, base_level: int, level: int, place: tuple[int, int, int]) -> int:
    """The number of a texel's block: blocks of the levels before, then layer by layer, row by row."""
    across, down = surface["block_width"], surface["block_height"]
    # As many blocks of the format as a line holds, doubled in turn across and down.
    stored = 1
    while stored < surface["block_bytes"]:
        stored *= 2
    while stored < LINE:
        across, stored = 2 * across, 2 * stored
        if stored < LINE:
            down, stored = 2 * down, 2 * stored
    first = 0
    for number in range(base_level, level + 1):
        size = surface["levels"][number]
        columns, rows = -(-size["width"] // across), -(-size["height"] // down)
        if number == level:
            layer, row, column = place
            return int(first + (layer * rows + row // down) * columns + column // across)
        first += _layers(surface, base_level, number) * columns * rows
    raise AssertionError("a level before the base level")
