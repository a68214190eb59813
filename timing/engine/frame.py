"""One frame as the machine reads it: tables of records, grouped by the units that use them.

Every group has `extra`: the tables of each technique, in the order of the techniques. `log` has a row per tile, which
the machine fills in.

Row numbers join the tables. Ranges are half-open: `first_x` to `last_x`. Addresses are bytes.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

Table = np.ndarray[Any, Any]


def row_type(**fields: str) -> np.dtype[Any]:
    """Type of the rows of a table."""
    return np.dtype(list(fields.items()), align=True)


RENDER_PASS = row_type(
    frame="i4",
    number="i4",
    width="i4",
    height="i4",
    samples="i4",
    first_batch="i4",
    last_batch="i4",
    last_primitive="i4",
    first_tile="i4",
    last_tile="i4",
    first_target="i4",
    last_target="i4",
    first_move="i4",
    last_move="i4",
    reads_textures="i4",
    clear_depth="i8",
    clear_stencil="i4",
    load_depth="i8",
    store_depth="i8",
    load_stencil="i8",
    store_stencil="i8",
    depth_pitch="i4",
    stencil_pitch="i4",
)
"""Run of draws on one set of attachments. `load_…` and `store_…`: place in `saved`, or -1; `…_pitch`: pixels from row
to row there."""
TARGET = row_type(
    address="i8",
    size_bytes="i8",
    pitch_bytes="i4",
    pixel_bytes="i4",
    source="i4",
    load="i1",
    store="i1",
    across_bits="i1",
    down_bits="i1",
    blocks_across="i4",
    first_line="i8",
    lines="i8",
)
"""Attachment in memory, from the bottom up. `size_bytes`: what caches forget when it was drawn to.

