"""Writes rows of vertices and primitives of an instance, and counts them for the summary, in one call."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ..compile import helper, inlined, kernel
from ..compile.blocks import (
    Address,
    DoubleRows,
    FlagRows,
    Flags,
    FloatRows,
    Floats,
    IntegerRows,
    Integers,
    Signed,
    WordRows,
    Words,
)
from ..compile.native import load
from ..pipeline.fused.geometry_block import Assembled
from ..pipeline.geometry.setup_kernels import NOT_CULLED
from .columns import Columns
from .summary import COUNT, WORK, Tally


class VertexColumns(NamedTuple):
    """Columns of the table of vertices, but for its lists; `end` says where the outputs of each end.

    `indices` is one row, because tuples have a method of the name of that column.
    """

    vertex: Integers
    draw: Integers
    instance: Integers
    path: Integers
    parents: IntegerRows
    end: Integers
    indices: WordRows
    clip: FloatRows
    weight: Floats


class OutputColumns(NamedTuple):
    """Outputs of all vertices, one after the other."""

    outputs: Floats


class PrimitiveColumns(NamedTuple):
    """Columns of the table of primitives; `usable` says whether x and y of a corner mean something."""

    primitive: Integers
    draw: Integers
    instance: Integers
    source: Integers
    vertices: IntegerRows
    x: IntegerRows
    y: IntegerRows
    planes: DoubleRows
    front_facing: Flags
    usable: FlagRows
    culled: Signed
    point_size: Floats
    line_width: Floats


class InstancePlace(NamedTuple):
    """Place of an instance of a draw in the tables.

    Attributes
    ----------
    draw, instance
        Their numbers.
    first_vertex, first_primitive
        Numbers of its first vertex and primitive in the frame.
    vertex_row, primitive_row, output_row
        Rows of these and of the first output in their tables, -1 to write none.
    """

    draw: int
    instance: int
    first_vertex: int
    first_primitive: int
    vertex_row: int
    primitive_row: int
    output_row: int


def vertex_columns() -> Columns:
    """The table of vertices."""
    clip = ("clip_x", "clip_y", "clip_z", "clip_w")
    return Columns(VertexColumns, parents=("parent_0", "parent_1"), indices=("index",), clip=clip)


def output_columns() -> Columns:
    """The outputs of its rows."""
    return Columns(OutputColumns, 16)


def primitive_columns() -> Columns:
    """The table of primitives."""
    vertices, x, y, usable = (tuple(f"{name}_{i}" for i in range(3)) for name in ("vertex", "x", "y", "usable"))
    planes = ("depth", "depth_dx", "depth_dy")
    return Columns(PrimitiveColumns, vertices=vertices, x=x, y=y, usable=usable, planes=planes)


class GeometryTables(NamedTuple):
    """Addresses of `VertexColumns`, `OutputColumns` and `PrimitiveColumns`."""

    vertices: Address
    outputs: Address
    primitives: Address


class Executed(NamedTuple):
    """Indices of the shaded vertices, and the paths that these took."""

    indices: Words
    paths: Integers


@kernel
def record_geometry(
    summary: Annotated[tuple[Any, ...], Tally],
    tables: Annotated[tuple[Address, ...], GeometryTables],
    where: Annotated[tuple[int, ...], InstancePlace],
    shaded: Annotated[tuple[Any, ...], Executed],
    address: Address,
) -> None:
    """Record an instance, once it is known which primitives are culled.

    Parameters
    ----------
    summary
        A `Tally` of the vertex shader.
    tables
        `GeometryTables`, to fill.
    where
        An `InstancePlace`.
    shaded
        An `Executed`.
    address
        Of `Assembled`.
    """
    place, to = InstancePlace(*where), GeometryTables(*tables)
    write_geometry(Tally(*summary), to, place, Executed(*shaded), load(address, Assembled))


@helper
def write_geometry(
    tally: Tally, to: GeometryTables, place: InstancePlace, executed: Executed, geometry: Assembled
) -> None:
    """`record_geometry` for kernels."""
    _count(tally, executed, geometry)
    if place.vertex_row >= 0:
        vertices = load(to.vertices, VertexColumns)
        _write_vertices(vertices, place, executed, geometry)
        _write_outputs(vertices.end, load(to.outputs, OutputColumns).outputs, place, geometry)
        _write_primitives(load(to.primitives, PrimitiveColumns), place, geometry)


@inlined
def _count(tally: Tally, executed: Executed, geometry: Assembled) -> None:
    counts, work = tally.counts, tally.work
    paths, source, culled = executed.paths, geometry.source, geometry.drawable.placed.culled
    assembled = kept = instructions = accesses = 0
    for p in range(len(source)):
        assembled += p == 0 or source[p] != source[p - 1]
        kept += culled[p] == NOT_CULLED
    for v in range(len(paths)):
        instructions += work[paths[v], WORK.instructions]
        accesses += work[paths[v], WORK.accesses]
    counts[COUNT.primitives] += assembled
    counts[COUNT.primitives_kept] += kept
    counts[COUNT.vertex_instructions] += instructions
    counts[COUNT.memory_accesses] += accesses
    counts[COUNT.vertices] += len(paths)


@inlined
def _write_vertices(table: VertexColumns, place: InstancePlace, executed: Executed, geometry: Assembled) -> None:
    """Rows of shaded vertices and of those that clipping made."""
    indices, paths = executed.indices, executed.paths
    count, vertex = len(indices), place.first_vertex
    for v in range(len(geometry.clip)):
        row, made = place.vertex_row + v, v - count
        table.vertex[row], table.draw[row], table.instance[row] = vertex + v, place.draw, place.instance
        for c in range(4):
            table.clip[c, row] = geometry.clip[v, c]
        if made < 0:
            table.indices[0, row], table.path[row] = indices[v], paths[v]
            table.parents[0, row], table.parents[1, row] = -1, -1
            table.weight[row] = np.float32(0)
        else:
            table.indices[0, row], table.path[row] = -1, -1
            for i in range(2):
                table.parents[i, row] = geometry.parents[made, i] + vertex
            table.weight[row] = geometry.weight[made]


@inlined
def _write_outputs(end: Integers, values: Floats, place: InstancePlace, geometry: Assembled) -> None:
    """Outputs of the same vertices, and where they end."""
    start, outputs = place.output_row, geometry.drawable.outputs
    for v in range(len(outputs)):
        end[place.vertex_row + v] = start + (v + 1) * outputs.shape[1]
    flat, values_of_vertices = values[start:], outputs.reshape(-1)
    for i in range(len(values_of_vertices)):
        flat[i] = values_of_vertices[i]


@inlined
def _write_primitives(table: PrimitiveColumns, place: InstancePlace, geometry: Assembled) -> None:
    drawable, placed = geometry.drawable, geometry.drawable.placed
    for p in range(len(placed.corners)):
        row = place.primitive_row + p
        table.primitive[row], table.source[row] = place.first_primitive + p, geometry.source[p]
        table.draw[row], table.instance[row] = place.draw, place.instance
        for i in range(3):
            vertex = placed.corners[p, i]
            table.vertices[i, row] = vertex + place.first_vertex if vertex >= 0 else -1
            table.x[i, row], table.y[i, row] = placed.x[p, i], placed.y[p, i]
            table.usable[i, row] = drawable.snapped and vertex >= 0 and geometry.clip[max(vertex, 0), 3] > 0
            table.planes[i, row] = placed.planes[p, i]
        table.front_facing[row], table.culled[row] = placed.front[p], placed.culled[p]
        table.point_size[row] = placed.extent[p] if drawable.size == 1 else np.float32(0)
        table.line_width[row] = placed.extent[p] if drawable.size == 2 else np.float32(0)
