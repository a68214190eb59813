"""Properties that no twin is solved for, beside applications: reuse of texels, sizes of primitives,
unevenness of tiles.

A twin that meets the columns of a table may still be unlike a game in what the table does not tell. These columns are
measured of twins and of captures of applications alike, from the activity, and shown side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tilegpu.functional.activity.reader import Activity
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.config.load import load_configuration
from tilegpu.timing.engine.frame import Frame
from tilegpu.timing.loading.compiled import kernel
from tilegpu.timing.loading.source import numbers
from tilegpu.timing.results.draw_counts import Lengths, draw_counts, lanes_of
from tilegpu.timing.results.hidden_fragments import hidden_lanes

Array = np.ndarray[Any, Any]
NEAR, FAR, NEVER = 128, 4096, 1 << 40
TILE = 32
SCREEN_PIXELS = 1280 * 720
"""Sizes of primitives are scaled to a screen of so many pixels, by area."""


@dataclass(frozen=True)
class Unsolved:
    """A column: name in results, head in tables, what it is."""

    name: str
    head: str
    description: str


COLUMNS = (
    Unsolved(
        "near_reuse",
        "reuse below 128",
        "reads of texels' blocks (64 bytes) that find the block among the 128 read last, as many as a texture cache of"
        " 8 KiB holds; neighbours are counted once, and tiles follow each other row by row",
    ),
    Unsolved("far_reuse", "reuse beyond 4096", "reads of blocks used in the frame before the 4,096 read last"),
    Unsolved("small_primitive", "10 %", "fragments of a primitive that is larger than a tenth of those that have any"),
    Unsolved("middle_primitive", "50 %", "fragments of the primitive in the middle"),
    Unsolved("large_primitive", "90 %", "fragments of a primitive that is larger than nine tenths"),
    Unsolved(
        "hidden_busiest_tenth",
        "hidden in a tenth",
        "share of the fragments that are shaded and then hidden by another object in the tenth of the tiles that has"
        " most of them",
    ),
    Unsolved("variation_of_tiles", "variation", "coefficient of variation of the fragment instructions per tile"),
    Unsolved("busiest_tenth", "busiest tenth", "share of the fragment instructions in a tenth of the tiles"),
)


def unsolved(folder: Path) -> dict[str, float]:
    """The columns of an activity, means over its frames."""
    loader = Loader(folder, load_configuration("ptr-2022"))
    activity = Activity(folder)
    lengths = Lengths(activity)
    rows = [
        reuse(loader.load(frame)) | _primitives(activity, frame) | _tiles(activity, frame, lengths)
        for frame in loader.frames
    ]
    return {c.name: _mean([row[c.name] for row in rows]) for c in COLUMNS}


def _mean(values: list[float]) -> float:
    """Mean of those that there are; NaN without any."""
    there = [value for value in values if not np.isnan(value)]
    return float(np.mean(there)) if there else float("nan")


def reuse(frame: Frame) -> dict[str, float]:
    """Shares of the reads of blocks by how many different blocks were read since."""
    line = blocks_in_order(frame)
    line = line[np.concatenate([[True], line[1:] != line[:-1]])] if len(line) else line
    if not len(line):
        return {"near_reuse": float("nan"), "far_reuse": float("nan")}
    distance = distances(line)
    far = (distance >= FAR) & (distance < NEVER)
    return {"near_reuse": float((distance < NEAR).mean()), "far_reuse": float(far.mean())}


def blocks_in_order(frame: Frame) -> Array:
    """Blocks that the quads read, in the order of tiles and of their lists."""
    entry, quad, operation = frame.tiling.entry, frame.shading.quad, frame.texturing.operation
    first, last = entry["first_quad"].astype(np.int64), entry["last_quad"].astype(np.int64)
    quads = _ranges(first, last)
    quads = quads[(quad["path"][quads] >= 0) & (quad["depth_pass"][quads] != 0)]
    begins = quad["operation"].astype(np.int64)
    streams = frame.shading.stream["operation"]
    end = int(streams[0] if len(streams) else 0) or len(operation)
    ends = np.append(begins[1:], end)
    operations = _ranges(begins[quads], np.maximum(ends, begins)[quads])
    low = operation["first_line"].astype(np.int64)
    lines = _ranges(low[operations], low[operations] + operation["lines"].astype(np.int64)[operations])
    return np.asarray(frame.texturing.line)[lines]


def _ranges(first: Array, last: Array) -> Array:
    """Whole numbers from each first to before each last, one after the other."""
    count = last - first
    return np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())


def distances(line: Array) -> Array:
    """For each read of a block, how many different ones were read since it was read last; `NEVER` at the first."""
    order = np.argsort(line, kind="stable")
    same = line[order][1:] == line[order][:-1]
    before = np.full(len(line), -1, np.int64)
    before[order[1:][same]] = order[:-1][same]
    nearest = np.empty(len(line), np.int64)
    count_distances(before, np.zeros(len(line) + 1, np.int64), nearest)
    return nearest


@kernel
def count_distances(before: Any, tree: Any, nearest: Any) -> None:
    """Distances by a Fenwick tree over the reads, in which each block counts at its last one.

    Parameters
    ----------
    before
        For each read the last one of its block, or -1.
    tree
        int64 (reads + 1,), zeros.
    nearest
        int64 (reads,), to fill.
    """
    blocks = 0
    for i in range(len(before)):
        last = before[i]
        if last < 0:
            nearest[i] = NEVER
            blocks += 1
        else:
            up_to, place = 0, last + 1
            while place > 0:
                up_to += tree[place]
                place -= place & -place
            nearest[i] = blocks - up_to
            place = last + 1
            while place < len(tree):
                tree[place] -= 1
                place += place & -place
        place = i + 1
        while place < len(tree):
            tree[place] += 1
            place += place & -place


def _primitives(activity: Activity, frame: int) -> dict[str, float]:
    """Sizes of the primitives that have fragments, before early depth."""
    quads = activity.frame("quads", frame, ["primitive", "coverage"])
    covered = sum(lane.astype(np.int64) for lane in lanes_of(numbers(quads, "coverage")))
    size = np.bincount(numbers(quads, "primitive"), covered)
    window = activity.frame("frames", frame, ["width", "height"]).to_pylist()[0]
    scale = SCREEN_PIXELS / (window["width"] * window["height"])
    small, middle, large = np.quantile(size[size > 0] * scale, (0.1, 0.5, 0.9)) if size.any() else (np.nan,) * 3
    return {"small_primitive": small, "middle_primitive": middle, "large_primitive": large}


def _tiles(activity: Activity, frame: int, lengths: Lengths) -> dict[str, float]:
    """Fragment instructions per tile of 32 x 32 pixels: how uneven, and how many in the busiest tenth; hidden
    fragments in the tenth that has most."""
    draws = draw_counts(activity, frame, lengths)
    first = numbers(activity.frame("draws", frame, ["draw"]), "draw")
    draw = np.searchsorted(first, numbers(activity.frame("primitives", frame, ["draw"]), "draw"))
    quads = activity.frame("quads", frame, ["primitive", "x", "y", "depth_pass"])
    each = draws["fragment_instructions"] / np.maximum(draws["fragments_shaded"], 1)
    shaded = sum(lane.astype(np.int64) for lane in lanes_of(numbers(quads, "depth_pass")))
    window = activity.frame("frames", frame, ["width", "height"]).to_pylist()[0]
    across, up = -(-window["width"] // TILE), -(-window["height"] // TILE)
    x, y = (numbers(quads, axis).astype(np.int64) * 2 // TILE for axis in "xy")
    inside = (x < across) & (y < up)
    work = shaded * each[draw[numbers(quads, "primitive")]]
    place = y * across + x
    tiles = np.bincount(place[inside], work[inside], across * up)
    hidden = np.zeros(len(tiles))
    for rows, own in hidden_lanes(activity, frame):
        some = rows[~own]
        hidden += np.bincount(place[some][inside[some]], minlength=len(tiles))
    variation = float(tiles.std() / tiles.mean()) if tiles.any() else float("nan")
    return {
        "variation_of_tiles": variation,
        "busiest_tenth": _in_busiest_tenth(tiles),
        "hidden_busiest_tenth": _in_busiest_tenth(hidden),
    }


def _in_busiest_tenth(tiles: Array) -> float:
    """Share of what tiles have in the tenth of them that has most."""
    ordered = np.sort(tiles)[::-1]
    return float(ordered[: -(-len(ordered) // 10)].sum() / ordered.sum()) if tiles.any() else float("nan")
