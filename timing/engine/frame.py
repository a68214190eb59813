"""One frame as the machine reads it: tables of records, grouped by the units that use them.

Every group has `extra`: the tables of each technique, in the order of the techniques. `log` has a row per tile, which
the machine fills in.

Row numbers join the tables. Ranges are half-open: `first_x` to `last_x`. Addresses are bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.records import Record, Rows, f8, i1, i2, i4, i8, u2

Table = np.ndarray[Any, Any]


class RenderPass(Record):
    """Run of draws on one set of attachments. `early_dispatch`: end of its dispatches that may begin while the pass
    before is rasterized; `needed_dispatches`: how many of the frame its draws wait for. `load_…` and `store_…`: place
    in `saved`, or -1; `…_pitch`: pixels from row to row there. `application`: whose it is, where several share the
    GPU. `dead_address`, `dead_bytes`: Parameter Buffer whose lines are dropped when its tiles are done, and those of
    `dead_passes` before it, whose tiles it has; 0 bytes: none are."""

    frame: i4
    number: i4
    application: i4
    width: i4
    height: i4
    samples: i4
    first_batch: i4
    last_batch: i4
    last_primitive: i4
    first_tile: i4
    last_tile: i4
    first_target: i4
    last_target: i4
    first_move: i4
    last_move: i4
    first_dispatch: i4
    early_dispatch: i4
    last_dispatch: i4
    needed_dispatches: i4
    first_written: i4
    last_written: i4
    reads_textures: i4
    clear_depth: i8
    clear_stencil: i4
    load_depth: i8
    store_depth: i8
    load_stencil: i8
    store_stencil: i8
    depth_pitch: i4
    stencil_pitch: i4
    dead_address: i8
    dead_bytes: i8
    dead_passes: i4


class Target(Record):
    """Attachment in memory, from the bottom up. `size_bytes`: what caches forget when it was drawn to.

    Tiles are written as rows of pixels of `pitch_bytes`. Where quads are, the attachment is made of blocks of a line
    each: 2^`across_bits` x 2^`down_bits` pixels, `blocks_across` of them side by side; `first_line`, `lines`: rows of
    `touched` that refer to them, none where tiles are written.
    """

    address: i8
    size_bytes: i8
    pitch_bytes: i4
    pixel_bytes: i4
    source: i4
    load: i1
    store: i1
    across_bits: i1
    down_bits: i1
    blocks_across: i4
    first_line: i8
    lines: i8


class Move(Record):
    """Upload, copy, blit or mipmap before a pass: what the Transfer Unit reads and writes, and what caches forget."""

    read_address: i8
    read_bytes: i8
    write_address: i8
    write_bytes: i8
    changed_address: i8
    changed_bytes: i8


class Written(Record):
    """Range of memory that programs may write."""

    address: i8
    size_bytes: i8


class Tile(Record):
    """Tile of a pass, in the order of processing; x, y: its lower left pixel. `mapping`: which of the quad mappings
    that take turns; `application`: whose it is, where several share the GPU."""

    render_pass: i4
    x: i4
    y: i4
    first_entry: i4
    last_entry: i4
    mapping: i4
    application: i4


class Batch(Record):
    """Draw, or one of its instances. `descriptor_bytes`: of the first level behind the commands, where there is one;
    `primitives_before`: of the draws before, which it waits for where jobs depend on each other, 0 for instances but
    the first; `work`: row of its account (`engine.work`)."""

    first_stream: i4
    last_stream: i4
    index_address: i8
    index_bytes: i4
    first_attribute: i4
    last_attribute: i4
    command_address: i8
    command_bytes: i4
    descriptor_bytes: i4
    primitives_before: i4
    work: i4


class Attribute(Record):
    """Array of a vertex attribute in memory."""

    address: i8
    stride_bytes: i4
    size_bytes: i4


class StreamVertex(Record):
    """Vertex as drawn: the index it has in its arrays, its row in the activity, the path of its shader, its first
    texture operation, the account of its draw."""

    index: i8
    vertex: i4
    path: i4
    operation: i4
    work: i4


class Primitive(Record):
    """Primitive in drawing order, clears among them. `record`: where the Parameter Buffer holds its attributes;
    `descriptors`: where the commands of its draw are; `work`: account of its draw; `corners`: 1 to 3, or 0 for clears;
    `culled`: why, of `CULLING`, or 0."""

    state: i4
    clear: i4
    stream_end: i4
    attributes: i4
    record: i8
    descriptors: i8
    record_bytes: i4
    first_bin: i4
    last_bin: i4
    work: i4
    depth: f8
    depth_dx: f8
    depth_dy: f8
    culled: i1
    front_facing: i1
    corners: i1


CULLING = ("none", "sides", "depth", "samples")
"""Reasons to cull a primitive: its facing, or a side of the view; the near or far plane; no sample that it covers."""


class Bin(Record):
    """Tile that a primitive falls into, as the row of the tile's list."""

    entry: i4


