"""Draws of a frame: their depth and stencil state, batches, vertex stream and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.kernels.depth import COMPARISONS, depth_format_code
from tilegpu.functional.activity.kernels.order import order_constraint
from tilegpu.functional.activity.kernels.stencil import STENCIL_OPERATIONS

from ..engine import frame as f
from ..memory.address_map import COMMAND_REGION, COMMAND_RING_BYTES
from ..units.command_processor import CommandProcessorParameters
from ..units.job_manager import levels_of
from .code import Code
from .pixel_code import Accesses
from .resources import Resources
from .shader_code import MAX_ATTRIBUTES, MAX_OUTPUTS, attribute_loads
from .source import ActivityError, numbers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

FORMAT_BYTES = {
    "BYTE": 1,
    "UNSIGNED_BYTE": 1,
    "SHORT": 2,
    "UNSIGNED_SHORT": 2,
    "INT": 4,
    "UNSIGNED_INT": 4,
    "FLOAT": 4,
    "HALF_FLOAT": 2,
    "FIXED": 4,
    "INT_2_10_10_10_REV": 1,
    "UNSIGNED_INT_2_10_10_10_REV": 1,
}
"""Bytes per component (the packed formats: four components in four bytes)."""
MAX_INSTANCES = 1 << 20


@dataclass(frozen=True)
class Draws:
    """Tables of the draws of a frame. `stream_start`: first place in the stream of each batch of each draw."""

    rows: list[dict[str, Any]]
    batch: np.ndarray[Any, Any]
    attribute: np.ndarray[Any, Any]
    stream: np.ndarray[Any, Any]
    state: np.ndarray[Any, Any]
    batch_pass: np.ndarray[Any, Any]
    stream_start: list[list[int]]


def read_draws(draws: pa.Table, vertices: pa.Table, resources: Resources, code: Code, configuration: Hardware) -> Draws:
    """Expand draws and instances to what the geometry side works through; ActivityError where they make no sense."""
    rows = draws.to_pylist()
    lookup = _VertexLookup(vertices, [row["draw"] for row in rows])
    batches: list[tuple[int, ...]] = []
    attributes: list[tuple[int, int, int]] = []
    streams: list[np.ndarray[Any, Any]] = []
    batch_pass: list[int] = []
    starts: list[list[int]] = []
    position, command = 0, 0
    for number, row in enumerate(rows):
        if not 0 <= row["instances"] <= MAX_INSTANCES:
            raise ActivityError(f"draws: draw {row['draw']} has {row['instances']} instances")
        uploaded = sum(len(upload["data"] or b"") for upload in row["uploads"] or ())
        command_bytes, descriptors = _command_bytes(configuration, uploaded)
        starts.append([])
        for instance in range(row["instances"]):
            index = _indices(row)
            vertex = lookup.find(number, instance, index)
            index = index[vertex >= 0]
            stream = np.zeros(len(index), f.StreamVertex.dtype)
            stream["index"], stream["vertex"] = index, vertex[vertex >= 0]
            around = _accesses(code, row, vertices, stream)
            stream["path"] = _path_rows(code, row["program"], lookup.path[stream["vertex"]], around)
            first_attribute = len(attributes)
            attributes += _attributes(row, instance, resources)
            index_address = resources.buffer_address.get(row["index_buffer"], 0) + (row["index_offset_bytes"] or 0)
            batches.append(
                (
                    position,
                    position + len(stream),
                    index_address if row["index_stream"] is not None else 0,
                    row["index_bytes"] if row["index_stream"] is not None else 0,
                    first_attribute,
                    len(attributes),
                    COMMAND_REGION + resources.space.offset_bytes + command % COMMAND_RING_BYTES,
                    command_bytes if instance == 0 else 0,
                    descriptors[0] if instance == 0 else 0,
                    0,
                    0,
                )
            )
            batch_pass.append(row["pass"])
            starts[-1].append(position)
            streams.append(stream)
            position += len(stream)
        command += command_bytes + sum(descriptors)
        if descriptors[0] > 0:
            command += -command % configuration.memory.line_bytes
    return Draws(
        rows,
        np.array(batches, f.Batch.dtype),
        np.array(attributes, f.Attribute.dtype),
        np.concatenate([*streams, np.zeros(0, f.StreamVertex.dtype)]),
        np.array([_state(row, code.writes_memory(row["program"], "fragment")) for row in rows], f.DrawState.dtype),
        np.array(batch_pass, np.int64),
        starts,
    )


def _command_bytes(configuration: Hardware, uploaded: int) -> tuple[int, tuple[int, ...]]:
    """Bytes of a draw's commands and of each level of its descriptors; its constants come with the first of these, or
    with the commands."""
    command_bytes = configuration.of(CommandProcessorParameters).draw_command_bytes
    levels, level_bytes = levels_of(configuration)
    if levels == 0:
        return command_bytes + uploaded, (0,)
    return command_bytes, (level_bytes + uploaded, *(level_bytes,) * (levels - 1))


def _accesses(
    code: Code, row: dict[str, Any], vertices: pa.Table, stream: np.ndarray[Any, Any]
) -> tuple[Accesses, Accesses]:
    """Stores behind the vertex program of a draw and loads before it, where these are instructions."""
    if not code.before_rows or not len(stream):
        return (), ()
    outputs = vertices["outputs"][int(stream["vertex"][0])].as_py() or ()
    slots, loads = 1 + len(outputs) // 4, attribute_loads(row)
    if loads > MAX_ATTRIBUTES or slots > MAX_OUTPUTS:
        raise ActivityError(f"draws: draw {row['draw']} has {loads} attributes and {slots} outputs")
    return tuple(range(slots)), tuple(range(loads))


def _path_rows(
    code: Code, program: int, paths: np.ndarray[Any, Any], around: tuple[Accesses, Accesses]
) -> np.ndarray[Any, Any]:
    """Row of the path of each vertex; paths are asked for in the order in which they first come."""
    if not len(paths):
        return paths
    if (paths == paths[0]).all():
        return np.full(len(paths), code.row(program, "vertex", (int(paths[0]),), *around))
    distinct, first, inverse = np.unique(paths, return_index=True, return_inverse=True)
    rows = np.empty(len(distinct), np.int64)
    for i in np.argsort(first):
        rows[i] = code.row(program, "vertex", (int(distinct[i]),), *around)
    return rows[inverse]


class _VertexLookup:
    """Finds the row of a vertex by draw, instance and index."""

    def __init__(self, vertices: pa.Table, draws: list[int]) -> None:
        draw = numbers(vertices, "draw").astype(np.int64)
        self.index = numbers(vertices, "index").astype(np.int64)
        self.path = numbers(vertices, "path")
        row = np.searchsorted(np.array(draws, np.int64), draw)
        instance = numbers(vertices, "instance").astype(np.int64)
        group = row * MAX_INSTANCES + instance
        indexed = np.flatnonzero(self.index >= 0)
        self.rows = indexed[np.lexsort((self.index[indexed], group[indexed]))]
        self.group = group[self.rows]

    def find(self, draw: int, instance: int, index: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Row of each index in the frame's vertices, -1 where it has none (a restart index)."""
        first, last = np.searchsorted(
            self.group, [draw * MAX_INSTANCES + instance, draw * MAX_INSTANCES + instance + 1]
        )
        rows = self.rows[first:last]
        place = np.searchsorted(self.index[rows], index)
        if not len(rows):
            return np.full(len(index), -1, np.int64)
        nearest = np.minimum(place, len(rows) - 1)
        return np.where(self.index[rows[nearest]] == index, rows[nearest], -1)


