"""Tables of the raster side: quads, texture reads; and the summary."""

import pyarrow as pa

from .table import FRAME, Column, Table

I32, I64 = pa.int32(), pa.int64()

QUADS = Table(
    "quads",
    "covered 2x2 quad of a primitive that is not culled, in drawing order",
    "frame",
    (
        FRAME,
        Column("primitive", I32, "primitive of the frame", encoding="ascending"),
        Column("x", pa.uint16(), "column of the quad: its left pixel is 2x"),
        Column("y", pa.uint16(), "row of the quad: its lower pixel is 2y, rows count upwards"),
        Column(
            "coverage",
            pa.uint16(),
            "covered samples: bit = lane + 4 * sample; lanes are (0,0), (1,0), (0,1), (1,1)",
        ),
        Column(
            "depth_pass",
            pa.uint16(),
            "covered samples that pass scissor, stencil and depth in program order; with late depth, "
            "of those not discarded",
        ),
        Column("discarded", pa.uint8(), "covered lanes that the shader discards", encoding="runs"),
        Column(
            "alpha_coverage",
            pa.uint16(),
            "samples that remain after alpha to coverage, bits as in coverage; null if it is off",
            True,
        ),
        Column("path_0", I32, "path of lane 0, -1 if the quad is not shaded", encoding="runs"),
        Column("path_1", I32, "path of lane 1", encoding="runs"),
        Column("path_2", I32, "path of lane 2", encoding="runs"),
        Column("path_3", I32, "path of lane 3", encoding="runs"),
        Column("shader_depth", pa.list_(pa.float32()), "depth per lane, if the shader writes it", True),
        Column(
            "colors",
            pa.list_(pa.float32()),
            "shaded colour per lane: red, green, blue, alpha of lane 0, then lane 1 …; 16 numbers for each draw "
            "buffer, as many as the shader writes to",
            True,
            group="colors",
        ),
    ),
)

READ = (
    Column("pc", pa.uint16(), "instruction of the texture operation", encoding="runs"),
    Column("sampler", pa.uint8(), "sampler of the stage", encoding="runs"),
    Column("probe", pa.uint8(), "anisotropic probe, 0 otherwise", encoding="runs"),
    Column(
        "linear",
        pa.bool_(),
        "filter of this read: linear (2x2 texels from the base) or nearest (the base texel)",
        encoding="runs",
    ),
    Column("level", pa.uint8(), "mipmap level", encoding="runs"),
    Column("layer", pa.int16(), "array layer, cube face or (base) slice", encoding="runs"),
)
"""Image that a texture operation reads."""

READ_PLACES = (
    Column("x", I32, "base texel column of the first reading lane, before wrapping"),
    Column("y", I32, "base texel row of the first reading lane, before wrapping"),
    *(
        Column(
            f"{axis}_{lane}",
            I32,
            f"base texel {axis} of lane {lane} less that of the first reading lane; 0 if it does not read",
            encoding="small",
        )
        for lane in (1, 2, 3)
        for axis in ("dx", "dy")
    ),
)
"""Texels that four lanes read."""

TEXTURE_READS = Table(
    "texture_reads",
    "texture operation of a quad, per probe, level and layer, in execution order",
    "frame",
    (
        FRAME,
        Column("quad", I32, "row of the quad in its frame, from 0", encoding="ascending"),
        *READ,
        Column("lanes", pa.uint8(), "bits 0-3: lanes that read and are covered; bits 4-7: helper lanes that read"),
        *READ_PLACES,
    ),
)

VERTEX_TEXTURE_READS = Table(
    "vertex_texture_reads",
    "texture operation of a vertex, per level and layer",
    "frame",
    (
        FRAME,
        Column("vertex", I32, "vertex of the frame", encoding="ascending"),
        *READ,
        Column("x", I32, "base texel column, before wrapping"),
        Column("y", I32, "base texel row, before wrapping"),
    ),
)

SUMMARY = Table(
    "summary",
    "frame and program",
    "frame",
    (
        FRAME,
        Column("program", I32, "program"),
        Column("draws", I64, "draws"),
        Column("vertices", I64, "distinct vertices shaded"),
        Column("primitives", I64, "primitives assembled, before clipping"),
        Column("primitives_kept", I64, "primitives after clipping and culling"),
        Column("quads", I64, "covered quads"),
        Column("quads_shaded", I64, "quads shaded"),
        Column("fragments", I64, "covered fragments"),
        Column("fragments_shaded", I64, "fragments shaded, helper lanes not counted"),
        Column("fragments_discarded", I64, "fragments discarded by the shader"),
        Column("fragments_written", I64, "fragments that reach blending"),
        Column("vertex_instructions", I64, "vertex shader instructions executed, summed over vertices"),
        Column(
            "fragment_instructions",
            I64,
            "fragment shader instructions executed, summed over fragments shaded",
        ),
        Column("texture_lookups", I64, "texture operations, summed over fragments shaded and invocations"),
        Column("dispatches", I64, "dispatches"),
        Column("invocations", I64, "invocations of compute shaders"),
        Column("compute_instructions", I64, "compute shader instructions executed, summed over invocations"),
        Column(
            "memory_accesses",
            I64,
            "loads, stores and atomic operations executed, summed over vertices, fragments shaded and invocations",
        ),
    ),
)
