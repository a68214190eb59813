"""Texture reads as kernels note them: a row of all lanes per texture operation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...execute.kernel_arguments import ReadField
from ...execute.native_calls import address
from ..sampler import Sampler
from ..texturing.reads import Reads
from ..texturing.unit import probes


def new_reads(samplers: tuple[Sampler, ...], operations: tuple[tuple[int, int], ...], row: int) -> list[Reads]:
    """Rows of all lanes for every texture operation of a shader and every probe, for a kernel to fill where it executes
    it."""
    return [
        Reads.blank(operation, row, probe)
        for operation in operations
        for probe in range(probes(samplers[operation[1]]))
    ]


def told_reads(samplers: tuple[Sampler, ...], reads: list[Reads], lanes: int) -> list[Reads]:
    """What is recorded: nothing of incomplete textures, and levels counted from the texture's first."""
    told = []
    for r in reads:
        sampler = samplers[r.sampler]
        if sampler.storage is None:
            continue
        levels = r.levels[:, :lanes]
        if sampler.base_level:
            levels[levels >= 0] += sampler.base_level
        told.append(
            Reads(
                r.pc, r.sampler, levels, r.x[:, :lanes], r.y[:, :lanes], r.face[:lanes], r.linear[:lanes], None, r.probe
            )
        )
    return told


def note_blocks(reads: list[Reads], row: int) -> NDArray[np.int64]:
    """Where operations note their reads, as kernels take it: int64, (blocks, fields of `kernel_arguments.ReadField`).

    Parameters
    ----------
    reads
        From `new_reads`. The first probes of all operations come first, in order.
    row
        Lanes of a row.
    """
    order = sorted(range(len(reads)), key=lambda i: reads[i].probe > 0)
    place = {i: number for number, i in enumerate(order)}
    blocks = np.zeros((len(reads), len(ReadField)), np.int64)
    for i, r in enumerate(reads):
        block = blocks[place[i]]
        for field, array in (
            (ReadField.LEVELS, r.levels),
            (ReadField.X, r.x),
            (ReadField.Y, r.y),
            (ReadField.LINEAR, r.linear),
            (ReadField.FACE, r.face),
        ):
            block[field] = address(array)
        block[ReadField.ROW] = row
        if i + 1 < len(reads) and reads[i + 1].probe:
            block[ReadField.NEXT] = (place[i + 1] - place[i]) * blocks.strides[0]
    return blocks
