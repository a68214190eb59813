"""Tables of the geometry: draws, vertices, primitives, vertex texture reads."""

import pyarrow as pa

from .table import FRAME, Column, Table


def _struct(**fields: pa.DataType) -> pa.StructType:
    return pa.struct([pa.field(name, kind) for name, kind in fields.items()])


I32, I64, F32, TEXT, FLAG = pa.int32(), pa.int64(), pa.float32(), pa.string(), pa.bool_()

ATTRIBUTE_LAYOUT = _struct(
    location=I32,
    buffer=I32,
    version=I32,
    offset_bytes=I64,
    stride_bytes=I32,
    format=TEXT,
    components=I32,
    normalized=FLAG,
    divisor=I32,
    constant=pa.list_(F32),
)
BINDING = _struct(
    stage=TEXT,
    sampler=I32,
    surface=I32,
    version=I32,
    min_filter=TEXT,
    mag_filter=TEXT,
    wrap_s=TEXT,
    wrap_t=TEXT,
    wrap_r=TEXT,
    lod_bias=F32,
    min_lod=F32,
    max_lod=F32,
    base_level=I32,
    max_level=I32,
    anisotropy=F32,
    compare=TEXT,
)
STENCIL = _struct(
    function=TEXT,
    reference=I32,
    mask=pa.uint32(),
    write_mask=pa.uint32(),
    fail=TEXT,
    depth_fail=TEXT,
    depth_pass=TEXT,
)
BLEND = _struct(
    equation_rgb=TEXT,
    equation_alpha=TEXT,
    source_rgb=TEXT,
    destination_rgb=TEXT,
    source_alpha=TEXT,
    destination_alpha=TEXT,
    constant=pa.list_(F32),
)
UPLOAD = _struct(stage=TEXT, block=TEXT, offset_bytes=I32, data=pa.binary())

DRAWS = Table(
    "draws",
    "draw",
    "frame",
    (
        FRAME,
        Column("draw", I32, "key of the draw in other tables, ascending through the recording", encoding="ascending"),
        Column(
            "number",
            I32,
            "number in its frame: draws and dispatches are counted from 0, whatever else is recorded",
            encoding="ascending",
        ),
        Column("event", I64, "its event", encoding="ascending"),
        Column("pass", I32, "its pass", encoding="runs"),
        Column(
            "object",
            pa.uint64(),
            "identity of the geometry, stable across frames: hash of the debug label if the application "
            "gives one, otherwise of program, geometry buffers and position among equals in the frame",
        ),
        Column("object_label", TEXT, "debug label of the application (KHR_debug, EXT_debug_marker)", True, "runs"),
        Column(
            "collisionable",
            FLAG,
            'takes part in collision detection: its label, or one it is nested in, begins with "collisionable:", or it '
            "matches --collisionable",
        ),
        Column("program", I32, "program", encoding="runs"),
        Column(
            "topology",
            TEXT,
            "POINTS, LINES, LINE_STRIP, LINE_LOOP, TRIANGLES, TRIANGLE_STRIP or TRIANGLE_FAN",
            encoding="runs",
        ),
        Column("first", I32, "first vertex, if there is no index stream"),
        Column("count", I32, "vertices (or indices) per instance"),
        Column("index_bytes", I32, "size of an index, 0 if there is no index stream", encoding="runs"),
        Column("index_buffer", I32, "buffer of the indices", True, "runs"),
        Column("index_offset_bytes", I64, "first byte of the indices in their buffer", True),
        Column("index_stream", pa.list_(pa.uint32()), "indices as drawn, null for arrays", True),
        Column("instances", I32, "instances", encoding="runs"),
        Column(
            "attributes",
            pa.list_(ATTRIBUTE_LAYOUT),
            "enabled arrays (buffer set) and constant attributes (buffer null)",
        ),
        Column(
            "bindings",
            pa.list_(BINDING),
            "texture and sampler state per sampler the program uses; sampler = number in the stage",
        ),
        Column("viewport", pa.list_(I32), "x, y, width, height in pixels, y up from the bottom"),
        Column("depth_range", pa.list_(F32), "near, far, each 0 to 1"),
        Column(
            "scissor",
            pa.list_(I32),
            "x, y, width, height in pixels; the whole framebuffer when the test is off",
        ),
        Column("cull", TEXT, "NONE, FRONT, BACK or FRONT_AND_BACK", encoding="runs"),
        Column("front_face", TEXT, "CCW or CW", encoding="runs"),
        Column("polygon_offset", pa.list_(F32), "factor, units; zeros when off"),
        Column("depth_test", FLAG, "depth test enabled and a depth attachment present"),
        Column("depth_function", TEXT, "NEVER … ALWAYS", encoding="runs"),
        Column("depth_write", FLAG, "depth mask (writes happen only with the test enabled)"),
        Column("depth_format", TEXT, "format of the depth attachment, e.g. DEPTH24", True, "runs"),
        Column("stencil_test", FLAG, "stencil test enabled and a stencil attachment present"),
        Column("stencil_front", STENCIL, "stencil state of front faces", True),
        Column("stencil_back", STENCIL, "stencil state of back faces", True),
        Column("blend_enabled", FLAG, "blending on"),
        Column("blend", BLEND, "blend equations, factors and constant colour", True),
        Column("logic_operation", pa.string(), "logical operation that takes the place of blending", True),
        Column("color_masks", pa.list_(pa.uint8()), "channels written per draw buffer, bit 0 red to bit 3 alpha"),
        Column("srgb_encoding", FLAG, "colours are converted to sRGB, as an attachment and FRAMEBUFFER_SRGB ask"),
        Column("alpha_to_coverage", FLAG, "alpha to coverage on"),
        Column("sample_coverage", F32, "sample coverage value, 1 when off", encoding="runs"),
        Column("line_width", F32, "line width in pixels", encoding="runs"),
        Column(
            "early_depth",
            FLAG,
            "depth and stencil tests may run before shading: the program neither discards nor writes depth and "
            "coverage does not depend on the shader",
        ),
        Column("constants_version", I32, "rises whenever a constant of the program changes between draws"),
        Column(
            "uploads",
            pa.list_(UPLOAD),
            "constants set since the previous draw of the recording: stage, block (empty for default "
            "uniforms), first byte in the stage's constants, little-endian content",
        ),
    ),
)

