"""Passes of a frame: attachments in memory, what is cleared, loaded and stored, and the tiles in the order
of processing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.kernels.depth import depth_format_code, quantize_depth
from tilegpu.timing.declare.records import MAX_TILE_SAMPLES
from tilegpu.timing.declare.tiles import Tiles

from ..engine import frame as f
from ..memory.request import COLOR, DEPTH
from ..memory.texture_layout import stored_bytes, tile_blocks
from .resources import Resources
from .source import ActivityError
from .tile_order import tile_order

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

KINDS = ("draw", "clear")
MAX_TILES = 1 << 20
MAX_SAVED = 1 << 26


@dataclass
class Saved:
    """Depth and stencil values of attachments that some pass of the recording loads; they live from frame to frame.

    `place`: of an attachment, the first of its values, and pixels from row to row.
    """

    place: dict[tuple[str, int, int, int], tuple[int, int]] = field(default_factory=dict)
    values: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0, np.int64))


def plan_saved(passes: pa.Table, in_memory: bool = False) -> Saved:
    """Make room for what is loaded; for all depth and stencil where quads are tested in memory (`in_memory`)."""
    extents: dict[tuple[str, int, int, int], tuple[int, int, int]] = {}
    outlives = set()
    for row in passes.to_pylist():
        extent = max(0, row["width"]), max(0, row["height"]), max(1, row["samples"])
        for attachment in row["attachments"]:
            if attachment["slot"] in ("depth", "stencil"):
                key = _key(attachment)
                # A pass is as large as the smallest of its attachments.
                earlier = extents.get(key, extent)
                extents[key] = max(earlier[0], extent[0]), max(earlier[1], extent[1]), max(earlier[2], extent[2])
                if in_memory or attachment["load"] == "load":
                    outlives.add(key)
    saved, used = Saved(), 0
    for key, (width, height, samples) in extents.items():
        if key in outlives:
            saved.place[key] = used, width
            used += width * height * samples
        if used > MAX_SAVED:
            raise ActivityError("passes: more depth is carried from pass to pass than the simulator holds")
    saved.values = np.zeros(used, np.int64)
    return saved


def _key(attachment: dict[str, Any]) -> tuple[str, int, int, int]:
    return attachment["slot"], attachment["surface"], attachment["level"], attachment["layer"]


@dataclass(frozen=True)
class Passes:
    """Tables of the passes. `clears`: rows of clears between draws with the event at which each comes and its pass;
    `sorts`: whether geometry is sorted into tiles; where not, a pass is one tile; `region`: where each one's Parameter
    Buffer begins."""

    rows: list[dict[str, Any]]
    render_pass: np.ndarray[Any, Any]
    target: np.ndarray[Any, Any]
    tile: np.ndarray[Any, Any]
    rank: list[np.ndarray[Any, Any]]
    clear: np.ndarray[Any, Any]
    clears: list[tuple[int, int]]
    sorts: bool = True
    region: tuple[int, ...] = ()


def read_passes(
    rows: list[dict[str, Any]],
    events: pa.Table,
    resources: Resources,
    saved: Saved,
    configuration: Hardware,
    sorts: bool = True,
) -> Passes:
    """Lay out the passes of a frame, from `open_passes.frame_passes`.

    Returns
    -------
    Passes
        `rank[p]` has shape (tile rows, tile columns): row in the table of tiles; tile row 0 is at the bottom.
    """
    render_pass = np.zeros(len(rows), f.RenderPass.dtype)
    targets: list[tuple[int, ...]] = []
    tiles, ranks, clears, clear_rows = [], [], [], []
    first_tile = 0
    for p, row in enumerate(rows):
        _check(row, configuration)
        table, rank = _tiles(p, row, configuration) if sorts else _whole(p)
        r = render_pass[p]
        r["frame"], r["number"], r["width"], r["height"], r["samples"] = (
            row["frame"],
            row["pass"],
            row["width"],
            row["height"],
            max(1, row["samples"]),
        )
        r["first_tile"], r["last_tile"] = first_tile, first_tile + len(table)
        tiles.append(table)
        ranks.append(rank + first_tile)
        first_tile += len(table)
        r["first_target"] = len(targets)
        targets += _targets(row, resources, configuration, sorts)
        r["last_target"] = len(targets)
        between = _starting_values(r, row, _events_of(events, row), saved, sorts)
        for event in between:
            clears.append((event["event"], p))
            clear_rows.append(_clear(event, row))
    return Passes(
        rows,
        render_pass,
        _target_table(targets, render_pass, configuration, sorts),
        np.concatenate([*tiles, np.zeros(0, f.Tile.dtype)]),
        ranks,
        np.array(clear_rows, f.Clear.dtype),
        clears,
        sorts,
    )


def _check(row: dict[str, Any], configuration: Hardware) -> None:
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    if row["width"] < 1 or row["height"] < 1 or row["width"] * row["height"] > MAX_TILES * width * height:
        raise ActivityError(f"passes: pass {row['pass']} is {row['width']} x {row['height']} pixels")
    if row["samples"] > 4 or width * height * max(1, row["samples"]) > MAX_TILE_SAMPLES:
        raise ActivityError(
            f"passes: pass {row['pass']} has {row['samples']} samples per pixel: more than a tile of "
            f"{width} x {height} pixels has room for"
        )


def _tiles(p: int, row: dict[str, Any], configuration: Hardware) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    across, down = -(-row["width"] // width), -(-row["height"] // height)
    y, x = np.divmod(np.arange(across * down), across)
    order = tile_order(configuration.tile_order, across, down)
    table = np.zeros(len(order), f.Tile.dtype)
    # Order counts from the top, pixels from the bottom.
    table["render_pass"], table["x"], table["y"] = p, x[order] * width, (down - 1 - y[order]) * height
    table["mapping"] = np.arange(len(order)) % configuration.mapping_variants
    rank = np.zeros((down, across), np.int64)
    rank[down - 1 - y[order], x[order]] = np.arange(len(order))
    return table, rank


def _whole(p: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """A pass as one tile."""
    table = np.zeros(1, f.Tile.dtype)
    table["render_pass"] = p
    return table, np.zeros((1, 1), np.int64)


def _targets(row: dict[str, Any], resources: Resources, configuration: Hardware, sorts: bool) -> list[tuple[int, ...]]:
    """Attachments that are read from memory or written to it; depth and stencil that lie together count once.

    Where geometry is not sorted, all are.
    """
    targets: list[tuple[int, ...]] = []
    line = configuration.memory.line_bytes
    for attachment, load, store in attachments_of(row):
        key = attachment["surface"], attachment["level"], attachment["layer"]
        pixel = resources.pixel_bytes[key[0]] * max(1, row["samples"])
        source = DEPTH if attachment["slot"] in ("depth", "stencil") else COLOR
        pitch = -(-row["width"] * pixel // line) * line
        address = resources.address(*key, row["frame"])
        size = int(resources.level_of(key[0], key[1])["layer_bytes"])
        if load or store or not sorts:
            targets.append((address, size, pitch, pixel, source, load, store))
    return targets


def attachments_of(row: dict[str, Any]) -> list[tuple[dict[str, Any], bool, bool]]:
    """Attachments of a pass, and whether each is loaded and stored; depth and stencil that lie together count once."""
    merged: dict[tuple[int, int, int], tuple[dict[str, Any], bool, bool]] = {}
    for attachment in row["attachments"]:
        key = attachment["surface"], attachment["level"], attachment["layer"]
        first, load, store = merged.get(key, (attachment, False, False))
        merged[key] = first, load or attachment["load"] == "load", store or attachment["store"] == "store"
    return list(merged.values())


def _target_table(
    targets: list[tuple[int, ...]], render_pass: np.ndarray[Any, Any], configuration: Hardware, sorts: bool
) -> np.ndarray[Any, Any]:
    """Table of the attachments; as blocks of a line each, where quads and not tiles are written."""
    table = np.zeros(len(targets), f.Target.dtype)
    names = ("address", "size_bytes", "pitch_bytes", "pixel_bytes", "source", "load", "store")
    for row, target in zip(table, targets, strict=True):
        for name, value in zip(names, target, strict=True):
            row[name] = value
    if sorts:
        return table
    if configuration.memory.clears == "stored":
        table["load"] = 1
    line, linear = configuration.memory.line_bytes, configuration.memory.texture_layout == "linear"
    for r in render_pass:
        for row in table[r["first_target"] : r["last_target"]]:
            pixel = stored_bytes(int(row["pixel_bytes"]))
            across, down = (max(1, line // pixel), 1) if linear else tile_blocks(min(pixel, line), line)
            blocks_across, blocks_down = -(-int(r["width"]) // across), -(-int(r["height"]) // down)
            row["across_bits"], row["down_bits"] = across.bit_length() - 1, down.bit_length() - 1
            row["blocks_across"], row["lines"] = blocks_across, blocks_across * blocks_down
    table["first_line"] = np.cumsum(table["lines"]) - table["lines"]
    return table


def _events_of(events: pa.Table, row: dict[str, Any]) -> list[dict[str, Any]]:
    """Draws and clears of a pass, and of those that are joined with it."""
    numbers = row["pass"], *row.get("clears_of", ())
    names = (
        "event",
        "kind",
        "pass",
        "x",
        "y",
        "width",
        "height",
        "depth_mask",
        "stencil_mask",
        "clear_depth",
        "clear_stencil",
    )
    return [event for event in events.select(names).to_pylist() if event["pass"] in numbers and event["kind"] in KINDS]


def _starting_values(
    r: Any, row: dict[str, Any], events: list[dict[str, Any]], saved: Saved, sorts: bool
) -> list[dict[str, Any]]:
    """Set the contents of depth and stencil at the beginning of the pass; return the clears that do not come before all
    draws, or clear but a part."""
    slots = {a["slot"]: a for a in row["attachments"]}
    depth_format = depth_format_code(slots["depth"]["format"]) if "depth" in slots else 1
    r["clear_depth"] = quantize_depth(1.0, depth_format)
    for name in ("depth", "stencil"):
        storage = saved.place.get(_key(slots[name])) if name in slots else None
        place, r[f"{name}_pitch"] = storage if storage is not None else (-1, 0)
        r[f"load_{name}"] = place if storage is not None and slots[name]["load"] == "load" else -1
        outlives = storage is not None and (slots[name]["store"] == "store" or not sorts)
        r[f"store_{name}"] = place if outlives else -1
    between, drawn = [], False
    for event in events:
        if event["kind"] == "draw":
            drawn = True
            continue
        whole = event["width"] is None or (
            event["x"] <= 0
            and event["y"] <= 0
            and event["x"] + event["width"] >= row["width"]
            and event["y"] + event["height"] >= row["height"]
        )
        event["depth_format"] = depth_format
        if drawn or not whole or (event["stencil_mask"] or 0) & 255 not in (0, 255):
            between.append(event)
            drawn = True
            continue
        if event["depth_mask"]:
            r["clear_depth"], r["load_depth"] = quantize_depth(event["clear_depth"], depth_format), -1
        if (event["stencil_mask"] or 0) & 255:
            r["clear_stencil"], r["load_stencil"] = event["clear_stencil"] & 255, -1
    return between


def _clear(event: dict[str, Any], row: dict[str, Any]) -> tuple[int, ...]:
    whole = event["width"] is None
    box = (0, 0, row["width"], row["height"]) if whole else (event["x"], event["y"], event["width"], event["height"])
    depth = quantize_depth(event["clear_depth"] or 0.0, event["depth_format"]) if event["depth_mask"] else 0
    return (
        int(bool(event["depth_mask"])),
        depth,
        (event["stencil_mask"] or 0) & 255,
        (event["clear_stencil"] or 0) & 255,
        *box,
    )