class ListEntry(Record):
    """Primitive in a tile's list. `pointer`: where the Parameter Buffer holds it. `left_out`: whether a technique has
    left it out, which the machine fills in."""

    primitive: i4
    first_quad: i4
    last_quad: i4
    pointer: i8
    left_out: i4


class DrawState(Record):
    """Depth and stencil state of a draw. `late`: tested after shading; `blends`: reads the colours of the attachment;
    `writes_color`: writes some; `writes_memory`: its fragments do, so that each is shaded, seen or not, if it is tested
    late; `constraint`: why it must keep its place (`activity.kernels.order`)."""

    late: i1
    blends: i1
    writes_color: i1
    writes_memory: i1
    constraint: i4
    depth_test: i1
    depth_function: i1
    depth_write: i1
    depth_format: i1
    stencil_test: i1
    front_function: i1
    front_reference: i4
    front_mask: i4
    front_write_mask: i4
    front_fail: i1
    front_depth_fail: i1
    front_depth_pass: i1
    back_function: i1
    back_reference: i4
    back_mask: i4
    back_write_mask: i4
    back_fail: i1
    back_depth_fail: i1
    back_depth_pass: i1


class Clear(Record):
    """Clear between draws: a box of depths and stencil values."""

    depth_write: i1
    depth: i8
    stencil_mask: i4
    stencil: i4
    x: i4
    y: i4
    width: i4
    height: i4


class Quad(Record):
    """Covered 2x2 quad; x, y in quads. `depth_pass`: samples that pass in program order; `passed`: those that passed
    the test of this machine, which fills it in; `discarded`: samples that the shader or alpha to coverage leaves out.
    `operation`: its first texture operation, one row for each that its path executes. `shader_depth`: row of its four
    depths, or -1."""

    primitive: i4
    x: u2
    y: u2
    coverage: u2
    depth_pass: u2
    discarded: u2
    passed: u2
    path: i4
    operation: i4
    shader_depth: i4


class TileLog(Record):
    """Outcome of a tile, written by the machine. `skipped_by`: number of the technique that left it out, from 1;
    `imbalance_ppm`: deviation over mean of the active cycles of its Fragment Processors; `bound`: number of what
    bounded it, from 1 (`assembly.bounding`), 0 where it is not counted."""

    first_cycle: i8
    last_cycle: i8
    raster_unit: i4
    skipped_by: i4
    primitives: i4
    quads: i4
    shaded_quads: i4
    busy_cycles: i8
    imbalance_ppm: i8
    texture_misses: i8
    loaded_bytes: i8
    stored_bytes: i8
    bound: i4


class Blended(Record):
    """Quad as the activity has it (`row`, -1 for what is drawn beyond that), and when it was blended, which the machine
    fills in: `order` counts the quads of a blending unit from 1 in each frame, 0 is never."""

    row: i4
    order: i4


class ShaderPath(Record):
    """Program of a warp. `alu` and so on: operations of a class, one for each component that each lane writes (a
    special function, a jump or an access to pixels is one operation of a lane). `constant_reads` and so on: registers
    of each file that the lanes read and write."""

    first: i4
    last: i4
    alu: i8
    sfu: i8
    tex: i8
    flow: i8
    mem: i8
    constant_reads: i8
    input_reads: i8
    input_writes: i8
    temporal_reads: i8
    temporal_writes: i8
    output_reads: i8
    output_writes: i8


