"""What can be set of frame buffer compression."""

from __future__ import annotations

from typing import Literal

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group):
    """Frame buffer compression (Arm's AFBC)."""

    count_bits: int = number(
        4,
        "bits",
        "each of the five bit counts that stand before a component's differences; Arm's patent US 8,542,939 tells of "
        "them; fewer where they are told relative to each other",
        1,
        8,
        silent=(2, 4),
    )
    clean_tiles: Literal["header", "pixels"] = choice(
        "header",
        "what the tile flush does with a superblock that was cleared and not drawn on, which the GPU knows (Mesa's "
        "panfrost: clean tiles): it writes the header; or it looks at every pixel, too",
        silent=("pixels",),
    )
