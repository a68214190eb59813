"""Shades, tests late and blends the quads of a batch chunk by chunk, so that the data of a chunk stay in the cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...compile import address, helper, kernel
from ...compile.blocks import Bytes, FloatRows, Halves, Integers, Words, place_of, words_in
from ...compile.native import load, store
from ...execute.kernel_arguments import LOG, TREE, BlendArguments, FragmentArguments, ReadBlock
from .batch_state import CHUNK_QUADS, Batch, BlendTarget, FragmentState
from .geometry_block import Drawable
from .late_tests import lanes_killed

ENDLESS = -1
_FRAGMENT_WORDS, _BLEND_WORDS, _READ_WORDS = words_in(FragmentArguments), words_in(BlendArguments), words_in(ReadBlock)
_FAILED = place_of(FragmentArguments, "failed")


class ShadingReport(NamedTuple):
    """Results of shading beside the colours, as far as they are requested.

    Attributes
    ----------
    since
        Index, among the quads that the batch selected, of the quad whose lanes come first in arrays by lane.
    notes
        Where texture operations note what they read, a `ReadBlock` for each; empty to note nothing.
    discarded
        uint8, by position in the batch: lanes that were discarded, to fill; empty if not requested.
    outputs
        float32, (rows, lanes): outputs of the shader, to fill; without rows if not requested.
    alpha_coverage
        uint16, by quad: samples that alpha leaves, to fill; empty if not requested.
    tree
        A `TreeBlock`, if the kernel notes decisions.
    nodes
        int32, by lane, and a vector more, to fill: node of the tree where each lane ended, or the number of
        instructions that it executed; empty if the kernel notes neither.
    log, log_lanes
        A `LogBlock`, if the kernel logs what it reads, otherwise empty; and the lanes of its records.
    """

    since: int
    notes: Words
    discarded: Bytes
    outputs: FloatRows
    alpha_coverage: Halves
    tree: Words
    nodes: Integers
    log: Words
    log_lanes: Words


@kernel
def shade_batch(memory: int, geometry: int, begin: int, shaded: int, report: ShadingReport) -> int:
    """Shade, test late and write the quads that a batch selected.

    Parameters
    ----------
    memory, geometry
        Addresses of `Batch` and `Drawable`.
    begin, shaded
        First quad to shade, as index among those that the batch selected, and the one to stop before.
    report
        `ShadingReport`.

    Returns
    -------
    int
        Quads done: not all of them if the tree or the log is full, `ENDLESS` if a shader did not terminate.
    """
    batch, drawable = load(memory, Batch), load(geometry, Drawable)
    state = load(batch.draw, FragmentState)
    quads, placed, tree, log = batch.quads, drawable.placed, report.tree, report.log
    notes = report.notes.copy()
    reads = log if len(log) else notes
    fragments, blending = np.empty(_FRAGMENT_WORDS, np.int64), np.empty(_BLEND_WORDS, np.int64)
    for first in range(begin, shaded, CHUNK_QUADS):
        part = batch.which[first : min(first + CHUNK_QUADS, shaded)]
        lane = 4 * (first - report.since)
        _move_notes(report.notes, lane, notes)
        store(
            address(fragments),
            FragmentArguments(
                part,
                quads.primitive,
                quads.x,
                quads.y,
                placed.corners,
                placed.window,
                drawable.outputs,
                placed.planes,
                placed.front,
                placed.extent,
                state.constants,
                state.samplers,
                reads,
                batch.results,
                batch.killed,
                tree,
                report.nodes[lane:],
                False,
            ),
        )
        logged = log[LOG.used] if len(log) else 0
        state.shade(address(fragments))
        if fragments[_FAILED]:
            return ENDLESS
        if (len(tree) and tree[TREE.full]) or (len(log) and log[LOG.full]):
            if len(log):
                log[LOG.used] = logged
            return int(first)
        if len(log):
            for record in range(logged, log[LOG.used]):
                report.log_lanes[record] += lane
        if not state.early:
            state.test_late(memory, geometry, part[0], len(part))
            _tell_late(batch, state, part, report, first - report.since)
        for row in range(len(report.outputs)):
            report.outputs[row, lane : lane + 4 * len(part)] = batch.results[row, : 4 * len(part)]
        for number in range(len(state.targets)):
            target = load(address(state.targets[number]), BlendTarget)
            colors = batch.results[target.row : target.row + 4]
            arguments = BlendArguments(
                part, quads.x, quads.y, batch.passed, colors, target.pixels, state.width, state.constant
            )
            store(address(blending), arguments)
            target.blend(address(blending))
    return int(shaded)


@helper
def _move_notes(notes: Words, lane: int, moved: Words) -> None:
    """Move the places of notes to the lanes from one on."""
    for start in range(0, len(notes), _READ_WORDS):
        of = load(address(notes[start:]), ReadBlock)
        at = ReadBlock(
            of.levels + lane, of.x + 4 * lane, of.y + 4 * lane, of.linear + lane, of.face + 4 * lane, of.row, of.next
        )
        store(address(moved[start:]), at)


@helper
def _tell_late(batch: Batch, state: FragmentState, which: Words, report: ShadingReport, place: int) -> None:
    """Note what a chunk discarded, or left by its alpha, if requested; `place` is its first quad's."""
    if state.discards and len(report.discarded):
        for i in range(len(which)):
            samples = batch.quads.coverage[which[i]]
            covered = samples | samples >> 4 | samples >> 8 | samples >> 12
            report.discarded[which[i]] = lanes_killed(batch.killed[i]) & covered
    if state.alpha_row >= 0 and len(report.alpha_coverage):
        for i in range(len(which)):
            report.alpha_coverage[place + i] = batch.alpha_coverage[i]