class Instruction(Record):
    """Instruction of a program. `cycles`: how long it occupies the processor that issues it; `access`: what a MEM
    instruction does, of `ACCESSES`, or of a vertex program; `operand`: the number of the attribute or output that the
    latter accesses; `channels`: 16-bit channels of varyings that are interpolated for it; `fma`, `cvt`, `special`:
    instructions of Valhall's pipes that it stands for."""

    address: i8
    kind: i2
    pc: i2
    cycles: i2
    destination: i2
    source_0: i2
    source_1: i2
    source_2: i2
    access: i2
    operand: i2
    channels: i2
    fma: i2
    cvt: i2
    special: i2


class TextureOperation(Record):
    """Texture operation of a quad: the lines it needs, and how many bilinear probes it filters."""

    first_line: i4
    lines: i2
    probes: i2


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
GLOBAL_LOAD, GLOBAL_STORE, ATOMIC, SHARED, BARRIER = range(OUTPUT_STORE + 1, OUTPUT_STORE + 6)
"""Accesses to buffers and images, atomic ones among them; of compute programs to shared memory; barriers, which are
FLOW."""
LOCAL_LOAD, LOCAL_STORE = BARRIER + 1, BARRIER + 2
"""Accesses to shared memory that lies in memory; atomic ones are loads."""


NO_ROWS: Any = ()


def empty_pass(render_pass: Table) -> Table:
    """Pass after the last one, without tiles."""
    row = np.zeros(1, RenderPass.dtype)
    if len(render_pass):
        row[0] = render_pass[-1]
        for name in ("batch", "tile", "target", "move", "dispatch", "written"):
            row[f"first_{name}"] = row[f"last_{name}"]
    return row


class Commands(NamedTuple):
    """Tables of passes and tiles. `written`: by programs of draws."""

    render_pass: Rows[RenderPass]
    target: Rows[Target]
    tile: Rows[Tile]
    move: Rows[Move]
    written: Rows[Written]
    log: Rows[TileLog] = NO_ROWS
    extra: Any = ()


class Vertices(NamedTuple):
    """Tables that the Vertex Fetcher reads."""

    batch: Rows[Batch]
    attribute: Rows[Attribute]
    stream: Rows[StreamVertex]
    extra: Any = ()


class Binning(NamedTuple):
    """Tables for sorting primitives into the lists of tiles."""

    primitive: Rows[Primitive]
    bin: Rows[Bin]
    entry: Rows[ListEntry]
    extra: Any = ()


class Tiling(NamedTuple):
    """Tables for handing tiles to the Raster Units."""

    tile: Rows[Tile]
    entry: Rows[ListEntry]
    primitive: Rows[Primitive]
    quad: Rows[Quad]
    state: Rows[DrawState]
    log: Rows[TileLog] = NO_ROWS
    extra: Any = ()


class Depth(NamedTuple):
    """Tables for depth and stencil tests. `saved`: depth and stencil that outlive their pass."""

    quad: Rows[Quad]
    primitive: Rows[Primitive]
    state: Rows[DrawState]
    clear: Rows[Clear]
    shader_depth: Rows[float]
    saved: Rows[int]
    blended: Rows[Blended]
    log: Rows[TileLog] = NO_ROWS
    extra: Any = ()


class Surfaces(NamedTuple):
    """Tables of a machine with its frame buffer in memory. `touched`: lines of the attachments that the pass has
    accessed; `waiting`: late tests that each place of a quad waits for."""

    render_pass: Rows[RenderPass]
    target: Rows[Target]
    touched: Rows[int]
    waiting: Rows[int]
    extra: Any = ()


class Shading(NamedTuple):
    """Programs of the processors. `sequence`: instruction by instruction, for all paths."""

    quad: Rows[Quad]
    stream: Rows[StreamVertex]
    path: Rows[ShaderPath]
    sequence: Rows[int]
    instruction: Rows[Instruction]
    log: Rows[TileLog] = NO_ROWS
    extra: Any = ()


