"""Texture operations of a frame: the cache lines that each one's texels lie in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..config.schema import Configuration
from ..engine import frame as f
from ..memory.texture_layout import LAYOUTS
from .code import Code
from .draws import Draws
from .resources import Resources
from .source import ActivityError, numbers
from .texels import texture_lines

Array = np.ndarray[Any, Any]

WRAPS = {"REPEAT": 0, "CLAMP_TO_EDGE": 1, "MIRRORED_REPEAT": 2}
COLUMNS = (
    "pc",
    "sampler",
    "probe",
    "linear",
    "level",
    "layer",
    "lanes",
    "x",
    "y",
    "dx_1",
    "dy_1",
    "dx_2",
    "dy_2",
    "dx_3",
    "dy_3",
)
"""Columns of the reads, in the order that the kernels name them."""
BINDING = np.dtype([("surface", "i4"), ("wrap_s", "i1"), ("wrap_t", "i1"), ("wrap_r", "i1")], align=True)


def read_textures(
    reads: pa.Table,
    quad: Array,
    order: Array,
    draw_of_quad: Array,
    draws: Draws,
    code: Code,
    resources: Resources,
    configuration: Configuration,
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
    binding = _bindings(draws, resources, "fragment")
    path, sequence = code.tables()
    texture_of_path, pcs = _texture_instructions(path, sequence, code.instruction)
    count = np.where(quad["path"] >= 0, texture_of_path[quad["path"] + 1] - texture_of_path[quad["path"]], 0)
    quad["operation"] = np.cumsum(count) - count
    operation = np.zeros(int(count.sum()), f.OPERATION)
    owner = numbers(reads, "quad").astype(np.int64)
    first_read = np.searchsorted(owner, np.arange(int(order.max()) + 2 if len(order) else 1))
    columns = tuple(numbers(reads, name).astype(np.int32) for name in COLUMNS)
    arguments = (
        quad["path"].astype(np.int64),
        quad["operation"].astype(np.int64),
        draw_of_quad,
        order,
        first_read,
        texture_of_path,
        pcs,
        columns,
        binding,
        resources.surface,
        resources.level,
        LAYOUTS.index(configuration.memory.texture_layout),
        configuration.memory.line_bytes,
        operation,
    )
    lines = texture_lines(*arguments, np.zeros(0, np.int64), False)
    line = np.zeros(lines, np.int64)
    texture_lines(*arguments, line, True)
    return operation, line


def read_vertex_textures(
    reads: pa.Table,
    vertices: pa.Table,
    draws: Draws,
    code: Code,
    resources: Resources,
    configuration: Configuration,
    operation: Array,
    line: Array,
) -> tuple[Array, Array]:
    """Append the operations and lines of vertices to those of quads; sets `draws.stream["operation"]`."""
    table, sequence = code.tables()
    texture_of_path, pcs = _texture_instructions(table, sequence, code.instruction)
    if not len(draws.stream) or not len(pcs):
        return operation, line
    path = np.full(len(vertices), -1, np.int64)
    path[draws.stream["vertex"]] = draws.stream["path"]
    count = np.where(path >= 0, texture_of_path[path + 1] - texture_of_path[path], 0)
    if not count.any():
        return operation, line
    first = np.cumsum(count) - count
    draw = np.searchsorted([row["draw"] for row in draws.rows], numbers(vertices, "draw")).astype(np.int64)
    if (draw >= len(draws.rows)).any():
        raise ActivityError("vertices: a vertex belongs to a draw that there is not")
    own = np.zeros(int(count.sum()), f.OPERATION)
    owner = numbers(reads, "vertex").astype(np.int64)
    lane = np.ones(len(reads), np.int32)
    columns = tuple(
        numbers(reads, name).astype(np.int32) if name in reads.column_names else lane * (name == "lanes")
        for name in COLUMNS
    )
    arguments = (
        path,
        first,
        draw,
        np.arange(len(vertices)),
        np.searchsorted(owner, np.arange(len(vertices) + 1)),
        texture_of_path,
        pcs,
        columns,
        _bindings(draws, resources, "vertex"),
        resources.surface,
        resources.level,
        LAYOUTS.index(configuration.memory.texture_layout),
        configuration.memory.line_bytes,
        own,
    )
    lines = np.zeros(texture_lines(*arguments, np.zeros(0, np.int64), False), np.int64)
    texture_lines(*arguments, lines, True)
    own["first_line"] += len(line)
    draws.stream["operation"] = len(operation) + first[draws.stream["vertex"]]
    return np.concatenate([operation, own]), np.concatenate([line, lines])


def _bindings(draws: Draws, resources: Resources, stage: str) -> Array:
    """Texture and wrapping per draw and sampler of a stage; surface -1 where nothing is bound."""
    most = 1 + max((b["sampler"] for row in draws.rows for b in row["bindings"] or ()), default=0)
    table = np.zeros((len(draws.rows), min(max(most, 1), 256)), BINDING)
    table["surface"] = -1
    for d, row in enumerate(draws.rows):
        for b in row["bindings"] or ():
            if b["stage"] == stage and 0 <= b["sampler"] < table.shape[1]:
                table[d, b["sampler"]] = (
                    resources.surface_row.get(b["surface"], -1),
                    *(WRAPS.get(b[f"wrap_{axis}"], 1) for axis in "str"),
                )
    return table


def _texture_instructions(path: Array, sequence: Array, instruction: Array) -> tuple[Array, Array]:
    """For each path, where its texture instructions begin in the list of their pcs."""
    is_texture = instruction["kind"][sequence] == f.TEX
    before = np.concatenate([[0], np.cumsum(is_texture)])
    pcs = instruction["pc"][sequence[is_texture]].astype(np.int64)
    ends = np.concatenate([before[path["first"]], before[path["last"][-1:]]]) if len(path) else np.zeros(1, np.int64)
    return ends.astype(np.int64), pcs
