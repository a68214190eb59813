"""Tables and notes of the draws of a state that the kernel which executes them records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compile.addresses import address
from ..compile.blocks import Block, block_of, place_of
from ..glsl.ir.program import Shader
from ..pipeline.command import DrawCommand
from ..pipeline.fused.noted_reads import NotedReads, ReadRow, quads_noted, read_rows
from ..pipeline.sink import Observer
from .draw_kernels import Recording, raster_recorded
from .resources import Resources
from .row_group import RowGroup

_COUNTS, _DRAW = place_of(Recording, "counts"), place_of(Recording, "draw")
_NOTHING = np.zeros(0, np.int64)


class Detail(NamedTuple):
    """Detail of the recording of draws.

    Attributes
    ----------
    rows
        Whether rows of the large tables are recorded, not only counts.
    shade_occluded
        Whether occluded quads are recorded, too.
    inputs, colors
        Whether attributes as fetched are recorded, and shaded colours.
    """

    rows: bool
    shade_occluded: bool
    inputs: bool
    colors: bool


def recorded_outputs(shader: Shader, detail: Detail) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First rows, among the outputs of a shader, of the colours of all draw buffers up to the last one that is written,
    -1 for others; and that of its depth."""
    rows = {(d.semantic, d.slot if d.semantic == "color" else 0): 4 * i for i, d in enumerate(shader.outputs)}
    buffers = max((slot + 1 for semantic, slot in rows if semantic == "color"), default=0) if detail.colors else 0
    colors = [rows.get(("color", number), -1) for number in range(buffers if detail.rows else 0)]
    depth = [row for (semantic, _), row in rows.items() if semantic == "depth" and detail.rows]
    return np.array(colors, np.int64), np.array(depth, np.int64)


class RecordedState:
    """Memory in which the draws of a state are recorded.

    Parameters
    ----------
    block, program
        Their `Recording`, and the number of their program.
    """

    def __init__(self, block: Block, program: int) -> None:
        self._block, self._program = block, program
        self._observer = Observer(raster_recorded.address, block.address)
        self._rows: RowGroup | None = None

    def observer(self, draw: int, rows: RowGroup) -> Observer:
        """Observes a draw with a number, and adds rows."""
        words = self._block.words
        if self._rows is not rows:
            self._rows, counts = rows, rows.summary.of(self._program)
            words[_COUNTS:_DRAW] = address(counts), len(counts), rows.block.address
        words[_DRAW] = draw
        return self._observer


class RecordedStates:
    """Makes them.

    Parameters
    ----------
    resources
        Number the paths.
    detail
        Detail of the recording.
    """

    def __init__(self, resources: Resources, detail: Detail) -> None:
        self.resources, self.detail = resources, detail
        self._notes: dict[tuple[ReadRow, ...], NotedReads] = {}

    def of(self, draw: DrawCommand) -> RecordedState:
        """Memory in which a draw and all others of its state are recorded."""
        recorded: RecordedState | None = draw.derived.recorded
        if recorded is None:
            recorded = draw.derived.recorded = self._new(draw)
        return recorded

    def _new(self, draw: DrawCommand) -> RecordedState:
        program = draw.state.program
        rows, number = read_rows(program.fragment, draw.state.samplers.fragment), self.resources.numbers[id(program)]
        notes = self._notes.get(rows)
        if notes is None:
            notes = self._notes[rows] = NotedReads(rows, 4 * quads_noted(rows) if rows else 0)
        vertex, fragment = self.resources.paths_of(program, "vertex"), self.resources.paths_of(program, "fragment")
        vertex.execute()
        colors, depth = recorded_outputs(program.fragment, self.detail)
        recording = Recording(
            vertex.followed,
            False,
            vertex.block.address,
            fragment.block.address,
            notes.records(0),
            notes.blocks,
            np.array([row.base_level for row in rows], np.int64),
            quads_noted(rows),
            int(self.detail.shade_occluded),
            self.detail.rows,
            self.detail.inputs,
            4 * len(program.fragment.outputs) if len(colors) or len(depth) else 0,
            colors,
            depth,
            _NOTHING,
            0,
            0,
        )
        return RecordedState(block_of(recording, notes, vertex, fragment), number)
