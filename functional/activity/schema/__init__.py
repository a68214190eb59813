"""The tables of the activity, declared column by column."""

from types import MappingProxyType

from .compute import COMPUTE_TEXTURE_READS, DISPATCHES, INVOCATIONS, MEMORY_ACCESSES
from .draw_memory import DRAW_MEMORY, QUAD_MEMORY_ACCESSES, VERTEX_MEMORY_ACCESSES
from .fragments import QUADS, SUMMARY, TEXTURE_READS, VERTEX_TEXTURE_READS
from .geometry import DRAWS, PRIMITIVES, VERTICES
from .resources import BUFFERS, INSTRUCTIONS, PATHS, PROGRAMS, SURFACES
from .stream import EVENTS, FRAMES, PASSES
from .table import Column, Table

FORMAT_VERSION = 8
"""Rises with every change that readers must know about."""

LEVELS = ("summary", "visible", "all")
GROUPS = ("inputs", "colors", "pass_images")

TABLES = MappingProxyType(
    {
        table.name: table
        for table in (
            FRAMES,
            EVENTS,
            PASSES,
            SURFACES,
            BUFFERS,
            PROGRAMS,
            INSTRUCTIONS,
            PATHS,
            DRAWS,
            VERTICES,
            PRIMITIVES,
            QUADS,
            TEXTURE_READS,
            VERTEX_TEXTURE_READS,
            DISPATCHES,
            INVOCATIONS,
            MEMORY_ACCESSES,
            COMPUTE_TEXTURE_READS,
            DRAW_MEMORY,
            VERTEX_MEMORY_ACCESSES,
            QUAD_MEMORY_ACCESSES,
            SUMMARY,
        )
    }
)

__all__ = ["FORMAT_VERSION", "GROUPS", "LEVELS", "TABLES", "Column", "Table"]
