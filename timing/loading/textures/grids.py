"""Levels of textures as the kernels of texture reads take them: sizes, wrapping, and where blocks lie in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.functional.activity.kernels.wrapping import CLAMP_TO_EDGE, WRAPS

from ...memory.texture_layout import LAYOUTS, LINEAR, MORTON, row_pitch
from ..resources import LEVEL, SURFACE, Resources

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]

_WRAPS = {name: code for code, name in enumerate(WRAPS)}
BINDING = np.dtype(
    [("first_level", "i4"), ("levels", "i4"), ("wrap_s", "i1"), ("wrap_t", "i1"), ("wrap_r", "i1")], align=True
)
"""Texture as a draw samples it; `first_level`: row of the table of levels, -1 where nothing is bound."""
GRID = np.dtype(
    [
        ("address", "i8"),
        ("layer_bytes", "i8"),
        ("width", "i4"),
        ("height", "i4"),
        ("depth", "i4"),
        ("layers", "i4"),
        ("block_width", "i4"),
        ("block_height", "i4"),
        ("stored", "i4"),
        ("pitch", "i4"),
        ("across_bits", "i4"),
        ("down_bits", "i4"),
        ("volume", "i4"),
        ("cube", "i4"),
        # Where every line holds a rectangle of texels whose sides are powers of two (`even`), its offset is a step for
        # each `across`, and within these, one of a line, or of `inner_bits` down, for each `inner`.
        ("even", "i4"),
        ("line_bits", "i4"),
        ("inner_bits", "i4"),
        ("across", "i4"),
        ("inner_across", "i4"),
        ("down", "i4"),
        ("inner_down", "i4"),
        ("across_step", "i8"),
        ("down_step", "i8"),
    ],
    align=True,
)
"""Level of a texture; the row has all that its surface says of it, so that a read looks up one."""


class Textures(NamedTuple):
    """Tables that reads refer to. `binding`: table of shape (draws, samplers); `grid`: table of all levels; the layout
    of texels and the bytes of a line are numbers."""

    binding: Any
    grid: Any
    layout: Any
    line_bytes: Any


def make_textures(binding: Array, resources: Resources, configuration: Hardware) -> Textures:
    """Make the tables that reads refer to: a stage's bindings, and all levels as they lie in memory."""
    memory = configuration.memory
    layout = LAYOUTS.index(memory.texture_layout)
    return Textures(binding, _grid(resources, layout, memory.line_bytes), layout, memory.line_bytes)


def _grid(resources: Resources, layout: int, line_bytes: int) -> Array:
    """Levels of all surfaces, with what their surfaces say of them."""
    grid = np.zeros(len(resources.level), GRID)
    for name in LEVEL.names or ():
        grid[name] = resources.level[name]
    surface = np.repeat(resources.surface, resources.surface["levels"])
    for name in set(SURFACE.names or ()) & set(GRID.names or ()):
        grid[name] = surface[name]
    for row in grid:
        width = -(-int(row["width"]) // int(row["block_width"]))
        row["pitch"] = row_pitch(layout, width, int(row["stored"]), line_bytes, int(row["across_bits"]))
        if not row["volume"]:
            _rectangles(row, layout, line_bytes)
    return grid


def _rectangles(row: Any, layout: int, line_bytes: int) -> None:
    """Say how the rectangles of texels that share a line lie, where these have sides that are powers of two."""
    stored, block_width, block_height = (int(row[name]) for name in ("stored", "block_width", "block_height"))
    if layout == MORTON or stored > line_bytes or block_width & block_width - 1 or block_height & block_height - 1:
        return
    block_across, block_down, line_bits = (_log2(size) for size in (block_width, block_height, line_bytes))
    row["even"], row["line_bits"] = 1, line_bits
    in_line = line_bits - _log2(stored)
    if layout == LINEAR:
        row["across"] = row["inner_across"] = in_line + block_across
        row["across_step"], row["down_step"] = line_bytes, row["pitch"]
        row["down"] = row["inner_down"] = block_down
        return
    across, down = int(row["across_bits"]), int(row["down_bits"])
    row["across"], row["down"] = across + block_across, down + block_down
    row["across_step"] = stored << across + down
    row["down_step"] = int(row["pitch"]) * int(row["across_step"])
    row["inner_across"] = min(across, in_line) + block_across
    row["inner_down"] = min(down, max(0, in_line - across)) + block_down
    # Where a row of a tile takes several lines, a step down within the tile is as many.
    row["inner_bits"] = line_bits + max(0, across - in_line)


def _log2(power: int) -> int:
    return power.bit_length() - 1


def bind(draws: list[dict[str, Any]], resources: Resources, stage: str) -> Array:
    """Texture and wrapping per draw and sampler of a stage."""
    most = 1 + max((b["sampler"] for row in draws for b in row["bindings"] or ()), default=0)
    table = np.zeros((len(draws), min(max(most, 1), 256)), BINDING)
    table["first_level"] = -1
    for d, row in enumerate(draws):
        for b in row["bindings"] or ():
            number = resources.surface_row.get(b["surface"])
            if b["stage"] != stage or not 0 <= b["sampler"] < table.shape[1] or number is None:
                continue
            surface = resources.surface[number]
            if surface["levels"]:
                wraps = (_WRAPS.get(b[f"wrap_{axis}"], CLAMP_TO_EDGE) for axis in "str")
                table[d, b["sampler"]] = (surface["first_level"], surface["levels"], *wraps)
    return table