VERTICES = Table(
    "vertices",
    "distinct vertex of a draw and instance, and each vertex that clipping makes",
    "frame",
    (
        FRAME,
        Column("vertex", I32, "number of the vertex in its frame, ascending from 0", encoding="ascending"),
        Column("draw", I32, "draw", encoding="runs"),
        Column("instance", I32, "instance", encoding="runs"),
        Column(
            "index",
            pa.int64(),
            "index in the application's arrays; -1 for vertices that clipping makes",
            encoding="plain",
        ),
        Column(
            "path",
            I32,
            "executed path of the vertex shader; -1 for vertices that clipping makes",
            encoding="runs",
        ),
        Column("clip_x", F32, "clip coordinate x"),
        Column("clip_y", F32, "clip coordinate y"),
        Column("clip_z", F32, "clip coordinate z"),
        Column("clip_w", F32, "clip coordinate w"),
        Column("outputs", pa.list_(F32), "varyings: four floats per vec4 slot, in slot order", encoding="repeats"),
        Column("parent_0", I32, "clip-made: vertex of the frame it is cut from; -1 otherwise", encoding="runs"),
        Column("parent_1", I32, "clip-made: the other vertex; -1 otherwise", encoding="runs"),
        Column(
            "weight",
            F32,
            "clip-made: share of parent_1 in clip coordinates and outputs, 0 to 1; 0 otherwise. In outputs whose "
            "interpolation is noperspective the share is weight times clip_w of parent_1 over clip_w of this vertex, "
            "or weight where that is 0",
            encoding="runs",
        ),
        Column(
            "inputs",
            pa.list_(F32),
            "attributes as fetched: four floats per active location, ascending; null for clip-made ones",
            True,
            group="inputs",
        ),
    ),
)

PRIMITIVES = Table(
    "primitives",
    "primitive after assembly, clipping, culling (culled ones kept)",
    "frame",
    (
        FRAME,
        Column(
            "primitive",
            I32,
            "number of the primitive in its frame, ascending from 0 in drawing order",
            encoding="ascending",
        ),
        Column("draw", I32, "draw", encoding="runs"),
        Column("instance", I32, "instance", encoding="runs"),
        Column(
            "source",
            I32,
            "primitive of the draw as assembled, before clipping cut it into several",
            encoding="ascending",
        ),
        Column("vertex_0", I32, "first vertex (of the frame's vertices)"),
        Column("vertex_1", I32, "second vertex; -1 for points"),
        Column("vertex_2", I32, "third vertex; -1 for points and lines"),
        *(
            Column(
                f"{axis}_{i}",
                I32,
                f"snapped window {axis} of vertex {i} in 1/256 pixel, y up; null where w <= 0 or not snapped",
                True,
            )
            for i in range(3)
            for axis in "xy"
        ),
        Column(
            "depth",
            pa.float64(),
            "depth plane: depth at the window's origin, polygon offset included, before clamping",
        ),
        Column("depth_dx", pa.float64(), "depth plane: change per pixel to the right"),
        Column("depth_dy", pa.float64(), "depth plane: change per pixel up"),
        Column("front_facing", FLAG, "faces the viewer (always true for points and lines)"),
        Column(
            "culled",
            TEXT,
            "none, face (face culling), degenerate (no area), frustum (entirely outside), "
            "or empty (covers no sample of the scissored viewport)",
            encoding="runs",
        ),
        Column("point_size", F32, "points: size in pixels; 0 otherwise", encoding="runs"),
        Column("line_width", F32, "lines: width in pixels; 0 otherwise", encoding="runs"),
    ),
)
