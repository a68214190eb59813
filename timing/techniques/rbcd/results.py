"""Table of results: what collides in a frame, and at which pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.statistics import ResultTable
from tilegpu.timing.declare.tiles import Tiles

from .state import NAME

if TYPE_CHECKING:
    from ...engine.chip import Chip


Array = np.ndarray[Any, Any]
Columns = dict[str, Array]

LABEL = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("frame", pa.int32()),
        ("pass", pa.int32()),
        ("object_a", pa.uint64()),
        ("object_b", pa.uint64()),
        ("label_a", LABEL),
        ("label_b", LABEL),
        ("x", pa.int32()),
        ("y", pa.int32()),
        ("z_front", pa.float32()),
        ("z_back", pa.float32()),
        ("overflow", pa.bool_()),
        ("repeated", pa.bool_()),
    ]
)
NO_FRAME = -1


def rows(chip: Chip, own: Any, frame: int) -> pa.Table:
    """Collisions of a frame, by pixel; those of tiles that were left out are as in the frame whose pixels they show."""
    pairs = _found(chip, own)
    pairs["frame"] = np.full(len(pairs["x"]), frame, np.int32)
    pairs["repeated"] = np.zeros(len(pairs["x"]), bool)
    distance = chip.configuration.memory.frame_buffers
    kept: dict[int, Columns] = chip.kept.setdefault(NAME, {})
    skipped = np.flatnonzero(own.log["skipped_by"] > 0)
    if len(skipped) and frame - distance in kept:
        again = _repeated(kept[frame - distance], own, skipped, chip.configuration.of(Tiles))
        again["frame"] = np.full(len(again["x"]), frame, np.int32)
        pairs = {name: np.concatenate([pairs[name], again[name]]) for name in pairs}
    kept[frame] = pairs
    for number in [number for number in kept if number <= frame - distance]:
        del kept[number]
    order = np.lexsort((pairs["z_front"], pairs["x"], pairs["y"], pairs["pass"]))
    columns = {name: column[order] for name, column in pairs.items()}
    return pa.table(
        [pa.array(columns[field.name].tolist(), pa.string()).dictionary_encode() if field.type == LABEL else
         pa.array(columns[field.name], field.type) for field in SCHEMA],
        schema=SCHEMA,
    )  # fmt: skip


def _found(chip: Chip, own: Any) -> Columns:
    """Pairs that the machine has written; object a is that of the lower number."""
    pairs = own.pair[: int(own.counts[0]["pairs"])]
    tiles, steps = chip.configuration.of(Tiles), float(chip.gpu.technique.rbcd.depth_steps)
    tile = own.tile[pairs["tile"]]
    first, second = np.minimum(pairs["front"], pairs["back"]), np.maximum(pairs["front"], pairs["back"])
    labels = np.array([bytes(row).rstrip(b"\0").decode(errors="replace") for row in own.label], object)
    return {
        "pass": own.render_pass["number"][tile["render_pass"]].astype(np.int32),
        "object_a": own.object[first],
        "object_b": own.object[second],
        "label_a": labels[first],
        "label_b": labels[second],
        "x": (tile["x"] + pairs["place"] % tiles.width).astype(np.int32),
        "y": (tile["y"] + pairs["place"] // tiles.width).astype(np.int32),
        "z_front": (pairs["z_front"] / steps).astype(np.float32),
        "z_back": (pairs["z_back"] / steps).astype(np.float32),
        "overflow": pairs["overflow"] != 0,
    }


def _repeated(before: Columns, own: Any, skipped: Array, tiles: Any) -> Columns:
    """Pairs of the earlier frame in tiles that were left out; only the pass of the screen leaves any out."""
    left_out = own.tile[skipped]
    repeats = np.isin(_tile_of(before, tiles), _tile_of(left_out, tiles))
    columns = {name: column[repeats] for name, column in before.items()}
    number = int(own.render_pass["number"][left_out["render_pass"][0]])
    columns["pass"] = np.full(len(columns["x"]), number, np.int32)
    columns["repeated"] = np.ones(len(columns["x"]), bool)
    return columns


def _tile_of(where: Any, tiles: Any) -> Array:
    """A number for the tile of each pixel x, y."""
    return np.asarray((where["y"] // tiles.height).astype(np.int64) << 32 | where["x"] // tiles.width)


TABLES = (
    ResultTable(
        "collisions",
        "Collisions: pairs of objects whose depths overlap, by pixel (x, y from the lower left); z_front: where the "
        "overlap begins, z_back: the back face it was found at; overflow: fragments of that pixel were lost; repeated: "
        "of a tile that was left out, as in the frame that it shows",
        SCHEMA,
        rows,
    ),
)
