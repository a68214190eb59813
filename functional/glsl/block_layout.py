"""Layouts of blocks: offsets of members in bytes by the rules of std140 and std430 (OpenGL ES 3.1, 7.6.2.2).

Layouts that drivers choose, "shared" and "packed", are std140, as in Mesa.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .typed import CheckedShader, Variable
from .types import ArrayType, BasicType, StructType, Type, leaf_count

SLOT_BYTES = 16
COMPONENT_BYTES = 4


@dataclass(frozen=True, slots=True)
class BlockMember:
    """A member of basic type, or an array of them, with its offset.

    Attributes
    ----------
    name : str
        Name within the block, such as "lights[2].color".
    offset_bytes : int
        From the start of the block.
    array_stride_bytes, matrix_stride_bytes : int
        0 if it is not an array or a matrix, respectively.
    """

    name: str
    type: Type
    offset_bytes: int
    array_stride_bytes: int
    matrix_stride_bytes: int
    row_major: bool


def rounded(offset: int, alignment: int) -> int:
    """The next multiple of an alignment."""
    return -(-offset // alignment) * alignment


@dataclass(frozen=True, slots=True)
class Layout:
    """The rules of a block: ``packed`` for std430, where arrays and structures are not aligned to 16 bytes, and whether
    matrices are stored row by row."""

    packed: bool = False
    row_major: bool = False

    def of(self, row_major: bool) -> "Layout":
        """The rules of a member."""
        return Layout(self.packed, True) if row_major and not self.row_major else self

    def vector_bytes(self, rows: int) -> int:
        """Alignment of a vector."""
        return COMPONENT_BYTES * (1, 2, 4, 4)[rows - 1]

    def matrix_stride_bytes(self, of: BasicType) -> int:
        """Distance of the columns of a matrix, or of its rows."""
        return self.vector_bytes(of.columns if self.row_major else of.rows) if self.packed else SLOT_BYTES

    def alignment_bytes(self, of: Type) -> int:
        """Base alignment of a type."""
        if isinstance(of, BasicType):
            return self.matrix_stride_bytes(of) if of.is_matrix else self.vector_bytes(of.rows)
        if not self.packed:
            return SLOT_BYTES
        if isinstance(of, ArrayType):
            return self.alignment_bytes(of.element)
        assert isinstance(of, StructType)
        return max(self.of(member.row_major).alignment_bytes(member.type) for member in of.fields)

    def size_bytes(self, of: Type) -> int:
        """Bytes that a value occupies."""
        if isinstance(of, BasicType):
            if of.is_matrix:
                return self.matrix_stride_bytes(of) * (of.rows if self.row_major else of.columns)
            return COMPONENT_BYTES * of.rows
        if isinstance(of, ArrayType):
            return of.size * self.array_stride_bytes(of.element)
        assert isinstance(of, StructType)
        end = 0
        for offset, member in zip(self.member_offsets(of), of.fields, strict=True):
            end = offset + self.of(member.row_major).size_bytes(member.type)
        return rounded(end, self.alignment_bytes(of))

    def array_stride_bytes(self, element: Type) -> int:
        """Distance of the elements of an array."""
        alignment = self.alignment_bytes(element) if self.packed else SLOT_BYTES
        return rounded(self.size_bytes(element), alignment)

    def member_offsets(self, of: StructType) -> list[int]:
        """Offsets of the members of a structure."""
        offsets, end = [], 0
        for member in of.fields:
            rules = self.of(member.row_major)
            offsets.append(rounded(end, rules.alignment_bytes(member.type)))
            end = offsets[-1] + rules.size_bytes(member.type)
        return offsets

    def members(self, name: str, of: Type, offset: int = 0) -> Iterator[BlockMember]:
        """The members of basic type within a value, with OpenGL's names; of an array whose size is that of the buffer,
        the first element."""
        if isinstance(of, StructType):
            for member, start in zip(of.fields, self.member_offsets(of), strict=True):
                inner = f"{name}.{member.name}" if name else member.name
                yield from self.of(member.row_major).members(inner, member.type, offset + start)
        elif isinstance(of, ArrayType) and not isinstance(of.element, BasicType):
            stride = self.array_stride_bytes(of.element)
            for i in range(max(1, of.size)):
                yield from self.members(f"{name}[{i}]", of.element, offset + i * stride)
        else:
            element = of.element if isinstance(of, ArrayType) else of
            assert isinstance(element, BasicType)
            array_stride = self.array_stride_bytes(element) if isinstance(of, ArrayType) else 0
            matrix_stride = self.matrix_stride_bytes(element) if element.is_matrix else 0
            yield BlockMember(name, of, offset, array_stride, matrix_stride, self.row_major and element.is_matrix)


STD140, STD430 = Layout(), Layout(packed=True)


def layout_of(block: Variable) -> Layout:
    """The rules of a block."""
    return STD430 if block.layout == "std430" else STD140


def shared_offsets(shader: CheckedShader) -> dict[Variable, int]:
    """Offsets in bytes of the shared variables that a shader uses: std430, in order of declaration, as in Mesa."""
    offsets, end = {}, 0
    for variable in shader.globals:
        if variable.storage == "shared" and variable.used:
            offsets[variable] = rounded(end, STD430.alignment_bytes(variable.type))
            end = offsets[variable] + STD430.size_bytes(variable.type)
    return offsets


def shared_bytes(shader: CheckedShader) -> int:
    """Shared memory that a shader uses."""
    return max((offset + STD430.size_bytes(v.type) for v, offset in shared_offsets(shader).items()), default=0)


def constant_slots(variable: Variable) -> int:
    """Number of vec4 of the constant file that a uniform or block takes."""
    if variable.block:
        return -(-STD140.size_bytes(variable.type) // SLOT_BYTES)
    return leaf_count(variable.type)
