"""Records a whole draw in the call that executes it: rows of its quads, texture reads, vertices and primitives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..compile import helper, kernel_by_address
from ..compile.blocks import Address, Bytes, FloatRows, Halves, Integers, Words
from ..compile.native import load
from ..pipeline.fused.batch_kernels import FAILED
from ..pipeline.fused.batch_shading import ENDLESS, ShadingReport, shade_batch
from ..pipeline.fused.batch_state import QUAD_COUNTS, Batch, FragmentState
from ..pipeline.fused.observing import MAX_LANES, DrawnGeometry, grown
from ..pipeline.texturing.reads import LoggedReads
from .columns import COLUMNS, count_of, following, grow, reserve, set_count
from .geometry_rows import Executed, GeometryTables, InstancePlace, write_geometry
from .lists import Lanes, ListTables, drop_lists, write_inputs, write_outputs
from .quad_rows import BatchPlace, BatchQuads, MaskColumns, ShadedPaths, write_quads
from .reads import Part, ReadColumns, write_rows
from .stage_paths import NumberedPaths, execute, number_paths
from .summary import Tally


class Tables(NamedTuple):
    """Addresses of the `Extent` of tables; `masks` are those of alpha."""

    vertices: Address
    outputs: Address
    primitives: Address
    quads: Address
    reads: Address
    masks: Address
    inputs: ListTables
    colors: ListTables
    depths: ListTables


class Recording(NamedTuple):
    """Instructions for a kernel that records the draws of a state.

    Attributes
    ----------
    vertices, in_parts
        See `ObserverHeader`.
    vertex_paths, fragment_paths
        Addresses of `NumberedPaths`.
    reads, notes, bases
        Room for the reads of some quads, in which operations note them, a `ReadBlock` for each; and the level from
        which those of each operation are counted.
    quads
        The number of these quads.
    keep_hidden, detailed
        Whether occluded quads are recorded, too, and whether anything but counts is.
    inputs
        Whether attributes are recorded.
    outputs, colors, depth
        Rows of outputs of the fragment shader, 0 if none is recorded; the first row of each draw buffer's colour, or
        -1, and that of the depth; nothing for what is not recorded.
    counts
        `Counts` of the program, to add to.
    tables
        Address of `Tables`.
    draw
        Number of the draw, or of the first of those that are executed together.
    """

    vertices: Address
    in_parts: bool
    vertex_paths: Address
    fragment_paths: Address
    reads: LoggedReads
    notes: Words
    bases: Words
    quads: int
    keep_hidden: int
    detailed: bool
    inputs: bool
    outputs: int
    colors: Words
    depth: Words
    counts: Words
    tables: Address
    draw: int


class Filled(NamedTuple):
    """Arrays that shading fills: the fields of `ShadingReport`, but with paths instead of nodes."""

    discarded: Bytes
    paths: Integers
    outputs: FloatRows
    alpha: Halves


@kernel_by_address
def raster_recorded(memory: Address, geometry: Address) -> int:
    """Cover, test, shade and write all primitives of a draw, in order, and add the rows that the `Recording` that
    observes it asks for; as `batch_kernels.raster`, with the address of a `DrawnGeometry`."""
    batch, made = load(memory, Batch), load(geometry, DrawnGeometry)
    recording, state = load(batch.observed, Recording), load(batch.draw, FragmentState)
    if recording.vertices and not number_paths(recording.vertex_paths, made.nodes):
        return FAILED
    any_passed, start = 0, 0
    while start < len(made.geometry.source):
        start = state.cover(memory, geometry, start, recording.keep_hidden)
        if batch.counts[QUAD_COUNTS.covered]:
            if not _record_batch(memory, geometry, batch, recording):
                return any_passed | FAILED
            for q in range(0 if any_passed else batch.counts[QUAD_COUNTS.covered]):
                if batch.passed[q]:
                    any_passed = 1
                    break
    return any_passed if _record_geometry(made, recording) else any_passed | FAILED


@helper
def _record_batch(memory: int, geometry: int, batch: Batch, recording: Recording) -> Any:
    """Shade and record the covered quads of a batch; whether all shaders came to their end, and there was room."""
    execute(recording.fragment_paths)
    tables, state = load(recording.tables, Tables), load(batch.draw, FragmentState)
    covered, chosen = batch.counts[QUAD_COUNTS.covered], batch.counts[QUAD_COUNTS.chosen]
    row = reserve(tables.quads, covered) if recording.detailed else -1
    if recording.detailed and row < 0:
        return False
    first, before = following(tables.quads), _counts(tables)
    branches = len(load(recording.fragment_paths, NumberedPaths).tree)
    discarded = np.zeros(covered, np.uint8)
    paths = np.empty(4 * chosen + MAX_LANES if branches else 0, np.int32)
    for begin in range(0, chosen, recording.quads):
        end = min(begin + recording.quads, chosen)
        lanes, quads = 4 * (end - begin), end - begin if state.alpha_row >= 0 else 0
        lists = Lanes(batch.which[begin:end], row, np.empty((recording.outputs, lanes), np.float32))
        alpha, part = np.empty(quads, np.uint16), (begin, end)
        if not _shade(memory, geometry, recording, part, Filled(discarded, paths, lists.outputs, alpha)) or (
            recording.detailed
            and not (
                _record_reads(batch, tables, recording, part, first) and _record_values(tables, recording, lists, alpha)
            )
        ):
            _drop(tables, before)
            return False
    tally = Tally(recording.counts, load(recording.fragment_paths, NumberedPaths).work)
    place = BatchPlace(row, following(tables.primitives), state.early)
    some = batch.quads
    rows = BatchQuads(
        some.primitive[:covered],
        some.x[:covered],
        some.y[:covered],
        some.coverage[:covered],
        batch.passed[:covered],
        discarded,
    )
    write_quads(tally, tables.quads + COLUMNS, place, rows, ShadedPaths(batch.which[:chosen], paths))
    if recording.detailed:
        set_count(tables.quads, row + covered)
    return True


@helper
def _counts(tables: Tables) -> Any:
    """Rows of what is recorded of a batch before its quads."""
    lists = count_of(tables.colors.rows), count_of(tables.depths.rows)
    return count_of(tables.reads), count_of(tables.masks), lists[0], lists[1]


@helper
def _drop(tables: Tables, counts: tuple[int, int, int, int]) -> None:
    """Drop the rows after these counts."""
    set_count(tables.reads, counts[0])
    set_count(tables.masks, counts[1])
    drop_lists(tables.colors, counts[2])
    drop_lists(tables.depths, counts[3])


@helper
def _shade(memory: int, geometry: int, recording: Recording, part: tuple[int, int], filled: Filled) -> Any:
    """Shade a range of the quads that a batch selected, and number the paths of their lanes; whether that worked."""
    (begin, end), noted = part, recording.reads
    lanes, address = 4 * (end - begin), recording.fragment_paths
    for r in range(len(noted.operation)):
        noted.levels[r, 0, :lanes] = -1
        noted.levels[r, 1, :lanes] = -1
        # Operations on plain images do not say which image they read.
        noted.face[r, :lanes] = 0
    nothing, (discarded, paths, outputs, alpha) = np.empty(0, np.int64), filled
    tree, nodes = load(address, NumberedPaths).tree, paths[4 * begin :]
    report = ShadingReport(begin, recording.notes, discarded, outputs, alpha, tree, nodes, nothing, nothing)
    done = begin
    while done < end:
        done = shade_batch(memory, geometry, done, end, report)
        if done == ENDLESS or (done < end and not grown(address)):
            return False
    return len(paths) == 0 or number_paths(address, nodes[:lanes])


@helper
def _record_reads(batch: Batch, tables: Tables, recording: Recording, part: tuple[int, int], first: int) -> Any:
    """Record what a range of the quads that a batch selected read; whether there was room. ``first`` is the number of
    the batch's first quad in the frame."""
    (begin, end), noted = part, recording.reads
    lanes, operations = 4 * (end - begin), len(noted.operation)
    for r in range(operations):
        for lane in range(lanes if recording.bases[r] else 0):
            for i in range(2):
                if noted.levels[r, i, lane] >= 0:
                    noted.levels[r, i, lane] += recording.bases[r]
    # In the worst case, all lanes read different images.
    row = reserve(tables.reads, 2 * lanes * operations)
    if row < 0:
        return False
    some = Part(batch.quads.coverage, batch.which[begin:end], first)
    set_count(tables.reads, write_rows(noted, some, row, load(tables.reads + COLUMNS, ReadColumns)))
    return True


