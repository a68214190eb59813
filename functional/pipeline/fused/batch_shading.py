"""Shades, tests late and blends the quads of a batch chunk by chunk, so that the data of a chunk stay in the cache."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...activity.compiled import helper, kernel
from ...execute.kernel_arguments import BlendField, FragmentField, LogField, ReadField, TreeField
from ...execute.native_calls import call_kernel, carray, pointer
from ..fragments.rasterization import Quads
from .batch_coverage import depth_test_some, some_of
from .batch_state import CHUNK_QUADS, BatchField, batch_of, blend_block, fragment_block

ENDLESS = -1
_F = BatchField
_READ_FIELDS = len(ReadField)


@helper
def lanes_killed(flags: Any) -> Any:
    """A bit per lane from a quad's four flags, each of one byte."""
    return (flags | flags >> 7 | flags >> 14 | flags >> 21) & 15


class Told(NamedTuple):
    """What shading reports, as far as it is requested.

    Attributes
    ----------
    since
        Index, among the quads that the batch selected, of the quad whose lanes come first in arrays by lane.
    notes
        int64, (operations, fields of `ReadField`): where texture operations note what they read; empty to note nothing.
    discarded
        uint8, by position in the batch: lanes that were discarded, to fill; empty if not requested.
    depths
        float32, by lane: depth that the shader wrote, to fill; empty if not requested.
    tree
        int64, as in `TreeField`, if the kernel notes decisions.
    nodes
        int32, by lane, and a vector more: node of the tree where each lane ended, to fill; empty if not requested.
    log, log_lanes
        int64, as in `LogField`, if the kernel logs what it reads, otherwise empty; and the lanes of its records.
    """

    since: Any
    notes: Any
    discarded: Any
    depths: Any
    tree: Any
    nodes: Any
    log: Any
    log_lanes: Any


@helper
def _test_late(state: Any, batch: Any, which: Any, surface: Any) -> None:
    """Tests of a shaded chunk, without discarded lanes and with the depth that it wrote."""
    # With late tests, all quads are shaded: a chunk is a run of them.
    count, first = len(which), which[0]
    part = some_of(batch.quads, first, first + count)
    covered, lanes = part.coverage, np.empty(count, np.uint16)
    if state[_F.DISCARDS]:
        killed = carray(pointer(state[_F.KILLED]), CHUNK_QUADS, np.uint32)
        for i in range(count):
            lanes[i] = covered[i] & ~lanes_killed(killed[i])
    else:
        for i in range(count):
            lanes[i] = covered[i]
    by_shader = np.empty((4, count if state[_F.DEPTH_OUTPUT] >= 0 else 0), np.float32)
    if state[_F.DEPTH_OUTPUT] >= 0:
        results = carray(pointer(state[_F.RESULTS]), (4 * state[_F.OUTPUTS], 4 * CHUNK_QUADS), np.float32)
        for i in range(count):
            for lane in range(4):
                by_shader[lane, i] = results[state[_F.DEPTH_OUTPUT], 4 * i + lane]
    tested, passed = Quads(part.primitive, part.x, part.y, lanes), batch.passed[first : first + count]
    depth_test_some(state, tested, surface.planes, surface.front, by_shader, passed)


@kernel
def shade_batch(state: Any, surface: Any, begin: Any, shaded: Any, told: Any) -> int:
    """Shade, test late and write the quads that a batch selected.

    Parameters
    ----------
    state
        int64, as in `BatchField`.
    surface
        `Surface`.
    begin, shaded
        First quad to shade, as index among those that the batch selected, and the one to stop before.
    told
        `Told`.

    Returns
    -------
    int
        Quads done: not all of them if the tree or the log is full, `ENDLESS` if a shader did not terminate.
    """
    batch = batch_of(state)
    which = batch.which
    since, notes, discarded, depths, tree, nodes, log, log_lanes = told
    fragments, blending = fragment_block(state, surface), blend_block(state)
    targets = carray(pointer(state[_F.TARGETS]), (state[_F.BLENDS], 3), np.int64)
    places = notes.copy()
    if len(notes):
        fragments[FragmentField.READS] = places.ctypes.data
    if len(log):
        fragments[FragmentField.READS] = log.ctypes.data
    fragments[FragmentField.TREE] = tree.ctypes.data
    for first in range(begin, shaded, CHUNK_QUADS):
        part = which[first : min(first + CHUNK_QUADS, shaded)]
        fragments[FragmentField.COUNT] = len(part)
        fragments[FragmentField.WHICH] = part.ctypes.data
        lane = 4 * (first - since)
        for operation in range(len(notes)):
            places[operation, ReadField.LEVELS] = notes[operation, ReadField.LEVELS] + lane
            places[operation, ReadField.LINEAR] = notes[operation, ReadField.LINEAR] + lane
            places[operation, ReadField.FACE] = notes[operation, ReadField.FACE] + 4 * lane
            places[operation, ReadField.X] = notes[operation, ReadField.X] + 4 * lane
            places[operation, ReadField.Y] = notes[operation, ReadField.Y] + 4 * lane
        fragments[FragmentField.NODES] = nodes.ctypes.data + 4 * lane
        known = log[LogField.COUNT] if len(log) else 0
        call_kernel(state[_F.SHADE], fragments.ctypes.data)
        if fragments[FragmentField.FAILED]:
            return ENDLESS
        if (len(nodes) and tree[TreeField.FULL]) or (len(log) and log[LogField.FULL]):
            if len(log):
                log[LogField.COUNT] = known
            return int(first)
        if len(log):
            for record in range(known, log[LogField.COUNT]):
                log_lanes[record] += lane
        if state[_F.EARLY] == 0:
            _test_late(state, batch, part, surface)
            _tell(state, part, batch.quads.coverage, discarded, depths[lane:])
        blending[BlendField.COUNT] = len(part)
        blending[BlendField.WHICH] = part.ctypes.data
        for target in range(state[_F.BLENDS]):
            blending[BlendField.COLORS] = state[_F.RESULTS] + targets[target, 1] * 16 * CHUNK_QUADS
            blending[BlendField.PIXELS] = targets[target, 2]
            call_kernel(targets[target, 0], blending.ctypes.data)
    return int(shaded)


@helper
def _tell(state: Any, which: Any, coverage: Any, discarded: Any, depths: Any) -> None:
    """Note the covered lanes that a chunk discarded, and the depth that it wrote, if requested."""
    if state[_F.DISCARDS] and len(discarded):
        killed = carray(pointer(state[_F.KILLED]), CHUNK_QUADS, np.uint32)
        for i in range(len(which)):
            discarded[which[i]] = lanes_killed(killed[i]) & coverage[which[i]]
    if state[_F.DEPTH_OUTPUT] >= 0 and len(depths):
        results = carray(pointer(state[_F.RESULTS]), (4 * state[_F.OUTPUTS], 4 * CHUNK_QUADS), np.float32)
        for lane in range(4 * len(which)):
            depths[lane] = results[state[_F.DEPTH_OUTPUT], lane]
