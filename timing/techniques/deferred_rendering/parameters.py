"""What can be set of Deferred Rendering."""

from __future__ import annotations

from typing import Literal

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group):
    """Deferred Rendering (thesis of 2018, 4.3.1, Table 4.2)."""

    mode: Literal["parallel", "sequential"] = choice(
        "parallel",
        "hidden surfaces of the next tile are removed beside the rendering of this one, with a Rasterizer, early depth "
        "and Depth Buffer of their own; or before it, with those of the raster stage (4.3.1)",
    )
    hsr_primitives: int = number(
        0,
        "primitives",
        "primitives that are fetched side by side to remove hidden surfaces (one: 4.3.1); 0: as many as the Tile "
        "Fetcher's Primitive Table holds",
        0,
        256,
    )
    hsr_reads: Literal["position", "all"] = choice(
        "position",
        "attributes that are read of a primitive to remove hidden surfaces: its position (4.5.1), or all of them",
        silent=("all",),
    )
    hsr_tile_queue: int = number(16, "primitives", "Tile Queue of hidden surface removal [Table 4.2]", 1, 256)
    hsr_fragment_queue: int = number(64, "quads", "Fragment Queue of hidden surface removal [Table 4.2]", 1, 1024)
