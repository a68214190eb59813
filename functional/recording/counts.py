"""Counts of the summary table, for kernels and the table."""

from enum import IntEnum, auto


class Count(IntEnum):
    """Position of each count of a program; the column of the table has its name in lower case."""

    DRAWS = 0
    VERTICES = auto()
    PRIMITIVES = auto()
    PRIMITIVES_KEPT = auto()
    QUADS = auto()
    QUADS_SHADED = auto()
    FRAGMENTS = auto()
    FRAGMENTS_SHADED = auto()
    FRAGMENTS_DISCARDED = auto()
    FRAGMENTS_WRITTEN = auto()
    VERTEX_INSTRUCTIONS = auto()
    FRAGMENT_INSTRUCTIONS = auto()
    TEXTURE_LOOKUPS = auto()
