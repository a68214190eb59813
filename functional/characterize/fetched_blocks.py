"""Blocks of 64 bytes of buffers that draws fetch vertices and indices from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..pipeline.command import DrawCommand, VertexArray, Vertices
from ..pipeline.fused.texel_marks import BLOCK_BYTES
from ..pipeline.geometry.vertex_formats import element_bytes
from .used_blocks import Bits

Extent = tuple[int, int, int, int, int]
"""Of an array: its buffer, the first byte, bytes between vertices and of one, and the divisor."""
Range = tuple[int, int, int]
"""Buffer, first block and last one."""
MAX_KEPT = 16
"""Most arrays with which the ranges of the same vertices are kept."""


class FetchedBlocks:
    """Blocks of buffers that the draws of a frame fetch from.

    Draws that are executed together count as one, whose indices follow each other from those of the first on.
    """

    def __init__(self) -> None:
        # By identity of what `_fetched` gave; most draws of a frame add what others have added.
        self._added: dict[int, tuple[Range, ...]] = {}
        self._before: dict[int, tuple[Range, ...]] = {}
        self._blocks: dict[tuple[int, ...], Bits] = {}

    def add(self, command: DrawCommand) -> None:
        """Add what a draw fetches."""
        vertices, extents = command.vertices, command.arrays.derived.extents
        if extents is None:
            extents = _extents(command)
        _, _, instances, stream, source = vertices
        kept, key = stream.fetched, (extents, instances, source)
        ranges: tuple[Range, ...] | None = kept.get(key)
        if ranges is None:
            if len(kept) == MAX_KEPT:
                kept.clear()
            ranges = kept[key] = tuple(_fetched(vertices, extents))
        self._added[id(ranges)] = ranges

    def take(self) -> dict[tuple[int, ...], Bits]:
        """Blocks by buffer since this was called last: bits, the lowest first."""
        added, self._added = self._added, {}
        # Many programs draw the same in every frame.
        if added.keys() != self._before.keys():
            self._before = added
            self._blocks = _united({one for several in added.values() for one in several})
        return self._blocks


def _united(ranges: set[Range]) -> dict[tuple[int, ...], Bits]:
    """Blocks of ranges by buffer."""
    largest: dict[int, int] = {}
    for buffer, _, last in ranges:
        largest[buffer] = max(largest.get(buffer, -1), last)
    used = {buffer: np.zeros(last + 1, np.uint8) for buffer, last in largest.items()}
    for buffer, first, last in ranges:
        used[buffer][first : last + 1] = 1
    return {(buffer,): np.packbits(blocks, bitorder="little") for buffer, blocks in used.items()}


def _fetched(vertices: Vertices, extents: tuple[Extent, ...]) -> Iterator[Range]:
    """Ranges that a draw of some vertices fetches from."""
    source, instances, stream = vertices.index_source, vertices.instances, vertices.stream
    distinct = stream.distinct
    if not len(distinct) or not instances:
        return
    low, high = int(distinct[0]), int(distinct[-1])
    for buffer, first, stride, element, divisor in extents:
        begin, last = (0, (instances - 1) // divisor) if divisor else (low, high)
        if divisor or last - begin == len(distinct) - 1:
            end = first + last * stride + element
            yield buffer, (first + begin * stride) // BLOCK_BYTES, (end - 1) // BLOCK_BYTES
        else:
            for run in _runs(first + distinct * stride, element):
                yield buffer, *run
    if source.buffer >= 0:
        end = source.offset_bytes + stream.count * source.index_bytes
        yield source.buffer, source.offset_bytes // BLOCK_BYTES, (end - 1) // BLOCK_BYTES


def _runs(places: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """First and last block of runs of blocks with elements of a size, at ascending places."""
    begin, end = places // BLOCK_BYTES, (places + size - 1) // BLOCK_BYTES
    cuts = np.flatnonzero(begin[1:] > end[:-1] + 1) + 1
    firsts, lasts = begin[np.concatenate([[0], cuts])], end[np.concatenate([cuts - 1, [-1]])]
    yield from zip(firsts.tolist(), lasts.tolist(), strict=True)


def _extents(command: DrawCommand) -> tuple[Extent, ...]:
    """Extents of the arrays that a draw's vertex shader reads."""
    slots = {declaration.slot for declaration in command.state.program.vertex.inputs}
    arrays = [array for slot, array in command.arrays.enabled.items() if slot in slots]
    extents = command.arrays.derived.extents = tuple([_extent(array) for array in arrays])
    return extents


def _extent(array: VertexArray) -> Extent:
    layout = array.layout
    element = element_bytes(layout.type, layout.components)
    return array.buffer, layout.offset_bytes, layout.stride_bytes, element, layout.divisor
