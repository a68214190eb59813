"""Parallel Tile Rendering: what the abstract says, what the text cannot decide, and why conclusions do not hold."""

from __future__ import annotations

from ...declare import Cause, PublishedNumber, Undecidable
from .measures import BASE, CYCLES, RASTER

HEADLINES = {
    "raster-speedup": "Two Raster Units speed up the raster stage by 83 %",
    "ahead-of-doubling": "They are 8.3 % faster than one with twice the resources",
    "energy": "They save 9.86 % of the energy",
}

BASELINE = (
    PublishedNumber(
        "the raster stage takes most of the time", "Fig. 5.1, more than half", 50, "% of the cycles",
        lambda m: 100 * m.mean(m.shares(BASE, RASTER, CYCLES).values()),
    ),
)  # fmt: skip

LOST_PATTERNS = Undecidable(
    "not in the text",
    "which processor shades which quad is a picture for each of the seventeen mappings (Fig. 6.3), and lost. They were "
    "rebuilt from their names; all come to within 5 % of each other, so the ranks are those of the rebuilding.",
)

UNDECIDABLE = {
    "worst-mappings": LOST_PATTERNS,
    "blocking-fast": LOST_PATTERNS,
    "blocking-saves": LOST_PATTERNS,
    "area-shared": Undecidable(
        "a quantity that is not given",
        "how McPAT's areas compose is not told. Two private caches less are 0.3 % of this model's area; they are 4 % "
        "if "
        "a texture cache takes thirteen times the area that it has here.",
    ),
}

CAUSES = (
    Cause(
        (
            "raster-speedup-ccs", "raster-speedup-rok", "furthest-from-two", "least-from-doubling", "memory-bound",
            "l1-mpki-gra", "l2-mpki",
        ),
        "the thesis tells how many texels a fragment takes, but not how large and how compressed a game's textures are",
        "CCS and RoK ask for what the text leaves open: bytes of texels per game. Under the readings of textures RoK's "
        "speed-up goes from 1.34 (no mipmaps) to 1.93, CCS's from 1.33 (RGBA8) to 1.67 (ETC1, mipmaps); the thesis has "
        "1.54 and 1.71. One unknown decides these seven.",
    ),
    Cause(
        ("sharing-gains-nothing",),
        "the best of seventeen mappings gains 2 % where the text says that all lose a bit; their mean gains 0.5 %",
    ),
    Cause(
        ("imbalance-coarse",),
        "some tile of BBR leaves two of four processors without work, which is 1.0 or more; the text says near 0.8",
    ),
)  # fmt: skip
