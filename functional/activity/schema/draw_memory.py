"""Tables of what draws access in buffers and images."""

import pyarrow as pa

from .compute import BUFFER_RANGE, IMAGE_UNIT
from .table import FRAME, Column, Table

_STAGE = pa.field("stage", pa.string(), False)
_BASE = (
    "element that {who} accesses, as in memory_accesses; below 0 it is outside, and nothing is accessed; of several "
    "executions, the first"
)

DRAW_MEMORY = Table(
    "draw_memory",
    "draw whose programs access buffers or images",
    "frame",
    (
        FRAME,
        Column("draw", pa.int32(), "draw", encoding="ascending"),
        Column("buffers", pa.list_(pa.struct([_STAGE, *BUFFER_RANGE])), "what the buffers of its shaders are bound to"),
        Column("images", pa.list_(pa.struct([_STAGE, *IMAGE_UNIT])), "what their images are bound to, sizes in texels"),
    ),
)

_INSTRUCTION = (
    Column("pc", pa.uint16(), "instruction", encoding="runs"),
    Column("executions", pa.int32(), "executions in a row that differ by step alone", encoding="runs"),
)
_STEP = Column("step", pa.int64(), "change of all elements from one execution to the next", encoding="small")

VERTEX_MEMORY_ACCESSES = Table(
    "vertex_memory_accesses",
    "instruction on memory that a vertex executes, once or several times in a row, by vertex and instruction",
    "frame",
    (
        FRAME,
        Column("vertex", pa.int32(), "vertex of the frame", encoding="ascending"),
        *_INSTRUCTION,
        Column("base", pa.int64(), _BASE.format(who="it"), encoding="small"),
        _STEP,
    ),
)

QUAD_MEMORY_ACCESSES = Table(
    "quad_memory_accesses",
    "instruction on memory that lanes of a quad execute, once or several times in a row, by quad and instruction",
    "frame",
    (
        FRAME,
        Column("quad", pa.int32(), "row of the quad in its frame, from 0", encoding="ascending"),
        *_INSTRUCTION,
        Column(
            "lanes",
            pa.uint8(),
            "bits 0-3: lanes that execute it; bits 4-7: those that are helpers, failed early tests or are discarded, "
            "whose loads take place and whose stores and atomic operations do not",
            encoding="runs",
        ),
        Column("base", pa.int64(), _BASE.format(who="the first executing lane"), encoding="small"),
        *(
            Column(
                f"offset_{lane}",
                pa.int64(),
                f"element of lane {lane} less that of the first executing lane; 0 if it does not execute",
                encoding="small",
            )
            for lane in (1, 2, 3)
        ),
        _STEP,
    ),
)
