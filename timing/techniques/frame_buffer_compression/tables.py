"""Surfaces that are compressed, their places, and the sizes of what is drawn, from the activity's pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PIL import Image

from tilegpu.timing.declare.tiles import Tiles

from ...loading.passes import attachments_of
from ...loading.resources import Resources
from ...loading.source import Activity, ActivityError
from ...memory.address_map import COMPRESSED_REGION, Region
from ...memory.request import DEPTH
from ...memory.texture_layout import LAYOUTS, LINEAR, MORTON, row_pitch, tile_blocks
from .parameters import Parameters
from .payload import COLORS, DEPTHS, SIDE, Coding, picture_sizes
from .state import HEADER_BYTES, MAX_LEVELS, MAX_SUPERBLOCKS, SUBBLOCKS, Level
from .writing import NO_PICTURE

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
Key = tuple[int, int]
NAME = "frame_buffer_compression"
KINDS = ("texture_2d", "renderbuffer")
COPIES = ("copy", "blit", "resolve")
"""Events that write a level otherwise than by drawing; the Transfer Unit moves what is not compressed."""
MAX_SURFACE_LEVELS = 17
TILED_SIDE = 128
"""Side from which on superblocks lie together in eights (Mesa's panfrost)."""

TARGET = np.dtype([("level", "i4"), ("across", "i4"), ("first_size", "i8")], align=True)
"""Attachment: its level, or -1; where its sizes begin, of superblocks row by row, `across` in each."""


class Tables(NamedTuple):
    """The technique's tables of a frame: `level` of the registers, `target` as of the commands, bytes of subblocks."""

    level: Array
    target: Array
    size: Array


class Compressed(NamedTuple):
    """Levels of surfaces that are compressed: their rows by surface and level, in order of their addresses, and how
    each is compressed."""

    level: Array
    row: dict[Key, int]
    coding: dict[Key, Coding]


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.loaded.Loaded`."""
    if configuration.of(Tiles).width % SIDE or configuration.of(Tiles).height % SIDE:
        raise ActivityError(f"{NAME} needs tiles of whole superblocks; set tiles.width and tiles.height to 16 or 32")
    kept = source.carried.kept
    if NAME not in kept:
        kept[NAME] = compressed_levels(source.activity, source.resources, configuration)
    compressed: Compressed = kept[NAME]
    target, sizes = np.zeros(len(frame.commands.target), TARGET), [np.zeros(0, np.uint8)]
    target["level"], target["first_size"] = -1, NO_PICTURE
    used, count_bits = 0, configuration.of(Parameters).count_bits
    for p, row in enumerate(source.passes.rows):
        begin, end = (int(frame.commands.render_pass[f"{which}_target"][p]) for which in ("first", "last"))
        moved = [attachment for attachment, load, store in attachments_of(row) if load or store]
        for number, attachment in zip(range(begin, end), moved, strict=True):
            key = attachment["surface"], attachment["level"]
            if key not in compressed.row:
                continue
            target[number]["level"] = compressed.row[key]
            if frame.commands.target[number]["source"] != DEPTH:
                picture = _picture(source.activity, row) if attachment["slot"] == "color0" else None
                if picture is not None:
                    sizes_of_picture = picture_sizes(picture, compressed.coding[key], count_bits)
                    target[number]["first_size"], target[number]["across"] = used, sizes_of_picture.shape[1]
                    sizes.append(sizes_of_picture.reshape(-1))
                    used += sizes_of_picture.size
    return Tables(compressed.level, target, np.concatenate(sizes))


def _picture(activity: Activity, row: dict[str, Any]) -> Array | None:
    """Colours of a pass from the bottom up."""
    if "pass_images" not in activity.manifest.groups:
        raise ActivityError(f"{activity.folder}: {NAME} needs the pictures of passes; record with --with pass_images")
    if not row["image"]:
        return None
    return np.asarray(Image.open(activity.folder / row["image"]).convert("RGBA"))[::-1]


def compressed_levels(activity: Activity, resources: Resources, configuration: Hardware) -> Compressed:
    """Levels of two-dimensional surfaces that are drawn to, but for the window's."""
    surfaces = activity.table("surfaces")
    drawn = {
        (a["surface"], a["level"])
        for row in activity.table("passes", ["attachments"]).to_pylist()
        for a in row["attachments"]
        if a["layer"] <= 0
    }
    codings = {
        row["surface"]: (COLORS | DEPTHS)[row["format"]]
        for row in surfaces.to_pylist()
        if row["kind"] in KINDS and row["samples"] <= 1 and row["format"] in COLORS | DEPTHS
    }
    keys = [key for key in drawn - _moved(activity) if key[0] in codings and max(_size(resources, key)) > SIDE]
    keys.sort(key=lambda key: int(resources.level_of(*key)["address"]))
    region, used, rows = resources.space.region(COMPRESSED_REGION), 0, np.zeros(len(keys), Level.dtype)
    for row, key in zip(rows, keys, strict=True):
        used += _place(row, key, codings[key[0]], resources, configuration, region, used)
    if len(keys) > MAX_LEVELS or used > MAX_SUPERBLOCKS:
        raise ActivityError(
            f"{activity.folder}: {NAME} has room for {MAX_LEVELS} surfaces of 33 million pixels together"
        )
    return Compressed(rows, {key: i for i, key in enumerate(keys)}, {key: codings[key[0]] for key in keys})


def _moved(activity: Activity) -> set[Key]:
    """Levels that are written otherwise than by drawing: by copies, or from the first level."""
    moved: set[Key] = set()
    for row in activity.table("events", ["kind", "surface", "level"]).to_pylist():
        if row["kind"] in COPIES:
            moved.add((row["surface"], row["level"] or 0))
        elif row["kind"] == "generate_mipmap":
            moved |= {(row["surface"], level) for level in range(1, MAX_SURFACE_LEVELS)}
    return moved


def _size(resources: Resources, key: Key) -> tuple[int, int]:
    level = resources.level_of(*key)
    return int(level["width"]), int(level["height"])


def _place(
    row: Any, key: Key, coding: Coding, resources: Resources, configuration: Hardware, region: Region, first: int
) -> int:
    """Fill a level's row; how many superblocks it takes."""
    memory, surface = configuration.memory, resources.surface[resources.surface_row[key[0]]]
    level, (width, height) = resources.level_of(*key), _size(resources, key)
    tiled = min(width, height) >= TILED_SIDE
    side = 8 if tiled else 1
    across, down = (-(-size // (SIDE * side)) * side for size in (width, height))
    row["address"], row["end"] = level["address"], level["address"] + level["layer_bytes"]
    row["layout"], row["stored"] = LAYOUTS.index(memory.texture_layout), surface["stored"]
    row["across_bits"], row["down_bits"] = surface["across_bits"], surface["down_bits"]
    row["pitch"] = row_pitch(row["layout"], width, int(surface["stored"]), memory.line_bytes, surface["across_bits"])
    row["wide"], row["tall"] = _line(int(row["layout"]), surface, memory)
    row["first"], row["across"], row["tiled"] = first, across, tiled
    row["uncompressed_bytes"] = coding.subblock_bytes
    # The sparse layout: a payload has as much room as without compression, in multiples of 128 bytes (drm_fourcc.h).
    row["body_bytes"] = -(-coding.subblock_bytes * SUBBLOCKS // 128) * 128
    row["headers"] = region.take(across * down * HEADER_BYTES)
    row["bodies"] = region.take(across * down * int(row["body_bytes"]))
    row["region_bytes"] = region.first + region.used_bytes - row["headers"]
    return across * down


def _line(layout: int, surface: Any, memory: Any) -> tuple[int, int]:
    """Texels of a line, across and down."""
    stored = int(surface["stored"])
    across, down = tile_blocks(stored, memory.line_bytes)
    if layout != MORTON:
        tile = tile_blocks(stored, memory.tile_bytes)[0]
        texels = memory.line_bytes // stored
        across, down = min(tile, texels), texels // min(tile, texels)
    if layout == LINEAR or across > SIDE:
        raise ActivityError(f"{NAME} needs lines of texels within superblocks; set memory.texture_layout to morton")
    return across, down
