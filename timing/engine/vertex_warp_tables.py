"""Tables of warps of vertices, and of what they fetch."""

from __future__ import annotations

from tilegpu.timing.declare.records import Record, i4


class VertexWarp(Record):
    """Warp of vertices. `first_primitive`, `last_primitive`: rows of its primitives, what clipping makes of them among
    these; `registers`: of a lane; `last_stream`: the last vertex of the stream it needs."""

    first_lane: i4
    last_lane: i4
    last_stream: i4
    first_primitive: i4
    last_primitive: i4
    first_load: i4
    registers: i4


class Lane(Record):
    """Lane of a warp of vertices: a row of the stream."""

    stream: i4


class Load(Record):
    """Load of an attribute for a warp."""

    first_line: i4
    lines: i4


class BatchWarps(Record):
    """Warps of a draw, or of one of its instances."""

    first: i4
    last: i4
