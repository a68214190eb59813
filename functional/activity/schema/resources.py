"""Tables of what exists: surfaces, buffers, programs and their instructions and paths."""

import pyarrow as pa

from .table import Column, Table

SIZE = pa.struct([pa.field(n, pa.int32(), False) for n in ("width", "height", "depth")])

SURFACES = Table(
    "surfaces",
    "texture, renderbuffer or attachment of the default framebuffer",
    "recording",
    (
        Column("surface", pa.int32(), "number of the surface in the recording"),
        Column(
            "kind",
            pa.string(),
            "texture_2d, texture_cube, texture_3d, texture_2d_array, renderbuffer, default_color, "
            "default_depth_stencil",
        ),
        Column("label", pa.string(), "name that the application gave it (KHR_debug, EXT_debug_label)"),
        Column("format", pa.string(), "sized internal format, e.g. RGBA8, RGB565, DEPTH24_STENCIL8"),
        Column("samples", pa.int32(), "samples per texel, 1 without multisampling"),
        Column("block_width", pa.int32(), "texels per block horizontally, 1 if not compressed"),
        Column("block_height", pa.int32(), "texels per block vertically, 1 if not compressed"),
        Column("block_bytes", pa.int32(), "bytes per block as stored by the application's format"),
        Column("levels", pa.list_(SIZE), "size of each mipmap level in texels, from level 0"),
        Column("layers", pa.int32(), "array layers, 6 for a cube, 1 otherwise"),
        Column("first_event", pa.int64(), "event at which it came into being (-1: before the recording)"),
        Column("last_event", pa.int64(), "last event it lived to see"),
    ),
)

BUFFERS = Table(
    "buffers",
    "vertex, index, uniform or storage buffer; client-side arrays get one per draw that uses them",
    "recording",
    (
        Column("buffer", pa.int32(), "number of the buffer in the recording"),
        Column("label", pa.string(), "name that the application gave it (KHR_debug, EXT_debug_label)"),
        Column("size_bytes", pa.int64(), "largest size it had"),
        Column(
            "usage",
            pa.string(),
            "usage hint of the application, e.g. STATIC_DRAW, or CLIENT for client-side arrays",
        ),
        Column("first_event", pa.int64(), "event at which it came into being (-1: before the recording)"),
        Column("last_event", pa.int64(), "last event it lived to see"),
    ),
)

VARYING = pa.struct(
    [
        pa.field("name", pa.string(), False),
        pa.field("slot", pa.int32(), False, {"description": "vec4 of vertices.outputs"}),
        pa.field("components", pa.int32(), False),
        pa.field("interpolation", pa.string(), False),
    ]
)
ATTRIBUTE = pa.struct(
    [
        pa.field("name", pa.string(), False),
        pa.field("type", pa.string(), False),
        pa.field("location", pa.int32(), False),
    ]
)

UNIFORM = pa.struct(
    [
        pa.field("name", pa.string(), False),
        pa.field("stage", pa.string(), False),
        pa.field("block", pa.string(), False, {"description": "uniform block, empty for default uniforms"}),
        pa.field("offset_bytes", pa.int32(), False),
        pa.field("type", pa.string(), False),
        pa.field("array_size", pa.int32(), False, {"description": "0 unless it is an array"}),
        pa.field("array_stride_bytes", pa.int32(), False),
        pa.field("matrix_stride_bytes", pa.int32(), False, {"description": "between columns; rows if row-major"}),
        pa.field("row_major", pa.bool_(), False),
    ]
)

_COUNTS = tuple(
    Column(f"{stage}_{kind}", pa.int32(), f"static {kind} instructions of the {stage} shader")
    for stage in ("vertex", "fragment", "compute")
    for kind in ("alu", "sfu", "tex", "mem", "flow")
)

