"""Parameters of frame buffer compression."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, choice, number


class Parameters(Group, section="technique.frame_buffer_compression"):
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
    clean_tiles: str = choice(
        "header",
        {
            "header": "write the header",
            "pixels": "look at every pixel, too",
        },
        "what the tile flush does with a superblock that was cleared and not drawn on, which "
        "the GPU knows (Mesa's panfrost: clean tiles)",
        silent=("pixels",),
    )
