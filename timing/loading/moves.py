"""Uploads, copies, blits and mipmaps of a frame: what the Transfer Unit moves before each pass.

An event comes before the first pass that ends after it. What is copied is read from the first colour attachment of the
pass before: the activity records where a copy goes, not where it comes from. A box takes as many bytes as it has
texels, from the start of its layer; caches forget the whole layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..engine import frame as f
from ..memory.address_map import COMMAND_REGION, REGION_BYTES
from ..units.transfer_unit import TransferUnitParameters
from .passes import Passes
from .resources import Resources
from .source import ActivityError

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
Move = tuple[int, int, int, int, int, int]

STAGING = COMMAND_REGION + (1 << 30)
"""Address at which the CPU leaves uploads for the Transfer Unit."""
KINDS = ("upload", "buffer_update", "copy", "blit", "resolve", "generate_mipmap")
NAMES = ("event", "kind", "surface", "buffer", "level", "layer", "width", "height", "offset_bytes", "size_bytes")


def read_moves(events: pa.Table, passes: Passes, resources: Resources, configuration: Hardware) -> tuple[Array, Array]:
    """Moves of a frame, and its passes with theirs; what comes after the last pass gets a pass without draws.

    Raises
    ------
    ActivityError
        If an event names a surface or buffer that does not exist, or an impossible size.
    """
    chosen = events.select(NAMES).filter(pc.is_in(events["kind"], pa.array(KINDS)))
    ends = [row["last_event"] for row in passes.rows]
    lists: list[list[Move]] = [[] for _ in range(len(ends) + 1)]
    for row in chosen.to_pylist():
        number = int(np.searchsorted(ends, row["event"]))
        before = number if number < len(ends) and passes.rows[number]["first_event"] < row["event"] else number - 1
        lists[number] += _moves(row, passes.rows[before] if before >= 0 else None, resources, configuration)
    render_pass = passes.render_pass
    if lists[-1]:
        render_pass = np.concatenate([render_pass, f.empty_pass(render_pass)])
    counts = [len(moves) for moves in lists][: len(render_pass)]
    render_pass["last_move"] = np.cumsum(counts)
    render_pass["first_move"] = render_pass["last_move"] - counts
    return render_pass, np.array([move for moves in lists for move in moves], f.Move.dtype)


def _moves(
    row: dict[str, Any], source: dict[str, Any] | None, resources: Resources, configuration: Hardware
) -> list[Move]:
    kind, uploaded = row["kind"], max(0, row["size_bytes"] or 0)
    copied = configuration.of(TransferUnitParameters).uploads == "unit"
    staging = STAGING + resources.space.offset_bytes
    if uploaded > REGION_BYTES:
        raise ActivityError(f"events: event {row['event']} moves {uploaded} bytes")
    if kind == "buffer_update":
        if row["buffer"] not in resources.buffer_address:
            raise ActivityError(f"events: event {row['event']} writes buffer {row['buffer']}, which does not exist")
        offset = min(max(0, row["offset_bytes"] or 0), resources.buffer_bytes[row["buffer"]])
        size = min(uploaded, resources.buffer_bytes[row["buffer"]] - offset)
        address = resources.buffer_address[row["buffer"]] + offset
        return [(staging, size * copied, address, size * copied, address, size)]
    if kind == "generate_mipmap":
        return _mipmaps(row, resources)
    level = resources.level_of(row["surface"], row["level"] or 0)
    address, layer_bytes = int(level["address"]), int(level["layer_bytes"])
    address += max(0, row["layer"] or 0) * layer_bytes
    surface = resources.surface[resources.surface_row[row["surface"]]]
    width, height = (max(0, row[side] or 0) or int(level[side]) for side in ("width", "height"))
    blocks = -(-width // int(surface["block_width"])) * -(-height // int(surface["block_height"]))
    size = min(blocks * int(surface["stored"]), layer_bytes)
    if kind == "upload":
        return [(staging, uploaded * copied, address, size * copied, address, layer_bytes)]
    from_address, factor = address, 1
    if source is not None:
        for attachment in source["attachments"]:
            if attachment["slot"] == "color0":
                key = attachment["surface"], attachment["level"], attachment["layer"]
                from_address = resources.address(*key, source["frame"])
                factor = max(1, source["samples"]) if kind == "resolve" else 1
    return [(from_address, size * factor, address, size, address, layer_bytes)]


def _mipmaps(row: dict[str, Any], resources: Resources) -> list[Move]:
    """Each level is made from the one above it."""
    resources.level_of(row["surface"], 0)
    surface = resources.surface[resources.surface_row[row["surface"]]]
    first = int(surface["first_level"])
    moves = []
    for i in range(first + 1, first + int(surface["levels"])):
        above, level = resources.level[i - 1], resources.level[i]
        sizes = [_bytes(place, surface) for place in (above, level)]
        changed = int(level["layer_bytes"]) * max(int(surface["layers"]), 1, int(level["depth"]))
        moves.append((int(above["address"]), sizes[0], int(level["address"]), sizes[1], int(level["address"]), changed))
    return moves


def _bytes(level: Any, surface: Any) -> int:
    """Bytes of a level's texels, all layers."""
    blocks = -(-int(level["width"]) // int(surface["block_width"])) * -(
        -int(level["height"]) // int(surface["block_height"])
    )
    return blocks * int(surface["stored"]) * max(int(surface["layers"]), 1, int(level["depth"]))
