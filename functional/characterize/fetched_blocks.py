"""Blocks of 64 bytes of buffers that draws fetch vertices and indices from."""

from __future__ import annotations

import numpy as np

from ..pipeline.command import Arrays, DrawCommand
from ..pipeline.geometry.vertex_formats import element_bytes
from .used_blocks import Bits

BLOCK_BYTES = 64
Extent = tuple[int, int, int, int, int, int]
"""Of an array: its buffer and the bytes of that, the first byte, bytes between vertices and of one, and the divisor."""


class FetchedBlocks:
    """Blocks of buffers that the draws of a frame fetch from: of each array, all from its first vertex to the last."""

    def __init__(self) -> None:
        # Buffer, first block and last one; most draws of a frame add what others have added.
        self._ranges: set[tuple[int, int, int]] = set()

    def add(self, command: DrawCommand) -> None:
        """Add what a draw fetches."""
        vertices = command.vertices
        source, instances, stream = vertices.index_source, vertices.instances, vertices.stream
        if not len(stream.distinct) or not instances:
            return
        low, high, add = int(stream.distinct[0]), int(stream.distinct[-1]), self._ranges.add
        for buffer, size, first, stride, element, divisor in _extents(command):
            begin, last = (0, (instances - 1) // divisor) if divisor else (low, high)
            end = min(first + last * stride + element, size)
            add((buffer, (first + begin * stride) // BLOCK_BYTES, (end - 1) // BLOCK_BYTES))
        if source.buffer >= 0:
            end = source.offset_bytes + stream.count * source.index_bytes
            add((source.buffer, source.offset_bytes // BLOCK_BYTES, (end - 1) // BLOCK_BYTES))

    def take(self) -> dict[tuple[int, ...], Bits]:
        """Blocks by buffer since this was called last: bits, the lowest first."""
        largest: dict[int, int] = {}
        for buffer, _, last in self._ranges:
            largest[buffer] = max(largest.get(buffer, -1), last)
        used = {buffer: np.zeros(last + 1, np.uint8) for buffer, last in largest.items()}
        for buffer, first, last in self._ranges:
            used[buffer][first : last + 1] = 1
        self._ranges.clear()
        return {(buffer,): np.packbits(blocks, bitorder="little") for buffer, blocks in used.items()}


def _extents(command: DrawCommand) -> tuple[Extent, ...]:
    """Extents of the arrays that a draw's vertex shader reads."""
    derived = command.arrays.derived
    if derived.extents is None:
        slots = {declaration.slot for declaration in command.state.program.vertex.inputs}
        derived.extents = _of_arrays(command.arrays, slots)
    known: tuple[Extent, ...] = derived.extents
    return known


def _of_arrays(arrays: Arrays, slots: set[int]) -> tuple[Extent, ...]:
    found = []
    for slot, (data, buffer, _, layout) in arrays.enabled.items():
        if slot in slots:
            element = element_bytes(layout.type, layout.components)
            found.append((buffer, len(data), layout.offset_bytes, layout.stride_bytes, element, layout.divisor))
    return tuple(found)