@helper
def _record_values(tables: Tables, recording: Recording, lanes: Lanes, alpha: Halves) -> Any:
    """Record colours, depths and masks of some quads; whether there was room."""
    if not write_outputs(tables.colors, lanes, recording.colors, 4):
        return False
    if not write_outputs(tables.depths, lanes, recording.depth, 1):
        return False
    first = grow(tables.masks, len(alpha))
    masks = load(tables.masks + COLUMNS, MaskColumns)
    for k in range(len(alpha) if first >= 0 else 0):
        masks.row[first + k], masks.mask[first + k] = lanes.row + lanes.which[k], alpha[k]
    return first >= 0


@helper
def _record_geometry(made: DrawnGeometry, recording: Recording) -> Any:
    """Record vertices and primitives; whether there was room."""
    tables, geometry, paths = load(recording.tables, Tables), made.geometry, made.nodes
    if len(paths) == 0:
        paths = np.zeros(len(made.indices), np.int32)
    first_vertex, first_primitive = following(tables.vertices), following(tables.primitives)
    vertex = primitive = output = -1
    if recording.detailed:
        vertex, primitive = grow(tables.vertices, len(geometry.clip)), grow(tables.primitives, len(geometry.source))
        output = grow(tables.outputs, geometry.drawable.outputs.size)
        if min(vertex, primitive, output) < 0:
            return False
        if recording.inputs and not write_inputs(tables.inputs, made.attributes, made.indices, made.instance, vertex):
            return False
    place = InstancePlace(
        recording.draw + made.number,
        made.instance,
        first_vertex,
        first_primitive,
        int(vertex),
        int(primitive),
        int(output),
    )
    to = GeometryTables(tables.vertices + COLUMNS, tables.outputs + COLUMNS, tables.primitives + COLUMNS)
    tally = Tally(recording.counts, load(recording.vertex_paths, NumberedPaths).work)
    write_geometry(tally, to, place, Executed(made.indices, paths), geometry)
    return True
