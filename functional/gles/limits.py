"""Values that depend on the implementation (OpenGL ES 3.0, tables 6.28 to 6.34): ours.

They are answers to glGet and bounds that errors are told by. Programs act on the answers of the driver that they were
captured on, so where the numbers only bound a resource they are generous.
"""

from __future__ import annotations

from types import MappingProxyType

MAX_TEXTURE_SIZE = 8192
MAX_3D_TEXTURE_SIZE = MAX_ARRAY_TEXTURE_LAYERS = 2048
MAX_RENDERBUFFER_SIZE = 8192
MAX_VIEWPORT = 16384
MAX_VERTEX_ATTRIBS = 16
MAX_TEXTURE_UNITS = 32
MAX_STAGE_TEXTURE_UNITS = 16
MAX_UNIFORM_VECTORS = 1024
MAX_VARYING_VECTORS = 16
MAX_COLOR_ATTACHMENTS = MAX_DRAW_BUFFERS = 8
MAX_SAMPLES = 4
MAX_UNIFORM_BUFFER_BINDINGS = 84
MAX_STAGE_UNIFORM_BLOCKS = 16
MAX_UNIFORM_BLOCK_BYTES = 65536
MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS = 4
MAX_ANISOTROPY = 16.0
MAX_LOD_BIAS = 16.0
POINT_SIZES = (1.0, 2048.0)
LINE_WIDTHS = (1.0, 64.0)
SUBPIXEL_BITS = 8

LIMITS = MappingProxyType(
    {
        0x0D33: (MAX_TEXTURE_SIZE,),
        0x851C: (MAX_TEXTURE_SIZE,),
        0x8073: (MAX_3D_TEXTURE_SIZE,),
        0x88FF: (MAX_ARRAY_TEXTURE_LAYERS,),
        0x84E8: (MAX_RENDERBUFFER_SIZE,),
        0x0D3A: (MAX_VIEWPORT, MAX_VIEWPORT),
        0x0D50: (SUBPIXEL_BITS,),
        0x846D: POINT_SIZES,
        0x846E: LINE_WIDTHS,
        0x80E9: (1 << 20,),
        0x80E8: (1 << 20,),
        0x8D6B: (0xFFFFFFFE,),
        0x8869: (MAX_VERTEX_ATTRIBS,),
        0x8DFB: (MAX_UNIFORM_VECTORS,),
        0x8DFD: (MAX_UNIFORM_VECTORS,),
        0x8DFC: (MAX_VARYING_VECTORS,),
        0x8B4C: (MAX_STAGE_TEXTURE_UNITS,),
        0x8872: (MAX_STAGE_TEXTURE_UNITS,),
        0x8B4D: (MAX_TEXTURE_UNITS,),
        0x8B4A: (4 * MAX_UNIFORM_VECTORS,),
        0x8B49: (4 * MAX_UNIFORM_VECTORS,),
        0x8B4B: (4 * MAX_VARYING_VECTORS,),
        0x9122: (4 * MAX_VARYING_VECTORS,),
        0x9125: (4 * MAX_VARYING_VECTORS,),
        0x8CDF: (MAX_COLOR_ATTACHMENTS,),
        0x8824: (MAX_DRAW_BUFFERS,),
        0x8D57: (MAX_SAMPLES,),
        0x84FD: (MAX_LOD_BIAS,),
        0x84FF: (MAX_ANISOTROPY,),
        0x8905: (7,),
        0x8904: (-8,),
        0x8A2F: (MAX_UNIFORM_BUFFER_BINDINGS,),
        0x8A30: (MAX_UNIFORM_BLOCK_BYTES,),
        0x8A34: (256,),
        0x8A2B: (MAX_STAGE_UNIFORM_BLOCKS,),
        0x8A2D: (MAX_STAGE_UNIFORM_BLOCKS,),
        0x8A2E: (2 * MAX_STAGE_UNIFORM_BLOCKS,),
        0x8A31: (4 * MAX_UNIFORM_VECTORS + MAX_STAGE_UNIFORM_BLOCKS * MAX_UNIFORM_BLOCK_BYTES // 4,),
        0x8A33: (4 * MAX_UNIFORM_VECTORS + MAX_STAGE_UNIFORM_BLOCKS * MAX_UNIFORM_BLOCK_BYTES // 4,),
        0x8C8A: (64,),
        0x8C8B: (MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,),
        0x8C80: (4,),
        0x9111: (0x7FFFFFFFFFFFFFFF,),
        0x8DFA: (1,),
        0x8DF9: (0,),
        0x8DF8: (),
        0x87FE: (0,),
        0x87FF: (),
    }
)
"""Numbers by name: sizes, counts of units and bindings, ranges."""
FIXED_LIMITS = MappingProxyType(
    {0x0D31: (8,), 0x0D32: (6,), 0x84E2: (4,), 0x0D36: (32,), 0x0D38: (32,), 0x0D39: (32,), 0x0B12: POINT_SIZES,
     0x0B22: LINE_WIDTHS}
)  # fmt: skip
"""Those of OpenGL ES 1.1 alone."""