class Texturing(NamedTuple):
    """Tables that the texture units look up."""

    operation: Rows[TextureOperation]
    line: Rows[int]
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


def rows(kind: type[Record] | type[np.generic]) -> Any:
    """Declare a table, which has no rows where none are given."""
    return field(default_factory=partial(np.zeros, 0, np.dtype(kind)))


@dataclass(frozen=True)
class Tables:
    """The tables of a frame, each once; `frame` groups them by the units that read them.

    `saved` is depth and stencil that outlive their pass, `shader_depth` has the depths that programs write, and
    `sequence` the instructions of all paths.
    """

    render_pass: Table = rows(RenderPass)
    target: Table = rows(Target)
    tile: Table = rows(Tile)
    batch: Table = rows(Batch)
    attribute: Table = rows(Attribute)
    stream: Table = rows(StreamVertex)
    primitive: Table = rows(Primitive)
    bin: Table = rows(Bin)
    entry: Table = rows(ListEntry)
    state: Table = rows(DrawState)
    clear: Table = rows(Clear)
    quad: Table = rows(Quad)
    shader_depth: Table = rows(np.float32)
    saved: Table = rows(np.int64)
    path: Table = rows(ShaderPath)
    sequence: Table = rows(np.int32)
    instruction: Table = rows(Instruction)
    operation: Table = rows(TextureOperation)
    line: Table = rows(np.int64)
    move: Table = rows(Move)
    written: Table = rows(Written)

    @classmethod
    def of(cls, frame: Frame) -> Tables:
        """The tables of a frame, without what a machine fills in."""
        groups = (frame.commands, frame.vertices, frame.binning, frame.depth, frame.shading, frame.texturing)
        return cls(
            **{each.name: next(getattr(g, each.name) for g in groups if hasattr(g, each.name)) for each in fields(cls)}
        )

    def frame(self, sorts: bool = True) -> Frame:
        """Group the tables; those that several units read are shared, not copied.

        Parameters
        ----------
        sorts
            As of the machine (`engine.machine.Machine`).
        """
        log = np.zeros(len(self.tile), TileLog.dtype)
        commands = Commands(self.render_pass, self.target, self.tile, self.move, self.written, log)
        shading = Shading(self.quad, self.stream, self.path, self.sequence, self.instruction, log)
        texturing = Texturing(self.operation, self.line)
        blended = _blended(len(self.quad))
        return Frame(
            commands,
            Vertices(self.batch, self.attribute, self.stream),
            Binning(self.primitive, self.bin, self.entry),
            Tiling(self.tile, self.entry, self.primitive, self.quad, self.state, log),
            Depth(self.quad, self.primitive, self.state, self.clear, self.shader_depth, self.saved, blended, log),
            shading,
            texturing,
            _surfaces(self.render_pass, self.target, sorts),
            work=commands,
            vertex_shading=shading,
            vertex_texturing=texturing,
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
    table = np.zeros(quads, Blended.dtype)
    table["row"] = np.arange(quads)
    return table


def _surfaces(render_pass: Table, target: Table, sorts: bool) -> Surfaces:
    """Room for all lines of the attachments and for the quads of the largest pass; none where tiles are written."""
    lines = int((target["first_line"] + target["lines"]).max(initial=0))
    quads = (render_pass["width"].astype(np.int64) + 1) // 2 * ((render_pass["height"].astype(np.int64) + 1) // 2)
    most = 0 if sorts else int(quads.max(initial=0))
    touched: Table = np.zeros(lines, np.uint8)
    waiting: Table = np.zeros(most, np.int32)
    return Surfaces(render_pass, target, touched, waiting)


def with_extra(frame: Frame, extra: tuple[Any, ...]) -> Frame:
    """The frame with the tables of techniques."""
    own = ("machine", "extra")
    groups = {name: group._replace(extra=extra) for name, group in frame._asdict().items() if name not in own}
    return Frame(**groups, machine=frame.machine, extra=extra)
