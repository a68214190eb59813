"""Inputs that the Signature Unit signs, from the activity: attributes of primitives, constants of draws, what a pass
begins with."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.tiles import Tiles

from ...loading.source import ActivityError, numbers
from ..shared import crc
from .first_uploads import whole_constants
from .messages import constant_messages, content, identity, signed, subblocks_of
from .parameters import Parameters
from .state import MAX_SLOTS

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]

RENDER_PASS = np.dtype(
    [
        ("frame", "i4"),
        ("on_screen", "i1"),
        ("signing", "i1"),
        ("comparing", "i1"),
        ("unsignable", "i1"),
        ("slots", "i4"),
        ("crc", "i8"),
    ],
    align=True,
)
"""`signing`: its tiles get signatures; `comparing`: tiles may be left out; `unsignable`: they get none because what was
set is not recorded."""
BLOCK = np.dtype([("crc", "i8"), ("factor", "i8"), ("subblocks", "i4")], align=True)
PRIMITIVE = np.dtype([("crc", "i8"), ("factor", "i8"), ("subblocks", "i4"), ("block", "i4")], align=True)
ENTRY = np.dtype([("tile", "i4")], align=True)
TILE = np.dtype([("slot", "i4"), ("render_pass", "i4")], align=True)

NO_BLOCK = -1
"""Clears between draws have no constants."""
WRITES = ("upload", "link", "copy", "blit", "resolve", "generate_mipmap")
"""Events after which what is drawn may look different though no constant has changed."""


class Tables(NamedTuple):
    """The technique's tables of a frame."""

    render_pass: Array
    block: Array
    primitive: Array
    entry: Array
    tile: Array


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.loaded.Loaded`."""
    own = configuration.of(Parameters)
    sound, subblock = own.signature == "sound", own.compute_bytes_per_cycle
    tiles = frame.commands.tile
    width, height = configuration.of(Tiles).width, configuration.of(Tiles).height
    across = -(-frame.commands.render_pass["width"].astype(np.int64) // width)
    tile = np.zeros(len(tiles), TILE)
    tile["render_pass"] = tiles["render_pass"]
    tile["slot"] = tiles["y"] // height * across[tiles["render_pass"]] + tiles["x"] // width
    entry = np.zeros(len(frame.tiling.entry), ENTRY)
    counts = tiles["last_entry"].astype(np.int64) - tiles["first_entry"]
    order = np.argsort(tiles["first_entry"], kind="stable")
    entry["tile"] = np.repeat(order, counts[order])[: len(entry)]
    messages, block_of_draw = constant_messages(source, sound)
    block = np.array([signed(message, subblock) for message in messages], BLOCK)
    passes = _passes(source, configuration, frame, sound)
    primitive = _primitives(source, frame, block_of_draw, subblock)
    _clears(source, frame.binning.primitive, primitive, subblock)
    return Tables(passes, block, primitive, entry, tile)


def _passes(source: Any, configuration: Hardware, frame: Any, sound: bool) -> Array:
    """Passes that are signed: the one that draws the screen, alone and on top of nothing."""
    render_pass = frame.commands.render_pass
    records = np.zeros(len(render_pass), RENDER_PASS)
    screens = [source.draws_screen(row) for row in source.passes.rows]
    slots = np.bincount(frame.commands.tile["render_pass"], minlength=len(render_pass))
    recent = _writes_lately(source, configuration.memory.frame_buffers if sound else 1)
    refresh = configuration.of(Parameters).refresh_frames
    refreshing = refresh > 0 and source.frame % refresh == 0
    unsignable = not sound and whole_constants(source)
    for p, (row, on_screen) in enumerate(zip(source.passes.rows, screens, strict=True)):
        targets = frame.commands.target[render_pass["first_target"][p] : render_pass["last_target"][p]]
        kept = render_pass["store_depth"][p] >= 0 or render_pass["store_stencil"][p] >= 0
        alone = on_screen and sum(screens) == 1 and not targets["load"].any() and not kept and slots[p] <= MAX_SLOTS
        one_color = sum(a["slot"].startswith("color") for a in row["attachments"]) == 1
        records[p]["frame"], records[p]["on_screen"], records[p]["slots"] = source.frame, on_screen, slots[p]
        signing = alone and one_color and (sound or not recent)
        records[p]["signing"], records[p]["unsignable"] = signing and not unsignable, signing and unsignable
        records[p]["comparing"] = records[p]["signing"] and not recent and not refreshing
        records[p]["crc"] = crc.crc_of_bytes(_beginning(source, row))
    return records


def _writes_lately(source: Any, frames: int) -> bool:
    """Whether anything that draws read was written in this frame or in those before it that matter."""
    return any(
        kind in WRITES or (kind in ("draw", "clear") and elsewhere)
        for number in range(source.frame - frames + 1, source.frame + 1)
        for kind, elsewhere in source.kinds_of_events(number)
    )


def _beginning(source: Any, row: dict[str, Any]) -> bytes:
    """Digest of what a pass begins with: size, and the clears before its first draw."""
    words = [f"{row['width']}x{row['height']}x{row['samples']}"]
    for event in source.events_of(row["pass"]):
        if event["kind"] == "draw":
            break
        words.append(content(event))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).digest()


def _primitives(source: Any, frame: Any, block_of_draw: Array, subblock: int) -> Array:
    """Messages of the primitives: positions and varyings of three vertices, attribute by attribute."""
    table = frame.binning.primitive
    records = np.zeros(len(table), PRIMITIVE)
    records["block"], records["factor"] = NO_BLOCK, 1
    rows, vertices = source.primitive_rows, source.vertices
    corner = np.stack([numbers(rows, f"vertex_{i}") for i in range(3)], 1).astype(np.int64)
    outputs, position = (
        vertices["outputs"].combine_chunks(),
        np.stack([numbers(vertices, f"clip_{axis}") for axis in "xyzw"], 1).astype("<f4"),
    )
    offsets = np.asarray(outputs.offsets).astype(np.int64)
    flat = np.asarray(pa.ListArray.flatten(outputs) if outputs.null_count else outputs.values).astype("<f4")
    widths = np.diff(offsets)
    place = source.primitives.place
    width = (
        np.where(corner[:, 0] >= 0, widths[np.maximum(corner[:, 0], 0)], 0)
        if len(widths)
        else np.zeros(len(rows), np.int64)
    )
    for floats in np.unique(width):
        of_width = np.flatnonzero(width == floats)
        slots = int(floats) // 4
        message = np.zeros((len(of_width), 1 + slots, 3, 4), "<f4")
        for i in range(3):
            there = corner[of_width, i] >= 0
            vertex = corner[of_width, i][there]
            message[there, 0, i] = position[vertex]
            if slots:
                if (widths[vertex] != floats).any():
                    raise ActivityError("vertices: vertices of one primitive have different outputs")
                gathered = flat[offsets[vertex][:, None] + np.arange(slots * 4)]
                message[there, 1:, i] = gathered.reshape(-1, slots, 4)
        # Points use no second vertex: their size takes its place.
        point = corner[of_width, 1] < 0
        message[point, 0, 1, 0] = numbers(rows, "point_size")[of_width][point]
        raw = np.ascontiguousarray(message).view(np.uint8).reshape(len(of_width), -1)
        at = place[of_width]
        records["crc"][at] = crc.crc_of(raw)
        records["subblocks"][at], records["factor"][at] = subblocks_of(raw.shape[1], subblock)
    records["block"][place] = block_of_draw[source.primitives.draw]
    return records


def _clears(source: Any, table: Array, constants: Array, subblock: int) -> None:
    """Clears between draws: what they write, and where."""
    for place in np.flatnonzero(table["clear"] >= 0):
        message = identity(content(source.clear_event(int(table["clear"][place]))))
        constants["crc"][place], constants["factor"][place], constants["subblocks"][place] = signed(message, subblock)
