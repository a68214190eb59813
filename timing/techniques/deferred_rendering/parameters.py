"""Parameters of Deferred Rendering."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group, section="technique.deferred_rendering"):
    """Deferred Rendering (thesis of 2018, 4.3.1, Table 4.2)."""

    mode: str = choice(
        "parallel",
        {
            "parallel": "in parallel with the rendering of the tile before, with a Rasterizer, early depth "
            "and Depth Buffer of its own",
            "sequential": "before the tile is rendered, with those of the raster stage",
        },
        "when hidden surfaces of a tile are removed (4.3.1)",
    )
    hsr_primitives: int = number(
        0,
        "primitives",
        "primitives that are fetched side by side to remove hidden surfaces (one: 4.3.1); 0: as many as the Tile "
        "Fetcher's Primitive Table holds",
        0,
        256,
    )
    hsr_reads: str = choice(
        "position",
        {
            "position": "its position (4.5.1)",
            "all": "all of them",
        },
        "attributes that are read of a primitive to remove hidden surfaces",
        silent=("all",),
    )
    hsr_cycles_per_quad: int = number(
        0,
        "cycles",
        "that hidden surface removal takes for each quad; 0: as many quads per cycle as the Rasterizer and early depth",
        0,
        64,
        silent=(1, 4),
    )
    hsr_tile_queue: int = number(16, "primitives", "Tile Queue of hidden surface removal [Table 4.2]", 1, 256)
    hsr_fragment_queue: int = number(64, "quads", "Fragment Queue of hidden surface removal [Table 4.2]", 1, 1024)
