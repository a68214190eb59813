"""Addresses of the buffers and surfaces of a recording, and surfaces as the texture units see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.errors import UserError

from ..memory import texture_layout
from ..memory.address_map import BUFFER_REGION, SURFACE_REGION, WHOLE, AddressSpace, Region
from .source import ActivityError, numbers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..declare.chip import Memory

LEVEL = np.dtype(
    [("address", "i8"), ("width", "i4"), ("height", "i4"), ("depth", "i4"), ("layer_bytes", "i8")], align=True
)
SURFACE = np.dtype(
    [
        ("first_level", "i4"),
        ("levels", "i4"),
        ("block_width", "i4"),
        ("block_height", "i4"),
        ("stored", "i4"),
        ("across_bits", "i4"),
        ("down_bits", "i4"),
        ("layers", "i4"),
        ("volume", "i4"),
        ("cube", "i4"),
    ],
    align=True,
)
"""Surface for the loader's kernels. `first_level`, `levels`: rows of `LEVEL`; `block_width`, `block_height`: texels of
a block, which takes `stored` bytes; `across_bits`, `down_bits`: log2 of the blocks of a tile of the layout; `volume`:
linear filtering spans two slices; `cube`: its layers are faces that meet at their edges."""

LARGEST_SIDE = 1 << 16


@dataclass(frozen=True)
class Resources:
    """Places of resources; the dictionaries are keyed by the activity's numbers.

    Attributes
    ----------
    buffer_address, buffer_bytes
        First byte and size of each buffer.
    surface_row
        Row of each surface in `surface`.
    surface, level
        `SURFACE` and `LEVEL` rows.
    pixel_bytes, samples
        Bytes of a block of each surface as stored, and samples of a pixel.
    copy_bytes
        Bytes of a frame buffer of each surface of the window.
    frame_buffers
        Frame buffers of the window, which frames take in turn.
    space
        Part of the memory that the application has.
    """

    buffer_address: dict[int, int]
    surface_row: dict[int, int]
    surface: np.ndarray[Any, Any]
    level: np.ndarray[Any, Any]
    pixel_bytes: dict[int, int]
    samples: dict[int, int]
    buffer_bytes: dict[int, int]
    copy_bytes: dict[int, int]
    frame_buffers: int
    space: AddressSpace = WHOLE

    def level_of(self, surface: int, level: int) -> Any:
        """Row of a surface's level; ActivityError where there is none."""
        row = self.surface_row.get(surface)
        if row is None or not 0 <= level < self.surface[row]["levels"]:
            raise ActivityError(f"surfaces: there is no surface {surface} with a level {level}")
        return self.level[self.surface[row]["first_level"] + level]

    def address(self, surface: int, level: int, layer: int, frame: int) -> int:
        """Address of a layer of a level; those of the window lie in the buffer that the frame goes to."""
        place = self.level_of(surface, level)
        turn = frame % self.frame_buffers * self.copy_bytes.get(surface, 0)
        return int(place["address"]) + max(0, layer) * int(place["layer_bytes"]) + turn


def place_resources(
    surfaces: pa.Table, buffers: pa.Table, configuration: Hardware, space: AddressSpace = WHOLE
) -> Resources:
    """Give every buffer and every level of every surface an address in the space of its application.

    Raises
    ------
    ActivityError
        If a size is impossible.
    """
    region = space.region(BUFFER_REGION)
    try:
        buffer_address = {
            int(b): region.take(int(size))
            for b, size in zip(buffers["buffer"].to_pylist(), numbers(buffers, "size_bytes"), strict=True)
        }
    except ValueError as error:
        raise ActivityError(f"buffers: {error}") from None
    region = space.region(SURFACE_REGION)
    memory = configuration.memory
    copy_bytes: dict[int, int] = {}
    surface_rows: list[tuple[int, ...]] = []
    level_rows: list[tuple[int, ...]] = []
    for row in surfaces.to_pylist():
        try:
            surface_rows.append(_surface(row, len(level_rows), memory))
            began = region.used_bytes
            level_rows += _levels(row, region, memory)
            if row["kind"] == "default_color":
                copy_bytes[row["surface"]] = region.used_bytes - began
                region.take((memory.frame_buffers - 1) * copy_bytes[row["surface"]])
        except ValueError as error:
            raise ActivityError(f"surfaces: surface {row['surface']}: {error}") from None
    ids = surfaces["surface"].to_pylist()
    return Resources(
        buffer_address,
        {int(s): i for i, s in enumerate(ids)},
        np.array(surface_rows, SURFACE),
        np.array(level_rows, LEVEL),
        {int(s): int(r[4]) for s, r in zip(ids, surface_rows, strict=True)},
        dict(zip(ids, numbers(surfaces, "samples").tolist(), strict=True)),
        dict(zip(buffers["buffer"].to_pylist(), numbers(buffers, "size_bytes").tolist(), strict=True)),
        copy_bytes,
        memory.frame_buffers,
        space,
    )


def _surface(row: dict[str, Any], first_level: int, memory: Memory) -> tuple[int, ...]:
    if not (1 <= row["block_bytes"] <= 64 and 1 <= row["block_width"] <= 16 and 1 <= row["block_height"] <= 16):
        raise UserError("blocks must have 1 to 64 bytes and 1 to 16 texels a side")
    stored = texture_layout.stored_bytes(row["block_bytes"])
    across, down = texture_layout.tile_blocks(stored, memory.tile_bytes)
    return (
        first_level,
        len(row["levels"]),
        row["block_width"],
        row["block_height"],
        stored,
        across.bit_length() - 1,
        down.bit_length() - 1,
        max(1, row["layers"]),
        int(row["kind"] == "texture_3d"),
        int(row["kind"] == "texture_cube"),
    )


def _levels(row: dict[str, Any], region: Region, memory: Memory) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = []
    layout = texture_layout.LAYOUTS.index(memory.texture_layout)
    stored = texture_layout.stored_bytes(row["block_bytes"])
    for size in row["levels"]:
        if not all(0 <= size[side] <= LARGEST_SIDE for side in ("width", "height", "depth")):
            raise UserError(f"a level of {size['width']} x {size['height']} x {size['depth']} texels")
        width = max(1, -(-size["width"] // row["block_width"]))
        height = max(1, -(-size["height"] // row["block_height"]))
        tiled = texture_layout.level_bytes(layout, width, height, stored, memory.line_bytes, memory.tile_bytes)
        # The same memory must hold the level as rows of pixels, when it is drawn to.
        linear = texture_layout.level_bytes(texture_layout.LINEAR, width, height, stored, memory.line_bytes, 0)
        linear *= max(1, row["samples"])
        layer = max(tiled, linear)
        slices = max(1, row["layers"]) * max(1, size["depth"])
        rows.append((region.take(layer * slices), size["width"], size["height"], size["depth"], layer))
    return rows
