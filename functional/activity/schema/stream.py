"""Tables of what happens in order: frames, events, passes."""

import pyarrow as pa

from .table import FRAME, Column, Table

FRAMES = Table(
    "frames",
    "frame",
    "frame",
    (
        FRAME,
        Column("first_event", pa.int64(), "first event of the frame"),
        Column("last_event", pa.int64(), "last event of the frame, its swap"),
        Column("width", pa.int32(), "width of the default framebuffer in pixels"),
        Column("height", pa.int32(), "height of the default framebuffer in pixels"),
        Column("format", pa.string(), "format of the image as stored, e.g. RGBA8 or RGB8", encoding="runs"),
        Column(
            "image",
            pa.string(),
            "file of the image inside the activity, lossless, alpha kept",
            True,
            group="pass_images",
        ),
    ),
)

EVENTS = Table(
    "events",
    "event, in order, including draws",
    "frame",
    (
        FRAME,
        Column("event", pa.int64(), "number of the event in the recording, ascending", encoding="ascending"),
        Column("call", pa.int64(), "number of the call in the source", encoding="ascending"),
        Column(
            "kind",
            pa.string(),
            "draw, dispatch, barrier, clear, upload, buffer_update, copy, blit, resolve, generate_mipmap, "
            "read_pixels, invalidate, link or swap",
            encoding="runs",
        ),
        Column("pass", pa.int32(), "pass the event belongs to", True, "runs"),
        Column("draw", pa.int32(), "draw, for kind draw", True),
        Column("dispatch", pa.int32(), "dispatch, for kind dispatch", True),
        Column("barriers", pa.uint32(), "barrier: bits of glMemoryBarrier", True, "runs"),
        Column("surface", pa.int32(), "surface written (read, for read_pixels)", True, "runs"),
        Column("buffer", pa.int32(), "buffer written", True, "runs"),
        Column("program", pa.int32(), "program linked", True, "runs"),
        Column("level", pa.int32(), "mipmap level, for surfaces", True, "runs"),
        Column("layer", pa.int32(), "array layer, cube face or slice, for surfaces", True, "runs"),
        Column("x", pa.int32(), "left of the box touched, in texels", True),
        Column("y", pa.int32(), "bottom of the box touched, in texels", True),
        Column("width", pa.int32(), "width of the box touched, in texels", True),
        Column("height", pa.int32(), "height of the box touched, in texels", True),
        Column(
            "color_mask",
            pa.uint8(),
            "clear: channels written, bit 0 red to bit 3 alpha; 0 keeps colour",
            True,
            "runs",
        ),
        Column("depth_mask", pa.bool_(), "clear: depth is written", True),
        Column("stencil_mask", pa.uint32(), "clear: stencil bits written", True, "runs"),
        Column("clear_color", pa.list_(pa.float32()), "clear: red, green, blue, alpha, each 0 to 1", True),
        Column("srgb_encoding", pa.bool_(), "clear: FRAMEBUFFER_SRGB was on, so sRGB formats encode the colour", True),
        Column("clear_depth", pa.float32(), "clear: depth, 0 to 1", True, "runs"),
        Column("clear_stencil", pa.int32(), "clear: stencil value", True, "runs"),
        Column("offset_bytes", pa.int64(), "buffer_update: first byte written", True, "runs"),
        Column("size_bytes", pa.int64(), "bytes transferred by upload, buffer_update or read_pixels", True),
    ),
)

ATTACHMENT = pa.struct(
    [
        pa.field("slot", pa.string(), False, {"description": "color0 … color7, depth, stencil"}),
        pa.field("surface", pa.int32(), False),
        pa.field("level", pa.int32(), False),
        pa.field("layer", pa.int32(), False),
        pa.field("format", pa.string(), False),
        pa.field("load", pa.string(), False, {"description": "load, clear or undefined"}),
        pa.field("store", pa.string(), False, {"description": "store or discard"}),
    ]
)

PASSES = Table(
    "passes",
    "run of events on one set of attachments",
    "frame",
    (
        FRAME,
        Column("pass", pa.int32(), "number of the pass in the recording, ascending"),
        Column("first_event", pa.int64(), "first event of the pass"),
        Column("last_event", pa.int64(), "last event of the pass"),
        Column("width", pa.int32(), "width in pixels"),
        Column("height", pa.int32(), "height in pixels"),
        Column("samples", pa.int32(), "samples per pixel, 1 without multisampling"),
        Column(
            "attachments",
            pa.list_(ATTACHMENT),
            "attachments with level, layer, format and what is loaded and stored: load is "
            "clear if the whole attachment is cleared before it is drawn to, undefined if it was never written "
            "or is not touched; store is discard for what was not written or no one can read later",
        ),
        Column(
            "image",
            pa.string(),
            "file of the first colour attachment at the end of the pass, lossless, alpha kept; row 0 at the top",
            True,
            group="pass_images",
        ),
    ),
)
