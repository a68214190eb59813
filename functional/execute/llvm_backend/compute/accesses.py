"""Instructions on memory in vector code: loads, stores, atomic operations and sizes.

What lies outside of a buffer, an image or shared memory reads as 0 and is not written, as in the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from ....glsl.ir.opcodes import ADDRESSING
from ....glsl.ir.program import COORDINATES, Instruction, Shader, Space
from ...memory import ImageFormat
from ..ir.memory import POINTER, field
from ..ir.vectors import INT, Value, Vectors
from ..ir.whole import Operand
from .atomics import atomic
from .lanes import Place, Words, read_words, write_words
from .outlined import atomic_outlined, read_outlined, write_outlined
from .texels import loaded_texel, stored_texel, words_of, words_read

BUFFER_FIELDS = ("data", "words", "size_bytes")
IMAGE_FIELDS = ("data", "width", "height", "layers")
MOST_IN_PLACE = 24
"""Accesses that are compiled where they stand."""
STRIDES = {1: 1, 2: 2, 3: 4, 4: 4}
"""Words from an element of an array to the next one, by the components that are accessed together."""


@dataclass(frozen=True)
class MemoryTable:
    """The memory of a dispatch.

    Attributes
    ----------
    buffers, images
        Addresses of rows of int64, see `BUFFER_FIELDS` and `IMAGE_FIELDS`.
    shared
        Address of a group's shared memory.
    """

    buffers: Value
    images: Value
    shared: Value


class Accesses:
    """Emits the instructions on memory of a shader.

    Parameters
    ----------
    v
        Where code goes.
    shader
        The shader.
    formats
        Of its images.
    table
        The memory.
    """

    def __init__(self, v: Vectors, shader: Shader, formats: Sequence[ImageFormat], table: MemoryTable) -> None:
        self.v, self.shader, self.formats, self.table = v, shader, formats, table
        many = sum(i.info.shape in ADDRESSING for i in shader.instructions) > MOST_IN_PLACE
        self._read, self._write = (read_outlined, write_outlined) if many else (read_words, write_words)
        self._change = atomic_outlined if many else atomic

    def emit(self, instruction: Instruction, operand: Operand, lanes: Value) -> dict[int, Value]:
        """An instruction, for lanes that execute (None: all); components of its result."""
        assert instruction.memory is not None
        destination, shape = instruction.destination, instruction.info.shape
        components = () if destination is None else destination.components
        if shape == "size":
            sizes = self._size(*instruction.memory)
            return {c: self.v.to_floats(self.v.splat_integer(sizes[c])) for c in components}
        if shape == "atomic":
            return self._atomic(instruction, operand, lanes, components)
        if instruction.memory[0] is Space.IMAGE:
            return self._image(instruction, operand, lanes, components)
        place = self._words(instruction, operand)
        if shape == "load":
            loaded = self._load(place, components, lanes)
            return dict(zip(components, loaded, strict=True))
        values = [operand(1, c) for c in range(instruction.stored)]
        self._write(self.v, place._replace(stride=STRIDES[len(values)]), values, lanes)
        return {}

    def _load(self, place: Place, components: Sequence[int], lanes: Value) -> list[Value]:
        return self._read(self.v, place._replace(stride=STRIDES[max(components) + 1]), components, lanes)

    def _field(self, table: Value, row: int, fields: Sequence[str], name: str, kind: ir.Type = INT) -> Value:
        return field(self.v.builder, table, len(fields) * row + fields.index(name), kind)

    def _size(self, space: Space, number: int) -> list[Value]:
        if space is Space.BUFFER:
            return [self._field(self.table.buffers, number, BUFFER_FIELDS, "size_bytes")]
        return [self._field(self.table.images, number, IMAGE_FIELDS, name) for name in IMAGE_FIELDS[1:]]

    def _words(self, instruction: Instruction, operand: Operand) -> Place:
        """Words of a buffer or of shared memory at each lane's address."""
        v, b = self.v, self.v.builder
        assert instruction.memory is not None
        space, number = instruction.memory
        if space is Space.SHARED:
            words = Words(self.table.shared, ir.Constant(INT, -(-self.shader.shared_bytes // 4)))
        else:
            data = self._field(self.table.buffers, number, BUFFER_FIELDS, "data", POINTER)
            words = Words(data, self._field(self.table.buffers, number, BUFFER_FIELDS, "words"))
        index, count = b.lshr(v.to_ints(operand(0, 0)), v.integer(2)), v.splat_integer(words.count)

        def inside(component: int) -> Value:
            return b.icmp_unsigned("<", b.add(index, v.integer(component)), count)

        return Place(words, index, inside, 1)

    def _texels(self, instruction: Instruction, operand: Operand) -> Place:
        """The texel of each lane; its distance to the next one's is that of words of the image."""
        v, b = self.v, self.v.builder
        assert instruction.memory is not None
        number = instruction.memory[1]
        data = self._field(self.table.images, number, IMAGE_FIELDS, "data", POINTER)
        width, height, layers = sizes = self._size(Space.IMAGE, number)
        extents = [v.splat_integer(size) for size in sizes]
        place = [v.to_ints(operand(0, c)) for c in range(COORDINATES[self.shader.images[number].target])]
        flags = v.flag(True)
        for at, extent in zip(place, extents, strict=False):
            flags = b.and_(flags, b.icmp_unsigned("<", at, extent))
        # An image whose third size is 0 has no texels in any plane.
        if len(place) == 2:
            flags = b.and_(flags, b.icmp_unsigned("<", v.integer(0), extents[2]))
        row = place[1] if len(place) == 2 else b.add(b.mul(place[2], extents[1]), place[1])
        stride = words_of(self.formats[number])
        index = b.mul(b.add(b.mul(row, extents[0]), place[0]), v.integer(stride))
        count = b.mul(b.mul(b.mul(width, height), layers), ir.Constant(INT, stride))
        return Place(Words(data, count), index, lambda _: flags, stride)

    def _image(
        self, instruction: Instruction, operand: Operand, lanes: Value, components: Sequence[int]
    ) -> dict[int, Value]:
        v, place = self.v, self._texels(instruction, operand)
        assert instruction.memory is not None
        form = self.formats[instruction.memory[1]]
        if instruction.info.shape == "load":
            needed = words_read(form, components)
            words = dict(zip(needed, self._read(v, place, needed, lanes), strict=True))
            return dict(zip(components, loaded_texel(v, form, words, place.inside(0), components), strict=True))
        texel = stored_texel(v, form, [operand(1, c) for c in range(4)])
        self._write(v, place, texel, lanes)
        return {}

    def _atomic(
        self, instruction: Instruction, operand: Operand, lanes: Value, components: Sequence[int]
    ) -> dict[int, Value]:
        assert instruction.memory is not None
        image = instruction.memory[0] is Space.IMAGE
        place = self._texels(instruction, operand) if image else self._words(instruction, operand)
        values = [operand(i, 0) for i in range(1, len(instruction.sources))]
        before = self._change(self.v, instruction.opcode, place, values, lanes, bool(components))
        return dict.fromkeys(components, before)
