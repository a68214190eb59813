"""Rows of the frame in the making."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..pipeline.geometry import CULL_REASONS
from .columns import Columns
from .draw_rows import DrawRows
from .reads import read_columns
from .rows import PlainRows, Rows
from .summary import Summary

EVENT_COLUMNS = (
    "pass",
    "draw",
    "surface",
    "buffer",
    "program",
    "level",
    "layer",
    "x",
    "y",
    "width",
    "height",
    "color_mask",
    "depth_mask",
    "stencil_mask",
    "clear_color",
    "clear_depth",
    "clear_stencil",
    "offset_bytes",
    "size_bytes",
)
"""Columns of the events table that not every kind of event has."""
ListParts = list[tuple[int, NDArray[np.float32] | None]]
"""Values of a list column in parts: number of rows, and their values by row; None for rows without a list."""
_PLACES = tuple(f"{axis}_{i}" for i in range(3) for axis in ("x", "y"))


class FrameRows:
    """Vertices, primitives and quads are numbered within the frame; the memory serves the next one again."""

    def __init__(self) -> None:
        self.vertices = Columns(
            numbers=(np.int32, ("vertex", "draw", "instance", "path", "parent_0", "parent_1")),
            index=(np.int64, ("index",)),
            floats=(np.float32, ("clip_x", "clip_y", "clip_z", "clip_w", "weight")),
        )
        corners = ("vertex_0", "vertex_1", "vertex_2")
        self.primitives = Columns(
            numbers=(np.int32, ("primitive", "draw", "instance", "source", *corners, *_PLACES)),
            usable=(np.bool_, ("usable_0", "usable_1", "usable_2")),
            depths=(np.float64, ("depth", "depth_dx", "depth_dy")),
            flags=(np.bool_, ("front_facing",)),
            reasons=(np.int8, ("culled",)),
            extents=(np.float32, ("point_size", "line_width")),
        )
        self.quads = Columns(
            numbers=(np.int32, ("primitive", "path_0", "path_1", "path_2", "path_3")),
            masks=(np.uint16, ("x", "y", "coverage", "depth_pass")),
            lanes=(np.uint8, ("discarded",)),
        )
        self.texture_reads = read_columns()
        self.clear()

    def clear(self) -> None:
        """Begin a frame."""
        for columns in (self.vertices, self.primitives, self.quads, self.texture_reads):
            columns.clear()
        self.vertex_texture_reads, self.draws = Rows(), DrawRows()
        self.events = PlainRows(("event", "call", "kind", *EVENT_COLUMNS))
        self.outputs: ListParts = []
        self.inputs: ListParts = []
        self.shader_depth: ListParts = []
        self.colors: ListParts = []
        self.summary = Summary()

    def tables(self) -> dict[str, tuple[int, dict[str, Any]]]:
        """Number of rows and columns of every table."""
        plain: dict[str, Any] = {
            "events": self.events,
            "draws": self.draws,
            "vertex_texture_reads": self.vertex_texture_reads,
            "summary": self.summary.rows(),
            "texture_reads": self.texture_reads,
        }
        found: dict[str, tuple[int, dict[str, Any]]] = {
            name: (rows.count, rows.columns()) for name, rows in plain.items()
        }
        found["vertices"] = (
            self.vertices.count,
            {
                **self.vertices.columns(),
                "outputs": list_column(self.outputs),
                "inputs": list_column(self.inputs),
            },
        )
        found["quads"] = (
            self.quads.count,
            {
                **self.quads.columns(),
                "shader_depth": list_column(self.shader_depth),
                "colors": list_column(self.colors),
            },
        )
        found["primitives"] = self.primitives.count, self._primitives()
        return found

    def _primitives(self) -> dict[str, Any]:
        columns = self.primitives.columns()
        for i in range(3):
            useless = ~columns.pop(f"usable_{i}")
            if not useless.any():
                continue
            for axis in ("x", "y"):
                columns[f"{axis}_{i}"] = pa.array(columns[f"{axis}_{i}"], pa.int32(), mask=useless)
        columns["culled"] = pa.array(CULL_REASONS).take(pa.array(columns["culled"]))
        return columns


def list_column(parts: ListParts) -> pa.Array | None:
    """Parts of a list column as one array; None where no row has a list."""
    if all(values is None for _, values in parts):
        return None
    lengths = [np.full(rows, 0 if values is None else values.shape[1], np.int32) for rows, values in parts]
    missing = [np.full(rows, values is None) for rows, values in parts]
    flat = [values.reshape(-1) for _, values in parts if values is not None]
    offsets = np.zeros(sum(rows for rows, _ in parts) + 1, np.int32)
    np.cumsum(np.concatenate(lengths), out=offsets[1:])
    mask = pa.array(np.concatenate(missing)) if any(values is None for _, values in parts) else None
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(np.concatenate(flat)), mask=mask)
