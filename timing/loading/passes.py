"""Passes of a frame: attachments in memory, what is cleared, loaded and stored, and the tiles in the order
of processing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.kernels.depth import depth_format_code, quantize_depth

from ..config.quad_mappings import BY_NAME
from ..config.schema import Configuration
from ..engine import frame as f
from ..engine.records import MAX_TILE_SAMPLES
from ..memory.request import COLOR, DEPTH
from .resources import Resources
from .source import ActivityError
from .tile_order import tile_order

MOST_TILES = 1 << 20
MOST_SAVED = 1 << 26


@dataclass
class Saved:
    """Depth and stencil values of attachments that some pass of the recording loads; they live from frame to frame."""

    place: dict[tuple[str, int, int, int], int] = field(default_factory=dict)
    values: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0, np.int64))


def plan_saved(passes: pa.Table) -> Saved:
    """Make room for what is loaded."""
    saved, used = Saved(), 0
    for row in passes.to_pylist():
        for attachment in row["attachments"]:
            key = _key(attachment)
            if attachment["slot"] in ("depth", "stencil") and attachment["load"] == "load" and key not in saved.place:
                saved.place[key] = used
                used += max(0, row["width"]) * max(0, row["height"]) * max(1, row["samples"])
                if used > MOST_SAVED:
                    raise ActivityError("passes: more depth is carried from pass to pass than the simulator holds")
    saved.values = np.zeros(used, np.int64)
    return saved


def _key(attachment: dict[str, Any]) -> tuple[str, int, int, int]:
    return attachment["slot"], attachment["surface"], attachment["level"], attachment["layer"]


@dataclass(frozen=True)
class Passes:
    """Tables of the passes. `clears`: rows of clears between draws with the event at which each comes and its pass."""

    rows: list[dict[str, Any]]
    render_pass: np.ndarray[Any, Any]
    target: np.ndarray[Any, Any]
    tile: np.ndarray[Any, Any]
    rank: list[np.ndarray[Any, Any]]
    clear: np.ndarray[Any, Any]
    clears: list[tuple[int, int]]


def read_passes(
    passes: pa.Table, events: pa.Table, resources: Resources, saved: Saved, configuration: Configuration
) -> Passes:
    """Lay out the passes of a frame.

    Returns
    -------
    Passes
        `rank[p]` has shape (tile rows, tile columns): row in the table of tiles; tile row 0 is at the bottom.
    """
    rows = sorted(passes.to_pylist(), key=lambda row: row["pass"])
    render_pass = np.zeros(len(rows), f.RENDER_PASS)
    targets: list[tuple[int, ...]] = []
    tiles, ranks, clears, clear_rows = [], [], [], []
    first_tile = 0
    for p, row in enumerate(rows):
        _check(row, configuration)
        table, rank = _tiles(p, row, configuration)
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
        targets += _targets(row, resources, configuration)
        r["last_target"] = len(targets)
        between = _starting_values(r, row, _events_of(events, row["pass"]), saved)
        for event in between:
            clears.append((event["event"], p))
            clear_rows.append(_clear(event, row))
    return Passes(
        rows,
        render_pass,
        np.array(targets, f.TARGET),
        np.concatenate([*tiles, np.zeros(0, f.TILE)]),
        ranks,
        np.array(clear_rows, f.CLEAR),
        clears,
    )


def _check(row: dict[str, Any], configuration: Configuration) -> None:
    width, height = configuration.tiles.width, configuration.tiles.height
    if row["width"] < 1 or row["height"] < 1 or row["width"] * row["height"] > MOST_TILES * width * height:
        raise ActivityError(f"passes: pass {row['pass']} is {row['width']} x {row['height']} pixels")
    if row["samples"] > 4 or width * height * max(1, row["samples"]) > MAX_TILE_SAMPLES:
        raise ActivityError(
            f"passes: pass {row['pass']} has {row['samples']} samples per pixel: more than a tile of "
            f"{width} x {height} pixels has room for"
        )


def _tiles(
    p: int, row: dict[str, Any], configuration: Configuration
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    width, height = configuration.tiles.width, configuration.tiles.height
    across, down = -(-row["width"] // width), -(-row["height"] // height)
    y, x = np.divmod(np.arange(across * down), across)
    order = tile_order(configuration.tiles.order, across, down)
    table = np.zeros(len(order), f.TILE)
    # Order counts from the top, pixels from the bottom.
    table["render_pass"], table["x"], table["y"] = p, x[order] * width, (down - 1 - y[order]) * height
    table["mapping"] = np.arange(len(order)) % BY_NAME[configuration.fragment_stage.quad_mapping].variants
    rank = np.zeros((down, across), np.int64)
    rank[down - 1 - y[order], x[order]] = np.arange(len(order))
    return table, rank


def _targets(row: dict[str, Any], resources: Resources, configuration: Configuration) -> list[tuple[int, ...]]:
    """Attachments that are read from memory or written to it; depth and stencil that lie together count once."""
    found: dict[tuple[int, int, int], list[int]] = {}
    line = configuration.memory.line_bytes
    for attachment in row["attachments"]:
        load, store = attachment["load"] == "load", attachment["store"] == "store"
        key = attachment["surface"], attachment["level"], attachment["layer"]
        pixel = resources.pixel_bytes[key[0]] * max(1, row["samples"])
        if key in found:
            found[key][5] |= load
            found[key][6] |= store
        else:
            source = DEPTH if attachment["slot"] in ("depth", "stencil") else COLOR
            pitch = -(-row["width"] * pixel // line) * line
            address = resources.address(*key, row["frame"])
            size = int(resources.level_of(key[0], key[1])["layer_bytes"])
            found[key] = [address, size, pitch, pixel, source, load, store]
    return [tuple(target) for target in found.values() if target[5] or target[6]]


def _events_of(events: pa.Table, number: int) -> list[dict[str, Any]]:
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
    return [
        row for row in events.select(names).to_pylist() if row["pass"] == number and row["kind"] in ("draw", "clear")
    ]


def _starting_values(r: Any, row: dict[str, Any], events: list[dict[str, Any]], saved: Saved) -> list[dict[str, Any]]:
    """What depth and stencil hold when the pass begins; the clears that do not come before all draws, or
    clear but a part."""
    slots = {a["slot"]: a for a in row["attachments"]}
    depth_format = depth_format_code(slots["depth"]["format"]) if "depth" in slots else 1
    r["clear_depth"] = quantize_depth(1.0, depth_format)
    for name in ("depth", "stencil"):
        place = saved.place.get(_key(slots[name])) if name in slots else None
        r[f"load_{name}"] = place if place is not None and slots[name]["load"] == "load" else -1
        r[f"store_{name}"] = place if place is not None and slots[name]["store"] == "store" else -1
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
