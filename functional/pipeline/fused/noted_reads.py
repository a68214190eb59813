"""Texture reads as kernels note them: a row of all lanes per texture operation, or, where shaders read in loops, a
record per operation and vector of lanes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compile.addresses import address
from ...compile.blocks import words_in, write
from ...execute.kernel_arguments import LOG, LogBlock, ReadBlock
from ...glsl.ir.analysis import texture_operations
from ...glsl.ir.program import Shader
from ..sampler import Sampler
from ..texturing.reads import LoggedReads, Operation
from ..texturing.unit import probes
from .batch_state import ANY, CHUNK_QUADS

LANE_BYTES = 2 * (1 + 4 + 4) + 4 + 1
"""Bytes of a row per lane."""
NOTE_BYTES = 1 << 19
"""Memory of notes: they are recorded before they leave the cache."""
FIRST_RECORDS = 4096
_NOTHING = np.zeros(0, np.int64)
_NOTE_BYTES = 8 * words_in(ReadBlock)


class ReadRow(NamedTuple):
    """The reads of the lanes of a row.

    Attributes
    ----------
    pc, sampler, probe
        The operation, and the number of its anisotropic probe.
    recorded
        Whether it is recorded; reads of incomplete textures are not.
    base_level
        Level of the texture from which levels are counted.
    """

    pc: int
    sampler: int
    probe: int
    recorded: bool
    base_level: int


def read_rows(shader: Shader, samplers: tuple[Sampler, ...]) -> tuple[ReadRow, ...]:
    """Rows for every texture operation of a shader with some samplers, and every probe."""
    return tuple(
        ReadRow(pc, number, probe, samplers[number].storage is not None, samplers[number].base_level)
        for pc, number, _ in texture_operations(shader)
        for probe in range(probes(samplers[number]))
    )


def quads_noted(rows: tuple[ReadRow, ...]) -> int:
    """Quads whose reads are noted at a time."""
    return max(1, NOTE_BYTES // (4 * LANE_BYTES * len(rows)) // CHUNK_QUADS) * CHUNK_QUADS if rows else ANY


def _operations(rows: tuple[ReadRow, ...]) -> NDArray[np.int64]:
    """Of `LoggedReads`."""
    operations = [Operation(row.pc, row.sampler, row.recorded, row.probe) for row in rows]
    return np.array(operations, np.int64).reshape(-1, words_in(Operation))


class NotedReads:
    """Room for rows of all lanes, for a kernel to fill where it executes the operations.

    Parameters
    ----------
    rows
        See `read_rows`.
    lanes
        Lanes of a row.

    Attributes
    ----------
    arguments
        Of a kernel: `FragmentArguments.reads`.
    blocks
        Where operations note their reads, as kernels take it: int64, a `ReadBlock` per row. The first probes of all
        operations come first, in order.
    log
        Block and lanes of a log, of which there is none.
    full
        Whether the last kernel ran out of room.
    """

    log, full = (_NOTHING, _NOTHING), False

    def __init__(self, rows: tuple[ReadRow, ...], lanes: int) -> None:
        count = len(rows)
        # For lanes that read nothing, the other columns are never used.
        self._levels = np.empty((count, 2, lanes), np.int8)
        self._x, self._y = np.empty((count, 2, lanes), np.int32), np.empty((count, 2, lanes), np.int32)
        self._linear, self._face = np.empty((count, lanes), np.bool_), np.empty((count, lanes), np.int32)
        self._bases = [(row, base_level) for row, (*_, base_level) in enumerate(rows) if base_level]
        self.arguments = self.blocks = self._blocks(rows, lanes)
        self._told = LoggedReads(
            _operations(rows),
            np.arange(count, dtype=np.int32),
            np.zeros(count, np.int64),
            self._levels,
            self._x,
            self._y,
            self._face,
            self._linear,
        )
        self.clear(lanes)

    def _blocks(self, rows: tuple[ReadRow, ...], lanes: int) -> NDArray[np.int64]:
        order = sorted(range(len(rows)), key=lambda i: rows[i].probe > 0)
        place = {i: number for number, i in enumerate(order)}
        blocks = [
            ReadBlock(
                levels=address(self._levels[i]),
                x=address(self._x[i]),
                y=address(self._y[i]),
                linear=address(self._linear[i]),
                face=address(self._face[i]),
                row=lanes,
                next=_NOTE_BYTES * (place[i + 1] - place[i]) if i + 1 < len(rows) and rows[i + 1].probe else 0,
            )
            for i in order
        ]
        return np.array(blocks, np.int64).reshape(-1)

    def clear(self, lanes: int) -> None:
        """Forget what the first lanes have read."""
        self._levels[:, :, :lanes] = -1
        # Operations on plain images do not say which image they read.
        self._face[:, :lanes] = 0

    def records(self, lanes: int) -> LoggedReads:
        """Reads of the first lanes, until they are cleared; levels are counted from the texture's first. Call it
        only once."""
        for row, base_level in self._bases:
            levels = self._levels[row, :, :lanes]
            levels[levels >= 0] += base_level
        return self._told

    def grow(self) -> None:
        """There is room for all lanes."""


class ReadLog:
    """Room for records, as kernels take it, of shaders that read in loops; used like `NotedReads`.

    Parameters
    ----------
    rows
        See `read_rows`; there are no further probes.
    width
        Lanes of a vector.
    """

    blocks = _NOTHING

    def __init__(self, rows: tuple[ReadRow, ...], width: int) -> None:
        self._operations = _operations(rows)
        self._bases = np.array([row.base_level for row in rows], np.int8)
        self.arguments = self._block = np.zeros(words_in(LogBlock), np.int64)
        self._arrays: dict[str, NDArray[Any]] = {
            "operation": np.empty(0, np.int32),
            "lane": np.empty(0, np.int64),
            "levels": np.empty((0, 2, width), np.int8),
            "x": np.empty((0, 2, width), np.int32),
            "y": np.empty((0, 2, width), np.int32),
            "face": np.empty((0, width), np.int32),
            "linear": np.empty((0, width), np.bool_),
        }
        self._resize(FIRST_RECORDS)

    @property
    def log(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The block, and the first lane of each record."""
        return self._block, self._arrays["lane"]

    @property
    def full(self) -> bool:
        """Whether the last kernel ran out of room; its records were removed."""
        return bool(self._block[LOG.full])

    def clear(self, lanes: int) -> None:
        """Forget all records."""
        self._block[LOG.used] = 0

    def grow(self) -> None:
        """Make room for four times as many records, if there was too little."""
        if self.full:
            self._resize(4 * int(self._block[LOG.capacity]))

    def _resize(self, records: int) -> None:
        for name, array in self._arrays.items():
            # One more for a record that does not fit.
            larger = np.empty((records + 1, *array.shape[1:]), array.dtype)
            larger[: len(array)] = array
            self._arrays[name] = larger
        addresses = {name: address(array) for name, array in self._arrays.items()}
        write(self._block, LogBlock(int(self._block[LOG.used]), records, False, **addresses))

    def records(self, lanes: int) -> LoggedReads:
        """The records, until the log is cleared; reads of incomplete textures are left out."""
        count = int(self._block[LOG.used])
        operation, first, levels, x, y, face, linear = (array[:count] for array in self._arrays.values())
        if self._bases.any():
            levels = np.where(levels >= 0, levels + self._bases[operation][:, None, None], levels).astype(np.int8)
        return LoggedReads(self._operations, operation, first, levels, x, y, face, linear)
