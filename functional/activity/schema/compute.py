"""Tables of compute: dispatches, the paths of their invocations, accesses to memory, texels that they sample."""

import pyarrow as pa

from .fragments import READ, READ_PLACES
from .geometry import BINDING, UPLOAD
from .table import FRAME, Column, Table

BUFFER_RANGE = pa.struct(
    [
        pa.field("index", pa.int32(), False, {"description": "buffer of the shader"}),
        pa.field("buffer", pa.int32(), False, {"description": "-1 if nothing is bound"}),
        pa.field("offset_bytes", pa.int64(), False),
        pa.field("size_bytes", pa.int64(), False),
    ]
)
IMAGE_UNIT = pa.struct(
    [
        pa.field("index", pa.int32(), False, {"description": "image of the shader"}),
        pa.field("surface", pa.int32(), False, {"description": "-1 if nothing is bound"}),
        pa.field("level", pa.int32(), False),
        pa.field("first_layer", pa.int32(), False),
        pa.field("width", pa.int32(), False),
        pa.field("height", pa.int32(), False),
        pa.field("layers", pa.int32(), False),
    ]
)

DISPATCHES = Table(
    "dispatches",
    "dispatch of a compute program",
    "frame",
    (
        FRAME,
        Column("dispatch", pa.int32(), "key of the dispatch in other tables, ascending through the recording"),
        Column("number", pa.int32(), "number in its frame: draws and dispatches are counted from 0"),
        Column("event", pa.int64(), "its event"),
        Column("program", pa.int32(), "program"),
        Column("groups_x", pa.int32(), "work groups in x"),
        Column("groups_y", pa.int32(), "work groups in y"),
        Column("groups_z", pa.int32(), "work groups in z"),
        Column("indirect_buffer", pa.int32(), "buffer that held the number of groups", True),
        Column("indirect_offset_bytes", pa.int64(), "first byte of it", True),
        Column("buffers", pa.list_(BUFFER_RANGE), "what the shader's buffers are bound to"),
        Column("images", pa.list_(IMAGE_UNIT), "what the shader's images are bound to, sizes in texels"),
        Column("bindings", pa.list_(BINDING), "texture and sampler state per sampler the program uses"),
        Column("uploads", pa.list_(UPLOAD), "constants set since the program's previous dispatch, as in draws"),
    ),
)

INVOCATIONS = Table(
    "invocations",
    "run of invocations of a dispatch that take the same path",
    "frame",
    (
        FRAME,
        Column("dispatch", pa.int32(), "dispatch", encoding="runs"),
        Column(
            "first",
            pa.int64(),
            "first of them: its work group, x counted first, times the size of a group, plus its local index",
        ),
        Column("count", pa.int32(), "how many there are"),
        Column("path", pa.int32(), "executed path of the compute shader"),
    ),
)

MEMORY_ACCESSES = Table(
    "memory_accesses",
    "instruction on memory that a work group of a dispatch executes, once or several times in a row, by group and "
    "instruction",
    "frame",
    (
        FRAME,
        Column("dispatch", pa.int32(), "dispatch", encoding="runs"),
        Column("group", pa.int32(), "work group, x counted first", encoding="runs"),
        Column("pc", pa.int32(), "instruction", encoding="runs"),
        Column("executions", pa.int32(), "executions in a row that differ by step alone", encoding="runs"),
        Column(
            "lanes",
            pa.binary(),
            "invocations of the group that execute it, a bit each by local index, from the lowest bit of the first "
            "byte on; null if all do",
            True,
        ),
        Column(
            "base",
            pa.int64(),
            "element that the invocation at (0, 0, 0) of the group accesses, or, with offsets, the first one that "
            "executes it. Elements are words of 4 bytes from the start of a buffer's range or of shared memory; "
            "texels of an image, row by row and layer by layer",
        ),
        Column("stride_x", pa.int64(), "change with the local x", encoding="small"),
        Column("stride_y", pa.int64(), "change with the local y", encoding="small"),
        Column("stride_z", pa.int64(), "change with the local z", encoding="small"),
        Column("step", pa.int64(), "change from one execution to the next", encoding="small"),
        Column(
            "offsets",
            pa.list_(pa.int64()),
            "where strides do not describe them, elements less base of the invocations that execute it; those with an "
            "element below 0 are outside and access nothing",
            True,
            encoding="small",
        ),
    ),
)

COMPUTE_TEXTURE_READS = Table(
    "compute_texture_reads",
    "texture operation of four invocations in a row of a work group, per level and layer, by invocations and then in "
    "execution order",
    "frame",
    (
        FRAME,
        Column("dispatch", pa.int32(), "dispatch", encoding="runs"),
        Column(
            "four",
            pa.int32(),
            "the four invocations: their work group, x counted first, times the fours of a group, the last of which "
            "may have fewer, plus a quarter of the local index of their first",
            encoding="ascending",
        ),
        *READ,
        Column("lanes", pa.uint8(), "bits 0-3: invocations of the four that read", encoding="runs"),
        *READ_PLACES,
    ),
)
