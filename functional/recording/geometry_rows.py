"""Writes rows of vertices and primitives of an instance, and counts them for the summary, in one call."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ..jit import inlined, kernel
from ..jit.blocks import (
    Address,
    DoubleRows,
    FlagRows,
    FloatRows,
    IntegerRows,
    Integers,
    SignedRows,
    WordRows,
    Words,
    load,
)
from ..pipeline.fused.geometry_block import Assembled
from ..pipeline.geometry.setup_kernels import NOT_CULLED
from .columns import Columns
from .summary import Count

_C = Count


class VertexArrays(NamedTuple):
    """Blocks of `vertex_columns`."""

    numbers: IntegerRows
    indices: WordRows
    floats: FloatRows


class OutputArrays(NamedTuple):
    """Blocks of `output_columns`."""

    values: FloatRows


class PrimitiveArrays(NamedTuple):
    """Blocks of `primitive_columns`."""

    numbers: IntegerRows
    depths: DoubleRows
    flags: FlagRows
    reasons: SignedRows
    extents: FloatRows


class InstancePlace(NamedTuple):
    """Where an instance of a draw is recorded.

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
    """Columns of the table of vertices, but for its lists; ``end`` says where the outputs of each end."""
    return Columns(
        numbers=(np.int32, ("vertex", "draw", "instance", "path", "parent_0", "parent_1", "end")),
        index=(np.int64, ("index",)),
        floats=(np.float32, ("clip_x", "clip_y", "clip_z", "clip_w", "weight")),
    )


def output_columns() -> Columns:
    """Outputs of all vertices, one after the other."""
    return Columns(16, values=(np.float32, ("outputs",)))


def primitive_columns() -> Columns:
    """Columns of the table of primitives; ``usable`` says whether x and y of a corner mean something."""
    places = tuple(f"{axis}_{i}" for i in range(3) for axis in ("x", "y"))
    corners = ("vertex_0", "vertex_1", "vertex_2")
    return Columns(
        numbers=(np.int32, ("primitive", "draw", "instance", "source", *corners, *places)),
        depths=(np.float64, ("depth", "depth_dx", "depth_dy")),
        flags=(np.bool_, ("front_facing", "usable_0", "usable_1", "usable_2")),
        reasons=(np.int8, ("culled",)),
        extents=(np.float32, ("point_size", "line_width")),
    )


@kernel
def record_geometry(
    summary: tuple[Words, WordRows],
    tables: tuple[
        Annotated[tuple[Any, ...], VertexArrays],
        Annotated[tuple[Any, ...], OutputArrays],
        Annotated[tuple[Any, ...], PrimitiveArrays],
    ],
    where: Annotated[tuple[int, ...], InstancePlace],
    shaded: tuple[Words, Integers],
    address: Address,
) -> None:
    """Record an instance, once it is known which primitives are culled.

    Parameters
    ----------
    summary
        Counts of the program in the frame, int64, as in `Count`, to add to; and instructions and texture operations of
        each path, int64, (paths, 2).
    tables
        Blocks of `vertex_columns`, `output_columns` and `primitive_columns`, to fill.
    where
        An `InstancePlace`.
    shaded
        Indices and paths of the shaded vertices.
    address
        Of `Assembled`.
    """
    geometry, place = load(address, Assembled), InstancePlace(*where)
    _count(summary, shaded, geometry)
    if place.vertex_row >= 0:
        vertices, outputs, primitives = tables
        _write_vertices(VertexArrays(*vertices), place, shaded, geometry)
        _write_outputs(VertexArrays(*vertices), OutputArrays(*outputs).values[0], place, geometry)
        _write_primitives(PrimitiveArrays(*primitives), place, geometry)


@inlined
def _count(summary: Any, shaded: Any, geometry: Any) -> None:
    counts, work = summary
    paths, source, culled = shaded[1], geometry.source, geometry.drawable.placed.culled
    assembled = kept = instructions = 0
    for p in range(len(source)):
        assembled += p == 0 or source[p] != source[p - 1]
        kept += culled[p] == NOT_CULLED
    for v in range(len(paths)):
        instructions += work[paths[v], 0]
    counts[_C.PRIMITIVES.value] += assembled
    counts[_C.PRIMITIVES_KEPT.value] += kept
    counts[_C.VERTEX_INSTRUCTIONS.value] += instructions
    counts[_C.VERTICES.value] += len(paths)


@inlined
def _write_vertices(table: Any, place: Any, shaded: Any, geometry: Any) -> None:
    """Rows of shaded vertices and of those that clipping made."""
    numbers, index, floats = table.numbers, table.indices, table.floats
    vertex = place.first_vertex
    indices, paths = shaded
    count = len(indices)
    for v in range(len(geometry.clip)):
        row, made = place.vertex_row + v, v - count
        numbers[0, row], numbers[1, row], numbers[2, row] = vertex + v, place.draw, place.instance
        for c in range(4):
            floats[c, row] = geometry.clip[v, c]
        if made < 0:
            index[0, row] = indices[v]
            numbers[3, row], numbers[4, row], numbers[5, row] = paths[v], -1, -1
            floats[4, row] = np.float32(0)
        else:
            index[0, row] = -1
            numbers[3, row] = -1
            numbers[4, row] = geometry.parents[made, 0] + vertex
            numbers[5, row] = geometry.parents[made, 1] + vertex
            floats[4, row] = geometry.weight[made]


@inlined
def _write_outputs(table: Any, values: Any, place: Any, geometry: Any) -> None:
    """Outputs of the same vertices, and where they end."""
    start, outputs = place.output_row, geometry.drawable.outputs
    for v in range(len(outputs)):
        table.numbers[6, place.vertex_row + v] = start + (v + 1) * outputs.shape[1]
    flat, told = values[start:], outputs.reshape(-1)
    for i in range(len(told)):
        flat[i] = told[i]


@inlined
def _write_primitives(table: Any, place: Any, geometry: Any) -> None:
    numbers, flags, extents = table.numbers, table.flags, table.extents
    size, placed, snapped = geometry.drawable.size, geometry.drawable.placed, geometry.drawable.snapped
    x, y, extent = placed.x, placed.y, placed.extent
    for p in range(len(placed.corners)):
        row = place.primitive_row + p
        numbers[0, row], numbers[1, row], numbers[2, row] = place.first_primitive + p, place.draw, place.instance
        numbers[3, row] = geometry.source[p]
        for i in range(3):
            vertex = placed.corners[p, i]
            numbers[4 + i, row] = vertex + place.first_vertex if vertex >= 0 else -1
            numbers[7 + 2 * i, row], numbers[8 + 2 * i, row] = x[p, i], y[p, i]
            flags[1 + i, row] = snapped and vertex >= 0 and geometry.clip[max(vertex, 0), 3] > 0
            table.depths[i, row] = placed.planes[p, i]
        flags[0, row], table.reasons[0, row] = placed.front[p], placed.culled[p]
        extents[0, row] = extent[p] if size == 1 else np.float32(0)
        extents[1, row] = extent[p] if size == 2 else np.float32(0)
