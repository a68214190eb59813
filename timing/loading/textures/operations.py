"""Texture operations of a frame: the cache lines that each one's texels lie in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ...engine import frame as f
from ..code import Code
from ..draws import Draws
from ..resources import Resources
from ..source import ActivityError, numbers
from .grids import bind, make_textures
from .read_lines import Reads
from .texture_lines import Executed, texture_lines

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]

COLUMNS = Reads(
    pc=np.uint16,
    sampler=np.uint8,
    probe=np.uint8,
    linear=np.uint8,
    level=np.uint8,
    layer=np.int16,
    lanes=np.uint8,
    **dict.fromkeys(("x", "y", "dx_1", "dy_1", "dx_2", "dy_2", "dx_3", "dy_3"), np.int32),
)
"""Types in which the kernels take the columns of the reads."""


def read_textures(
    reads: pa.Table,
    quad: Array,
    order: Array,
    draw_of_quad: Array,
    draws: Draws,
    code: Code,
    resources: Resources,
    configuration: Hardware,
) -> tuple[Array, Array]:
    """Operations and lines of all quads, in their order; sets `quad["operation"]`.

    Parameters
    ----------
    quad
        Table of quads.
    order
        Row of each quad in the activity.
    draw_of_quad
        Row of the draw of each quad.
    """
    path, sequence = code.tables()
    textures_of, pcs = _texture_instructions(path, sequence, code.instruction)
    count = _count(textures_of, quad["path"])
    quad["operation"] = np.cumsum(count) - count
    operation = np.zeros(int(count.sum()), f.TextureOperation.dtype)
    owner = numbers(reads, "quad").astype(np.int64)
    first_read = np.searchsorted(owner, np.arange(int(order.max()) + 2 if len(order) else 1))
    path_of_quad, first_operation = quad["path"].astype(np.int64), quad["operation"].astype(np.int64)
    executed = Executed(path_of_quad, first_operation, draw_of_quad, order, first_read, *textures_of, pcs)
    textures = make_textures(bind(draws.rows, resources, "fragment"), resources, configuration)
    return operation, texture_lines(executed, columns_of_reads(reads), textures, operation)


def read_vertex_textures(
    reads: pa.Table,
    vertices: pa.Table,
    draws: Draws,
    code: Code,
    resources: Resources,
    configuration: Hardware,
    operation: Array,
    line: Array,
) -> tuple[Array, Array]:
    """Append the operations and lines of vertices to those of quads; sets `draws.stream["operation"]`."""
    table, sequence = code.tables()
    textures_of, pcs = _texture_instructions(table, sequence, code.instruction)
    if not len(draws.stream) or not len(pcs):
        return operation, line
    path = np.full(len(vertices), -1, np.int64)
    path[draws.stream["vertex"]] = draws.stream["path"]
    count = _count(textures_of, path)
    if not count.any():
        return operation, line
    first = np.cumsum(count) - count
    draw = np.searchsorted([row["draw"] for row in draws.rows], numbers(vertices, "draw")).astype(np.int64)
    if (draw >= len(draws.rows)).any():
        raise ActivityError("vertices: a vertex belongs to a draw that does not exist")
    operations = np.zeros(int(count.sum()), f.TextureOperation.dtype)
    owner = numbers(reads, "vertex").astype(np.int64)
    first_read = np.searchsorted(owner, np.arange(len(vertices) + 1))
    executed = Executed(path, first, draw, np.arange(len(vertices)), first_read, *textures_of, pcs)
    textures = make_textures(bind(draws.rows, resources, "vertex"), resources, configuration)
    lines = texture_lines(executed, columns_of_reads(reads), textures, operations)
    operations["first_line"] += len(line)
    draws.stream["operation"] = len(operation) + first[draws.stream["vertex"]]
    return np.concatenate([operation, operations]), np.concatenate([line, lines])


def columns_of_reads(reads: pa.Table) -> Reads:
    """Reads as the kernels take them; those of a vertex have one lane."""
    names = set(reads.column_names)
    return Reads(
        *(
            numbers(reads, name).astype(kind, copy=False)
            if name in names
            else np.full(len(reads), name == "lanes", kind)
            for name, kind in zip(Reads._fields, COLUMNS, strict=True)
        )
    )


def _count(textures_of: tuple[Array, Array], path: Array) -> Array:
    """Texture instructions that each path executes; none where there is no path."""
    first, last = (np.append(column, 0) for column in textures_of)
    return np.asarray(last[path] - first[path])


def _texture_instructions(path: Array, sequence: Array, instruction: Array) -> tuple[tuple[Array, Array], Array]:
    """For each path, the first and the last of its texture instructions in the list of their pcs, and the list."""
    is_texture = instruction["kind"][sequence] == f.TEX
    before = np.concatenate([[0], np.cumsum(is_texture)])
    pcs = instruction["pc"][sequence[is_texture]].astype(np.int64)
    return (before[path["first"]].astype(np.int64), before[path["last"]].astype(np.int64)), pcs