def _indices(row: dict[str, Any]) -> np.ndarray[Any, Any]:
    if row["index_stream"] is not None:
        return np.array(row["index_stream"], np.int64)
    if not 0 <= row["count"] <= 1 << 28:
        raise ActivityError(f"draws: draw {row['draw']} has {row['count']} vertices")
    return np.arange(row["first"], row["first"] + row["count"], dtype=np.int64)


def _attributes(row: dict[str, Any], instance: int, resources: Resources) -> list[tuple[int, int, int]]:
    """Address of index 0, step and size of each array the draw fetches."""
    arrays = []
    for layout in row["attributes"] or ():
        if layout["buffer"] is None:
            continue
        if layout["buffer"] not in resources.buffer_address:
            raise ActivityError(f"draws: draw {row['draw']} reads buffer {layout['buffer']}, which does not exist")
        packed = layout["format"].endswith("2_10_10_10_REV")
        size = 4 if packed else FORMAT_BYTES.get(layout["format"], 4) * layout["components"]
        stride = layout["stride_bytes"] or size
        address = resources.buffer_address[layout["buffer"]] + layout["offset_bytes"]
        if layout["divisor"]:
            arrays.append((address + instance // layout["divisor"] * stride, 0, size))
        else:
            arrays.append((address, stride, size))
    return arrays


def _state(row: dict[str, Any], writes_memory: bool) -> tuple[int, ...]:
    try:
        stencils: list[int] = []
        for side in ("stencil_front", "stencil_back"):
            s = row[side] if row["stencil_test"] else None
            stencils += (
                [0] * 7
                if s is None
                else [
                    COMPARISONS.index(s["function"]),
                    s["reference"],
                    s["mask"] & 255,
                    s["write_mask"] & 255,
                    STENCIL_OPERATIONS.index(s["fail"]),
                    STENCIL_OPERATIONS.index(s["depth_fail"]),
                    STENCIL_OPERATIONS.index(s["depth_pass"]),
                ]
            )
        return (
            not row["early_depth"],
            row["blend_enabled"] or any(mask not in (0, 15) for mask in row["color_masks"] or ()),
            any(row["color_masks"] or ()),
            writes_memory,
            int(order_constraint(row)),
            row["depth_test"],
            COMPARISONS.index(row["depth_function"]),
            row["depth_write"],
            depth_format_code(row["depth_format"]),
            row["stencil_test"] and row["stencil_front"] is not None,
            *stencils,
        )
    except ValueError as error:
        raise ActivityError(f"draws: draw {row['draw']}: {error}") from None