Tiles are written as rows of pixels of `pitch_bytes`. Where quads are, the attachment is made of blocks of a line each:
2^`across_bits` x 2^`down_bits` pixels, `blocks_across` of them side by side; `first_line`, `lines`: rows of
`touched` that tell of them, none where tiles are written."""
MOVE = row_type(
    read_address="i8", read_bytes="i8", write_address="i8", write_bytes="i8", changed_address="i8", changed_bytes="i8"
)
"""Upload, copy, blit or mipmap before a pass: what the Transfer Unit reads and writes, and what caches forget."""
TILE = row_type(render_pass="i4", x="i4", y="i4", first_entry="i4", last_entry="i4", mapping="i4")
"""Tile of a pass, in the order of processing; x, y: its lower left pixel. `mapping`: which of the quad mappings that
take turns."""
BATCH = row_type(
    first_stream="i4",
    last_stream="i4",
    index_address="i8",
    index_bytes="i4",
    first_attribute="i4",
    last_attribute="i4",
    command_address="i8",
    command_bytes="i4",
)
"""Draw, or one of its instances."""
ATTRIBUTE = row_type(address="i8", stride_bytes="i4", size_bytes="i4")
STREAM = row_type(index="i8", vertex="i4", path="i4", operation="i4")
"""Vertex as drawn: the index it has in its arrays, its row in the activity, the path of its shader, its first texture
operation."""
PRIMITIVE = row_type(
    state="i4",
    clear="i4",
    stream_end="i4",
    attributes="i4",
    record="i8",
    record_bytes="i4",
    first_bin="i4",
    last_bin="i4",
    depth="f8",
    depth_dx="f8",
    depth_dy="f8",
    culled="i1",
    front_facing="i1",
)
"""Primitive in drawing order, clears among them. `record`: where the Parameter Buffer holds its attributes."""
BIN = row_type(entry="i4")
"""Tile that a primitive falls into, as the row of the tile's list."""
ENTRY = row_type(primitive="i4", first_quad="i4", last_quad="i4", pointer="i8")
"""Primitive in a tile's list. `pointer`: where the Parameter Buffer holds it."""
STATE = row_type(
    late="i1",
    blends="i1",
    writes_color="i1",
    constraint="i4",
    depth_test="i1",
    depth_function="i1",
    depth_write="i1",
    depth_format="i1",
    stencil_test="i1",
    front_function="i1",
    front_reference="i4",
    front_mask="i4",
    front_write_mask="i4",
    front_fail="i1",
    front_depth_fail="i1",
    front_depth_pass="i1",
    back_function="i1",
    back_reference="i4",
    back_mask="i4",
    back_write_mask="i4",
    back_fail="i1",
    back_depth_fail="i1",
    back_depth_pass="i1",
)
"""Depth and stencil state of a draw. `late`: tested after shading; `blends`: reads the colours that are there;
`writes_color`: writes some; `constraint`: why it must keep its place (`activity.kernels.order`)."""
CLEAR = row_type(depth_write="i1", depth="i8", stencil_mask="i4", stencil="i4", x="i4", y="i4", width="i4", height="i4")
QUAD = row_type(
    primitive="i4",
    x="u2",
    y="u2",
    coverage="u2",
    depth_pass="u2",
    discarded="u2",
    passed="u2",
    path="i4",
    operation="i4",
    shader_depth="i4",
)
"""Covered 2x2 quad; x, y in quads. `depth_pass`: samples that pass in program order; `passed`: those that passed the
test of this machine, which fills it in; `discarded`: samples that the shader or alpha to coverage leaves out.
`operation`: its first texture operation, one row for each that its path executes. `shader_depth`: row of its four
depths, or -1."""
TILE_LOG = row_type(
    first_cycle="i8",
    last_cycle="i8",
    raster_unit="i4",
    skipped_by="i4",
    primitives="i4",
    quads="i4",
    shaded_quads="i4",
    busy_cycles="i8",
    imbalance_ppm="i8",
    texture_misses="i8",
)
"""What became of a tile, written by the machine. `skipped_by`: number of the technique that left it out, from 1;
`imbalance_ppm`: deviation over mean of the active cycles of its Fragment Processors."""
BLENDED = row_type(row="i4", order="i4")
"""Quad as the activity has it (`row`, -1 for what is drawn beyond that), and when it was blended, which the machine
fills in: `order` counts the quads of a blending unit from 1 in each frame, 0 is never."""
PATH = row_type(
    first="i4",
    last="i4",
    alu="i8",
    sfu="i8",
    tex="i8",
    flow="i8",
    mem="i8",
    constant_reads="i8",
    input_reads="i8",
    input_writes="i8",
    temporal_reads="i8",
    temporal_writes="i8",
    output_reads="i8",
    output_writes="i8",
)
"""What a warp executes. `alu` and so on: operations of a class, one for each component that each lane writes (a special
function, a jump or an access to pixels is one operation of a lane). `constant_reads` and so on: registers of each
file that the lanes read and write."""
INSTRUCTION = row_type(
    address="i8",
    kind="i2",
    pc="i2",
    cycles="i2",
    destination="i2",
    source_0="i2",
    source_1="i2",
    source_2="i2",
    access="i2",
    operand="i2",
)
"""Instruction. `cycles`: how long it occupies the processor that issues it; `access`: what a MEM instruction does, of
`ACCESSES`, or of a vertex program; `operand`: the number of the attribute or output that the latter accesses."""
OPERATION = row_type(first_line="i4", lines="i2", probes="i2")
"""Texture operation of a quad: the lines it needs, and how many bilinear probes it filters."""

KINDS = ("alu", "sfu", "tex", "flow", "mem")
ALU, SFU, TEX, FLOW, MEM = range(len(KINDS))
REGISTER_ACCESSES = (
    "constant_reads",
    "input_reads",
    "input_writes",
    "temporal_reads",
    "temporal_writes",
    "output_reads",
    "output_writes",
)
(
    CONSTANT_READS,
    INPUT_READS,
    INPUT_WRITES,
    TEMPORAL_READS,
    TEMPORAL_WRITES,
    OUTPUT_READS,
    OUTPUT_WRITES,
) = range(len(REGISTER_ACCESSES))
ACCESSES = ("depth_load", "depth_store", "color_load", "color_store")
DEPTH_LOAD, DEPTH_STORE, COLOR_LOAD, COLOR_STORE = range(len(ACCESSES))
ATTRIBUTE_LOAD, OUTPUT_STORE = range(len(ACCESSES), len(ACCESSES) + 2)
"""Accesses of vertex programs, where vertices are fetched and written by instructions."""


class Commands(NamedTuple):
    """What tells of passes and tiles."""

    render_pass: Table
    target: Table
    tile: Table
    move: Table
    log: Any = ()
    extra: Any = ()


class Vertices(NamedTuple):
    """What the Vertex Fetcher reads."""

    batch: Table
    attribute: Table
    stream: Table
    extra: Any = ()


class Binning(NamedTuple):
    """What the primitives' way into the tiles' lists needs."""

    primitive: Table
    bin: Table
    entry: Table
    extra: Any = ()


class Tiling(NamedTuple):
    """What the tiles' way into the Raster Units needs."""

    tile: Table
    entry: Table
    primitive: Table
    quad: Table
    state: Table
    log: Any = ()
    extra: Any = ()


