"""Texture blocks that several tiles of a frame use, by the distance between the tiles (Fig. 5.12)."""

from __future__ import annotations

from tilegpu.timing.declare.statistics import Stat, ratio

from ..engine.frame import Frame
from ..loading.textures.reuse import block_reuse

KINDS = (
    ("next_tile", "used by two tiles in a row"),
    ("second_tile", "used by tiles two apart, and not by two in a row"),
    ("later_tile", "used by tiles further apart only"),
    ("single_tile", "used by one tile only"),
)
"""A block counts once, under its shortest distance, as in the thesis."""


def _counted(i: int) -> Stat:
    name, what = KINDS[i]
    return Stat(f"texture_blocks.{name}", "lines", f"lines of texels {what}", measured=True)


def measure(frame: Frame) -> dict[str, float]:
    """Measured statistics of a frame."""
    return {f"texture_blocks.{name}": float(count) for (name, _), count in zip(KINDS, block_reuse(frame), strict=True)}


STATS = (
    *(_counted(i) for i in range(len(KINDS))),
    Stat(
        "texture_blocks.all",
        "lines",
        "lines of texels that recorded quads use, counted once per pass",
        "",
        " + ".join(f"texture_blocks.{name}" for name, _ in KINDS),
        lambda v: sum(v[f"texture_blocks.{name}"] for name, _ in KINDS),
    ),
    *(
        ratio(
            f"texture_blocks.{name}_share",
            "ratio",
            f"share of the lines of texels {what} (Fig. 5.12)",
            f"texture_blocks.{name}",
            "texture_blocks.all",
        )
        for name, what in KINDS
    ),
)
