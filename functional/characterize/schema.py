"""Tables of a characterization, column by column."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

FORMAT_VERSION = 6


class Column(NamedTuple):
    """A column: name, type, and what it holds."""

    name: str
    type: pa.DataType
    description: str


_I32, _I64, _F64 = pa.int32(), pa.int64(), pa.float64()
_FRAME = Column("frame", _I32, "number of the frame in the capture")

FRAMES = (
    _FRAME,
    Column("width", _I32, "pixels of the window in a row"),
    Column("height", _I32, "rows of the window"),
    Column("draws", _I64, "draw calls"),
    Column(
        "constant_bytes", _I64, "bytes of uniforms set for these, outside of blocks, since their programs' draws before"
    ),
    Column("dispatches", _I64, "dispatches of compute programs"),
    Column("passes", _I64, "runs of draws and clears on one set of attachments"),
    Column("vertices", _I64, "vertices shaded: the distinct ones of each draw and instance"),
    Column("primitives", _I64, "primitives as assembled, before clipping and culling"),
    Column("primitives_visible", _I64, "primitives after clipping that are not culled and cover a sample"),
    Column("tile_entries", _I64, "pairs of a visible primitive and a tile that it touches"),
    Column("fragments", _I64, "fragments covered, before early depth"),
    Column("fragments_shaded", _I64, "fragments shaded, helpers not counted"),
    Column("texels", _I64, "texels that fragments request: 1 nearest, 4 bilinear, 8 trilinear, each once per probe"),
    Column(
        "texel_blocks",
        _I64,
        "blocks of 64 bytes of textures that fragments read, by the first texel of each quad and level",
    ),
    Column("texel_blocks_first_used", _I64, "those of them that no frame before has read, from the first counted on"),
    Column("buffer_blocks", _I64, "blocks of 64 bytes of buffers that draws fetch vertices and indices from"),
    Column("buffer_blocks_first_used", _I64, "those of them that no frame before has fetched from"),
    Column("pixels", _I64, "pixels of the images drawn to, each image once"),
    Column("tiles", _I64, "tiles of the window"),
    Column(
        "tiles_repeated_1", _I64, "those of them whose inputs are as in the frame before; see Rendering Elimination"
    ),
    Column("tiles_repeated_2", _I64, "those whose inputs are as in the frame before that"),
    Column("overdraw", _F64, "fragments shaded per pixel of these; empty without any"),
)
PROGRAMS = (
    _FRAME,
    Column("program", _I32, "number of the program, as in an activity"),
    Column("stage", pa.string(), "vertex, fragment or compute"),
    Column("invocations", _I64, "vertices, fragments (helpers not counted) or invocations of dispatches"),
    Column(
        "instructions",
        _I64,
        "instructions that these executed, following branches; empty for compute shaders with branches",
    ),
)
TEXEL_BLOCKS = (
    _FRAME,
    Column("surface", _I32, "the texture, by its number in an activity"),
    Column("first_level", _I32, "its base level, the first that has blocks"),
    Column("blocks", _I32, "its blocks that fragments of the frame read"),
    Column(
        "used",
        pa.binary(),
        "which: bits, the lowest first, compressed by zlib; blocks are as square as a power of two of texels allows, "
        "or wider, and numbered level by level, layer by layer, row by row",
    ),
)
BUFFER_BLOCKS = (
    _FRAME,
    Column("buffer", _I32, "the buffer, or the program's memory, by its number in an activity"),
    Column("blocks", _I32, "its blocks that draws of the frame fetch from"),
    Column(
        "used",
        pa.binary(),
        "which: bits, the lowest first, compressed by zlib; blocks are numbered from the first byte of the buffer on",
    ),
)
_SOME = pa.list_(_I32)
TILE_LISTS = (
    _FRAME,
    Column("columns", _I32, "tiles in a row of an image drawn to"),
    Column("rows", _I32, "rows of its tiles"),
    Column("attributes", _I64, "most attributes of visible primitives, positions included, in a pass to such an image"),
    Column(
        "entries",
        _SOME,
        "by tile, row by row from the bottom: visible primitives that touch it, the most of such a pass",
    ),
)
OPERATIONS = (
    Column("frame", _I32, "number of the frame that the operation is in; all from the beginning of the capture on"),
    Column("call", _I64, "number of its call; -1: what some memory holds is shown by the frame"),
    Column("access", _I32, "which memory it accesses: a row of accesses"),
)
ACCESSES = (
    Column("access", _I32, "number of the row"),
    Column("kind", pa.string(), "draw, clear, copy …; empty for memory that a frame shows"),
    Column("reads", _SOME, "memory that its result depends on: images and buffers that operations write, numbered"),
    Column("writes", _SOME, "memory that it changes, perhaps in part"),
    Column("replaces", _SOME, "memory that it overwrites completely"),
    Column("steers", _SOME, "memory that decides more than its result, and has to be right in any case"),
)
COUNTED = {
    "frames": FRAMES,
    "programs": PROGRAMS,
    "texel_blocks": TEXEL_BLOCKS,
    "buffer_blocks": BUFFER_BLOCKS,
    "tile_lists": TILE_LISTS,
}
"""Tables that frames add rows to."""
TABLES = COUNTED | {"operations": OPERATIONS, "accesses": ACCESSES}


def schema_of(name: str, metadata: dict[str, str]) -> pa.Schema:
    """Schema of a table, with metadata of the file."""
    fields = [pa.field(c.name, c.type, metadata={"description": c.description}) for c in TABLES[name]]
    return pa.schema(fields, metadata=metadata)
