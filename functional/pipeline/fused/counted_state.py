"""Counts of the draws of a state, which the kernels that execute them add to."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compile.addresses import address
from ...compile.blocks import Block, block_of, code_at, place_of, words_in
from ...glsl import LinkedProgram
from ...glsl.ir.analysis import has_flow, reads_in_loops, texture_operations
from ...glsl.ir.program import Shader
from ..command import DrawCommand
from ..sampler import Sampler
from ..sink import Observer
from ..texturing.unit import probes
from .batch_memory import BatchDraw
from .batch_state import CHUNK_QUADS
from .counted_reads import CountedOperations
from .counting_kernels import raster_counted
from .counting_state import WORK, Counting, SignedConstants, Tiles, Work
from .noted_reads import NotedReads, ReadRow, read_rows
from .observing import FlowNotes
from .sampler_blocks import is_detailed
from .texel_marks import MarkedTextures, TexelMarks

FILTERED, FILTERED_VOLUME = 4, 8
"""Texels of a filtered read of an image, and of one of slices of a 3D texture."""
_PLAIN = frozenset(("TEX", "TXP", "TXB", "TXL", "TXD", "TEX2", "TXB2", "TXL2"))
"""Operations that read one image where the texture has one level and both filters are alike."""
_TIMES, _ONCE = place_of(Counting, "times"), np.zeros(0, np.int64)
_TILED, _KEY = place_of(Tiles, "entries"), place_of(Tiles, "key")
_NOTED = block_of(FlowNotes(_ONCE, code_at(0)))
"""Of vertex shaders of which kernels note instructions, not decisions."""


class TileSize(NamedTuple):
    """Width and height of a tile in pixels."""

    width: int
    height: int

    def grid(self, width: int, height: int) -> tuple[int, int]:
        """Columns and rows of the tiles of an image."""
        return -(-width // self.width), -(-height // self.height)


class PassCounts(NamedTuple):
    """Counts of a pass that draws add to: int64, by tile the entries of its list; attributes of primitives in one
    element; and the tiles in a row."""

    entries: NDArray[np.int64]
    attributes: NDArray[np.int64]
    across: int


@dataclass(eq=False)
class CountedState:
    """Counts of the draws of a state.

    Attributes
    ----------
    program
        The program.
    countable
        Whether kernels can count.
    idle
        Whether shading that changes nothing may be left out.
    counts
        int64, `Work`: counts since they were taken.
    marks
        Marks of the textures that fragments read.
    ways
        How one call executes and counts a draw, None if none can: by topology, and whether its colours are left out.
    """

    program: LinkedProgram
    countable: bool
    idle: bool
    counts: NDArray[np.int64]
    marks: tuple[TexelMarks, ...]
    block: Block
    ways: dict[tuple[int, bool], tuple[Block, BatchDraw] | None] = field(default_factory=dict)
    _draws: int = 0
    _vertices: int = 0
    _times: NDArray[np.int64] | None = None

    @cached_property
    def observer(self) -> Observer:
        """Observes draws for the `Counting`."""
        return Observer(raster_counted.address, self.block.address)

    def add(self, draw: DrawCommand) -> None:
        """Count a draw, with its vertices; kernels count the rest."""
        _, _, instances, stream, _ = draw.vertices
        self._draws += stream.draws
        self._vertices += stream.vertices * instances
        if stream.times is not self._times:
            self._times = stream.times
            times = _ONCE if stream.times is None else stream.times
            self.block.words[_TIMES : _TIMES + 2] = address(times), len(times)

    def take(self) -> Work:
        """Counts since this was called last."""
        counts, program = self.counts.tolist(), self.program
        counts[WORK.draws] += self._draws
        counts[WORK.vertices] += self._vertices
        self.counts[:] = self._draws = self._vertices = 0
        taken = Work(*counts)
        if not has_flow(program.vertex):
            taken = taken._replace(vertex_instructions=taken.vertices * len(program.vertex.instructions))
        if not has_flow(program.fragment):
            taken = taken._replace(fragment_instructions=taken.fragments_shaded * len(program.fragment.instructions))
        return taken


class CountedTiles:
    """Tiles as the kernels take them, which draws count and sign.

    Parameters
    ----------
    tile
        Size of a tile.

    Attributes
    ----------
    block
        `Tiles`.
    """

    def __init__(self, tile: TileSize) -> None:
        self._listed, self._signed = PassCounts(_ONCE, _ONCE, 0), _ONCE
        self.block = block_of(Tiles(*tile, _ONCE, _ONCE, 0, self._signed, 0))

    def next(self, listed: PassCounts, signed: NDArray[np.int64], key: int) -> None:
        """Say where the tiles of the next draw are counted and signed.

        Parameters
        ----------
        listed
            Counts of its pass.
        signed
            int64, by tile: the signatures; empty if tiles are not signed.
        key
            Key of the draw.
        """
        words = self.block.words
        # Most draws are in the pass of the one before.
        if listed is not self._listed or signed is not self._signed:
            self._listed, self._signed = listed, signed
            words[_TILED:_KEY] = (
                address(listed.entries),
                len(listed.entries),
                address(listed.attributes),
                1,
                listed.across,
                address(signed),
                len(signed),
            )
        words[_KEY] = key


class CountedStates:
    """Makes the counts of states.

    Parameters
    ----------
    tile
        Size of a tile.

    Attributes
    ----------
    tiles
        Tiles of the pass that is drawn now.
    """

    def __init__(self, tile: TileSize) -> None:
        self.tiles = CountedTiles(tile)
        self.textures = MarkedTextures()
        self._notes: dict[tuple[int, ...], NotedReads] = {}

    def of(self, draw: DrawCommand) -> CountedState:
        """Counts of the draws of a state, for tiles of a size; the same for all draws of the state."""
        counted: CountedState | None = draw.derived.counted
        if counted is None:
            counted = draw.derived.counted = self._new(draw)
        return counted

    def _new(self, draw: DrawCommand) -> CountedState:
        program, samplers = draw.state.program, draw.state.samplers.fragment
        shader = program.fragment
        branches = has_flow(shader)
        texels_of_lane = _known_texels(shader, samplers)
        if branches and texels_of_lane:
            texels_of_lane = -1
        # A draw that reads no complete texture has nothing to note.
        rows = read_rows(shader, samplers) if texels_of_lane else ()
        notes = self._notes_of(tuple(row.probe for row in rows))
        marked = {
            number: self.textures.of(samplers[number]) for number in {row.sampler for row in rows if row.recorded}
        }
        counts = np.zeros(words_in(Work), np.int64)
        counting = Counting(
            _NOTED.address if has_flow(program.vertex) else 0,
            True,
            counts,
            max(texels_of_lane, 0),
            notes.blocks,
            notes.records(0),
            self._operations(
                rows, samplers, texels_of_lane > 0, {number: block.address for number, (_, block) in marked.items()}
            ),
            branches,
            _ONCE,
            self.tiles.block.address,
            SignedConstants(draw.state.constants.vertex, draw.state.constants.fragment),
        )
        # Operations in loops have no place of their own for notes.
        countable = not program.accesses_memory and not (rows and reads_in_loops(shader))
        idle = not rows and not branches
        marks = tuple({id(marks): marks for marks, _ in marked.values()}.values())
        return CountedState(program, countable, idle, counts, marks, block_of(counting, notes, marked))

    def _operations(
        self, rows: tuple[ReadRow, ...], samplers: tuple[Sampler, ...], texels_known: bool, markings: dict[int, int]
    ) -> CountedOperations:
        """Counting of the reads of rows, with the addresses of the textures' `Marking`; if their number is known,
        they are only marked."""
        counted = [0 if texels_known or not row.recorded else filtered_texels(samplers[row.sampler]) for row in rows]
        marking = [markings[row.sampler] if row.recorded else 0 for row in rows]
        first_level = np.zeros(len(rows), np.int64)
        return CountedOperations(np.array(counted, np.int64), np.array(marking, np.int64), first_level)

    def _notes_of(self, probes: tuple[int, ...]) -> NotedReads:
        """Room for the notes of a chunk, whose layout depends on the probes of operations alone."""
        if probes not in self._notes:
            rows = tuple(ReadRow(0, 0, number, True, 0) for number in probes)
            self._notes[probes] = NotedReads(rows, 4 * CHUNK_QUADS)
        return self._notes[probes]


def filtered_texels(sampler: Sampler) -> int:
    """Texels of a filtered read."""
    return FILTERED_VOLUME if sampler.target == "3d" else FILTERED


def _known_texels(shader: Shader, samplers: tuple[Sampler, ...]) -> int:
    """Texels that every lane of a shader without branches requests; -1 if that depends on what it reads."""
    total = 0
    for _, number, instruction in texture_operations(shader):
        sampler = samplers[number]
        if sampler.storage is None:
            continue
        if instruction.opcode not in _PLAIN or is_detailed(sampler) or probes(sampler) > 1:
            return -1
        total += filtered_texels(sampler) if sampler.min_filter & 1 else 1
    return total
