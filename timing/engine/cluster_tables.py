"""Tables of a frame for the SIMT machine: warps of vertices, bounding boxes, raster tiles (Emerald, 3.3)."""

from __future__ import annotations

from typing import NamedTuple

from tilegpu.timing.declare.records import Record, i4

from .frame import Table


class Piece(Record):
    """Primitive, row by row as in `engine.frame.PRIMITIVE`: lanes of its corners, bounding box in pixels, ends
    included; `clusters`: a bit for each that it may cover, which the machine fills in."""

    vertex_warp: i4
    lane_0: i4
    lane_1: i4
    lane_2: i4
    left: i4
    bottom: i4
    right: i4
    top: i4
    first_tile: i4
    last_tile: i4
    clusters: i4


class RasterTile(Record):
    """Square of 4x4 pixels that a primitive covers some of; x, y in such squares; `ends`: whether it is the last of the
    primitive in its pixel tile, where they are sorted by those."""

    x: i4
    y: i4
    first_quad: i4
    last_quad: i4
    ends: i4


class Clearing(Record):
    """Clear between draws: before which batch it comes."""

    clear: i4
    tile: i4
    batch: i4


class FragmentProgram(Record):
    """Fragment program of a draw: registers of a lane; whether its programs test depths; whether they read colours or
    depths."""

    registers: i4
    tests: i4
    reads: i4


class Clusters(NamedTuple):
    """`farthest`, `nearest`: for each raster tile of a pass bounds of the depths it holds; `busy`: of each TC tile
    whether it is being shaded; `untested`: of each quad whether its depths need no load. The machine fills these in."""

    vertex_warp: Table
    lane: Table
    load: Table
    line: Table
    batch: Table
    piece: Table
    raster_tile: Table
    clearing: Table
    program: Table
    farthest: Table
    nearest: Table
    untested: Table
    busy: Table
    dispatch: Table
    compute_warp: Table
    compute_lane: Table
    memory_operation: Table
    memory_line: Table
    written: Table
    quad_access: Table
    stream_access: Table
