"""Places of members of blocks, after the rules of OpenGL ES 3.1, 7.6.2.2 (standard uniform block layout; std430: the
same without rounding up to the alignment of vec4), and what programs are told of them (7.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .random_layouts import Block, Field, Struct


class Place(NamedTuple):
    """Answers of glGetProgramResourceiv about a member, in the order of `mesa_layouts.PROPERTIES`."""

    offset: int
    array_size: int
    array_stride: int
    matrix_stride: int
    by_rows: int
    top_level_stride: int = 0


def _up(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment


class Rules:
    """Sizes and alignments in bytes by one packing."""

    def __init__(self, packing: str) -> None:
        self.least = 16 if packing == "std140" else 1

    def matrix(self, kind: str, by_rows: bool) -> tuple[int, int]:
        """Number of vectors of a matrix, and the distance between them."""
        columns, rows = int(kind[3]), int(kind[-1])
        vectors, components = (rows, columns) if by_rows else (columns, rows)
        return vectors, _up(4 * (components + components % 2), self.least)

    def one(self, kind: str | Struct, by_rows: bool) -> tuple[int, int]:
        """Size and alignment of a type."""
        if isinstance(kind, Struct):
            return self.struct(kind, by_rows)
        if kind.startswith("mat"):
            vectors, stride = self.matrix(kind, by_rows)
            return vectors * stride, stride
        components = int(kind[-1]) if kind[-1].isdigit() else 1
        return 4 * components, 4 * (4 if components == 3 else components)

    def field(self, kind: str | Struct, lengths: tuple[int, ...], by_rows: bool) -> tuple[int, int]:
        """Size and alignment of a type or an array of it; arrays without a length have one element."""
        size, alignment = self.one(kind, by_rows)
        if lengths:
            alignment = _up(alignment, self.least)
            size = _up(size, alignment)
            for length in lengths:
                size *= max(1, length)
        return size, alignment

    def offsets(self, fields: tuple[Field, ...], by_rows: bool) -> tuple[list[int], int, int]:
        """Offsets of members one after the other, where they end, and their greatest alignment."""
        offsets, at, greatest = [], 0, 1
        for field in fields:
            size, alignment = self.field(field.kind, field.lengths, _order(field, by_rows))
            offsets.append(_up(at, alignment))
            at, greatest = offsets[-1] + size, max(greatest, alignment)
        return offsets, at, greatest

    def struct(self, struct: Struct, by_rows: bool) -> tuple[int, int]:
        """Size and alignment of a structure."""
        _, end, greatest = self.offsets(struct.fields, by_rows)
        alignment = _up(greatest, self.least)
        return _up(end, alignment), alignment

    def places(
        self, name: str, kind: str | Struct, lengths: tuple[int, ...], at: int, by_rows: bool
    ) -> Iterator[tuple[str, Place]]:
        """Members of a type or an array at an offset: of arrays of structures or arrays, those of every element."""
        if lengths and (isinstance(kind, Struct) or len(lengths) > 1):
            size, _ = self.field(kind, lengths[1:] or (1,), by_rows)
            for number in range(max(1, lengths[0])):
                yield from self.places(f"{name}[{number}]", kind, lengths[1:], at + number * size, by_rows)
        elif isinstance(kind, Struct):
            offsets, _, _ = self.offsets(kind.fields, by_rows)
            for field, offset in zip(kind.fields, offsets, strict=True):
                order = _order(field, by_rows)
                yield from self.places(f"{name}.{field.name}", field.kind, field.lengths, at + offset, order)
        else:
            stride = self.field(kind, (1,), by_rows)[0] if lengths else 0
            matrix = self.matrix(kind, by_rows)[1] if kind.startswith("mat") else 0
            size = lengths[0] if lengths else 1
            name += "[0]" if lengths else ""
            yield name, Place(at, size, stride, matrix, int(by_rows and matrix > 0))


def _order(field: Field, by_rows: bool) -> bool:
    return by_rows if field.by_rows is None else field.by_rows


def places(block: Block) -> dict[str, Place]:
    """Places of all members of a block, by the names under which programs are asked for them."""
    rules, out = Rules(block.packing), {}
    prefix = f"{block.name}." if block.instance else ""
    offsets, _, _ = rules.offsets(block.fields, block.by_rows)
    for field, offset in zip(block.fields, offsets, strict=True):
        lengths, stride = field.lengths, 0
        if block.storage == "buffer" and lengths and (isinstance(field.kind, Struct) or len(lengths) > 1):
            # Of arrays at the top of a storage block only the first element is listed.
            order = _order(field, block.by_rows)
            stride, _ = rules.field(field.kind, lengths[1:] or (1,), order)
            lengths = (1, *lengths[1:])
        for name, place in rules.places(prefix + field.name, field.kind, lengths, offset, _order(field, block.by_rows)):
            out[name] = place._replace(top_level_stride=stride)
    return out


def size(block: Block) -> int:
    """Bytes that a block takes at least; of an array without a length, one element."""
    rules = Rules(block.packing)
    _, end, greatest = rules.offsets(block.fields, block.by_rows)
    return _up(end, _up(greatest, rules.least))
