"""Warps of vertices of all draws of a frame, for the SIMT machine: their lanes, their primitives, what they fetch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.vertex_warp_tables import BatchWarps, Lane, Load, VertexWarp
from ...units.simt_core import SimtCoreParameters
from ...units.vertex_launcher import VertexLauncherParameters
from ..own import Source
from ..source import ActivityError, numbers
from .vertex_warps import coalesced_loads, corners_of, form_warps

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]


class Batch(NamedTuple):
    """Warps of a batch; rows of the other tables count from 0 in each."""

    vertex_warp: Array
    lane: Array
    load: Array
    line: Array


def read_batches(source: Source, configuration: Hardware, piece: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Warps of all batches.

    Parameters
    ----------
    source
        The frame.
    configuration
        Says what a warp holds.
    piece
        Rows of `clusters.PIECE`: their warps and lanes are filled in.

    Returns
    -------
    numpy.ndarray, ...
        Rows of VERTEX_WARP, LANE and LOAD; int64: lines of the loads; rows of BATCH_WARPS.
    """
    instance, assembled = (numbers(source.rows, name).astype(np.int64) for name in ("instance", "source"))
    bounds = np.searchsorted(source.primitives.draw, np.arange(len(source.draws.rows) + 1))
    batches, made = np.zeros(len(source.draws.batch), BatchWarps.dtype), list[Batch]()
    warps = lanes = loads = lines = 0
    for d, row in enumerate(source.draws.rows):
        drawn = np.arange(bounds[d], bounds[d + 1])
        for i in range(row["instances"]):
            b = len(made)
            own = drawn[instance[drawn] == i]
            batch = _batch(source, configuration, piece, b, row, own, assembled[own])
            piece["vertex_warp"][source.primitives.place[own]] += warps
            batch.vertex_warp["first_lane"] += lanes
            batch.vertex_warp["last_lane"] += lanes
            batch.vertex_warp["first_load"] += loads
            batch.load["first_line"] += lines
            batches["first"][b], batches["last"][b] = warps, warps + len(batch.vertex_warp)
            warps, lanes = warps + len(batch.vertex_warp), lanes + len(batch.lane)
            loads, lines = loads + len(batch.load), lines + len(batch.line)
            made.append(batch)
    none = Batch(np.zeros(0, VertexWarp.dtype), np.zeros(0, Lane.dtype), np.zeros(0, Load.dtype), np.zeros(0, np.int64))
    joined = [np.concatenate(tables) for tables in zip(none, *made, strict=True)]
    return joined[0], joined[1], joined[2], joined[3], batches


def _batch(
    source: Source,
    configuration: Hardware,
    piece: Array,
    b: int,
    row: dict[str, Any],
    own: Array,
    assembled: Array,
) -> Batch:
    """Warps of one batch; `own`: rows of its primitives in the activity; `assembled`: their numbers before clipping."""
    batch = source.draws.batch[b]
    stream = source.draws.stream[batch["first_stream"] : batch["last_stream"]]
    corners = corners_of(row["topology"], len(stream))
    if len(own) and (not len(corners) or assembled.min() < 0 or assembled.max() >= len(corners)):
        raise ActivityError(f"primitives: draw {row['draw']} has more than its vertices make")
    distinct = configuration.of(VertexLauncherParameters).vertices == "distinct"
    key = stream["vertex"].astype(np.int64) if distinct else np.arange(len(stream))
    warp, lane, places, first = form_warps(corners, key, configuration.of(SimtCoreParameters).warp_threads)
    table = np.zeros(len(first) - 1, VertexWarp.dtype)
    table["first_lane"], table["last_lane"] = first[:-1], first[1:]
    if len(table):
        table["last_stream"] = batch["first_stream"] + np.maximum.reduceat(places, first[:-1])
    table["registers"] = source.code.registers.get((row["program"], "vertex"), 0)
    _primitives(source, piece, table, own, warp[assembled], lane[assembled])
    attribute = source.draws.attribute[batch["first_attribute"] : batch["last_attribute"]]
    table["first_load"] = np.arange(len(table)) * len(attribute)
    lanes = np.zeros(len(places), Lane.dtype)
    lanes["stream"] = batch["first_stream"] + places
    first_line, line = coalesced_loads(first, stream["index"][places], attribute, configuration.memory.line_bytes)
    load = np.zeros(len(first_line) - 1, Load.dtype)
    load["first_line"], load["lines"] = first_line[:-1], np.diff(first_line)
    return Batch(table, lanes, load, line)


def _primitives(source: Source, piece: Array, table: Array, own: Array, warp: Array, lane: Array) -> None:
    """Tell warps of their primitives, and these of their warp and lanes."""
    place = source.primitives.place[own]
    piece["vertex_warp"][place] = warp
    for c in range(3):
        piece[f"lane_{c}"][place] = lane[:, c]
    ends = np.searchsorted(warp, np.arange(len(table) + 1))
    rows = np.append(place, place[-1] + 1 if len(own) else 0)
    table["first_primitive"], table["last_primitive"] = rows[ends[:-1]], rows[ends[1:]]