class Depth(NamedTuple):
    """What depth and stencil tests need. `saved`: depth and stencil that outlive their pass."""

    quad: Table
    primitive: Table
    state: Table
    clear: Table
    shader_depth: Table
    saved: Table
    blended: Table
    log: Any = ()
    extra: Any = ()


class Surfaces(NamedTuple):
    """What a machine with its frame buffer in memory needs. `touched`: which lines of the attachments the pass has
    accessed; `waiting`: late tests that each place of a quad waits for."""

    render_pass: Table
    target: Table
    touched: Table
    waiting: Table
    extra: Any = ()


class Shading(NamedTuple):
    """What the processors execute. `sequence`: instruction by instruction, for all paths."""

    quad: Table
    stream: Table
    path: Table
    sequence: Table
    instruction: Table
    log: Any = ()
    extra: Any = ()


class Texturing(NamedTuple):
    """What the texture units look up."""

    operation: Table
    line: Table
    extra: Any = ()


class Frame(NamedTuple):
    """One frame, or several, for the machine to run. `work`, `vertex_shading`, `vertex_texturing`: `commands`,
    `shading` and `texturing` of the passes whose geometry is at work; `machine`: tables of the machine's own."""

    commands: Commands
    vertices: Vertices
    binning: Binning
    tiling: Tiling
    depth: Depth
    shading: Shading
    texturing: Texturing
    surfaces: Surfaces
    work: Commands
    vertex_shading: Shading
    vertex_texturing: Texturing
    machine: Any = ()
    extra: Any = ()


GEOMETRY_TABLES = ("work", "vertices", "binning", "vertex_shading", "vertex_texturing")
"""Fields of `Frame` that only units before the Parameter Buffer read."""


def join(
    render_pass: Table,
    target: Table,
    tile: Table,
    batch: Table,
    attribute: Table,
    stream: Table,
    primitive: Table,
    bins: Table,
    entry: Table,
    state: Table,
    clear: Table,
    quad: Table,
    shader_depth: Table,
    saved: Table,
    path: Table,
    sequence: Table,
    instruction: Table,
    operation: Table,
    line: Table,
    move: Table | None = None,
    sorts: bool = True,
) -> Frame:
    """Group the tables; tables that several units read are shared, not copied. `sorts` as of the machine."""
    if move is None:
        move = np.zeros(0, MOVE)
    log = np.zeros(len(tile), TILE_LOG)
    commands, texturing = Commands(render_pass, target, tile, move, log), Texturing(operation, line)
    shading = Shading(quad, stream, path, sequence, instruction, log)
    return Frame(
        commands,
        Vertices(batch, attribute, stream),
        Binning(primitive, bins, entry),
        Tiling(tile, entry, primitive, quad, state, log),
        Depth(quad, primitive, state, clear, shader_depth, saved, _blended(len(quad)), log),
        shading,
        texturing,
        _surfaces(render_pass, target, sorts),
        commands,
        shading,
        texturing,
    )


def overlapped(raster: Any, geometry: Any) -> Any:
    """Tables for a machine whose geometry stage is a frame ahead.

    Parameters
    ----------
    raster, geometry
        Tables of a frame and of the next one: `Frame`, or their plain copies.
    """
    ahead = {name: getattr(geometry, name) for name in GEOMETRY_TABLES}
    return raster._replace(**ahead) if isinstance(raster, Frame) else SimpleNamespace(**vars(raster) | ahead)


def _blended(quads: int) -> Table:
    table = np.zeros(quads, BLENDED)
    table["row"] = np.arange(quads)
    return table


def _surfaces(render_pass: Table, target: Table, sorts: bool) -> Surfaces:
    """Room for all lines of the attachments and for the quads of the largest pass; none where tiles are written."""
    lines = int((target["first_line"] + target["lines"]).max(initial=0))
    quads = (render_pass["width"].astype(np.int64) + 1) // 2 * ((render_pass["height"].astype(np.int64) + 1) // 2)
    most = 0 if sorts else int(quads.max(initial=0))
    return Surfaces(render_pass, target, np.zeros(lines, np.uint8), np.zeros(most, np.int32))


def with_extra(frame: Frame, extra: tuple[Any, ...]) -> Frame:
    """The frame with the tables of techniques."""
    own = ("machine", "extra")
    groups = {name: group._replace(extra=extra) for name, group in frame._asdict().items() if name not in own}
    return Frame(**groups, machine=frame.machine, extra=extra)
