"""Texels of a frame that its fragments read, by level of a texture: a plain reading of the activity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .source import Activity, numbers

Array = np.ndarray[Any, Any]
Level = tuple[int, int]
"""Surface and level."""
MINIFIED_STEP = 2
"""Texels from a pixel to the next from which on a read skips texels."""
LANES = 4
COLUMNS = [
    "quad", "sampler", "linear", "level", "layer", "lanes", "x", "y", "dx_1", "dy_1", "dx_2", "dy_2", "dx_3", "dy_3",
]  # fmt: skip


@dataclass(frozen=True)
class TexelUse:
    """Use of a level in a frame.

    Parameters
    ----------
    fetched
        Texels that filters take: one, or four with linear filtering, for each reading lane, helper lanes among them.
    distinct
        Different texels among them.
    minified
        Share of the quads that read it whose pixels are `MINIFIED_STEP` texels or more apart.
    """

    fetched: int
    distinct: int
    minified: float


class _Reads(NamedTuple):
    """Reads of a level by one draw: texels that filters take, quads of which all pixels read, and the minified ones."""

    fetched: int
    whole_quads: int
    minified_quads: int


def texel_use(activity: Activity, frame: int) -> dict[Level, TexelUse]:
    """Use of each level that fragments of a frame read."""
    reads = activity.frame("texture_reads", frame, COLUMNS)
    if not len(reads):
        return {}
    column = {name: np.asarray(numbers(reads, name)) for name in COLUMNS}
    bindings = _bindings(activity, frame)
    primitive = np.asarray(numbers(activity.frame("quads", frame, ["primitive"]), "primitive"))
    draw = np.asarray(numbers(activity.frame("primitives", frame, ["draw"]), "draw"))[primitive[column["quad"]]]
    surfaces = {row["surface"]: row for row in activity.table("surfaces", ["surface", "levels", "layers"]).to_pylist()}
    parts: dict[Level, list[_Reads]] = {}
    masks: dict[Level, Array] = {}
    keys, inverse = np.unique(np.stack([draw, column["sampler"], column["level"]]), axis=1, return_inverse=True)
    for number, (d, sampler, level) in enumerate(keys.T.tolist()):
        binding = bindings.get((d, sampler))
        if binding is None or level >= len(surfaces[binding["surface"]]["levels"]):
            continue
        rows = np.flatnonzero(inverse == number)
        key = binding["surface"], level
        if key not in masks:
            size = surfaces[key[0]]["levels"][level]
            layers = max(1, surfaces[key[0]]["layers"]) * max(1, size["depth"])
            masks[key] = np.zeros((layers, size["height"], size["width"]), bool)
        read = {name: values[rows] for name, values in column.items()}
        parts.setdefault(key, []).append(_marked(read, binding, masks[key]))
    return {key: _together(parts_of_level, int(masks[key].sum())) for key, parts_of_level in parts.items()}


def _bindings(activity: Activity, frame: int) -> dict[tuple[int, int], dict[str, Any]]:
    """Textures of fragment programs by draw and sampler."""
    return {
        (row["draw"], binding["sampler"]): binding
        for row in activity.frame("draws", frame, ["draw", "bindings"]).to_pylist()
        for binding in row["bindings"]
        if binding["stage"] == "fragment"
    }


def _marked(read: Mapping[str, Array], binding: Mapping[str, Any], mask: Array) -> _Reads:
    """Mark the texels that some reads take, and count them."""
    lanes = (read["lanes"] | read["lanes"] >> LANES) & 15
    linear = read["linear"].astype(bool)
    fetched = 0
    for lane in range(LANES):
        reading = lanes >> lane & 1 != 0
        first = np.bitwise_and(lanes, (1 << lane) - 1) == 0
        offsets = [
            np.where(first, 0, read[f"{axis}_{lane}"]) if lane else np.zeros(len(lanes), np.int64)
            for axis in ("dx", "dy")
        ]
        for down, across in ((0, 0), (0, 1), (1, 0), (1, 1)):
            taken = reading & linear if down or across else reading
            fetched += int(taken.sum())
            x = _wrapped(read["x"] + offsets[0] + across, mask.shape[2], binding["wrap_s"])[taken]
            y = _wrapped(read["y"] + offsets[1] + down, mask.shape[1], binding["wrap_t"])[taken]
            mask[np.clip(read["layer"][taken], 0, mask.shape[0] - 1), y, x] = True
    whole = lanes == 15
    steps = np.max([np.abs(read[name]) for name in ("dx_1", "dy_1", "dx_2", "dy_2")], axis=0)[whole]
    return _Reads(fetched, int(whole.sum()), int((steps >= MINIFIED_STEP).sum()))


def _wrapped(texel: Array, size: int, mode: str) -> Array:
    """Texels of an image for texel coordinates (OpenGL ES 3.0, 3.8.9.2); for the border the nearest edge."""
    if mode == "REPEAT":
        return texel % size
    if mode == "MIRRORED_REPEAT":
        folded = texel % (2 * size)
        return np.where(folded < size, folded, 2 * size - 1 - folded)
    return np.clip(texel, 0, size - 1)


def _together(parts: list[_Reads], distinct: int) -> TexelUse:
    whole = sum(part.whole_quads for part in parts)
    minified = sum(part.minified_quads for part in parts)
    return TexelUse(sum(part.fetched for part in parts), distinct, minified / whole if whole else 0.0)