PROGRAMS = Table(
    "programs",
    "linked program; what belongs to a stage that it lacks is empty or 0",
    "recording",
    (
        Column("program", pa.int32(), "number of the program in the recording; a relink makes a new one"),
        Column("vertex_sha256", pa.string(), "hash of the vertex shader's source"),
        Column("fragment_sha256", pa.string(), "hash of the fragment shader's source"),
        Column("compute_sha256", pa.string(), "hash of the compute shader's source"),
        Column("vertex_source", pa.string(), "source of the vertex shader, as instructions.line counts its lines"),
        Column("fragment_source", pa.string(), "source of the fragment shader"),
        Column("compute_source", pa.string(), "source of the compute shader"),
        Column("vertex_ir", pa.string(), "IR of the vertex shader in its text form"),
        Column("fragment_ir", pa.string(), "IR of the fragment shader in its text form"),
        Column("compute_ir", pa.string(), "IR of the compute shader in its text form"),
        *_COUNTS,
        Column("varyings", pa.list_(VARYING), "varyings from vertices to fragments; each takes whole vec4 slots"),
        Column(
            "attributes",
            pa.list_(ATTRIBUTE),
            "active vertex attributes; named ones, such as gl_Vertex, from 16 on",
        ),
        Column(
            "uniforms",
            pa.list_(UNIFORM),
            "active uniforms except samplers, and members of uniform blocks, by stage, with their first byte in the "
            "stage's constants, which draws.uploads set; strides are 0 if there is no array or matrix",
        ),
        Column("discards", pa.bool_(), "the fragment shader can discard"),
        Column("writes_depth", pa.bool_(), "the fragment shader writes depth"),
        Column(
            "reads_derivatives",
            pa.bool_(),
            "the fragment shader takes derivatives, for itself or for a texture's level",
        ),
        Column("writes_memory", pa.bool_(), "some shader writes to buffers, images or shared memory"),
        Column("local_size_x", pa.int32(), "invocations of a work group in x; 1 without a compute shader"),
        Column("local_size_y", pa.int32(), "the same in y"),
        Column("local_size_z", pa.int32(), "the same in z"),
        Column("shared_bytes", pa.int32(), "shared memory of a work group in bytes"),
    ),
)

SOURCE = pa.struct(
    [
        pa.field("file", pa.string(), False),
        pa.field("index", pa.int32(), False),
        pa.field("swizzle", pa.string(), False),
    ]
)

INSTRUCTIONS = Table(
    "instructions",
    "instruction of the IR",
    "recording",
    (
        Column("program", pa.int32(), "program", encoding="runs"),
        Column("stage", pa.string(), "vertex, fragment or compute", encoding="runs"),
        Column("pc", pa.int32(), "index in the stage's code, from 0"),
        Column("opcode", pa.string(), "operation, named as in TGSI", encoding="runs"),
        Column("class", pa.string(), "alu, sfu, tex, mem or flow", encoding="runs"),
        Column("destination_file", pa.string(), "register file written: TEMP, OUT or ADDR", True, "runs"),
        Column("destination_index", pa.int32(), "register written", True),
        Column("write_mask", pa.uint8(), "components written, bit 0 x to bit 3 w"),
        Column("sources", pa.list_(SOURCE), "registers read: file (TEMP, IN, CONST, IMM, ADDR), index, swizzle"),
        Column("sampler", pa.int32(), "sampler, for texture operations", True),
        Column("memory", pa.string(), "what an instruction on memory accesses: BUFFER, IMAGE or SHARED", True, "runs"),
        Column("memory_index", pa.int32(), "buffer or image of the shader that it accesses", True),
        Column("stored", pa.int32(), "components that a store writes", True),
        Column("flow_target", pa.int32(), "pc it may jump to, for flow", True),
        Column("block", pa.int32(), "first pc of the basic block it belongs to"),
        Column(
            "coord_origin",
            pa.string(),
            "texture operations: origin of the coordinates: varying (as interpolated), alu "
            "(computed), texture (from another texture's texel)",
            True,
            "runs",
        ),
        Column("in_position_slice", pa.bool_(), "vertex stage: needed to compute only the position"),
        Column("line", pa.int32(), "line of the source that it comes from; 0 if none asks for it"),
        Column("calls", pa.list_(pa.int32()), "lines of the calls that it was inlined for, the innermost first"),
        Column("half", pa.bool_(), "lowp and mediump of what it takes allow 16-bit floats for it"),
    ),
)

RUN = pa.struct([pa.field("first_pc", pa.int32(), False), pa.field("repetitions", pa.int32(), False)])

PATHS = Table(
    "paths",
    "distinct executed sequence of a program's stage",
    "recording",
    (
        Column("program", pa.int32(), "program"),
        Column("stage", pa.string(), "vertex, fragment or compute"),
        Column("path", pa.int32(), "number of the path within program and stage"),
        Column("runs", pa.list_(RUN), "blocks executed, in order: first pc and how often in a row"),
    ),
)
