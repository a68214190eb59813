"""Shades, tests late and blends the quads of a batch chunk by chunk, so that the data of a chunk stay in the cache."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...execute.kernel_arguments import BlendField, FragmentField, LogField, ReadField, TreeField
from ...jit import helper, kernel
from ...jit.blocks import Bytes, Floats, Integers, WordRows, Words
from ...jit.native_calls import call_kernel
from ..fragments.rasterization import Quads
from .batch_coverage import depth_test_some, some_of
from .batch_state import CHUNK_QUADS, blend_block, fragment_block

ENDLESS = -1


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

    since: int
    notes: WordRows
    discarded: Bytes
    depths: Floats
    tree: Words
    nodes: Integers
    log: Words
    log_lanes: Words


@helper
def _test_late(batch: Any, state: Any, which: Any, placed: Any) -> None:
    """Tests of a shaded chunk, without discarded lanes and with the depth that it wrote."""
    # With late tests, all quads are shaded: a chunk is a run of them.
    count, first = len(which), which[0]
    part = some_of(batch.quads, first, first + count)
    covered, lanes = part.coverage, np.empty(count, np.uint16)
    for i in range(count):
        lanes[i] = covered[i] & ~lanes_killed(batch.killed[i]) if state.discards else covered[i]
    by_shader = np.empty((4, count if state.depth_output >= 0 else 0), np.float32)
    for i in range(by_shader.shape[1]):
        for lane in range(4):
            by_shader[lane, i] = batch.results[state.depth_output, 4 * i + lane]
    tested, passed = Quads(part.primitive, part.x, part.y, lanes), batch.passed[first : first + count]
    depth_test_some(state, tested, placed.planes, placed.front, by_shader, passed)


@kernel
def shade_batch(batch: Any, state: Any, drawable: Any, begin: Any, shaded: Any, told: Any) -> int:
    """Shade, test late and write the quads that a batch selected.

    Parameters
    ----------
    batch, state, drawable
        `Batch`, `FragmentState` and `Drawable`.
    begin, shaded
        First quad to shade, as index among those that the batch selected, and the one to stop before.
    told
        `Told`.

    Returns
    -------
    int
        Quads done: not all of them if the tree or the log is full, `ENDLESS` if a shader did not terminate.
    """
    which, placed = batch.which, drawable.placed
    since, notes, discarded, depths, tree, nodes, log, log_lanes = told
    fragments = fragment_block(batch.quads, placed, drawable.outputs, state.constants, state.samplers)
    fragments[FragmentField.RESULTS.value] = batch.results.ctypes.data
    fragments[FragmentField.ROW.value] = 4 * CHUNK_QUADS
    fragments[FragmentField.KILLED.value] = batch.killed.ctypes.data
    blending, targets = blend_block(batch, state), state.targets
    places = notes.copy()
    if len(notes):
        fragments[FragmentField.READS.value] = places.ctypes.data
    if len(log):
        fragments[FragmentField.READS.value] = log.ctypes.data
    fragments[FragmentField.TREE.value] = tree.ctypes.data
    for first in range(begin, shaded, CHUNK_QUADS):
        part = which[first : min(first + CHUNK_QUADS, shaded)]
        fragments[FragmentField.COUNT.value] = len(part)
        fragments[FragmentField.WHICH.value] = part.ctypes.data
        lane = 4 * (first - since)
        for operation in range(len(notes)):
            places[operation, ReadField.LEVELS.value] = notes[operation, ReadField.LEVELS.value] + lane
            places[operation, ReadField.LINEAR.value] = notes[operation, ReadField.LINEAR.value] + lane
            places[operation, ReadField.FACE.value] = notes[operation, ReadField.FACE.value] + 4 * lane
            places[operation, ReadField.X.value] = notes[operation, ReadField.X.value] + 4 * lane
            places[operation, ReadField.Y.value] = notes[operation, ReadField.Y.value] + 4 * lane
        fragments[FragmentField.NODES.value] = nodes.ctypes.data + 4 * lane
        known = log[LogField.COUNT.value] if len(log) else 0
        call_kernel(state.shade, fragments.ctypes.data)
        if fragments[FragmentField.FAILED.value]:
            return ENDLESS
        if (len(nodes) and tree[TreeField.FULL.value]) or (len(log) and log[LogField.FULL.value]):
            if len(log):
                log[LogField.COUNT.value] = known
            return int(first)
        if len(log):
            for record in range(known, log[LogField.COUNT.value]):
                log_lanes[record] += lane
        if not state.early:
            _test_late(batch, state, part, placed)
            _tell(batch, state, part, discarded, depths[lane:])
        blending[BlendField.COUNT.value] = len(part)
        blending[BlendField.WHICH.value] = part.ctypes.data
        for target in range(len(targets)):
            blending[BlendField.COLORS.value] = batch.results.ctypes.data + targets[target, 1] * 16 * CHUNK_QUADS
            blending[BlendField.PIXELS.value] = targets[target, 2]
            call_kernel(targets[target, 0], blending.ctypes.data)
    return int(shaded)


@helper
def _tell(batch: Any, state: Any, which: Any, discarded: Any, depths: Any) -> None:
    """Note the covered lanes that a chunk discarded, and the depth that it wrote, if requested."""
    if state.discards and len(discarded):
        for i in range(len(which)):
            discarded[which[i]] = lanes_killed(batch.killed[i]) & batch.quads.coverage[which[i]]
    if state.depth_output >= 0 and len(depths):
        for lane in range(4 * len(which)):
            depths[lane] = batch.results[state.depth_output, lane]
