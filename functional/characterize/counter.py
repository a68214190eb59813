"""Counts the work of draws: by the kernels that execute them, or by a sink for the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..compile.blocks import Block, words_in
from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..glsl.ir.program import Stage
from ..pipeline.command import DrawCommand
from ..pipeline.fused.counted_state import CountedState, CountedStates, TileSize
from ..pipeline.fused.counting_state import Work
from ..pipeline.fused.texel_marks import TexelMarks
from ..pipeline.sampler import Sampler
from ..recording.summary import Counts, Summary
from .fetched_blocks import FetchedBlocks
from .signatures import TileSignatures
from .sink import CountingSink
from .tile_lists import TileLists
from .used_blocks import Bits, united

Colors = Literal["none", "images", "all"]


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
    colors
        Colours that are drawn although nothing counts them: none, those of images but not of windows, or all.
    lists
        Lists of the tiles of passes.
    signatures
        Signatures of the tiles of the window.
    fetched
        Blocks of buffers that draws fetch from.
    """

    tile: TileSize
    active: bool = False
    colors: Colors = "all"
    _numbers: dict[int, tuple[int, LinkedProgram]] = field(default_factory=dict)
    _touched: dict[int, CountedState] = field(default_factory=dict)
    _summary: Summary = field(default_factory=Summary)
    _paths: dict[tuple[int, Stage], tuple[LinkedProgram, PathTable]] = field(default_factory=dict)
    _marked: dict[int, TexelMarks] = field(default_factory=dict)
    _sinks: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    """`Work` by program, of draws that sinks count."""

    def __post_init__(self) -> None:
        self._states = CountedStates(self.tile)
        self.lists, self.signatures = TileLists(self.tile), TileSignatures(self.tile)
        self.fetched = FetchedBlocks()

    def name(self, program: LinkedProgram, number: int) -> None:
        """Number a program as an activity does."""
        self._numbers[id(program)] = number, program

    def number(self, program: LinkedProgram) -> int:
        """Number of a program."""
        return self._numbers[id(program)][0]

    def counted(self, draw: DrawCommand) -> CountedState:
        """Counts that kernels can add to as they execute a draw."""
        return self._states.of(draw)

    def begin(self, draw: DrawCommand, state: CountedState) -> None:
        """Count a draw as far as kernels do not; they add the rest to the counts of its state."""
        self.fetched.add(draw)
        if id(state) not in self._touched:
            self._touched[id(state)] = state
            self._marked |= {id(marks): marks for marks in state.marks}
        signed, key = self.signatures.of(draw)
        self._states.tiles.next(self.lists.of(draw), signed, key)
        state.add(draw)

    def leaves_out_colors(self, window: bool) -> bool:
        """Whether the colours of windows, or of other framebuffers, are not drawn."""
        return self.active and (self.colors == "none" or (window and self.colors == "images"))

    def marking(self, sampler: Sampler) -> Block:
        """The `Marking` of a sampler's texture, for a draw that a sink counts."""
        marks, block = self._states.textures.of(sampler)
        self._marked[id(marks)] = marks
        return block

    def take_marks(self) -> dict[tuple[int, ...], Bits]:
        """Blocks by texture that draws have read since this was called last: bits, the lowest first."""
        by_texture: dict[tuple[int, ...], Bits] = {}
        for one in self._marked.values():
            # A texture that got another size within the frame has several.
            by_texture[one.texture] = united(by_texture.get(one.texture), one.take())
        self._marked.clear()
        return by_texture

    def sink(self, draw: DrawCommand) -> CountingSink:
        """A sink that counts a draw."""
        self.fetched.add(draw)
        number = self.number(draw.state.program)
        if number not in self._sinks:
            self._sinks[number] = np.zeros(words_in(Work), np.int64)
        return CountingSink(draw, self._summary, number, self._sinks[number], self)

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the paths of a program's stage."""
        key = id(program), stage
        if key not in self._paths:
            self._paths[key] = program, PathTable(program.shaders[stage])
        return self._paths[key][1]

    def take(self) -> dict[int, Work]:
        """Work by program since this was called last."""
        by_program: dict[int, Work] = {}
        for state in self._touched.values():
            _add(by_program, self.number(state.program), state.take())
        for number, words in self._sinks.items():
            counts = Counts(*self._summary.of(number).tolist())
            work = Work(*words.tolist())._replace(
                vertices=counts.vertices,
                fragments=counts.fragments,
                fragments_shaded=counts.fragments_shaded,
                vertex_instructions=counts.vertex_instructions,
                fragment_instructions=counts.fragment_instructions,
            )
            _add(by_program, number, work)
        self._touched.clear()
        self._sinks.clear()
        self._summary.counts.clear()
        return dict(sorted(by_program.items()))


def _add(by_program: dict[int, Work], number: int, more: Work) -> None:
    before = by_program.get(number)
    by_program[number] = more if before is None else Work(*(a + b for a, b in zip(before, more, strict=True)))
