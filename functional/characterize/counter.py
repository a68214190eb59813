"""Counts the work of draws: by the kernels that execute them, or by a sink for the others."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..glsl.ir.analysis import has_flow
from ..glsl.ir.program import Stage
from ..jit.blocks import words_in
from ..pipeline.command import DrawCommand
from ..pipeline.fused.counted_state import CountedState, CountedStates, TileSize
from ..pipeline.fused.counting_state import Work
from ..recording.summary import WORK, Counts, Summary
from .signatures import TileSignatures
from .sink import CountingSink


@dataclass(frozen=True)
class ProgramWork:
    """Work of the draws of a program in a frame, and instructions of each stage that their invocations executed."""

    work: Work
    vertex_instructions: int
    fragment_instructions: int


@dataclass
class DrawCounter:
    """Counts the work of the draws of a frame, program by program.

    Parameters
    ----------
    tile
        Size of a tile.

    Attributes
    ----------
    active
        Whether draws are counted now.
    window_colors
        Whether colours of windows are drawn although nothing counts them.
    signatures
        Signatures of the tiles of the window.
    """

    tile: TileSize
    active: bool = False
    window_colors: bool = True
    _numbers: dict[int, tuple[int, LinkedProgram]] = field(default_factory=dict)
    _touched: dict[int, CountedState] = field(default_factory=dict)
    _summary: Summary = field(default_factory=Summary)
    _sinks: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    """`Work` by program, of draws that sinks count."""

    def __post_init__(self) -> None:
        self._states = CountedStates(self.tile)
        self.signatures = TileSignatures(self.tile)

    def name(self, program: LinkedProgram, number: int) -> None:
        """Number a program as an activity does."""
        self._numbers[id(program)] = number, program

    def number(self, program: LinkedProgram) -> int:
        """Number of a program."""
        return self._numbers[id(program)][0]

    def counted(self, draw: DrawCommand) -> CountedState:
        """Counts that kernels add to as they execute a draw."""
        state = self._states.of(draw)
        self._touched[id(state)] = state
        state.sign(*self.signatures.of(draw))
        return state

    def leaves_out_colors(self, draw: DrawCommand) -> bool:
        """Whether a draw is to a window whose colours are not drawn."""
        return self.active and not self.window_colors and draw.state.target.flipped

    def sink(self, draw: DrawCommand) -> CountingSink:
        """A sink that counts a draw."""
        number = self.number(draw.state.program)
        if number not in self._sinks:
            self._sinks[number] = np.zeros(words_in(Work), np.int64)
        return CountingSink(draw, self._summary, number, self._sinks[number], self)

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the paths of a program's stage."""
        return self._states.paths(program, stage)

    def take(self) -> dict[int, ProgramWork]:
        """Work by program since this was called last."""
        found: dict[int, ProgramWork] = {}
        for state in self._touched.values():
            _add(found, self.number(state.program), ProgramWork(state.take(), 0, 0))
        for program in {id(state.program): state.program for state in self._touched.values()}.values():
            number = self.number(program)
            work = found[number].work
            executed = self._executed(program, "vertex", work.vertices)
            found[number] = ProgramWork(work, executed, self._executed(program, "fragment", work.fragments_shaded))
        for number, words in self._sinks.items():
            counts = Counts(*self._summary.of(number).tolist())
            work = Work(*words.tolist())._replace(
                vertices=counts.vertices, fragments=counts.fragments, fragments_shaded=counts.fragments_shaded
            )
            _add(found, number, ProgramWork(work, counts.vertex_instructions, counts.fragment_instructions))
        self._touched.clear()
        self._sinks.clear()
        self._summary.counts.clear()
        return dict(sorted(found.items()))

    def _executed(self, program: LinkedProgram, stage: Stage, invocations: int) -> int:
        """Instructions that invocations executed which kernels have counted."""
        shader = program.shaders[stage]
        if not has_flow(shader):
            return invocations * len(shader.instructions)
        visits = self._states.visits(program, stage)
        taken = visits.take()
        return int(taken @ self._summary.work(visits.paths)[:, WORK.instructions])


def _add(found: dict[int, ProgramWork], number: int, more: ProgramWork) -> None:
    before = found.get(number)
    if before is not None:
        work = Work(*(a + b for a, b in zip(before.work, more.work, strict=True)))
        vertex = before.vertex_instructions + more.vertex_instructions
        more = ProgramWork(work, vertex, before.fragment_instructions + more.fragment_instructions)
    found[number] = more
