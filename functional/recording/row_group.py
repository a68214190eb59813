"""Collects the rows of the frames that will share a row group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..activity.schema import TABLES
from ..compile.blocks import block_of
from ..gles.surfaces import Picture
from ..pipeline.geometry.set_up import CULL_REASONS
from .columns import Columns
from .dispatch_rows import DispatchRows
from .draw_kernels import Tables
from .draw_memory import DrawMemoryRows
from .draw_rows import DrawRows
from .geometry_rows import output_columns, primitive_columns, vertex_columns
from .lists import Lists
from .quad_rows import mask_columns, quad_columns
from .reads import read_columns, vertex_read_columns
from .rows import Rows
from .summary import Summary

EVENT_COLUMNS = tuple(column.name for column in TABLES["events"].columns[4:])
"""Columns of the events table that not every kind of event has; draws have only the first two."""
ROWS = 1 << 19
"""Rows of all tables together that make a row group; a frame is never split."""


class RowGroup:
    """Rows of the tables that grow frame by frame.

    Writing a row group takes milliseconds even for a few rows, so small frames share one. Vertices, primitives and
    quads are numbered within their frame.

    Attributes
    ----------
    frames
        Numbers of the finished frames.
    """

    def __init__(self) -> None:
        self.vertices, self.outputs = vertex_columns(), output_columns()
        self.primitives, self.quads = primitive_columns(), quad_columns()
        self.texture_reads, self.vertex_texture_reads = read_columns(), vertex_read_columns()
        self.summary = Summary()
        self.inputs, self.colors, self.shader_depth = Lists(), Lists(), Lists()
        self.alpha_coverage = mask_columns()
        tables = self.vertices, self.outputs, self.primitives, self.quads, self.texture_reads, self.alpha_coverage
        lists = self.inputs, self.colors, self.shader_depth
        self.block = block_of(Tables._make([*(one.table for one in tables), *(one.tables for one in lists)]))
        """`Tables`."""
        self.clear()

    def clear(self) -> None:
        """Begin a row group; the memory of the last one serves again."""
        for columns in (*self._columns, self.outputs, self.alpha_coverage):
            columns.clear()
        for lists in (self.inputs, self.colors, self.shader_depth):
            lists.clear()
        self.draws = DrawRows()
        self.compute = DispatchRows()
        self.draw_memory = DrawMemoryRows()
        self.events = Rows("event", "call", "kind", *EVENT_COLUMNS)
        self.frames: list[int] = []
        self._images, self._passes, self._summaries = Rows(), Rows(), Rows()
        self._ends: dict[str, list[int]] = {}

    @property
    def _columns(self) -> tuple[Columns, ...]:
        return self.vertices, self.primitives, self.quads, self.texture_reads, self.vertex_texture_reads

    @property
    def full(self) -> bool:
        """Whether there is enough for a row group."""
        small = self.events.count + self.draws.indices + self.compute.count + self.draw_memory.count
        return sum(columns.count for columns in self._columns) + small >= ROWS

    def end_frame(
        self, number: int, events: tuple[int, int], picture: Picture, image: str | None, passes: list[dict[str, Any]]
    ) -> None:
        """Finish a frame, whose rows are complete.

        Parameters
        ----------
        number
            Number of the frame.
        events
            First and last event.
        picture
            What it shows.
        image
            File with its image.
        passes
            Rows of the finished passes.
        """
        self._images.add(
            first_event=events[0],
            last_event=events[1],
            width=picture.width,
            height=picture.height,
            format=picture.color.name,
            image=image,
        )
        for row in passes:
            self._passes.add(**row)
        self.summary.end_frame(self._summaries)
        self.draws.end_frame()
        self.frames.append(number)
        for columns in self._columns:
            columns.end_frame()
        for name, rows in self._tables().items():
            self._ends.setdefault(name, []).append(rows.count)

    def _tables(self) -> dict[str, Any]:
        return {
            "frames": self._images,
            "events": self.events,
            "passes": self._passes,
            "draws": self.draws,
            "vertices": self.vertices,
            "primitives": self.primitives,
            "quads": self.quads,
            "texture_reads": self.texture_reads,
            "vertex_texture_reads": self.vertex_texture_reads,
            **self.compute.tables(),
            **self.draw_memory.tables(),
            "summary": self._summaries,
        }

    def tables(self) -> dict[str, dict[str, Any]]:
        """Columns of every table for the finished frames; rows of an unfinished one are left out."""
        frames = np.array(self.frames, np.int32)
        tables: dict[str, dict[str, Any]] = {
            name: {"frame": np.repeat(frames, np.diff(self._ends[name], prepend=0)), **rows.columns()}
            for name, rows in self._tables().items()
        }
        vertices, quads = self.vertices.count, self.quads.count
        ends, outputs = tables["vertices"].pop("end"), self.outputs.columns()["outputs"]
        tables["vertices"]["outputs"] = pa.ListArray.from_arrays(np.concatenate([[np.int32(0)], ends]), outputs)
        tables["vertices"]["inputs"] = self.inputs.column(vertices)
        tables["quads"]["shader_depth"], tables["quads"]["colors"] = (
            lists.column(quads) for lists in (self.shader_depth, self.colors)
        )
        tables["quads"]["alpha_coverage"] = _masks(self.alpha_coverage, quads)
        _complete_primitives(tables["primitives"])
        return {name: _first_rows(columns, self._ends[name][-1]) for name, columns in tables.items()}


def _first_rows(columns: dict[str, Any], rows: int) -> dict[str, Any]:
    """The columns cut after a number of rows."""
    return {name: v if v is None or len(v) == rows else v[:rows] for name, v in columns.items()}


def _complete_primitives(columns: dict[str, Any]) -> None:
    for i in range(3):
        useless = ~columns.pop(f"usable_{i}")
        if not useless.any():
            continue
        for axis in ("x", "y"):
            columns[f"{axis}_{i}"] = pa.array(columns[f"{axis}_{i}"], pa.int32(), mask=useless)
    columns["culled"] = pa.array(CULL_REASONS).take(pa.array(columns["culled"]))


def _masks(columns: Columns, rows: int) -> pa.Array | None:
    """A column of one mask per row; None if no row has one."""
    if not columns.count:
        return None
    masks, missing = np.zeros(rows, np.uint16), np.ones(rows, np.bool_)
    having, values = (array[: columns.count] for array in columns.arrays)
    masks[having], missing[having] = values, False
    return pa.array(masks, mask=missing)
