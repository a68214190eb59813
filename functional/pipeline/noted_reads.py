"""Texture reads as kernels note them: a row of all lanes per texture operation."""

from __future__ import annotations

import numpy as np

from ..execute.kernel_arguments import ReadField
from ..execute.native_calls import address
from .command import DrawCommand
from .texturing import Reads


def new_reads(operations: tuple[tuple[int, int], ...], row: int) -> list[Reads]:
    """Rows of all lanes for every texture operation of a shader, for a kernel to fill where it executes it."""
    return [
        Reads(
            pc,
            sampler,
            np.full((2, row), -1, np.int8),
            np.zeros((2, row), np.int32),
            np.zeros((2, row), np.int32),
            np.zeros(row, np.int32),
            np.empty(row, np.bool_),
            None,
        )
        for pc, sampler in operations
    ]


def told_reads(draw: DrawCommand, reads: list[Reads], lanes: int) -> list[Reads]:
    """What is recorded: nothing of incomplete textures, and levels counted from the texture's first."""
    told = []
    for r in reads:
        sampler = draw.fragment_samplers[r.sampler]
        if sampler.storage is None:
            continue
        levels = r.levels[:, :lanes]
        if sampler.base_level:
            levels[levels >= 0] += sampler.base_level
        told.append(
            Reads(r.pc, r.sampler, levels, r.x[:, :lanes], r.y[:, :lanes], r.face[:lanes], r.linear[:lanes], None)
        )
    return told


def note_block(reads: Reads, row: int) -> list[int]:
    """Where an operation's reads go, as kernels take it: the fields of `kernel_arguments.ReadField`."""
    block = [0] * len(ReadField)
    for field, array in (
        (ReadField.LEVELS, reads.levels),
        (ReadField.X, reads.x),
        (ReadField.Y, reads.y),
        (ReadField.LINEAR, reads.linear),
        (ReadField.FACE, reads.face),
    ):
        block[field] = address(array)
    block[ReadField.ROW] = row
    return block
